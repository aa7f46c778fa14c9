"""Forests: RRF, randomForest, predict, importance, and what else R computes from a fit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

import pyrrf
from pyrrf.checks import warn
from pyrrf.r.forests.fits import Fit, Grown, has_missing, vector_of
from pyrrf.r.formatting.deparse import matched_call
from pyrrf.r.stats.model_frames import is_formula, modelled
from pyrrf.r.stats.predictors import asked, table_of
from pyrrf.r.values.attributes import dim_of, factor_levels, inherits, is_factor, is_frame, names_of
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.vector import NUMBERS, NotMovedError, RError, Value, as_value, integers, is_null, null, strings

_FORMALS = (
    "x y xtest ytest ntree mtry replace classwt cutoff strata sampsize nodesize maxnodes importance localImp nPerm "
    "proximity oob.prox norm.votes do.trace keep.forest corr.bias keep.inbag"
).split()
FORMALS = {
    "RRF": [*_FORMALS, "coefReg", "flagReg", "feaIni"],
    "randomForest": [*_FORMALS[:6], "weights", *_FORMALS[6:]],
}
_FLAGS = "replace importance localImp norm_votes keep_forest corr_bias keep_inbag proximity oob_prox".split()
_MOST_LEVELS = {"RRF": 32, "randomForest": 53}
_OF_TEXT = {
    "RRF": "NA/NaN/Inf in foreign function call (arg 2)",
    "randomForest": "non-numeric argument to binary operator",
}


@r_function(
    draws=True, formula=True, may_skip=("strata", "norm_votes"), prints=True, masked=("subset",), called=("na_action",)
)
def RRF(
    x: Any = None,
    y: Any = None,
    xtest: Any = None,
    ytest: Any = None,
    ntree: Any = 500,
    mtry: Any = None,
    replace: Any = True,
    classwt: Any = None,
    cutoff: Any = None,
    strata: Any = None,
    sampsize: Any = None,
    nodesize: Any = None,
    maxnodes: Any = None,
    importance: Any = False,
    localImp: Any = False,
    nPerm: Any = 1,
    proximity: Any = None,
    oob_prox: Any = None,
    norm_votes: Any = True,
    do_trace: Any = False,
    keep_forest: Any = None,
    corr_bias: Any = False,
    keep_inbag: Any = False,
    coefReg: Any = None,
    flagReg: Any = 1,
    feaIni: Any = None,
    *dots: Any,
    formula: Any = None,
    data: Any = None,
    subset: Any = None,
    na_action: Any = None,
    scope: Mapping[str, Any] | None = None,
    call: str | None = None,
    **ignored: Any,
) -> Value:
    """Grow a regularized random forest: R's ``RRF(x, y)`` and ``RRF(formula, data)``.

    Parameters
    ----------
    scope : dict, optional
        The variables of the script, for names of the formula that are no columns of `data`.
    call : str, optional
        The call as the script has it, for ``fit$call``.
    **ignored
        What R swallows without a word, too.
    """
    return _grow("RRF", locals())


@r_function(
    draws=True, formula=True, may_skip=("strata", "norm_votes"), prints=True, masked=("subset",), called=("na_action",)
)
def randomForest(
    x: Any = None,
    y: Any = None,
    xtest: Any = None,
    ytest: Any = None,
    ntree: Any = 500,
    mtry: Any = None,
    weights: Any = None,
    replace: Any = True,
    classwt: Any = None,
    cutoff: Any = None,
    strata: Any = None,
    sampsize: Any = None,
    nodesize: Any = None,
    maxnodes: Any = None,
    importance: Any = False,
    localImp: Any = False,
    nPerm: Any = 1,
    proximity: Any = None,
    oob_prox: Any = None,
    norm_votes: Any = True,
    do_trace: Any = False,
    keep_forest: Any = None,
    corr_bias: Any = False,
    keep_inbag: Any = False,
    *dots: Any,
    formula: Any = None,
    data: Any = None,
    subset: Any = None,
    na_action: Any = None,
    scope: Mapping[str, Any] | None = None,
    call: str | None = None,
    **ignored: Any,
) -> Value:
    """Grow a random forest: R's ``randomForest(x, y)`` and ``randomForest(formula, data)``; see `RRF`."""
    return _grow("randomForest", locals())


