"""Arguments of the engines: what belongs to which, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from tests.parallel.problems import KINDS, data, fit
from tests.refusals import refused

X, Y = data("classes")
_, NUMBERS = data("numbers")
WEIGHTS = np.ones(120)

# name: (arguments, error, message)
REFUSED: dict[str, tuple[dict[str, Any], str, str]] = {
    "engine name": ({"engine": "R"}, "engine", "choice"),
    "engine None": ({"engine": None}, "engine", "choice"),
    "engine list": ({"engine": ["parallel"]}, "engine", "choice"),
    "negative coefficient": (
        {"engine": "parallel", "coefReg": np.r_[-0.5, np.ones(X.shape[1] - 1)]},
        "coefReg",
        "range",
    ),
    "n_jobs 0": ({"n_jobs": 0}, "n_jobs", "range"),
    "n_jobs text": ({"n_jobs": "all"}, "n_jobs", "type"),
    "criterion name": ({"criterion": "mse"}, "criterion", "choice"),
    "criterion type": ({"criterion": 1}, "criterion", "choice"),
    "variance for classes": ({"criterion": "variance"}, "criterion", "choice"),
    "numbers too large": ({"y": NUMBERS * 1e307, "engine": "parallel"}, "y", "scale"),
    "gini for numbers": ({"y": NUMBERS, "criterion": "gini"}, "criterion", "choice"),
    "penalty name": ({"penalty": "split"}, "penalty", "choice"),
    "criterion penalty with entropy": ({"criterion": "entropy", "penalty": "criterion"}, "penalty", "conflict"),
    "criterion penalty with numbers": ({"y": NUMBERS, "penalty": "criterion"}, "penalty", "conflict"),
    "candidates name": ({"candidates": "all"}, "candidates", "choice"),
    "candidates type": ({"candidates": 3}, "candidates", "choice"),
    "max_depth 0": ({"max_depth": 0}, "max_depth", "range"),
    "max_depth part": ({"max_depth": 1.5}, "max_depth", "range"),
    "max_depth text": ({"max_depth": "2"}, "max_depth", "type"),
    "ties name": ({"ties": "last"}, "ties", "choice"),
    "growth name": ({"growth": 1}, "growth", "choice"),
    "usedepth": ({"usedepth": "yes"}, "usedepth", "type"),
    "weights too few": ({"sample_weight": [1.0]}, "sample_weight", "length"),
    "weights negative": ({"sample_weight": -WEIGHTS}, "sample_weight", "range"),
    "weights missing": ({"sample_weight": WEIGHTS * np.nan}, "sample_weight", "missing"),
    "weights 0": ({"sample_weight": 0 * WEIGHTS}, "sample_weight", "range"),
    "weights text": ({"sample_weight": ["a"] * 120}, "sample_weight", "type"),
    "weights without response": ({"y": None, "sample_weight": WEIGHTS}, "sample_weight", "conflict"),
    "corr_bias": ({"y": NUMBERS, "corr_bias": True}, "corr_bias", "unsupported"),
    "quirks": ({"quirks": "no"}, "quirks", "type"),
    "unknown": ({"njobs": 2}, "njobs", "keyword"),
    "coefReg above 1": ({"coefReg": 1.5}, "coefReg", "range"),
    "seed": ({"seed": 2**31}, "seed", "range"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_parallel_refuses(name: str) -> None:
    arguments, argument, code = REFUSED[name]
    arguments = {"y": Y, **arguments}
    with refused(argument, code):
        fit(X, arguments.pop("y"), **arguments)


# What R's RRF does not have, and values of the new arguments that say what it does.
OF_PARALLEL: dict[str, tuple[dict[str, Any], str]] = {
    "max_depth": ({"max_depth": 3}, "max_depth", "unsupported"),
    "usedepth": ({"usedepth": True}, "usedepth", "unsupported"),
    "ties": ({"ties": "first"}, "ties", "unsupported"),
    "growth": ({"growth": "depth"}, "growth", "unsupported"),
    "sample_weight": ({"sample_weight": WEIGHTS}, "sample_weight", "unsupported"),
    "entropy": ({"criterion": "entropy"}, "criterion", "unsupported"),
    "penalty": ({"penalty": "gain"}, "penalty", "unsupported"),
    "candidates": ({"candidates": "mtry"}, "candidates", "unsupported"),
    "candidates for numbers": ({"y": NUMBERS, "candidates": "selected"}, "candidates", "unsupported"),
}


@pytest.mark.parametrize("name", OF_PARALLEL)
def test_engine_r_refuses(name: str) -> None:
    arguments, argument, code = OF_PARALLEL[name]
    arguments = {"y": Y, **arguments}
    for function in (pyrrf.RRF, pyrrf.GRRF):
        with refused(argument, code):
            function(X, **arguments)


@pytest.mark.parametrize("kind", KINDS)
def test_engine_r_takes_what_says_what_it_does(kind: str) -> None:
    x, y = data(kind)
    rule = (
        {"criterion": "gini", "penalty": "criterion", "candidates": "selected"}
        if kind == "classes"
        else {"criterion": "variance", "penalty": "gain", "candidates": "mtry"}
    )
    plain = pyrrf.RRF(x, y, ntree=5, seed=1)
    none = {"max_depth": None, "usedepth": False, "ties": "random", "growth": "breadth"}
    assert pyrrf.RRF(x, y, ntree=5, seed=1, engine="r", n_jobs=2, **none, **rule) == plain


def test_quirks_make_no_difference() -> None:
    assert fit(X, Y, quirks=True) == fit(X, Y, quirks=False)
    x, y = data("numbers", p=30)
    # Nothing is ignored, and no warning says so.
    assert {7} <= set(fit(x, y, feaIni=[7], quirks=True).feaSet)


def test_fits_of_both_engines_are_not_equal_and_do_not_combine() -> None:
    r, parallel = pyrrf.RRF(X, Y, ntree=5, seed=1), fit(X, Y, ntree=5)
    assert r != parallel
    with refused("fits", "conflict"):
        pyrrf.combine(r, parallel)


def test_no_split_is_possible() -> None:
    with refused("x", "constant"):
        fit(np.ones((120, 2)), Y)
    with pytest.raises(ValueError, match="nodesize is 200, more than the 120 rows"):
        fit(X, Y, nodesize=200)


@pytest.mark.parametrize("kind", KINDS)
def test_weights_that_leave_one_row_end_in_an_error_or_a_fit(kind: str) -> None:
    """A single row with weight cannot be split; the call ends all the same."""
    x, y = data(kind)
    weights = np.zeros(120)
    weights[3] = 1
    try:
        result = fit(x, y, sample_weight=weights)
    except ValueError as error:
        assert "x: no in-bag sample of the data can be split" in str(error)  # noqa: PT017
    else:
        assert pyrrf.treesize(result).max() == 1


# ---- new data ------------------------------------------------------------------------------------


def test_new_data_of_another_shape() -> None:
    result = fit(X, Y)
    with refused("newdata", "columns"):
        pyrrf.predict(result, X[:, :3])
    with pytest.raises(ValueError, match="newdata has 0 rows"):
        pyrrf.predict(result, X[:0])
    with refused("object", "fit"):
        pyrrf.predict(fit(X, Y, keep_forest=False), X)
    with refused("cutoff", "range"):
        pyrrf.predict(result, X, cutoff=[-1, 1])
    with refused("n_jobs", "range"):
        pyrrf.predict(result, X, n_jobs=-3)


def test_new_data_of_other_types() -> None:
    x = pd.DataFrame({"f": pd.Categorical(np.resize(["a", "b", "c"], 120)), "u": X[:, 0]})
    result = fit(x, Y)
    with refused("newdata", "type"):
        pyrrf.predict(result, x.assign(f=1.0))
    with refused("newdata", "type"):
        pyrrf.predict(result, x.assign(u=x["f"]))
    with refused("newdata", "levels"):
        pyrrf.predict(result, x.assign(f=pd.Categorical(np.resize(["a", "d"], 120))))
    with refused("newdata", "columns"):
        pyrrf.predict(result, x[["u"]])


def test_ytest_without_xtest() -> None:
    with refused("ytest", "conflict"):
        fit(X, Y, ytest=Y)
