"""The tables and figures of paper 000: what is transcribed, what is counted, what is drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_wine

from benchmarks.jobs.job import Answers, Options
from benchmarks.jobs.sets import DataSet
from benchmarks.papers import p000_fig3, p000_fig4, p000_table2depth, regularized
from benchmarks.papers import p000_tables2and3 as tables

# The last line of table III, over all 18 sets.
PRINTED = {
    "rf_mark": {"RRF": "4/6/8", "RBoost": "3/6/9", "CFS": "2/14/2", "FCBF": "0/16/2"},
    "c45_mark": {"RRF": "1/1/16", "RBoost": "2/0/16", "CFS": "5/3/10", "FCBF": "3/3/12"},
}


@pytest.fixture(scope="module")
def wine() -> DataSet:
    X, y = load_wine(return_X_y=True, as_frame=True)
    return DataSet("wine", X, y.to_numpy(str))


@pytest.mark.parametrize("what", PRINTED)
@pytest.mark.parametrize("method", ["RRF", "RBoost", "CFS", "FCBF"])
def test_the_papers_marks_add_up_to_its_sums(what: str, method: str) -> None:
    lines = tables.read_paper()
    marks = tuple(line[what] for (_, of), line in lines.items() if of == method)
    assert tables.win_lose_tie(marks) == PRINTED[what][method]


def test_every_set_has_the_papers_figures() -> None:
    lines = tables.read_paper()
    assert len(lines) == 18 * 5
    missing = {name for name, _ in lines} - {regularized.NAMES.get(name, name) for name in tables.SETS}
    assert missing == {"gina", "hiva"}


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0.5, 0.6, 0.7], "="),
        ([0.51, 0.612, 0.709], "+"),  # t = 10.6 > 4.3
        ([0.49, 0.589, 0.691], "-"),
        ([0.6, 0.5, 0.72], "="),  # t = .07
        ([0.25, 0.35, 0.45], "-"),  # the same loss three times
    ],
)
def test_marks(values: list[float], expected: str) -> None:
    assert tables.mark(values, [0.5, 0.6, 0.7]) == expected


def test_two_folds_part_the_rows_and_the_classes(wine: DataSet) -> None:
    (train, test), (again, other) = regularized.two_folds(wine, 1)
    assert sorted([*train[0].index, *test[0].index]) == list(range(len(wine.y)))
    assert train[0].index.equals(other[0].index)
    assert test[0].index.equals(again[0].index)
    counts = [np.unique(y, return_counts=True)[1] for _, y in (train, test)]
    assert np.abs(counts[0] - counts[1]).max() <= 1


@pytest.mark.parametrize("select", [regularized.rrf, regularized.rboost])
def test_selectors_repeat_and_find_more_with_more_trees(wine: DataSet, select: Any) -> None:
    few, more = select(wine.x, wine.y, 1, 5), select(wine.x, wine.y, 1, 100)
    np.testing.assert_array_equal(few, select(wine.x, wine.y, 1, 5))
    assert 2 <= len(few) <= len(more) < 13
    noise = pd.DataFrame(np.random.default_rng(1).standard_normal((178, 40))).add_prefix("noise")
    with_noise = select(pd.concat([wine.x, noise], axis=1), wine.y, 1, 5)
    assert (with_noise < 13).mean() > 0.5


def test_forest_judges(wine: DataSet) -> None:
    train, test = next(regularized.two_folds(wine, 1))
    assert regularized.judge_by_forest(train, test, 1) > 0.9
    shuffled = np.random.default_rng(1).permutation(train[1])
    assert regularized.judge_by_forest((train[0], shuffled), test, 1) < 0.7


def test_tables_from_answers() -> None:
    draw = np.random.default_rng(1)
    answers: dict[str, Any] = {
        f"{name}/{column}/{replicate}": {"size": 3, "rf": draw.uniform(), "c45": 0.5}
        for name in ("sonar", "ionosphere")
        for column in tables.ALL_COLUMNS
        for replicate in range(3)
    }
    answers |= {f"sonar/All by Weka/{replicate}": 0.803 for replicate in range(3)}
    sizes, forests, forest_marks, _, tree_marks, weka, inside = tables.report(Answers(answers))
    assert list(sizes.rows) == ["iono", "sonar"]
    assert sizes.cells[1][0].paper == 18.9
    assert sizes.cells[1][0].mean == 3
    assert forests.cells[0][0].paper == 0.931
    assert [cell.text for cell in tree_marks.cells[-1]] == ["0/0/2"] * 6
    assert forest_marks.cells[-1][0].paper_text == "0/1/1"
    assert weka.cells[1][0].text == ".8030 ± .0000 (.803)"
    assert weka.cells[0] == [None] * 7
    assert [cell and cell.text for cell in inside.cells[0]] == [None] + ["0 of 2"] * 6


def test_figure_3_from_answers() -> None:
    curve = np.linspace(0.5, 0.9, 9).tolist()
    answers = Answers({f"waveform/{split}": dict.fromkeys(p000_fig3.JUDGES, curve) for split in (1, 2)})
    grid, added = p000_fig3.report(answers)
    assert len(grid.rows) == 9
    assert added.cells[0][0].mean == pytest.approx(curve[8] - curve[5])
    assert p000_fig3.draw(answers)[""].axes[2].get_lines()


def test_figure_3_reads_vehicle_without_a_folder() -> None:
    data = p000_fig3.read(None, "vehicle")
    assert data.x.shape == (846, 18)
    assert sorted(set(data.y)) == ["bus", "opel", "saab", "van"]
    with pytest.raises(FileNotFoundError):
        p000_fig3.read(None, "waveform")


def test_depth_first_selects_and_is_compared(wine: DataSet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(p000_table2depth, "read_set", lambda folder, name: wine)
    found = p000_table2depth.one_replicate(Options(), "sonar", 1)
    assert found["breadth first"]["others"] == 0
    assert all(2 <= found[rule]["features"] <= 13 for rule in p000_table2depth.RULES)
    assert all(found[rule]["accuracy"] > 0.85 for rule in p000_table2depth.RULES)
    sizes, others, accuracy, less = p000_table2depth.report(Answers({"sonar/1": found, "sonar/2": found}))
    row = list(sizes.rows).index("sonar")
    assert sizes.cells[row][-1].text == "18.9"
    assert others.cells[row][0].mean == found["depth first"]["others"]
    difference = found["depth first"]["accuracy"] - found["breadth first"]["accuracy"]
    assert less.cells[row][0].mean == pytest.approx(difference)
    assert accuracy.cells[row][0].mean == found["breadth first"]["accuracy"]


def test_figure_4_from_answers() -> None:
    made = {}
    for split in (1, 2):
        made[f"musk/svm/{split}"] = {"errors": [0.5, 0.2, 0.3, 0.4], "seconds": 9.0}
        for ntree in p000_fig4.TREES:
            made[f"musk/rrf{ntree}/{split}"] = {"runs": [[2, 0.25], [4, 0.25]], "seconds": 0.1}
    errors, times = p000_fig4.report(Answers(made))
    assert [cell.mean for cell in errors.cells[0]][:7] == pytest.approx([0.2, 2, 0.4, 3, 0.25, 0.05, -0.05])
    assert [cell.text for cell in times.cells[0]] == ["9", "0.1", "0.1"]
    assert p000_fig4.draw(Answers(made))[""].axes[0].get_lines()
