"""The goals, whether they are met, and the worst and the best ratio of all cases."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.cases import CASES, NUMBERS
from benchmarks.limits import LIMITS, looked_at
from benchmarks.peers import ENTROPY, EXTRA, LIGHTGBM, MTRY, PARALLEL, PYRRF, RANGER, SKLEARN, Peer, cran_pair
from benchmarks.runner import Result
from benchmarks.tables import ABSENT, Column, Results, line, table

Ratio = Callable[[Result], float | None]
Goal = Callable[[str], float | None]  # by the key of a case; None: no goal there


@dataclass(frozen=True)
class Measure:
    """A ratio, what it should be, and where."""

    name: str
    ratio: Ratio
    goal: Goal = lambda key: None
    at_most: bool = False  # the smaller, the better
    aim: Goal = lambda key: None


def over(above: Peer, below: Peer) -> Ratio:
    return lambda result: result.over(above, below)


def smallest_memory(kind: bool) -> Ratio:
    """Return the whole memory of engine parallel over ranger's, on one thread."""

    def ratio(result: Result) -> float | None:
        if not result.case.memory:
            return None
        own, other = (result.median(Peer(name, kind, 1), lambda call: call.peak) for name in (PARALLEL, RANGER))
        return own / other if own and other else None

    return ratio


# Columns of few values, which ranger counts, and real tables of three classes and more.
FEW_VALUES = (
    "0 decimals",
    "binary",
    "one-hot",
    "Likert",
    "counts",
    "genotypes",
    "genotypes in linkage",
    "digits",
    "mnist_t10k",
)
SEVERAL_CLASSES = ("srbct", "waveform", "mnist_t10k", "digits")


def _beside_ranger(key: str) -> float:
    """Return the goal by R's rule, which looks at all of F where ranger looks at mtry features."""
    shape = CASES[key].shape
    if max(shape.levels) > 10:
        return 1.0
    several = not shape.numbers and (shape.classes > 2 or shape.kind in SEVERAL_CLASSES)
    return 1.5 if several and shape.kind in FEW_VALUES else 3.0


def _beside_cran(key: str) -> float:
    shape = CASES[key].shape
    special = {"d": 10.0, "e6 interaction": 20.0, "f": 6.0}
    return special.get(key, 3.0 if not shape.numbers and shape.classes == 10 else 5.0)


def _aim(key: str) -> float | None:
    if CASES[key].shape.kind == "genotypes":
        return 8.0
    return 5.0 if CASES[key].group == NUMBERS else None


def of(goals: dict[str, float]) -> Goal:
    return goals.get


def everywhere(goal: float) -> Goal:
    return lambda key: goal


R1, P1, O1 = Peer(PYRRF, True, 1), Peer(PARALLEL, True, 1), Peer(PARALLEL, False, 1)
SAME = Peer(MTRY, True, 1)
MEASURES = [
    Measure("ranger / engine r", over(Peer(RANGER, True, 1), R1), _beside_ranger, aim=_aim),
    Measure("ranger / parallel", over(Peer(RANGER, True, 1), P1), _beside_ranger, aim=_aim),
    Measure("the same rule: ranger / parallel", over(Peer(RANGER, True, 1), SAME), everywhere(3.0)),
    Measure("R's rule over ranger's: parallel", over(P1, SAME), at_most=True),
    Measure("parallel / engine r", over(P1, R1), everywhere(1.1), at_most=True),
    Measure(
        "CRAN RRF / engine r",
        lambda result: result.over(*cran_pair(result.case)),
        _beside_cran,
    ),
    Measure("engine r, 2 threads over 1", over(R1, Peer(PYRRF, True, 2)), of({"c": 1.5, "f": 1.5})),
    Measure("parallel, 2 threads over 1", over(P1, Peer(PARALLEL, True, 2)), of(dict.fromkeys("abcdefg", 1.8))),
    Measure("parallel, 16 threads over 1", over(P1, Peer(PARALLEL, True, 16)), of({"f": 10.0})),
    Measure("entropy / gini", over(Peer(ENTROPY, True, 1), P1), everywhere(1.5), at_most=True),
    Measure("memory, whole: parallel / ranger", smallest_memory(True), everywhere(1.0), at_most=True),
]
ORDINARY = [
    Measure("ordinary: ranger / parallel", over(Peer(RANGER, False, 1), O1)),
    Measure("ordinary: scikit-learn / parallel", over(Peer(SKLEARN, False, 1), O1), everywhere(1.0)),
    Measure("ordinary: ExtraTrees / parallel", over(Peer(EXTRA, False, 1), O1), everywhere(1.0)),
    Measure("ordinary: LightGBM rf, binned / parallel", over(Peer(LIGHTGBM, False, 1), O1), everywhere(1.0)),
    Measure(
        "ordinary: parallel, 2 threads over 1",
        over(O1, Peer(PARALLEL, False, 2)),
        of(dict.fromkeys("abcdefg", 1.9)),
    ),
    Measure("ordinary: parallel, 16 threads over 1", over(O1, Peer(PARALLEL, False, 16)), of({"f": 10.0})),
]


