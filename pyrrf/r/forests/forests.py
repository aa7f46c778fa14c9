"""Forests: RRF() and randomForest(), their arguments and checks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from inspect import Parameter, Signature
from typing import Any

import numpy as np
import pandas as pd

import pyrrf
from pyrrf.checks import warn
from pyrrf.fit.call import ArgumentsOfR
from pyrrf.r.forests.fits import Changes, Fit, Grown, call_of, has_missing, vector_of
from pyrrf.r.stats.model_frames import Modelled, build_model_frame, is_formula
from pyrrf.r.stats.predictors import Table, call_port, table_of
from pyrrf.r.values.coercion import attrs, bare
from pyrrf.r.values.convert import categories
from pyrrf.r.values.errors import NotSupportedError, RError
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.kinds import factor_levels, inherits, is_factor, is_frame, is_null
from pyrrf.r.values.labels import dim_of, names_of
from pyrrf.r.values.methods import search
from pyrrf.r.values.vector import NUMBERS, Value, as_value, integers, null, strings
from pyrrf.result.regression import RegressionResult
from pyrrf.result.result import ForestResult, TestSet, VotesResult
from pyrrf.rlang.tokens import scan

# Keywords after the dots: the arguments for a formula, the variables of the script for names that are no columns, the
# call as the script has it, for ``fit$call``.
_BY_NAME = ("formula", "data", "subset", "na_action", "scope", "call")
# R's arguments and their defaults; None where R has none, or computes it.
_OF_BOTH = {one.name.replace("_", "."): one.default for one in fields(ArgumentsOfR) if one.name not in _BY_NAME}
_BEFORE_WEIGHTS = dict(list(_OF_BOTH.items())[:6])
FORMALS = {
    "RRF": _OF_BOTH | {"coefReg": None, "flagReg": 1, "feaIni": None},
    "randomForest": _BEFORE_WEIGHTS | {"weights": None} | _OF_BOTH,
}
_FLAGS = "replace importance localImp norm_votes keep_forest corr_bias keep_inbag proximity oob_prox".split()
_MOST_LEVELS = {"RRF": 32, "randomForest": 53}
_OF_TEXT = {
    "RRF": "NA/NaN/Inf in foreign function call (arg 2)",
    "randomForest": "non-numeric argument to binary operator",
}


# ---- both functions ------------------------------------------------------------------------------


def _signature(formals: Mapping[str, object]) -> Signature:
    """Return R's arguments; those that R ignores silently are ignored here, too."""
    placed = {name.replace(".", "_"): usual for name, usual in formals.items()}
    return Signature(
        [
            *(Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=usual) for name, usual in placed.items()),
            Parameter("dots", Parameter.VAR_POSITIONAL),
            *(Parameter(name, Parameter.KEYWORD_ONLY, default=None) for name in _BY_NAME),
            Parameter("ignored", Parameter.VAR_KEYWORD),
        ]
    )


def _grower(forest: str, what: str) -> Callable[..., Value]:
    """Return R's function that grows forests, with x and y or a formula and data."""
    parameters = _signature(FORMALS[forest])
    said = f"Grow a {what}: R's ``{forest}(x, y)`` and ``{forest}(formula, data)``."

    @r_function(
        forest,
        said,
        does="draws prints",
        formula=True,
        may_skip=("strata", "norm_votes"),
        masked=("subset",),
        called=("na_action",),
    )
    def grow(*args: object, **named: object) -> Value:
        bound = parameters.bind(*args, **named)
        bound.apply_defaults()
        values = bound.arguments
        arguments = {name: as_value(values[name.replace(".", "_")]) for name in FORMALS[forest]}
        x, y, formula, call = arguments["x"], arguments["y"], values["formula"], values["call"]
        formula = formula if is_null(x) or is_formula(formula) else x
        if not is_formula(formula):
            return _by_table(forest, arguments, call)
        if not is_null(arguments["xtest"]) or not is_null(arguments["ytest"]):
            raise RError("xtest/ytest not supported through the formula interface")
        data = values["data"]
        if is_null(data):
            data = y if is_null(x) or is_formula(x) else x
        # A formula in the call names variables that the translator has passed, or nothing.
        if call is not None and "~" in call:
            _check_names(formula, data, values["scope"] or {})
        model = build_model_frame(forest, formula, data, values["subset"], values["na_action"], values["scope"])
        return _by_formula(forest, model, arguments, call)

    grow.__signature__ = parameters  # type: ignore[attr-defined]
    return grow


