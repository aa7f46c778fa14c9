"""What the data of a fit were."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pyrrf.data.kinds import kind_of
from pyrrf.plots.panels import plain_text
from pyrrf.reports.blocks import Block, Section, Table, Text, counted, short
from pyrrf.reports.facts import LONGEST, MOST_ROWS, Facts


def data_section(facts: Facts, X: Any, y: Any) -> Section:
    """Return a summary of the data."""
    fit = getattr(facts.selector, "result_", None)
    rows: list[list[str]] = []
    if fit is not None:
        rows.append(["rows of the fit", f"{len(fit.rows):,}"])
    rows.append(["features", f"{len(facts.support):,}"])
    if X is not None:
        rows += [["rows given to this page", f"{X.shape[0]:,}"], *_columns(X)]
    elif fit is not None and fit.forest is not None:
        rows.append(["of them with categories", f"{int((fit.forest.ncat > 1).sum()):,}"])
    blocks: list[Block] = [Table(caption="Rows and features", heads=["what", "number"], rows=rows)]
    response = y if y is not None else None if fit is None else np.asarray(fit.y)
    if response is not None:
        blocks.append(_response(response, numeric=_holds_numbers(facts, response)))
    if X is None:
        blocks.append(Text("Pass X and y to the report for more: missing values, substitutes, boxes."))
    return Section("data", "The data", blocks)


def _columns(X: Any) -> list[list[str]]:
    """Return what the columns hold."""
    if hasattr(X, "toarray"):
        share = X.nnz / max(X.shape[0] * X.shape[1], 1)
        return [["share of values that are stored", f"{share:.2%}"]]
    frame = X if isinstance(X, pd.DataFrame) else pd.DataFrame(X, copy=False)
    missing = frame.isna().to_numpy().sum(axis=0)
    categories = sum(kind_of(column) in ("categories", "words") for _, column in frame.items())
    constant = sum(frame.iloc[:, at].nunique(dropna=False) < 2 for at in range(frame.shape[1]))
    return [
        ["features with categories", f"{categories:,}"],
        ["features of one value", f"{constant:,}"],
        ["missing values", f"{int(missing.sum()):,}"],
        ["features with missing values", f"{int((missing > 0).sum()):,}"],
    ]


def _holds_numbers(facts: Facts, y: np.ndarray) -> bool:
    fit = getattr(facts.selector, "result_", None)
    if fit is not None:
        return bool(fit.type == "regression")
    return np.asarray(y).dtype.kind == "f"


def _response(y: np.ndarray, numeric: bool) -> Table:
    """Return the classes with their numbers, or where numbers lie."""
    if numeric:
        at = np.quantile(np.asarray(y, np.float64), [0, 0.25, 0.5, 0.75, 1])
        words = ("least", "lower quartile", "median", "upper quartile", "largest")
        rows = [[word, short(value)] for word, value in zip(words, at.tolist(), strict=True)]
        return Table(caption="What is predicted: a number", heads=["what", "value"], rows=rows)
    counts = pd.Series(np.asarray(y)).value_counts()
    rows = [[plain_text(label, LONGEST), f"{number:,}"] for label, number in counts.items()][:MOST_ROWS]
    kinds = counted(len(counts), "class", "classes")
    return Table(caption=f"What is predicted: {kinds}", heads=["class", "rows"], rows=rows)