# The same rows in another order, or one of them less: case -> the case beside it.
BESIDE = {key: base for key in CASES if (base := re.sub(r" less 1$| sorted$", "", key)) != key}


def disturbed(results: Results) -> str:
    """Return how much slower a fit is when one row goes, or when the rows are sorted by class."""
    rows = []
    for key, base in BESIDE.items():
        if key in results and base in results:
            ratios = [quotient(results[key].median(peer), results[base].median(peer)) for peer in (R1, P1)]
            rows.append([key, base, *(verdict(ratio, 1.2, at_most=True) for ratio in ratios)])
    head = ["case", "over", "engine r", "parallel"]
    return "\n".join(line(row) for row in [head, ["---"] * 4, *rows]) if rows else ""


def quotient(over: float | None, under: float | None) -> float | None:
    return over / under if over is not None and under else None


def is_met(value: float, goal: float, at_most: bool) -> bool:
    return value <= goal if at_most else value >= goal


def verdict(value: float | None, goal: float | None, at_most: bool = False, aim: float | None = None) -> str:
    """Return the value, its goal, and by how much it is missed."""
    if value is None:
        return ABSENT
    if goal is None:
        return f"{value:.2f}"
    text = f"{value:.2f}, goal {'≤' if at_most else '≥'} {goal:g}: "
    text += "met" if is_met(value, goal, at_most) else f"MISSED by {abs(value / goal - 1):.0%}"
    if aim is not None:
        text += f" (aim {aim:g}: {'reached' if value >= aim else 'not reached'})"
    return text


def goals(results: Results) -> str:
    """Say of each goal whether it is met."""
    return table(results, [_column(results, measure) for measure in MEASURES])


def _column(results: Results, measure: Measure) -> Column:
    keys = {id(result): key for key, result in results.items()}

    def cell(result: Result) -> str:
        key = keys[id(result)]
        goal, aim = (measure.goal(key), measure.aim(key)) if key in CASES else (None, None)
        return verdict(measure.ratio(result), goal, measure.at_most, aim)

    return measure.name, cell


def missed(key: str, result: Result) -> list[str]:
    """Return the names of the goals that a case misses."""
    return [measure.name for measure in MEASURES + ORDINARY if _misses(measure, key, result)]


def _misses(measure: Measure, key: str, result: Result) -> bool:
    value, goal = measure.ratio(result), measure.goal(key) if key in CASES else None
    return value is not None and goal is not None and not is_met(value, goal, measure.at_most)


def limits(results: Results) -> str:
    """Say which goals are missed, case by case, and what limits them, where it is known."""
    lines = []
    for key, result in results.items():
        said = " ".join(part for part in (looked_at(result), LIMITS.get(key, "")) if part)
        if said and (names := missed(key, result)):
            lines.append(f"- {key} ({'; '.join(names)}). {said}")
    return "\n".join(lines)


def summary(results: Results) -> str:
    """Return the worst and the best of each ratio, and how many goals are met."""
    rows = [["ratio of times", "worst", "on", "best", "on", "cases", "goals met"], ["---"] * 7]
    rows += [row for measure in MEASURES + ORDINARY if (row := _summary_row(results, measure))]
    return "\n".join(line(row) for row in rows)


def _summary_row(results: Results, measure: Measure) -> list[str]:
    found = [(value, key) for key, result in results.items() if (value := measure.ratio(result)) is not None]
    if not found:
        return []
    worst, best = (max(found), min(found)) if measure.at_most else (min(found), max(found))
    judged = [key for _, key in found if key in CASES and measure.goal(key) is not None]
    bad = sum(_misses(measure, key, results[key]) for key in judged)
    met = f"{len(judged) - bad} of {len(judged)}" if judged else ABSENT
    return [measure.name, f"{worst[0]:.2f}", worst[1], f"{best[0]:.2f}", best[1], str(len(found)), met]