def _grow(function: str, given: Mapping[str, Any]) -> Value:
    arguments = {name: given[name.replace(".", "_")] for name in FORMALS[function]}
    formula = given["formula"] if is_null(given["x"]) or is_formula(given["formula"]) else given["x"]
    if not is_formula(formula):
        return _by_table(function, arguments, given["call"])
    data = given["data"]
    if is_null(data):
        second = given["x"] if not is_formula(given["x"]) else None
        data = arguments["y"] if is_null(second) else second
    if not is_null(arguments["xtest"]) or not is_null(arguments["ytest"]):
        raise RError("xtest/ytest not supported through the formula interface")
    return _by_formula(function, formula, data, arguments, given)


# ---- x and y -------------------------------------------------------------------------------------


def _by_table(function: str, arguments: dict[str, Any], call: str | None) -> Value:
    x, y = as_value(arguments["x"]), as_value(arguments["y"])
    no_columns = "invalid 'times' argument" if function == "RRF" else "argument is of length zero"
    table = table_of(x, "x", no_columns)
    _check_data(function, x, y, as_value(arguments["xtest"]), as_value(arguments["ytest"]))
    rest = _settings(function, arguments, x, y)
    rest["y"] = _response(function, y)
    test = None
    if not is_null(arguments["xtest"]):
        test = table_of(arguments["xtest"], "xtest")
        rest["xtest"], rest["ytest"] = test.values, _response(function, as_value(arguments["ytest"]))
    fit = asked(getattr(pyrrf, function), table.values, **rest)
    _relabel(fit, table)
    if test is not None:
        _relabel_test(fit.test, test)
    changes = _as_given(fit, arguments)
    if not is_null(y) and (function == "RRF" or is_factor(y)):
        changes["y"] = y.copy()
    elif not is_null(y) and y._attributes:
        changes["y"] = Value("double", np.asarray(fit.response), y._attributes)
    if call:
        changes["call"] = matched_call(function, call, FORMALS[function])
    return Fit(Grown(fit, changes))


def _relabel(fit: Any, table: Any) -> None:
    """Give a fit on a matrix the labels that R's has."""
    fit.bare_rows = not table.frame and fit.named
    if not table.frame and table.rows is not None:
        fit.rows = pd.Index(table.rows, dtype=object)


def _relabel_test(test: Any, table: Any) -> None:
    if not table.frame and table.rows is not None:
        test.rows = pd.Index(table.rows, dtype=object)


