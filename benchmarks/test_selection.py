"""The arithmetic of size against error, by hand; and that the command runs. Run: pytest benchmarks."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.feature_selection import RFE

from benchmarks.jobs.job import Options
from benchmarks.markdown import rows_of
from benchmarks.selection import __main__ as command
from benchmarks.selection import (
    cases,
    confirmation,
    designs,
    goals,
    methods,
    others,
    pictures,
    report,
    summary,
    truths,
)  # fmt: skip
from benchmarks.selection.cases import Part
from benchmarks.selection.judge import judge
from benchmarks.selection.kept import Kept, Method
from benchmarks.selection.summary import Cell, Difference, Point, Tally


def point(setting: str, size: int, errors: Sequence[float]) -> Point:
    """Return a setting that keeps the first features on each split."""
    numbers = range(1, len(errors) + 1)
    both = {n: {"forest": error, "linear": 1 - error} for n, error in zip(numbers, errors, strict=True)}
    return Point(setting, {n: list(range(size)) for n in numbers}, both)


# ---- one setting -----------------------------------------------------------------------------------------------------


def test_overlap_by_hand() -> None:
    # 1 of 3, 2 of 2 and 1 of 3.
    assert summary.jaccard([[0, 1], [0, 2], [1, 0]]) == pytest.approx((1 / 3 + 1 + 1 / 3) / 3)
    assert summary.jaccard([[], []]) == 1.0
    assert math.isnan(summary.jaccard([[1]]))


def test_recall_and_false_selections_go_by_block() -> None:
    block = np.array([0, 0, 1, -1, -1])
    assert truths.recall(np.array([0, 1, 3]), block) == 0.5
    assert truths.false_selections(np.array([0, 1, 3]), block) == 1
    assert truths.recall(np.array([], int), block) == 0.0


def test_a_cell_keeps_what_failed() -> None:
    one = {"columns": [1, 2], "errors": {"forest": 0.25, "linear": 0.5}, "seconds": 2.0}
    answers = {1: {"found": {"0.5": one, "1": one}, "trouble": ""}, 2: {"found": {"0.5": one}, "trouble": "past 1 s"}}
    cell = summary.cell_of(answers, (0.5, 1.0, 2.0))
    assert [(p.setting, len(p.errors), p.size, p.error("linear")) for p in cell.points] == [
        ("0.5", 2, 2, 0.5),
        ("1", 1, 2, 0.5),
    ]
    assert (cell.splits, cell.troubles) == ([1, 2], {2: "past 1 s"})


# ---- two methods -----------------------------------------------------------------------------------------------------


def test_the_setting_nearest_to_a_size_counts() -> None:
    cell = Cell(
        [point("a", 4, [0.1] * 5), point("b", 7, [0.1] * 5), point("few", 5, [0.1] * 4), point("none", 0, [1.0] * 5)]
    )
    # About 5 are 3.3 to 7.5 features; four splits are not enough.
    found = summary.near(cell, 5)
    assert found is not None
    assert found.setting == "a"
    assert summary.near(cell, 2) is None
    assert summary.near(cell, 12) is None


def test_sizes_too_far_apart_are_not_compared() -> None:
    results = {"linear": {"one": Cell([point("a", 4, [0.1] * 5)]), "other": Cell([point("c", 7, [0.1] * 5)])}}
    assert list(summary.compared(results, "linear", "one", "other", "forest")) == []


def test_paired_intervals_by_hand() -> None:
    # Differences 0, .1, .2, .3, .4: mean .2, variance .025, Student's t of 4 degrees of freedom 2.776445.
    one, other = point("a", 5, [0.1, 0.3, 0.5, 0.7, 0.9, 0.9]), point("b", 5, [0.1, 0.2, 0.3, 0.4, 0.5])
    half = 2.776445 * math.sqrt(0.025 / 5)
    drawn, split = (summary.difference(one, other, case, "forest") for case in ("linear", "colon"))
    assert drawn is not None
    assert split is not None
    assert (drawn.mean, drawn.half, drawn.wide) == pytest.approx((0.2, half, half), rel=1e-6)
    # Nadeau and Bengio: the variance is 1 / 5 + 1 / 2 in place of 1 / 5.
    assert split.wide == pytest.approx(half * math.sqrt((1 / 5 + 1 / 2) * 5), rel=1e-6)
    assert summary.difference(point("a", 5, [0.2] * 4), other, "colon", "forest") is None


@pytest.mark.parametrize(("mean", "half", "verdict"), [(-0.2, 0.1, 1), (0.2, 0.1, -1), (0.1, 0.2, 0), (0.0, 0.0, 0)])
def test_who_errs_less(mean: float, half: float, verdict: int) -> None:
    assert Difference(mean, half, half).verdict(half) == verdict


def test_wins_ties_and_losses() -> None:
    results = {
        case: {
            "GRRF": Cell([point("a", 5, less), point("b", 30, more)]),
            "LASSO": Cell([point("c", 5, more), point("d", 30, less), point("e", 2, less)]),
        }
        for case, less, more in (("linear", [0.1] * 5, [0.2] * 5), ("colon", [0.1, 0.3] * 3, [0.3, 0.1] * 3))
    }
    assert summary.tallies(results, ["linear", "colon"], "GRRF", "LASSO", ["forest"])[0] == Tally(1, 2, 1)
    # The linear judge has it the other way round.
    assert summary.tallies(results, ["linear", "colon"], "GRRF", "LASSO")[0] == Tally(2, 4, 2)
    assert summary.tallies(results, ["linear"], "LASSO", "GRRF", ["forest"])[0].text() == "1-0-1"
    assert summary.tallies(results, ["linear"], "GRRF", "mRMR")[0] == Tally(0, 0, 0)


def test_regret_is_beside_the_best_at_a_size() -> None:
    results = {
        "linear": {
            "one": Cell([point("a", 5, [0.3] * 5), point("b", 30, [0.1] * 5)]),
            "other": Cell([point("c", 5, [0.2] * 5), point("d", 30, [0.25] * 5)]),
            "third": Cell([point("e", 5, [0.4] * 5)]),
        }
    }
    names = list(results["linear"])
    found = summary.regrets(results, ["linear"], "one", names, ["forest"])
    assert [(one.plain, one.fair) for one in found] == [pytest.approx((0.1, 0.1)), pytest.approx((0.0, 0.0))]
    assert summary.regrets(results, ["linear"], "third", names, ["forest"])[0].plain == pytest.approx(0.2)
    assert summary.regrets(results, ["linear"], "none", names) == []


def test_a_lucky_best_is_not_the_best() -> None:
    # Each rival is .2 better on the splits of one half alone: named by one half, it is worth nothing on the other.
    own, luck = point("a", 5, [0.3] * 6), [0.1, 0.3] * 3
    found = summary.regret(own, [point("b", 5, luck), point("c", 5, luck[::-1])], range(1, 7), "forest")
    assert (found.plain, found.fair) == pytest.approx((0.1, 0.0))


def test_rfe_grows_no_forest_twice_and_keeps_what_rfe_keeps() -> None:
    told = cases.part(None, "friedman", 1)
    plain = others.forest(told, 10, random_state=2)
    for size, kept in others.rfe_of(told, (2.0, 5.0), plain):
        alone = RFE(plain, n_features_to_select=int(size), step=others.RFE_STEP).fit(told.x, told.y)
        assert np.array_equal(kept.columns, np.flatnonzero(alone.support_))


def test_backward_drops_a_fifth_at_a_time_down_to_each_size() -> None:
    told, asked = cases.part(None, "rings", 1), []

    def credit(left: np.ndarray) -> np.ndarray:
        asked.append(len(left))
        return left.astype(float)

    found = dict(others.backward(told, (2.0, 5.0, 12.0, 40.0), credit))
    assert {size: kept.columns.tolist() for size, kept in found.items()} == {
        size: list(range(30 - int(size), 30)) for size in (2.0, 5.0, 12.0)
    }
    assert asked == [30, 24, 19, 15, 12, 9, 7, 5, 4, 3]


def answer(losses: dict[str, float], kept: int, seconds: float = 1.0) -> dict[str, object]:
    """Return the answer of a job with one size, 5."""
    found = {"columns": list(range(kept)), "errors": losses, "seconds": seconds}
    return {"found": {"5": found}, "trouble": ""}


def test_the_page_of_confirmation_by_hand() -> None:
    low, high = {"forest": 0.5, "linear": 0.9}, {"forest": 0.6, "linear": 0.8}
    answers: dict[str, object] = {}
    for split in (1, 2, 3):
        for case, better in (("wine", low), ("votes", {"forest": 0.5, "linear": 0.5}), ("wbc", high)):
            answers |= {f"{case}/elimination/{split}": answer(better, 5, 2.0), f"{case}/LASSO/{split}": answer(high, 5)}
    answers["wine/mRMR/1"] = {"found": {}, "trouble": "past 200 s"}
    losses = confirmation.losses_of(answers)
    assert len(losses) == 2 * 2 * 9
    lasso = rows_of(confirmation.beside_each(losses))["LASSO"]
    # Wine: .1 better by the forest and .1 worse by the linear model; votes: .1 and .3 better; wbc: the same.
    assert [lasso[head] for head in ("w-t-l", "forest", "linear")] == ["1-2-0", "2-1-0", "1-1-1"]
    assert lasso["mean regret"] == ".083 (.060)"
    assert lasso["worst"] == ".200, votes"
    own = rows_of(confirmation.beside_each(losses))["elimination"]
    assert (own["mean regret"], own["worst"], own["s"]) == (".017 (.017)", ".050, wine", "2")
    assert confirmation.verdict(pd.Series([0.01, 0.02, -0.03, 0.0])) == ("2-1-1", "1")
    text = confirmation.render(answers, 100, "here.")
    assert "**Unfinished**: 19 of 100 jobs. here." in text
    assert rows_of(text, "## Failed")["mRMR"] == {"why": "past 200 s", "jobs": "1"}
    assert "- wine/mRMR/1: past 200 s" in text
    assert ".700 | **.700** |" in text.partition("## Cases")[2].replace("**.700** | **.700**", ".700 | **.700**")


def test_sizes_chosen_by_hand() -> None:
    same = {"forest": 0.5, "linear": 0.5}
    chosen = {"elimination, cv": answer(same, 3, 2.0), "RFECV, pyrrf": answer({"forest": 0.7, "linear": 0.7}, 9)}
    answers = {f"{case}/{name}/1": one for case in ("wine", "votes") for name, one in chosen.items()}
    rows = rows_of(confirmation.of_chosen_size(confirmation.losses_of(answers)))
    assert rows["RFECV, pyrrf"]["w-t-l of elimination"] == "2-0-0"
    assert rows["RFECV, pyrrf"]["elimination takes times"] == "2.0"
    assert (rows["elimination, cv"]["features"], rows["elimination, cv"]["forest"]) == ("3", ".500")


def test_goals_by_hand() -> None:
    low, high = [0.1] * 5, [0.2] * 5
    results = {
        case: {"elimination": Cell([point("5", 5, low)]), "RFE": Cell([point("5", 5, high)])}
        for case in ("colon", "sonar", "diabetes")
    }
    results["colon"]["LASSO"] = Cell([point("5", 5, low)])
    noise = {f"goals/noise/{n}": {"given": score, "chosen": 0.5} for n, score in enumerate((0.4, 0.6))}
    rows = dict(goals.table_of_goals(results, {**noise, "goals/wide/1": 1.5}))
    assert rows["six new cases, judged by a forest: wins-ties-losses; more wins than losses"] == "RFE 1-0-0"
    assert rows["all cases, judged by a forest; losses: at most one comparison in forty"] == "LASSO 0-1-0, RFE 3-0-0"
    assert rows["numbers, judged by a forest"] == "RFE 1-0-0"
    # The linear judge has it the other way round: RFE has errors of .8, elimination of .9, as LASSO.
    assert rows["mean regret: at most half of the next best method's"] == ".050 (.050); LASSO .050 (.050)"
    assert rows["seconds of 120 x 20,000, one thread: 3"] == "median of 1 1.50, largest 1.50"
    assert rows["`nested_score_` on noise, 60 x 2,000: .5 within .02"].startswith("5 features .500 +- 1.27")


def test_noise_and_wide_data_are_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(goals, "NOISE_SHAPE", (20, 30))
    monkeypatch.setattr(goals, "WIDE_SHAPE", (20, 30))
    assert set(goals.noise(Options(), 1)) == {"given", "chosen"}
    assert 0 < goals.wide(Options(), 1) < 60


# ---- cases and the judge ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", truths.TRUTHS)
def test_what_tells_tells(name: str) -> None:
    told, truth = cases.part(None, name, 1), truths.TRUTHS[name]
    assert told.x.shape == (truth.rows, truth.columns)
    assert told.x_test.shape == (truths.TEST_ROWS, truth.columns)
    tells = truth.block_of()[told.order] >= 0
    none, all_of_them = judge(told, np.array([], int)), judge(told, np.flatnonzero(tells))
    noise = judge(told, np.flatnonzero(~tells)[:1])
    if told.numeric:
        assert none["forest"] == pytest.approx(1.0, abs=0.05)
    else:
        assert none["forest"] == float((told.y_test != np.bincount(told.y).argmax()).mean())
    assert all_of_them["forest"] < none["forest"] - (0.1 if name != "rare" else 0.0)  # 5 % of the rows are of its class
    assert noise["forest"] > none["forest"] - 0.1
    assert noise["linear"] > none["linear"] - 0.1


def test_a_factor_is_spread_to_indicators_and_a_category_in_the_table() -> None:
    rows = np.array([[2.0, 0.5], [0.0, 1.5]])
    wide, column = cases.spread(rows, np.array([3, 0]))
    assert wide.tolist() == [[0, 0, 1, 0.5], [1, 0, 0, 1.5]]
    assert column.tolist() == [0, 0, 0, 1]
    told = cases.part(None, "factors", 1)
    levels = {j: len(told.table[f"x{j}"].cat.categories) for j in told.factors}
    assert sorted(levels.values()) == sorted(filter(None, truths.FACTORS))
    assert {told.order[j]: count for j, count in levels.items()} == {
        j: count for j, count in enumerate(truths.FACTORS) if count
    }
    assert cases.part(None, "xor", 1).table is cases.part(None, "xor", 1).x


def test_answers_of_another_version_of_a_design_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    first, drawn = cases.made_by("design 601"), designs.design_of(601)
    monkeypatch.setattr(designs, "design_of", lambda number: replace(drawn, signal=1.0))
    assert cases.made_by("design 601") != first
    assert cases.made_by("linear") == ()


@pytest.mark.parametrize("number", range(601, 616))
def test_effects_of_a_design_tell(number: int) -> None:
    drawn = designs.design_of(number)
    assert drawn is designs.design_of(number)
    x, y = drawn.draw(np.random.default_rng(1), 3000)
    assert x.shape == (3000, len(drawn.levels))
    assert np.isfinite(x).all()
    effect = drawn.effect(x)
    assert abs(effect.mean()) < 0.1
    assert effect.std() == pytest.approx(1.0, abs=0.15)
    assert abs(np.corrcoef(effect, y)[0, 1]) > 0.25
    for j, count in enumerate(drawn.levels):
        assert not count or set(np.unique(x[:, j])) <= set(range(count))
    assert len(np.unique(y)) > 6 if drawn.numeric else 2 <= len(np.unique(y)) <= 7


def test_missing_values_are_the_median_or_a_level() -> None:
    table = pd.DataFrame({"a": [1.0, np.nan, 5.0, 9.0], "b": pd.Categorical(["u", "v", None, "u"])})
    values, levels = cases.without_missing(table)
    assert levels.tolist() == [0, 3]
    assert values.tolist() == [[1, 0], [5, 1], [5, 2], [9, 0]]


def test_chances_are_judged_beside_the_shares_of_the_classes() -> None:
    told = cases.part(None, "wine", 1)
    assert judge(told, np.array([], int)) == {"forest": 1.0, "linear": 1.0}
    assert max(judge(told, np.arange(13)).values()) < 0.2


def test_columns_are_shuffled_and_told_by_their_place_in_the_case() -> None:
    told = cases.part(None, "linear", 1)
    assert sorted(told.order) == list(range(200))
    assert list(told.order) != list(range(200))
    kept = {2.0: Kept(np.array([4, 0]), 0.5)}
    assert methods.judged(told, kept)["2"]["columns"] == sorted(told.order[[0, 4]].tolist())


@pytest.mark.parametrize("name", ["diabetes", "products"])
def test_sets_of_numbers_are_judged_by_squared_error(name: str) -> None:
    told = cases.part(None, name, 1)
    assert told.x.shape[1] == {"diabetes": 10, "products": 64}[name]
    everything = judge(told, np.arange(10))
    assert 0.3 < everything["forest"] < 0.9
    assert 0.3 < everything["linear"] < 1.2


def test_splits_differ_and_repeat() -> None:
    one, other = cases.part(None, "linear", 1), cases.part(None, "linear", 2)
    assert not np.array_equal(one.x, other.x)
    cases.part.cache_clear()
    np.testing.assert_array_equal(one.x, cases.part(None, "linear", 1).x)


def test_of_large_sets_each_split_draws_some_rows(tmp_path: Path) -> None:
    row = np.arange(3000)
    table = pd.DataFrame({"row": row, "again": row, "class": np.where(row % 3, "a", "b")})
    table.to_csv(tmp_path / "madelon.csv.gz", index=False)
    one, other = cases.part(tmp_path, "madelon", 1), cases.part(tmp_path, "madelon", 2)
    assert (len(one.x), len(one.x_test)) == (600, 300)
    drawn = [{*part.x[:, 0], *part.x_test[:, 0]} for part in (one, other)]
    assert len(drawn[0]) == len(drawn[1]) == cases.MOST_ROWS
    assert drawn[0] != drawn[1]
    assert one.y.mean() == pytest.approx(1 / 3, abs=0.003)


# ---- jobs ------------------------------------------------------------------------------------------------------------


def first(part: Part, sizes: Sequence[float], seed: int) -> Iterator[tuple[float, Kept]]:
    """Keep the first features; 13 raises, 14 takes for ever, and 15 ends the process."""
    for size in sizes:
        if size == 13:
            raise ValueError("no such size")
        while size == 14:
            pass
        if size == 15:
            os._exit(3)
        yield size, Kept(np.arange(int(size)), 0.5)


@pytest.mark.parametrize(
    ("last", "trouble"), [(13.0, "ValueError: no such size"), (14.0, "past 1 s"), (15.0, "ended with status 3")]
)
def test_failures_are_answers(monkeypatch: pytest.MonkeyPatch, last: float, trouble: str) -> None:
    monkeypatch.setitem(methods.METHODS, "LASSO", Method(first, "K", (2.0, last), ""))
    answer = methods.try_method(Options(), "interactions", 1, "LASSO", [2.0, last], 1)
    assert answer["trouble"] == trouble
    assert len(answer["found"]["2"]["columns"]) == 2
    assert list(answer["found"]) == ["2"]
    json.dumps(answer, allow_nan=False)


def test_a_method_without_an_answer_in_time_is_not_tried_again() -> None:
    job = next(job for job in command.jobs_of(Options()) if job.key == "linear/LASSO/2")
    assert job.needs == ("linear/LASSO/1",)
    late = job.function(Options(), *job.args, {"found": {}, "trouble": "past 40 s"})
    assert late == {"found": {}, "trouble": "not tried, since the first was past 40 s"}
    assert job.function(Options(), *job.args, {"found": {"2": {}}, "trouble": "past 40 s"})["found"]
    assert not any(job.needs for job in command.jobs_of(Options(), confirm=True))


ALWAYS = [name for name, method in methods.METHODS.items() if not method.package]


@pytest.mark.filterwarnings("ignore:column 'x:UserWarning")  # of factors with many levels, which "slopes" has
@pytest.mark.parametrize("case", ["interactions", "friedman", "slopes"])
@pytest.mark.parametrize("name", ALWAYS)
def test_methods_that_are_always_here(name: str, case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for constant, value in (("GUIDE_TREES", 20), ("PAIRS", 3), ("CONSENSUS_GUIDE", 20), ("RFE_TREES", 10)):
        monkeypatch.setattr(methods.ours, constant, value)
    for constant, value in (
        ("TREES", 20), ("RFE_TREES", 10), ("RFECV_TREES", 3), ("FOLDS", 2), ("PERMUTED_TREES", 5), ("DROP", 0.5),
    ):  # fmt: skip
        monkeypatch.setattr(methods.others, constant, value)
    method, told = methods.METHODS[name], cases.part(None, case, 1)
    few = method.settings[:2]
    found = dict(method.select(told, few, 1))
    assert tuple(found) == few
    for setting, kept in found.items():
        assert np.array_equal(kept.columns, np.unique(kept.columns))
        assert not method.exact or len(kept.columns) == setting


def test_absent_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "is_at_hand", lambda package: package != "boruta")
    assert report.absences({"linear": {}}) == ["**Absent here**, so not run: boruta_py (boruta)."]
    assert report.absences({"linear": {"boruta_py": Cell([])}}) == []
    assert not methods.is_at_hand("no_such_package_of_python")


def test_every_case_and_method_has_its_jobs() -> None:
    jobs = command.jobs_of(Options())
    apart = len(goals.jobs(Options()))
    confirming = [job.args[0] for job in command.jobs_of(Options(), confirm=True)]
    cells = [(case, method) for case in cases.CASES for method in methods.METHODS]
    assert len(jobs) - apart + len(confirming) == sum(methods.splits_of(*cell) for cell in cells)
    assert {*confirming} == {name for name, case in cases.CASES.items() if case.confirm}
    assert len({*confirming}) == 60
    assert methods.splits_of("linear", "GRRF") == methods.METHODS["GRRF"].splits
    assert methods.splits_of("xor", "RFE") == methods.splits_of("wine", "GRRF") == 0
    assert methods.splits_of("wine", "LASSO") == methods.CONFIRM_SPLITS
    first = [job for job in jobs[apart:] if int(job.key.rsplit("/")[-1]) <= 5]
    assert first == jobs[apart : apart + len(first)]
    assert sorted({job.cost for job in first}) == list(dict.fromkeys(job.cost for job in first))


def test_the_pictures_are_drawn_of_the_page(tmp_path: Path) -> None:
    text = confirmation.PAGE.read_text()
    pictures.draw(text, tmp_path)
    assert all("<svg" in (tmp_path / f"{name}.svg").read_text() for name in ("error_by_size", "regret_and_time"))
    curves, rows = pictures.mean_errors(text), rows_of(text, "## By size")
    assert curves.by_method["elimination"] == [float(rows["elimination"][size]) for size in pictures.SIZES]
    assert {"elimination", "LASSO"} < pictures.regrets_and_seconds(text).keys() <= set(methods.TOLD)


def test_the_cases_that_confirm_have_a_page_of_their_own(tmp_path: Path) -> None:
    asked = ["--confirm", "--cases", "wine", "--methods", "LASSO", "elimination", "RFECV, pyrrf", "all"]
    page = tmp_path / "CONFIRMATION.md"
    assert command.main([*asked, "--store", str(tmp_path / "store"), "--output", str(page)]) == 0
    wanted = len(command.jobs_of(Options(), confirm=True))
    assert f"**Unfinished**: {4 * methods.CONFIRM_SPLITS} of {wanted:,} jobs." in page.read_text()
    assert "| wine: wine, 178 x 13, 3 classes | " in page.read_text()


def test_a_run_goes_on_and_writes_its_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = [
        "--cases",
        "interactions",
        "--methods",
        "LASSO",
        "SelectFromModel",
        "all",
        "--no-goals",
        "--store",
        str(tmp_path / "store"),
    ]
    output = ["--output", str(tmp_path / "SELECTION.md")]
    assert command.main([*asked, *output, "--splits", "2"]) == 0
    text = capsys.readouterr().out
    assert f"**Unfinished**: 6 of {len(command.jobs_of(Options(splits=2))):,} jobs." in text
    assert not (tmp_path / "SELECTION.md").exists()
    trial = {file: file.stat().st_mtime_ns for file in tmp_path.rglob("*.json")}
    assert command.main([*asked, *output]) == 0
    files = {file: file.stat().st_mtime_ns for file in tmp_path.rglob("*.json")}
    assert len(files) == sum(methods.METHODS[name].splits for name in ("LASSO", "SelectFromModel", "all"))
    assert trial.items() < files.items()
    text = (tmp_path / "SELECTION.md").read_text()
    assert f"**Unfinished**: {len(files)} of {len(command.jobs_of(Options())):,} jobs." in text
    assert "| LASSO | " in text.partition("## interactions")[2]
    assert command.main([*asked, *output, "--report"]) == 0
    assert {file: file.stat().st_mtime_ns for file in tmp_path.rglob("*.json")} == files
    assert (tmp_path / "SELECTION.md").read_text() == text


def test_a_cell_with_fewer_splits_than_meant_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(methods.METHODS, "LASSO", replace(methods.METHODS["LASSO"], splits=20))
    cell = Cell([point("5", 5, [0.1] * 5)], list(range(1, 6)))
    assert "| LASSO, 5 of 20 | " in report.at_sizes("linear", {"LASSO": cell}, 20)


def test_a_whole_cell_has_enough_splits_to_be_compared() -> None:
    told = {name: method.splits for name, method in methods.METHODS.items()}
    assert {name for name, splits in told.items() if splits < cases.ENOUGH} == {"RFECV, pyrrf", "Boruta"}
