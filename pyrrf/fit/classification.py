"""Forests for classes: classification and unsupervised mode."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pyrrf._core.records import ClassOutcome, ClassTest, CoreResult
from pyrrf.checks import warn
from pyrrf.data.inputs import Factor, check_classes
from pyrrf.data.labelled import resolve_classwt, resolve_cutoff
from pyrrf.data.predictors import check_varies
from pyrrf.errors import bad
from pyrrf.fit.arguments import (
    Flags,
    read_flags,
    resolve_free_nodesize,
    resolve_growing,
    resolve_max_nodes,
    resolve_nodesize,
    resolve_trace,
)
from pyrrf.fit.call import Call
from pyrrf.fit.engine import Engine
from pyrrf.fit.reading import Data
from pyrrf.fit.sampling import Sampling, resolve_bag_size, resolve_sampling
from pyrrf.fit.task import Task
from pyrrf.fit.trace import ClassTrace
from pyrrf.result.forest import Forest
from pyrrf.result.random_forest import RandomForestClassification, RandomForestUnsupervised
from pyrrf.result.result import ClassificationResult, RRFTestSet, UnsupervisedResult
from pyrrf.result.rrf import RRFClassification, RRFUnsupervised


@dataclass(frozen=True, eq=False, kw_only=True)
class ClassTask(Task):
    """A forest for classes: those of a response, or data against synthetic rows."""

    labels: Factor
    norm_votes: bool  # whether votes are shown as shares

    def printer(self) -> ClassTrace:
        """Return the function that prints a line of R's table of errors."""
        return ClassTrace(self.rows.nclass)

    def result(self, grown: CoreResult) -> ClassificationResult | UnsupervisedResult:
        """Return the fit of a forest that the core has grown."""
        outcome, forest = grown.outcome, None
        assert isinstance(outcome, ClassOutcome)
        if grown.trees is not None:
            x, levels = self.data.x, self.labels.levels
            forest = Forest(grown.trees, x.ncat, x.coded, len(levels), outcome.classwt, self.growing.cutoff)
        if self.engine.quirks:
            # R takes them from the votes, which a leaf without cases may count for another row.
            outcome = replace(outcome, oob_times=outcome.votes.sum(axis=1, dtype=np.int32))
        random_forest = self.call.random_forest
        parts: dict[str, Any] = {
            "about": self.about(),
            "forest": forest,
            "norm_votes": self.norm_votes,
            "test": self._test(grown),
        }
        if self.data.supervised:
            classification = RandomForestClassification if random_forest else RRFClassification
            return classification(response=self.labels, outcome=outcome, **parts)
        n, _ = self.data.shape
        # R returns neither predictions nor errors for the data alone.
        outcome = replace(
            outcome, votes=outcome.votes[:n], oob_times=outcome.oob_times[:n], predicted=None, err_rate=None
        )
        unsupervised = RandomForestUnsupervised if random_forest else RRFUnsupervised
        return unsupervised(outcome=outcome, **parts)

    def _test(self, grown: CoreResult) -> RRFTestSet | None:
        data, outcome = self.data, grown.test
        if data.test is None:
            return None
        assert isinstance(outcome, ClassTest)
        return RRFTestSet(outcome, data.test.rows, data.x.rows, self.labels.levels, data.observed, self.norm_votes)


def classification(call: Call, engine: Engine, data: Data) -> ClassTask:
    """Return the task of a forest for the classes of the response."""
    assert data.labels is not None
    check_classes(data.labels, "y")
    check_varies(data.x, "x")
    flags, n = read_flags(call, data), data.shape[0]
    sampling = resolve_sampling(call.sampsize, call.strata, flags["replace"], data.labels, n)
    return _task(call, engine, data, data.labels, sampling, flags)


def unsupervised_task(call: Call, engine: Engine, data: Data) -> ClassTask:
    """Return the task of a forest that separates the data from synthetic rows."""
    assert data.labels is not None
    check_varies(data.x, "x")
    flags, n = read_flags(call, data), data.shape[0]
    if engine.quirks:
        _refuse_overruns(data, flags)
    if call.strata is not None:
        warn("strata has no effect in unsupervised mode")
    # R computes its default when x already holds the synthetic rows.
    counted = " with the synthetic ones"
    sampling = resolve_bag_size(call.sampsize, flags["replace"], 2 * n, "unsupervised mode", minimum=2, counted=counted)
    task = _task(call, engine, data, data.labels, sampling, flags)
    if engine.quirks and not call.random_forest:
        warn(
            "unsupervised mode: every synthetic row copies the first row of x, as in R; "
            "pass quirks=False to sample each column of x"
        )
    if engine.parallel:
        # Engine parallel draws the synthetic rows when it grows the forest.
        return task
    stacked = np.asfortranarray(np.vstack([data.x.dense, data.x.dense]))
    return replace(task, rows=replace(task.rows, values=stacked, synthetic=True))


def _refuse_overruns(data: Data, flags: Flags) -> None:
    """Refuse combinations with which R writes outside its arrays and crashes."""
    if data.test is not None and flags["proximity"]:
        raise bad.unsupported(
            "xtest with proximity in unsupervised mode makes R write outside its arrays; "
            "pass proximity=False, or fit with RRF's quirks=False"
        )
    if flags["local_importance"]:
        raise bad.unsupported(
            "localImp in unsupervised mode makes R write outside its arrays; leave it out, "
            "or fit with RRF's quirks=False"
        )


def _task(call: Call, engine: Engine, data: Data, labels: Factor, sampling: Sampling, flags: Flags) -> ClassTask:
    if call.random_forest:
        nodesize, leaf_size = resolve_free_nodesize(call.nodesize, 1), 1.0
    else:
        nodesize = leaf_size = resolve_nodesize(call.nodesize, sampling.total, call.maxnodes)
    growing = resolve_growing(
        call,
        engine,
        data,
        flags,
        sampling,
        nodesize=nodesize,
        max_nodes=resolve_max_nodes(call.maxnodes, sampling.total, leaf_size, engine),
        mtry=math.floor(math.sqrt(data.shape[1])),
    )
    classwt, cutoff = resolve_classwt(call.classwt, labels.levels), resolve_cutoff(call.cutoff, labels.levels)
    return ClassTask(
        call=call,
        engine=engine,
        data=data,
        rows=data.rows(labels.codes.astype(np.int32, copy=False), len(labels.levels), data.observed),
        growing=replace(growing, classwt=classwt, cutoff=cutoff),
        trace=resolve_trace(call.do_trace),
        labels=labels,
        norm_votes=bool(call.norm_votes),
    )
