"""Bad input: every message names the argument and what to do; nothing is printed or changed."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf

N = 40


def numbers() -> np.ndarray:
    return np.random.default_rng(0).random((N, 3))


def classes() -> np.ndarray:
    return np.resize(["a", "b"], N)


def with_value(value: float) -> np.ndarray:
    array = numbers()
    array[3, 1] = value
    return array


def many(levels: int) -> pd.DataFrame:
    codes = pd.Categorical(np.resize([f"v{i}" for i in range(levels)], N), [f"v{i}" for i in range(levels)])
    return pd.DataFrame({"f": codes, "u": numbers()[:, 0]})


def frame_with(**columns: Any) -> pd.DataFrame:
    return pd.DataFrame({"u": numbers()[:, 0], **columns})


class Sparse:
    def toarray(self) -> np.ndarray:
        return numbers()


class Lazy:
    def collect(self) -> pd.DataFrame:
        return frame_with()


# Of a list pandas 2 would make numbers.
LARGE = pd.Series([10**400] + [1] * (N - 1), dtype=object)
MISSING = np.resize(np.array(["a", "b", None], dtype=object), N)

# name: (arguments that replace x, y and the rest; error; message)
CASES: dict[str, tuple[dict[str, Any], type[Exception], str]] = {
    # x
    "x formula": ({"x": "y ~ ."}, TypeError, "data must be a DataFrame, not ndarray"),
    "x sparse": ({"x": Sparse()}, TypeError, r"x is a sparse matrix; pass x\.toarray\(\)"),
    "x lazy": ({"x": Lazy()}, TypeError, r"x is a Lazy, which holds no rows yet; pass x\.collect\(\)"),
    "x dict": ({"x": {"a": [1.0]}}, TypeError, r"x is a dict, not a table; pass pd\.DataFrame\(x\)"),
    "x ragged": ({"x": [[1.0, 2.0], [3.0]]}, ValueError, "rows of one length"),
    "x too large": ({"x": frame_with(o=LARGE)}, ValueError, "column 'o' of x .* too large"),
    "x objects too large": ({"x": np.full((N, 2), 10**400, dtype=object)}, ValueError, "x holds .* too large"),
    "x longer floats": ({"x": np.full((N, 2), np.longdouble("1e400"))}, ValueError, "x holds infinite values"),
    "y too large": ({"y": [10**400] + [1] * (N - 1)}, ValueError, "y holds a whole number that is too large"),
    "x one dimension": ({"x": np.zeros(N)}, ValueError, r"x must have 2 dimensions \(rows, columns\), not 1"),
    "x three dimensions": ({"x": np.zeros((N, 2, 2))}, ValueError, "x must have 2 dimensions"),
    "x strings": ({"x": np.full((N, 2), "a")}, TypeError, "x is an array of dtype <U1, not of numbers"),
    "x mixed objects": ({"x": np.array([["a", 1]] * N, object)}, TypeError, "dtype object, not of numbers"),
    "x complex": ({"x": np.zeros((N, 2), complex)}, TypeError, "dtype complex128, not of numbers"),
    "x no rows": ({"x": np.zeros((0, 2)), "y": []}, ValueError, "x has 0 rows; pass at least one"),
    "x no columns": ({"x": np.zeros((N, 0))}, ValueError, "x has 0 columns; pass at least one"),
    "x frame no columns": ({"x": pd.DataFrame(index=range(N))}, ValueError, "x has 0 columns"),
    "x NaN": ({"x": with_value(np.nan)}, ValueError, r"x holds missing values in column\(s\) 1; impute or drop"),
    "x infinite": ({"x": with_value(np.inf)}, ValueError, r"x holds infinite values in column\(s\) 1"),
    "x infinities that cancel": ({"x": with_value(-np.inf)}, ValueError, "x holds infinite values"),
    "x missing category": (
        {"x": frame_with(f=pd.Categorical(MISSING))},
        ValueError,
        r"x holds missing values in column\(s\) 'f'",
    ),
    "x missing nullable": (
        {"x": frame_with(f=pd.array([None, *range(N - 1)], dtype="Int64"))},
        ValueError,
        r"x holds missing values in column\(s\) 'f'",
    ),
    "x dates": (
        {"x": frame_with(d=[datetime.datetime(2020, 1, 1)] * N)},
        TypeError,
        "column 'd' of x holds datetime64 values; convert it to numbers, or to categories",
    ),
    "x mixed column": ({"x": frame_with(m=[1, "a"] * (N // 2))}, TypeError, "column 'm' of x holds mixed-integer"),
    "x 33 categories": (
        {"x": many(33)},
        ValueError,
        "column 'f' of x has 33 categories, more than 32; merge categories",
    ),
    "x constant": ({"x": np.ones((N, 3))}, ValueError, "all features in x are constant, so no tree can split"),
    # y
    "y matrix": ({"y": np.zeros((N, 1))}, ValueError, r"y must be one-dimensional, not of shape \(40, 1\)"),
    "y frame": ({"y": frame_with()}, ValueError, "y must be one-dimensional"),
    "y number": ({"y": 3}, ValueError, "y must be one-dimensional"),
    "y mixed": ({"y": ["a", 1] * (N // 2)}, TypeError, "y holds mixed-integer values; pass categories, strings"),
    "y dates": ({"y": pd.date_range("2020", periods=N)}, TypeError, "y holds datetime64 values"),
    "y missing string": ({"y": MISSING}, ValueError, "y holds missing values; drop those rows first"),
    "y missing category": ({"y": pd.Categorical(MISSING)}, ValueError, "y holds missing values"),
    "y missing boolean": ({"y": pd.array([None, True] * (N // 2), "boolean")}, ValueError, "y holds missing values"),
    "y NaN": ({"y": with_value(np.nan)[:, 1]}, ValueError, "y holds NaN or infinite values"),
    "y half letters": ({"y": ["a", "\ud800"] * (N // 2)}, ValueError, r"y holds text with '\\ud800', a lone surrogate"),
    "y half letters of NumPy": ({"y": np.resize(["a", "\ud800"], N)}, ValueError, "y holds text with .*; replace it"),
    "y half letters of categories": (
        {"y": pd.Categorical.from_codes([0, 1] * (N // 2), pd.Index(["a", "\udfff"], dtype=object))},
        ValueError,
        "y holds text with",
    ),
    "y short": ({"y": classes()[:-1]}, ValueError, "y has 39 values, but x has 40 rows; pass one value per row"),
    "y short numbers": ({"y": numbers()[:-1, 0]}, ValueError, "y has 39 values, but x has 40 rows"),
    "y one class": ({"y": ["a"] * N}, ValueError, "y holds one class; classification needs at least two"),
    "y one boolean": ({"y": [True] * N}, ValueError, "y holds one class"),
    "y empty class": (
        {"y": pd.Categorical(classes(), ["a", "b", "c"])},
        ValueError,
        r"y has class\(es\) without rows: 'c'; drop them with y\.cat\.remove_unused_categories",
    ),
    # xtest, ytest
    "xtest columns": ({"xtest": numbers()[:, :2]}, ValueError, "xtest has 2 columns, but x has 3"),
    "xtest NaN": ({"xtest": with_value(np.nan)}, ValueError, "xtest holds missing values"),
    "xtest array": (
        {"x": frame_with(v=classes() == "a"), "xtest": numbers()[:, :2]},
        TypeError,
        "xtest must be a DataFrame because x is",
    ),
    "xtest lacks a column": (
        {"x": many(3), "xtest": many(3)[["f"]], "quirks": False},
        ValueError,
        r"xtest lacks column\(s\) of the training data: 'u'",
    ),
    "xtest new level": (
        {"x": many(3), "xtest": many(4)},
        ValueError,
        "column 'f' of xtest has categories that were not in the training data: 'v3'",
    ),
    "xtest unused new level": (
        {"x": many(3), "xtest": many(4)[:2]},
        ValueError,
        "categories that were not in the training data",
    ),
    "xtest number for a factor": (
        {"x": many(3), "xtest": many(3).assign(f=1)},
        TypeError,
        "column 'f' of xtest must be categorical, as in the training data",
    ),
    "xtest factor for a number": (
        {"x": many(3).assign(f=numbers()[:, 1]), "xtest": many(3)},
        TypeError,
        "column 'f' of xtest is categorical, but was not in the training data",
    ),
    "ytest alone": ({"ytest": classes()}, ValueError, "ytest is given without xtest; pass both"),
    "ytest length": ({"xtest": numbers(), "ytest": classes()[:3]}, ValueError, "ytest has 3 values, but xtest has 40"),
    "ytest new class": ({"xtest": numbers(), "ytest": ["z"] * N}, ValueError, "ytest has .* y does not have: 'z'"),
    "ytest missing": ({"xtest": numbers(), "ytest": MISSING}, ValueError, "ytest holds missing values"),
    # sizes
    "ntree zero": ({"ntree": 0}, ValueError, "ntree must be a whole number of at least 1, not 0"),
    "ntree fraction": ({"ntree": 2.5}, ValueError, "ntree must be a whole number of at least 1, not 2.5"),
    "ntree text": ({"ntree": "5"}, TypeError, "ntree must be a number, not '5'"),
    "ntree boolean": ({"ntree": True}, TypeError, "ntree must be a number, not True"),
    "ntree beyond R": ({"ntree": 2**31}, ValueError, "ntree must be at most 2147483647"),
    "mtry NaN": ({"mtry": np.nan}, ValueError, "mtry must be a finite number, not nan"),
    "mtry text": ({"mtry": "sqrt"}, TypeError, "mtry must be a number, not 'sqrt'"),
    "nodesize zero": ({"nodesize": 0}, ValueError, "nodesize must be at least 1, or 0 with maxnodes, not 0"),
    "nodesize above sampsize": ({"nodesize": 11, "sampsize": 10}, ValueError, "nodesize is 11, more than the 10 rows"),
    "nodesize above n": ({"nodesize": 41}, ValueError, "no tree can split; pass a smaller nodesize"),
    "maxnodes one": ({"maxnodes": 1}, ValueError, "maxnodes is 1, so no tree can split; pass 2 or more"),
    "maxnodes zero": ({"maxnodes": 0}, ValueError, "maxnodes must be a whole number of at least 1"),
    "maxnodes fraction": ({"maxnodes": 2.5}, ValueError, "maxnodes must be a whole number"),
    "sampsize one": ({"sampsize": 1}, ValueError, "sampsize is 1, but a tree needs at least 2 rows to split"),
    "sampsize zero": ({"sampsize": 0}, ValueError, "sampsize is 0, but a tree needs at least 2"),
    "sampsize share": ({"sampsize": 0.632}, ValueError, "sampsize is 0.632, but a tree needs at least 2"),
    "sampsize above n": ({"sampsize": 41}, ValueError, "sampsize is 41, but x has 40 rows; pass at most 40"),
    "sampsize NaN": ({"sampsize": np.nan}, ValueError, "sampsize holds NaN or infinite values"),
    "sampsize text": ({"sampsize": "all"}, TypeError, "sampsize must hold numbers"),
    "sampsize empty": ({"sampsize": []}, ValueError, "sampsize must be one number, a vector"),
    "sampsize too many": ({"sampsize": [2, 2, 2]}, ValueError, "sampsize has 3 values; pass 1, or one for each of 2"),
    "sampsize zero in a class": ({"sampsize": [0, 2]}, ValueError, "sampsize must be above 0 in every stratum"),
    "sampsize without a row": ({"sampsize": [0.5, 0.9]}, ValueError, "and draw a row"),
    "sampsize above a class": ({"sampsize": [21, 2]}, ValueError, "sampsize is 21 for stratum 'a', which has 20 rows"),
    "sampsize labels": (
        {"sampsize": {"a": 2, "z": 2}},
        ValueError,
        "sampsize names 'z', which is not a stratum; use stratum names, or pass an array",
    ),
    "strata half letters": (
        {"strata": ["a", "\ud800"] * (N // 2), "sampsize": [2, 2]},
        ValueError,
        "strata holds text with",
    ),
    "strata length": ({"strata": ["u"] * 3, "sampsize": [2, 2]}, ValueError, "strata has 3 values, but x has 40 rows"),
    "strata missing": ({"strata": MISSING, "sampsize": [2, 2]}, ValueError, "strata holds missing values"),
    "strata empty level": (
        {"strata": pd.Categorical(classes(), ["a", "b", "c"]), "sampsize": [2, 2, 2]},
        ValueError,
        "sampsize is 2 for stratum 'c', which has 0 rows; pass at most 0",
    ),
    # classwt, cutoff
    "classwt length": ({"classwt": [1, 2, 3]}, ValueError, "classwt has 3 values; pass one for each of 2 classes"),
    "classwt zero": ({"classwt": [0, 1]}, ValueError, r"classwt must be positive, not \[0\.0, 1\.0\]"),
    "classwt NaN": ({"classwt": [np.nan, 1]}, ValueError, "classwt holds NaN or infinite values"),
    "classwt label": ({"classwt": {"a": 1, "z": 1}}, ValueError, "classwt names 'z', which is not a class"),
    "classwt repeated label": (
        {"classwt": pd.Series([1, 2], index=["a", "a"])},
        ValueError,
        "classwt names 'a' twice; give each class once",
    ),
    "classwt text": ({"classwt": "balanced"}, TypeError, "classwt must hold numbers"),
    "cutoff length": ({"cutoff": [0.5]}, ValueError, "cutoff has 1 values; pass one for each of 2 classes"),
    "cutoff sum": ({"cutoff": [0.5, 0.6]}, ValueError, "cutoff must hold positive values that sum to at most 1"),
    "cutoff sum by an ulp": (
        {"cutoff": [0.5, 0.5000000000000002]},
        ValueError,
        r"sum to at most 1, not \[0.5, 0.5000000000000002\], which sum to 1.0000000000000002",
    ),
    "cutoff zero": ({"cutoff": [0, 0.5]}, ValueError, "cutoff must hold positive values"),
    "cutoff NaN": ({"cutoff": [np.nan, 0.5]}, ValueError, "cutoff holds NaN or infinite values"),
    "cutoff label": ({"cutoff": {"a": 0.5, "z": 0.5}}, ValueError, "cutoff names 'z', which is not a class"),
    # regularization
    "coefReg above one": ({"coefReg": [0.5, 1.5, 1]}, ValueError, "coefReg must not exceed 1, but holds 1.5"),
    "coefReg zero": ({"coefReg": 0}, ValueError, "coefReg must have at least one value above 0"),
    "coefReg length": (
        {"coefReg": [0.5, 0.5]},
        ValueError,
        r"coefReg has 2 values; pass 1, or one per column of x \(3\)",
    ),
    "coefReg NaN": ({"coefReg": [0.5, np.nan, 1]}, ValueError, "coefReg holds NaN or infinite values"),
    "coefReg two columns": (
        {"coefReg": np.ones((3, 2))},
        ValueError,
        "coefReg must be one number, a vector or a one-c",
    ),
    "coefReg text": ({"coefReg": "high"}, TypeError, "coefReg must hold numbers"),
    "coefReg lacks one": (
        {"x": pd.DataFrame(numbers(), columns=list("uvw")), "coefReg": {"u": 0.1, "w": 0.2}},
        ValueError,
        "coefReg has no value for feature 'v'; pass one for every feature",
    ),
    "coefReg counted in another order": (
        {"x": pd.DataFrame(numbers(), columns=[2, 0, 1]), "coefReg": pd.Series([0.1, 0.2, 0.3])},
        ValueError,
        r"the index of coefReg holds the feature names in another order; pass a dict by name, or coefReg\.to_numpy\(\)",
    ),
    "flagReg two": ({"flagReg": 2}, ValueError, r"flagReg must be 0 \(ordinary forest\) or 1"),
    "flagReg text": ({"flagReg": "yes"}, TypeError, "flagReg must be a number"),
    "feaIni too large": ({"feaIni": [3]}, ValueError, "feaIni must hold column positions from 0 to 2"),
    "feaIni negative": ({"feaIni": [-1]}, ValueError, "feaIni must hold column positions from 0 to 2"),
    "feaIni fraction": ({"feaIni": [0.5]}, ValueError, r"\(R counts from 1\), not \[0\.5\]"),
    "feaIni labels": ({"feaIni": ["u"]}, TypeError, "feaIni must hold numbers"),
    # flags and the rest
    "importance text": ({"importance": "yes"}, TypeError, "importance must be True or False, not 'yes'"),
    "replace number": ({"replace": 2}, TypeError, "replace must be True or False, not 2"),
    "localImp": ({"localImp": "x"}, TypeError, "localImp must be True or False"),
    "norm_votes": ({"norm_votes": "x"}, TypeError, "norm_votes must be True or False"),
    "keep_forest": ({"keep_forest": "x"}, TypeError, "keep_forest must be True or False"),
    "keep_inbag": ({"keep_inbag": "x"}, TypeError, "keep_inbag must be True or False"),
    "corr_bias": ({"corr_bias": "x"}, TypeError, "corr_bias must be True or False"),
    "proximity": ({"proximity": "x"}, TypeError, "proximity must be True or False"),
    "oob_prox": ({"oob_prox": "x"}, TypeError, "oob_prox must be True or False"),
    "quirks": ({"quirks": "x"}, TypeError, "quirks must be True or False"),
    "nPerm": ({"nPerm": "x"}, TypeError, "nPerm must be a number"),
    "do_trace negative": ({"do_trace": -1}, ValueError, "do_trace must be a whole number of at least 0"),
    "do_trace text": ({"do_trace": "x"}, TypeError, "do_trace must be a number"),
    "seed NaN": ({"seed": float("nan")}, TypeError, "seed must be a number, not nan"),
    "seed text": ({"seed": "x"}, TypeError, "seed must be a number, not 'x'"),
    "seed beyond R": ({"seed": 2**31}, ValueError, "seed must be from -2147483647 to 2147483647"),
    # unknown arguments
    "near miss": ({"ntrees": 5}, TypeError, r"RRF\(\) has no argument 'ntrees'; did you mean 'ntree'\?"),
    "R's dot": ({"do.trace": True}, TypeError, "no argument 'do.trace'; did you mean 'do_trace'"),
    "R's name in lower case": ({"coefreg": 1}, TypeError, "no argument 'coefreg'; did you mean 'coefReg'"),
    "scikit-learn's name": ({"n_estimators": 1}, TypeError, "no argument 'n_estimators'; did you mean 'ntree'"),
    "R script's leftover": ({"doBest": 1}, TypeError, r"RRF\(\) has no argument 'doBest'"),
    "far from all": ({"zzzzqqq": 1}, TypeError, "no argument 'zzzzqqq'; its arguments are x, y, xtest"),
}


@pytest.mark.parametrize("name", CASES)
def test_rrf_refuses(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    changed, error, message = CASES[name]
    arguments: dict[str, Any] = {"x": numbers(), "y": classes(), "ntree": 2} | changed
    pyrrf.set_seed(1)
    before = pyrrf.random.process_stream().get_state()
    with pytest.raises(error, match=message):
        pyrrf.RRF(**arguments)
    for old, new in zip(before, pyrrf.random.process_stream().get_state(), strict=True):
        np.testing.assert_array_equal(old, new)
    assert capfd.readouterr() == ("", "")


GRRF_CASES: dict[str, tuple[dict[str, Any], type[Exception], str]] = {
    "gamma": ({"gamma": -0.5}, ValueError, "gamma must be 0 or more, not -0.5"),
    "gamma text": ({"gamma": "x"}, TypeError, "gamma must be a number"),
    "lambda0": ({"lambda0": -1}, ValueError, "lambda0 must be from 0 to 1, not -1"),
    "coefReg": ({"coefReg": 0.5}, TypeError, r"GRRF\(\) sets coefReg itself; use gamma and lambda0"),
    "flagReg": ({"flagReg": 1}, TypeError, r"GRRF\(\) sets flagReg itself"),
    "unknown": ({"gama": 1}, TypeError, r"GRRF\(\) has no argument 'gama'; did you mean 'gamma'"),
    "argument of RRF": ({"ntrees": 1}, TypeError, r"GRRF\(\) has no argument 'ntrees'; did you mean 'ntree'"),
    "no weight at all": ({"gamma": 0, "lambda0": 0}, ValueError, "gamma=0 with lambda0=0 makes all coefficients 0"),
}


@pytest.mark.parametrize("name", GRRF_CASES)
def test_grrf_refuses(name: str) -> None:
    changed, error, message = GRRF_CASES[name]
    with pytest.raises(error, match=message):
        pyrrf.GRRF(numbers(), classes(), **({"ntree": 2} | changed))


def test_grrf_needs_importances() -> None:
    # Four cases of XOR: no split decreases the impurity, so all importances are 0.
    x = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 2)
    y = ["a", "b", "b", "a"] * 2
    with pytest.raises(ValueError, match="all importances of the ordinary forest are 0"):
        pyrrf.GRRF(x, y, ntree=1, maxnodes=2, replace=False, sampsize=8, seed=1)


def test_data_that_no_bag_can_split_do_not_hang() -> None:
    # Only one split point exists, and the weights of class b are too small for a node of its own.
    x = np.repeat([0.0, 1.0], 20)[:, None]
    with pytest.raises(ValueError, match="no in-bag sample of the data can be split"):
        pyrrf.RRF(x, np.repeat(["a", "b"], 20), ntree=2, classwt=[1, 1e-12], seed=1)
