"""getRuleMetric: length, frequency, error and prediction of rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import flag, type_name
from pyrrf.errors import bad
from pyrrf.rbase.arithmetic import mean, total
from pyrrf.rbase.numbers import round as round_decimals
from pyrrf.rules.columns import Columns
from pyrrf.rules.conditions import through_text
from pyrrf.rules.matches import Matches, Words, counts, unpack
from pyrrf.rules.target import Classes, Numbers, read_target
from pyrrf.types import Floats, Positions, TableLike, VectorLike

# inTrees rounds shares to three decimals.
_DECIMALS = 3
METRIC = ["len", "freq", "err", "condition", "pred"]


@dataclass(frozen=True, eq=False)
class Measured:
    """Measures of some rules on some rows."""

    size: Positions  # int64, shape (rules,): rows that a rule matches
    # float64, shape (rules,): share of other classes, or mean squared distance from the mean; -1 for a rule that
    # matches no row
    err: Floats
    pred: np.ndarray  # shape (rules,): code of the class, or the mean


def measure(words: Words, target: Classes | Numbers, n: int, pred: np.ndarray | None = None) -> Measured:
    """Measure rules by the rows that they match.

    `pred` is the class that each rule predicts, -1 for one that does not occur; that of most of its rows by default.
    Rules of a regression predict the mean.
    """
    if isinstance(target, Numbers):
        return _measure_numbers(words, target, n)
    of_class = np.stack([counts(words & mask) for mask in target.masks()], axis=1)
    size = of_class.sum(axis=1)
    chosen = of_class.argmax(axis=1) if pred is None else pred
    right = np.where(chosen >= 0, of_class[np.arange(len(words)), chosen], 0)
    err = 1 - round_decimals(right / np.maximum(size, 1), _DECIMALS)
    # As R's text says it: 0.0580000000000001 for 1 - 0.942.
    return Measured(size, np.where(size > 0, through_text(err), -1.0), chosen)


def _measure_numbers(words: Words, target: Numbers, n: int) -> Measured:
    """Return mean and mean squared distance of the rows that each rule matches, added up in their order as R does."""
    size = counts(words)
    middle, err = np.full(len(size), np.nan), np.full(len(size), -1.0)
    average = _mean_of_whole if target.whole else mean
    for index, flags in enumerate(unpack(words, n)):
        if size[index]:
            own = target.values[flags]
            middle[index] = average(own)
            err[index] = total((middle[index] - own) ** 2) / size[index]
    return Measured(size, through_text(err), middle)


def _mean_of_whole(values: Floats) -> float:
    """R's mean() of whole numbers, which needs no second pass."""
    return float(np.cumsum(values, dtype=np.longdouble)[-1] / len(values))


class Bench:
    """Rules, their matches on some rows, and the response of these rows."""

    def __init__(self, rules: Any, X: Any, target: Any, name: str) -> None:
        columns = Columns(X)
        self.conditions = read_some(rules, name)
        self.target = read_target(target, columns.table)
        self.matches = Matches(self.conditions, columns)

    def parts(self) -> Iterator[slice]:
        """Yield runs of rules that are measured together; numbers take a byte for each bit."""
        return self.matches.parts(copies=1 if isinstance(self.target, Classes) else 8)


def check_columns(rules: Any, name: str, columns: Sequence[str]) -> None:
    """Refuse a value that is not a table of rules, or lacks a column."""
    if not isinstance(rules, pd.DataFrame):
        raise bad.type(f"{name} must be a table of rules, as getRuleMetric() returns, not {type_name(rules)}")
    lacking = [column for column in columns if column not in rules.columns]
    if lacking:
        raise bad.columns(f"{name} has no column {lacking[0]!r}; pass what getRuleMetric() returned", kind=TypeError)


