"""What no estimator can learn from: one reader of y, and one word on columns that are constant."""

from __future__ import annotations

import datetime
import decimal
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_regressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from pyrrf.papers import (
    ChowLiuSelector,
    ComplexityForestClassifier,
    ForwardSelector,
    LESSClassifier,
    LESSRegressor,
    MaxDependencyClassifier,
    MaxDependencySelector,
    MIFSSelector,
    RBoostClassifier,
    RBoostSelector,
)
from pyrrf.sklearn import (
    BorutaSelector,
    EliminationSelector,
    GRRFSelector,
    GRRFSelectorCV,
    RRFClassifier,
    RRFRegressor,
    StabilitySelector,
)
from tests.refusals import refused

N = 40
HALF = np.arange(N) % 2
X = np.random.default_rng(1).standard_normal((N, 5)) + HALF[:, None]
GUIDED: dict[str, Any] = {"n_estimators": 5, "guide": 5, "random_state": 1}
TREE = DecisionTreeClassifier(max_depth=2, random_state=1)
SELECTORS = [
    BorutaSelector(n_estimators=5, max_iter=8, random_state=1),
    EliminationSelector(2, n_estimators=2, cv=2, random_state=1),
    EliminationSelector(n_estimators=2, cv=2, random_state=1),
    EliminationSelector(2, task="classification", n_estimators=2, cv=2, random_state=1),
    GRRFSelector(**GUIDED),
    GRRFSelector(**GUIDED, forest=RRFClassifier(criterion="gini")),
    GRRFSelectorCV(**GUIDED, gammas=2, cv=2, nested=False),
    StabilitySelector(GRRFSelector(**GUIDED), n_pairs=1, pfer=5, random_state=1),
    StabilitySelector(EliminationSelector(2, n_estimators=2, cv=2), n_pairs=1, pfer=5, random_state=1),
    ChowLiuSelector(),
    ChowLiuSelector(TREE, cv=2),
    ForwardSelector(TREE, cv=2),
    ForwardSelector(DecisionTreeRegressor(max_depth=2, random_state=1), scoring=None, cv=2),
    MIFSSelector(random_state=1),
    MaxDependencySelector(2),
    RBoostSelector(3, random_state=1),
    ComplexityForestClassifier(3, random_state=1),
]
ESTIMATORS = [
    *SELECTORS,
    RRFClassifier(5, random_state=1),
    RRFRegressor(5, random_state=1),
    RBoostClassifier(3, random_state=1),
    LESSClassifier(1, 3, random_state=1),
    LESSRegressor(1, 3, random_state=1),
    MaxDependencyClassifier(2),
]


def for_numbers(estimator: Any) -> bool:
    return is_regressor(getattr(estimator, "estimator", None) or estimator)


def objects(one: Any, other: Any) -> np.ndarray:
    found = np.empty(N, dtype=object)
    found[:] = [other if half else one for half in HALF]
    return found


