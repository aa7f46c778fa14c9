"""summary(): selected features, their importances, and the meaning of the error."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import pandas as pd

from pyrrf.rbase import numbers
from pyrrf.rbase.numbers import format_number

CAVEAT = (
    "The error out of bag of a regularized fit is no estimate of its error: "
    "the features were chosen with all rows. Judge them on other rows."
)
# The rows of a table that are shown; the rest is counted.
_MOST_ROWS = 20


@dataclass(frozen=True, eq=False)
class Summary:
    """Table of `summary`; printed, and shown by a notebook as HTML.

    Attributes
    ----------
    title : str
        How many features were kept.
    table : DataFrame
        The features that were kept, as ``fit.selected``; of `randomForest`, those that its trees split by.
    error : str or None
        The error out of bag; None where there is none.
    caveat : str or None
        Limits of the error; None for a forest without regularization.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_iris
    >>> iris = load_iris()
    >>> x, species = iris.drop(columns="Species"), iris["Species"]
    >>> found = pyrrf.summary(pyrrf.RRF(x, species, ntree=50, coefReg=0.5, seed=1))
    >>> found.title
    'RRF, classification: 3 of 4 features kept, 50 trees'
    >>> found.error
    'Error out of bag: 6 %.'
    >>> found.table.round(1)
            feature  position  importance  coefficient
    0  Petal.Length         2        90.7          0.5
    1  Sepal.Length         0         5.4          0.5
    2   Sepal.Width         1         2.4          0.5
    """

    title: str
    table: pd.DataFrame
    error: str | None
    caveat: str | None

    def __repr__(self) -> str:
        rows = self.table.head(_MOST_ROWS).to_string(index=False, float_format=lambda value: f"{value:.6g}")
        lines = [self.title, "", *(rows.splitlines() if len(self.table) else []), *self._more(), ""]
        return "\n".join([*lines, *(line for line in (self.error, self.caveat) if line)])

    def _more(self) -> list[str]:
        """Return a line with the number of rows not shown."""
        left = len(self.table) - _MOST_ROWS
        return [f"... and {left} more"] if left > 0 else []

    def _repr_html_(self) -> str:
        table = self.table.head(_MOST_ROWS).to_html(index=False, border=0, float_format=lambda value: f"{value:.6g}")
        parts = [f"<p><b>{escape(self.title)}</b></p>", table if len(self.table) else ""]
        parts += [f"<p>{escape(line)}</p>" for line in (*self._more(), self.error, self.caveat) if line]
        return "<div>" + "".join(parts) + "</div>"


def percent(share: float) -> str:
    """Return a share in percent, as R rounds it."""
    return f"{format_number(float(numbers.round(100 * share, 2)))} %"