RRF = _grower("RRF", "regularized random forest")
randomForest = _grower("randomForest", "random forest")


# ---- x and y -------------------------------------------------------------------------------------


def _by_table(function: str, arguments: Mapping[str, Value], call: str | None) -> Value:
    x, y, xtest, ytest = (arguments[name] for name in ("x", "y", "xtest", "ytest"))
    no_columns = "invalid 'times' argument" if function == "RRF" else "argument is of length zero"
    table = table_of(x, "x", no_columns)
    check_data(function, x, y, xtest, ytest)
    check_sizes(arguments)
    rest = settings(arguments, x, y)
    rest["y"] = response_of(function, y)
    test = None
    if not is_null(xtest):
        test = table_of(xtest, "xtest")
        rest["xtest"], rest["ytest"] = test.values, response_of(function, ytest)
    fit = call_port(getattr(pyrrf, function), table.values, **rest)
    if test is not None:
        _relabel(fit.test, test)
    return fit_by_table(function, fit, table, y, _as_given(fit, arguments), call)


def fit_by_table(function: str, fit: ForestResult, table: Table, y: Value, changes: Changes, call: str | None) -> Value:
    """Return a fit of x and y with R's labels, response and call."""
    fit.bare_rows = not table.frame and fit.named
    _relabel(fit, table)
    if is_factor(y) or (function == "RRF" and not is_null(y)):
        changes["y"] = y.copy()
    elif isinstance(fit, RegressionResult) and y._attributes:
        changes["y"] = Value("double", np.asarray(fit.response), y._attributes)
    if call is not None:
        changes["call"] = call_of(function, call, FORMALS[function])
    return Fit(Grown(fit, changes))


def _relabel(holder: ForestResult | TestSet, table: Table) -> None:
    """Set R's labels on the results for a matrix."""
    if not table.frame and table.rows is not None:
        holder.rows = pd.Index(table.rows, dtype=object)


def _as_given(fit: ForestResult, arguments: Mapping[str, Value]) -> Changes:
    """Return the arguments that R stores unchanged."""
    changes: Changes = {}
    trees, cutoff = arguments["ntree"], arguments["cutoff"]
    if trees._kind != "double" or trees._attributes:
        changes["ntree"] = trees.copy()
        changes["forest$ntree"] = trees.copy()
    if not is_null(cutoff) and isinstance(fit, VotesResult):
        names = names_of(cutoff)
        if names is not None:
            labels = [str(level) for level in fit.classes]
            shares = cutoff._data[[names.index(label) for label in labels]]
            cutoff = Value(cutoff._kind, shares, {"names": strings(labels)})
        changes["forest$cutoff"] = cutoff.copy()
    return changes


def check_data(function: str, x: Value, y: Value, xtest: Value, ytest: Value) -> None:
    """Stop with R's errors for invalid data."""
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
        if has_missing(value):
            raise RError(f"NA not permitted in {what}")
    if is_frame(x):
        _check_frames(function, x, xtest)
    if is_factor(y) and len(set(y._data.tolist())) < len(factor_levels(y)):
        raise RError("Can't have empty classes in y.")


def check_sizes(arguments: Mapping[str, Value]) -> None:
    """Stop with R's errors for invalid ntree, mtry or flags."""
    for name in ("mtry", "replace", "importance"):
        value = arguments[name]
        if value._kind in NUMBERS and len(value) == 1 and np.isnan(value._data[0]):
            raise RError("missing value where TRUE/FALSE needed")
    check_trees(arguments["ntree"])


def check_trees(count: Value) -> None:
    """Stop with R's errors for an invalid number of trees."""
    if count._kind in NUMBERS and len(count) == 1 and not count._data[0] > 0:
        if count._data[0] == 0:
            warn("no non-missing arguments to max; returning -Inf")
        raise RError("result would be too long a vector" if count._data[0] == 0 else "invalid 'length' argument")


