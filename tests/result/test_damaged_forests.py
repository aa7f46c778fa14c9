"""Forests that were stored, sent or changed: a damaged one is refused, whoever asks it first."""

from __future__ import annotations

import copy
import mmap
import pickle
from collections.abc import Callable
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas as pd
import pytest

import pyrrf
from pyrrf._core.records import Trees
from pyrrf.result.forest import Forest
from tests.refusals import refused

ENGINES = ("r", "parallel")
KINDS = ("classes", "numbers")
BOTH = [(engine, kind) for engine in ENGINES for kind in KINDS]


def data(kind: str) -> tuple[pd.DataFrame, np.ndarray]:
    """Two numbers and a factor of five levels that matters."""
    draw = np.random.default_rng(7)
    level = draw.integers(0, 5, 90)
    x = pd.DataFrame({"a": draw.standard_normal(90), "b": draw.standard_normal(90)})
    x["f"] = pd.Categorical(np.array(list("vwxyz"))[level])
    signal = x["a"].to_numpy() + np.array([0, 2, -1, 1, -2])[level]
    return x, signal if kind == "numbers" else np.array(["no", "yes", "maybe"])[np.digitize(signal, [-1, 1])]


@cache
def stored_fit(engine: str, kind: str) -> bytes:
    x, y = data(kind)
    # Ordinary forests: in them the factor is split on, too.
    return pickle.dumps(pyrrf.RRF(x, y, ntree=6, seed=3, engine=engine, coefReg=1.0, keep_inbag=True))


def make(engine: str, kind: str) -> Any:
    return pickle.loads(stored_fit(engine, kind))


# ---- damage --------------------------------------------------------------------------------------


class Parts:
    """The parts of a forest, all of them writable."""

    def __init__(self, forest: Forest) -> None:
        trees = forest.trees
        self.arrays = {f.name: copy.copy(getattr(trees, f.name)) for f in fields(Trees)}
        self.other = {"ncat": forest.ncat.copy(), "nclass": forest.nclass, "coded": dict(forest.coded)}
        self.other |= {"pid": copy.copy(forest.pid), "cutoff": copy.copy(forest.cutoff)}
        factor = forest.ncat[np.maximum(trees.split_var, 1) - 1] > 1
        split = trees.left > 0
        self.split = int(np.flatnonzero(split & ~factor)[1])
        self.factor_split = int(np.flatnonzero(split & factor)[0])
        self.leaf = int(np.flatnonzero(~split)[1])

    def set(self, name: str, at: int, value: Any) -> None:
        self.arrays[name][at] = value

    def store(self, forest: Forest) -> None:
        """Put the parts in, without the looks that a public way would take."""
        object.__setattr__(forest, "_trees", Trees(**self.arrays))
        for name, part in self.other.items():
            object.__setattr__(forest, name, part)


def set_array(name: str, change: Callable[[np.ndarray], Any]) -> Callable[[Parts], None]:
    return lambda parts: parts.arrays.update({name: change(parts.arrays[name])})


def set_other(name: str, value: Any) -> Callable[[Parts], None]:
    return lambda parts: parts.other.update({name: value})


def swap_daughters(parts: Parts) -> None:
    """Two splits of a tree, each with the daughters of the other."""
    left, first = parts.arrays["left"], np.flatnonzero(parts.arrays["left"])[1:3]
    left[first] = left[first[::-1]]


