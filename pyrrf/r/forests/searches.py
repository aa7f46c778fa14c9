"""Searches and imputations by forests: tuneRRF, rrfcv, rrfImpute, na.roughfix, partialPlot, MDSplot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import pyrrf
from pyrrf.r.forests.fits import Fit, Grown, fit_of
from pyrrf.r.forests.forests import FORMALS, _relabel, _response, _settings
from pyrrf.r.formatting.deparse import arguments_of, matched_call, spelled
from pyrrf.r.stats.model_frames import is_formula, modelled
from pyrrf.r.stats.predictors import Table, asked, table_of
from pyrrf.r.values.arguments import Mask, flag, number, text
from pyrrf.r.values.attributes import (
    classes,
    dim_of,
    dimnames_value,
    factor_levels,
    is_factor,
    is_frame,
    is_missing,
    names_of,
)
from pyrrf.r.values.convert import frame_of
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.vector import (
    NUMBERS,
    NotMovedError,
    RError,
    Value,
    as_value,
    doubles,
    integers,
    is_null,
    listed,
    null,
    objects,
    strings,
)
from pyrrf.rbase.arithmetic import median
from pyrrf.rbase.numbers import number_text

# ---- missing values ------------------------------------------------------------------------------


def na_roughfix(object: Any, *dots: Any, **ignored: Any) -> Value:
    """Fill missing values by medians and most frequent levels: R's ``na.roughfix``."""
    x: Value = as_value(object)
    if is_frame(x):
        plain = [is_factor(c) or (c._kind in NUMBERS[1:] and not classes(c)) for c in x._data]
        if not all(plain):
            raise RError("na.roughfix only works for numeric or factor")
        return Value("list", objects([_filled(column) for column in x._data]), x._attributes)
    shape = dim_of(x)
    if x._kind == "list" or not is_missing(x).any():
        return x
    if shape is not None and len(shape) > 2:
        raise RError("can't handle objects with more than two dimensions")
    if x._kind not in NUMBERS[1:] or is_factor(x):
        raise RError("roughfix can only deal with numeric data.")
    if shape is None or len(shape) == 1:
        return _filled(x)
    columns = [_filled(Value(x._kind, column)) for column in x._data.reshape(shape, order="F").T]
    kind = "double" if any(column._kind == "double" for column in columns) else x._kind
    return Value(kind, np.concatenate([column._data for column in columns]), x._attributes)


def _filled(x: Value) -> Value:
    gaps = np.isnan(x._data)
    if not gaps.any():
        return x.copy()
    known = x._data[~gaps]
    if is_factor(x):
        counts = np.bincount(known.astype(np.int64), minlength=len(factor_levels(x)) + 1)[1:]
        return Value("integer", np.where(gaps, float(np.argmax(counts)) + 1, x._data), x._attributes)
    if not len(known):
        return x.copy()
    kind = "integer" if x._kind == "integer" and len(known) % 2 else "double"
    data = np.where(gaps, float(median(known)), x._data)
    return Value(kind, data, x._attributes)


# ---- tuneRRF -------------------------------------------------------------------------------------


@r_function(draws=True, prints=True)
def tuneRRF(
    x: Any,
    y: Any,
    mtryStart: Any = None,
    ntreeTry: Any = 50,
    stepFactor: Any = 2,
    improve: Any = 0.05,
    trace: Any = True,
    plot: Any = True,
    doBest: Any = False,
    *dots: Any,
    call: str | None = None,
    **named: Any,
) -> Value:
    """Search for the best mtry: R's ``tuneRRF``."""
    return _tuned(
        "RRF", pyrrf.tuneRRF, x, y, (mtryStart, ntreeTry, stepFactor, improve, trace, plot, doBest), call, named
    )


