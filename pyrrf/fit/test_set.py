"""Test sets of the parallel engine: errors after each tree and proximities, from what the trees say."""

from __future__ import annotations

from typing import Any

import numpy as np


def class_results(
    answer: dict[str, Any], observed: np.ndarray | None, nodes: np.ndarray | None, cutoff: np.ndarray, seed: int
) -> dict[str, Any]:
    """Return the results of a forest that votes on a test set.

    Parameters
    ----------
    answer : dict
        What _core.predict_rows says of the test rows, with `individual`, and `nodes` for proximities.
    observed : ndarray of int32, shape (ntest,), or None
        Classes from 0.
    nodes : ndarray of int32, shape (n, ntree), or None
        Leaves of the training rows, for proximities.
    cutoff : ndarray of float64, shape (nclass,)
    seed : int
        Decides ties of the votes before the last tree.

    Returns
    -------
    dict
        predicted, votes, err_rate and proximity, as of engine r.
    """
    rates = None
    if observed is not None:
        rates = np.array([_rates(p, observed, len(cutoff)) for p in _running_classes(answer, cutoff, seed)])
    return {
        "predicted": answer["predicted"],
        "votes": answer["votes"],
        "err_rate": rates,
        "proximity": None if nodes is None else proximity_to_all(answer["nodes"], nodes),
    }


def _running_classes(answer: dict[str, Any], cutoff: np.ndarray, seed: int) -> list[np.ndarray]:
    """Return the class of each row after each tree; after the last, that of the forest."""
    individual = answer["individual"]
    n, ntree = individual.shape
    votes, row = np.zeros((n, len(cutoff))), np.arange(n)
    # Of classes with equal ratios of votes to cutoff the first in an order of the row's own wins.
    preference = np.random.default_rng(seed).random((n, len(cutoff)))
    winners = []
    for tree in range(ntree - 1):
        votes[row, individual[:, tree]] += 1
        ratio = votes / cutoff
        tied = ratio == ratio.max(axis=1, keepdims=True)
        winners.append(np.where(tied, preference, -1.0).argmax(axis=1))
    return [*winners, answer["predicted"]]


def _rates(predicted: np.ndarray, observed: np.ndarray, nclass: int) -> np.ndarray:
    """Share of wrong rows in all and in each class; NaN for a class without rows."""
    wrong = predicted != observed
    counts = np.bincount(observed, minlength=nclass)
    with np.errstate(invalid="ignore"):
        return np.concatenate([[wrong.mean()], np.bincount(observed, wrong, nclass) / counts])


def number_results(answer: dict[str, Any], observed: np.ndarray | None, nodes: np.ndarray | None) -> dict[str, Any]:
    """Return the results of a regression forest on a test set.

    Parameters
    ----------
    answer, nodes
        As in `class_results`.
    observed : ndarray of float64, shape (ntest,), or None

    Returns
    -------
    dict
        predicted, mse and proximity, as of engine r.
    """
    return {
        "predicted": answer["predicted"],
        "mse": None if observed is None else _running_errors(answer["individual"], observed),
        "proximity": None if nodes is None else proximity_to_all(answer["nodes"], nodes),
    }


def _running_errors(individual: np.ndarray, observed: np.ndarray) -> np.ndarray:
    """Mean squared error after each tree."""
    total, errors = np.zeros(len(observed)), np.empty(individual.shape[1])
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