DAMAGES: dict[str, Callable[[Parts], None]] = {
    "left-beyond": lambda p: p.set("left", p.split, 10**6),
    "left-huge": lambda p: p.set("left", p.split, 2**31 - 1),
    "left-negative": lambda p: p.set("left", p.split, -5),
    "left-to-the-root": lambda p: p.set("left", p.split, 1),
    "left-to-itself": lambda p: p.set("left", 0, 1),
    "left-none": lambda p: p.set("left", p.split, 0),
    "left-of-a-leaf": lambda p: p.set("left", p.leaf, 2),
    "left-swapped": swap_daughters,
    "split_var-beyond": lambda p: p.set("split_var", p.split, 4),
    "split_var-huge": lambda p: p.set("split_var", p.split, 10**6),
    "split_var-negative": lambda p: p.set("split_var", p.split, -1),
    "split_var-none": lambda p: p.set("split_var", p.split, 0),
    "split_var-of-a-leaf": lambda p: p.set("split_var", p.leaf, 1),
    "split_point-nan": lambda p: p.set("split_point", p.split, np.nan),
    "levels-nan": lambda p: p.set("split_point", p.factor_split, np.nan),
    "levels-infinite": lambda p: p.set("split_point", p.factor_split, np.inf),
    "levels-between": lambda p: p.set("split_point", p.factor_split, 2.5),
    "levels-beyond": lambda p: p.set("split_point", p.factor_split, 2.0**5),
    "levels-huge": lambda p: p.set("split_point", p.factor_split, 1e300),
    "levels-negative": lambda p: p.set("split_point", p.factor_split, -1),
    "status-0": lambda p: p.set("status", p.split, 0),
    "status-of-a-leaf": lambda p: p.set("status", p.split, -1),
    "status-of-a-split": lambda p: p.set("status", p.leaf, 1),
    "status-unknown": lambda p: p.set("status", p.leaf, 99),
    "prediction-nan": lambda p: p.set("prediction", p.leaf, np.nan),
    "offset-from-1": lambda p: p.set("offset", 0, 1),
    "offset-negative": lambda p: p.set("offset", 1, -1),
    "offset-back": lambda p: p.set("offset", 2, 0),
    "offset-huge": lambda p: p.set("offset", 1, 2**62),
    "offset-moved": lambda p: p.set("offset", 1, p.arrays["offset"][1] - 1),
    "offset-end": lambda p: p.set("offset", -1, p.arrays["offset"][-1] + 10),
    "offset-short": set_array("offset", lambda a: a[:-1].copy()),
    "offset-empty": set_array("offset", lambda a: a[:0].copy()),
    "offset-one": set_array("offset", lambda a: a[:1].copy()),
    "offset-int32": set_array("offset", lambda a: a.astype(np.int32)),
    "offset-none": set_array("offset", lambda a: None),
    "offset-table": set_array("offset", lambda a: a[:, np.newaxis]),
    **{f"{name}-short": set_array(name, lambda a: a[:-3].copy()) for name in ("left", "split_var", "split_point")},
    **{f"{name}-long": set_array(name, lambda a: np.append(a, a[:2])) for name in ("status", "prediction")},
    **{f"{name}-int64": set_array(name, lambda a: a.astype(np.int64)) for name in ("left", "split_var", "status")},
    **{f"{name}-float32": set_array(name, lambda a: a.astype("f4")) for name in ("split_point", "prediction")},
    "left-list": set_array("left", lambda a: a.tolist()),
    "ncat-short": lambda p: p.other.update(ncat=p.other["ncat"][:-1].copy()),
    "ncat-other": set_other("ncat", np.array([1, 5, 1], np.int32)),
    "ncat-more-levels": set_other("ncat", np.array([1, 1, 6], np.int32)),
    "ncat-33": set_other("ncat", np.array([1, 1, 33], np.int32)),
    "ncat-none": set_other("ncat", None),
    "ncat-int64": set_other("ncat", np.array([1, 1, 5])),
    "nclass-0": set_other("nclass", 0),
    "nclass-text": set_other("nclass", "3"),
}
# New data are matched to these before trees are asked for.
LOADED: dict[str, Callable[[Parts], None]] = {
    "coded-elsewhere": lambda p: p.other.update(coded={99: p.other["coded"][2]}),
    "coded-none": set_other("coded", {}),
}
# What a pickle puts right.
IN_MEMORY: dict[str, Callable[[Parts], None]] = {
    "left-swapped-bytes": set_array("left", lambda a: a.astype(">i4")),
    "left-strided": set_array("left", lambda a: np.repeat(a, 2)[::2]),
}
OF_CLASSES: dict[str, Callable[[Parts], None]] = {
    "class-beyond": lambda p: p.set("prediction", p.leaf, 4),
    "class-huge": lambda p: p.set("prediction", p.leaf, 1e18),
    "class-negative": lambda p: p.set("prediction", p.leaf, -2),
    "class-between": lambda p: p.set("prediction", p.leaf, 1.5),
    "class-infinite": lambda p: p.set("prediction", p.leaf, np.inf),
    "class-of-a-split": lambda p: p.set("prediction", p.split, 1),
    "nclass-more": set_other("nclass", 10**9),
    "nclass-fewer": set_other("nclass", 2),
    "nclass-none": set_other("nclass", None),
    "cutoff-short": lambda p: p.other.update(cutoff=p.other["cutoff"][:1].copy()),
    "pid-short": lambda p: p.other.update(pid=p.other["pid"][:1].copy()),
}
OF_NUMBERS: dict[str, Callable[[Parts], None]] = {
    "mean-of-a-split-nan": lambda p: p.set("prediction", p.split, np.nan),
    "nclass-given": set_other("nclass", 3),
}
OF_PARALLEL: dict[str, Callable[[Parts], None]] = {
    "missing_left-2": lambda p: p.set("missing_left", p.split, 2),
    "missing_left-of-a-leaf": lambda p: p.set("missing_left", p.leaf, 1),
    "missing_left-short": set_array("missing_left", lambda a: a[:-1].copy()),
    "missing_left-int32": set_array("missing_left", lambda a: a.astype(np.int32)),
}


