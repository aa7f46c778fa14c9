"""From a task to a forest: this module calls the core."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pyrrf import _core
from pyrrf._core.records import ClassOutcome, ClassTest, Grown, RegressionOutcome, RegressionTest, RowPrediction, Rows
from pyrrf.fit.progress import monitor
from pyrrf.fit.task import Task
from pyrrf.fit.test_set import class_results, number_results
from pyrrf.random import call_stream, draw_seed, drawing, taken_back_on_error


def grow(task: Task) -> Grown:
    """Grow the forest of a task, drawing from the current stream.

    Parameters
    ----------
    task : Task

    Returns
    -------
    Grown
    """
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
        entropy=rule.entropy,
        weighted=rule.row_weight is not None,
        n_jobs=task.engine.n_jobs,
    )


def _grow_like_r(task: Task) -> Grown:
    fit = _core.fit_regression if task.rows.numbers else _core.fit_classification
    with call_stream() as stream, monitor(task.growing.ntree, task.trace, task.printer) as (every, on_tree):
        return fit(
            task.rows,
            task.growing,
            stream=stream,
            n_jobs=task.engine.n_jobs,
            trace=every,
            on_tree=on_tree,
            ranks=task.ranks,
        )


# ---- engine parallel -----------------------------------------------------------------------------


def _grow_parallel(task: Task) -> Grown:
    with taken_back_on_error():
        rows = task.rows if task.data.supervised else _with_synthetic_rows(task.rows)
        seed = draw_seed()
        # More threads than trees would have nothing to do.
        n_jobs = min(task.engine.n_jobs, task.growing.ntree)
        # The trees are needed to predict the test set.
        growing = replace(task.growing, keep_forest=task.growing.keep_forest or task.data.test is not None)
        with monitor(growing.ntree, task.trace, task.printer) as (every, on_tree):
            grown = _core.fit_parallel(
                rows, growing, task.rule, seed, n_jobs=n_jobs, trace=every, on_tree=on_tree, ranks=task.ranks
            )
        test = None if task.data.test is None else _test_forest(task, grown, seed, n_jobs)
    outcome = grown.outcome if task.data.supervised else _of_the_data(grown.outcome, task.data.shape[0])
    return replace(grown, outcome=outcome, test=test, trees=grown.trees if task.growing.keep_forest else None)


def _with_synthetic_rows(rows: Rows) -> Rows:
    """Return the rows of x and as many synthetic rows, each column sampled separately with replacement.

    Engine r draws synthetic rows for every tree, engine parallel once for the forest.
    """
    n, p = rows.values.shape
    with drawing() as stream:
        chosen = (stream.runif(n * p) * n).astype(np.int64).reshape(n, p)
    return replace(rows, values=np.vstack([rows.values, np.take_along_axis(rows.values, chosen, axis=0)]))


def _of_the_data(outcome: ClassOutcome | RegressionOutcome, n: int) -> ClassOutcome | RegressionOutcome:
    """Return the outcome of an unsupervised fit with its tables per row cut to the rows of the data."""

    def kept(table: np.ndarray | None, rows: int | None, columns: int | None) -> np.ndarray | None:
        return None if table is None else np.asfortranarray(table[:rows, :columns])

    return replace(
        outcome,
        proximity=kept(outcome.proximity, n, n),
        inbag=kept(outcome.inbag, n, None),
        local_importance=kept(outcome.local_importance, None, n),
    )


def _test_forest(task: Task, grown: Grown, seed: int, n_jobs: int) -> ClassTest | RegressionTest:
    """Return the results on the test set."""
    rows, growing, trees = task.rows, task.growing, grown.trees
    assert trees is not None
    assert rows.test_values is not None
    cutoff = None if rows.numbers else growing.cutoff

    def predict(values: np.ndarray, *, individual: bool = False, nodes: bool = False) -> RowPrediction:
        return _core.predict(
            trees,
            values,
            rows.ncat,
            rows.nclass,
            cutoff=cutoff,
            n_jobs=n_jobs,
            individual=individual,
            nodes=nodes,
        )

    answer = predict(rows.test_values, individual=True, nodes=growing.proximity)
    nodes = predict(rows.values, nodes=True).nodes if growing.proximity else None
    if cutoff is None:
        return number_results(answer, rows.test_response, nodes)
    return class_results(answer, rows.test_response, nodes, cutoff, seed)
