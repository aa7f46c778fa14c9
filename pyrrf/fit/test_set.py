"""Test sets of engine parallel: errors after each tree, and proximities, from the predictions of the trees."""

from __future__ import annotations

import numpy as np

from pyrrf._core.records import ClassTest, RegressionTest, RowPrediction
from pyrrf.types import Floats, Ints


def class_results(
    answer: RowPrediction, observed: Ints | None, nodes: Ints | None, cutoff: Floats, seed: int
) -> ClassTest:
    """Return the results of a forest for classes on a test set.

    Parameters
    ----------
    answer : RowPrediction
        Answer of _core.predict for the test rows, with `individual`, and with `nodes` for proximities.
    observed : ndarray of int32, shape (ntest,), or None
        Classes from 0.
    nodes : ndarray of int32, shape (n, ntree), or None
        Leaves of the training rows, for proximities.
    cutoff : ndarray of float64, shape (nclass,)
    seed : int
        Decides ties of the votes before the last tree.

    Returns
    -------
    ClassTest
        As of engine r.
    """
    rates = None
    if observed is not None:
        rates = np.array([_rates(p, observed, len(cutoff)) for p in _running_classes(answer, cutoff, seed)])
    assert answer.votes is not None
    return ClassTest(
        predicted=answer.predicted, votes=answer.votes, err_rate=rates, proximity=_proximity(answer, nodes)
    )


def _running_classes(answer: RowPrediction, cutoff: Floats, seed: int) -> list[np.ndarray]:
    """Return the class of each row after each tree; after the last, that of the forest."""
    individual = answer.individual
    assert individual is not None
    n, ntree = individual.shape
    votes, row = np.zeros((n, len(cutoff))), np.arange(n)
    # Each row has a random order of the classes; of tied classes the first in that order wins.
    preference = np.random.default_rng(seed).random((n, len(cutoff)))
    winners = []
    for tree in range(ntree - 1):
        votes[row, individual[:, tree]] += 1
        ratio = votes / cutoff
        tied = ratio == ratio.max(axis=1, keepdims=True)
        winners.append(np.where(tied, preference, -1.0).argmax(axis=1))
    return [*winners, answer.predicted]


def _rates(predicted: np.ndarray, observed: np.ndarray, nclass: int) -> np.ndarray:
    """Share of wrong rows in all and in each class; NaN for a class without rows."""
    wrong = predicted != observed
    counts = np.bincount(observed, minlength=nclass)
    with np.errstate(invalid="ignore"):
        return np.concatenate([[wrong.mean()], np.bincount(observed, wrong, nclass) / counts])


def number_results(answer: RowPrediction, observed: Floats | None, nodes: Ints | None) -> RegressionTest:
    """Return the results of a regression forest on a test set.

    Parameters
    ----------
    answer, nodes
        As in `class_results`.
    observed : ndarray of float64, shape (ntest,), or None

    Returns
    -------
    RegressionTest
        As of engine r.
    """
    assert answer.individual is not None
    errors = None if observed is None else _running_errors(answer.individual, observed)
    return RegressionTest(predicted=answer.predicted, mse=errors, proximity=_proximity(answer, nodes))


def _proximity(answer: RowPrediction, nodes: Ints | None) -> Floats | None:
    return None if nodes is None or answer.nodes is None else proximity_to_all(answer.nodes, nodes)


def _running_errors(individual: np.ndarray, observed: np.ndarray) -> np.ndarray:
    """Mean squared error after each tree."""
    total, errors = np.zeros(len(observed)), np.empty(individual.shape[1])
    # An error beyond the largest double is infinite, as in the core.
    with np.errstate(over="ignore", invalid="ignore"):
        for tree, values in enumerate(individual.T):
            total += values
            errors[tree] = np.mean((observed - total / (tree + 1)) ** 2)
    return errors


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