def damages(engine: str, kind: str) -> dict[str, Callable[[Parts], None]]:
    return DAMAGES | (OF_CLASSES if kind == "classes" else OF_NUMBERS) | (OF_PARALLEL if engine == "parallel" else {})


CASES = [(engine, kind, name) for engine, kind in BOTH for name in damages(engine, kind)]


def damaged(engine: str, kind: str, name: str) -> Any:
    fit = make(engine, kind)
    parts = Parts(fit.forest)
    (IN_MEMORY | LOADED | damages(engine, kind))[name](parts)
    parts.store(fit.forest)
    return fit


@pytest.mark.parametrize(
    ("engine", "kind", "name"), CASES + [(engine, kind, name) for engine, kind in BOTH for name in LOADED]
)
def test_damage_is_found_when_a_fit_is_loaded(engine: str, kind: str, name: str) -> None:
    stored = pickle.dumps(damaged(engine, kind, name))
    with pytest.raises(ValueError, match="the forest is damaged"):
        pickle.loads(stored)


@pytest.mark.parametrize(
    ("engine", "kind", "name"), CASES + [(engine, kind, name) for engine, kind in BOTH for name in IN_MEMORY]
)
def test_damage_is_found_by_predict(engine: str, kind: str, name: str) -> None:
    fit = damaged(engine, kind, name)
    for n_jobs in (1, 2):
        with pytest.raises(ValueError, match="the forest is damaged"):
            pyrrf.predict(fit, data(kind)[0], n_jobs=n_jobs)


X = data("classes")[0]
USES: dict[str, Callable[[Any], Any]] = {
    "predict": lambda fit: pyrrf.predict(fit, X),
    "predict-parts": lambda fit: pyrrf.predict(fit, X, predict_all=True, nodes=True, proximity=True),
    "getTree": lambda fit: pyrrf.getTree(fit, 2),
    "getTree-labelled": lambda fit: pyrrf.getTree(fit, 2, labelVar=True),
    "treesize": pyrrf.treesize,
    "varUsed": pyrrf.varUsed,
    "combine": lambda fit: pyrrf.combine(fit, fit),
    "partialPlot": lambda fit: pyrrf.partialPlot(fit, X, "a", plot=False),
    "deepcopy": copy.deepcopy,
    "copy": lambda fit: copy.copy(fit.forest),
    **{
        part: lambda fit, part=part: getattr(fit.forest, part)
        for part in ("nodestatus", "bestvar", "treemap", "leftDaughter", "nodepred", "xbestsplit", "ndbigtree", "ntree")
    },
}


@pytest.mark.parametrize(("engine", "kind"), BOTH)
@pytest.mark.parametrize("use", USES)
def test_whoever_asks_first_finds_the_damage(engine: str, kind: str, use: str) -> None:
    USES[use](make(engine, kind))
    with refused(None, "damaged"):
        USES[use](damaged(engine, kind, "left-to-itself"))


# ---- what is remembered --------------------------------------------------------------------------


