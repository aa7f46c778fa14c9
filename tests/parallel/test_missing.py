"""Missing values with engine parallel: in numbers, in factors, in new data."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from tests.parallel.problems import KINDS, data, fit, leaf, same
from tests.refusals import refused


def holed(kind: str, share: float = 0.2, seed: int = 0) -> tuple[np.ndarray, Any]:
    x, y = data(kind, seed=seed)
    x[np.random.default_rng(seed + 100).random(x.shape) < share] = np.nan
    return x, y


@pytest.mark.parametrize("kind", KINDS)
def test_holes_are_taken_and_the_signal_is_found(kind: str) -> None:
    x, y = holed(kind)
    result = fit(x, y, ntree=100)
    assert set(np.argsort(result.outcome.importance[:, -1])[-2:]) == {0, 1}
    new, truth = holed(kind, seed=7)
    predicted = pyrrf.predict(result, new)
    if kind == "numbers":
        assert np.corrcoef(predicted, truth)[0, 1] > 0.6
    else:
        assert np.mean(predicted.to_numpy() == truth) > 0.75


def assert_rows_reach_their_leaves(result: Any, new: np.ndarray) -> None:
    nodes = pyrrf.predict(result, new, nodes=True).nodes
    for k in range(1, result.ntree + 1):
        tree = pyrrf.getTree(result, k)
        assert tree["missing left"].isin([0, 1]).all()
        assert nodes[k].tolist() == [leaf(tree, row, result.forest.ncat) for row in new]


@pytest.mark.parametrize("kind", KINDS)
def test_rows_go_where_the_trees_say(kind: str) -> None:
    x, y = holed(kind)
    result = fit(x, y, ntree=5)
    new, _ = holed(kind, seed=7)
    assert_rows_reach_their_leaves(result, new)


@pytest.mark.parametrize("kind", KINDS)
def test_missing_against_not_missing_is_a_split(kind: str) -> None:
    """That a value is missing tells the response; the values that are there do not."""
    generator = np.random.default_rng(3)
    gone = generator.random(200) < 0.5
    x = np.column_stack([np.where(gone, np.nan, generator.random(200)), generator.random(200)])
    y = np.where(gone, "gone", "there") if kind == "classes" else gone + 0.01 * generator.random(200)
    result = fit(x, y, max_depth=1, mtry=2, flagReg=0)
    predicted = pyrrf.predict(result, [[np.nan, 0.5], [0.1, 0.5], [0.9, 0.5]])
    if kind == "classes":
        assert predicted.tolist() == ["gone", "there", "there"]
    else:
        np.testing.assert_allclose(predicted, [1, 0, 0], atol=0.05)


def test_a_column_that_is_all_missing_says_nothing() -> None:
    x, y = data("classes")
    x[:, 4] = np.nan
    assert fit(x, y, flagReg=0).outcome.importance[4, -1] == 0
    x[:] = np.nan
    with refused("x", "constant"):
        fit(x, y)


@pytest.mark.parametrize("kind", KINDS)
def test_a_single_value_beside_missing_ones_can_be_split(kind: str) -> None:
    _, y = data(kind)
    x = np.full((len(y), 1), 3.0)
    x[np.asarray(y) == "high" if kind == "classes" else y > 0] = np.nan
    if kind == "classes":
        assert fit(x, y).confusion.to_numpy()[:, :2].tolist() == [[40, 0], [0, 80]]
    else:
        assert fit(x, y).rsq.iloc[-1] > 0.5


# ---- kinds of missing values and of columns --------------------------------------------------------


def columns(n: int = 120) -> pd.DataFrame:
    generator = np.random.default_rng(5)
    return pd.DataFrame(
        {
            "number": generator.standard_normal(n),
            "factor": pd.Categorical.from_codes(generator.integers(0, 4, n), list("abcd")),
            "ordered": pd.Categorical.from_codes(generator.integers(0, 3, n), ["S", "M", "L"], ordered=True),
            "whole": generator.integers(0, 9, n),
            "flag": generator.random(n) < 0.5,
        }
    )


HOLES = {
    "numpy nan": ("number", lambda c: c.mask(c.index % 5 == 0)),
    "object None": ("number", lambda c: c.astype(object).where(c.index % 5 != 0, None)),
    "object pd.NA": ("number", lambda c: c.astype(object).where(c.index % 5 != 0, pd.NA)),
    "nullable integer": ("whole", lambda c: c.astype("Int64").mask(c.index % 5 == 0)),
    "nullable boolean": ("flag", lambda c: c.astype("boolean").mask(c.index % 5 == 0)),
    "boolean None": ("flag", lambda c: c.astype(object).where(c.index % 5 != 0, None)),
    "ordered": ("ordered", lambda c: c.mask(c.index % 5 == 0)),
    "factor": ("factor", lambda c: c.mask(c.index % 5 == 0)),
}


@pytest.mark.parametrize("name", HOLES)
@pytest.mark.parametrize("kind", KINDS)
def test_kinds_of_missing_values(kind: str, name: str) -> None:
    column, change = HOLES[name]
    x = columns()
    codes = x["factor"].cat.codes + x["number"] + (x.index % 5 == 0) * 3
    y = codes if kind == "numbers" else np.where(codes > codes.median(), "high", "low")
    x[column] = change(x[column])
    assert x[column].isna().sum() == 24
    result = fit(x, y, ntree=50)
    assert column in result.feature_names
    answers = pyrrf.predict(result, x)
    # One row at a time is the same: whether a column has missing values does not depend on the others.
    for row in (0, 1, 5):
        assert pyrrf.predict(result, x.iloc[[row]]).tolist() == [answers[row]]


def test_masked_cells_are_missing_values() -> None:
    x, y = data("classes")
    hidden = np.random.default_rng(1).random(x.shape) < 0.2
    masked = np.ma.array(x, mask=hidden)
    result = fit(masked, y)
    assert same(result, fit(np.where(hidden, np.nan, x), y))
    assert pyrrf.predict(result, masked).equals(pyrrf.predict(result, np.where(hidden, np.nan, x)))
    with refused("x", "missing"):
        pyrrf.RRF(masked, y)
    lists = [[None if h else v for v, h in zip(row, gone, strict=True)] for row, gone in zip(x, hidden, strict=True)]
    assert same(result, fit(lists, y))


def test_a_missing_level_is_a_level() -> None:
    """Missing values of a factor behave as a level of their own does."""
    x = columns()
    gone = x.index % 5 == 0
    y = np.where(gone ^ (x["number"] > 0), "high", "low")
    named = x.assign(factor=x["factor"].cat.add_categories("none").mask(gone, "none"))
    empty = x.assign(factor=x["factor"].mask(gone))
    assert same(fit(empty, y), fit(named, y))
    assert fit(empty, y).forest.xlevels[1] == tuple("abcd")
    assert fit(empty, y).forest.ncat.tolist() == [1, 5, 1, 1, 1]


def test_missing_values_of_32_levels_make_a_wide_factor() -> None:
    generator = np.random.default_rng(6)
    names = [f"v{i}" for i in range(32)]
    codes = generator.permutation(np.resize(np.arange(32), 400))
    x = pd.DataFrame({"f": pd.Categorical.from_codes(codes, names)})
    y = codes + generator.random(400)
    assert fit(x, y).forest.ncat.tolist() == [32]
    x.loc[:30, "f"] = None
    result = fit(x, y)
    assert result.forest.ncat.tolist() == [33]
    assert np.corrcoef(pyrrf.predict(result, x.iloc[31:]), y[31:])[0, 1] > 0.9
    assert len(set(pyrrf.predict(result, x.iloc[:31]))) == 1


# ---- new data with missing values where training had none -----------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_new_holes_go_one_way(kind: str) -> None:
    x, y = data(kind)
    result = fit(x, y, ntree=5)
    new, _ = holed(kind, seed=7)
    assert_rows_reach_their_leaves(result, new)


@pytest.mark.parametrize("levels", [4, 31, 32, 60])
def test_new_holes_in_a_factor_go_one_way(levels: int) -> None:
    generator = np.random.default_rng(8)
    names = [f"v{i}" for i in range(levels)]
    codes = generator.permutation(np.resize(np.arange(levels), 600))
    x = pd.DataFrame({"f": pd.Categorical.from_codes(codes, names), "u": generator.random(600)})
    result = fit(x, codes % 7 + generator.random(600), ntree=5)
    new = pd.DataFrame({"f": pd.Categorical([None, None], names), "u": [0.1, 0.9]})
    found = pyrrf.predict(result, new, nodes=True)
    as_array = np.array([[np.nan, 0.1], [np.nan, 0.9]])
    for k in range(1, 6):
        tree = pyrrf.getTree(result, k)
        assert found.nodes[k].tolist() == [leaf(tree, row, result.forest.ncat) for row in as_array]
    as_none = new.assign(f=[None, None])
    np.testing.assert_array_equal(pyrrf.predict(result, as_none), found.predicted)
    np.testing.assert_array_equal(pyrrf.predict(result, as_array), found.predicted)


@pytest.mark.parametrize("column", ["number", "factor"])
def test_a_value_never_missed_goes_with_the_larger_daughter(column: str) -> None:
    x = columns()
    y = x["number"] + x["factor"].cat.codes
    result = fit(x[[column]], y, max_depth=1, ntree=5, replace=False, sampsize=120)
    new = x[[column]].iloc[:1].mask([[True]])
    nodes = pyrrf.predict(result, x[[column]], nodes=True).nodes
    for k, found in pyrrf.predict(result, new, nodes=True).nodes.iloc[0].items():
        assert found == nodes[k].value_counts().idxmax()


def test_test_set_with_holes() -> None:
    x, y = data("classes")
    new, truth = holed("classes", seed=7)
    result = fit(x, y, xtest=new, ytest=truth, keep_forest=True)
    assert result.test.predicted.tolist() == pyrrf.predict(result, new).tolist()


# ---- formulas, companions, engine r ----------------------------------------------------------------


def test_formula() -> None:
    x, y = holed("numbers")
    table = pd.DataFrame(x, columns=list("abcdefgh")).assign(y=y)
    with refused("data", "missing"):
        fit("y ~ .", table)
    result = fit("y ~ .", table, na_action="na_pass")
    assert pyrrf.predict(result, table).notna().all()
    np.testing.assert_array_equal(pyrrf.predict(result, table), pyrrf.predict(fit(x, y), x))


def test_companions() -> None:
    x, y = holed("classes")
    result = fit(x, y, importance=True, proximity=True)
    assert pyrrf.grow(result, 5).forest.ntree == 30
    assert len(pyrrf.grow(fit(x, y, keep_forest=False), 5).oob_times) == len(x)
    assert np.isfinite(pyrrf.importance(result).to_numpy()).all()


def test_engine_r_refuses_and_says_what_to_do() -> None:
    x, y = holed("classes")
    with refused("x", "missing"):
        pyrrf.RRF(x, y)


@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinite_values_are_refused(value: float) -> None:
    x, y = holed("classes")
    x[3, 2] = value
    with refused("x", "infinite"):
        fit(x, y)
    result = fit(np.nan_to_num(x, posinf=0, neginf=0), y)
    with refused("newdata", "infinite"):
        pyrrf.predict(result, x)


def test_missing_responses_are_refused() -> None:
    x, y = holed("numbers")
    y[2] = np.nan
    with refused("y", "missing"):
        fit(x, y)
