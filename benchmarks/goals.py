"""The goals: at most nine ratios that a user of regularized forests asks for, and how far each is met."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.cases import CASES
from benchmarks.limits import LIMITS
from benchmarks.markdown import ABSENT, table
from benchmarks.peers import ENTROPY, INTELEX, LIGHTGBM, PARALLEL, PYRRF, RANGER, SKLEARN, Peer, cran_pair
from benchmarks.runner import Result
from benchmarks.tables import Results, show

Ratio = Callable[[Result], float | None]
Found = dict[str, dict[str, float]]  # by the name of a goal, and the case


@dataclass(frozen=True)
class Goal:
    """A ratio, its bound on every case, and why a user asks for it."""

    name: str
    ratio: Ratio
    bound: float
    reason: str
    at_most: bool = False  # the smaller, the better

    @property
    def text(self) -> str:
        """Return the bound in signs."""
        return f"{'≤' if self.at_most else '≥'} {self.bound:g}"

    def is_met(self, value: float) -> bool:
        """Whether a ratio keeps the bound."""
        return value <= self.bound if self.at_most else value >= self.bound


def over(above: Peer, below: Peer) -> Ratio:
    return lambda result: result.over(above, below)


def memory(result: Result) -> float | None:
    """Return the whole memory of engine parallel over ranger's, on one thread."""
    if not result.case.memory:
        return None
    own, other = (result.median(Peer(name, True, 1), lambda call: call.peak) for name in (PARALLEL, RANGER))
    return own / other if own and other else None


def second_thread(result: Result) -> float | None:
    """Return the time of engine parallel on one thread over that on two; None of a single tree, which has no use."""
    return result.over(P1, Peer(PARALLEL, True, 2)) if result.case.shape.trees > 1 else None


R1, P1, O1 = Peer(PYRRF, True, 1), Peer(PARALLEL, True, 1), Peer(PARALLEL, False, 1)
GOALS = [
    Goal(
        "CRAN RRF / engine r",
        lambda result: result.over(*cran_pair(result.case)),
        3.0,
        "The answers are the same bit for bit, so that only time can be gained by leaving R.",
    ),
    Goal(
        "ranger / engine r",
        over(Peer(RANGER, True, 1), R1),
        1.0,
        "R's answers should not cost more time than the fastest regularized forest that gives others.",
    ),
    Goal(
        "ranger / parallel",
        over(Peer(RANGER, True, 1), P1),
        1.5,
        "Who does not need R's answers should gain enough to leave ranger.",
    ),
    Goal(
        "ordinary: scikit-learn / parallel",
        over(Peer(SKLEARN, False, 1), O1),
        1.0,
        "A guide is an ordinary forest, and should not be slower here than where most users grow one.",
    ),
    Goal(
        "ordinary: scikit-learn-intelex / parallel",
        over(Peer(INTELEX, False, 1), O1),
        1.0,
        "Users of scikit-learn can have oneDAL's forests, which see 256 bins of a column, by another import.",
    ),
    Goal(
        "ordinary: LightGBM rf / parallel",
        over(Peer(LIGHTGBM, False, 1), O1),
        1.0,
        "Exact cuts should not cost more time than bins.",
    ),
    Goal(
        "parallel, 2 threads over 1",
        second_thread,
        1.5,
        "Each tree depends on the features of those before it, and a second core should be worth having even so.",
    ),
    Goal(
        "memory: parallel / ranger",
        memory,
        1.0,
        "Data that ranger can take should fit here too.",
        at_most=True,
    ),
    Goal(
        "entropy / gini",
        over(Peer(ENTROPY, True, 1), P1),
        1.5,
        "The criterion should be chosen by its results, not by its time.",
        at_most=True,
    ),
]


def ratios(results: Results) -> Found:
    """Return each ratio on the cases that have it."""
    return {
        goal.name: {key: value for key, result in results.items() if (value := goal.ratio(result)) is not None}
        for goal in GOALS
    }


def summary(found: Found) -> str:
    """Return of each ratio the goal, on how many cases it is met, and the worst and the best case."""
    rows = []
    for goal in GOALS:
        by_case = found[goal.name]
        if by_case:
            ends = [min(by_case, key=by_case.__getitem__), max(by_case, key=by_case.__getitem__)]
            worst, best = ends[::-1] if goal.at_most else ends
            met = f"{sum(map(goal.is_met, by_case.values()))} of {len(by_case)}"
            rows.append([goal.name, goal.text, met, _text(by_case[worst]), worst, _text(by_case[best]), best])
    reasons = [f"- {goal.name}: {goal.reason}" for goal in GOALS if found[goal.name]]
    return "\n\n".join([table(["ratio", "goal", "met", "worst", "on", "best", "on"], rows), "\n".join(reasons)])


def _text(value: float) -> str:
    return show(value, ".2f" if value < 10 else ".1f")


def by_case(found: Found) -> str:
    """Return the ratios of each case, bold where a goal is missed."""
    keys = dict.fromkeys(key for values in found.values() for key in values)
    goals = [goal for goal in GOALS if found[goal.name]]
    rows = [[key, *(_cell(goal, found[goal.name].get(key)) for goal in goals)] for key in keys]
    return table(["case", *(f"{goal.name} {goal.text}" for goal in goals)], rows)


def _cell(goal: Goal, value: float | None) -> str:
    if value is None:
        return ABSENT
    return _text(value) if goal.is_met(value) else f"**{_text(value)}**"


def missed(found: Found, key: str) -> list[str]:
    """Return the names of the goals that a case misses."""
    return [goal.name for goal in GOALS if key in found[goal.name] and not goal.is_met(found[goal.name][key])]


def limits(results: Results, found: Found) -> str:
    """Say what limits the cases that miss a goal, as far as it is known."""
    short = [key for key in results if any(name.startswith("ranger") for name in missed(found, key))]
    crowded = [f"{key} ({used})" for key in short if (used := _share_of_f(results[key]))]
    reasons = {"A node looks at all of F and at mtry others, ranger at mtry; in brackets F": crowded} if crowded else {}
    reasons |= {reason: [key for key in LIMITS[reason] if missed(found, key)] for reason in LIMITS}
    return "\n".join(f"- {reason}: {', '.join(keys)}." for reason, keys in reasons.items() if keys)


def _share_of_f(result: Result) -> str:
    """Return how many of the columns F reached; nothing in regression, where engine r and ranger look at as many."""
    shape, used = result.case.shape, (result.median(peer, lambda call: call.features) for peer in (R1, P1))
    first = next((count for count in used if count is not None), None)
    return "" if shape.numbers or first is None else f"{first:.0f} of {shape.columns:,}"


# The same rows in another order, or one of them less: case -> the case that it is compared with.
BASES = {key: base for key in CASES if (base := re.sub(r" less 1$| sorted$", "", key)) != key}


def disturbed(results: Results) -> str:
    """Return the time where one row is left out, or the rows are sorted by class, over the time without that."""
    rows = []
    for key, base in BASES.items():
        if key in results and base in results:
            times = [[results[name].median(peer) for name in (key, base)] for peer in (R1, P1)]
            rows.append([key, base, *(_text(one / other) if one and other else ABSENT for one, other in times)])
    return table(["case", "over", "engine r", "parallel"], rows) if rows else ""
