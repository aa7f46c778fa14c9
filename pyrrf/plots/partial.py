"""Partial dependence: the mean prediction for each value of one predictor."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pyrrf import _core
from pyrrf.checks import count, numbers
from pyrrf.data.alignment import check_rows, row_labels
from pyrrf.data.inputs import check_length
from pyrrf.data.tables import frame_or_array
from pyrrf.errors import bad
from pyrrf.rbase.arithmetic import row_means, spread_points, weighted_mean
from pyrrf.rbase.numbers import label
from pyrrf.result.predict import predict_table
from pyrrf.result.result import ForestResult
from pyrrf.types import Column

# R's largest default number of points.
_MOST_POINTS = 51
# Largest number of cells, of new rows or of their votes, in one block.
_BLOCK = 500_000
# R's value for the log of a share of 0.
_NO_VOTE = float(_core.elementary("log", np.array([np.finfo(np.float64).eps]))[0])


@dataclass(frozen=True)
class Predictor:
    """The predictor that varies."""

    kind: str  # {"factor", "ordered", "number"}
    values: np.ndarray  # float64, shape (n,): numbers, or codes: from 1 if ordered, from 0 for a factor
    # float64, shape (k,): the values at which the dependence is computed; codes from 0 for a factor
    points: np.ndarray
    column: Column  # the column as given

    @property
    def labels(self) -> Any:
        """The labels of the x axis: levels of a factor, otherwise the points."""
        return self.column.cat.categories.tolist() if self.kind == "factor" else self.points

    def repeat(self, points: np.ndarray, n: int, quirks: bool) -> Any:
        """Return the column of blocks of n rows, one block per point."""
        repeated_points = np.repeat(points, n)
        if self.kind == "number" or (self.kind == "ordered" and quirks):
            return repeated_points
        dtype: Any = self.column.dtype
        codes = repeated_points.astype(np.int64) - (self.kind == "ordered")
        return pd.Categorical.from_codes(codes, dtype=dtype)


def read_predictor(pred_data: Any, x_var: Any, n_pt: Any, quirks: bool) -> tuple[Any, Predictor]:
    """Return the table as a DataFrame or array, and the predictor that varies."""
    table = frame_or_array(pred_data, "pred_data")
    if table.ndim != 2 or len(table) == 0:
        raise bad.shape(f"pred_data must be a table with at least one row, not of shape {table.shape}")
    column = _column(table, x_var)
    if column.isna().any():
        raise bad.missing(f"column {x_var!r} of pred_data holds missing values; drop those rows", "pred_data")
    return table, _predictor(column, x_var, n_pt, quirks)


def _column(table: Any, x_var: Any) -> Column:
    labels = table.columns.tolist() if isinstance(table, pd.DataFrame) else range(table.shape[1])
    if x_var not in labels:
        kind = "a column" if isinstance(table, pd.DataFrame) else "a column position from 0"
        raise bad.unknown(
            f"x_var must be {kind} of pred_data, one of {list(labels)}, not {x_var!r}",
            in_r="undefined columns selected",
        )
    if isinstance(table, pd.DataFrame):
        return table.iloc[:, labels.index(x_var)]
    return pd.Series(table[:, x_var])


def _predictor(column: Column, x_var: Any, n_pt: Any, quirks: bool) -> Predictor:
    if isinstance(column.dtype, pd.CategoricalDtype):
        codes = column.cat.codes.to_numpy(dtype=np.float64)
        if not column.dtype.ordered:
            return Predictor("factor", codes, np.arange(float(len(column.cat.categories))), column)
        values, kind = codes + 1, "ordered"
    elif pd.api.types.is_numeric_dtype(column.dtype):
        values, kind = column.to_numpy(dtype=np.float64), "number"
    else:
        raise bad.type(
            f"column {x_var!r} of pred_data has dtype {column.dtype}; pass numbers or categories", "pred_data"
        )
    # As in R the first of 0 and -0 is the least, and the largest; min() may take either.
    low, high = float(values[values.argmin()]), float(values[values.argmax()])
    if kind == "ordered" and not quirks:
        return Predictor(kind, values, np.arange(low, high + 1), column)
    n = min(len(np.unique(values)), _MOST_POINTS) if n_pt is None else count(n_pt, "n_pt")
    return Predictor(kind, values, spread_points(low, high, n), column)


def find_class(which_class: Any, classes: list[Any]) -> int:
    """Return the position of a class, given by its label or the start of its label; the first by default."""
    if which_class is None:
        return 0
    if which_class in classes:
        return classes.index(which_class)
    texts, start = [label(known) for known in classes], label(which_class)
    if start in texts:  # as in R, the number 2 is the label "2"
        return texts.index(start)
    starts = [position for position, text in enumerate(texts) if text.startswith(start)]
    if len(starts) != 1:
        reason = "is not one of" if not starts else "is the start of more than one of"
        in_r = "" if starts else f"{start}is not one of the class labels."
        raise bad.unknown(f"which_class {which_class!r} {reason} the classes {classes}; pass one of them", in_r=in_r)
    return starts[0]


def read_weights(w: Any, table: Any) -> np.ndarray:
    """Return one weight per row of `pred_data`; 1 by default."""
    if w is None:
        return np.ones(len(table))
    weights = numbers(w, "w")
    check_length(len(weights), len(table), "w", "pred_data")
    check_rows(w, "w", row_labels(table), "pred_data")
    return weights


def partial_dependence(
    fit: ForestResult, table: Any, x_var: Any, predictor: Predictor, focus: int, weights: np.ndarray
) -> np.ndarray:
    """Return the mean prediction at each point, float64, shape (k,).

    For classes it is the mean of the log of the share of votes for the class `focus`, less the
    mean log over classes. Points are predicted in blocks. Rows draw for ties in their order, so
    the stream advances as with one call per point.
    """
    assert fit.forest is not None
    n, means = len(table), []
    # With empty leaves the vote of a row may depend on the row before, which must belong to the same point.
    at_once = 1 if fit.forest.has_empty_leaves else _BLOCK // (n * max(table.shape[1], fit.forest.nclass or 1))
    with warnings.catch_warnings():
        # Points between the levels of an ordered factor are numbers, as in R, and cause this warning.
        warnings.filterwarnings("ignore", re.escape(f"column {x_var!r} of pred_data holds numbers"))
        for points, rows in _blocks(table, x_var, predictor, fit.quirks, max(1, at_once)):
            values = _predictions(fit, rows, focus)
            means += [weighted_mean(values[point * n : (point + 1) * n], weights) for point in range(len(points))]
    return np.array(means)


def _blocks(
    table: Any, x_var: Any, predictor: Predictor, quirks: bool, at_once: int
) -> Iterator[tuple[np.ndarray, Any]]:
    """Yield points and stacked copies of the table, one per point."""
    n = len(table)
    for start in range(0, len(predictor.points), at_once):
        points = predictor.points[start : start + at_once]
        repeated = np.tile(np.arange(n), len(points))
        column = predictor.repeat(points, n, quirks)
        if isinstance(table, pd.DataFrame):
            rows = table.iloc[repeated].reset_index(drop=True)
            rows.isetitem(table.columns.tolist().index(x_var), column)
        else:
            rows = table[repeated].astype(np.float64)
            rows[:, x_var] = column
        yield points, rows


def _predictions(fit: ForestResult, rows: Any, focus: int) -> np.ndarray:
    if fit.type == "regression":
        return np.asarray(predict_table(fit, rows, "response"), dtype=np.float64)
    shares = np.asarray(predict_table(fit, rows, "prob"))
    logs, voted = np.full(shares.shape, _NO_VOTE), shares != 0
    logs[voted] = _core.elementary("log", shares[voted])
    return np.asarray(logs[:, focus] - row_means(logs))
