"""Forests of the parallel engine, in the form that those of engine r have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pyrrf import _core
from pyrrf import random as _random
from pyrrf.data.inputs import Predictors
from pyrrf.fit.arguments import resolve_sample_weight
from pyrrf.fit.call import Task
from pyrrf.fit.progress import OnTree, watch
from pyrrf.fit.test_set import class_results, number_results

# What engine r alone is told.
_OF_ENGINE_R = ("quirks", "corr_bias")


@dataclass(frozen=True)
class Rows:
    """The rows that a forest is grown on, and those that it is tried on.

    Parameters
    ----------
    values : ndarray of float32 or float64, shape (n, p)
    response : ndarray, shape (n,), or (2 n,) in unsupervised mode
        int32 classes from 0, or float64 numbers. The second class of unsupervised mode is that of
        n synthetic rows.
    nclass : int
        1 for numbers.
    test : Predictors or None
    observed : ndarray or None
        Responses of the test rows, as `response`.
    """

    values: np.ndarray
    response: np.ndarray
    nclass: int
    test: Predictors | None
    observed: np.ndarray | None

    @property
    def numbers(self) -> bool:
        """Whether the forest is for numbers."""
        return self.response.dtype.kind == "f"

    @property
    def unsupervised(self) -> bool:
        """Whether there are synthetic rows."""
        return len(self.response) > len(self.values)


def grow_parallel(
    task: Task, rows: Rows, arguments: Mapping[str, Any], trace: int, printer: OnTree | None
) -> dict[str, Any]:
    """Grow a forest with the parallel engine.

    Parameters
    ----------
    task : Task
    rows : Rows
    arguments : mapping
        Arguments of the core.
    trace : int
        Trees between two lines of R's table of errors; 0 = no table.
    printer : callable or None
        Prints a line.

    Returns
    -------
    dict
        What _core.fit_classification or _core.fit_regression returns, and of the work of threads:
        `regrown`, trees of which a part was grown again because another had changed the feature set;
        `searched`, nodes; `repeated`, those among them that were searched again.
    """
    known = {name: value for name, value in arguments.items() if name not in _OF_ENGINE_R}
    known |= _of_the_engine(task, rows)
    with _random.taken_back_on_error():
        values = _with_synthetic_rows(rows.values) if rows.unsupervised else rows.values
        seed = _random.draw_seed()
        raw = _grow(task, rows, values, known | {"seed": seed}, (trace, printer))
        raw["test"] = None if rows.test is None else _try_forest(task, rows, raw["forest"], known, seed)
    if rows.unsupervised:
        raw |= _of_the_data(raw, len(rows.values))
    if not known["keep_forest"]:
        raw["forest"] = None
    return raw


def _grow(
    task: Task, rows: Rows, values: np.ndarray, known: Mapping[str, Any], table: tuple[int, OnTree | None]
) -> dict[str, Any]:
    """Call the core; a test set needs the trees."""
    keep = known["keep_forest"] or rows.test is not None
    with watch(known["ntree"], *table) as (every, on_tree):
        raw: dict[str, Any] = _core.fit_parallel(
            values,
            task.x.ncat,
            rows.response,
            rows.nclass,
            **{**known, "keep_forest": keep},
            trace=every,
            on_tree=on_tree,
        )
    return raw


def _of_the_engine(task: Task, rows: Rows) -> dict[str, Any]:
    """Return the arguments of the core that engine r does not have."""
    return {
        **task.engine.rule(rows.numbers),
        "max_depth": task.engine.max_depth,
        "use_depth": task.engine.use_depth,
        "row_weight": resolve_sample_weight(task["sample_weight"], len(rows.values)),
        # A thread has nothing to do where there is no tree for it.
        "n_jobs": min(task.engine.n_jobs, int(task["ntree"])),
    }


def _with_synthetic_rows(values: np.ndarray) -> np.ndarray:
    """Return the rows of x and as many synthetic ones, each column sampled on its own with replacement.

    Engine r draws synthetic rows for every tree, the parallel engine once for the forest.
    """
    n, p = values.shape
    with _random.drawing() as stream:
        chosen = (stream.runif(n * p) * n).astype(np.int64).reshape(n, p)
    return np.vstack([values, np.take_along_axis(values, chosen, axis=0)])


def _of_the_data(raw: dict[str, Any], n: int) -> dict[str, Any]:
    """Return the tables of an unsupervised fit with one line a row, without the synthetic rows."""
    parts = {"proximity": np.s_[:n, :n], "inbag": np.s_[:n], "local_importance": np.s_[:, :n]}
    return {name: None if raw[name] is None else np.asfortranarray(raw[name][kept]) for name, kept in parts.items()}


def _try_forest(task: Task, rows: Rows, trees: dict[str, Any], known: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """Return what the trees say of the test rows, in the form of engine r."""
    assert rows.test is not None

    def ask(values: np.ndarray, **parts: bool) -> dict[str, Any]:
        cutoff = None if rows.numbers else known["cutoff"]
        answer: dict[str, Any] = _core.predict_rows(
            trees, values, task.x.ncat, rows.nclass, cutoff=cutoff, n_jobs=known["n_jobs"], **parts
        )
        return answer

    answer = ask(rows.test.values, individual=True, nodes=known["proximity"])
    nodes = ask(task.x.values, nodes=True)["nodes"] if known["proximity"] else None
    if rows.numbers:
        return number_results(answer, rows.observed, nodes)
    return class_results(answer, rows.observed, nodes, known["cutoff"], seed)
