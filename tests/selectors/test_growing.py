"""Trees on threads: the same trees, in the order of the requests; nothing left over when the caller stops."""

from __future__ import annotations

import threading
from dataclasses import replace

import numpy as np
import pytest

from pyrrf._core.criteria import Penalty
from pyrrf.selectors.growing import (
    TreeData,
    TreeMaker,
    TreeRequest,
    TreeRule,
    features_used,
)

RNG = np.random.default_rng(1)
X = RNG.standard_normal((50, 8))
DATA = TreeData(values=X, ncat=np.ones(8, np.int32), response=(X[:, 0] + X[:, 1] > 0).astype(np.int32), nclass=2)
RULE = TreeRule(mtry=2, coef_reg=0.5, penalty=Penalty.GAIN)
REQUESTS = [TreeRequest(seed=7, stream=tree, leaves=True) for tree in range(30)]


def test_threads_do_not_change_trees() -> None:
    alone = list(TreeMaker(DATA, RULE).grow_all(REQUESTS))
    shared = list(TreeMaker(DATA, RULE, n_jobs=3).grow_all(iter(REQUESTS)))
    single = TreeMaker(DATA, RULE)
    for one, other, request in zip(alone, shared, REQUESTS, strict=True):
        third = single.grow(request)
        for name in ("left", "split_var", "split_point", "prediction"):
            assert np.array_equal(getattr(one.tree, name), getattr(other.tree, name))
            assert np.array_equal(getattr(one.tree, name), getattr(third.tree, name))
        assert np.array_equal(one.leaves, other.leaves)


def test_f_is_passed_on_by_the_caller() -> None:
    maker = TreeMaker(DATA, RULE)
    used = np.zeros(8, np.int32)
    grown = maker.grow(replace(REQUESTS[0], used=used))
    assert not used.any()
    after = features_used(used, grown.tree)
    assert sorted(np.flatnonzero(after) + 1) == sorted(set(grown.tree.split_var.tolist()) - {0})


def test_an_error_in_a_thread_is_the_callers() -> None:
    bad = [*REQUESTS[:5], replace(REQUESTS[5], count=np.zeros(50, np.int32)), *REQUESTS[6:]]
    handed_out = []
    with pytest.raises(ValueError, match="the bag has 0 rows"):
        handed_out.extend(TreeMaker(DATA, RULE, n_jobs=2).grow_all(bad))
    assert len(handed_out) in (0, 5)


def test_a_caller_that_stops_leaves_no_threads() -> None:
    before = threading.active_count()
    trees = TreeMaker(DATA, RULE, n_jobs=2).grow_all(REQUESTS)
    next(trees)
    trees.close()
    assert threading.active_count() == before
