"""The fit: R's components with their labels, R's printed form, pickling and comparison."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf


@pytest.fixture
def full(frame: pd.DataFrame, y: np.ndarray) -> pyrrf.RRFClassification:
    """A fit with every component, 15 trees."""
    fit = pyrrf.RRF(
        frame,
        y,
        frame[:6],
        y[:6],
        ntree=15,
        localImp=True,
        proximity=True,
        keep_inbag=True,
        keep_forest=True,
        seed=1,
    )
    assert isinstance(fit, pyrrf.RRFClassification)
    return fit


ROWS = [f"r{i}" for i in range(40)]
COLUMNS = ["number", "colour", "size", "flag", "count"]
TREES = list(range(1, 16))
CLASSES = ["high", "low"]
TABLES = {
    "votes": (ROWS, CLASSES),
    "err_rate": (TREES, ["OOB", *CLASSES]),
    "confusion": (CLASSES, [*CLASSES, "class.error"]),
    "importance": (COLUMNS, [*CLASSES, "MeanDecreaseAccuracy", "MeanDecreaseGini"]),
    "importanceSD": (COLUMNS, [*CLASSES, "MeanDecreaseAccuracy"]),
    "localImportance": (COLUMNS, ROWS),
    "proximity": (ROWS, ROWS),
    "inbag": (ROWS, TREES),
}


@pytest.mark.parametrize("name", TABLES)
def test_tables_carry_r_labels(full: pyrrf.RRFClassification, name: str) -> None:
    table = getattr(full, name)
    assert (table.index.tolist(), table.columns.tolist()) == TABLES[name]


TEST_TABLES = {
    "votes": (ROWS[:6], CLASSES),
    "err_rate": (TREES, ["Test", *CLASSES]),
    "confusion": (CLASSES, [*CLASSES, "class.error"]),
    "proximity": (ROWS[:6], ROWS[:6] + ROWS),
}


@pytest.mark.parametrize("name", TEST_TABLES)
def test_test_set_tables_carry_r_labels(full: pyrrf.RRFClassification, name: str) -> None:
    table = getattr(full.test, name)
    assert (table.index.tolist(), table.columns.tolist()) == TEST_TABLES[name]


@pytest.mark.parametrize("name", ["predicted", "oob_times", "y"])
def test_series_carry_row_labels(full: pyrrf.RRFClassification, name: str) -> None:
    assert getattr(full, name).index.tolist() == ROWS


def test_votes_follow_from_the_trees(full: pyrrf.RRFClassification) -> None:
    assert full.inbag is not None
    np.testing.assert_array_equal(full.oob_times, (full.inbag == 0).sum(axis=1))
    np.testing.assert_allclose(full.votes.sum(axis=1), 1.0)
    winner = full.votes.idxmax(axis=1)
    clear = full.votes.max(axis=1) > 0.5
    assert (full.predicted[clear].astype(str) == winner[clear]).all()


def test_confusion_counts_predictions(full: pyrrf.RRFClassification) -> None:
    counts = pd.crosstab(full.y, full.predicted, dropna=False)
    np.testing.assert_array_equal(full.confusion[CLASSES], counts)
    wrong = 1 - np.diag(counts) / counts.sum(axis=1)
    np.testing.assert_array_equal(full.confusion["class.error"], wrong)
    assert full.err_rate["OOB"].iloc[-1] == (full.y != full.predicted.astype(full.y.dtype)).mean()


def test_components_that_were_not_asked_for_are_none(x: np.ndarray, y: np.ndarray) -> None:
    fit = pyrrf.RRF(x, y, ntree=3, keep_forest=False, seed=1)
    absent = ["importanceSD", "localImportance", "proximity", "inbag", "forest", "test", "ordinary"]
    assert [getattr(fit, name) for name in absent] == [None] * len(absent)
    assert fit.importance.columns.tolist() == ["MeanDecreaseGini"]


def test_test_set_without_classes_has_no_errors(x: np.ndarray, y: np.ndarray) -> None:
    test = pyrrf.RRF(x, y, x[:4], ntree=3, seed=1).test
    assert (test.err_rate, test.confusion, test.proximity) == (None, None, None)
    assert len(test.predicted) == 4


def test_row_that_was_never_out_of_bag_is_missing(x: np.ndarray, y: np.ndarray) -> None:
    fit = pyrrf.RRF(x, y, ntree=1, seed=1)
    never = fit.oob_times == 0
    assert never.any()
    np.testing.assert_array_equal(fit.predicted.isna(), never)
    np.testing.assert_array_equal(fit.votes.isna().all(axis=1), never)
    assert fit.confusion[["high", "low"]].to_numpy().sum() == (~never).sum()


def test_votes_are_counts_on_request(x: np.ndarray, y: np.ndarray) -> None:
    fit = pyrrf.RRF(x, y, x[:4], ntree=7, norm_votes=False, seed=1)
    np.testing.assert_array_equal(fit.votes.sum(axis=1), fit.oob_times)
    np.testing.assert_array_equal(fit.test.votes.sum(axis=1), 7)


def test_selected_features_have_positions_and_labels(full: pyrrf.RRFClassification) -> None:
    assert full.feature_names == [COLUMNS[j] for j in full.feaSet]
    used = np.flatnonzero(full.importance["MeanDecreaseGini"] > 0)
    assert set(used) <= set(full.feaSet)


def test_array_columns_are_labelled_from_zero(x: np.ndarray, y: np.ndarray) -> None:
    fit = pyrrf.RRF(x, y, ntree=3, seed=1)
    assert fit.importance.index.tolist() == [0, 1, 2, 3, 4]
    assert fit.feature_names == fit.feaSet.tolist()


def test_boolean_classes_stay_booleans(x: np.ndarray) -> None:
    fit = pyrrf.RRF(x, x[:, 0] > 0.5, ntree=3, seed=1)
    assert fit.classes == [False, True]
    assert fit.votes.columns.tolist() == [False, True]
    assert all(isinstance(c, bool) for c in fit.votes.columns)


def test_class_named_like_a_column_keeps_its_column(x: np.ndarray) -> None:
    fit = pyrrf.RRF(x, np.where(x[:, 0] > 0.5, "OOB", "class.error"), ntree=3, seed=1, collate="C")
    assert fit.err_rate.columns.tolist() == ["OOB", "OOB", "class.error"]
    assert fit.confusion.shape == (2, 3)
    assert "OOB estimate" in repr(fit)


def test_ordered_response_is_kept_and_predictions_are_not_ordered(x: np.ndarray, y: np.ndarray) -> None:
    fit = pyrrf.RRF(x, pd.Categorical(y, ["low", "high"], ordered=True), ntree=3, seed=1)
    assert fit.classes == ["low", "high"]
    assert (fit.y.cat.ordered, fit.predicted.cat.ordered) == (True, False)


# ---- pickling, copies, comparison ----------------------------------------------------------------


@pytest.mark.parametrize("copier", [lambda f: pickle.loads(pickle.dumps(f)), copy.copy, copy.deepcopy])
def test_copies_are_equal_and_work(full: pyrrf.RRFClassification, frame: pd.DataFrame, copier: Any) -> None:
    other = copier(full)
    assert other == full
    assert repr(other) == repr(full)
    pd.testing.assert_series_equal(pyrrf.predict(other, frame), pyrrf.predict(full, frame))


def test_pickle_holds_no_table_that_was_built(full: pyrrf.RRFClassification) -> None:
    before = len(pickle.dumps(full))
    assert [getattr(full, name) is not None for name in TABLES] == [True] * len(TABLES)
    assert full.forest.treemap.size
    assert len(pickle.dumps(full)) == before


def test_guided_fit_pickles_with_its_guide(x: np.ndarray, y: np.ndarray) -> None:
    fit = pyrrf.GRRF(x, y, ntree=3, seed=1)
    assert pickle.loads(pickle.dumps(fit)).ordinary == fit.ordinary


def test_fits_of_the_same_seed_are_equal_whatever_their_call(x: np.ndarray, y: np.ndarray) -> None:
    one, two = pyrrf.RRF(x, y, ntree=5, seed=3), pyrrf.RRF(x, list(y), ntree=5, mtry=2, seed=3)
    assert one.call != two.call
    assert one == two


@pytest.mark.parametrize(
    "change", [{"ntree": 6}, {"seed": 4}, {"coefReg": 0.7}, {"quirks": False}, {"norm_votes": False}]
)
def test_other_fits_differ(x: np.ndarray, y: np.ndarray, change: dict[str, Any]) -> None:
    base: dict[str, Any] = {"ntree": 5, "seed": 3}
    assert pyrrf.RRF(x, y, **base) != pyrrf.RRF(x, y, **(base | change))


def test_fit_of_renamed_columns_differs(x: np.ndarray, y: np.ndarray) -> None:
    one, two = (pd.DataFrame(x, columns=list(names)) for names in ("abcde", "vwxyz"))
    assert pyrrf.RRF(one, y, ntree=3, seed=1) != pyrrf.RRF(two, y, ntree=3, seed=1)


def test_fit_does_not_equal_something_else(x: np.ndarray, y: np.ndarray) -> None:
    assert pyrrf.RRF(x, y, ntree=3, seed=1) != "fit"


# ---- printing ------------------------------------------------------------------------------------

# Printed by R 4.2.2 and RRF 1.9.4.1 with X <- matrix(runif(40*5), 40) after set.seed(1), but for the
# third line of each, which quotes the call.
PRINTED_BOOLEANS = """
Call:
 RRF(x, y, ntree=20)\x20
               Type of random forest: classification
                     Number of trees: 20
