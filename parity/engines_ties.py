"""A control for the comparison of engines: engine parallel with another rule for equal splits."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from parity.engines_data import Forests, Run
from tests.parallel.oracle import Forest, Node, Rule, Split, grow_forest
from tests.parallel.oracle_bag import Task


class FairTies(Rule):
    """Of equal splits the one with the largest hash wins, so that all are equally likely.

    RRF counts ties anew for each feature, and members of F mostly come last: there they win more often.
    """

    def winner(self, node: Node, tied: list[Split], order: list[int]) -> Split | None:
        """Of the node; the order of the features does not matter."""
        return max(tied, key=lambda offer: offer.priority(node), default=None)


def grow_with_fair_ties(run: Run, seeds: Iterable[int], **_: Any) -> Forests:
    """Forests of a run, one per seed, by the slow program; numbers as predictors, two or more classes."""
    parts = run.make()
    task = _task(parts["x"], np.unique(parts["y"], return_inverse=True)[1], run.arguments)
    none = np.zeros(task.x.shape[1], np.int32)
    forests = [grow_forest(task, none, seed, FairTies) for seed in seeds]
    return Forests(
        np.array([forest.used for forest in forests], dtype=bool),
        np.array([_error(task, forest) for forest in forests]),
        np.array([forest.decrease() for forest in forests]),
    )


def _task(x: np.ndarray, y: np.ndarray, arguments: dict[str, Any]) -> Task:
    n, p = x.shape
    nclass = int(y.max()) + 1
    task = Task(x, np.ones(p, np.int32), y, nclass, math.isqrt(p), np.full(p, float(arguments["coefReg"])))
    return replace(
        task, ntree=arguments["ntree"], sampsize=[n], max_nodes=2 * n + 1, cutoff=np.full(nclass, 1 / nclass)
    )


def _error(task: Task, forest: Forest) -> float:
    winners = np.array(forest.winners())
    return float(np.mean((winners != task.y)[winners >= 0]))
