"""inTrees' functions on R's values: rules as matrices of strings, as inTrees has them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pyrrf import rules
from pyrrf.r.forests.answers import getTree
from pyrrf.r.forests.fits import fit_of
from pyrrf.r.values.arguments import flag, number
from pyrrf.r.values.attributes import dim_of, dimnames_of, dimnames_value, is_factor, is_matrix
from pyrrf.r.values.coercion import coerced
from pyrrf.r.values.convert import categories, python_of
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.vector import NotMovedError, Value, as_value, doubles, integers, is_null, listed, objects, strings

_NUMBERS = ("len", "freq", "err", "sup", "conf", "impRRF")


def _table(x: Any, name: str) -> pd.DataFrame:
    """Return a matrix of strings as the table that `pyrrf.rules` takes."""
    value = as_value(x)
    if not is_matrix(value):
        raise NotMovedError(f"{name} of other than a matrix of rules")
    grid = value._data.reshape(dim_of(value), order="F")
    columns = [str(label) for label in dimnames_of(value)[1] or ["condition"]]
    found = pd.DataFrame(grid, columns=columns)
    for column in [name for name in columns if name in _NUMBERS]:
        found[column] = found[column].astype(float)
    return found


def _matrix(found: pd.DataFrame) -> Value:
    shown = rules.as_strings(found)
    texts = [None if text is None else str(text) for column in shown for text in shown[column]]
    about = {"dim": integers(shown.shape), "dimnames": dimnames_value([None, [str(name) for name in shown.columns]])}
    return Value("character", strings(texts)._data, about)


def _predictors(X: Any) -> Any:
    found = python_of(as_value(X))
    return found if isinstance(found, pd.DataFrame) else pd.DataFrame(np.asarray(found))


def _target(target: Any) -> Any:
    value = as_value(target)
    return categories(value) if is_factor(value) else value._data


def RF2List(rf: Any) -> Value:
    """Return the trees of a forest, as matrices in a list."""
    fit = fit_of(as_value(rf))
    trees = Value("list", objects([getTree(rf, k + 1) for k in range(fit.ntree)]))
    made = listed([doubles(fit.ntree), trees], ["ntree", "list"])
    return Value("list", made._data, made._attributes, rules.RF2List(fit))


def extractRules(
    treeList: Any, X: Any, ntree: Any = 100, maxdepth: Any = 6, random: Any = False, digits: Any = None
) -> Value:
    """Return the conditions of trees, a matrix of one column."""
    trees = as_value(treeList)._hidden
    if not isinstance(trees, rules.TreeList):
        raise NotMovedError("extractRules() of trees that were changed, or read from a file")
    found = rules.extractRules(
        trees,
        _predictors(X),
        ntree=int(number(ntree)),
        maxdepth=int(number(maxdepth)),
        random=flag(random),
        digits=None if is_null(digits) else int(number(digits)),
    )
    return _matrix(pd.DataFrame({"condition": found["condition"]}))


def getRuleMetric(ruleExec: Any, X: Any, target: Any) -> Value:
    """Return length, frequency, error and prediction of rules, a matrix of strings."""
    return _matrix(rules.getRuleMetric(_table(ruleExec, "getRuleMetric()"), _predictors(X), _target(target)))


def pruneRule(rules_: Any, X: Any, target: Any, maxDecay: Any = 0.05, typeDecay: Any = 2) -> Value:
    """Return rules without pieces that do little."""
    found = rules.pruneRule(
        _table(rules_, "pruneRule()"),
        _predictors(X),
        _target(target),
        maxDecay=number(maxDecay),
        typeDecay=int(number(typeDecay)),
    )
    return _matrix(found)


@r_function(draws=True)
def selectRuleRRF(ruleMetric: Any, X: Any, target: Any) -> Value:
    """Return the rules that a regularized forest selects."""
    return _matrix(rules.selectRuleRRF(_table(ruleMetric, "selectRuleRRF()"), _predictors(X), _target(target)))


def buildLearner(ruleMetric: Any, X: Any, target: Any, minFreq: Any = 0.01) -> Value:
    """Return the rules of a learner, in their order."""
    table = _table(ruleMetric, "buildLearner()")
    return _matrix(rules.buildLearner(table, _predictors(X), _target(target), minFreq=number(minFreq)))


def applyLearner(learner: Any, X: Any) -> Value:
    """Return what a learner predicts, as strings."""
    found = rules.applyLearner(_table(learner, "applyLearner()"), _predictors(X))
    return strings([None if text is None else str(text) for text in np.asarray(found, dtype=object)])


def presentRules(rules_: Any, colN: Any, digits: Any = None) -> Value:
    """Return rules with the names of the columns."""
    names = [str(name) for name in coerced(colN, "character")._data]
    places = None if is_null(digits) else number(digits)
    return _matrix(rules.presentRules(_table(rules_, "presentRules()"), names, places))


def dicretizeVector(v: Any, K: Any = 3) -> Value:
    """Return numbers as levels: L1, L2, ..."""
    found = rules.dicretizeVector(coerced(v, "double")._data, int(number(K)))
    return strings([str(text) for text in found])
