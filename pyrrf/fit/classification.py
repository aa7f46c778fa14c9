"""Forests that vote: classification and unsupervised mode."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pyrrf import _core
from pyrrf.checks import warn
from pyrrf.data.inputs import Factor, Predictors, check_classes, check_length, check_varies, match_labels
from pyrrf.data.labelled import resolve_classwt, resolve_cutoff
from pyrrf.fit import arguments as rules
from pyrrf.fit.call import Task, common_arguments, common_parts, read_test_rows
from pyrrf.fit.parallel import Rows, grow_parallel
from pyrrf.fit.progress import watch
from pyrrf.fit.trace import ClassTrace
from pyrrf.random import call_stream
from pyrrf.result.forest import Forest
from pyrrf.result.result import RRFClassification, RRFTestSet, RRFUnsupervised


@dataclass(frozen=True)
class _Ballot:
    """What a forest that votes needs beside the common arguments.

    Parameters
    ----------
    values : ndarray of float64, shape (n, p)
        The rows the forest is grown on.
    labels : Factor
        Their classes.
    sampling : Sampling
    classwt, cutoff : ndarray
    test : Predictors or None
    observed : ndarray of int32 or None
        Classes of the test rows.
    """

    values: np.ndarray
    labels: Factor
    sampling: rules.Sampling
    classwt: np.ndarray | None
    cutoff: np.ndarray
    test: Predictors | None
    observed: np.ndarray | None


def fit_classification(task: Task, response: Factor) -> RRFClassification:
    """Grow a forest for the classes of `response`."""
    check_classes(response, "y")
    check_varies(task.x, "x")
    n, _ = task.shape
    sampling = rules.resolve_sampling(task["sampsize"], task["strata"], task.flags["replace"], response, n)
    ballot = _ballot(task, task.x.values, response, sampling, other="y")
    common = common_arguments(task, _default_mtry(task))
    raw = _grow(task, ballot, common)
    return RRFClassification(response=response, **_parts(task, ballot, common, raw))


# The labels that R gives to the data and to the synthetic rows.
_DATA_OR_SYNTHETIC = ["1", "2"]


def fit_unsupervised(task: Task) -> RRFUnsupervised:
    """Grow a forest that tells the data from synthetic rows."""
    check_varies(task.x, "x")
    _refuse_overruns(task)
    n, _ = task.shape
    labels = Factor(np.repeat(np.array([0, 1], dtype=np.int32), n), _DATA_OR_SYNTHETIC)
    if task["strata"] is not None:
        warn("strata has no effect in unsupervised mode")
    # R's default is the rows of x at a time when x holds the synthetic rows too.
    sampling = rules.resolve_bag_size(
        task["sampsize"],
        task.flags["replace"],
        2 * n,
        "unsupervised mode",
        minimum=2,
        counted=" with the synthetic ones",
    )
    if task["sample_weight"] is not None:
        raise ValueError("sample_weight goes with a response; unsupervised mode has none")
    # The parallel engine draws its synthetic rows itself, once the stream is seeded.
    stacked = task.x.values if task.engine.parallel else np.asfortranarray(np.vstack([task.x.values, task.x.values]))
    ballot = _ballot(task, stacked, labels, sampling, other="unsupervised mode")
    common = common_arguments(task, _default_mtry(task))
    if task.flags["quirks"]:
        warn(
            "unsupervised mode: every synthetic row copies the first row of x, as in R; "
            "pass quirks=False to sample each column of x"
        )
    raw = _grow(task, ballot, common, add_class=True)
    for part in ("votes", "oob_times"):
        raw[part] = raw[part][:n]
    # R returns neither for the data alone.
    del raw["predicted"], raw["err_rate"]
    return RRFUnsupervised(**_parts(task, ballot, common, raw))


def _refuse_overruns(task: Task) -> None:
    """Refuse what makes R write outside its arrays and crash."""
    if not task.flags["quirks"]:
        return
    if task["xtest"] is not None and task.flags["proximity"]:
        raise ValueError(
            "xtest with proximity in unsupervised mode makes R write outside its arrays; "
            "pass proximity=False or quirks=False"
        )
    if task.flags["localImp"]:
        raise ValueError("localImp in unsupervised mode makes R write outside its arrays; pass quirks=False")


def _default_mtry(task: Task) -> int:
    return math.floor(math.sqrt(task.shape[1]))


def _ballot(task: Task, values: np.ndarray, labels: Factor, sampling: rules.Sampling, other: str) -> _Ballot:
    test, observed = read_test_rows(task), None
    if test is not None and task["ytest"] is not None:
        observed = match_labels(task["ytest"], labels.levels, "ytest", other)
        check_length(len(observed), len(test.rows), "ytest", "xtest")
    return _Ballot(
        values,
        labels,
        sampling,
        resolve_classwt(task["classwt"], labels.levels),
        resolve_cutoff(task["cutoff"], labels.levels),
        test,
        observed,
    )


def _grow(task: Task, ballot: _Ballot, common: Mapping[str, Any], add_class: bool = False) -> dict[str, Any]:
    """Call the core."""
    sampling, labels = ballot.sampling, ballot.labels
    nodesize = rules.resolve_nodesize(task["nodesize"], sampling.total)
    max_nodes = rules.resolve_max_nodes(task["maxnodes"], 2 * math.trunc(sampling.total / nodesize) + 1)
    trace = rules.resolve_trace(task["do_trace"])
    printer = ClassTrace(len(labels.levels)) if trace else None
    arguments = {
        **common,
        "sampsize": sampling.sizes,
        "strata": sampling.strata,
        "nodesize": int(nodesize),
        "max_nodes": max_nodes,
        "classwt": ballot.classwt,
        "cutoff": ballot.cutoff,
    }
    classes, nclass = labels.codes.astype(np.int32), len(labels.levels)
    if task.engine.parallel:
        rows = Rows(ballot.values, classes, nclass, ballot.test, ballot.observed)
        return grow_parallel(task, rows, arguments, trace, printer)
    with call_stream() as stream, watch(common["ntree"], trace, printer) as (every, on_tree):
        raw: dict[str, Any] = _core.fit_classification(
            ballot.values,
            task.x.ncat,
            classes,
            nclass,
            xtest=None if ballot.test is None else ballot.test.values,
            ytest=ballot.observed,
            **arguments,
            stream=stream,
            trace=every,
            on_tree=on_tree,
            add_class=add_class,
        )
    return raw


def _parts(task: Task, ballot: _Ballot, common: Mapping[str, Any], raw: dict[str, Any]) -> dict[str, Any]:
    """Return the parts of a fit that votes."""
    trees, raw_test, classwt = raw.pop("forest"), raw.pop("test"), raw.pop("classwt")
    levels, norm_votes = ballot.labels.levels, task.flags["norm_votes"]
    forest, test_set = None, None
    if trees is not None:
        forest = Forest(trees, task.x.ncat, task.x.coded, len(levels), classwt, ballot.cutoff)
    if ballot.test is not None:
        test_set = RRFTestSet(raw_test, ballot.test.rows, task.x.rows, levels, ballot.observed, norm_votes)
    parts = {"norm_votes": norm_votes, "test": test_set, "raw": raw, "forest": forest}
    return common_parts(task, common) | parts
