"""Data read and ranked once: every forest on them equals that of a call of its own."""

from __future__ import annotations

import inspect
import pickle
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from pyrrf.fit.call import Call
from pyrrf.fit.fitting import SharedData, fit_guided, fit_task
from pyrrf.random import private_stream

ENGINES = ("r", "parallel")

DEFAULTS = {field.name: field.default for field in fields(Call)}


@pytest.fixture(params=["classes", "numbers"])
def target(request: pytest.FixtureRequest, frame: pd.DataFrame, y: np.ndarray) -> Any:
    """Classes, or numbers."""
    return y if request.param == "classes" else frame["number"].to_numpy() + frame["count"].to_numpy()


@pytest.mark.parametrize("engine", ENGINES)
def test_each_gamma_equals_a_call_of_its_own(frame: pd.DataFrame, target: Any, engine: str) -> None:
    gammas = [0.1, 0.9, 0.5]
    fits = fit_guided(Call(x=frame, y=target, ntree=15, seed=7, engine=engine), gammas, 0.8)
    after = pyrrf.runif(3)
    for gamma, fit in zip(gammas, fits, strict=True):
        alone = pyrrf.GRRF(frame, target, gamma, 0.8, ntree=15, seed=7, engine=engine)
        assert fit == alone
        assert fit.call == alone.call
        assert fit.ordinary == alone.ordinary
    np.testing.assert_array_equal(pyrrf.runif(3), after)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("changed", [{"mtry": 1}, {"flagReg": 0, "ntree": 4}, {"importance": True, "nodesize": 3}])
def test_other_arguments_on_the_same_data(
    frame: pd.DataFrame, target: Any, engine: str, changed: dict[str, Any]
) -> None:
    data = SharedData.read(Call(x=frame, y=target, ntree=10, engine=engine))
    data.fit(data.call)
    pyrrf.set_seed(1)
    fit = data.fit(replace(data.call, **changed))
    pyrrf.set_seed(1)
    assert fit == pyrrf.RRF(frame, target, **{"ntree": 10, "engine": engine, **changed})


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("columns", [[0, 1, 2, 3, 4], [4, 1], [2, 0, 3], [1]], ids=str)
def test_some_columns_of_the_same_data(frame: pd.DataFrame, target: Any, engine: str, columns: list[int]) -> None:
    arguments: dict[str, Any] = {"ntree": 10, "engine": engine, "xtest": frame[:9], "ytest": target[:9]}
    data = SharedData.read(Call(x=frame, y=target, **arguments))
    # Ranks are made with the first forest.
    data.fit(data.call)
    pyrrf.set_seed(1)
    fit = data.select(np.array(columns)).fit(data.call)
    arguments["xtest"] = frame.iloc[:9, columns]
    pyrrf.set_seed(1)
    assert fit == pyrrf.RRF(frame.iloc[:, columns], target, **arguments)


@pytest.mark.parametrize("engine", ENGINES)
def test_some_rows_of_the_same_data(frame: pd.DataFrame, target: Any, engine: str) -> None:
    weight = np.linspace(1.0, 2.0, len(frame)) if engine == "parallel" else None
    call = Call(x=frame, y=target, ntree=10, seed=1, engine=engine, sample_weight=weight)
    data = SharedData.read(call)
    rows = np.flatnonzero(np.arange(len(frame)) % 3)[::-1]
    pyrrf.set_seed(1)
    fit = SharedData(data.engine, data.data.take(rows), call).fit(call)
    some = frame.iloc[rows], np.asarray(target)[rows]
    weight = None if weight is None else weight[rows]
    assert fit == pyrrf.RRF(*some, ntree=10, seed=1, engine=engine, sample_weight=weight)


def test_rows_of_fewer_classes() -> None:
    data = SharedData.read(Call(x=np.eye(6), y=list("aabbcc"), engine="parallel")).data.take(np.array([5, 0, 4]))
    assert data.labels is not None
    assert data.labels.levels == ["a", "c"]
    assert data.labels.codes.tolist() == [1, 0, 1]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_pickle_has_the_data_without_ranks(frame: pd.DataFrame, target: Any, engine: str) -> None:
    data = SharedData.read(Call(x=frame, y=target, ntree=5, engine=engine))
    with private_stream(1):
        fit = data.fit(data.call)
    other = pickle.loads(pickle.dumps(data))
    with private_stream(1):
        assert other.fit(other.call) == fit


