"""Table 1 of paper 002: selection inside and outside the folds, the tree as a filter, trees of many features."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pandas as pd
import pytest

from benchmarks.jobs.job import Answers, Options
from benchmarks.jobs.sets import DataSet
from benchmarks.papers import p002_table1, p002_table1folds
from benchmarks.papers.p002_table1folds import TABLE, as_filter, by_folds


@pytest.fixture
def noise(monkeypatch: pytest.MonkeyPatch) -> DataSet:
    """Forty rows of four columns, the first of which is the class."""
    x = pd.DataFrame(np.random.default_rng(2).normal(size=(40, 4)), columns=["V0", "V1", "V2", "V3"])
    x["V0"] = np.arange(40) % 2
    data = DataSet("ionosphere", x, np.where(x["V0"] > 0, "good", "bad"))
    monkeypatch.setattr(p002_table1folds, "read_set", lambda folder, name: data)
    return data


class Chooser:
    """Takes the first column of all rows, and the second one of a part; notes what it is given."""

    given: ClassVar[list[np.ndarray]] = []

    def __init__(self, *arguments: Any) -> None:
        self.n_features_, self.n_evaluations_ = 1, 7

    def fit(self, x: np.ndarray, y: np.ndarray) -> Chooser:
        """Choose."""
        self.given.append(x)
        self.selected_ = np.array([0 if len(x) == 40 else 1])
        return self


def test_features_are_chosen_without_the_rows_that_judge(noise: DataSet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Chooser, "given", [])
    monkeypatch.setattr(p002_table1folds, "selector", Chooser)
    found = by_folds(Options(), "ionosphere", 1)
    assert [len(x) for x in Chooser.given] == [40] + [36] * 10
    # Each row is missing from one of the ten parts.
    rows = np.concatenate([x[:, 1] for x in Chooser.given[1:]])
    assert np.array_equal(np.unique(rows, return_counts=True)[1], np.full(40, 9))
    assert found["outside"] == {"error": 0.0, "features": 1}
    assert found["inside"]["error"] > 20
    assert (found["inside"]["features"], found["inside"]["tried"]) == (1, 7)


def test_the_filter_keeps_the_labels_children(noise: DataSet) -> None:
    found = as_filter(Options(), "ionosphere", 2)
    assert set(found["names"]) <= set(noise.x.columns)
    assert len(found["errors"]) == len(found["all"]) == 2


def test_report() -> None:
    one: dict[str, Any] = {"inside": {"error": 12.0, "features": 5.5, "tried": 40.0}, "all": 11.0}
    answers: dict[str, Any] = {
        f"folds/wdbc/{replicate}": one | {"outside": {"error": 9.0 + replicate, "features": 6}} for replicate in (1, 2)
    }
    answers["filter/wdbc"] = {"names": ["radius"], "errors": [20.0, 22.0], "all": [11.0, 11.0]}
    # The label, node 3, has one child, and that has two.
    answers["tree/musk/20"] = {"parents": [3, 0, 0, -1], "names": ["a", "b", "c"]}
    folds, filtered, many = p002_table1folds.report(Answers(answers))
    row = list(p002_table1.PAPER).index("wdbc")
    assert [cell.mean for cell in folds.cells[row][:5]] == pytest.approx([11, 10.5, 12, 1.5, 1])
    assert folds.cells[row][-1].text == "9.37"
    assert filtered.cells[list(p002_table1.PAPER).index("wdbc")][0].text == "radius"
    assert [cell.text for cell in many.cells[1]] == ["3", "1.50", "0.50", "1.00", "2.00"]


def test_nothing_known_is_no_error() -> None:
    assert all(grid.markdown() for grid in TABLE.report(Answers({})))
    keys = [job.key for job in TABLE.jobs(Options())]
    assert len(set(keys)) == len(keys)
