"""Pictures of fits: plot(), varImpPlot and MDSplot."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

import pyrrf
from pyrrf.r.forests.answers import importance
from pyrrf.r.forests.fits import fit_of, is_fit, part
from pyrrf.r.graphics.devices import device_now, drawing, pyplot_if_any
from pyrrf.r.graphics.style import words_of
from pyrrf.r.stats.predictors import asked
from pyrrf.r.values.arguments import flag, number
from pyrrf.r.values.arguments import text as _text
from pyrrf.r.values.attributes import dim_of, dimnames_of, factor_labels, names_of
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.vector import (
    NotMovedError,
    RError,
    Value,
    as_value,
    doubles,
    integers,
    is_null,
    listed,
    null,
    strings,
)
from pyrrf.r.values.visibility import invisible


@r_function(quiet=True)
def varImpPlot(
    x: Any, sort: Any = True, n_var: Any = None, type: Any = None, class_: Any = None, scale: Any = True,
    main: Any = None, *dots: Any, **named: Any,
) -> Value:  # fmt: skip
    """Draw the importance of the features, and return it: R's ``varImpPlot``."""
    if not is_fit(x):
        raise RError("This function only works for objects of class `randomForest'")
    table = importance(x, type, class_, scale)
    n, p = dim_of(table) or (0, 0)
    if p > 2:
        rows, columns = dimnames_of(table)
        labels = listed([null() if rows is None else strings(rows), strings((columns or [])[-2:])])
        table = doubles(table._data[(p - 2) * n :], {"dim": integers([n, 2]), "dimnames": labels})
    plt = pyplot_if_any()
    if plt is not None:
        device = device_now()
        with contextlib.suppress(ValueError, TypeError, NotMovedError):
            device.write()
            settings: dict[str, Any] = {
                "type": None if is_null(type) else int(number(type)),
                "scale": flag(scale),
                "sort": flag(sort),
            }
            chart = pyrrf.varImpPlot(
                fit_of(x),
                n_var=None if is_null(n_var) else min(int(number(n_var)), n),
                main=None if is_null(main) else _text(main),
                class_=None if is_null(class_) else _text(class_),
                **settings,
            )
            axes = chart.axes[0] if isinstance(chart.axes, list | tuple | np.ndarray) else chart.axes
            device.figure, device.at = axes.figure, device.grid[0] * device.grid[1]
    return invisible(table)


@r_function(quiet=True)
def MDSplot(rf: Any, fac: Any, k: Any = 2, palette: Any = None, pch: Any = 20, *dots: Any, **named: Any) -> Value:
    """Draw the scaling of the proximities; its coordinates, which depend on LAPACK, are refused when they are used."""
    if not is_fit(rf):
        raise RError("rf must be a RRF object")
    if part(rf, "proximity") is None:
        raise RError("rf does not contain a proximity matrix")
    plt = pyplot_if_any()
    if plt is not None:
        device = device_now()
        labels = [str(label) for label in factor_labels(as_value(fac))._data]
        with contextlib.suppress(NotMovedError):
            device.write()
            found = asked(pyrrf.MDSplot, fit_of(rf), labels, int(number(k)))
            axes = np.ravel(found.axes)[0]
            device.figure, device.at = axes.figure, device.grid[0] * device.grid[1]
    return invisible(Value("opaque", np.array(["the coordinates of MDSplot()"], dtype=object)))


def plot_result(x: Value, how: Mapping[str, Value]) -> Value:
    """Draw the errors of a fit, or margins."""
    main = words_of(how.get("main"))
    with drawing(new=True) as axes:
        if axes is None:
            return invisible()
        if is_fit(x):
            fit = fit_of(x)
            if fit.type == "unsupervised":
                raise RError("No plot method for unsupervised randomForest.")
            pyrrf.plot(fit, main=main, ax=axes)
        else:
            pyrrf.plot(pd.Series(x._data, index=pd.Index(names_of(x) or [], dtype=object)), main=main, ax=axes)
    return invisible()