@r_function(draws=True, prints=True)
def tuneRF(
    x: Any,
    y: Any,
    mtryStart: Any = None,
    ntreeTry: Any = 50,
    stepFactor: Any = 2,
    improve: Any = 0.05,
    trace: Any = True,
    plot: Any = True,
    doBest: Any = False,
    *dots: Any,
    call: str | None = None,
    **named: Any,
) -> Value:
    """Search for the best mtry of `randomForest`: R's ``tuneRF``."""
    return _tuned(
        "randomForest", pyrrf.tuneRF, x, y, (mtryStart, ntreeTry, stepFactor, improve, trace, plot, doBest), call, named
    )


_OF_TUNING = "x y mtryStart ntreeTry stepFactor improve trace plot doBest".split()


def _tuned(
    function: str,
    search: Callable[..., Any],
    x: Any,
    y: Any,
    own: tuple[Any, ...],
    call: str | None,
    named: dict[str, Any],
) -> Value:
    table, y = table_of(x, "x"), as_value(y)
    start, trees, factor, improve, trace, plot, best = own
    rest = _passed(function, named, x, y)
    found = asked(
        search,
        table.values,
        _response(function, y),
        None if is_null(start) else number(start),
        int(number(trees)),
        number(factor),
        number(improve),
        flag(trace),
        flag(plot) and _can_draw(),
        flag(best),
        **rest,
    )
    if flag(best):
        return _fitted(function, found, table, y, call)
    mtry = found["mtry"].to_numpy(np.float64)
    ends = ".OOB" if is_factor(y) else ""
    rows = [f"{number_text(v)}{ends}" for v in mtry]
    values = np.concatenate([mtry, found["OOBError"].to_numpy(np.float64)])
    about = {"dim": integers([len(rows), 2]), "dimnames": dimnames_value([[*rows], ["mtry", "OOBError"]])}
    return Value("double", values, about)


def _can_draw() -> bool:
    try:
        import matplotlib.pyplot  # noqa: F401
    except ImportError:
        return False
    return True


def _passed(function: str, named: dict[str, Any], x: Any, y: Value) -> dict[str, Any]:
    """Return further arguments of a forest as pyrrf takes them; those that R ignores are left out."""
    known = {name.replace(".", "_"): name for name in FORMALS[function] if name not in ("x", "y", "xtest", "ytest")}
    found: dict[str, Any] = {}
    for name, value in named.items():
        plain = name.replace(".", "_")
        near = [plain] if plain in known else [full for full in known if full.startswith(plain)]
        if len(near) == 1:
            found[near[0]] = as_value(value)
    defaults = {"flagReg": 1.0} if function == "RRF" else {}
    whole = dict.fromkeys(known.values(), None) | defaults | {"do.trace": False}
    whole |= {known[name]: value for name, value in found.items()}
    asked_for = _settings(function, whole, as_value(x), y, quiet=True)
    return {name: asked_for[name] for name in found}


def _fitted(function: str, fit: Any, table: Table, y: Value, call: str | None) -> Value:
    """Return a fit that a search has grown by x and y."""
    _relabel(fit, table)
    changes: dict[str, Any] = {}
    if function == "RRF" or is_factor(y):
        changes["y"] = y.copy()
    elif y._attributes:
        changes["y"] = Value("double", np.asarray(fit.response), y._attributes)
    more = [] if call is None else [(n, t) for n, t in arguments_of(call) if n and not _is_own(n)]
    rest = "".join(f", {name} = {spelled(tokens)}" for name, tokens in more)
    text_of_call = f"{function}(x = x, y = y, mtry = res[which.min(res[, 2]), 1]{rest})"
    changes["call"] = matched_call(function, text_of_call, FORMALS[function])
    return Fit(Grown(fit, changes))


def _is_own(name: str) -> bool:
    return any(own.startswith(name) for own in _OF_TUNING)


# ---- rrfcv ---------------------------------------------------------------------------------------


