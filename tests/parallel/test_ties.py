"""Equal splits: engine parallel gives each feature the chance that R's RRF gives it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from pyrrf.fit.call import Call
from pyrrf.fit.fitting import SharedData
from pyrrf.random import private_stream
from tests.parallel.problems import same

SEEDS = 400
CODES = np.repeat([0.0, 1.0], 12)


def columns(n_features: int) -> np.ndarray:
    return np.tile(CODES[:, None], n_features)


def winners(x: np.ndarray | pd.DataFrame, y: Any, engine: str, **arguments: Any) -> np.ndarray:
    """How often each feature splits the root."""
    told = {"ntree": 1, "replace": False, "sampsize": len(y), "coefReg": 1.0, "quirks": engine != "r", **arguments}
    told |= {"quirks": False} if engine == "r" else {"max_depth": 1}
    # Read once, as most of the time would go into reading.
    shared = SharedData.read(Call(x=x, y=y, engine=engine, **told))
    roots = [root(shared, seed) for seed in range(SEEDS)]
    return np.bincount(roots, minlength=x.shape[1] + 1)[1:] / SEEDS


def root(shared: SharedData, seed: int) -> int:
    """The feature that splits the root of the tree from this seed, counted from 1."""
    with private_stream(seed):
        forest = shared.fit(shared.call).forest
    assert forest is not None
    return int(forest.trees.split_var[0])


def classes(codes: np.ndarray = CODES) -> pd.Categorical:
    return pd.Categorical(np.where(codes > 0, "yes", "no"))


def first_in_f(p: int) -> np.ndarray:
    return np.array([1, *[0] * (p - 1)])


def with_factor(p: int) -> pd.DataFrame:
    frame = pd.DataFrame(columns(p), columns=[f"x{i}" for i in range(p)])
    frame["x0"] = pd.Categorical(np.where(CODES > 0, "a", "b"))
    return frame


def far_cuts() -> np.ndarray:
    """Classes 0 1 0: of the first two columns two cuts are equally good, of the others one."""
    few = np.repeat([0.0, 1.0, 1.0], 8)
    return np.column_stack([np.repeat([0.0, 1.0, 2.0], 8), np.repeat([0.0, 1.0, 2.0], 8), few, few, few])


MIDDLE = np.repeat([0.0, 1.0, 0.0], 8)
EIGHTHS = np.tile(np.arange(8) / 8, 3)
"""Added to a response, so that it does not look like classes; sums of these numbers are exact."""
CASES: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "member of F among many": (columns(20), classes(), {"mtry": 4, "feaIni": first_in_f(20)}),
    "member of F, all drawn": (columns(4), classes(), {"mtry": 4, "feaIni": first_in_f(4)}),
    "without F": (columns(6), classes(), {"mtry": 3, "flagReg": 0}),
    "factor": (with_factor(4), classes(), {"mtry": 4}),
    "member that is a factor": (with_factor(6), classes(), {"mtry": 2, "feaIni": first_in_f(6)}),
    "features with two equal cuts": (far_cuts(), classes(MIDDLE), {"mtry": 5}),
    "numbers": (columns(8), CODES + EIGHTHS, {"mtry": 3, "feaIni": first_in_f(8)}),
}


@pytest.mark.parametrize("case", CASES)
def test_each_feature_has_its_chance(case: str) -> None:
    """Over `SEEDS` trees of each engine a difference has a standard deviation of at most .036."""
    x, y, told = CASES[case]
    by_r, by_parallel = (winners(x, y, engine, **told) for engine in ("r", "parallel"))
    chance = (by_r + by_parallel) / 2
    deviation = np.sqrt(2 * chance * (1 - chance) / SEEDS)
    assert (np.abs(by_r - by_parallel) <= 4.5 * deviation).all()


def test_regression_takes_the_lowest_cut_of_the_first_feature() -> None:
    """Classes of 0 1 0 as numbers: the cuts after the first and the second part are equally good."""
    x = np.repeat([0.0, 1.0, 2.0], 8)[:, None]
    fits = [
        pyrrf.RRF(x, MIDDLE + EIGHTHS, engine="parallel", seed=s, ntree=1, replace=False, sampsize=24)
        for s in range(20)
    ]
    assert {float(pyrrf.getTree(fit, 1)["split point"].iloc[0]) for fit in fits} == {0.5}


TOLD = {"engine": "parallel", "replace": False, "ntree": 2, "nodesize": 1, "flagReg": 0}


@pytest.mark.parametrize("target", [2, 3, "numbers"])
@pytest.mark.parametrize("holes", [0.0, 0.2])
def test_ties_first_leaves_nothing_to_the_seed(target: Any, holes: float) -> None:
    """All rows and all features at each node: what is random is which of equals wins, also of the classes of a leaf."""
    generator = np.random.default_rng(3)
    x, new = (generator.integers(0, 3, (rows, 4)).astype(float) for rows in (60, 200))
    x[generator.random(x.shape) < holes] = np.nan
    codes = generator.integers(0, 3 if target == "numbers" else target, 60)
    y: Any = codes + np.arange(60) % 7 / 8 if target == "numbers" else pd.Categorical(codes)
    answers = {
        ties: {
            tuple(pyrrf.predict(pyrrf.RRF(x, y, mtry=4, sampsize=60, seed=seed, ties=ties, **TOLD), new))
            for seed in range(20)
        }
        for ties in ("random", "first")
    }
    assert len(answers["first"]) == 1
    assert len(answers["random"]) > 1


def test_ties_first_takes_the_lowest_of_all() -> None:
    """Classes of 0 1 0: the cuts at .5 and 1.5 are equally good, in both columns. A leaf is half "no"."""
    x = np.column_stack([np.repeat([0.0, 1.0, 2.0], 8)] * 2)
    for seed in range(20):
        told = {**TOLD, "ntree": 1, "mtry": 2, "sampsize": 24, "seed": seed, "ties": "first"}
        root = pyrrf.getTree(pyrrf.RRF(x, classes(MIDDLE), **told), 1).iloc[0]
        assert (root["split var"], root["split point"]) == (1, 0.5)
        same_rows = np.arange(24.0)[:, None] > 1
        fit = pyrrf.RRF(same_rows.astype(float), classes(np.r_[1, 1, np.tile([0, 1], 11)]), **told | {"mtry": 1})
        assert set(pyrrf.predict(fit, [[1.0]])) == {"no"}


@pytest.mark.parametrize("kind", ["classes", "three classes", "numbers"])
@pytest.mark.parametrize("levels", [2, 5])
def test_n_jobs_make_no_difference(kind: str, levels: int) -> None:
    """Many ties without a penalty: F grows in every tree, so that others are grown again."""
    generator = np.random.default_rng(levels)
    x = generator.integers(0, levels, (40, 200)).astype(float)
    codes = (x[:, :3].sum(axis=1) + generator.integers(0, 2, 40)) % 3
    answers = {"classes": codes > 0, "three classes": codes, "numbers": codes + np.arange(40) / 8}
    y: Any = answers[kind] if kind == "numbers" else pd.Categorical(answers[kind])
    told = {"engine": "parallel", "ntree": 60, "coefReg": 1.0, "seed": 1, "nodesize": 1}
    alone = pyrrf.RRF(x, y, n_jobs=1, **told)
    others = [pyrrf.RRF(x, y, n_jobs=n_jobs, **told) for n_jobs in (2, 3, 8)]
    assert all(same(alone, other) for other in others)
