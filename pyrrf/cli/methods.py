"""The selectors of the methods, and their running times."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

from pyrrf.cli.columns import Problem
from pyrrf.cli.costs import read_costs, read_groups
from pyrrf.cli.messages import note
from pyrrf.cli.order import Order
from pyrrf.sklearn.fold_scoring import FEWEST_FOLDS
from pyrrf.threads import resolve_jobs

# Trees of a round, or of the forest that selects; a guide has ten times as many.
_TREES = {"elimination": 100, "grrf": 500, "stability": 100, "boruta": 100}
# Trees with --fast.
_FEWER = {"elimination": 50, "grrf": 100, "stability": 50, "boruta": 50}
_FOLDS, _FAST_FOLDS, _FAST_GAMMAS, _FAST_PAIRS, _FAST_ROUNDS = 5, 3, 5, 15, 30
# Running times above this number of seconds are announced; two trials with these numbers of trees measure them.
_LONG, _TRIALS = 5.0, (4, 12)


def trees_of(order: Order) -> int:
    """Return the number of trees."""
    return order.trees or (_FEWER if order.fast else _TREES)[order.method]


def selector_for(order: Order, problem: Problem) -> Any:
    """Return the unfitted selector for an order."""
    same: dict[str, Any] = {
        "n_estimators": trees_of(order),
        "feature_cost": read_costs(order.cost, problem, order.form.point) if order.cost else None,
        "feature_groups": read_groups(order.groups, problem) if order.groups else None,
        "task": "regression" if problem.numeric else "classification",
        "n_jobs": order.jobs,
        "random_state": order.seed,
        # Progress bars are meant for terminals, not for logs.
        "verbose": int(sys.stderr is not None and sys.stderr.isatty()),
    }
    return _SELECTORS[order.method](order, problem, same)


def _elimination(order: Order, problem: Problem, same: dict[str, Any]) -> Any:
    from pyrrf.sklearn import EliminationSelector

    size = order.features or (None if order.rule == "paired" else order.rule)
    return EliminationSelector(size, nested=order.cv, cv=_folds_of(order), **same)


def _grrf(order: Order, problem: Problem, same: dict[str, Any]) -> Any:
    from pyrrf.sklearn import GRRFSelector, GRRFSelectorCV

    # In regression, engine r supports no other value.
    candidates = "mtry" if problem.numeric and order.engine == "r" else "selected"
    same["forest"] = _forest(problem, same, engine=order.engine, candidates=candidates)
    if order.cv:
        fast: dict[str, Any] = {"gammas": _FAST_GAMMAS} if order.fast else {}
        return GRRFSelectorCV(cv=_shuffled_folds(order, problem), **same, **fast)
    return GRRFSelector(gamma=_gamma(order, problem), **same)


def _forest(problem: Problem, same: dict[str, Any], **options: Any) -> Any:
    """Return the regularized forest of a selector; take its parameters out of those of the selector."""
    from pyrrf.sklearn import RRFClassifier, RRFRegressor

    own = {name: same.pop(name) for name in ("feature_cost", "feature_groups")}
    return (RRFRegressor if problem.numeric else RRFClassifier)(**own, **options)


def _stability(order: Order, problem: Problem, same: dict[str, Any]) -> Any:
    from pyrrf.sklearn import GRRFSelector, StabilitySelector

    shared = {name: same.pop(name) for name in ("n_jobs", "random_state", "verbose")}
    inner = GRRFSelector(gamma=_gamma(order, problem), forest=_forest(problem, same), **same)
    fast: dict[str, Any] = {"n_pairs": _FAST_PAIRS} if order.fast else {}
    limit: dict[str, Any] = {} if order.pfer is None else {"pfer": order.pfer}
    return StabilitySelector(inner, **fast, **shared, **limit)


def _boruta(order: Order, problem: Problem, same: dict[str, Any]) -> Any:
    from pyrrf.sklearn import BorutaSelector

    fast: dict[str, Any] = {"max_iter": _FAST_ROUNDS} if order.fast else {}
    known = BorutaSelector().get_params()
    return BorutaSelector(**{name: value for name, value in same.items() if name in known}, **fast)


def _folds_of(order: Order) -> int:
    return _FAST_FOLDS if order.fast else _FOLDS


def _shuffled_folds(order: Order, problem: Problem) -> Any:
    """Return folds of rows in random order: in a table sorted by the target, neighbouring rows differ from the rest."""
    from sklearn.model_selection import KFold, StratifiedKFold

    folds = KFold if problem.numeric else StratifiedKFold
    return folds(_folds_of(order), shuffle=True, random_state=order.seed % 2**32)


def _gamma(order: Order, problem: Problem) -> float:
    from pyrrf.sklearn.guided import DEFAULT_GAMMAS

    if order.gamma is not None:
        return order.gamma
    gamma = DEFAULT_GAMMAS[problem.numeric]
    if order.method == "grrf":
        note(f"gamma is {gamma}, the default; set another with --gamma, or choose it by cross-validation with --cv")
    return gamma


_SELECTORS: dict[str, Callable[[Order, Problem, dict[str, Any]], Any]] = {
    "elimination": _elimination,
    "grrf": _grrf,
    "stability": _stability,
    "boruta": _boruta,
}


# ---- how long it takes -----------------------------------------------------------------------------


def announce(order: Order, selector: Any, problem: Problem) -> None:
    """Announce the running time of a long selection that consists of many fits, before it starts."""
    fits = many_fits(order, selector)
    if fits == 1 or trees_of(order) < 2 * max(_TRIALS):
        return
    few, more = (time_fit(order, selector, problem, trees) for trees in _TRIALS)
    slope = max(more - few, 0.0) / (_TRIALS[1] - _TRIALS[0])
    expected = (more + slope * (trees_of(order) - _TRIALS[1])) * fits / resolve_jobs(order.jobs)
    if expected > _LONG:
        note(f"estimated time: {in_words(expected)}" + ("" if order.fast else "; --fast is faster"))


def time_fit(order: Order, selector: Any, problem: Problem, trees: int) -> float:
    """Return the seconds of one fit with some trees."""
    begun = time.monotonic()
    trial_of(order, selector).set_params(n_estimators=trees, n_jobs=1, verbose=0).fit(problem.x, problem.y)
    return time.monotonic() - begun


def many_fits(order: Order, selector: Any) -> float:
    """Return the running time of a selection, as an approximate number of fits of `trial_of`."""
    if order.method == "boruta":
        return 1.0
    if order.method == "stability":
        # Two halves take as long as all rows. The guide of a half has as many trees as its forest; the guide of a trial
        # has ten times as many.
        return float(selector.n_pairs + 1) * 2 / 11
    if order.method == "grrf" and not order.cv:
        return 1.0
    folds = _folds_of(order)
    if order.method == "grrf":
        # A path has a guide, and as many trees for each gamma. It is fitted on folds and on nested folds; with enough
        # folds, two outer folds share a nested fit.
        within = folds * (folds - 1) // 2 if folds >= FEWEST_FOLDS else folds**2
        return 1 + (folds + within) * (1 + int(selector.gammas)) / 11
    if order.features is not None:
        return 1.0 + folds * order.cv
    return 1.0 + folds + folds**2 * order.cv


def trial_of(order: Order, selector: Any) -> Any:
    """Return a selector for one of the many fits of a selection."""
    from sklearn.base import clone

    if order.method == "stability":
        return clone(selector.selector).set_params(random_state=1)
    if order.method == "grrf":
        from pyrrf.sklearn import GRRFSelector

        known = GRRFSelector().get_params()
        return GRRFSelector(**{name: value for name, value in selector.get_params().items() if name in known})
    return clone(selector).set_params(n_features=1, nested=False)


def in_words(seconds: float) -> str:
    """Return a time in words: "40 s", "12 min", "2.5 h"."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
