"""Partial dependence of many classes: no work in Python for each vote, and blocks of bounded size."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

import pyrrf
from pyrrf.plots import partial


@pytest.fixture(scope="module")
def many_classes() -> tuple[Any, np.ndarray]:
    bits = np.random.default_rng(36)
    x = bits.normal(size=(400, 3))
    pyrrf.set_seed(36)
    return pyrrf.RRF(x, np.array([f"c{k}" for k in np.arange(400) % 40]), ntree=5), x


def calls_during(work: Any) -> int:
    """How many functions Python calls, its own and those of C."""
    seen = 0

    def count(*_: Any) -> None:
        nonlocal seen
        seen += 1

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return seen


def test_no_call_for_each_vote(many_classes: tuple[Any, np.ndarray]) -> None:
    fit, x = many_classes
    votes = 20 * 400 * 40
    pyrrf.partialPlot(fit, x, 0, plot=False, n_pt=2)
    assert calls_during(lambda: pyrrf.partialPlot(fit, x, 0, plot=False, n_pt=20)) < votes / 10


def test_blocks_are_bounded_by_votes_too(many_classes: tuple[Any, np.ndarray], monkeypatch: pytest.MonkeyPatch) -> None:
    fit, x = many_classes
    sizes = []
    found = partial.predict_table

    def watched(fit: Any, rows: Any, *more: Any) -> Any:
        sizes.append(len(rows))
        return found(fit, rows, *more)

    monkeypatch.setattr(partial, "predict_table", watched)
    monkeypatch.setattr(partial, "_BLOCK", 400 * 40 * 2)
    pyrrf.partialPlot(fit, x, 0, plot=False, n_pt=6)
    assert sizes == [800, 800, 800]


@pytest.mark.parametrize("number", [2, 2.0])
def test_a_number_is_the_label_that_r_makes_of_it(number: float) -> None:
    bits = np.random.default_rng(36)
    x = bits.normal(size=(120, 2))
    fit = pyrrf.RRF(x, np.array([str(k) for k in np.arange(120) % 20]), ntree=5, seed=1)
    curves = []
    for asked in ("2", number):
        pyrrf.set_seed(1)
        curves.append(pyrrf.partialPlot(fit, x, 0, asked, plot=False, n_pt=3).y.tolist())
    assert curves[0] == curves[1]