def _as_given(fit: Any, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts that R keeps as they were given."""
    changes = {}
    trees = as_value(arguments["ntree"])
    if trees._kind != "double" or trees._attributes:
        changes["ntree"] = trees.copy()
        changes["forest$ntree"] = trees.copy()
    cutoff = as_value(arguments["cutoff"])
    if not is_null(cutoff) and fit.type != "regression":
        names = names_of(cutoff)
        if names is not None:
            classes = fit.classes if hasattr(fit, "classes") else ["1", "2"]
            places = [names.index(str(level)) for level in classes]
            cutoff = Value(cutoff._kind, cutoff._data[places], {"names": strings([names[i] for i in places])})
        changes["forest$cutoff"] = cutoff.copy()
    return changes


def _check_data(function: str, x: Value, y: Value, xtest: Value, ytest: Value) -> None:
    """Stop where R does, in R's words."""
    shape = dim_of(x) or (0, 0)
    if is_factor(y) and len(np.unique(y._data)) < 2:
        raise RError("Need at least two classes to do classification.")
    if shape[0] == 0:
        raise RError("data (x) has 0 rows")
    if not is_null(xtest) and (dim_of(xtest) or (0, 0))[1] != shape[1]:
        raise RError("x and xtest must have same number of columns")
    if not is_null(y) and len(y) != shape[0]:
        raise RError("length of response must be the same as predictors")
    for value, what in ((x, "predictors"), (xtest, "xtest"), (y, "response"), (ytest, "ytest")):
        if not is_null(value) and has_missing(value):
            raise RError(f"NA not permitted in {what}")
    if is_frame(x):
        _check_frames(function, x, xtest)
    if is_factor(y) and len(set(y._data.tolist())) < len(factor_levels(y)):
        raise RError("Can't have empty classes in y.")


def _check_frames(function: str, x: Value, xtest: Value) -> None:
    if not is_null(xtest) and not is_frame(xtest):
        raise RError("xtest must be data frame if x is")
    levels = [len(factor_levels(c)) for c in x._data if is_factor(c) and not inherits(c, "ordered")]
    if max(levels, default=0) > _MOST_LEVELS[function]:
        raise RError(f"Can not handle categorical predictors with more than {_MOST_LEVELS[function]} categories.")


def _response(function: str, y: Value) -> Any:
    """Return a response for pyrrf: categories or numbers."""
    if is_null(y):
        return None
    if is_factor(y):
        return vector_of(
            Value("integer", y._data, {k: v for k, v in y._attributes.items() if k in ("levels", "class")})
        )
    if y._kind not in NUMBERS:
        raise RError(_OF_TEXT[function])
    if dim_of(y) is not None or is_frame(y):
        raise NotMovedError(f"{function}() with a matrix or a data frame as response")
    return y._data.copy()


def _settings(function: str, arguments: Mapping[str, Any], x: Value, y: Value, quiet: bool = False) -> dict[str, Any]:
    """Return the arguments but for the data, as pyrrf takes them."""
    n, p = dim_of(x) or (0, 0)
    if not quiet and not is_null(y) and not is_factor(y) and len(np.unique(y._data)) <= 5:
        warn("The response has five or fewer unique values.  Are you sure you want to do regression?")
    given = {name: value for name, value in arguments.items() if name not in ("x", "y", "xtest", "ytest")}
    rest = {name.replace(".", "_"): vector_of(value) for name, value in given.items()}
    _check_settings(function, rest, n, p, y)
    for name in _FLAGS:
        if isinstance(rest[name], float):
            rest[name] = bool(rest[name])
    if isinstance(rest["do_trace"], float) and not rest["do_trace"]:
        rest["do_trace"] = False
    return rest | _as_vectors(arguments, rest, p)


def _as_vectors(arguments: Mapping[str, Any], given: Mapping[str, Any], p: int) -> dict[str, Any]:
    """Return the settings that are vectors even if they have one value, and positions from 0."""
    rest: dict[str, Any] = {}
    if given.get("strata") is not None:
        rest["strata"] = vector_of(_bare(arguments["strata"]))
    for name in ("coefReg", "weights"):
        if given.get(name) is not None:
            rest[name] = as_value(arguments[name])._data
    if given.get("feaIni") is not None:
        found = np.unique(np.round(as_value(arguments["feaIni"])._data))
        rest["feaIni"] = (found[(found > 0) & (found <= p)] - 1).astype(np.int64)
    return rest


def _bare(x: Any) -> Value:
    x = as_value(x)
    return Value(x._kind, x._data, {k: v for k, v in x._attributes.items() if k in ("levels", "class")})


def _check_settings(function: str, rest: Mapping[str, Any], n: int, p: int, y: Value) -> None:
    if function == "RRF":
        _check_prices(rest, p)
    size = rest["sampsize"]
    if size is not None and np.ndim(size) == 0 and size > n:
        raise RError("sampsize too large")
    if size is not None and np.ndim(size) and not is_factor(y) and not is_null(y):
        raise RError("sampsize should be of length one")
    cutoff = rest["cutoff"]
    if cutoff is not None and is_factor(y):
        shares = np.atleast_1d(np.asarray(cutoff, dtype=np.float64))
        if len(shares) != len(factor_levels(y)) or (shares <= 0).any() or shares.sum() > 1 + 1e-12:
            raise RError("Incorrect cutoff specified.")


def _check_prices(rest: Mapping[str, Any], p: int) -> None:
    if np.ndim(rest["flagReg"]) or rest["flagReg"] not in (0, 1):
        raise RError("flagReg must be 0 or 1")
    if rest["coefReg"] is None:
        return
    given = np.atleast_1d(np.asarray(rest["coefReg"], dtype=np.float64))
    if given.max() > 1:
        raise RError("coefReg can not be greater than 1")
    if given.max() <= 0:
        raise RError("There should be a least one entry in coefReg greater than 0")
    if len(given.ravel()) not in (1, p):
        raise RError("the length of coefReg must be 1 or the number of predictor variables")


# ---- a formula -----------------------------------------------------------------------------------


def _by_formula(function: str, formula: Any, data: Any, arguments: dict[str, Any], given: Mapping[str, Any]) -> Value:
    model = modelled(function, formula, data, given["subset"], given["na_action"], given["scope"])
    y = null() if model.response is None else model.response
    shape = Value("double", np.zeros(0), {"dim": integers([len(model.frame), len(model.terms.predictors)])})
    rest = _settings(function, arguments, shape, y)
    _check_data(function, shape, y, null(), null())
    if y._kind == "character":
        raise RError(_OF_TEXT[function])
    fit = asked(getattr(pyrrf, function), model.text, model.table, subset=model.rows, na_action=model.na_action, **rest)
    changes = _as_given(fit, arguments) | model.changes(function, fit)
    if given["call"]:
        changes["call"] = matched_call(function, given["call"], ["formula", "data"], ["subset", "na.action"])
    return Fit(Grown(fit, changes))
