"""Searches and imputations by forests: tuneRRF, rrfcv, rrfImpute, na.roughfix, partialPlot."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd

import pyrrf
from pyrrf.data.roughfix import fill_numbers, most_frequent
from pyrrf.r.forests.fits import fit_of, has_missing
from pyrrf.r.forests.forests import FORMALS, check_data, fit_by_table, response_of, settings, shape_of
from pyrrf.r.formatting.deparse import arguments_of, join_tokens
from pyrrf.r.graphics.devices import pyplot_if_any
from pyrrf.r.stats.model_frames import build_model_frame, is_formula
from pyrrf.r.stats.predictors import call_port, table_of
from pyrrf.r.values.arguments import Mask, number, text
from pyrrf.r.values.coercion import without
from pyrrf.r.values.convert import frame_of
from pyrrf.r.values.errors import NotSupportedError, RError
from pyrrf.r.values.functions import Flag, Item, Number, Text, Whole, r_function
from pyrrf.r.values.kinds import classes, factor_levels, is_factor, is_frame, is_missing
from pyrrf.r.values.labels import dim_of, names_of
from pyrrf.r.values.labels import matrix_of as matrix
from pyrrf.r.values.vector import NUMBERS, Value, as_value, doubles, integers, list_of, null, objects, strings
from pyrrf.rbase.numbers import number_text

# ---- missing values ------------------------------------------------------------------------------


@r_function(classes="any formula")
def na_roughfix(object: Value, *dots: object, **ignored: object) -> Value:
    """Fill missing values by medians and most frequent levels: R's ``na.roughfix``."""
    x = object
    if is_frame(x):
        if not all(is_factor(c) or (c._kind in NUMBERS[1:] and not classes(c)) for c in x._data):
            raise RError("na.roughfix only works for numeric or factor")
        return Value("list", objects(map(_fill_gaps, x._data)), x._attributes)
    shape = dim_of(x)
    if x._kind == "list" or not is_missing(x).any():
        return x
    if shape is not None and len(shape) > 2:
        raise RError("can't handle objects with more than two dimensions")
    if x._kind not in NUMBERS[1:] or is_factor(x):
        raise RError("roughfix can only deal with numeric data.")
    if shape is None or len(shape) == 1:
        return _fill_gaps(x)
    columns = [_fill_gaps(Value(x._kind, column)) for column in x._data.reshape(shape, order="F").T]
    kind = "double" if any(column._kind == "double" for column in columns) else x._kind
    return Value(kind, np.concatenate([column._data for column in columns]), x._attributes)


def _fill_gaps(x: Value) -> Value:
    gaps = np.isnan(x._data)
    known = x._data[~gaps]
    if is_factor(x) and gaps.any():
        frequent = most_frequent(known.astype(np.int64) - 1, len(factor_levels(x)))
        return Value("integer", np.where(gaps, frequent + 1.0, x._data), x._attributes)
    if not gaps.any() or not len(known):
        return x.copy()
    kind = "integer" if x._kind == "integer" and len(known) % 2 else "double"
    return Value(kind, fill_numbers(x._data), x._attributes)


# ---- what both packages have ---------------------------------------------------------------------


def _settings(forest: str, named: Mapping[str, object], x: Value, y: Value) -> dict[str, Any]:
    """Return further arguments of a forest, converted for pyrrf; those that R ignores are left out."""
    known = {name.replace(".", "_"): name for name in FORMALS[forest] if name not in ("x", "y", "xtest", "ytest")}
    arguments: dict[str, object] = {}
    for name, value in named.items():
        plain = name.replace(".", "_")
        near = [plain] if plain in known else [full for full in known if full.startswith(plain)]
        if len(near) == 1:
            arguments[near[0]] = value
    usual = {"flagReg": 1.0, "do_trace": False}
    whole = {full: as_value(arguments.get(name, usual.get(name))) for name, full in known.items()}
    asked_for = settings(whole, x, y, quiet=True)
    return {name: asked_for[name] for name in arguments}


# ---- tuneRRF -------------------------------------------------------------------------------------


