"""Stands in for _core.fit_native and _core.predict_native until they have all their arguments."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyrrf import _core
from pyrrf._core import Stream

_COMPLETE = hasattr(_core, "predict_native")
_KNOWN = (
    *("ntree", "mtry", "nodesize", "max_nodes", "replace", "sampsize", "classwt", "cutoff", "flag_reg"),
    *("coef_reg", "used", "seed", "n_jobs", "keep_forest"),
)
# What may be left out: its default, or what does not matter without another argument.
_NEUTRAL = {"n_perm", "oob_proximity", "trace", "on_tree"}


def fit_native(x: np.ndarray, ncat: np.ndarray, y: np.ndarray, nclass: int, **named: Any) -> dict[str, Any]:
    """Call the core, or its first version where that does all that is asked for."""
    if _COMPLETE:
        answer: dict[str, Any] = _core.fit_native(x, ncat, y, nclass, **named)
        return answer
    numbers = y.dtype.kind == "f"
    missing = ["missing values in x"] if np.isnan(x).any() else []
    if type(named["on_tree"]).__name__.endswith("Trace"):
        missing.append("do_trace")
    for name in set(named) - set(_KNOWN) - _NEUTRAL:
        if named[name] is not None and np.any(named[name]) and not (name == "penalize_gain" and numbers):
            missing.append(name)
    if missing:
        raise NotImplementedError(f"engine='native' does not do {missing[0]} yet; pass engine='r'")
    known = {name: named[name] for name in _KNOWN}
    raw: dict[str, Any] = _core.fit_native(np.asfortranarray(x, np.float64), ncat, y, nclass, **known)
    raw["mse" if numbers else "err_rate"] = raw.pop("error")
    raw["importance"] = raw.pop("decrease")[:, np.newaxis]
    raw["votes"] = None if numbers else raw["votes"].astype(np.float64)
    return dict.fromkeys(("importance_sd", "local_importance", "proximity", "inbag")) | raw


def predict_native(forest: dict[str, Any], x: np.ndarray, ncat: np.ndarray, nclass: int, **named: Any) -> Any:
    """Call the core, or predict on one thread."""
    if _COMPLETE:
        return _core.predict_native(forest, x, ncat, nclass, **named)
    # Trees without missing values in training send them to the right.
    values = np.asfortranarray(np.where(np.isnan(x), np.where(ncat > 1, ncat + 1.0, np.inf), x), np.float64)
    parts = {
        "predict_all": named.get("individual", False),
        "nodes": named.get("nodes", False),
        "proximity": named.get("proximity", False),
    }
    if nclass == 1:
        return _core.predict_regression(forest, ncat, values, **parts)
    stream = Stream()
    stream.set_seed(1)
    return _core.predict_classification(forest, ncat, nclass, values, named["cutoff"], stream=stream, **parts)
