"""Our methods: GRRF, RRF, and the consensus of GRRF on many halves of the rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

import pyrrf
from benchmarks.selection.cases import Part
from benchmarks.selection.kept import Clock, Kept, wrong
from pyrrf.selectors.stability import least_count
from pyrrf.sklearn import GRRFSelector, RRFClassifier, StabilitySelector

GUIDE_TREES = 5000  # the default of GRRFSelector
PAIRS = 50  # the default of StabilitySelector
CONSENSUS_GAMMA = 0.5
# Each of 100 halves has a guide of its own, so that it is a small one.
CONSENSUS_GUIDE = 500


def grrf(part: Part, gammas: Sequence[float], seed: int) -> Iterator[tuple[float, Kept]]:
    """GRRFSelector with its defaults, by gamma; one guide."""
    clock = Clock()
    guide = RRFClassifier(GUIDE_TREES, coef_reg=None, random_state=seed).fit(part.x, part.y).feature_importances_
    guiding = clock.lap()
    for gamma in gammas:
        selector = GRRFSelector(guide, gamma=gamma, random_state=seed).fit(part.x, part.y)
        seconds = guiding + clock.lap()
        own = float((np.asarray(pyrrf.predict(selector.result_, part.x_test)).astype(int) != part.y_test).mean())
        yield gamma, Kept(np.flatnonzero(selector.support_), seconds, own)
        clock.lap()


def rrf(part: Part, coefficients: Sequence[float], seed: int) -> Iterator[tuple[float, Kept]]:
    """RRFClassifier with its defaults, by coef_reg."""
    for coefficient in coefficients:
        clock = Clock()
        forest = RRFClassifier(coef_reg=coefficient, random_state=seed).fit(part.x, part.y)
        seconds = clock.lap()
        yield coefficient, Kept(np.flatnonzero(forest.support_), seconds, wrong(forest, part))


def consensus(part: Part, thresholds: Sequence[float], seed: int) -> Iterator[tuple[float, Kept]]:
    """StabilitySelector of GRRF, by the share of the halves that must keep a feature."""
    clock = Clock()
    forests = GRRFSelector(gamma=CONSENSUS_GAMMA, guide_n_estimators=CONSENSUS_GUIDE)
    selector = StabilitySelector(forests, n_pairs=PAIRS, threshold=0.5, n_removals=0, random_state=seed)
    selector.fit(part.x, part.y)
    seconds, counts = clock.lap(), np.rint(selector.selection_frequencies_ * 2 * PAIRS)
    for threshold in thresholds:
        yield threshold, Kept(np.flatnonzero(counts >= least_count(threshold, PAIRS)), seconds)