def _tuning(forest: str, name: str) -> Callable[..., Value]:
    @r_function(name, f"Search for the best mtry of `{forest}`: R's ``{name}``.", does="draws prints")
    def tune(
        x: Value,
        y: Value,
        mtryStart: Number | None = None,
        ntreeTry: Whole = 50,
        stepFactor: Number = 2,
        improve: Number = 0.05,
        trace: Flag = True,
        plot: Flag = True,
        doBest: Flag = False,
        *dots: object,
        call: str | None = None,
        **named: object,
    ) -> Value:
        table, response = table_of(x, "x"), response_of(forest, y)
        check_data(forest, x, y, null(), null())
        plot = plot and pyplot_if_any() is not None
        own = (mtryStart, ntreeTry, stepFactor, improve, trace, plot, doBest)
        tuned = call_port(getattr(pyrrf, name), table.values, response, *own, **_settings(forest, named, x, y))
        if doBest:
            return fit_by_table(forest, tuned, table, y, {}, _call_of_best(forest, call))
        rows = [number_text(v) + (".OOB" if is_factor(y) else "") for v in tuned["mtry"].astype(float)]
        grid = tuned[["mtry", "OOBError"]].to_numpy(np.float64)
        return matrix("double", grid, (rows, ["mtry", "OOBError"]))

    return tune


_OF_TUNING = "x y mtryStart ntreeTry stepFactor improve trace plot doBest".split()


def _call_of_best(forest: str, call: str | None) -> str:
    """Return R's call of the forest with the best mtry."""
    if call == "":
        return ""
    pairs = [] if call is None else arguments_of(call)
    more = [(name, tokens) for name, tokens in pairs if name and not any(own.startswith(name) for own in _OF_TUNING)]
    rest = "".join(f", {name} = {join_tokens(tokens)}" for name, tokens in more)
    return f"{forest}(x = x, y = y, mtry = res[which.min(res[, 2]), 1]{rest})"


tuneRRF = _tuning("RRF", "tuneRRF")
tuneRF = _tuning("randomForest", "tuneRF")


# ---- rrfcv ---------------------------------------------------------------------------------------


def _validation(forest: str, name: str) -> Callable[..., Value]:
    @r_function(
        name, f"Cross-validate `{forest}` on fewer and fewer features: R's ``{name}``.", does="draws", called=("mtry",)
    )
    def validate(
        trainx: Value,
        trainy: Value,
        cv_fold: Whole = 5,
        scale: Text = "log",
        step: Number = 0.5,
        mtry: Item | None = None,
        recursive: Flag = False,
        *dots: object,
        **named: object,
    ) -> Value:
        table, response = table_of(trainx, "trainx"), response_of(forest, trainy)
        if len(trainy) != len(table.labels):
            raise RError(f"NA not permitted in {'response' if len(trainy) < len(table.labels) else 'predictors'}")
        own = (cv_fold, scale, step, None if mtry is None else lambda p: number(mtry(doubles(p))), recursive)
        errors = call_port(
            getattr(pyrrf, name), table.values, response, *own, **_settings(forest, named, trainx, trainy)
        )
        sizes = np.asarray(errors.n_var, dtype=np.float64)
        about = {"names": strings([number_text(v) for v in sizes])}
        predicted = [_as_response(trainy, errors.predicted.iloc[:, j]) for j in range(len(sizes))]
        parts = [doubles(sizes), doubles(errors.error_cv, about), Value("list", objects(predicted), about)]
        return list_of(parts, ["n.var", "error.cv", "predicted"])

    return validate


def _as_response(y: Value, column: pd.Series) -> Value:
    """Return predictions with the attributes of the response."""
    if not is_factor(y):
        return doubles(column, y._attributes)
    codes = np.asarray(column.cat.codes, dtype=np.float64)
    return integers(np.where(codes < 0, np.nan, codes + 1), y._attributes)


rrfcv = _validation("RRF", "rrfcv")
rfcv = _validation("randomForest", "rfcv")


# ---- rrfImpute -----------------------------------------------------------------------------------


