"""Our methods: elimination, GRRF, RRF, and the consensus of GRRF on many halves of the rows."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from benchmarks.selection.cases import Part
from benchmarks.selection.kept import Clock, Kept
from benchmarks.selection.others import rfe_of, rfecv_of
from pyrrf.selectors.stability import least_count
from pyrrf.sklearn import (
    BorutaSelector,
    EliminationSelector,
    GRRFSelector,
    RRFClassifier,
    RRFRegressor,
    StabilitySelector,
)  # fmt: skip

GUIDE_TREES = 1000  # the default of GRRFSelector is 5,000
PAIRS = 25  # the default of StabilitySelector is 50
CONSENSUS_GAMMA = 0.5
# Each half has a guide of its own, so that it is a small one.
CONSENSUS_GUIDE = 500
RFE_TREES = 150


def forest(part: Part) -> Any:
    """Return the forest of a split's response."""
    return RRFRegressor if part.numeric else RRFClassifier


def elimination(part: Part, sizes: Sequence[float], seed: int) -> Iterator[tuple[float, Kept]]:
    """EliminationSelector with its defaults; one path for all sizes."""
    clock = Clock()
    selector = EliminationSelector(1, random_state=seed).fit(part.table, part.y)
    seconds = clock.lap()
    for size in sizes:
        if size <= len(selector.path_):
            yield size, Kept(np.flatnonzero(selector.support_at(int(size))), seconds)


def elimination_cv(part: Part, settings: Sequence[float], seed: int) -> Iterator[tuple[float, Kept]]:
    """EliminationSelector, the size by cross-validation."""
    for setting in settings:
        clock = Clock()
        selector = EliminationSelector(random_state=seed).fit(part.table, part.y)
        yield setting, Kept(np.flatnonzero(selector.support_), clock.lap())


def rfe(part: Part, sizes: Sequence[float], seed: int) -> Iterator[tuple[float, Kept]]:
    """RFE of scikit-learn on our ordinary forests."""
    return rfe_of(part, sizes, forest(part)(RFE_TREES, coef_reg=None, random_state=seed))


def rfecv(part: Part, settings: Sequence[float], seed: int) -> Iterator[tuple[float, Kept]]:
    """RFECV of scikit-learn on our ordinary forests."""
    return rfecv_of(part, settings, seed, forest(part)(RFE_TREES, coef_reg=None, random_state=seed))


def boruta(part: Part, settings: Sequence[float], seed: int) -> Iterator[tuple[float, Kept]]:
    """BorutaSelector with its defaults: the features confirmed."""
    for setting in settings:
        clock = Clock()
        selector = BorutaSelector(random_state=seed).fit(part.table, part.y)
        yield setting, Kept(np.flatnonzero(selector.support_), clock.lap())


def grrf(part: Part, gammas: Sequence[float], seed: int, **options: Any) -> Iterator[tuple[float, Kept]]:
    """GRRFSelector by gamma; one guide; options of its regularized forest."""
    clock = Clock()
    guide = forest(part)(GUIDE_TREES, coef_reg=None, random_state=seed).fit(part.table, part.y).feature_importances_
    guiding = clock.lap()
    for gamma in gammas:
        selector = GRRFSelector(guide, gamma=gamma, forest=forest(part)(**options), random_state=seed)
        selector.fit(part.table, part.y)
        yield gamma, Kept(np.flatnonzero(selector.support_), guiding + clock.lap())
        clock.lap()


grrf_gain = functools.partial(grrf, penalty="gain")
grrf_third = functools.partial(grrf, max_features=1 / 3)
grrf_both = functools.partial(grrf, penalty="gain", max_features=1 / 3)


def rrf(part: Part, coefficients: Sequence[float], seed: int) -> Iterator[tuple[float, Kept]]:
    """RRFClassifier or RRFRegressor with its defaults, by coef_reg."""
    for coefficient in coefficients:
        clock = Clock()
        fitted = forest(part)(coef_reg=coefficient, random_state=seed).fit(part.table, part.y)
        yield coefficient, Kept(np.flatnonzero(fitted.support_), clock.lap())


def consensus(part: Part, thresholds: Sequence[float], seed: int) -> Iterator[tuple[float, Kept]]:
    """StabilitySelector of GRRF, by the share of the halves that must keep a feature."""
    clock = Clock()
    forests = GRRFSelector(gamma=CONSENSUS_GAMMA, guide=CONSENSUS_GUIDE)
    selector = StabilitySelector(forests, n_pairs=PAIRS, threshold=0.5, n_removals=0, random_state=seed)
    selector.fit(part.table, part.y)
    seconds, counts = clock.lap(), np.rint(selector.selection_frequencies_ * 2 * PAIRS)
    for threshold in thresholds:
        yield threshold, Kept(np.flatnonzero(counts >= least_count(threshold, PAIRS)), seconds)
