"""Random calls of engine parallel: one answer on any number of threads, and parts that are what they say."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

import pyrrf

Draw = Callable[[], Any]


def table(generator: np.random.Generator) -> pd.DataFrame:
    """Numbers, ties, factors of few and many levels, and holes in most tables."""
    n, p = int(generator.integers(8, 80)), int(generator.integers(1, 12))
    columns: dict[str, Any] = {}
    for j in range(p):
        values, kind = generator.standard_normal(n), generator.integers(4)
        k = int(generator.choice([1, 2, 5, 12, 32, 33, 50]))
        codes = generator.integers(0, k, n)
        factor = pd.Categorical.from_codes(codes, [f"v{i}" for i in range(k)], ordered=kind == 3)
        columns[f"x{j}"] = [values, np.round(values), factor, factor][kind]
    columns["x0"] = generator.standard_normal(n)
    return pd.DataFrame(columns).mask(generator.random((n, p)) < generator.choice([0, 0.1, 0.7]))


def call(generator: np.random.Generator, x: pd.DataFrame) -> tuple[Any, dict[str, Any]]:
    """A response and arguments that go with it."""
    n, p = x.shape
    numbers = generator.standard_normal(n)
    choices: dict[str, Draw] = {
        "mtry": lambda: int(generator.integers(1, p + 1)),
        "replace": lambda: False,
        "coefReg": lambda: float(generator.uniform(0.01, 1)),
        "flagReg": lambda: 0,
        "nodesize": lambda: int(generator.integers(1, 5)),
        "maxnodes": lambda: int(generator.integers(2, 9)),
        "max_depth": lambda: int(generator.integers(1, 6)),
        "usedepth": lambda: True,
        "ties": lambda: "first",
        "growth": lambda: "depth",
        "candidates": lambda: str(generator.choice(["selected", "mtry"])),
        "localImp": lambda: True,
        "proximity": lambda: True,
        "oob_prox": lambda: False,
        "feaIni": lambda: [int(generator.integers(p))],
        "sample_weight": lambda: generator.random(n) + 0.01,
    }
    kind = generator.integers(3)
    if kind > 0:
        choices |= {"criterion": lambda: "entropy", "penalty": lambda: "gain"}
        numbers[:3] = [-1, 0.1, 2]
    arguments = {name: value() for name, value in choices.items() if generator.random() < 0.3}
    responses = [numbers, numbers > 0, np.digitize(numbers, [0, 1]).astype(str)]
    return responses[kind], arguments


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6))
def test_random_calls(seed: int) -> None:
    generator = np.random.default_rng(seed)
    x = table(generator)
    y, arguments = call(generator, x)
    arguments |= {"ntree": 12, "seed": seed, "engine": "parallel"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        one, three = (pyrrf.RRF(x, y, n_jobs=k, **arguments) for k in (1, 3))
    assert one == three
    assert set(pyrrf.varUsed(one, count=False)) <= set(one.feaSet)
    assert (one.outcome.importance[:, -1] >= 0).all()
    new = x.mask(generator.random(x.shape) < 0.3)
    first, second = (pyrrf.predict(one, new, n_jobs=k, predict_all=True, nodes=True) for k in (1, 3))
    assert first.nodes.equals(second.nodes)
    assert first.predicted.equals(second.predicted)
    assert first.predicted.notna().all()
    leaves = [pyrrf.getTree(one, k)["left daughter"] == 0 for k in range(1, 13)]
    assert all(is_leaf[first.nodes[k]].all() for k, is_leaf in enumerate(leaves, start=1))
