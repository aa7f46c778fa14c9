"""inTrees' functions on R's values: rules as matrices of strings, as inTrees has them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from pyrrf import rules
from pyrrf.r.forests.answers import getTree
from pyrrf.r.forests.fits import fit_of
from pyrrf.r.values.coercion import cells_of, coerce
from pyrrf.r.values.convert import categories, python_of
from pyrrf.r.values.errors import NotSupportedError
from pyrrf.r.values.functions import Flag, Number, Whole, r_function
from pyrrf.r.values.kinds import is_factor
from pyrrf.r.values.labels import dimnames_of, dimnames_value, is_matrix
from pyrrf.r.values.vector import Value, doubles, integers, list_of, objects, strings

_NUMBERS = ("len", "freq", "err", "sup", "conf", "impRRF")


def _table(x: Value, function: str) -> pd.DataFrame:
    """Return a matrix of strings as the table that `pyrrf.rules` takes."""
    if not is_matrix(x):
        raise NotSupportedError(f"{function}() of other than a matrix of rules")
    columns = [str(label) for label in dimnames_of(x)[1] or ["condition"]]
    return pd.DataFrame(cells_of(x), columns=columns).astype({name: float for name in columns if name in _NUMBERS})


def _matrix(frame: pd.DataFrame) -> Value:
    texts_by_column = rules.as_strings(frame)
    labels = dimnames_value([None, [str(name) for name in texts_by_column.columns]])
    texts = _texts(text for column in texts_by_column for text in texts_by_column[column])
    return strings(texts, {"dim": integers(texts_by_column.shape), "dimnames": labels})


def _texts(items: Iterable[object]) -> list[str | None]:
    return [None if item is None else str(item) for item in items]


def _predictors(X: Value) -> pd.DataFrame:
    data = python_of(X)
    return data if isinstance(data, pd.DataFrame) else pd.DataFrame(np.asarray(data))


def _target(target: Value) -> pd.Categorical | np.ndarray:
    return categories(target) if is_factor(target) else target._data


@r_function()
def RF2List(rf: Value) -> Value:
    """Return the trees of a forest, as matrices in a list."""
    fit = fit_of(rf)
    trees = Value("list", objects([getTree(rf, k + 1) for k in range(fit.ntree)]))
    trees_of_fit = list_of([doubles(fit.ntree), trees], ["ntree", "list"])
    return Value("list", trees_of_fit._data, trees_of_fit._attributes, rules.RF2List(fit))


@r_function()
def extractRules(
    treeList: Value,
    X: Value,
    ntree: Whole = 100,
    maxdepth: Whole = 6,
    random: Flag = False,
    digits: Whole | None = None,
) -> Value:
    """Return the conditions of trees, a matrix of one column."""
    trees = treeList._hidden
    if not isinstance(trees, rules.TreeList):
        raise NotSupportedError("extractRules() of trees that were changed, or read from a file")
    extracted = rules.extractRules(trees, _predictors(X), ntree=ntree, maxdepth=maxdepth, random=random, digits=digits)
    return _matrix(pd.DataFrame({"condition": extracted["condition"]}))


@r_function()
def getRuleMetric(ruleExec: Value, X: Value, target: Value) -> Value:
    """Return length, frequency, error and prediction of rules, a matrix of strings."""
    return _matrix(rules.getRuleMetric(_table(ruleExec, "getRuleMetric"), _predictors(X), _target(target)))


@r_function()
def pruneRule(rules_: Value, X: Value, target: Value, maxDecay: Number = 0.05, typeDecay: Whole = 2) -> Value:
    """Return rules without conditions that matter little."""
    table = _table(rules_, "pruneRule")
    return _matrix(rules.pruneRule(table, _predictors(X), _target(target), maxDecay=maxDecay, typeDecay=typeDecay))


@r_function(does="draws")
def selectRuleRRF(ruleMetric: Value, X: Value, target: Value) -> Value:
    """Return the rules that a regularized forest selects."""
    return _matrix(rules.selectRuleRRF(_table(ruleMetric, "selectRuleRRF"), _predictors(X), _target(target)))


@r_function()
def buildLearner(ruleMetric: Value, X: Value, target: Value, minFreq: Number = 0.01) -> Value:
    """Return the rules of a learner, in their order."""
    table = _table(ruleMetric, "buildLearner")
    return _matrix(rules.buildLearner(table, _predictors(X), _target(target), minFreq=minFreq))


@r_function()
def applyLearner(learner: Value, X: Value) -> Value:
    """Return the predictions of a learner, as strings."""
    labels = rules.applyLearner(_table(learner, "applyLearner"), _predictors(X))
    return strings(_texts(np.asarray(labels, dtype=object)))


@r_function()
def presentRules(rules_: Value, colN: Value, digits: Number | None = None) -> Value:
    """Return rules with the names of the columns."""
    names = [str(name) for name in coerce(colN, "character")._data]
    return _matrix(rules.presentRules(_table(rules_, "presentRules"), names, digits))


@r_function()
def dicretizeVector(v: Value, K: Whole = 3) -> Value:
    """Return numbers as levels: L1, L2, ..."""
    return strings([str(text) for text in rules.dicretizeVector(coerce(v, "double")._data, K)])
