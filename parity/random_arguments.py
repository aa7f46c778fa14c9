"""Arguments of the fits of random programs: all of them, odd values that are accepted, and some that are not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from parity.chooser import Chooser
from parity.steps import Column, Named, Part, Positions

Args = dict[str, Any]


def random_arguments(choose: Chooser, parts: dict[str, Any], kind: str, package: str) -> Args:
    """Arguments of a fit of a kind, for the function of a package ("RRF" or "randomForest")."""
    n, p = parts["x"].shape
    classes = class_labels(parts["y"]) if kind == "classes" else ["1", "2"]
    args: Args = {"ntree": choose.one_of(1, 1, 2, 3, 4, choose.between(5, 10))}
    groups = [_flags(choose), _nodes(choose, n, p), _results(choose, kind)]
    if choose.chance(0.4):
        groups.append(_bags(choose, parts, n, kind))
    if kind != "numbers" or choose.chance(0.1):
        groups.append(_classes(choose, classes))
    groups.append(_penalty(choose, parts["x"], p) if package == "RRF" else _weights(choose, kind))
    if kind != "alone" or choose.chance(0.3):
        groups.append(_test_set(choose, kind))
    for group in groups:
        args |= group
    # Rare arguments are often alone in a call, so that refusals do not hide each other.
    if choose.chance(0.3):
        args = {name: value for name, value in args.items() if name == "ntree" or choose.chance(0.3)}
    if "xtest" not in args:
        args.pop("ytest", None)
    elif kind == "alone" and choose.chance(0.8):
        args["proximity"] = False  # With it, R writes outside its arrays.
    return args


def class_labels(y: Any) -> list[str]:
    """Levels of a response of classes, as R has them."""
    if isinstance(y, pd.Categorical):
        return [str(level) for level in y.categories]
    labels = sorted(set(np.asarray(y).tolist()))
    return ["FALSE", "TRUE"] if labels and isinstance(labels[0], bool) else [str(label) for label in labels]


def _some(choose: Chooser, share: float, **values: Any) -> Args:
    return {name: value for name, value in values.items() if choose.chance(share)}


def _flags(choose: Chooser) -> Args:
    return _some(
        choose, 0.15, replace=choose.chance(0.2), norm_votes=False, keep_inbag=True, keep_forest=choose.chance(0.8)
    )


def _results(choose: Chooser, kind: str) -> Args:
    args = _some(choose, 0.2, importance=choose.chance(0.9), localImp=True, proximity=choose.chance(0.8))
    args |= _some(choose, 0.1, oob_prox=choose.chance(0.5), do_trace=choose.one_of(True, 1, 2, 3))
    if kind == "numbers" or choose.chance(0.05):
        args |= _some(choose, 0.2, nPerm=choose.one_of(1, 2, 3, 0), corr_bias=True)
    return args


def _nodes(choose: Chooser, n: int, p: int) -> Args:
    most = choose.one_of(2, 2, 3, 3, 4, 5, choose.between(2, 15), 1_000, 1)
    size = choose.one_of(1, 2, 3, 5, choose.between(1, 12), n, 0, 2.5, n + 3)
    tried = choose.one_of(1, p, choose.between(1, p), p + 2, 0, 1.5, -1)
    return _some(choose, 0.25, maxnodes=most) | _some(choose, 0.25, nodesize=size) | _some(choose, 0.35, mtry=tried)


def _bags(choose: Chooser, parts: dict[str, Any], n: int, kind: str) -> Args:
    """sampsize, one or by class or stratum, and strata."""
    if kind == "classes" and choose.chance(0.6):
        return _strata(choose, parts)
    whole = choose.one_of(n, n, choose.between(1, n), max(n // 2, 1), max(n // 2, 1))
    more = choose.between(n, 2 * n - 1) if kind == "alone" else whole
    size = choose.one_of(whole, whole, more, whole + 0.5, n + 1, 2 * n, 0)
    return {"sampsize": size}


def _strata(choose: Chooser, parts: dict[str, Any]) -> Args:
    y = pd.Categorical(parts["y"])
    given = choose.chance(0.3)
    counts = np.bincount(parts["strata"].codes if given else y.codes)
    sizes = [choose.between(choose.one_of(0, 1, 1, 1), int(size)) for size in counts]
    args: Args = {"sampsize": sizes if len(sizes) > 1 else sizes[0]}
    if choose.chance(0.15):
        args["sampsize"] = [float(size) + choose.one_of(0.0, 0.5) for size in sizes]
    if not given and choose.chance(0.1):
        args["sampsize"] = _by_name(choose, class_labels(parts["y"]), [float(size) for size in sizes])
    return args | ({"strata": Part("strata")} if given else {})


def _by_name(choose: Chooser, labels: list[str], values: list[float]) -> Any:
    order = choose.bits.order(len(labels)) if choose.chance(0.7) else np.arange(len(labels))
    return Named({labels[i]: float(values[i]) for i in order}) if len(values) == len(labels) else values


def _classes(choose: Chooser, labels: list[str]) -> Args:
    """classwt and cutoff, with names or without."""
    k, args = len(labels), {}
    if choose.chance(0.2):
        weights = [choose.one_of(1.0, 1.0, 2.0, 0.1, 1e-6, 1e6, 0.3, 0.0 if choose.chance(0.1) else 3.0)] * k
        weights = weights if choose.chance(0.2) else choose.vector(k, 0.1, 3.0)
        args["classwt"] = _by_name(choose, labels, weights) if choose.chance(0.3) else weights
    if choose.chance(0.2):
        cutoff = np.array(choose.vector(k, 0.2, 1.0))
        shares = (cutoff / cutoff.sum() * choose.one_of(0.99, 0.9, 0.5, 0.99, 1.2)).tolist()
        args["cutoff"] = _by_name(choose, labels, shares) if choose.chance(0.3) else shares
    return args


def _penalty(choose: Chooser, x: Any, p: int) -> Args:
    """coefReg, flagReg and feaIni."""
    args: Args = _some(choose, 0.4, flagReg=choose.one_of(0, 0, 1))
    kind = choose.between(0, 6)
    if kind == 1:
        args["coefReg"] = choose.one_of(0.3, 0.7, 0.95, 1, 1, 0.01, 1e-9, 0 if choose.chance(0.2) else 0.5)
    elif kind in (2, 3, 4):
        vector = choose.vector(p, choose.one_of(0.2, 0.2, -0.2, 0.0), 1.0)
        vector[choose.between(0, p - 1)] = choose.one_of(1.0, 1.0, 0.5, 0.0)
        named = isinstance(x, pd.DataFrame) and x.columns.is_unique and choose.chance(0.3)
        names = [str(name) for name in x.columns] if named else []
        args["coefReg"] = Column(tuple(vector)) if kind == 4 else vector
        if named:
            args["coefReg"] = pd.Series(vector, index=names)
    if choose.chance(0.15):
        args["feaIni"] = Positions(tuple(choose.between(0, p - 1) for _ in range(choose.between(1, 3))))
    return args


def _weights(choose: Chooser, kind: str) -> Args:
    return {"weights": Part("weights")} if kind != "alone" and choose.chance(0.25) else {}


def _test_set(choose: Chooser, kind: str) -> Args:
    if choose.chance(0.8):
        return {}
    args: Args = {"xtest": Part("new")} | _some(choose, 0.6, keep_forest=True)
    return args | ({"ytest": Part("newy")} if kind != "alone" and choose.chance(0.6) else {})
