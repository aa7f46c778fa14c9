"""Steps of random programs after a fit: predictions and companions with any arguments, in any order; draws."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from parity.chooser import Chooser
from parity.steps import Part, Ref, Step

Parts = dict[str, Any]


def draw(choose: Chooser, at: int) -> Step:
    """A draw of the stream, between other steps."""
    n = choose.between(1, 4)
    args = {"runif": {"n": n}, "rnorm": {"n": n}, "sample": {"x": n + 2}}
    verb = choose.one_of(*args)
    return Step(verb, args[verb], f"d{at}")


def after_fit(choose: Chooser, parts: Parts, kind: str, fit: str, at: int) -> Step:
    """A step that asks a fit."""
    makers = [_predict] * 6 + [_importance, _importance, _tree, _tree, _size, _uses, _uses, _print, _margin, _outlier]
    makers += [_centres, _partial, _partial, _partial, _combine, _combine, _grow, _grow, _read, _write, _plot]
    return choose.one_of(*makers)(choose, parts, kind, fit, f"s{at}")


def before_fit(choose: Chooser, parts: Parts, kind: str, package: str, at: int) -> Step:
    """A companion that grows forests of its own."""
    return choose.one_of(_folds, _tuning, _imputation, _roughfix)(choose, parts, kind, package, f"s{at}")


# ---- of a fit ------------------------------------------------------------------------------------


def _predict(choose: Chooser, parts: Parts, kind: str, fit: str, name: str) -> Step:
    others = [other for other in ("swapped", "extra", "short", "one", "levels", "holed") if other in parts]
    data = choose.one_of("x", "new", "new", "new", *others)
    args: dict[str, Any] = {"object": Ref(fit)} | ({"newdata": Part(data)} if choose.chance(0.9) else {})
    if kind != "numbers" or choose.chance(0.05):
        args["type"] = choose.one_of("response", "response", "prob", "vote", "class")
    for flag in ("predict_all", "nodes", "proximity"):
        if choose.chance(0.2):
            args[flag] = True
    if choose.chance(0.2):
        args["norm_votes"] = choose.chance(0.5)
    if kind != "numbers" and choose.chance(0.1):
        args["cutoff"] = choose.one_of([0.5, 0.5], [0.2, 0.3], [0.3, 0.3, 0.3])
    return Step("predict", args, name)


def _importance(choose: Chooser, parts: Parts, kind: str, fit: str, name: str) -> Step:
    args: dict[str, Any] = {"x": Ref(fit)}
    if choose.chance(0.4):
        args["type"] = choose.one_of(1, 2)
    if choose.chance(0.4):
        args["scale"] = choose.chance(0.5)
    if kind == "classes" and choose.chance(0.2):
        args["class_"] = str(choose.one_of(*pd.Categorical(parts["y"]).categories))
    return Step("importance", args, name)


def _tree(choose: Chooser, parts: Parts, kind: str, fit: str, name: str) -> Step:
    args: dict[str, Any] = {"rfobj": Ref(fit)}
    if choose.chance(0.7):
        args["k"] = choose.one_of(1, 1, 2, 3, 11)
    return Step("getTree", args | ({"labelVar": True} if choose.chance(0.4) else {}), name)


def _size(choose: Chooser, parts: Parts, kind: str, fit: str, name: str) -> Step:
    return Step("treesize", {"x": Ref(fit)} | ({"terminal": False} if choose.chance(0.5) else {}), name)


def _uses(choose: Chooser, parts: Parts, kind: str, fit: str, name: str) -> Step:
    return Step("varUsed", {"x": Ref(fit), "by_tree": choose.chance(0.4), "count": choose.chance(0.6)}, name)


def _print(choose: Chooser, parts: Parts, kind: str, fit: str, name: str) -> Step:
    return Step("print", {"x": Ref(fit)}, name)


def _margin(choose: Chooser, parts: Parts, kind: str, fit: str, name: str) -> Step:
    return Step("margin", {"x": Ref(fit)}, name)


def _outlier(choose: Chooser, parts: Parts, kind: str, fit: str, name: str) -> Step:
    return Step("outlier", {"x": Ref(fit)}, name)


def _centres(choose: Chooser, parts: Parts, kind: str, fit: str, name: str) -> Step:
    if kind != "classes":
        return _uses(choose, parts, kind, fit, name)
    args = {"what": "centres", "x": Part("x"), "y": Part("y"), "fit": Ref(fit)}
    return Step("compute", args | ({"nNbr": choose.between(1, 6)} if choose.chance(0.5) else {}), name)


def _partial(choose: Chooser, parts: Parts, kind: str, fit: str, name: str) -> Step:
    x = parts["x"]
    args: dict[str, Any] = {"x": Ref(fit), "pred_data": Part(choose.one_of("x", "x", "new"))}
    if not isinstance(x, pd.DataFrame):
        return Step("compute", {"what": "partial_column", "fit": Ref(fit), "x": args["pred_data"]}, name)
    args["x_var"] = str(choose.one_of(*x.columns))
    if kind == "classes" and choose.chance(0.4):
        label = choose.one_of(*pd.Categorical(parts["y"]).categories)
        args["which_class"] = bool(label) if isinstance(label, bool | np.bool_) else str(label)
    if choose.chance(0.3):
        args["n_pt"] = choose.between(2, 7)
    if choose.chance(0.2) and len(parts["weights"]) == len(x):
        args |= {"w": Part("weights"), "pred_data": Part("x")}
    return Step("partialPlot", args | {"plot": False}, name)


def _combine(choose: Chooser, parts: Parts, kind: str, fit: str, name: str) -> Step:
    return Step("combine", {"fit0": Ref(fit), "fit1": Ref(choose.one_of(fit, "fit"))}, name)


def _grow(choose: Chooser, parts: Parts, kind: str, fit: str, name: str) -> Step:
    return Step("grow", {"x": Ref(fit), "how_many": choose.one_of(1, 2, 3)}, name)


def _read(choose: Chooser, parts: Parts, kind: str, fit: str, name: str) -> Step:
    return Step("read_from_r", {"x": Ref("fit")}, name)


def _write(choose: Chooser, parts: Parts, kind: str, fit: str, name: str) -> Step:
    return Step("write_to_r", {"x": Ref("fit")}, name)


def _plot(choose: Chooser, parts: Parts, kind: str, fit: str, name: str) -> Step:
    return (
        Step("varImpPlot", {"x": Ref(fit)}, name) if choose.chance(0.2) else _importance(choose, parts, kind, fit, name)
    )


# ---- on their own --------------------------------------------------------------------------------


def _shared(choose: Chooser, n: int) -> dict[str, Any]:
    """Arguments that all of them pass on."""
    args: dict[str, Any] = {}
    if choose.chance(0.5):
        args["replace"] = choose.chance(0.4)
    if choose.chance(0.2):
        args["nodesize"] = choose.between(0, 12)
    if choose.chance(0.15):
        args["maxnodes"] = choose.between(2, 12)
    if choose.chance(0.2):
        args["sampsize"] = choose.between(max(n // 4, 1), max(n // 2, 1))
    return args


def _folds(choose: Chooser, parts: Parts, kind: str, package: str, name: str) -> Step:
    args: dict[str, Any] = {"trainx": Part("x"), "trainy": Part("y"), "ntree": choose.between(1, 4)}
    args |= {"cv_fold": choose.between(2, 6)} | ({"recursive": choose.chance(0.7)} if choose.chance(0.4) else {})
    if choose.chance(0.2):
        args |= {"scale": "linear", "step": choose.one_of(-1, -0.5)}
    elif choose.chance(0.4):
        args["step"] = choose.one_of(0.6, 0.75, 0.9)
    return Step("rrfcv" if package == "RRF" else "rfcv", args | _shared(choose, len(parts["x"])), name)


def _tuning(choose: Chooser, parts: Parts, kind: str, package: str, name: str) -> Step:
    args: dict[str, Any] = {"x": Part("x"), "y": Part("y"), "ntreeTry": choose.between(2, 20), "plot": False}
    args |= {"stepFactor": choose.one_of(1.2, 1.5, 2, 3), "improve": choose.one_of(0, 0.01, 0.2)}
    args |= {"doBest": choose.chance(0.2), "trace": choose.chance(0.5)}
    if choose.chance(0.4):
        args["mtryStart"] = choose.between(1, parts["x"].shape[1])
    return Step("tuneRRF" if package == "RRF" else "tuneRF", args | _shared(choose, len(parts["x"])), name)


def _imputation(choose: Chooser, parts: Parts, kind: str, package: str, name: str) -> Step:
    args = {"x": Part("gaps"), "y": Part("y"), "iter": choose.between(1, 3), "ntree": choose.between(2, 8)}
    return Step("rrfImpute" if package == "RRF" else "rfImpute", args | _shared(choose, len(parts["x"])), name)


def _roughfix(choose: Chooser, parts: Parts, kind: str, package: str, name: str) -> Step:
    return Step("na_roughfix", {"object": Part("gaps")}, name)
