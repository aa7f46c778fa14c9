"""Pictures of fits: plot(), varImpPlot and MDSplot."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd

import pyrrf
from pyrrf.plots.charts import Chart
from pyrrf.r.forests.answers import importance
from pyrrf.r.forests.fits import fit_of, is_fit, part
from pyrrf.r.graphics.devices import device_now, drawing, pyplot_if_any
from pyrrf.r.graphics.style import words_of
from pyrrf.r.stats.predictors import call_port
from pyrrf.r.values.arguments import text
from pyrrf.r.values.coercion import cells_of, factor_labels
from pyrrf.r.values.errors import NotSupportedError, RError
from pyrrf.r.values.functions import Flag, Number, Whole, r_function
from pyrrf.r.values.kinds import is_null
from pyrrf.r.values.labels import dimnames_of, matrix_of, names_of
from pyrrf.r.values.vector import Value, as_value, objects
from pyrrf.r.values.visibility import invisible


def _draw_page(draw: Callable[[], Chart]) -> None:
    """Draw a page by pyrrf's own plot, where matplotlib allows it."""
    device = device_now()
    device.has_plot = True
    if pyplot_if_any() is None:
        return
    with contextlib.suppress(ValueError, TypeError, NotSupportedError):
        device.write()
        axes = np.ravel(draw().axes)[0]
        device.figure, device.at = axes.figure, device.grid[0] * device.grid[1]


@r_function(quiet=True)
def varImpPlot(
    x: Value,
    sort: Flag = True,
    n_var: Whole | None = None,
    type: Number | None = None,
    class_: Value | None = None,
    scale: Flag = True,
    main: Value | None = None,
    *dots: object,
    **named: object,
) -> Value:
    """Draw the importance of the features, and return it: R's ``varImpPlot``."""
    if not is_fit(x):
        raise RError("This function only works for objects of class `randomForest'")
    table = importance(x, type, class_, scale)
    rows, columns = dimnames_of(table)
    grid = cells_of(table)
    if grid.shape[1] > 2:
        table = matrix_of("double", grid[:, -2:], (rows, (columns or [])[-2:]))
    _draw_page(
        lambda: pyrrf.varImpPlot(
            fit_of(x),
            sort,
            None if n_var is None else min(n_var, len(grid)),
            None if type is None else int(type),
            None if class_ is None else text(class_),
            scale,
            None if main is None else text(main),
        )
    )
    return invisible(table)


@r_function(quiet=True)
def MDSplot(
    rf: Value, fac: Value, k: Whole = 2, palette: object = None, pch: object = 20, *dots: object, **named: object
) -> Value:
    """Draw the scaling of the proximities; its coordinates, which depend on LAPACK, are refused when they are used."""
    if not is_fit(rf):
        raise RError("rf must be a RRF object")
    if part(rf, "proximity") is None:
        raise RError("rf does not contain a proximity matrix")
    _draw_page(lambda: call_port(pyrrf.MDSplot, fit_of(rf), [str(label) for label in factor_labels(fac)._data], k))
    return invisible(Value("opaque", objects(["the coordinates of MDSplot()"])))


def plot_result(x: Value, how: Mapping[str, Value]) -> Value:
    """Draw the errors of a fit, or margins; return the errors."""
    main = words_of(how.get("main"))
    parts = dict(zip(names_of(x) or [], x._data, strict=True)) if is_fit(x) else {}
    errors = [parts[name] for name in ("err.rate", "mse") if name in parts and is_null(as_value(parts.get("test")))]
    with drawing(new=True) as axes:
        if axes is None:
            return invisible(*errors)
        if is_fit(x):
            fit = fit_of(x)
            if fit.type == "unsupervised":
                raise RError("No plot method for unsupervised randomForest.")
            pyrrf.plot(fit, main=main, ax=axes)
        else:
            pyrrf.plot(pd.Series(x._data, index=pd.Index(names_of(x) or [], dtype=object)), main=main, ax=axes)
    return invisible(*errors)
