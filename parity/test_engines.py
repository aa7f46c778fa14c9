"""The parallel engine selects as engine r does; see `engines.py` for levels, bounds and power."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from parity.engines import CONTROLS, LEVEL, METRICS, RUNS, Comparison, grow_parallel, grow_r
from parity.engines_table import write

Compare = Callable[[str], Comparison]


@pytest.fixture(scope="module")
def compare() -> Iterator[Compare]:
    """The comparison of a run or a control, made once; ENGINES.md is written when all have been asked for."""
    made: dict[str, Comparison] = {}

    def ask(name: str) -> Comparison:
        if name not in made:
            control = CONTROLS.get(name)
            run = control.run if control else name
            parallel = grow_parallel(run, control.grow, **control.changed) if control else grow_parallel(run)
            made[name] = Comparison(name, grow_r(run), parallel)
        return made[name]

    yield ask
    if len(made) == len(RUNS) + len(CONTROLS):
        write([made[name] for name in RUNS], [made[name] for name in CONTROLS])


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("name", RUNS)
def test_engines_do_not_differ(name: str, metric: str, compare: Compare) -> None:
    assert compare(name).p_value(metric) > LEVEL


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("name", RUNS)
def test_engines_are_equivalent(name: str, metric: str, compare: Compare) -> None:
    assert compare(name).equivalents(metric)[0]


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("name", RUNS)
def test_power_reaches_half_a_standard_deviation(name: str, metric: str, compare: Compare) -> None:
    assert compare(name).detectable(metric) <= 0.5
    assert compare(name).equivalence_power(metric) > 0.99


@pytest.mark.parametrize(("name", "metric"), [(name, metric) for name, c in CONTROLS.items() for metric in c.found])
def test_another_rule_is_found(name: str, metric: str, compare: Compare) -> None:
    assert compare(name).p_value(metric) <= LEVEL


@pytest.mark.parametrize("name", CONTROLS)
def test_another_rule_is_not_equivalent(name: str, compare: Compare) -> None:
    assert not all(compare(name).equivalents(metric)[0] for metric in METRICS)
