"""The bound on noise features where the truth is known: of few columns and many, correlated, of many values and few."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.feature_selection import SelectKBest, f_classif

from pyrrf.sklearn import GRRFSelector, RRFClassifier, StabilitySelector

DRAWS = 8  # docs/stability.md has more of them
FOREST = GRRFSelector(50, n_estimators=20, forest=RRFClassifier(engine="parallel"), n_jobs=1)
BEST = SelectKBest(f_classif, k=10)


def numbers(draw: np.random.Generator, n: int, p: int) -> pd.DataFrame:
    return pd.DataFrame(draw.standard_normal((n, p)))


def blocks(draw: np.random.Generator, n: int, p: int) -> pd.DataFrame:
    """Return blocks of five columns with a correlation of .9."""
    shared = np.repeat(draw.standard_normal((n, p // 5)), 5, axis=1)
    return pd.DataFrame(np.sqrt(0.9) * shared + np.sqrt(0.1) * draw.standard_normal((n, p)))


def mixed(draw: np.random.Generator, n: int, p: int) -> pd.DataFrame:
    """Return numbers of many values, every other column; between them factors of two and of four levels."""
    factors = {at: pd.Categorical(draw.integers(4 if at % 4 == 3 else 2, size=n)) for at in range(1, p, 2)}
    return pd.DataFrame({at: factors.get(at, draw.standard_normal(n)) for at in range(p)})


CASES: dict[str, tuple[Any, Any, int, int, int]] = {  # selector, noise, rows, columns, informative columns before them
    "7": (FOREST, numbers, 100, 7, 0),
    "10 beside 3": (FOREST, numbers, 200, 10, 3),
    "20": (FOREST, numbers, 100, 20, 0),
    "50": (FOREST, numbers, 100, 50, 0),
    "1000, best": (BEST, numbers, 100, 1000, 0),
    "1000 beside 3, best": (BEST, numbers, 200, 1000, 3),
    "blocks": (FOREST, blocks, 100, 20, 0),
    "blocks beside 3": (FOREST, blocks, 200, 50, 3),
    "blocks beside 3, best": (BEST, blocks, 200, 50, 3),
    "mixed": (FOREST, mixed, 100, 10, 0),
    "mixed beside 3": (FOREST, mixed, 100, 20, 3),
}


@pytest.mark.filterwarnings("ignore:of .* features of noise the selector would select")
@pytest.mark.parametrize("case", CASES)
def test_noise_features_are_within_the_bound(case: str) -> None:
    selector, kind, n, p, true = CASES[case]
    found = []
    for seed in range(DRAWS):
        draw = np.random.default_rng([seed, n, p, true])
        signal = draw.standard_normal((n, true))
        latent = signal @ np.array([1.2, 1.0, 0.8])[:true] + draw.logistic(size=n)
        x = pd.concat([pd.DataFrame(signal), kind(draw, n, p)], axis=1, ignore_index=True).set_axis(
            [f"x{at}" for at in range(true + p)], axis=1
        )
        stable = StabilitySelector(selector, n_pairs=25, n_removals=0, n_jobs=1, random_state=seed)
        stable.fit(x, (latent > np.median(latent)).astype(int))
        found.append((stable.support_[true:].sum(), stable.pfer_bound_, stable.support_[:true].sum()))
    false, bound, told = np.array(found, float).T
    for draws in (bound < 1, bound <= p):
        # The bound is one of the mean, which is known up to its standard error.
        error = np.std(false[draws], ddof=1) / np.sqrt(draws.sum()) if draws.sum() > 1 else 0.0
        assert not draws.any() or false[draws].mean() - 2 * error <= bound[draws].mean()
    assert told.mean() >= 0.5 * true