def read_conditions(rules: Any, name: str) -> list[str]:
    """Return the conditions of rules."""
    if isinstance(rules, pd.DataFrame):
        check_columns(rules, name, ["condition"])
        rules = rules["condition"]
    conditions = [rules] if isinstance(rules, str) else list(rules)
    if not all(isinstance(text, str) for text in conditions):
        raise bad.type(f"{name} must be a table with a column 'condition', or a list of conditions as strings")
    return conditions


def read_some(rules: Any, name: str) -> list[str]:
    """Return the conditions of rules, of which there must be one."""
    conditions = read_conditions(rules, name)
    if not conditions:
        raise bad.empty(f"{name} has no rules; pass at least one")
    return conditions


def labels_of(target: Classes | Numbers, pred: np.ndarray) -> np.ndarray:
    """Return the predictions of rules: labels as given, or numbers as R's text says them."""
    if isinstance(target, Numbers):
        return through_text(pred)
    labels = np.empty(len(target.labels), dtype=object)
    labels[:] = target.labels
    return np.asarray(labels[pred])


def metric_table(lengths: Any, measured: Measured, n: int, conditions: Sequence[str], pred: Any) -> pd.DataFrame:
    """Return the table that `getRuleMetric` describes."""
    freq = round_decimals(measured.size / n, _DECIMALS)
    table = {"len": lengths, "freq": freq, "err": measured.err, "condition": conditions, "pred": pred}
    return pd.DataFrame(table, columns=METRIC)


def getRuleMetric(ruleExec: Any, X: TableLike, target: VectorLike, verbose: bool = False) -> pd.DataFrame:
    """Measure rules on some rows (R's ``getRuleMetric`` of inTrees).

    Parameters
    ----------
    ruleExec : DataFrame or sequence of str
        Rules: a table with a column "condition", or the conditions.
    X : array_like or DataFrame, shape (n, p)
        Predictors, the columns that the rules come from in their order. A missing value matches no comparison.
    target : array_like, Series or Categorical, shape (n,)
        The response. Numbers are predicted by means; anything else counts as classes.
    verbose : bool, default False
        Whether to print, as inTrees does, how many rules are left out.

    Returns
    -------
    DataFrame
        One row per rule that matches at least one row: "len", its number of pieces; "freq", the share of the rows that
        it matches, to three decimals; "err", the share of these that are of another class, to three decimals, or the
        mean squared distance from the mean; "condition"; "pred", the class of most of these rows, the first one of
        several, or the mean.

    Raises
    ------
    TypeError
        Rules or response cannot be read, or a rule compares levels with a number.
    ValueError
        A rule has not the form of `extractRules`, `target` has another length than `X`, or values are missing in it.

    Notes
    -----
    inTrees returns a matrix of strings. The numbers here are those that its strings say; `as_strings` returns the
    strings.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf import rules
    >>> pyrrf.set_seed(1)
    >>> x = pyrrf.runif(200).reshape(50, 4, order="F")
    >>> y = x[:, 0] > 0.5
    >>> found = rules.extractRules(pyrrf.RRF(x, y, ntree=5), x, digits=2)
    >>> rules.getRuleMetric(found.drop_duplicates(), x, y).head(2)
       len  freq    err                  condition   pred
    0    2  0.28  0.071  X[,1]<=0.54 & X[,4]<=0.72  False
    1    2  0.38  0.000   X[,1]>0.54 & X[,4]<=0.72   True
    """
    bench = Bench(ruleExec, X, target, "ruleExec")
    parts = [measure(bench.matches.of(some), bench.target, bench.matches.n) for some in bench.parts()]
    measured = Measured(*(np.concatenate([getattr(m, f.name) for m in parts]) for f in fields(Measured)))
    labels = labels_of(bench.target, measured.pred)
    table = metric_table(bench.matches.lengths, measured, bench.matches.n, bench.conditions, labels)
    kept = measured.size > 0
    if flag(verbose, "verbose") and not kept.all():
        print(f'[1] "{np.count_nonzero(~kept)} paths are ignored."')  # noqa: T201
    return table[kept].reset_index(drop=True)
