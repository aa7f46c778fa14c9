"""buildLearner, applyLearner, voteAllRules: rules in an order, the first one that matches a row decides."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import choice, share
from pyrrf.rbase.arithmetic import mean, median
from pyrrf.rbase.collate import sorted_strings
from pyrrf.rbase.numbers import label as label_text
from pyrrf.rules.columns import Columns
from pyrrf.rules.conditions import ALWAYS, through_text
from pyrrf.rules.matches import Matches, Words, counts, pack, unpack
from pyrrf.rules.measure import METRIC, check_columns, labels_of, read_conditions, read_some
from pyrrf.rules.target import Classes, read_classes
from pyrrf.types import Floats, TableLike, VectorLike


def buildLearner(ruleMetric: pd.DataFrame, X: TableLike, target: VectorLike, minFreq: float = 0.01) -> pd.DataFrame:
    """Order rules into a learner (R's ``buildLearner`` of inTrees).

    Of all rules the one with the least error on the rows that are left comes next, of equal ones the more frequent,
    then the shorter one. The rows that it matches are taken away. When no rule is better than the largest class of the
    rows that are left, that class is the last rule, which holds for every row.

    Parameters
    ----------
    ruleMetric : DataFrame
        What `getRuleMetric`, `pruneRule` or `selectRuleRRF` returned.
    X : array_like or DataFrame, shape (n, p)
        Predictors.
    target : array_like, Series or Categorical, shape (n,)
        Classes; numbers count as classes, too, so discretize them before (`dicretizeVector`).
    minFreq : float, default 0.01
        Share of all rows that a rule must match among those that are left.

    Returns
    -------
    DataFrame
        The rules in their order, the last one with the condition ``X[,1]==X[,1]``; "freq" and "err" refer to the rows
        that the rules before left.

    Raises
    ------
    TypeError
        `ruleMetric` lacks a column, or the data cannot be read.
    ValueError
        `minFreq` is not a share, there are no rules, or one has not the form of `extractRules`.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf import rules
    >>> pyrrf.set_seed(1)
    >>> x = pyrrf.runif(200).reshape(50, 4, order="F")
    >>> y = x[:, 0] > 0.5
    >>> metric = rules.getRuleMetric(["X[,1]<=0.5", "X[,2]<=0.5"], x, y)
    >>> rules.buildLearner(metric, x, y)[["condition", "pred"]]
          condition   pred
    0    X[,1]<=0.5  False
    1  X[,1]==X[,1]   True
    """
    check_columns(ruleMetric, "ruleMetric", METRIC)
    conditions = read_some(ruleMetric, "ruleMetric")
    least, columns = share(minFreq, "minFreq"), Columns(X)
    target_classes = read_classes(target, columns.table)
    course = _Course(Matches(conditions, columns).all(), ruleMetric, target_classes, columns.n)
    return course.run(least)


class _Course:
    """The rules, and the rows that are left."""

    def __init__(self, words: Words, rules: pd.DataFrame, classes: Classes, n: int) -> None:
        self.words = words
        self.rules = rules[METRIC]
        self.length = rules["len"].to_numpy(dtype=np.float64)
        self.classes = classes
        self.masks = classes.masks()
        self.n = n
        # The rows of the class that each rule predicts; none for a class that does not occur.
        codes = classes.codes_of(rules["pred"])
        self.own = np.where(codes[:, np.newaxis] >= 0, self.masks[codes], np.uint64(0))
        self.left = pack(np.ones((1, n), dtype=bool))[0]

    def run(self, least: float) -> pd.DataFrame:
        """Return the learner."""
        taken: list[tuple[int, float, float]] = []
        while True:
            of_class = counts(self.masks & self.left)
            left = int(of_class.sum())
            if left == 0:
                return self._learner(taken, counts(self.masks), 0.0, 0.0)
            error = 1 - of_class.max() / left
            err, freq = self._measures()
            best = self._best(err, freq, least)
            if best is None or err[best] >= error:
                return self._learner(taken, of_class, left / self.n, error)
            taken.append((best, float(freq[best]), float(err[best])))
            self.left &= ~self.words[best]

    def _measures(self) -> tuple[Floats, Floats]:
        """Return error and share of all rows of each rule, on the rows that are left."""
        matched = self.words & self.left
        size = counts(matched)
        with np.errstate(invalid="ignore"):
            err = 1 - counts(matched & self.own) / size
        return err, size / self.n

    def _best(self, err: Floats, freq: Floats, least: float) -> int | None:
        order = np.lexsort((self.length, -freq, err))
        for index in order.tolist():
            if freq[index] >= least and freq[index] > 0:
                return int(index)
        return None

    def _learner(self, taken: list[tuple[int, float, float]], of_class: Any, freq: float, err: float) -> pd.DataFrame:
        """Return the rules taken, and the last one."""
        label = labels_of(self.classes, of_class.argmax(keepdims=True))
        last = pd.DataFrame({"len": 1, "freq": freq, "err": err, "condition": ALWAYS, "pred": label})
        places, shares, errors = zip(*taken, strict=True) if taken else ((), (), ())
        rows = self.rules.iloc[list(places)].assign(freq=shares, err=errors)
        learner = pd.concat([rows, last], ignore_index=True) if taken else last
        for name in ("freq", "err"):
            learner[name] = through_text(learner[name].to_numpy(dtype=np.float64))
        return learner


def applyLearner(learner: pd.DataFrame, X: TableLike) -> np.ndarray:
    """Predict by a learner (R's ``applyLearner`` of inTrees).

    Parameters
    ----------
    learner : DataFrame
        What `buildLearner` returned.
    X : array_like or DataFrame, shape (n, p)
        Predictors, the columns that the rules come from in their order.

    Returns
    -------
    ndarray of object, shape (n,)
        What the first rule that matches a row predicts; "" where none does.

    Raises
    ------
    TypeError
        `learner` lacks a column, or the data cannot be read.
    ValueError
        A rule has not the form of `extractRules`.

    Examples
    --------
    >>> import pandas as pd
    >>> from pyrrf import rules
    >>> learner = pd.DataFrame({"condition": ["X[,1]<=0.5", "X[,1]==X[,1]"], "pred": ["low", "high"]})
    >>> rules.applyLearner(learner, [[0.2], [0.7]]).tolist()
    ['low', 'high']
    """
    flags, pred = _match_rules(learner, X, "learner")
    answer = np.full(flags.shape[1], "", dtype=object)
    any_rule = flags.any(axis=0)
    answer[any_rule] = pred[flags[:, any_rule].argmax(axis=0)]
    return answer


def _match_rules(rules: pd.DataFrame, X: TableLike, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return a mask of the rows that each rule matches, shape (rules, n), and its prediction."""
    check_columns(rules, name, ("condition", "pred"))
    columns = Columns(X)
    matches = Matches(read_conditions(rules, name), columns)
    pred = np.empty(len(rules), dtype=object)
    pred[:] = rules["pred"].tolist()
    return unpack(matches.all(), columns.n), pred


def voteAllRules(ruleMetric: pd.DataFrame, X: TableLike, type: str = "r", method: str = "median") -> np.ndarray:
    """Predict by all rules together (R's ``voteAllRules`` of inTrees).

    Parameters
    ----------
    ruleMetric : DataFrame
        What `getRuleMetric` or `pruneRule` returned.
    X : array_like or DataFrame, shape (n, p)
        Predictors.
    type : {'r', 'c'}, default 'r'
        "r" for regression; "c" for classes, of which the one that most rules predict wins, the first in the order of
        the labels where several do.
    method : {'median', 'mean'}, default 'median'
        How numbers are joined.

    Returns
    -------
    ndarray of float64 or object, shape (n,)
        NaN, or "" for classes, where no rule matches.

    Raises
    ------
    TypeError
        `ruleMetric` lacks a column, or the data cannot be read.
    ValueError
        An argument is out of range, or a rule has not the form of `extractRules`.

    Examples
    --------
    >>> import pandas as pd
    >>> from pyrrf import rules
    >>> table = pd.DataFrame({"condition": ["X[,1]<=0.5", "X[,1]<=0.9"], "pred": [1.0, 2.0]})
    >>> rules.voteAllRules(table, [[0.2], [0.7]]).tolist()
    [1.5, 2.0]
    """
    kind, how = choice(type, "type", ("r", "c")), choice(method, "method", ("median", "mean"))
    flags, pred = _match_rules(ruleMetric, X, "ruleMetric")
    if kind == "c":
        return _most_votes(flags, pred)
    join = median if how == "median" else mean
    values = pred.astype(np.float64)
    return np.array([join(values[mine]) if mine.any() else np.nan for mine in flags.T], dtype=np.float64)


def _most_votes(flags: np.ndarray, pred: np.ndarray) -> np.ndarray:
    """Return the label with most votes of each row."""
    labels = {label_text(label): label for label in pred.tolist()}
    texts = sorted_strings(list(labels), "pred")
    of_label = np.array([[label_text(label) == text for label in pred.tolist()] for text in texts])
    votes = of_label.astype(np.int64) @ flags
    predictions = np.empty(len(texts), dtype=object)
    predictions[:] = [labels[text] for text in texts]
    return np.where(flags.any(axis=0), predictions[votes.argmax(axis=0)], "")
