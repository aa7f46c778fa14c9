"""Test sets of engine parallel: proximities, from the leaves of the trees."""

from __future__ import annotations

import numpy as np


def proximity_to_all(test_nodes: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """Share of the trees that put a test row into the leaf of another row.

    Parameters
    ----------
    test_nodes : ndarray of int32, shape (ntest, ntree)
    nodes : ndarray of int32, shape (n, ntree)

    Returns
    -------
    ndarray of float64, shape (ntest, ntest + n)
        To the test rows, then to the training rows.
    """
    everyone = np.concatenate([test_nodes, nodes])
    shared = np.zeros((len(test_nodes), len(everyone)))
    for own, other in zip(test_nodes.T, everyone.T, strict=True):
        shared += own[:, np.newaxis] == other
    return np.asarray(shared / test_nodes.shape[1])
