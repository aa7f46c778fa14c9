"""The section on the data of a fit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.data.columns import kind_of
from pyrrf.data.response import numbers_or_classes
from pyrrf.plots.panels import plain_text
from pyrrf.reports.blocks import Block, Section, Table, Text, count_noun, format_short
from pyrrf.reports.summary import LONGEST, MOST_ROWS, SelectionSummary

# Most letters of the reason why a column is left out.
_LONGEST_REASON = 200
# For each value of a parameter whether it means regression.
_NUMERIC = {"regression": True, "variance": True, "classification": False, "gini": False}


def data_section(summary: SelectionSummary, X: Any, y: Any, left_out: Mapping[str, str]) -> Section:
    """Return a summary of the data; `left_out` has the reason for each column that is no feature."""
    fit = getattr(summary.selector, "result_", None)
    rows: list[list[str]] = []
    if fit is not None:
        rows.append(["rows used in the fit", f"{len(fit.rows):,}"])
    rows.append(["features", f"{len(summary.support):,}"])
    if X is not None:
        rows += [["rows passed to report()", f"{X.shape[0]:,}"], *_columns(X)]
    elif fit is not None and fit.forest is not None:
        rows.append(["categorical features", f"{int((fit.forest.ncat > 1).sum()):,}"])
    blocks: list[Block] = [Table(caption="Rows and features", heads=["item", "count"], rows=rows)]
    response = y if y is not None else None if fit is None else np.asarray(fit.y)
    if response is not None:
        blocks.append(_response(response, numeric=_is_regression(summary, response)))
    if left_out:
        columns = [[plain_text(name, LONGEST), plain_text(why, _LONGEST_REASON)] for name, why in left_out.items()]
        blocks.append(
            Table(caption="Columns left out", heads=["column", "reason"], rows=columns[:MOST_ROWS], words=[1])
        )
    if X is None:
        blocks.append(Text("Pass X and y to report() for missing values, substitutes and importances per tree."))
    return Section("data", "The data", blocks)


def _columns(X: Any) -> list[list[str]]:
    """Return counts of the columns by content."""
    if hasattr(X, "toarray"):
        share = X.nnz / max(X.shape[0] * X.shape[1], 1)
        return [["density (share of stored values)", f"{share:.2%}"]]
    frame = X if isinstance(X, pd.DataFrame) else pd.DataFrame(X, copy=False)
    missing = frame.isna().to_numpy().sum(axis=0)
    categories = sum(kind_of(column) in ("categories", "words") for _, column in frame.items())
    constant = sum(frame.iloc[:, position].nunique(dropna=False) < 2 for position in range(frame.shape[1]))
    return [
        ["categorical features", f"{categories:,}"],
        ["constant features", f"{constant:,}"],
        ["missing values", f"{int(missing.sum()):,}"],
        ["features with missing values", f"{int((missing > 0).sum()):,}"],
    ]


def _is_regression(summary: SelectionSummary, y: np.ndarray) -> bool:
    """Return whether the fit is a regression, from its parameters, or else from y by the rule of the selectors."""
    from pyrrf.sklearn.parameters import predicts_numbers

    fit = getattr(summary.selector, "result_", None)
    if fit is not None:
        return bool(fit.type == "regression")
    answers = [_NUMERIC.get(str(getattr(summary.inner, name, None))) for name in ("task", "criterion")]
    answers += [predicts_numbers(getattr(summary.inner, "judge", None), "judge"), numbers_or_classes(y)[0]]
    return next(answer for answer in answers if answer is not None)


def _response(y: np.ndarray, numeric: bool) -> Table:
    """Return a table of the classes with their counts, or of the quartiles of a numeric target."""
    if numeric:
        quartiles = np.quantile(np.asarray(y, np.float64), [0, 0.25, 0.5, 0.75, 1])
        words = ("minimum", "lower quartile", "median", "upper quartile", "maximum")
        rows = [[word, format_short(value)] for word, value in zip(words, quartiles.tolist(), strict=True)]
        return Table(caption="Target: numeric (regression)", heads=["statistic", "value"], rows=rows)
    counts = pd.Series(np.asarray(y)).value_counts()
    rows = [[plain_text(label, LONGEST), f"{number:,}"] for label, number in counts.items()][:MOST_ROWS]
    kinds = count_noun(len(counts), "class", "classes")
    return Table(caption=f"Target: {kinds}", heads=["class", "rows"], rows=rows)
