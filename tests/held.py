"""What holds for every fit: it predicts its own training rows, it pickles, and it goes to R and back.

`conftest` lets `KEEPER` watch each test. Of each kind of fit the first one in a process is held to it.
"""

from __future__ import annotations

import pickle
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import pyrrf
from pyrrf.fit.callbacks import GrownForest
from pyrrf.random import process_stream
from pyrrf.result.result import ForestResult
from pyrrf.testing.comparer import compare_fits

# What R's files cannot say, in the words of write_rds().
UNSAID = ("R's trees cannot store", "stand twice", "cannot be read as code of R")


def kind_of(fit: Any) -> tuple[Any, ...]:
    """What may make a difference to whoever reads a fit; many are asked for theirs."""
    forest, columns = fit.forest, frozenset[str]()
    if forest is not None and forest.coded:
        trees = forest._trees
        empty = forest.nclass and ((trees.left == 0) & (trees.prediction == 0)).any()
        columns = frozenset([column.kind for column in forest.coded.values()] + ["empty leaves"] * bool(empty))
    return type(fit), fit.engine, fit.terms is None, forest is None, columns, fit.test is None, fit.named


def whole(table: Any) -> Any:
    """A copy of a table that has no missing value; otherwise None."""
    if isinstance(table, pd.DataFrame):
        return None if table.isna().to_numpy().any() else table.copy()
    known = isinstance(table, np.ndarray) and table.dtype.kind in "fiub" and np.isfinite(table).all()
    return table.copy() if known else None


def broken(fit: Any, table: Any) -> str:
    """What a fit does not hold, in words; empty for a sound one."""
    if table is not None and fit.forest is not None and fit.type != "unsupervised" and is_finite(fit):
        predicted = pyrrf.predict(fit, table)
        # What a formula computes may be missing in rows that were left out.
        if len(predicted) != len(table) or predicted.notna().sum() < len(fit.rows):
            return "rows without a prediction"
    found = compare_fits(fit, there_and_back(fit))
    return "" if found is None else f"to R and back: {found}"


def is_finite(fit: Any) -> bool:
    """Whether no split point or mean is infinite, where predict() of engine r stops, as in R."""
    return fit.engine != "r" or (not fit.forest.overflowed and fit.forest.has_finite_means)


def there_and_back(fit: Any) -> Any:
    """The fit as it is read from the file of R that it was written to; the fit where R's files cannot say it."""
    with tempfile.TemporaryDirectory() as folder:
        at = Path(folder, "fit.rds")
        try:
            pyrrf.write_rds(fit, at)
        except ValueError as error:
            if not any(words in str(error) for words in UNSAID):
                raise
            return fit
        return pyrrf.read_rds(at)


class Keeper:
    """Holds fits to it once a test is over, so that nothing is drawn in between."""

    def __init__(self) -> None:
        self._kinds: set[tuple[Any, ...]] = set()
        self._waiting: list[tuple[ForestResult, bool, Any]] = []

    def see(self, fit: Any, table: Any = None) -> None:
        """Take a copy of a fit of a new kind, before the test does anything to it."""
        kind = kind_of(fit)
        # A function of a test cannot be pickled.
        own = fit.terms is not None and (
            any(part.objects for part in fit.terms.variables) or callable(fit.arguments.get("na_action"))
        )
        if kind not in self._kinds and not own:
            self._kinds.add(kind)
            copy = pickle.loads(pickle.dumps(fit))
            self._waiting.append((copy, copy == fit, whole(table)))

    def tell(self, grown: GrownForest) -> None:
        """See what was grown."""
        call, fit = grown.task.call, grown.result
        table = call.x if call.data is None else call.data
        # Data that several fits share may have columns that this one was not given.
        whole_table = call.data is not None or np.shape(table)[1:] == (len(fit.columns),)
        self.see(fit, table if whole_table else None)

    def ask(self) -> None:
        """Fail if a fit that was seen since the last time does not hold."""
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        stream = process_stream()
        before = stream.get_state()
        with warnings.catch_warnings(action="ignore"):
            for fit, pickled, table in waiting:
                found = broken(fit, table) if pickled else "another one after it was pickled"
                assert not found, f"{fit.call}: {found}"
        stream.set_state(*before)


KEEPER = Keeper()
