"""The bound on false selections where the truth is known."""

from __future__ import annotations

from typing import Any

import joblib
import numpy as np
import pytest
from sklearn.feature_selection import SelectKBest, f_classif

from pyrrf.sklearn import GRRFSelector, StabilitySelector

ROWS, FEATURES, TRUE, REPEATS = 80, 200, 4, 30
FOREST = GRRFSelector(gamma=0.5, guide_n_estimators=100, n_estimators=20)


def made(seed: int, signal: float, correlated: float) -> tuple[np.ndarray, np.ndarray]:
    """Classes that the first features tell apart; the others say nothing, and neighbours among them are alike."""
    random = np.random.default_rng(seed)
    y = np.arange(ROWS) % 2
    x = random.normal(size=(ROWS, FEATURES))
    for at in range(1, FEATURES):
        x[:, at] = correlated * x[:, at - 1] + np.sqrt(1 - correlated**2) * x[:, at]
    other = random.normal(size=(ROWS, TRUE)) + signal * y[:, None]
    x[:, :TRUE] = other
    return x, y


KEPT: dict[str | None, np.ndarray] = {}
CASES = {
    "best, noise": (SelectKBest(f_classif, k=10), 0.0, 0.0),
    "best": (SelectKBest(f_classif, k=10), 1.0, 0.0),
    "best, alike": (SelectKBest(f_classif, k=10), 1.0, 0.9),
    "forest, noise": (FOREST, 0.0, 0.0),
    "forest": (FOREST, 1.0, 0.0),
    "forest, alike": (FOREST, 1.0, 0.9),
}


@pytest.fixture(autouse=True)
def halves_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What halves keep is found once: the assumption comes after."""
    supports = StabilitySelector._supports

    def remembered(self: StabilitySelector, *work: Any) -> np.ndarray:
        key = joblib.hash((self.selector, *work))
        if key not in KEPT:
            KEPT[key] = supports(self, *work)
        return KEPT[key]

    monkeypatch.setattr(StabilitySelector, "_supports", remembered)


@pytest.mark.parametrize("assumption", ["none", "unimodal", "r-concave"])
@pytest.mark.parametrize(
    ("selector", "signal", "correlated"),
    [pytest.param(*case, id=name) for name, case in CASES.items()],
)
def test_false_selections_are_within_the_bound(
    selector: Any, signal: float, correlated: float, assumption: str
) -> None:
    false, bound, found = [], [], []
    for seed in range(REPEATS):
        stable = StabilitySelector(
            selector, n_pairs=25, pfer=1.0, assumption=assumption, n_removals=0, random_state=seed
        ).fit(*made(seed, signal, correlated))
        false.append(stable.support_[TRUE:].sum())
        found.append(stable.support_[:TRUE].sum())
        bound.append(stable.pfer_bound_)
    assert np.mean(bound) <= 1.0 + 1e-9
    # The bound is one of the mean, which is known up to its standard error.
    error = np.std(false, ddof=1) / np.sqrt(REPEATS)
    assert np.mean(false) - 2 * error <= np.mean(bound)
    if signal:
        # With "none", a forest on 40 rows finds few of them; each is found far more often than a false one.
        assert np.mean(found) / TRUE > 20 * np.mean(false) / (FEATURES - TRUE)
