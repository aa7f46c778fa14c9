"""importance, getTree, treesize, varUsed and margin."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from tests.refusals import refused


@pytest.fixture
def fit(frame: pd.DataFrame, y: np.ndarray) -> pyrrf.RRFClassification:
    fit = pyrrf.RRF(frame, y, ntree=15, importance=True, seed=1)
    assert isinstance(fit, pyrrf.RRFClassification)
    return fit


@pytest.fixture
def plain(frame: pd.DataFrame, y: np.ndarray) -> pyrrf.RRFResult:
    """A fit without permutation."""
    return pyrrf.RRF(frame, y, ntree=15, seed=1)


ALL = ["high", "low", "MeanDecreaseAccuracy", "MeanDecreaseGini"]


@pytest.mark.parametrize(
    ("arguments", "columns"),
    [
        ({}, ALL),
        ({"type": 1}, ["MeanDecreaseAccuracy"]),
        ({"type": 2}, ["MeanDecreaseGini"]),
        ({"type": 1, "class_": "low"}, ["low"]),
        ({"type": 1, "class_": "MeanDecreaseGini"}, ["MeanDecreaseGini"]),
        ({"class_": "low"}, ALL),  # R looks at class only with a type
    ],
)
def test_importance_columns(fit: pyrrf.RRFResult, arguments: dict[str, Any], columns: list[str]) -> None:
    table = pyrrf.importance(fit, **arguments)
    assert table.columns.tolist() == columns
    assert table.index.tolist() == ["number", "colour", "size", "flag", "count"]


def test_class_without_type_is_heard_without_quirks(frame: pd.DataFrame, y: np.ndarray) -> None:
    fit = pyrrf.RRF(frame, y, ntree=15, importance=True, seed=1, quirks=False)
    assert pyrrf.importance(fit, class_="low").columns.tolist() == ["low"]


def test_importance_is_divided_by_its_error_where_there_is_one(fit: pyrrf.RRFClassification) -> None:
    raw = pyrrf.importance(fit, scale=False)
    pd.testing.assert_frame_equal(raw, fit.importance)
    scaled = pyrrf.importance(fit)
    error = fit.importanceSD
    assert (error.to_numpy() == 0).any()
    assert (error.to_numpy() > 0).any()
    pd.testing.assert_frame_equal(scaled[ALL[:3]], raw[ALL[:3]] / error.where(error >= 2.3e-16, 1.0))
    pd.testing.assert_series_equal(scaled["MeanDecreaseGini"], raw["MeanDecreaseGini"])


def test_answer_is_a_copy(fit: pyrrf.RRFResult) -> None:
    before = fit.importance.copy()
    for arguments in ({"scale": False}, {"type": 2}, {}):
        answer = pyrrf.importance(fit, **arguments)
        answer.iloc[:, :] = -1.0
    pd.testing.assert_frame_equal(fit.importance, before)


def test_importance_without_permutation_has_one_measure(plain: pyrrf.RRFResult) -> None:
    assert pyrrf.importance(plain).columns.tolist() == ["MeanDecreaseGini"]


def test_tree_counts_from_one(fit: pyrrf.RRFResult) -> None:
    tree = pyrrf.getTree(fit, 3)
    assert tree.columns.tolist() == [
        "left daughter",
        "right daughter",
        "split var",
        "split point",
        "status",
        "prediction",
    ]
    assert tree.index.tolist() == list(range(1, len(tree) + 1))
    assert tree.loc[1, ["left daughter", "right daughter"]].tolist() == [2, 3]
    assert len(tree) == pyrrf.treesize(fit, terminal=False)[2]


def test_tree_with_labels(fit: pyrrf.RRFResult) -> None:
    plain, labelled = pyrrf.getTree(fit, 1), pyrrf.getTree(fit, 1, labelVar=True)
    names = [None, "number", "colour", "size", "flag", "count"]
    assert labelled["split var"].tolist() == [names[v] for v in plain["split var"]]
    assert labelled["prediction"].tolist() == [[None, "high", "low"][v] for v in plain["prediction"]]


def test_tree_predicts_as_the_forest(frame: pd.DataFrame, fit: pyrrf.RRFResult) -> None:
    tree = pyrrf.getTree(fit, 1, labelVar=True)
    codes = frame.assign(colour=frame["colour"].cat.codes + 1, size=frame["size"].cat.codes + 1)

    def walk(row: Any) -> Any:
        node = 1
        while tree.loc[node, "status"] == 1:
            name, point = tree.loc[node, "split var"], tree.loc[node, "split point"]
            left = int(point) >> (int(row[name]) - 1) & 1 if name == "colour" else row[name] <= point
            node = tree.loc[node, "left daughter" if left else "right daughter"]
        return tree.loc[node, "prediction"]

    individual = pyrrf.predict(fit, frame, predict_all=True).individual
    assert [walk(row) for _, row in codes.iterrows()] == individual[1].tolist()


def test_sizes_of_trees(fit: pyrrf.RRFResult) -> None:
    leaves = [(pyrrf.getTree(fit, k)["status"] == -1).sum() for k in range(1, 16)]
    assert pyrrf.treesize(fit).tolist() == leaves
    assert pyrrf.treesize(fit, terminal=False).tolist() == [2 * size - 1 for size in leaves]


def test_variables_used(fit: pyrrf.RRFResult) -> None:
    by_tree = pyrrf.varUsed(fit, by_tree=True)
    assert by_tree.shape == (5, 15)
    assert by_tree.columns.tolist() == list(range(1, 16))
    total = pyrrf.varUsed(fit)
    assert total.tolist() == by_tree.sum(axis=1).tolist()
    assert total.sum() == (pyrrf.treesize(fit) - 1).sum()
    positions = pyrrf.varUsed(fit, count=False)
    assert positions.tolist() == np.flatnonzero(total).tolist() == fit.feaSet.tolist()
    each = pyrrf.varUsed(fit, by_tree=True, count=False)
    assert [p.tolist() for p in each] == [np.flatnonzero(by_tree[k]).tolist() for k in by_tree]


def test_positions_of_trees_that_use_equally_many_features_are_repeated_as_in_r(x: np.ndarray) -> None:
    # R's apply() makes a matrix of them, of which unique() looks at whole rows.
    fit = pyrrf.randomForest(x[:, :2], x[:, 2], ntree=3, seed=1)
    assert [len(used) for used in pyrrf.varUsed(fit, by_tree=True, count=False)] == [2, 2, 2]
    with pytest.warns(UserWarning, match="all trees use equally many features"):
        assert pyrrf.varUsed(fit, count=False).tolist() == [0, 0, 0, 1, 1, 1]
    mended = pyrrf.RRF(x[:, :2], x[:, 2], ntree=3, quirks=False, seed=1)
    assert pyrrf.varUsed(mended, count=False).tolist() == [0, 1]


def test_margin_of_a_fit(fit: pyrrf.RRFClassification) -> None:
    votes = fit.votes
    own = np.where(fit.y == "high", votes["high"], votes["low"])
    np.testing.assert_allclose(pyrrf.margin(fit), 2 * own - 1, atol=1e-15)
    assert pyrrf.margin(fit).index.tolist() == fit.y.tolist()


def test_margin_of_counts_is_of_shares() -> None:
    votes = pd.DataFrame({"v": [3, 1, 0], "u": [1, 1, 4], "w": [0, 2, 0]})
    observed = pd.Categorical(["v", "w", "v"], ["u", "v", "w"])
    assert pyrrf.margin(votes, observed).tolist() == [0.5, 0.25, -1.0]


def test_margin_of_votes_for_true_and_false(x: np.ndarray) -> None:
    observed = x[:, 0] > 0.5
    fit = pyrrf.RRF(x, observed, ntree=20, seed=1)
    pd.testing.assert_series_equal(pyrrf.margin(fit.votes, observed), pyrrf.margin(fit))
    # As many rows as classes: labels could be taken for a choice of rows.
    two = fit.votes.iloc[[observed.argmin(), observed.argmax()]]
    expected = two[False].iloc[0] - two[True].iloc[0], two[True].iloc[1] - two[False].iloc[1]
    assert tuple(pyrrf.margin(two, [False, True])) == expected


def test_margin_of_counts_without_votes_is_silent(x: np.ndarray, y: np.ndarray) -> None:
    fit = pyrrf.RRF(x, y, ntree=2, norm_votes=False, seed=1)
    assert fit.votes.max(axis=None) > 1
    np.testing.assert_array_equal(pyrrf.margin(fit).isna(), fit.oob_times == 0)


def test_margin_without_votes_is_nan(frame: pd.DataFrame, y: np.ndarray) -> None:
    fit = pyrrf.RRF(frame, y, ntree=1, seed=1)
    np.testing.assert_array_equal(pyrrf.margin(fit).isna(), fit.oob_times == 0)


VOTES = pd.DataFrame({"u": [1.0], "v": [0.0]})
ERRORS: dict[str, tuple[Callable[[Any], Any], str, str]] = {
    "importance of a dict": (lambda f: pyrrf.importance({}), "x", "type"),
    "importance type": (lambda f: pyrrf.importance(f, type=3), "type", "choice"),
    "importance types": (lambda f: pyrrf.importance(f, type=np.ones(2)), "type", "choice"),
    "importance scale": (lambda f: pyrrf.importance(f, scale="x"), "scale", "type"),
    "importance class of type 2": (lambda f: pyrrf.importance(f, type=2, class_="u"), "class_", "conflict"),
    "importance not computed": (lambda f: pyrrf.importance(f, type=1), "x", "fit"),
    "getTree of a dict": (lambda f: pyrrf.getTree({}), "rfobj", "type"),
    "getTree zero": (lambda f: pyrrf.getTree(f, 0), "k", "range"),
    "getTree beyond": (lambda f: pyrrf.getTree(f, 16), "k", "range"),
    "getTree labelVar": (lambda f: pyrrf.getTree(f, 1, "x"), "labelVar", "type"),
    "treesize of a dict": (lambda f: pyrrf.treesize({}), "x", "type"),
    "treesize terminal": (lambda f: pyrrf.treesize(f, "x"), "terminal", "type"),
    "varUsed of a dict": (lambda f: pyrrf.varUsed({}), "x", "type"),
    "varUsed by_tree": (lambda f: pyrrf.varUsed(f, "x"), "by_tree", "type"),
    "varUsed count": (lambda f: pyrrf.varUsed(f, count="x"), "count", "type"),
    "getTree with a fraction": (lambda f: pyrrf.getTree(f, 1.5), "k", "range"),
    "margin of a dict": (lambda f: pyrrf.margin({}), "x", "type"),
    "margin observed twice": (lambda f: pyrrf.margin(f, ["u"]), "observed", "conflict"),
    "margin observed missing": (lambda f: pyrrf.margin(VOTES), "observed", "absent"),
    "margin length": (lambda f: pyrrf.margin(VOTES, ["u", "v"]), "observed", "length"),
    "margin classes": (lambda f: pyrrf.margin(VOTES, pd.Categorical(["u"], ["u", "z"])), "x", "columns"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_companions_refuse(plain: pyrrf.RRFResult, name: str) -> None:
    call, argument, code = ERRORS[name]
    with refused(argument, code):
        call(plain)


def test_importance_of_an_unknown_class(fit: pyrrf.RRFResult) -> None:
    with refused("class_", "unknown"):
        pyrrf.importance(fit, type=1, class_="mid")


@pytest.mark.parametrize("function", [pyrrf.getTree, pyrrf.treesize, pyrrf.varUsed])
def test_a_forest_is_needed(x: np.ndarray, y: np.ndarray, function: Any) -> None:
    fit = pyrrf.RRF(x, y, ntree=2, keep_forest=False)
    with pytest.raises(ValueError, match="has no forest; fit with keep_forest=True"):
        function(fit)


@pytest.mark.parametrize("name", ["class", "cls", "clas"])
def test_a_near_argument_of_importance_is_named(fit: pyrrf.RRFResult, name: str) -> None:
    with pytest.raises(TypeError, match=r"has no argument .* mean 'class_'"):
        pyrrf.importance(fit, type=1, **{name: "low"})