@r_function(draws=True, called=("mtry",))
def rrfcv(
    trainx: Any,
    trainy: Any,
    cv_fold: Any = 5,
    scale: Any = "log",
    step: Any = 0.5,
    mtry: Any = None,
    recursive: Any = False,
    *dots: Any,
    **named: Any,
) -> Value:
    """Cross-validate forests on fewer and fewer features: R's ``rrfcv``."""
    return _validated("RRF", pyrrf.rrfcv, trainx, trainy, (cv_fold, scale, step, mtry, recursive), named)


@r_function(draws=True, called=("mtry",))
def rfcv(
    trainx: Any,
    trainy: Any,
    cv_fold: Any = 5,
    scale: Any = "log",
    step: Any = 0.5,
    mtry: Any = None,
    recursive: Any = False,
    *dots: Any,
    **named: Any,
) -> Value:
    """Cross-validate forests of `randomForest`: R's ``rfcv``."""
    return _validated("randomForest", pyrrf.rfcv, trainx, trainy, (cv_fold, scale, step, mtry, recursive), named)


def _validated(
    function: str, search: Callable[..., Any], x: Any, y: Any, own: tuple[Any, ...], named: dict[str, Any]
) -> Value:
    table, y = table_of(x, "trainx"), as_value(y)
    folds, scale, step, mtry, recursive = own
    rest = _passed(function, named, x, y)
    count = None if is_null(mtry) else lambda p: number(mtry(doubles(p)))
    found = asked(
        search,
        table.values,
        _response(function, y),
        int(number(folds)),
        text(scale),
        number(step),
        count,
        flag(recursive),
        **rest,
    )
    sizes = np.asarray(found.n_var, dtype=np.float64)
    labels = strings([number_text(v) for v in sizes])
    predicted = []
    for j in range(found.predicted.shape[1]):
        column = found.predicted.iloc[:, j]
        if is_factor(y):
            codes = column.cat.codes.to_numpy().astype(np.float64)
            predicted.append(Value("integer", np.where(codes < 0, np.nan, codes + 1), y._attributes))
        else:
            predicted.append(Value("double", column.to_numpy(np.float64), y._attributes))
    errors = doubles(found.error_cv.to_numpy(np.float64), {"names": labels})
    return listed(
        [doubles(sizes), errors, Value("list", objects(predicted), {"names": labels})],
        ["n.var", "error.cv", "predicted"],
    )


# ---- rrfImpute -----------------------------------------------------------------------------------


@r_function(draws=True, formula=True, prints=True, keeps_call=True)
def rrfImpute(
    x: Any, y: Any = None, iter: Any = 5, ntree: Any = 300, *dots: Any, data: Any = None, subset: Any = None,
    call: str | None = None, **named: Any,
) -> Value:  # fmt: skip
    """Fill missing predictors by proximities: R's ``rrfImpute``; of a matrix it is refused."""
    return _imputed("RRF", pyrrf.rrfImpute, x, y, iter, ntree, data, subset, call, named)


@r_function(draws=True, formula=True, prints=True, keeps_call=True)
def rfImpute(
    x: Any, y: Any = None, iter: Any = 5, ntree: Any = 300, *dots: Any, data: Any = None, subset: Any = None,
    call: str | None = None, **named: Any,
) -> Value:  # fmt: skip
    """Fill missing predictors by proximities of `randomForest`: R's ``rfImpute``; of a matrix it is refused."""
    return _imputed("randomForest", pyrrf.rfImpute, x, y, iter, ntree, data, subset, call, named)