def _imputation(forest: str, name: str) -> Callable[..., Value]:
    said = f"Fill missing predictors by proximities of `{forest}`: R's ``{name}``; of a matrix it is refused."

    @r_function(name, said, does="draws prints", formula=True)
    def impute(
        x: Value,
        y: Value | None = None,
        iter: Whole = 5,
        ntree: Whole = 300,
        *dots: object,
        data: Item | None = None,
        subset: Item | None = None,
        call: str | None = None,
        **named: object,
    ) -> Value:
        act = getattr(pyrrf, name)
        if is_formula(x):
            model = build_model_frame("", x, y if data is None else data, subset, "na_pass", None)
            response = null() if model.response is None else model.response
            if not model.frame.isna().to_numpy().any():
                raise RError("No NAs found in m")
            label = model.shown.partition("~")[0].strip()
            rest = _settings(forest, named, shape_of(model), response)
            imputed = frame_of(
                call_port(act, model.text, None, iter, ntree, data=model.table, subset=model.rows, **rest)
            )
            rows = imputed._attributes["row.names"]
        else:
            table, response, label = table_of(x, "x"), null() if y is None else y, _code_of(call, "y", 1)
            if not has_missing(x):
                raise RError(f"No NAs found in {_code_of(call, 'x', 0)}")
            if not table.frame:
                raise NotSupportedError(f"{name}() of a matrix")
            rest = _settings(forest, named, x, response)
            imputed = frame_of(call_port(act, table.values, response_of(forest, response), iter, ntree, **rest))
            rows = x._attributes["row.names"]
        about = {"names": strings([label, *(names_of(imputed) or [])[1:]]), "row.names": rows}
        return Value("list", objects([without(response, "names"), *imputed._data[1:]]), imputed._attributes | about)

    return impute


def _code_of(call: str | None, name: str, place: int) -> str:
    """Return the code of x or y in a call: x is the first unnamed argument, y the second."""
    if call == "":
        raise NotSupportedError(f"the code of {name} that is handed over")
    arguments = [] if call is None else arguments_of(call)
    named = {name: tokens for name, tokens in arguments if name}
    bare = [tokens for name, tokens in arguments if not name]
    place -= name != "x" and "x" in named
    node = named.get(name) or (bare[place] if len(bare) > place else None)
    return name if node is None else join_tokens(node)


rrfImpute = _imputation("RRF", "rrfImpute")
rfImpute = _imputation("randomForest", "rfImpute")


# ---- partialPlot ---------------------------------------------------------------------------------


class _Symbol:
    def __init__(self, name: str) -> None:
        self.name = name


class _Symbols(Mask):
    """A scope in which each name is a symbol."""

    def __init__(self) -> None:
        pass

    def __getitem__(self, name: str) -> _Symbol:
        return _Symbol(name)

    def __call__(self, name: str, otherwise: Callable[[], object]) -> _Symbol:
        return _Symbol(name)


def _column_name(x: object) -> str:
    """Return the column of ``x.var``: an unquoted name, or the value of an expression."""
    if not callable(x):
        return text(x)
    try:
        column = x(_Symbols())
    except (TypeError, AttributeError, RError, NotSupportedError):
        column = None
    return column.name if isinstance(column, _Symbol) else text(x(Mask(list_of([], []))))


@r_function(does="draws", quiet=True, masked=("x_var",))
def partialPlot(
    x: Value,
    pred_data: Value | None = None,
    x_var: object = None,
    which_class: Text | None = None,
    w: Value | None = None,
    plot: Flag = True,
    add: Flag = False,
    n_pt: Whole | None = None,
    rug: Flag = True,
    xlab: Text | None = None,
    ylab: Text | None = "",
    main: Text | None = None,
    *dots: object,
    **graphics: object,
) -> Value:
    """Return the partial dependence on a feature, and draw it: R's ``partialPlot``; by a matrix it is refused."""
    fit, name = fit_of(x), _column_name(x_var)
    if pred_data is None or not is_frame(pred_data):
        raise NotSupportedError("partialPlot() with pred.data that is no data frame")
    values, can_draw = table_of(pred_data, "pred.data").values, pyplot_if_any() is not None
    dependence = call_port(
        pyrrf.partialPlot,
        fit,
        values,
        name,
        which_class,
        None if w is None else w._data,
        plot=plot and can_draw,
        add=add and can_draw,
        n_pt=n_pt,
        rug=rug,
        xlab=xlab,
        ylab=ylab or "",
        main=main,
    )
    points = strings(map(str, dependence.x)) if isinstance(dependence.x, list) else doubles(dependence.x)
    return list_of([points, doubles(dependence.y)], ["x", "y"])
