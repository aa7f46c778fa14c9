"""R's bound on the nodes of a tree, 2 floor(n / nodesize) + 1, which cuts trees short when nodesize is above 1."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf

ROWS, NODESIZE = 600, 12
WITHOUT_BOUND: dict[str, dict[str, Any]] = {
    "engine r, quirks=False": {"quirks": False},
    "engine parallel": {"engine": "parallel"},
}


def noise(numbers: bool) -> tuple[np.ndarray, Any]:
    generator = np.random.default_rng(5)
    x, y = generator.standard_normal((ROWS, 4)), generator.standard_normal(ROWS)
    return x, y if numbers else pd.Categorical(y > 0)


def grow(numbers: bool, **arguments: Any) -> pyrrf.RRFResult:
    x, y = noise(numbers)
    return pyrrf.RRF(x, y, ntree=5, nodesize=NODESIZE, flagReg=0, seed=2, **arguments)


def nodes_of(fit: pyrrf.RRFResult) -> np.ndarray:
    return np.array([len(pyrrf.getTree(fit, tree)) for tree in range(1, 6)])


def bound(numbers: bool) -> int:
    return 2 * (ROWS // (NODESIZE - 4 if numbers else NODESIZE)) + 1


@pytest.mark.parametrize("numbers", [False, True], ids=["classes", "numbers"])
def test_engine_r_stops_where_r_does(numbers: bool) -> None:
    assert (nodes_of(grow(numbers)) <= bound(numbers)).all()


def test_engine_r_cuts_trees_of_classes_short() -> None:
    assert (nodes_of(grow(False)) == bound(False)).all()


@pytest.mark.parametrize("arguments", WITHOUT_BOUND.values(), ids=WITHOUT_BOUND)
def test_without_the_bound_trees_are_grown_to_the_end(arguments: dict[str, Any]) -> None:
    assert (nodes_of(grow(False, **arguments)) > bound(False)).all()


@pytest.mark.parametrize("arguments", WITHOUT_BOUND.values(), ids=WITHOUT_BOUND)
def test_no_leaf_of_numbers_is_larger_than_nodesize(arguments: dict[str, Any]) -> None:
    """Without draws of the same row twice, each leaf holds as many rows as the bag put there."""
    x, _ = noise(numbers=True)
    fit = grow(True, replace=False, sampsize=500, keep_inbag=True, **arguments)
    leaves = pyrrf.predict(fit, x, nodes=True).nodes
    for tree in range(5):
        in_bag = np.asarray(fit.inbag)[:, tree] > 0
        assert np.unique(np.asarray(leaves)[in_bag, tree], return_counts=True)[1].max() <= NODESIZE


@pytest.mark.parametrize("arguments", WITHOUT_BOUND.values(), ids=WITHOUT_BOUND)
def test_maxnodes_still_bounds(arguments: dict[str, Any]) -> None:
    assert (nodes_of(grow(False, maxnodes=7, **arguments)) == 13).all()