def test_a_forest_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    real = pyrrf._core.check_forest
    monkeypatch.setattr(pyrrf._core, "check_forest", lambda *given: calls.append(1) or real(*given))
    fit = make("r", "classes")
    for use in USES.values():
        use(fit)
    # When it was loaded; copies are others.
    assert len(calls) == 1 + len([name for name in USES if name in ("copy", "deepcopy")])


@pytest.mark.parametrize("loaded", [True, False])
def test_arrays_are_read_only(loaded: bool) -> None:
    x, y = data("classes")
    fit = make("r", "classes") if loaded else pyrrf.RRF(x, y, ntree=3, seed=1)
    pyrrf.predict(fit, x)
    for array in [*vars(fit.forest.trees).values(), fit.forest.ncat]:
        if array is not None:
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 99


def test_replaced_parts_are_looked_at_again() -> None:
    fit = make("parallel", "numbers")
    trees = fit.forest.trees
    with pytest.raises(AttributeError):
        fit.forest.trees.left = trees.split_var
    object.__setattr__(trees, "left", trees.split_var)
    with pytest.raises(ValueError, match="the forest is damaged"):
        pyrrf.predict(fit, X)


def test_arrays_made_writable_are_looked_at_again() -> None:
    fit = make("r", "numbers")
    object.__setattr__(fit.forest.trees, "left", fit.forest.trees.left.copy())
    pyrrf.predict(fit, X)
    left = fit.forest.trees.left
    assert not left.flags.writeable
    left.flags.writeable = True
    left[0] = 1
    with pytest.raises(ValueError, match="the forest is damaged: tree 1, node 1"):
        pyrrf.predict(fit, X)


# ---- formats -------------------------------------------------------------------------------------


def with_format(thing: Any, found: Any) -> tuple[Any, dict[str, Any]]:
    """An object without parts, and the parts in what says of itself that it is another format."""
    state = {name: part for name, part in thing.__getstate__().items() if name != "format"}
    return thing.__class__.__new__(thing.__class__), state if found is None else {"format": found, **state}


@pytest.mark.parametrize("part", ["fit", "forest"])
@pytest.mark.parametrize(
    ("found", "remedy"), [(None, "fit it again"), (0, "fit it again"), ("1", "fit it again"), (99, "a newer release")]
)
def test_other_formats_are_refused(part: str, found: Any, remedy: str) -> None:
    fit = make("r", "classes")
    empty, state = with_format(fit if part == "fit" else fit.forest, found)
    with pytest.raises(ValueError, match=rf"the stored {part} is in .*format.*{remedy}"):
        empty.__setstate__(state)


@pytest.mark.parametrize("state", [None, [], {"format": 1}, {"format": 1, "trees": None, "rest": 1}])
def test_a_state_that_is_none_is_refused(state: Any) -> None:
    with pytest.raises(ValueError, match="forest"):
        Forest.__new__(Forest).__setstate__(state)


# ---- memory maps ---------------------------------------------------------------------------------


def votes(fit: Any) -> np.ndarray:
    """What the trees say, before ties are broken."""
    return pyrrf.predict(fit, X, predict_all=True).individual.to_numpy()


def is_mapped(values: Any) -> bool:
    """Whether the array lies in a memory map."""
    while isinstance(values, np.ndarray):
        values = values.base
    return isinstance(values, mmap.mmap)


@pytest.mark.parametrize(("engine", "kind"), BOTH)
@pytest.mark.parametrize("mode", ["r", "c"])
def test_memory_maps_predict(tmp_path: Path, engine: str, kind: str, mode: str) -> None:
    fit, file = make(engine, kind), tmp_path / "fit"
    joblib.dump(fit, file)
    mapped = joblib.load(file, mmap_mode=mode)
    assert is_mapped(mapped.forest.trees.left), "the arrays were copied"
    for use in USES.values():
        use(mapped)
    assert mapped == fit
    assert np.array_equal(votes(mapped), votes(fit))
    assert pickle.loads(pickle.dumps(mapped)) == fit


@pytest.mark.parametrize(("engine", "kind"), BOTH)
def test_damaged_memory_maps_are_refused(tmp_path: Path, engine: str, kind: str) -> None:
    joblib.dump(damaged(engine, kind, "left-to-itself"), tmp_path / "fit")
    with pytest.raises(ValueError, match="the forest is damaged"):
        joblib.load(tmp_path / "fit", mmap_mode="r")