def _check_frames(function: str, x: Value, xtest: Value) -> None:
    if not is_null(xtest) and not is_frame(xtest):
        raise RError("xtest must be data frame if x is")
    levels = [len(factor_levels(c)) for c in x._data if is_factor(c) and not inherits(c, "ordered")]
    if max(levels, default=0) > _MOST_LEVELS[function]:
        raise RError(f"Can not handle categorical predictors with more than {_MOST_LEVELS[function]} categories.")


def response_of(function: str, y: Value) -> pd.Categorical | np.ndarray | None:
    """Return a response for pyrrf: categories or numbers."""
    if is_null(y):
        return None
    if is_factor(y):
        return categories(y)
    if y._kind not in NUMBERS:
        raise RError(_OF_TEXT[function])
    if dim_of(y) is not None:
        raise NotSupportedError(f"{function}() with a matrix or a data frame as response")
    return y._data.copy()


def settings(arguments: Mapping[str, Value], x: Value, y: Value, quiet: bool = False) -> dict[str, Any]:
    """Return the arguments other than the data, converted for pyrrf."""
    _, p = dim_of(x) or (0, 0)
    if not quiet and not is_null(y) and not is_factor(y) and len(np.unique(y._data)) <= 5:
        warn("The response has five or fewer unique values.  Are you sure you want to do regression?")
    others = {name: value for name, value in arguments.items() if name not in ("x", "y", "xtest", "ytest")}
    rest = {name.replace(".", "_"): vector_of(_drop_label(value)) for name, value in others.items()}
    for name in _FLAGS:
        if isinstance(rest[name], float):
            if np.isnan(rest[name]):
                raise NotSupportedError(f"{name.replace('_', '.')} is NA")
            rest[name] = bool(rest[name])
    if isinstance(rest["do_trace"], float) and not rest["do_trace"]:
        rest["do_trace"] = False
    # Arguments that are vectors even with one value, and positions from 0.
    strata = arguments["strata"]
    if not is_null(strata):
        rest["strata"] = vector_of(Value(strata._kind, strata._data, attrs(strata, "levels", "class")))
    for name in ("coefReg", "weights"):
        if rest.get(name) is not None:
            rest[name] = arguments[name]._data
    if rest.get("feaIni") is not None:
        initial = np.unique(np.round(arguments["feaIni"]._data))
        rest["feaIni"] = (initial[(initial > 0) & (initial <= p)] - 1).astype(np.int64)
    return rest


def _drop_label(value: Value) -> Value:
    """Return a single number without names or dimensions; other values unchanged."""
    return bare(value) if len(value) == 1 and value._kind in NUMBERS else value


# ---- a formula -----------------------------------------------------------------------------------


def shape_of(model: Modelled) -> Value:
    """Return an empty matrix of the shape of a formula's data."""
    return Value("double", np.zeros(0), {"dim": integers([len(model.frame), len(model.terms.predictors)])})


def _check_names(formula: Value, data: object, scope: Mapping[str, object]) -> None:
    """Stop with R's error for a name in a formula that is undefined in the data, the script and R."""
    if not isinstance(data, Value) or not is_frame(data):
        return
    known = {*(names_of(data) or []), *scope}
    tokens = scan(str(formula._data[0]))
    for before, token, behind in zip([None, *tokens], tokens, [*tokens[1:], None], strict=False):
        apart = (before is not None and before.text == "$") or (behind is not None and behind.text in "(:")
        named = token.kind in ("name", "quoted") and not apart and token.text not in known
        if named and search(token.text)[0] is None:
            raise RError(f"object '{token.text}' not found")


def _by_formula(function: str, model: Modelled, arguments: Mapping[str, Value], call: str | None) -> Value:
    x, y = shape_of(model), null() if model.response is None else model.response
    rest = settings(arguments, x, y)
    check_data(function, x, y, null(), null())
    check_sizes(arguments)
    if y._kind == "character":
        raise RError(_OF_TEXT[function])
    fit = call_port(
        getattr(pyrrf, function), model.text, model.table, subset=model.rows, na_action=model.na_action, **rest
    )
    changes = _as_given(fit, arguments) | model.changes(function, fit)
    if call is not None:
        changes["call"] = call_of(function, call, ["formula", "data"], ["subset", "na.action"])
    return Fit(Grown(fit, changes))