def _imputed(
    function: str,
    impute: Callable[..., Any],
    x: Any,
    y: Any,
    rounds: Any,
    ntree: Any,
    data: Any,
    subset: Any,
    call: str | None,
    named: dict[str, Any],
) -> Value:
    count = int(number(rounds))
    if is_formula(x):
        model = modelled("", x, y if is_null(data) else data, subset, "na_pass", None)
        response = null() if model.response is None else model.response
        label = str(model.shown).partition("~")[0].strip()
        rest = _passed(function, named, model_shape(model), response)
        found = asked(impute, model.text, None, count, int(number(ntree)), data=model.table, subset=model.rows, **rest)
    else:
        table, response = table_of(x, "x"), as_value(y)
        if not table.frame:
            raise NotMovedError(f"{impute.__name__}() of a matrix")
        label = _label(call)
        rest = _passed(function, named, x, response)
        found = asked(impute, table.values, _response(function, response), count, int(number(ntree)), **rest)
    made = frame_of(found)
    rows = made._attributes["row.names"] if is_formula(x) else as_value(x)._attributes["row.names"]
    first = Value(response._kind, response._data, {k: v for k, v in response._attributes.items() if k != "names"})
    names = strings([label, *(names_of(made) or [])[1:]])
    return Value("list", objects([first, *made._data[1:]]), made._attributes | {"names": names, "row.names": rows})


def model_shape(model: Any) -> Value:
    """Return an empty matrix of the shape of a formula's data."""
    return Value("double", np.zeros(0), {"dim": integers([len(model.frame), len(model.terms.predictors)])})


def _label(call: str | None) -> str:
    """Return what the script calls y."""
    given = [] if call is None else arguments_of(call)
    named = {name: tokens for name, tokens in given if name}
    bare = [tokens for name, tokens in given if not name]
    place = 0 if "x" in named else 1
    found = named.get("y") or (bare[place] if len(bare) > place else None)
    return "y" if found is None else spelled(found)


# ---- partialPlot ---------------------------------------------------------------------------------


class _Symbol:
    def __init__(self, name: str) -> None:
        self.name = name


class _Symbols(Mask):
    """Gives the names themselves."""

    def __init__(self) -> None:
        pass

    def __getitem__(self, name: str) -> Any:
        return _Symbol(name)

    def __call__(self, name: str, otherwise: Callable[[], Any]) -> Any:
        return _Symbol(name)


def _column_name(x: Any) -> str:
    """Return the column that ``x.var`` means: a name without quotes, or what it evaluates to."""
    if callable(x) and not isinstance(x, Value):
        try:
            found = x(_Symbols())
        except (TypeError, AttributeError, RError, NotMovedError):
            found = None
        if isinstance(found, _Symbol):
            return found.name
        x = x(Mask(Value("list", objects([]), {"names": strings([])})))
    return text(x)


@r_function(draws=True, quiet=True, masked=("x_var",))
def partialPlot(
    x: Any,
    pred_data: Any = None,
    x_var: Any = None,
    which_class: Any = None,
    w: Any = None,
    plot: Any = True,
    add: Any = False,
    n_pt: Any = None,
    rug: Any = True,
    xlab: Any = None,
    ylab: Any = "",
    main: Any = None,
    *dots: Any,
    **graphics: Any,
) -> Value:
    """Return the partial dependence on a feature, and draw it: R's ``partialPlot``; by a matrix it is refused."""
    fit, data = fit_of(x), as_value(pred_data)
    name = _column_name(x_var)
    if not is_frame(data):
        raise NotMovedError("partialPlot() with pred.data that is no data frame")
    table = table_of(data, "pred.data")
    labels = {"xlab": xlab, "ylab": ylab, "main": main}
    found = asked(
        pyrrf.partialPlot,
        fit,
        table.values,
        name,
        None if is_null(which_class) else text(which_class),
        None if is_null(w) else as_value(w)._data,
        plot=flag(plot) and _can_draw(),
        add=flag(add) and _can_draw(),
        n_pt=None if is_null(n_pt) else int(number(n_pt)),
        rug=flag(rug),
        **{key: text(value) for key, value in labels.items() if not is_null(value)},
    )
    points = strings([str(v) for v in found.x]) if isinstance(found.x, list) else doubles(found.x)
    return listed([points, doubles(found.y)], ["x", "y"])
