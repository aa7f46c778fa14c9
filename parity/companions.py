"""The companions on both sides: R's function of each verb, and plain forms of pyrrf's answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

import pyrrf
from parity.plain import plain, plain_fit
from parity.steps import Step
from parity.values import Value, numbers, record, text

R_NAMES = {
    "how_many": "how.many",
    "cv_fold": "cv.fold",
    "pred_data": "pred.data",
    "x_var": "x.var",
    "which_class": "which.class",
    "n_pt": "n.pt",
    "n_var": "n.var",
}
"""pyrrf's argument names that differ from R's."""

FUNCTIONS = {
    "combine": "pyrrf_combine",
    "grow": "grow",
    "outlier": "outlier",
    "classCenter": "classCenter",
    "na_roughfix": "na.roughfix",
    "rrfImpute": "rrfImpute",
    "tuneRRF": "tuneRRF",
    "rrfcv": "rrfcv",
    "rfImpute": "rfImpute",
    "tuneRF": "tuneRF",
    "rfcv": "rfcv",
    "partialPlot": "partialPlot",
    "varImpPlot": "pyrrf_varImpPlot",
    "plot": "pyrrf_plot",
    "MDSplot": "pyrrf_MDSplot",
}
"""R's functions by verb."""

R_PLAIN = {
    "combine": "pyrrf_plain_combined",
    "grow": "pyrrf_plain_combined",
    "tuneRRF": "pyrrf_plain_tuneRRF",
    "rrfImpute": "pyrrf_plain_rrfImpute",
    "tuneRF": "pyrrf_plain_tuneRRF",
    "rfImpute": "pyrrf_plain_rrfImpute",
} | dict.fromkeys(
    ("outlier", "classCenter", "na_roughfix", "rrfcv", "rfcv", "partialPlot", "varImpPlot", "plot", "MDSplot"),
    "pyrrf_plain_asis",
)
"""R functions (of result and `keep`) that make an answer plain, by verb."""

PRINTING = ("tuneRRF", "rrfImpute", "tuneRF", "rfImpute")
"""Verbs whose printed lines are compared."""


def call(verb: str, args: dict[str, Any]) -> Any:
    """Call the companion; plots are drawn into nothing."""
    import matplotlib as mpl

    mpl.use("agg")
    if verb == "combine":
        return pyrrf.combine(*args.values())
    result = getattr(pyrrf, verb)(**args)
    if verb in ("varImpPlot", "plot", "MDSplot"):
        _close()
    return result


def _close() -> None:
    # Imported late: only plots need matplotlib.
    from matplotlib import pyplot as plt

    plt.close("all")


def plain_combined(fit: Any, step: Step) -> Value:
    """Components of a combined fit; R drops the names of classes that it predicts."""
    parts = plain_fit(fit, step).data
    records = [parts] + ([parts["test"].data] if parts["test"].kind == "record" else [])
    for components in records:
        if components["predicted"].kind == "factor":
            components["predicted"] = replace(components["predicted"], names=[None])
    if parts["test"].kind == "record":
        parts["test"] = _sorted(parts["test"].data)
    return record(parts) if step.keep else _sorted(parts)


def _sorted(parts: dict[str, Value]) -> Value:
    return record(dict(sorted(parts.items())))


def plain_columns(table: Any, step: Step) -> Value:
    """Columns of a table, or an array."""
    if not isinstance(table, pd.DataFrame):
        return plain(table)
    return record({str(name): plain(table[name], rows=False) for name in table})


def plain_imputed(table: Any, step: Step) -> Value:
    """Columns after imputation; the first is the response."""
    if isinstance(table, pd.DataFrame):
        table = table.set_axis(["y", *table.columns[1:]], axis=1)
    return plain_columns(table, step)


def plain_tuned(result: Any, step: Step) -> Value:
    """The table of tuneRRF, or the best fit."""
    if isinstance(result, pd.DataFrame):
        return plain(result, rows=False)
    return plain_fit(result, step)


def plain_validated(cv: Any, step: Step) -> Value:
    """R's list of rrfcv."""
    sizes = [f"{size:g}" for size in cv.n_var]
    predicted = {name: plain(cv.predicted[size], rows=False) for name, size in zip(sizes, cv.n_var, strict=True)}
    errors = numbers(cv.error_cv, [sizes])
    return record({"n.var": numbers(cv.n_var), "error.cv": errors, "predicted": record(predicted)})


def plain_dependence(curve: Any, step: Step) -> Value:
    """R's list of partialPlot."""
    return record({"x": text(curve.x) if isinstance(curve.x, list) else numbers(curve.x), "y": numbers(curve.y)})


def plain_chart(chart: Any, step: Step) -> Value:
    """The numbers of a plot; errors of a regression are a vector in R."""
    if step.verb == "plot" and chart.data.shape[1] == 1:
        return numbers(chart.data.iloc[:, 0])
    return plain(chart.data)


def plain_scaling(scaling: Any, step: Step) -> Value:
    """The list of MDSplot that both sides have."""
    return record({"points": plain(scaling.points), "eig": numbers(scaling.eig), "GOF": numbers(scaling.GOF)})


def plain_script(result: Any, step: Step) -> Value:
    """Value that a script returned: of a companion, as that companion's answer."""
    for kind, way in ((pyrrf.CrossValidation, plain_validated), (pyrrf.PartialDependence, plain_dependence)):
        if isinstance(result, kind):
            return way(result, step)
    return plain_columns(result, step) if step.args["what"] == "impute_formula" else plain(result)


def _plain_other(result: Any, step: Step) -> Value:
    return plain(result)


PLAIN: dict[str, Callable[[Any, Step], Value]] = {
    "combine": plain_combined,
    "grow": plain_combined,
    "outlier": _plain_other,
    "classCenter": _plain_other,
    "na_roughfix": plain_columns,
    "rrfImpute": plain_imputed,
    "tuneRRF": plain_tuned,
    "rrfcv": plain_validated,
    "rfImpute": plain_imputed,
    "tuneRF": plain_tuned,
    "rfcv": plain_validated,
    "partialPlot": plain_dependence,
    "varImpPlot": plain_chart,
    "plot": plain_chart,
    "MDSplot": plain_scaling,
    "compute": plain_script,
}


# ---- pieces of scripts ---------------------------------------------------------------------------


def cross_validate(x: Any, y: Any, **arguments: Any) -> Any:
    """Run rrfcv with half of the predictors as candidates."""
    return pyrrf.rrfcv(x, y, mtry=lambda p: np.ceil(p / 2), **arguments)


def impute_formula(data: Any, ntree: int, iter: int) -> Any:
    """Impute from a formula."""
    return pyrrf.rrfImpute("y ~ .", data, ntree=ntree, iter=iter)


def partial_column(fit: Any, x: Any) -> Any:
    """Dependence on the first column of a matrix."""
    return pyrrf.partialPlot(fit, x, 0, plot=False)


def centres(x: Any, y: Any, fit: Any, **arguments: Any) -> Any:
    """Prototypes by the proximities of a fit."""
    return pyrrf.classCenter(x, y, fit.proximity, **arguments)


def outlying(fit: Any, **arguments: Any) -> Any:
    """Outlyingness by a matrix of proximities."""
    return pyrrf.outlier(fit.proximity, **arguments)


SCRIPTS: dict[str, Callable[..., Any]] = {
    "cross_validate": cross_validate,
    "impute_formula": impute_formula,
    "partial_column": partial_column,
    "centres": centres,
    "outlying": outlying,
}