No. of variables tried at each split: 2

        OOB estimate of  error rate: 0%
Confusion matrix:
      FALSE TRUE class.error
FALSE    21    0           0
TRUE      0   18           0"""

PRINTED_TEST_SET = """
Call:
 RRF(x, y, xtest=xtest, ytest=ytest, ntree=6, do_trace=2, seed=5)\x20
               Type of random forest: classification
                     Number of trees: 6
No. of variables tried at each split: 2

        OOB estimate of  error rate: 14.29%
Confusion matrix:
   a b c class.error
a 30 2 3   0.1428571
b  0 0 0         NaN
c  0 0 0         NaN
                Test set error rate: 0%
Confusion matrix:
  a b c class.error
a 4 0 0           0
b 0 0 0         NaN
c 0 0 0         NaN"""

TRACED = """ntree      OOB      1      2      3|    Test      1      2      3
    2:   9.09%  9.09%  -nan%  -nan%|   0.00%  0.00%  -nan%  -nan%
    4:  10.00% 10.00%  -nan%  -nan%|   0.00%  0.00%  -nan%  -nan%
    6:  14.29% 14.29%  -nan%  -nan%|   0.00%  0.00%  -nan%  -nan%
"""


def test_prints_like_r(x: np.ndarray) -> None:
    assert repr(pyrrf.RRF(x, x[:, 0] > 0.5, ntree=20)) == PRINTED_BOOLEANS


def test_prints_test_set_and_trace_like_r(x: np.ndarray, capsys: pytest.CaptureFixture[str]) -> None:
    rare = ["b", "c", *["a"] * 38]
    fit = pyrrf.RRF(x, rare, x[2:6], rare[2:6], ntree=6, do_trace=2, seed=5)
    assert capsys.readouterr().out == TRACED
    assert repr(fit) == PRINTED_TEST_SET


def test_nothing_is_printed_without_trace(x: np.ndarray, y: np.ndarray, capfd: pytest.CaptureFixture[str]) -> None:
    pyrrf.RRF(x, y, ntree=3, seed=1)
    assert capfd.readouterr() == ("", "")


def test_trace_beyond_the_last_tree_prints_nothing(
    x: np.ndarray, y: np.ndarray, capsys: pytest.CaptureFixture[str]
) -> None:
    pyrrf.RRF(x, y, ntree=3, do_trace=4, seed=1)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({}, "RRF(x, y, ntree=3)"),
        ({"coefReg": 0.9, "flagReg": 0}, "RRF(x, y, ntree=3, coefReg=0.9, flagReg=0)"),
        ({"coefReg": np.full(5, 0.5)}, "RRF(x, y, ntree=3, coefReg=coefReg)"),
        ({"mtry": np.int64(3), "importance": True}, "RRF(x, y, ntree=3, mtry=3, importance=True)"),
        ({"classwt": {"low": 1, "high": 2}}, "RRF(x, y, ntree=3, classwt={'high': 2, 'low': 1})"),
    ],
)
def test_call_in_python_form(x: np.ndarray, y: np.ndarray, arguments: dict[str, Any], text: str) -> None:
    assert pyrrf.RRF(x, y, ntree=3, **arguments).call == text


# ---- the forest ----------------------------------------------------------------------------------


def test_forest_is_shaped_as_in_r(full: pyrrf.RRFClassification) -> None:
    forest = full.forest
    nodes, trees = forest.nrnodes, 15
    assert (forest.ntree, forest.nclass, forest.maxcat) == (15, 2, 3)
    for name in ("nodestatus", "bestvar", "nodepred", "xbestsplit"):
        assert getattr(forest, name).shape == (nodes, trees)
    assert forest.treemap.shape == (nodes, 2, trees)
    assert forest.ncat.tolist() == [1, 3, 1, 1, 1]
    assert forest.xlevels == [0, ("blue", "green", "red"), ("S", "M", "L"), 0, 0]
    np.testing.assert_allclose(forest.pid, [1.0, 1.0])
    assert forest.cutoff.tolist() == [0.5, 0.5]


def test_forest_pads_each_tree_with_zeros(full: pyrrf.RRFClassification) -> None:
    forest = full.forest
    for k, size in enumerate(forest.ndbigtree):
        packed = forest.tree(k + 1)
        np.testing.assert_array_equal(forest.nodestatus[:size, k], packed.status)
        np.testing.assert_array_equal(forest.treemap[:size, 0, k], packed.left)
        assert not forest.nodestatus[size:, k].any()
        assert not forest.xbestsplit[size:, k].any()


def test_trees_are_consistent(full: pyrrf.RRFClassification) -> None:
    forest = full.forest
    split, leaf = forest.nodestatus == 1, forest.nodestatus == -1
    assert ((forest.nodepred > 0) == leaf).all()
    assert ((forest.bestvar > 0) == split).all()
    assert ((forest.treemap[:, 0, :] > 0) == split).all()
    assert (leaf.sum(axis=0) == split.sum(axis=0) + 1).all()


def test_forest_repr(full: pyrrf.RRFClassification) -> None:
    nodes = int(full.forest.ndbigtree.sum())
    assert repr(full.forest) == f"<Forest of 15 trees, {nodes} nodes>"
