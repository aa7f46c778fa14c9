"""Unrelated seeds select alike in R and in pyrrf; see `statistics.py` for levels and power."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from parity.power import detectable
from parity.statistics import LEVEL, METRICS, SETS, Comparison, run_pyrrf

Comparisons = Callable[[str], Comparison]


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("name", SETS)
def test_sides_do_not_differ(name: str, metric: str, comparison: Comparisons) -> None:
    assert comparison(name).p_value(metric) > LEVEL


@pytest.mark.parametrize("metric", ["size", "error"])
@pytest.mark.parametrize("name", SETS)
def test_sides_are_equivalent(name: str, metric: str, comparison: Comparisons) -> None:
    assert comparison(name).equivalent(metric)[0]


@pytest.mark.parametrize("metric", ["size", "error"])
@pytest.mark.parametrize("name", SETS)
def test_power_reaches_three_quarters_of_a_standard_deviation(name: str, metric: str, comparison: Comparisons) -> None:
    assert detectable(comparison(name), metric) <= 0.75


CHANGES = {
    "size": {"coefReg": 0.95},
    "error": {"ntree": 4},
    "frequency": {"coefReg": [0.7, 0.7, 0.7, 0.4, 0.7, 0.7, 0.7, 0.7]},
    "overlap": {"coefReg": [0.7, 0.7, 0.7, 0.4, 0.7, 0.7, 0.7, 0.7]},
}
"""What is changed on pyrrf's side only, so that a metric must differ."""


@pytest.mark.parametrize("metric", METRICS)
def test_change_of_one_side_is_found(metric: str, comparison: Comparisons, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = comparison("inexact5").r
    monkeypatch.setitem(SETS, "inexact5", SETS["inexact5"] | CHANGES[metric])
    assert Comparison("inexact5", theirs, run_pyrrf("inexact5")).p_value(metric) < LEVEL
