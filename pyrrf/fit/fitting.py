"""From a call to a fit: read, resolve, grow."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from pyrrf._core import Ranks
from pyrrf.checks import share
from pyrrf.errors import bad
from pyrrf.fit.call import ORDINARY, Call, GuidedArguments
from pyrrf.fit.callbacks import grow_and_notify
from pyrrf.fit.classification import classification, unsupervised_task
from pyrrf.fit.engine import Engine, read_engine
from pyrrf.fit.grow import grow, rank
from pyrrf.fit.guided_weights import importance_of_fit, is_measure, is_permuted, read_guide, scale_importances, weight
from pyrrf.fit.reading import Data, read
from pyrrf.fit.regression import regression
from pyrrf.fit.task import Task
from pyrrf.random import call_stream
from pyrrf.rbase.collate import collating
from pyrrf.result.result import ForestResult
from pyrrf.result.rrf import RRFResult
from pyrrf.types import Floats, Positions

_KINDS = {"classification": classification, "regression": regression, "unsupervised": unsupervised_task}


def resolve(call: Call, engine: Engine, data: Data) -> Task:
    """Return the task of a call on data that were read, perhaps for another call.

    Raises
    ------
    TypeError, ValueError
        An argument has a wrong type, a value that R refuses, or does not go with the data.
    """
    with collating(call.collate):
        return _KINDS[data.kind](call, engine, data)


class SharedData:
    """Data, read once and ranked once, for forests that differ in other arguments.

    Pickles leave the ranks out; the first task in another process ranks the columns again.

    Parameters
    ----------
    engine : Engine
    data : Data
    call : Call
        The arguments that the calls of `task` are made of, with `replace`. Its data and its engine are not looked at.
    """

    def __init__(self, engine: Engine, data: Data, call: Call) -> None:
        self.engine, self.data, self.call = engine, data, call
        self._ranks: Ranks | None = None

    @classmethod
    def read(cls, call: Call) -> SharedData:
        """Read the data of a call: predictors, response, test set, weights, formula.

        Raises
        ------
        TypeError, ValueError, ImportError
            As for `read`.
        """
        call = call.tidy()
        engine = read_engine(call)
        return cls(engine, read(call, engine), call)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_ranks": None}

    def task(self, call: Call) -> Task:
        """Return the task of another call on the same data; the first task ranks the columns.

        Raises
        ------
        TypeError, ValueError
            As for `resolve`.
        """
        task = resolve(call, self.engine, self.data)
        if self._ranks is None:
            self._ranks = rank(task)
        return replace(task, ranks=self._ranks)

    def fit(self, call: Call) -> RRFResult:
        """Return the fit of another call of RRF() on the same data, drawn from the current stream."""
        return _of_rrf(fit_task(self.task(call)))

    def with_jobs(self, n_jobs: int) -> SharedData:
        """Return the same data for forests on this number of threads."""
        other = copy.copy(self)
        other.engine, other._ranks = replace(self.engine, n_jobs=n_jobs), self._ranks
        return other

    def select(self, columns: Positions) -> SharedData:
        """Return the same rows with these columns, counted from 0, in this order."""
        other = copy.copy(self)
        other.data = self.data.select(columns)
        other._ranks = None if self._ranks is None else self._ranks.select(columns.astype(np.int32))
        return other


def fit_task(task: Task) -> ForestResult:
    """Grow the forest of a task, drawing from the current stream, and return the fit."""
    return grow_and_notify(task, lambda task: task.result(grow(task)))


def _of_rrf(result: ForestResult) -> RRFResult:
    assert isinstance(result, RRFResult)
    return result


def fit(call: Call) -> ForestResult:
    """Return the fit of a call (`RRF`, `randomForest`)."""
    with call_stream(call.seed):
        call = call.tidy()
        engine = read_engine(call)
        return fit_task(resolve(call, engine, read(call, engine)))


def fit_guided(
    call: Call, gammas: Sequence[float], lambda0: float, guide: Any = None, normalize: Any = "max"
) -> list[RRFResult]:
    """Grow one ordinary forest, and one regularized forest per gamma that it guides (`GRRF`).

    The data are read and ranked once. Each regularized forest starts from the stream as the ordinary forest left
    it, and so equals the forest of a separate call with the same seed. The stream ends where the last forest left it.

    Parameters
    ----------
    call : Call
        Without `coefReg` and `flagReg`.
    gammas : sequence of float
        Weights of the importances, 0 or more.
    lambda0 : float
        Coefficient of every feature where gamma is 0; 0 to 1.
    guide, normalize : object
        As for `GRRF`. Without a forest of the call's own the stream begins with the first regularized one.

    Returns
    -------
    list of RRFResult
        One fit per gamma; they share one object in ``ordinary``, which is None where importances were given.

    Raises
    ------
    TypeError, ValueError
        A gamma or `lambda0` is out of its range, all importances are 0, or as for `RRF`.
    """
    weights, base = [weight(gamma) for gamma in gammas], share(lambda0, "lambda0")
    call, fits = call.tidy(), []
    with call_stream(call.seed) as stream:
        shared = SharedData.read(call)
        task = shared.task(guide_call(call))
        # Bad arguments are refused before the ordinary forest is grown.
        task.to_regularized(call)
        ordinary: RRFResult | None = guide if isinstance(guide, RRFResult) else None
        if is_measure(guide):
            permuted = shared.task(replace(guide_call(call), importance=True)) if is_permuted(guide) else task
            ordinary = _of_rrf(fit_task(permuted))
            values = importance_of_fit(ordinary, guide)
        else:
            values = read_guide(guide, shared.data.x.columns)
        shares, state = scale_importances(values, normalize), stream.get_state()
        for gamma in weights:
            stream.set_state(*state)
            coefficients = guided_coefficients(shares, gamma, base)
            guided = _of_rrf(fit_task(task.to_regularized(replace(call, coefReg=coefficients))))
            guided.call, guided.ordinary = _guided_text(call, gamma, base, guide, normalize), ordinary
            fits.append(guided)
    return fits


def guide_call(call: Call) -> Call:
    """Return the call of the ordinary forest that guides a call; it selects nothing, and has no penalty."""
    return replace(call, **ORDINARY)


def guided_coefficients(shares: Floats, gamma: float, base: float) -> Floats:
    """Return the coefficients of a guided forest.

    Parameters
    ----------
    shares : ndarray of float64, shape (p,)
        Importances divided by the largest.
    gamma, base : float
        As for `fit_guided`.

    Returns
    -------
    ndarray of float64, shape (p,)

    Raises
    ------
    ValueError
        None is above 0.
    """
    coefficients = (1 - gamma) * base + gamma * shares
    if coefficients.max() <= 0:
        raise bad.range(
            f"gamma={gamma:g} with lambda0={base:g} makes all coefficients 0 or less, so no tree can split; pass others"
        )
    return coefficients


def _guided_text(call: Call, gamma: float, base: float, guide: Any, normalize: Any) -> str:
    """Return a call of `GRRF` as Python text."""
    plain = {field.name: field.default for field in fields(GuidedArguments)}
    own = {"gamma": gamma, "lambda0": base, "guide": guide, "normalize": normalize}
    # Importances are compared by type, not value by value.
    arguments = {
        name: value for name, value in own.items() if not (type(value) is type(plain[name]) and value == plain[name])
    }
    return call.text("GRRF", **arguments)
