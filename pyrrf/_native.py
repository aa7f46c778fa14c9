"""Forests of the native engine, brought to the form that those of engine r have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pyrrf import _core
from pyrrf import random as _random
from pyrrf._task import Task, begin_stream

# What engine r alone is told.
_OF_ENGINE_R = ("quirks", "corr_bias")
# What the first version of _core.fit_native does not know.
_LATER = ("importance", "local_importance", "proximity", "oob_proximity", "keep_inbag", "n_perm")


def grow_native(
    task: Task,
    response: np.ndarray,
    nclass: int,
    arguments: Mapping[str, Any],
) -> dict[str, Any]:
    """Grow a forest with the native engine.

    Parameters
    ----------
    task : Task
    response : ndarray, shape (n,)
        int32 classes from 0, or float64 numbers with ``nclass=1``.
    nclass : int
    arguments : mapping
        Arguments of the core.

    Returns
    -------
    dict
        What _core.fit_classification or _core.fit_regression returns.
    """
    known = {name: value for name, value in arguments.items() if name not in _OF_ENGINE_R}
    _refuse_later(task, known)
    begin_stream(task)
    seed = _random.draw_native_seed()
    raw: dict[str, Any] = _core.fit_native(
        np.asfortranarray(task.x.values), task.x.ncat, response, nclass, **known, seed=seed, n_jobs=task.engine.n_jobs
    )
    return _in_final_form(raw, numbers=nclass == 1)


def _refuse_later(task: Task, known: dict[str, Any]) -> None:
    """Refuse what the core does not do yet."""
    asked = [name for name in _LATER[:5] if known.get(name)] + [
        name
        for name in ("xtest", "strata", "sample_weight", "max_depth", "criterion", "penalty")
        if task[name] is not None
    ]
    if asked or task.engine.use_depth:
        raise NotImplementedError(f"engine='native' does not do {(asked or ['usedepth'])[0]} yet; pass engine='r'")
    for name in _LATER:
        known.pop(name, None)


def _in_final_form(raw: dict[str, Any], numbers: bool) -> dict[str, Any]:
    """Rename the keys of the first version of _core.fit_native."""
    raw["mse" if numbers else "err_rate"] = raw.pop("error")
    raw["importance"] = raw.pop("decrease")[:, np.newaxis]
    if not numbers:
        raw["votes"] = raw["votes"].astype(np.float64)
    none = dict.fromkeys(("importance_sd", "local_importance", "proximity", "inbag", "test", "coef"))
    return none | raw
