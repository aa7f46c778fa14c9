"""Arguments of the engines: what belongs to which, and what is refused."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from tests.parallel.problems import KINDS, data, fit

X, Y = data("classes")
_, NUMBERS = data("numbers")
WEIGHTS = np.ones(120)

# name: (arguments, error, message)
REFUSED: dict[str, tuple[dict[str, Any], type[Exception], str]] = {
    "engine name": ({"engine": "R"}, ValueError, "engine must be 'r' or 'parallel', not 'R'"),
    "engine None": ({"engine": None}, ValueError, "engine must be 'r' or 'parallel', not None"),
    "engine list": ({"engine": ["parallel"]}, ValueError, "engine must be 'r' or 'parallel'"),
    "negative coefficient": (
        {"engine": "parallel", "coefReg": np.r_[-0.5, np.ones(X.shape[1] - 1)]},
        ValueError,
        "coefReg must not be negative with engine='parallel'; pass values from 0 to 1",
    ),
    "n_jobs 0": ({"n_jobs": 0}, ValueError, "n_jobs must be a number of threads, at least 1, or -1 for all, not 0"),
    "n_jobs text": ({"n_jobs": "all"}, TypeError, "n_jobs must be a number, not 'all'"),
    "criterion name": (
        {"criterion": "mse"},
        ValueError,
        "criterion must be one of 'gini', 'entropy', 'variance'",
    ),
    "criterion type": ({"criterion": 1}, ValueError, "criterion must be one of"),
    "variance for classes": (
        {"criterion": "variance"},
        ValueError,
        "criterion must be 'gini' or 'entropy' for classification",
    ),
    "numbers too large": (
        {"y": NUMBERS * 1e307, "engine": "parallel"},
        ValueError,
        "; divide y by a power of ten, to be near 1",
    ),
    "gini for numbers": (
        {"y": NUMBERS, "criterion": "gini"},
        ValueError,
        "criterion must be 'variance' for regression",
    ),
    "penalty name": ({"penalty": "split"}, ValueError, "penalty must be one of 'criterion', 'gain'"),
    "criterion penalty with entropy": (
        {"criterion": "entropy", "penalty": "criterion"},
        ValueError,
        "penalty='criterion' cannot be combined with criterion='entropy'; pass penalty='gain'",
    ),
    "criterion penalty with numbers": (
        {"y": NUMBERS, "penalty": "criterion"},
        ValueError,
        "penalty='criterion' cannot be combined with regression; pass penalty='gain'",
    ),
    "candidates name": (
        {"candidates": "all"},
        ValueError,
        "candidates must be one of 'selected', 'mtry', not 'all'",
    ),
    "candidates type": ({"candidates": 3}, ValueError, "candidates must be one of 'selected', 'mtry', not 3"),
    "max_depth 0": ({"max_depth": 0}, ValueError, "max_depth must be a whole number of at least 1, not 0"),
    "max_depth part": ({"max_depth": 1.5}, ValueError, "max_depth must be a whole number of at least 1, not 1.5"),
    "max_depth text": ({"max_depth": "2"}, TypeError, "max_depth must be a number, not '2'"),
    "ties name": ({"ties": "last"}, ValueError, "ties must be one of 'random', 'first', not 'last'"),
    "growth name": ({"growth": 1}, ValueError, "growth must be one of 'breadth', 'depth', not 1"),
    "usedepth": ({"usedepth": "yes"}, TypeError, "usedepth must be True or False, not 'yes'"),
    "weights too few": ({"sample_weight": [1.0]}, ValueError, "sample_weight has 1 values, but x has 120 rows"),
    "weights negative": ({"sample_weight": -WEIGHTS}, ValueError, "sample_weight must be 0 or more, but holds -1"),
    "weights missing": ({"sample_weight": WEIGHTS * np.nan}, ValueError, "sample_weight holds NaN or infinite values"),
    "weights 0": ({"sample_weight": 0 * WEIGHTS}, ValueError, "sample_weight is 0 for every row"),
    "weights text": ({"sample_weight": ["a"] * 120}, TypeError, "sample_weight must hold numbers"),
    "weights without response": (
        {"y": None, "sample_weight": WEIGHTS},
        ValueError,
        "sample_weight needs a response",
    ),
    "corr_bias": (
        {"y": NUMBERS, "corr_bias": True},
        ValueError,
        "corr_bias is not available with engine='parallel'; pass engine='r' or corr_bias=False",
    ),
    "quirks": ({"quirks": "no"}, TypeError, "quirks must be True or False, not 'no'"),
    "unknown": ({"njobs": 2}, TypeError, "RRF() has no argument 'njobs'; did you mean 'n_jobs'?"),
    "coefReg above 1": ({"coefReg": 1.5}, ValueError, "coefReg must not exceed 1"),
    "seed": ({"seed": 2**31}, ValueError, "seed must be from -2147483647 to 2147483647"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_parallel_refuses(name: str) -> None:
    arguments, error, message = REFUSED[name]
    arguments = {"y": Y, **arguments}
    with pytest.raises(error, match=re.escape(message)):
        fit(X, arguments.pop("y"), **arguments)


# What R's RRF does not have, and values of the new arguments that say what it does.
OF_PARALLEL: dict[str, tuple[dict[str, Any], str]] = {
    "max_depth": ({"max_depth": 3}, "max_depth is not available with engine='r'; pass engine='parallel'"),
    "usedepth": ({"usedepth": True}, "usedepth is not available with engine='r'; pass engine='parallel'"),
    "ties": ({"ties": "first"}, "ties is not available with engine='r'; pass engine='parallel'"),
    "growth": ({"growth": "depth"}, "growth is not available with engine='r'; pass engine='parallel'"),
    "sample_weight": ({"sample_weight": WEIGHTS}, "sample_weight is not available with engine='r'"),
    "entropy": (
        {"criterion": "entropy"},
        "criterion='entropy' is not available with engine='r'; pass engine='parallel'",
    ),
    "penalty": ({"penalty": "gain"}, "penalty='gain' is not available with engine='r'; pass engine='parallel'"),
    "candidates": (
        {"candidates": "mtry"},
        "candidates='mtry' is not available for classification with engine='r'; "
        "pass candidates='selected', or engine='parallel'",
    ),
    "candidates for numbers": (
        {"y": NUMBERS, "candidates": "selected"},
        "candidates='selected' is not available for regression with engine='r'; "
        "pass candidates='mtry', or engine='parallel'",
    ),
}


@pytest.mark.parametrize("name", OF_PARALLEL)
def test_engine_r_refuses(name: str) -> None:
    arguments, message = OF_PARALLEL[name]
    arguments = {"y": Y, **arguments}
    for function in (pyrrf.RRF, pyrrf.GRRF):
        with pytest.raises(ValueError, match=re.escape(message)):
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
    with pytest.raises(
        ValueError, match="fit 2 is of engine 'parallel', the first one of 'r'; combine fits of one engine"
    ):
        pyrrf.combine(r, parallel)


def test_no_split_is_possible() -> None:
    with pytest.raises(ValueError, match="all features in x are constant"):
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
    with pytest.raises(ValueError, match="newdata has 3 columns, but the forest was grown on 8"):
        pyrrf.predict(result, X[:, :3])
    with pytest.raises(ValueError, match="newdata has 0 rows"):
        pyrrf.predict(result, X[:0])
    with pytest.raises(ValueError, match="object has no forest"):
        pyrrf.predict(fit(X, Y, keep_forest=False), X)
    with pytest.raises(ValueError, match="cutoff must hold positive values"):
        pyrrf.predict(result, X, cutoff=[-1, 1])
    with pytest.raises(ValueError, match="n_jobs must be a number of threads"):
        pyrrf.predict(result, X, n_jobs=-3)


def test_new_data_of_other_types() -> None:
    x = pd.DataFrame({"f": pd.Categorical(np.resize(["a", "b", "c"], 120)), "u": X[:, 0]})
    result = fit(x, Y)
    with pytest.raises(TypeError, match="column 'f' of newdata must be categorical, as in the training data"):
        pyrrf.predict(result, x.assign(f=1.0))
    with pytest.raises(TypeError, match="column 'u' of newdata is categorical, but was not in the training data"):
        pyrrf.predict(result, x.assign(u=x["f"]))
    with pytest.raises(ValueError, match="categories that were not in the training data: 'd'"):
        pyrrf.predict(result, x.assign(f=pd.Categorical(np.resize(["a", "d"], 120))))
    with pytest.raises(ValueError, match="newdata lacks column"):
        pyrrf.predict(result, x[["u"]])


def test_ytest_without_xtest() -> None:
    with pytest.raises(ValueError, match="ytest is given without xtest"):
        fit(X, Y, ytest=Y)