DAYS = pd.to_datetime(np.where(HALF, "2020-01-01", "2021-06-01"))
UNREADABLE: dict[str, tuple[Any, type[Exception], str, str]] = {
    "dates": (pd.Series(DAYS), TypeError, "^y holds datetime64 values; pass categories, strings"),
    "dates of NumPy": (DAYS.to_numpy(), TypeError, "^y holds datetime64 values"),
    "dates of Python": (objects(datetime.date(2020, 1, 1), datetime.date(2021, 1, 1)), TypeError, "y holds date "),
    "dates in a frame": (pd.DataFrame({"y": DAYS}), TypeError, "^y holds datetime64 values"),
    "days": (pd.Series(pd.to_timedelta(HALF, unit="D")), TypeError, "^y holds timedelta64 values"),
    "days of NumPy": (HALF.astype("m8[D]"), TypeError, "^y holds timedelta64 values"),
    "periods": (pd.Series(DAYS.to_period("M")), TypeError, "^y holds period values"),
    "categories of dates": (pd.Categorical(DAYS), TypeError, r"y holds categories of datetime64 .*; pass y\.asty"),
    "intervals": (pd.cut(pd.Series(HALF), 2), TypeError, r"y holds categories of interval .*; pass y\.astype\(str\)"),
    "bytes": (np.where(HALF, b"a", b"b"), TypeError, "^y holds bytes values"),
    "bytes as objects": (objects(b"a", b"b"), TypeError, "^y holds bytes values"),
    "words and numbers": (objects("a", 1), TypeError, "^y holds mixed-integer values"),
    "words and fractions": (objects("a", 1.5), TypeError, "^y holds mixed values"),
    "words and flags": (objects("a", True), TypeError, "^y holds mixed values"),
    "numbers and flags": (objects(2, True), TypeError, "^y holds mixed-integer values"),
    "tuples": (objects((1, 2), (2, 3)), TypeError, "^y holds mixed values"),
    "lists": (objects([1], [1, 2]), TypeError, "^y holds mixed values"),
    "sets": (objects(frozenset(), frozenset([1])), TypeError, "^y holds mixed values"),
    "records": (np.zeros(N, dtype=[("a", int), ("b", int)]), TypeError, "^y holds structured values"),
    "complex": (HALF + 1j, ValueError, "Complex data not supported"),
    "complex objects": (objects(1 + 1j, 1j), TypeError, "^y holds complex values"),
    "two columns": (np.column_stack([HALF, HALF]), ValueError, r"y should be a 1d array, got an array of shape"),
    "a number": (1, ValueError, r"y should be a 1d array, got an array of shape \(\)"),
    "a word": ("a", ValueError, r"y should be a 1d array, got an array of shape \(\)"),
    "a dict": ({0: 1}, ValueError, r"y should be a 1d array, got an array of shape \(\)"),
    "nothing": (None, ValueError, "requires y to be passed, but the target y is None"),
    "too few": (HALF[:-1], ValueError, r"inconsistent numbers of samples: \[40, 39\]"),
    "none at all": ([], ValueError, r"inconsistent numbers of samples: \[40, 0\]"),
    "NaN": (np.where(HALF, np.nan, 1.0), ValueError, "^Input y contains NaN"),
    "infinite": (np.where(HALF, np.inf, 1.5), ValueError, "^Input y contains infinity"),
    "NA": (pd.Series([1, pd.NA] * (N // 2), dtype="Int64"), ValueError, "^Input y contains NaN or other missing"),
    "None": (objects("a", None), ValueError, "^Input y contains NaN or other missing"),
    "NaT": (pd.Series([DAYS[0], pd.NaT] * (N // 2)), ValueError, "^Input y contains NaN or other missing"),
    "masked": (np.ma.masked_equal(HALF, 1), ValueError, "^Input y contains NaN or other missing values, 20 in all"),
    "half letters": (np.where(HALF, "a", "\ud800"), ValueError, r"^y holds text with '\\ud800', a lone surrogate"),
    "half letters as objects": (objects("a", "\udfff"), ValueError, "^y holds text with .*; replace it"),
    "categories of half letters": (
        pd.Categorical(pd.Series(objects("a", "\udfff"), dtype=object)), ValueError, "^y holds text with",
    ),
    "beyond float64": (objects(0, 10**400), ValueError, "^y holds a whole number that is too large for float64"),
}  # fmt: skip


def pairs(estimators: list[Any], names: dict[str, Any]) -> list[tuple[Any, str]]:
    """Each estimator with a third of the names, each name with a third of the estimators: they share one reader."""
    return [(e, name) for i, e in enumerate(estimators) for j, name in enumerate(names) if (i + j) % 3 == 0]


@pytest.mark.parametrize(("estimator", "name"), pairs(ESTIMATORS, UNREADABLE), ids=str)
def test_what_is_no_response_is_refused_alike(estimator: Any, name: str) -> None:
    y, kind, words = UNREADABLE[name]
    with pytest.raises(kind, match=words):
        clone(estimator).fit(X, y)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)
def test_one_class_and_one_number_teach_nothing(estimator: Any) -> None:
    if isinstance(estimator, RRFRegressor | LESSRegressor):  # as other regressors: the mean
        assert (clone(estimator).fit(X, np.ones(N)).predict(X) == 1).all()
        return
    words = (
        "y is constant \\(1.0 in all rows\\); pass a target that varies"
        if for_numbers(estimator)
        else "y has only one class, 1.0; pass rows"
    )
    with pytest.raises(ValueError, match=words):
        clone(estimator).fit(X, np.ones(N))


@pytest.mark.parametrize("selector", [GRRFSelector(**GUIDED), EliminationSelector(2, n_estimators=5)], ids=str)
def test_numbers_that_do_not_vary(selector: Any) -> None:
    with refused("y", "constant"):
        clone(selector).fit(X, np.full(N, 2.5))


SOUND: dict[str, Any] = {
    "decimals": objects(decimal.Decimal(1), decimal.Decimal(2)),
    "words": np.where(HALF, "a", "b"),
    "words as objects": objects("a", "b"),
    "words of pandas": pd.Series(np.where(HALF, "a", "b"), dtype="string"),
    "flags": HALF > 0,
    "flags as objects": objects(True, False),
    "nullable flags": pd.Series(HALF > 0, dtype="boolean"),
    "numbers": HALF,
    "numbers as objects": HALF.astype(object),
    "small numbers": HALF.astype(np.int8),
    "nullable numbers": pd.Series(HALF, dtype="Int64"),
    "a list": HALF.tolist(),
    "categories": pd.Categorical(np.where(HALF, "a", "b")),
    "categories of numbers": pd.Categorical(HALF + 3),
    "ordered categories": pd.Categorical(np.where(HALF, "a", "b"), ["b", "a"], ordered=True),
    "the other byte order": HALF.astype(">i4"),
    "a frame": pd.DataFrame({"y": HALF}),
}


@pytest.mark.parametrize(("estimator", "name"), pairs(ESTIMATORS, SOUND), ids=str)
def test_what_is_a_response_is_read(estimator: Any, name: str) -> None:
    if for_numbers(estimator) and ("words" in name or "ordered" in name or name == "categories"):
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a column vector, and few rows
        clone(estimator).fit(X, SOUND[name])


# ---- columns -------------------------------------------------------------------------------------

CONSTANT: dict[str, Any] = {
    "one number": np.ones((N, 8)),
    "each its own": np.tile(np.arange(8.0), (N, 1)),
    "one column": np.ones((N, 1)),
    "whole": np.ones((N, 8), dtype=np.int64),
    "a table": pd.DataFrame(np.ones((N, 8)), columns=list("abcdefgh")),
}


@pytest.mark.parametrize(("estimator", "name"), pairs(ESTIMATORS, CONSTANT), ids=str)
def test_constant_columns_are_refused_by_every_estimator(estimator: Any, name: str) -> None:
    y = HALF + 0.5 * (np.arange(N) % 3) if for_numbers(estimator) else HALF
    with refused("X", "constant"):
        clone(estimator).fit(CONSTANT[name], y)


@pytest.mark.parametrize("missing", [np.nan, 1.0])
def test_three_of_constant_columns_cannot_be_kept(missing: float) -> None:
    with refused("X", "constant"):
        EliminationSelector(3, n_estimators=5).fit(np.full((N, 8), missing), HALF)


@pytest.mark.filterwarnings(
    "ignore:no subset predicts y significantly better", "ignore:selected feature.* have a negative credit"
)
def test_no_more_are_kept_than_vary() -> None:
    x = np.ones((N, 8))
    x[:, [2, 5]] = X[:, :2]
    how: dict[str, Any] = {"n_estimators": 10, "cv": 2, "random_state": 1}
    with pytest.warns(UserWarning, match="n_features=3, but only 2 features vary"):
        three = EliminationSelector(3, **how).fit(x, HALF)
    assert np.flatnonzero(three.support_).tolist() == [2, 5]
    assert (three.support_ == EliminationSelector(2, **how).fit(x, HALF).support_).all()
    chosen = EliminationSelector(**how).fit(x, HALF)
    assert set(np.flatnonzero(chosen.support_)) <= {2, 5}
    assert chosen.cv_results_["n_features"].max() == 2
    groups = [0, 0, 1, 2, 2, 2, 3, 3]
    with pytest.warns(UserWarning, match="n_features=3, but only 2 groups vary in"):
        assert EliminationSelector(3, feature_groups=groups, **how).fit(x, HALF).n_features_ == 4
    # Rows of weight 0 do not count.
    x[0, 0] = 7.0
    weight = (np.arange(N) > 0).astype(float)
    assert EliminationSelector(3, **how).fit(x, HALF).n_features_ == 3
    with pytest.warns(UserWarning, match="n_features=3, but only 2 features vary"):
        EliminationSelector(3, **how).fit(x, HALF, sample_weight=weight)
    with pytest.warns(UserWarning, match="initial_features contains column.*"):
        kept = EliminationSelector(2, initial_features=[1, 2], **how).fit(x, HALF)
    assert kept.support_.sum() == 2
    assert kept.support_[2]


@pytest.mark.filterwarnings(
    "ignore:n_features=2, but only 1 features vary",
    "ignore:no subset predicts y significantly better",
    "ignore:selected feature.* have a negative credit",
)
@pytest.mark.parametrize("selector", SELECTORS, ids=str)
@pytest.mark.parametrize("kind", ["one column", "a rare value"])
def test_selectors_do_without_columns_that_are_constant(selector: Any, kind: str) -> None:
    x, at = np.ones((N, 4)), 2
    x[:, at] = X[:, 0] if kind == "one column" else np.arange(N) == 7
    y = HALF + 0.5 * (np.arange(N) % 3) if for_numbers(selector) else HALF
    # Some keep what has as much information as the others, none.
    all_alike = isinstance(selector, ComplexityForestClassifier | ChowLiuSelector)
    kept = np.flatnonzero(clone(selector).fit(x, y).get_support())
    assert set(kept) <= ({0, 1, 2, 3} if all_alike else {at})


def test_columns_of_a_sparse_matrix_that_vary() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    x = np.zeros((N, 6))
    x[:, 4], x[:, 1], x[:, 0] = X[:, 0], 1.0, X[:, 1] * (np.arange(N) % 3 == 0)
    how: dict[str, Any] = {"n_estimators": 10, "cv": 2, "random_state": 2}
    with pytest.warns(UserWarning, match="n_features=3, but only 2 features vary in these rows|a negative credit"):
        assert EliminationSelector(3, **how).fit(sparse.csc_array(x), HALF).n_features_ == 2
    with pytest.warns(UserWarning, match="have a negative credit"):  # the second one varies, and says nothing of y
        assert EliminationSelector(2, **how).fit(sparse.csr_array(x), HALF).n_features_ == 2


@pytest.mark.parametrize("words", ["object", "str", "category", "number in words"])
@pytest.mark.parametrize(
    "regression",
    [RRFRegressor(5), LESSRegressor(n_estimators=5), EliminationSelector(2, task="regression")],
    ids=lambda one: type(one).__name__,
)
def test_words_are_no_numbers(regression: Any, words: str) -> None:
    y = pd.Series(np.where(HALF, "1.5" if words == "number in words" else "high", "2"), dtype=object)
    with refused("y", "type"):
        clone(regression).fit(X, y if words == "number in words" else y.astype(words))


def test_classes_of_other_libraries() -> None:
    plain = RRFClassifier(5, random_state=1).fit(X, HALF * 1.0)
    objects = RRFClassifier(5, random_state=1).fit(X, (HALF * 1.0).astype(object))
    assert objects.predict(X).tolist() == plain.predict(X).tolist()
    arrow = pytest.importorskip("pyarrow").array(np.where(HALF, "u", "v").tolist()).dictionary_encode()
    forest = RRFClassifier(5, random_state=1).fit(X, pd.Series(pd.arrays.ArrowExtensionArray(arrow)))
    assert forest.classes_.tolist() == ["u", "v"]
    np.testing.assert_array_equal(forest.predict_proba(X)[:, ::-1], plain.predict_proba(X))
