"""Work shared out to a backend of joblib that stands for other processes; tests/slow/test_cluster.py has a cluster."""

from __future__ import annotations

from typing import Any

import joblib
import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

import pyrrf
from pyrrf.sklearn import GRRFSelector, GRRFSelectorCV, RRFClassifier
from pyrrf.sklearn.jobs import other_processes, share_out
from pyrrf.threads import CallEndedError, SharedCall, available_cores
from tests.refusals import refused
from tests.sklearn.backends import Pickles, at_work

X, Y = load_breast_cancer(return_X_y=True)


def guided(**options: Any) -> tuple[bytes, Any]:
    few: dict[str, Any] = {"guide": 40, "n_estimators": 10, "random_state": 1}
    fitted = GRRFSelector(**few | options).fit(X, Y)
    return fitted.guide_importances_.tobytes(), fitted.result_


@pytest.mark.parametrize("trees", [1, 3, 40])
def test_a_guide_in_other_processes_is_the_same(trees: int) -> None:
    expected, before = guided(guide=trees), Pickles.sent
    with at_work("pickles"):
        assert guided(guide=trees) == expected
    assert Pickles.sent - before == min(trees, 8)


@pytest.mark.parametrize("backend", ["pickles", "threading"])
def test_a_guide_stays_where_it_cannot_be_shared_out(backend: str) -> None:
    expected, before = guided(forest=RRFClassifier(engine="r")), Pickles.sent
    with joblib.parallel_config(backend=backend, n_jobs=2):
        assert guided(forest=RRFClassifier(engine="r")) == expected
        assert backend == "pickles" or guided() == guided(n_jobs=2)
    assert Pickles.sent == before


def test_numbers_in_other_processes() -> None:
    expected = guided(task="regression")
    with at_work("pickles"):
        assert guided(task="regression") == expected


def seen(common: int, task: int) -> tuple[int, ...]:
    return common + task, other_processes(4), joblib.effective_n_jobs(4), available_cores()


def test_a_task_has_one_thread() -> None:
    with at_work("pickles"):
        assert other_processes(None) == other_processes(2) == 2
        assert share_out(seen, (10,), [(1,), (2,)], None) == [(11, 1, 1, 1), (12, 1, 1, 1)]
    assert other_processes(4) == 1


def test_no_more_threads_are_made_than_there_are_tasks() -> None:
    """joblib makes as many as it is asked for."""
    assert share_out(added, (10,), [(1,), (2,)], 10**9) == [11, 12]
    assert share_out(added, (10,), [], 10**9) == []


def added(common: int, task: int) -> int:
    return common + task


def no_guide(x: Any, y: Any) -> None:
    raise ValueError("guide: nothing is asked of it")


def test_errors_come_back() -> None:
    with joblib.parallel_config(backend="pickles", n_jobs=2):
        with pytest.raises(ValueError, match="guide: nothing is asked of it"):
            GRRFSelectorCV(no_guide, cv=2).fit(X, Y)
        with refused("guide", "range"):
            guided(guide=0)


def drawn(x: Any, y: Any) -> Any:
    return pyrrf.runif(x.shape[1])


def test_a_fold_has_its_own_stream() -> None:
    def chosen() -> tuple[Any, Any]:
        fitted = GRRFSelectorCV(drawn, gammas=2, cv=2, n_estimators=5, random_state=1).fit(X, Y)
        return fitted.result_, fitted.nested_scores_.tolist()

    expected = chosen()
    with at_work("pickles"):
        assert chosen() == expected


def test_work_for_a_call_that_is_over_ends_also_inside_another() -> None:
    outer = SharedCall()
    inner = outer.work(SharedCall)
    x = np.arange(20.0).reshape(10, 2)
    assert inner.work(pyrrf.RRF, x, list("ab") * 5).ntree == 500
    inner.ended = True
    assert not outer.has_ended()
    inner.ended, outer.ended = False, True
    with pytest.raises(CallEndedError, match="is over"):
        inner.work(pyrrf.RRF, x, list("ab") * 5)
    assert pyrrf.RRF(x, list("ab") * 5).ntree == 500
