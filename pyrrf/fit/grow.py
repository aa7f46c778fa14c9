"""Growing the forest of a task: this module calls the core."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pyrrf import _core
from pyrrf._core.records import (
    ClassOutcome,
    ClassTest,
    CoreResult,
    RegressionOutcome,
    RegressionTest,
    SparseColumns,
    TrainingArrays,
)
from pyrrf.fit.progress import monitor
from pyrrf.fit.task import Task
from pyrrf.fit.test_proximity import proximity_to_all
from pyrrf.random import call_stream, draw_seed, drawing
from pyrrf.types import Ints


def grow(task: Task) -> CoreResult:
    """Grow the forest of a task, drawing from the current stream."""
    return _grow_parallel(task) if task.engine.parallel else _grow_like_r(task)


def rank(task: Task) -> _core.Ranks | None:
    """Rank the columns for forests on the same rows; None in unsupervised mode, where rows are drawn."""
    if not task.data.supervised:
        return None
    rows, growing, rule = task.rows, task.growing, task.rule
    return _core.Ranks(
        rows.values,
        rows.ncat,
        rows.response,
        rows.nclass,
        parallel=task.engine.parallel,
        sampsize=growing.sampsize,
        strata=growing.strata,
        classwt=growing.classwt,
        quirks=growing.quirks,
        random_forest=growing.random_forest,
        criterion=rule.criterion,
        weighted=rule.row_weight is not None,
        n_jobs=task.engine.n_jobs,
    )


def _grow_like_r(task: Task) -> CoreResult:
    with call_stream() as stream, monitor(task.growing.ntree, task.trace, task.printer) as (every, on_tree):
        return _core.fit_r(
            task.rows,
            task.growing,
            stream=stream,
            n_jobs=task.engine.n_jobs,
            trace=every,
            on_tree=on_tree,
            ranks=task.ranks,
        )


# ---- engine parallel -----------------------------------------------------------------------------


def _grow_parallel(task: Task) -> CoreResult:
    with call_stream():
        rows = task.rows if task.data.supervised else _with_synthetic_rows(task.rows)
        seed = draw_seed()
        # Threads beyond the number of trees would be idle.
        n_jobs = min(task.engine.n_jobs, task.growing.ntree)
        growing = task.growing
        near = growing.proximity and task.data.test is not None
        if near:
            # The proximity of the test rows needs the leaves of the trees.
            growing = replace(growing, keep_forest=True)
        with monitor(growing.ntree, task.trace, task.printer) as (every, on_tree):
            grown = _core.fit_parallel(
                rows, growing, task.rule, seed, n_jobs=n_jobs, trace=every, on_tree=on_tree, ranks=task.ranks
            )
        test = _with_proximity(task, grown, n_jobs) if near else grown.test
    outcome = grown.outcome if task.data.supervised else _of_the_data(grown.outcome, task.data.shape[0])
    return replace(grown, outcome=outcome, test=test, trees=grown.trees if task.growing.keep_forest else None)


def _with_synthetic_rows(rows: TrainingArrays) -> TrainingArrays:
    """Return the rows of x and as many synthetic rows, each column sampled separately with replacement.

    Engine r draws synthetic rows for every tree, engine parallel once for the forest.
    """
    values = rows.values
    assert isinstance(values, np.ndarray), "sparse matrices are refused in unsupervised mode"
    n, p = values.shape
    with drawing() as stream:
        chosen = (stream.runif(n * p) * n).astype(np.int64).reshape(n, p)
    return replace(rows, values=np.vstack([values, np.take_along_axis(values, chosen, axis=0)]))


def _of_the_data(outcome: ClassOutcome | RegressionOutcome, n: int) -> ClassOutcome | RegressionOutcome:
    """Return the outcome of an unsupervised fit with its tables per row cut to the rows of the data."""

    def corner(table: np.ndarray | None, rows: int | None, columns: int | None) -> np.ndarray | None:
        return None if table is None else np.asfortranarray(table[:rows, :columns])

    return replace(
        outcome,
        proximity=corner(outcome.proximity, n, n),
        inbag=corner(outcome.inbag, n, None),
        local_importance=corner(outcome.local_importance, None, n),
    )


def _with_proximity(task: Task, grown: CoreResult, n_jobs: int) -> ClassTest | RegressionTest:
    """Return the results on the test set with its proximity."""
    rows, trees = task.rows, grown.trees
    assert trees is not None
    assert grown.test is not None
    assert rows.test_values is not None

    def leaves(values: np.ndarray | SparseColumns) -> Ints:
        answer = _core.predict(trees, values, rows.ncat, rows.nclass, n_jobs=n_jobs, nodes=True)
        assert answer.nodes is not None
        return answer.nodes

    return replace(grown.test, proximity=proximity_to_all(leaves(rows.test_values), leaves(rows.values)))
