"""varImpPlot, partialPlot, MDSplot and plot: the numbers of the charts, and their axes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import count, flag, type_name
from pyrrf.data.alignment import by_name, check_rows
from pyrrf.data.inputs import as_factor, check_length, factor_from_strings
from pyrrf.errors import bad
from pyrrf.plots import drawing
from pyrrf.plots.graphics import read_graphics
from pyrrf.plots.library import pyplot
from pyrrf.plots.panels import literal, plain_text
from pyrrf.plots.partial import find_class, partial_dependence, read_predictor, read_weights
from pyrrf.random import call_stream
from pyrrf.rbase.arithmetic import quantile
from pyrrf.rbase.scaling import scale_proximities
from pyrrf.result.brief import Brief
from pyrrf.result.result import ForestResult
from pyrrf.result.summaries import importance, require_fit, require_forest, require_proximity

# R's default number of dots.
_MOST_DOTS = 30
# Above this number of points R marks the deciles under the curve, otherwise every value.
_FEW_POINTS = 10
# Longest name in a title, in letters.
_LONGEST_TITLE = 36
# The axis of these measures starts at 0.
_FROM_ZERO = ("IncNodePurity", "MeanDecreaseGini")


@dataclass(frozen=True, eq=False, repr=False)
class Chart(Brief):
    """A plot: its axes and the numbers that it shows.

    Attributes
    ----------
    axes : Axes or list of Axes
        Axes of matplotlib.
    data : DataFrame or Series
        The numbers of the plot.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_iris
    >>> iris = load_iris()
    >>> x, species = iris.drop(columns="Species"), iris["Species"]
    >>> chart = pyrrf.plot(pyrrf.RRF(x, species, ntree=20, seed=1))
    >>> chart.data.tail(1).round(3)
          OOB  setosa  versicolor  virginica
    20  0.047     0.0        0.08       0.06
    """

    axes: Any
    data: Any


@dataclass(frozen=True, eq=False, repr=False)
class PartialDependence(Brief):
    """Partial dependence on a feature: the mean prediction at each of its values.

    Attributes
    ----------
    x : ndarray of float64 or list
        Values of the predictor; levels of a factor.
    y : ndarray of float64
        Mean prediction at each value.
    axes : Axes or None
        None with ``plot=False``.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_mtcars
    >>> cars = load_mtcars()
    >>> x, mpg = cars.drop(columns="mpg"), cars["mpg"]
    >>> fit = pyrrf.RRF(x, mpg, ntree=20, seed=1)
    >>> curve = pyrrf.partialPlot(fit, x, "wt", n_pt=3, plot=False)
    >>> curve.x, curve.y.round(1)
    (array([1.513 , 3.4685, 5.424 ]), array([23.7, 19.5, 18.4]))
    """

    x: Any
    y: np.ndarray
    axes: Any = None


@dataclass(frozen=True, eq=False, repr=False)
class Scaling(Brief):
    """Classical scaling of proximities.

    Attributes
    ----------
    points : DataFrame, shape (n, k)
    eig : ndarray of float64, shape (n,)
        Eigenvalues, the largest first.
    GOF : ndarray of float64, shape (2,)
        Sum of the first k eigenvalues, divided by the sum of all absolute and of all positive ones.
    axes : Axes or ndarray of Axes
        One panel, or k x k.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_iris
    >>> iris = load_iris()
    >>> x, species = iris.drop(columns="Species"), iris["Species"]
    >>> fit = pyrrf.RRF(x, species, ntree=20, proximity=True, seed=1)
    >>> scaling = pyrrf.MDSplot(fit, species)
    >>> scaling.points.shape, scaling.GOF.round(2)
    ((150, 2), array([0.78, 0.85]))
    """

    points: pd.DataFrame
    eig: np.ndarray
    GOF: np.ndarray
    axes: Any


def _function(fit: ForestResult) -> str:
    """Return the name of the function that grew a fit, for a title."""
    return fit.call.partition("(")[0]


def varImpPlot(
    x: ForestResult,
    sort: bool = True,
    n_var: int | None = None,
    type: int | None = None,
    class_: Any = None,
    scale: bool = True,
    main: str | None = None,
    ax: Any = None,
    selected: bool = False,
    **graphics: Any,
) -> Chart:
    """Plot the importance of the features as dot charts (R's ``varImpPlot``).

    Parameters
    ----------
    x : ForestResult
        Fit.
    sort : bool, default True
        True = the most important features, from the top down; False = the first features of the data,
        from the bottom up.
    n_var : int, optional
        Number of features; at most 30 by default.
    type, class_ : optional
        As in `importance`.
    scale : bool, default True
        As in `importance`.
    main : str, optional
        Title; by default the name of the function that grew the fit.
    ax : Axes or sequence of Axes, optional
        Where to draw, one per measure; a new figure by default.
    selected : bool, default False
        Whether only the selected features are shown; the others of a guided fit are mostly 0.
    **graphics
        R's graphics arguments, as in `plot`, or matplotlib's, for the points.

    Returns
    -------
    Chart
        ``data`` holds the importances, at most two columns.

    Raises
    ------
    ImportError
        matplotlib is not installed.
    TypeError
        `x` is not a fit.
    ValueError
        `n_var` exceeds the number of features that may be shown, or as for `importance`.

    See Also
    --------
    importance : The numbers.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_iris
    >>> iris = load_iris()
    >>> x, species = iris.drop(columns="Species"), iris["Species"]
    >>> fit = pyrrf.RRF(x, species, ntree=50, importance=True, seed=1)
    >>> pyrrf.varImpPlot(fit).data.round(1)
                  MeanDecreaseAccuracy  MeanDecreaseGini
    Sepal.Length                   0.4               1.2
    Sepal.Width                    0.2               1.3
    Petal.Length                   0.8              48.8
    Petal.Width                    0.8              47.8
    """
    fit, ordered = require_fit(x, "x"), flag(sort, "sort")
    graphics_settings = read_graphics("varImpPlot", graphics, varImpPlot)
    table = importance(fit, type=type, class_=class_, scale=scale).iloc[:, -2:]
    if flag(selected, "selected"):
        table = table.iloc[np.flatnonzero(fit.outcome.used)]
    p = len(table)
    shown = min(_MOST_DOTS, p) if n_var is None else count(n_var, "n_var")
    if shown > p or p == 0:
        raise bad.range(f"n_var is {shown}, but the fit has {p} {'selected ' * selected}features; pass at most {p}")
    dots = importance_dots(table, shown, ordered)
    # fmin and fmax leave NaN out.
    lowest = (0.0 if measure in _FROM_ZERO else float(np.fmin.reduce(values)) for measure, _, values in dots)
    limits = list(zip(lowest, np.fmax.reduce(table.to_numpy()).tolist(), strict=True))
    axes = drawing.draw_importance(dots, limits, _function(fit) if main is None else main, ax, graphics_settings)
    return Chart(axes, table)


def importance_dots(table: pd.DataFrame, shown: int, ordered: bool) -> list[tuple[str, list[Any], np.ndarray]]:
    """Return the name of each measure, with labels and values of the features that are shown, from the bottom up."""
    labels, dots = table.index.tolist(), []
    for measure, column in zip(table, table.to_numpy().T, strict=True):
        order = np.argsort(-column, kind="stable")[:shown][::-1] if ordered else np.arange(shown)
        dots.append((str(measure), [labels[row] for row in order], column[order]))
    return dots


def partialPlot(
    x: ForestResult,
    pred_data: Any,
    x_var: Any,
    which_class: Any = None,
    w: Any = None,
    plot: bool = True,
    add: bool = False,
    n_pt: int | None = None,
    rug: bool = True,
    xlab: str | None = None,
    ylab: str = "",
    main: str | None = None,
    ax: Any = None,
    **graphics: Any,
) -> PartialDependence:
    """Plot the mean prediction against one predictor (R's ``partialPlot``).

    For classes the prediction is the log of the share of votes for a class, less the mean log over
    classes. Ties between votes draw from the stream's memory, as in `predict`.

    Parameters
    ----------
    x : ForestResult
        Fit with a forest.
    pred_data : DataFrame or array_like, shape (n, p)
        Rows over which the prediction is averaged, usually the training data.
    x_var : label or int
        Column of a DataFrame; position from 0 in an array.
    which_class : optional
        Class, or the start of its label; the first by default.
    w : array_like, shape (n,), optional
        Weights of the rows; 1 by default.
    plot : bool, default True
        Whether to draw.
    add : bool, default False
        Whether to draw into the current axes.
    n_pt : int, optional
        Number of points for a numeric predictor; by default one per distinct value, at most 51.
    rug : bool, default True
        Whether to mark the deciles of the predictor, or its values if there are at most 10 points.
    xlab : str, optional
        Label of the x axis; the predictor by default.
    ylab : str, default ''
        Label of the y axis.
    main : str, optional
        Title; "Partial Dependence on" the predictor by default.
    ax : Axes, optional
        Where to draw; a new figure by default.
    **graphics
        R's graphics arguments, as in `plot`, or matplotlib's, for the line or the bars.

    Returns
    -------
    PartialDependence

    Raises
    ------
    ImportError
        matplotlib is not installed.
    TypeError
        `x` is not a fit, or the predictor holds strings.
    ValueError
        There is no forest, or no such column or class, or as for `predict`.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_mtcars
    >>> cars = load_mtcars()
    >>> x, mpg = cars.drop(columns="mpg"), cars["mpg"]
    >>> fit = pyrrf.RRF(x, mpg, ntree=50, seed=1)
    >>> curve = pyrrf.partialPlot(fit, x, "wt", n_pt=3, plot=False)
    >>> curve.x, curve.y.round(1)
    (array([1.513 , 3.4685, 5.424 ]), array([23.4, 19.4, 18.9]))
    """
    fit, draws, adds = require_fit(x, "x"), flag(plot, "plot"), flag(add, "add")
    graphics_settings = read_graphics("partialPlot", graphics, partialPlot)
    draws_rug = flag(rug, "rug")
    require_forest(fit, "x")
    if fit.type == "unsupervised":
        raise bad.fit("x is an unsupervised forest, which cannot predict pred_data")
    focus = 0 if fit.type == "regression" else find_class(which_class, fit.classes)  # type: ignore[attr-defined]
    table, predictor = read_predictor(pred_data, x_var, n_pt, fit.quirks)
    weights = read_weights(w, table)
    if draws or adds:
        pyplot()
    with call_stream():
        y = partial_dependence(fit, table, x_var, predictor, focus, weights)
    name = literal(plain_text(x_var, _LONGEST_TITLE))
    labels = (name if xlab is None else xlab, ylab, f"Partial Dependence on {name}" if main is None else main)
    factor, axes = predictor.kind == "factor", None
    if adds:
        axes = drawing.add_partial(predictor.points, y, factor, ax, graphics_settings)
    elif draws and factor:
        axes = drawing.draw_partial_bars(predictor.labels, y, labels, ax, graphics_settings)
    elif draws:
        axes = drawing.draw_partial_line(predictor.points, y, labels, ax, graphics_settings)
    if draws_rug and draws and not factor and axes is not None:
        drawing.draw_rug(axes, _rug(predictor.values, len(predictor.points)))
    return PartialDependence(predictor.labels, y, axes)


def _rug(values: np.ndarray, n_points: int) -> np.ndarray:
    if n_points > _FEW_POINTS:
        return quantile(values, np.arange(1, 10) / 10)
    return np.unique(values)


def MDSplot(
    rf: ForestResult,
    fac: Any,
    k: int = 2,
    palette: Any = None,
    pch: Any = 20,
    ax: Any = None,
    **graphics: Any,
) -> Scaling:
    """Plot the scaling coordinates of the proximities (R's ``MDSplot``).

    Parameters
    ----------
    rf : ForestResult
        Fit with proximities.
    fac : array_like, shape (n,)
        Classes, shown by colour.
    k : int, default 2
        Number of dimensions; with more than two, all pairs are shown.
    palette : sequence of colours, dict or Series, optional
        One per class, in their order or, in a dict or Series, by class; by default ColorBrewer's Set1, or the rainbow
        for more than 9 classes.
    pch : int or str, default 20
        One of R's plotting symbols, or a matplotlib marker.
    ax : Axes, optional
        Where to draw one or two dimensions; a new figure by default.
    **graphics
        R's graphics arguments, as in `plot`, or matplotlib's, for the points.

    Returns
    -------
    Scaling
        The coordinates are R's up to rounding and the sign of each column, which depend on LAPACK. For
        equal eigenvalues LAPACK may choose any axes of the space that belongs to them. Then distances
        between rows over all these columns are R's, but single columns are not.

    Raises
    ------
    ImportError
        matplotlib is not installed.
    TypeError
        `rf` is not a fit.
    ValueError
        There are no proximities, `k` is too large, or there are too few colours.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_iris
    >>> iris = load_iris()
    >>> x, species = iris.drop(columns="Species"), iris["Species"]
    >>> fit = pyrrf.RRF(x, species, ntree=50, proximity=True, seed=1)
    >>> pyrrf.MDSplot(fit, species).points.abs().head(2).round(2)
       Dim 1  Dim 2
    0   0.56    0.1
    1   0.56    0.1
    """
    proximities = require_proximity(require_fit(rf, "rf"), "rf")
    graphics_settings = read_graphics("MDSplot", {"pch": pch, **graphics}, MDSplot)
    factor = as_factor(fac, "fac")
    check_length(len(factor.codes), len(proximities), "fac", "rf")
    check_rows(fac, "fac", proximities.index, "rf.proximity")
    palette = by_name(palette, "palette", factor.levels, of="class")
    points, eig, fit = scale_proximities(proximities, k)
    axes = drawing.draw_scaling(points, factor.codes, factor.levels, palette, ax, graphics_settings)
    return Scaling(points, eig, fit, axes)


def plot(x: Any, main: str | None = None, sort: bool = True, ax: Any = None, **graphics: Any) -> Chart:
    """Plot the error against the number of trees, or margins (R's ``plot``).

    Parameters
    ----------
    x : ForestResult or Series
        A fit for classes or regression: one line for all rows, then one per class. Or a Series that `margin`
        returned: one point per row, coloured by class.
    main : str, optional
        Title; by default the name of the function that grew the fit, or none for margins.
    sort : bool, default True
        Whether margins are sorted.
    ax : Axes, optional
        Where to draw; a new figure by default.
    **graphics
        R's ``col``, ``lwd``, ``lty``, ``pch``, ``bg``, ``cex`` and ``type``, for which a list has one value for each
        line or point; ``xlim``, ``ylim``, ``log``, ``xlab``, ``ylab``, ``las``, ``bty``, ``xaxt``, ``yaxt``, ``axes``,
        ``ann``, ``cex_axis``, ``cex_lab`` and ``cex_main``; or matplotlib's arguments for lines and points. Other
        arguments of R are refused; the error names a replacement.

    Returns
    -------
    Chart
        ``data`` holds the errors or the margins, as drawn.

    Raises
    ------
    ImportError
        matplotlib is not installed.
    TypeError
        `x` is neither a fit nor a Series.
    ValueError
        The fit has no errors because it is unsupervised or was combined.

    Notes
    -----
    With ``quirks=False`` the errors of the test set are shown too. R intends to show them, but its
    condition is never true.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_iris
    >>> iris = load_iris()
    >>> x, species = iris.drop(columns="Species"), iris["Species"]
    >>> fit = pyrrf.RRF(x, species, ntree=50, seed=1)
    >>> pyrrf.plot(fit).data.iloc[[0, 49]].round(3)
          OOB  setosa  versicolor  virginica
    1   0.037     0.0       0.118       0.00
    50  0.047     0.0       0.060       0.08
    """
    ordered, graphics_settings = flag(sort, "sort"), read_graphics("plot", graphics, plot)
    if isinstance(x, ForestResult):
        errors = error_table(x)
        return Chart(drawing.draw_errors(errors, _function(x) if main is None else main, ax, graphics_settings), errors)
    if not isinstance(x, pd.Series):
        raise bad.type(f"x must be a fit or a result of margin(), not {type_name(x)}")
    shown = x.dropna().sort_values(kind="stable") if ordered else x
    classes = factor_from_strings([str(label) for label in shown.index], "the index of x")
    axes = drawing.draw_margins(shown, classes.codes, classes.levels, main or "", ax, graphics_settings)
    return Chart(axes, shown)


def error_table(fit: Any) -> pd.DataFrame:
    """Return the errors by number of trees."""
    if fit.type == "unsupervised":
        raise bad.fit("x is unsupervised, so it has no errors to plot")
    name = "mse" if fit.type == "regression" else "err_rate"
    errors = getattr(fit, name)
    if errors is None:
        raise bad.fit("x has no errors to plot: combined fits have none; plot each fit before combining")
    parts = [_one_table(errors, "OOB")]
    test = None if fit.test is None else getattr(fit.test, name)
    if test is not None and not fit.quirks:
        parts.append(_one_table(test, "Test"))
    return pd.concat(parts, axis=1)


def _one_table(errors: Any, name: str) -> pd.DataFrame:
    """Return errors as a table with one row per tree, numbered from 1."""
    if isinstance(errors, pd.DataFrame):
        return errors
    values = np.asarray(errors)
    return pd.DataFrame({name: values}, index=pd.RangeIndex(1, len(values) + 1))
