"""Bad input: every message names the argument and what to do; nothing is printed or changed."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from tests.refusals import refused

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
CASES: dict[str, tuple[dict[str, Any], str, str]] = {
    # x
    "x formula": ({"x": "y ~ ."}, "data", "type"),
    "x sparse": ({"x": Sparse()}, "x", "type"),
    "x lazy": ({"x": Lazy()}, "x", "type"),
    "x dict": ({"x": {"a": [1.0]}}, "x", "type"),
    "x ragged": ({"x": [[1.0, 2.0], [3.0]]}, "x", "shape"),
    "x too large": ({"x": frame_with(o=LARGE)}, "x", "scale"),
    "x objects too large": ({"x": np.full((N, 2), 10**400, dtype=object)}, "x", "scale"),
    "x longer floats": ({"x": np.full((N, 2), np.longdouble("1e400"))}, "x", "infinite"),
    "y too large": ({"y": [10**400] + [1] * (N - 1)}, "y", "scale"),
    "x one dimension": ({"x": np.zeros(N)}, "x", "shape"),
    "x three dimensions": ({"x": np.zeros((N, 2, 2))}, "x", "shape"),
    "x strings": ({"x": np.full((N, 2), "a")}, "x", "type"),
    "x mixed objects": ({"x": np.array([["a", 1]] * N, object)}, "x", "type"),
    "x complex": ({"x": np.zeros((N, 2), complex)}, "x", "type"),
    "x no rows": ({"x": np.zeros((0, 2)), "y": []}, "x", "empty"),
    "x no columns": ({"x": np.zeros((N, 0))}, "x", "empty"),
    "x frame no columns": ({"x": pd.DataFrame(index=range(N))}, "x", "empty"),
    "x NaN": ({"x": with_value(np.nan)}, "x", "missing"),
    "x infinite": ({"x": with_value(np.inf)}, "x", "infinite"),
    "x infinities that cancel": ({"x": with_value(-np.inf)}, "x", "infinite"),
    "x missing category": ({"x": frame_with(f=pd.Categorical(MISSING))}, "x", "missing"),
    "x missing nullable": ({"x": frame_with(f=pd.array([None, *range(N - 1)], dtype="Int64"))}, "x", "missing"),
    "x dates": ({"x": frame_with(d=[datetime.datetime(2020, 1, 1)] * N)}, "x", "type"),
    "x mixed column": ({"x": frame_with(m=[1, "a"] * (N // 2))}, "x", "type"),
    "x 33 categories": ({"x": many(33)}, "x", "levels"),
    "x constant": ({"x": np.ones((N, 3))}, "x", "constant"),
    # y
    "y matrix": ({"y": np.zeros((N, 1))}, "y", "shape"),
    "y frame": ({"y": frame_with()}, "y", "shape"),
    "y number": ({"y": 3}, "y", "shape"),
    "y mixed": ({"y": ["a", 1] * (N // 2)}, "y", "type"),
    "y dates": ({"y": pd.date_range("2020", periods=N)}, "y", "type"),
    "y missing string": ({"y": MISSING}, "y", "missing"),
    "y missing category": ({"y": pd.Categorical(MISSING)}, "y", "missing"),
    "y missing boolean": ({"y": pd.array([None, True] * (N // 2), "boolean")}, "y", "missing"),
    "y NaN": ({"y": with_value(np.nan)[:, 1]}, "y", "missing"),
    "y half letters": ({"y": ["a", "\ud800"] * (N // 2)}, "y", "text"),
    "y half letters of NumPy": ({"y": np.resize(["a", "\ud800"], N)}, "y", "text"),
    "y half letters of categories": (
        {"y": pd.Categorical.from_codes([0, 1] * (N // 2), pd.Index(["a", "\udfff"], dtype=object))},
        "y",
        "text",
    ),
    "y short": ({"y": classes()[:-1]}, "y", "length"),
    "y short numbers": ({"y": numbers()[:-1, 0]}, "y", "length"),
    "y one class": ({"y": ["a"] * N}, "y", "constant"),
    "y one boolean": ({"y": [True] * N}, "y", "constant"),
    "y empty class": ({"y": pd.Categorical(classes(), ["a", "b", "c"])}, "y", "levels"),
    # xtest, ytest
    "xtest columns": ({"xtest": numbers()[:, :2]}, "xtest", "columns"),
    "xtest NaN": ({"xtest": with_value(np.nan)}, "xtest", "missing"),
    "xtest array": ({"x": frame_with(v=classes() == "a"), "xtest": numbers()[:, :2]}, "xtest", "type"),
    "xtest lacks a column": ({"x": many(3), "xtest": many(3)[["f"]], "quirks": False}, "xtest", "columns"),
    "xtest new level": ({"x": many(3), "xtest": many(4)}, "xtest", "levels"),
    "xtest unused new level": ({"x": many(3), "xtest": many(4)[:2]}, "xtest", "levels"),
    "xtest number for a factor": ({"x": many(3), "xtest": many(3).assign(f=1)}, "xtest", "type"),
    "xtest factor for a number": ({"x": many(3).assign(f=numbers()[:, 1]), "xtest": many(3)}, "xtest", "type"),
    "ytest alone": ({"ytest": classes()}, "ytest", "conflict"),
    "ytest length": ({"xtest": numbers(), "ytest": classes()[:3]}, "ytest", "length"),
    "ytest new class": ({"xtest": numbers(), "ytest": ["z"] * N}, "ytest", "levels"),
    "ytest missing": ({"xtest": numbers(), "ytest": MISSING}, "ytest", "missing"),
    # sizes
    "ntree zero": ({"ntree": 0}, "ntree", "range"),
    "ntree fraction": ({"ntree": 2.5}, "ntree", "range"),
    "ntree text": ({"ntree": "5"}, "ntree", "type"),
    "ntree boolean": ({"ntree": True}, "ntree", "type"),
    "ntree beyond R": ({"ntree": 2**31}, "ntree", "range"),
    "mtry NaN": ({"mtry": np.nan}, "mtry", "range"),
    "mtry text": ({"mtry": "sqrt"}, "mtry", "type"),
    "nodesize zero": ({"nodesize": 0}, "nodesize", "range"),
    "nodesize above sampsize": ({"nodesize": 11, "sampsize": 10}, "nodesize", "range"),
    "nodesize above n": ({"nodesize": 41}, "nodesize", "range"),
    "maxnodes one": ({"maxnodes": 1}, "maxnodes", "range"),
    "maxnodes zero": ({"maxnodes": 0}, "maxnodes", "range"),
    "maxnodes fraction": ({"maxnodes": 2.5}, "maxnodes", "range"),
    "sampsize one": ({"sampsize": 1}, "sampsize", "range"),
    "sampsize zero": ({"sampsize": 0}, "sampsize", "range"),
    "sampsize share": ({"sampsize": 0.632}, "sampsize", "range"),
    "sampsize above n": ({"sampsize": 41}, "sampsize", "range"),
    "sampsize NaN": ({"sampsize": np.nan}, "sampsize", "missing"),
    "sampsize text": ({"sampsize": "all"}, "sampsize", "type"),
    "sampsize empty": ({"sampsize": []}, "sampsize", "shape"),
    "sampsize too many": ({"sampsize": [2, 2, 2]}, "sampsize", "length"),
    "sampsize zero in a class": ({"sampsize": [0, 2]}, "sampsize", "range"),
    "sampsize without a row": ({"sampsize": [0.5, 0.9]}, "sampsize", "range"),
    "sampsize above a class": ({"sampsize": [21, 2]}, "sampsize", "range"),
    "sampsize labels": ({"sampsize": {"a": 2, "z": 2}}, "sampsize", "unknown"),
    "strata half letters": ({"strata": ["a", "\ud800"] * (N // 2), "sampsize": [2, 2]}, "strata", "text"),
    "strata length": ({"strata": ["u"] * 3, "sampsize": [2, 2]}, "strata", "length"),
    "strata missing": ({"strata": MISSING, "sampsize": [2, 2]}, "strata", "missing"),
    "strata empty level": (
        {"strata": pd.Categorical(classes(), ["a", "b", "c"]), "sampsize": [2, 2, 2]},
        "sampsize",
        "range",
    ),
    # classwt, cutoff
    "classwt length": ({"classwt": [1, 2, 3]}, "classwt", "length"),
    "classwt zero": ({"classwt": [0, 1]}, "classwt", "range"),
    "classwt NaN": ({"classwt": [np.nan, 1]}, "classwt", "missing"),
    "classwt label": ({"classwt": {"a": 1, "z": 1}}, "classwt", "unknown"),
    "classwt repeated label": ({"classwt": pd.Series([1, 2], index=["a", "a"])}, "classwt", "duplicate"),
    "classwt text": ({"classwt": "balanced"}, "classwt", "type"),
    "cutoff length": ({"cutoff": [0.5]}, "cutoff", "length"),
    "cutoff sum": ({"cutoff": [0.5, 0.6]}, "cutoff", "range"),
    "cutoff sum by an ulp": ({"cutoff": [0.5, 0.5000000000000002]}, "cutoff", "range"),
    "cutoff zero": ({"cutoff": [0, 0.5]}, "cutoff", "range"),
    "cutoff NaN": ({"cutoff": [np.nan, 0.5]}, "cutoff", "missing"),
    "cutoff label": ({"cutoff": {"a": 0.5, "z": 0.5}}, "cutoff", "unknown"),
    # regularization
    "coefReg above one": ({"coefReg": [0.5, 1.5, 1]}, "coefReg", "range"),
    "coefReg zero": ({"coefReg": 0}, "coefReg", "range"),
    "coefReg length": ({"coefReg": [0.5, 0.5]}, "coefReg", "length"),
    "coefReg NaN": ({"coefReg": [0.5, np.nan, 1]}, "coefReg", "missing"),
    "coefReg two columns": ({"coefReg": np.ones((3, 2))}, "coefReg", "shape"),
    "coefReg text": ({"coefReg": "high"}, "coefReg", "type"),
    "coefReg lacks one": (
        {"x": pd.DataFrame(numbers(), columns=list("uvw")), "coefReg": {"u": 0.1, "w": 0.2}},
        "coefReg",
        "absent",
    ),
    "coefReg counted in another order": (
        {"x": pd.DataFrame(numbers(), columns=[2, 0, 1]), "coefReg": pd.Series([0.1, 0.2, 0.3])},
        "coefReg",
        "order",
    ),
    "flagReg two": ({"flagReg": 2}, "flagReg", "range"),
    "flagReg text": ({"flagReg": "yes"}, "flagReg", "type"),
    "feaIni too large": ({"feaIni": [3]}, "feaIni", "range"),
    "feaIni negative": ({"feaIni": [-1]}, "feaIni", "range"),
    "feaIni fraction": ({"feaIni": [0.5]}, "feaIni", "range"),
    "feaIni labels": ({"feaIni": ["u"]}, "feaIni", "type"),
    # flags and the rest
    "importance text": ({"importance": "yes"}, "importance", "type"),
    "replace number": ({"replace": 2}, "replace", "type"),
    "localImp": ({"localImp": "x"}, "localImp", "type"),
    "norm_votes": ({"norm_votes": "x"}, "norm_votes", "type"),
    "keep_forest": ({"keep_forest": "x"}, "keep_forest", "type"),
    "keep_inbag": ({"keep_inbag": "x"}, "keep_inbag", "type"),
    "corr_bias": ({"corr_bias": "x"}, "corr_bias", "type"),
    "proximity": ({"proximity": "x"}, "proximity", "type"),
    "oob_prox": ({"oob_prox": "x"}, "oob_prox", "type"),
    "quirks": ({"quirks": "x"}, "quirks", "type"),
    "nPerm": ({"nPerm": "x"}, "nPerm", "type"),
    "do_trace negative": ({"do_trace": -1}, "do_trace", "range"),
    "do_trace text": ({"do_trace": "x"}, "do_trace", "type"),
    "seed NaN": ({"seed": float("nan")}, "seed", "type"),
    "seed text": ({"seed": "x"}, "seed", "type"),
    "seed beyond R": ({"seed": 2**31}, "seed", "range"),
    # unknown arguments
    "near miss": ({"ntrees": 5}, "ntrees", "keyword"),
    "R's dot": ({"do.trace": True}, "do.trace", "keyword"),
    "R's name in lower case": ({"coefreg": 1}, "coefreg", "keyword"),
    "scikit-learn's name": ({"n_estimators": 1}, "n_estimators", "keyword"),
    "R script's leftover": ({"doBest": 1}, "doBest", "keyword"),
    "far from all": ({"zzzzqqq": 1}, "zzzzqqq", "keyword"),
}


@pytest.mark.parametrize("name", CASES)
def test_rrf_refuses(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    changed, argument, code = CASES[name]
    arguments: dict[str, Any] = {"x": numbers(), "y": classes(), "ntree": 2} | changed
    pyrrf.set_seed(1)
    before = pyrrf.random.process_stream().get_state()
    with refused(argument, code):
        pyrrf.RRF(**arguments)
    for old, new in zip(before, pyrrf.random.process_stream().get_state(), strict=True):
        np.testing.assert_array_equal(old, new)
    assert capfd.readouterr() == ("", "")


GRRF_CASES: dict[str, tuple[dict[str, Any], str, str]] = {
    "gamma": ({"gamma": -0.5}, "gamma", "range"),
    "gamma text": ({"gamma": "x"}, "gamma", "type"),
    "lambda0": ({"lambda0": -1}, "lambda0", "range"),
    "coefReg": ({"coefReg": 0.5}, "coefReg", "keyword"),
    "flagReg": ({"flagReg": 1}, "flagReg", "keyword"),
    "unknown": ({"gama": 1}, "gama", "keyword"),
    "argument of RRF": ({"ntrees": 1}, "ntrees", "keyword"),
    "no weight at all": ({"gamma": 0, "lambda0": 0}, "gamma", "range"),
}


@pytest.mark.parametrize("name", GRRF_CASES)
def test_grrf_refuses(name: str) -> None:
    changed, argument, code = GRRF_CASES[name]
    with refused(argument, code):
        pyrrf.GRRF(numbers(), classes(), **({"ntree": 2} | changed))


def test_grrf_needs_importances() -> None:
    # Four cases of XOR: no split decreases the impurity, so all importances are 0.
    x = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 2)
    y = ["a", "b", "b", "a"] * 2
    with refused("guide", "constant"):
        pyrrf.GRRF(x, y, ntree=1, maxnodes=2, replace=False, sampsize=8, seed=1)


def test_data_that_no_bag_can_split_do_not_hang() -> None:
    # Only one split point exists, and the weights of class b are too small for a node of its own.
    x = np.repeat([0.0, 1.0], 20)[:, None]
    with pytest.raises(ValueError, match="no in-bag sample of the data can be"):
        pyrrf.RRF(x, np.repeat(["a", "b"], 20), ntree=2, classwt=[1, 1e-12], seed=1)
