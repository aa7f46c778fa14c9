"""More than 65,536 rows, whose columns are counted in bins first."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import pyrrf

ROWS = 66_000


def columns() -> np.ndarray:
    return np.random.default_rng(0).standard_normal((ROWS, 4))


def tree(x: np.ndarray, y: np.ndarray) -> pd.DataFrame:
    fit = pyrrf.RRF(x, y, ntree=1, mtry=3, nodesize=200, flagReg=0, engine="parallel", n_jobs=1, seed=1)
    return pyrrf.getTree(fit, 1)


@pytest.mark.parametrize("exponent", [-300, -80, 120, 200])
def test_the_unit_of_the_response_does_not_matter(exponent: int) -> None:
    """A power of two changes no digit, so that the splits are the same ones."""
    x = columns()
    y = x[:, 0] + 0.5 * x[:, 1] + np.random.default_rng(1).standard_normal(ROWS)
    names = ["split var", "split point"]
    pd.testing.assert_frame_equal(tree(x, y)[names], tree(x, y * 2.0**exponent)[names], check_exact=True)


@pytest.mark.parametrize("kind", ["two", "four", "numbers"])
def test_the_best_split_of_all_rows(kind: str) -> None:
    """Beside all cuts of all features, for the root of a tree that all rows are in."""
    x = np.round(columns()[:, :3], 4)
    score = x[:, 2] + np.random.default_rng(1).standard_normal(ROWS)
    edges = {"two": [0.3], "four": [-1.0, 0.1, 0.7]}.get(kind)
    y = score if edges is None else np.digitize(score, edges).astype(str)
    whole = {"replace": False, "sampsize": ROWS}
    fit = pyrrf.RRF(x, y, ntree=1, mtry=3, maxnodes=2, flagReg=0, engine="parallel", n_jobs=1, seed=1, **whole)
    targets = score[:, None] if edges is None else (y[:, None] == np.unique(y)).astype(float)
    found = pyrrf.getTree(fit, 1).iloc[0]
    assert (found["split var"], found["split point"]) == best_split(x, targets)


def best_split(x: np.ndarray, targets: np.ndarray) -> tuple[int, float]:
    """The feature, from 1, and the point with the largest sum of squares of the daughters' sums over their sizes."""
    best = (-np.inf, 0, 0.0)
    for feature in range(x.shape[1]):
        order = np.argsort(x[:, feature], kind="stable")
        values, sums = x[order, feature], np.cumsum(targets[order], axis=0)
        left = np.arange(1, len(x))
        worth = (sums[:-1] ** 2).sum(1) / left + ((sums[-1] - sums[:-1]) ** 2).sum(1) / (len(x) - left)
        worth[values[1:] == values[:-1]] = -np.inf
        at = int(worth.argmax())
        best = max(best, (float(worth[at]), feature + 1, float((values[at] + values[at + 1]) / 2)))
    return best[1:]


def test_a_split_point_beyond_all_numbers() -> None:
    """R adds two large values before it halves them, and sends all rows that were not drawn to the left."""
    i = np.arange(70_000)
    x = ((i * 7919) % 70_000 / 70_000 * 1.797e308)[:, None]
    y = np.where((x[:, 0] > 0.9 * 1.797e308) ^ (i % 10 == 0), "b", "a")
    pyrrf.set_seed(1)
    fit = pyrrf.RRF(x, y, ntree=1, maxnodes=2, flagReg=0)
    assert fit.err_rate.iloc[0, 0] == 0.18211907635995483