def test_columns_of_an_array_are_counted_anew(x: np.ndarray, y: np.ndarray) -> None:
    data = SharedData.read(Call(x=x, y=y, ntree=5, seed=1)).select(np.array([3, 0]))
    pyrrf.set_seed(1)
    assert data.fit(data.call) == pyrrf.RRF(x[:, [3, 0]], y, ntree=5, seed=1)


@pytest.mark.parametrize(
    ("arguments", "message"), [({"mtry": 99}, "invalid mtry"), ({"strata": ["u", "v"] * 20}, "strata has no effect")]
)
def test_grrf_warns_once(x: np.ndarray, y: np.ndarray, arguments: dict[str, Any], message: str) -> None:
    with pytest.warns(UserWarning, match=message) as caught:
        pyrrf.GRRF(x, y, ntree=3, seed=1, **arguments)
    assert len(caught) == 1


def test_grrf_without_response(x: np.ndarray) -> None:
    pyrrf.set_seed(2)
    ordinary = pyrrf.RRF(x, ntree=8, quirks=False, flagReg=0)
    share = ordinary.outcome.importance[:, -1] / ordinary.outcome.importance[:, -1].max()
    guided = pyrrf.RRF(x, ntree=8, quirks=False, coefReg=0.5 + 0.5 * share)
    fit = pyrrf.GRRF(x, ntree=8, quirks=False, seed=2)
    assert fit.ordinary == ordinary
    np.testing.assert_array_equal(fit.votes, guided.votes)


@pytest.mark.parametrize("function", [pyrrf.RRF, pyrrf.GRRF])
def test_signatures_agree_with_the_call(function: Any) -> None:
    parameters = inspect.signature(function).parameters
    own = {"unknown"} | ({"gamma", "lambda0", "guide", "normalize"} if function is pyrrf.GRRF else set())
    shown = {name: parameter.default for name, parameter in parameters.items() if name not in own}
    lacking = {"coefReg", "flagReg"} if function is pyrrf.GRRF else set()
    defaults = {field.name: field.default for field in fields(Call) if field.name not in lacking}
    assert list(shown) == list(defaults)
    assert shown == defaults


def test_every_argument_of_grrf_arrives(x: np.ndarray, y: np.ndarray) -> None:
    given = {"ntree": 7, "mtry": 3, "nodesize": 2, "keep_inbag": True, "norm_votes": False, "cutoff": [0.4, 0.6]}
    arguments = pyrrf.GRRF(x, y, seed=1, **given).arguments
    assert {name: arguments[name] for name in given} == given
    assert arguments["flagReg"] == 1
    assert len(arguments["coefReg"]) == 5


def test_ranks_read_no_row_weight() -> None:
    # Of weights the core is told only that there are some: a long column must not be looked for behind them.
    x = np.random.default_rng(1).standard_normal((2_000, 3))
    weight = np.linspace(0.0, 1.0, len(x))
    arguments: dict[str, Any] = {"ntree": 3, "seed": 1, "engine": "parallel", "sample_weight": weight}
    ordinary = pyrrf.GRRF(x, x[:, 0], **arguments).ordinary
    assert ordinary is not None
    pd.testing.assert_series_equal(ordinary.predicted, pyrrf.RRF(x, x[:, 0], flagReg=0, **arguments).predicted)


def test_ranks_of_classes_do_not_serve_numbers() -> None:
    # Both rank ties as R does; numbers need the values by rank, too, which ranks for classes do not hold.
    x = np.random.default_rng(1).random((30, 2)).round(1)
    classes, numbers = Call(x=x, y=list("abc") * 10), Call(x=x, y=np.arange(30.0))
    of_classes = SharedData.read(classes).task(classes).ranks
    with pytest.raises(ValueError, match="out of its range"):
        fit_task(replace(SharedData.read(numbers).task(numbers), ranks=of_classes))
