"""The benchmarks run and judge rightly; no time is asserted. Run: pytest benchmarks."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks import bench, goals, report, scaling, store, tables
from benchmarks.cases import CASES, COMMON, QUICK_CASES, REAL
from benchmarks.data import is_real, read_real, write_data
from benchmarks.peers import CRAN, FAMILIES, PARALLEL, PYRRF, RANGER, SKLEARN, Peer, available_families, make_peers
from benchmarks.runner import Call, Result, compare_answers, is_called_again
from benchmarks.shapes import KINDS, Case, Shape, make, make_data

MADE = [key for key, case in QUICK_CASES.items() if case.group != REAL]


def result(times: dict[Peer, list[float]], key: str = "b") -> dict[str, Result]:
    calls = {peer: [Call(t, 100.0 + t, 90.0, "p", []) for t in values] for peer, values in times.items()}
    return {key: Result(CASES[key], calls)}


# ---- data --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", MADE)
def test_data_of_every_case(key: str) -> None:
    shape = QUICK_CASES[key].shape
    data = make(shape)
    assert data.x.shape == (shape.rows, shape.columns)
    assert data.x_test.shape == (shape.test_rows, shape.columns)
    if not shape.numbers:
        assert set(data.y) == set(range(shape.classes))
        assert set(data.y_test) <= set(data.y)
    for column, levels in enumerate(shape.levels):
        if levels:
            assert set(data.x[:, column]) <= set(range(levels))


def test_every_kind_of_columns_is_measured_with_classes_and_numbers() -> None:
    for numbers in (False, True):
        kinds = {case.shape.kind for case in CASES.values() if case.shape.numbers == numbers}
        assert kinds >= {*KINDS, "factors of 5 and 25"}


def test_a_row_less_leaves_the_others_as_they_are() -> None:
    whole, less = (make(CASES[key].shape) for key in ("likert", "likert less 1"))
    assert np.array_equal(whole.x[1:], less.x)
    assert np.array_equal(whole.y[1:], less.y)


@pytest.mark.parametrize("key", [key for key in goals.BASES if CASES[key].group == COMMON])
def test_weights_of_classes_are_not_exact_when_a_row_goes(key: str) -> None:
    exact = []
    for name in (goals.BASES[key], key):
        counts = np.bincount(make_data(CASES[name].shape)[1].astype(int))
        exact.append(((counts / counts.sum()) * counts.sum() / counts == 1).all())
    assert exact == [True, False]


def test_classes_are_of_about_equal_size() -> None:
    for classes in (2, 3, 4, 5, 10):
        _, y = make_data(Shape(5_000, 6, 1, target=f"{classes} classes", kind="0 decimals"))
        assert np.bincount(y.astype(int)).min() > 0.7 * 5_000 / classes


def test_a_file_is_cut_in_two(tmp_path: Path) -> None:
    file = tmp_path / "made.csv.gz"
    lines = ["one,two,class", *(f"{i},{i / 2},{'even' if i % 2 == 0 else 'odd'}" for i in range(30))]
    file.write_bytes(gzip.compress("\n".join(lines).encode()))
    shape = Shape(20, 2, 5, kind="made")
    assert is_real(shape)
    data = read_real(shape, file)
    assert sorted([*data.x[:, 0], *data.x_test[:, 0]]) == list(range(30))
    assert np.array_equal(data.y, data.x[:, 0] % 2)
    whole = read_real(Shape(29, 2, 5, kind="made", order="whole", less=1), file)
    assert whole.x[:, 0].tolist() == list(range(1, 30))
    ordered = read_real(Shape(20, 2, 5, kind="made", order="sorted"), file)
    assert sorted(ordered.y) == ordered.y.tolist()
    assert sorted(ordered.x[:, 0]) == sorted(data.x[:, 0])
    with pytest.raises(ValueError, match="not 21 x 2"):
        read_real(Shape(21, 2, 5, kind="made"), file)


def test_a_memory_map_is_written_row_by_row(tmp_path: Path) -> None:
    shape = Shape(70, 6, 2, mapped=True)
    write_data(tmp_path, shape)
    x = np.fromfile(tmp_path / "x.bin", np.float32).reshape(70, 6)
    y = np.fromfile(tmp_path / "y.bin")
    assert np.mean((x[:, :5].sum(axis=1) > 0) == y) > 0.7


def test_what_takes_long_is_measured_where_it_is_named() -> None:
    key = "ten million rows"
    named = bench.choose(bench.read_options(["--case", key]), {})
    assert list(named) == [key]
    assert key not in bench.choose(bench.read_options([]), {})


# ---- runs --------------------------------------------------------------------------------------------------------

# One of each kind of response, of factors, of layouts, and a pair of fewer trees.
RUN = ["tiny b", "tiny n2", "tiny y3 factors", "tiny genotypes 500", "tiny memory map"]


def test_quick_run_of_every_peer_writes_a_report(tmp_path: Path) -> None:
    file = tmp_path / "RESULTS.md"
    arguments = [part for key in RUN for part in ("--case", key)]
    assert bench.main(["--quick", *arguments, "--output", str(file)]) == 0
    text = file.read_text()
    for comparison in ("parallel threads", "parallel threads, ordinary"):
        assert f"- {comparison}: identical (cases tiny b, " in text
    assert "FAILED" not in text
    families = available_families()
    for family in families:
        assert family in text
    if CRAN in families:
        assert "- CRAN RRF: identical (cases tiny b, tiny genotypes 500, tiny n2, tiny y3 factors;" in text
        assert "(4 trees)" in text
    assert "added, no file's" in text


def test_growth_writes_a_picture(tmp_path: Path) -> None:
    file = tmp_path / "RESULTS.md"
    arguments = ["--quick", "--case", "tiny b", "--peer", PARALLEL, "--growth", "--output", str(file)]
    assert bench.main(arguments) == 0
    assert "## Growth of cost" in file.read_text()
    assert "<svg" in (tmp_path / "scaling.svg").read_text()


def test_a_slow_peer_is_not_called_at_the_next_size() -> None:
    curve = scaling.Curve(scaling.panels(quick=True)[0], scaling.PEERS[0])
    assert curve.add(50, 1.0, 100.0)
    assert not curve.add(100, scaling.LONGEST + 6.0, 200.0)
    assert curve.cells("seconds") == ["50: 1, 100: 16, 200: -", "4.00"]
    assert curve.cells("MiB") == ["50: 100, 100: 200, 200: -", "1.00"]
    assert not scaling.Curve(curve.panel, curve.peer).add(50, None, None)


def test_a_failed_call_fails_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "make_peers", lambda *_: [Peer(PARALLEL, True, 0)])
    file = tmp_path / "RESULTS.md"
    assert bench.main(["--quick", "--case", "tiny b", "--peer", PARALLEL, "--output", str(file)]) == 1
    assert "FAILED: tiny b: pyrrf parallel, regularized, 0 threads, seed 1." in file.read_text()


def test_real_data_are_left_out_without_a_folder() -> None:
    options = bench.read_options([])
    left = bench.choose(options, {})
    assert {case.group for case in CASES.values()} - {case.group for case in left.values()} == {REAL}


@pytest.mark.parametrize(
    ("family", "times", "again"),
    [
        (RANGER, [], True), (RANGER, [5.1], False), (RANGER, [4.9], True), (RANGER, [0.6, 0.7], False),
        (RANGER, [0.6, 0.6], True), (CRAN, [], True), (CRAN, [1.2], True), (CRAN, [1.3], False),
        (CRAN, [0.6, 0.6], True), (CRAN, [0.6, 0.7], False), (SKLEARN, [], True), (SKLEARN, [0.01], False),
    ],
)  # fmt: skip
def test_who_is_called_again(family: str, times: list[float], again: bool) -> None:
    assert is_called_again(times, Peer(family, True, 1), 5.0) == again


def test_kept_results_are_merged(tmp_path: Path) -> None:
    for key, times in (("a", [1.0]), ("b", [2.0]), ("b", [3.0])):
        store.save(result({Peer(PARALLEL, True, 1): times}, key)[key], key, tmp_path)
    kept = store.load_all(CASES, tmp_path)
    assert list(kept) == ["a", "b"]
    assert kept["b"] == result({Peer(PARALLEL, True, 1): [3.0]})["b"]
    other = Case(Shape(1, 1, 1), "other")
    assert store.load("a", other, tmp_path) is None
    assert list(bench.choose(bench.read_options(["--resume", "--case", "a", "--case", "c"]), kept)) == ["c"]


# ---- answers -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("second", "same"), [(b"12", True), (b"13", False)])
def test_answers_are_compared_across_threads(tmp_path: Path, second: bytes, same: bool) -> None:
    peers = make_peers([PARALLEL], CASES["c2"])
    for peer in peers:
        (tmp_path / f"{peer}.answer").write_bytes(second if peer == Peer(PARALLEL, True, 2) else b"12")
    equal = {}
    compare_answers(tmp_path, peers, equal)
    assert equal == {"parallel threads": same, "parallel threads, ordinary": True}
    assert not Result(CASES["a"], {}, equal).sound or same


def test_a_pair_of_fewer_trees_is_compared_with_itself(tmp_path: Path) -> None:
    peers = make_peers([PYRRF, CRAN], CASES["genotypes 500"])
    trees = {peer.trees for peer in peers if peer.family == CRAN}
    assert trees == {CASES["genotypes 500"].pair_trees}
    for peer in peers:
        (tmp_path / f"{peer}.answer").write_bytes(b"few" if peer.trees else b"many")
    equal = {}
    compare_answers(tmp_path, peers, equal)
    assert equal["CRAN RRF"]


def test_a_difference_is_not_forgotten(tmp_path: Path) -> None:
    equal = {"parallel threads": False}
    peers = [Peer(PARALLEL, True, 1), Peer(PARALLEL, True, 2)]
    for peer in peers:
        (tmp_path / f"{peer}.answer").write_bytes(b"12")
    compare_answers(tmp_path, peers, equal)
    assert equal == {"parallel threads": False}


# ---- the report --------------------------------------------------------------------------------------------------


def found(times: dict[str, float]) -> goals.Found:
    """Return the ratios where engine parallel takes a second, and ranger these."""
    results = {}
    for key, seconds in times.items():
        results |= result({Peer(PARALLEL, True, 1): [1.0], Peer(RANGER, True, 1): [seconds]}, key)
    return goals.ratios(results)


def test_a_missed_goal_is_bold_and_named() -> None:
    times = {Peer(PARALLEL, True, 1): [1.0, 2.0, 9.0], Peer(PARALLEL, True, 2): [1.0], Peer(RANGER, True, 1): [2.0]}
    ratios = goals.ratios(result(times))
    head, _, row = goals.by_case(ratios).splitlines()
    assert (
        head == "| case | ranger / parallel ≥ 1.5 | parallel, 2 threads over 1 ≥ 1.5 | memory: parallel / ranger ≤ 1 |"
    )
    assert row == "| b | **1.00** | 2.00 | 1.00 |"
    assert goals.missed(ratios, "b") == ["ranger / parallel"]
    # A single tree has no use for a second thread.
    assert goals.ratios(result(times, "memory map"))["parallel, 2 threads over 1"] == {}


def test_what_limits_a_missed_goal_is_said() -> None:
    call = Call(1.0, 100.0, 90.0, "p", [], features=21)
    results = {
        key: Result(CASES[key], {Peer(PYRRF, True, 1): [call], Peer(RANGER, True, 1): [replace(call, seconds=seconds)]})
        for key, seconds in (("factors 4", 0.5), ("y3 factors", 2.0))
    }
    lines = goals.limits(results, goals.ratios(results)).splitlines()
    assert (
        lines[0]
        == "- A node looks at all of F and at mtry others, ranger at mtry; in brackets F: factors 4 (21 of 24)."
    )
    assert lines[1].endswith("ranger orders the levels once: factors 4.")
    assert {key for keys in goals.LIMITS.values() for key in keys} <= set(CASES)


def test_a_row_less_is_compared_with_all_rows() -> None:
    results = {}
    for key, seconds in (("likert", 1.0), ("likert less 1", 1.1), ("spambase", 2.0), ("spambase sorted", 3.0)):
        results |= result({Peer(PYRRF, True, 1): [seconds]}, key)
    rows = goals.disturbed(results).splitlines()[2:]
    assert rows == ["| likert less 1 | likert | 1.10 | - |", "| spambase sorted | spambase | 1.50 | - |"]
    assert all(base in CASES and CASES[key].shape.trees == CASES[base].shape.trees for key, base in goals.BASES.items())


def test_a_report_of_every_case() -> None:
    results = {}
    for key, case in CASES.items():
        results |= result({peer: [1.0] for peer in make_peers(list(FAMILIES), case)}, key)
    text = report.report(results, Path("nowhere"), 3, 5.0)
    assert [key for key in CASES if f"\n| {key} | " not in text] == []
    assert "Not measured" not in text


def test_the_summary_names_worst_and_best() -> None:
    text = goals.summary(found({"b": 7.0, "c2": 1.25, "y10": 5.0}))
    assert "| ranger / parallel | ≥ 1.5 | 2 of 3 | 1.25 | c2 | 7.00 | b |" in text
    # Each ratio has its reason, in one sentence.
    assert text.splitlines()[-1].startswith("- memory: parallel / ranger: Data ")
    assert len(goals.GOALS) <= 9
    assert all(goal.reason.count(". ") == 0 for goal in goals.GOALS)


def test_unmeasured_peers_have_no_columns() -> None:
    text = tables.ordinary(result({Peer(PARALLEL, False, 1): [1.0], Peer(PARALLEL, False, 2): [0.5]}))
    assert "scikit-learn" not in text
    assert "| 2.00 |" in text


def test_readme_takes_the_summary() -> None:
    results = f"# B\n\n## Goals\n\n{goals.summary(found({'factors 4': 0.5, 'b': 2.0}))}\n\n## Goals by case\n"
    sections: dict[str, dict[str, str]] = {}
    for number, (title, column) in enumerate(list(report.SECONDS.values())[:-1]):  # no oneDAL
        sections.setdefault(title, {})[column] = f"{number} (9 trees)"
    for title, cells in sections.items():
        head, row = (" | ".join(texts) for texts in (cells, cells.values()))
        rows = "\n".join(f"| {key} | {row} |" for key in report.SHOWN)
        results += f"\n## {title}\n\nA note.\n\n| case | {head} |\n| --- | --- |\n{rows}\n"
    readme = f"before {report.BEGIN}\n\nold\n\n{report.END} after"
    shown = report.put_summary(readme, results)
    assert shown.startswith(f"before {report.BEGIN}\n\n| data | pyrrf, engine r |")
    assert shown.endswith(f"{report.END} after")
    times = " | ".join([*(f"{number} s (9 trees)" for number in range(5)), "-"])
    assert [shown.count(f"| {key}: {words} | {times} |") for key, words in report.SHOWN.items()] == [1] * 5
    assert f"| {report.WORST} | - | - | - | 0.50 times engine parallel (factors 4) | - | - |" in shown


def test_the_worst_case_of_each_package_is_told() -> None:
    times = {peer: [2.0] for peer in make_peers(list(FAMILIES), CASES["b"])}
    text = report.report(result(times), Path("nowhere"), 3, 5.0)
    assert report.worst_of(text, RANGER) == "1.00 times engine r (b); 1.00 times engine parallel (b)"
    packages = [column.partition(" (")[0] for column in report.SECONDS][2:]
    assert [package for package in packages if "1.00 times " not in report.worst_of(text, package)] == []


def test_every_case_is_measured_by_two_packages_at_least() -> None:
    for case in CASES.values():
        assert len({FAMILIES[peer.family].package for peer in make_peers(list(FAMILIES), case)}) > 1
