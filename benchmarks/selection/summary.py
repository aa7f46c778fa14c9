"""The arithmetic: what the splits say of a setting, and which of two methods errs less at about the same size."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from benchmarks.jobs.intervals import half_width
from benchmarks.selection.cases import ENOUGH, TEST_SHARE, shares_rows
from benchmarks.selection.judge import JUDGES
from benchmarks.selection.kept import SIZES
from benchmarks.selection.truths import TRUTHS, false_selections, recall

NEAR = 1.5  # a setting is near a size, and two settings are of about the same size, up to this ratio
TESTED_PER_TRAINED = TEST_SHARE / (1 - TEST_SHARE)


@dataclass(frozen=True, eq=False)
class Point:
    """A setting of a method on a case; figures by split."""

    setting: str
    columns: dict[int, list[int]] = field(default_factory=dict)
    errors: dict[int, dict[str, float]] = field(default_factory=dict)  # by split and judge
    seconds: list[float] = field(default_factory=list)

    @property
    def size(self) -> float:
        """Mean number of features."""
        return float(np.mean([len(kept) for kept in self.columns.values()]))

    def error(self, judge: str) -> float:
        """Return the mean error by a judge."""
        return float(np.mean([errors[judge] for errors in self.errors.values()]))

    def overlap(self) -> float:
        """Return the mean Jaccard overlap of the subsets of each two splits."""
        return jaccard(list(self.columns.values()))

    def found(self, case: str) -> tuple[float, float]:
        """Return the means of recall and of false selections on a truth."""
        block = TRUTHS[case].block_of()
        kept = [np.array(columns, int) for columns in self.columns.values()]
        return float(np.mean([recall(one, block) for one in kept])), float(
            np.mean([false_selections(one, block) for one in kept])
        )


@dataclass(frozen=True, eq=False)
class Cell:
    """A method on a case."""

    points: list[Point]
    splits: list[int] = field(default_factory=list)  # those that were tried
    troubles: dict[int, str] = field(default_factory=dict)  # by split


Results = Mapping[str, Mapping[str, Cell]]  # case -> method -> cell


def jaccard(subsets: Sequence[Iterable[int]]) -> float:
    """Return the mean of |A and B| / |A or B| over pairs, two empty subsets being the same; nan for a single one."""
    sets = [frozenset(subset) for subset in subsets]
    shares = [len(a & b) / len(a | b) if a | b else 1.0 for a, b in combinations(sets, 2)]
    return float(np.mean(shares)) if shares else math.nan


def cell_of(answers: Mapping[int, dict[str, Any]], settings: Sequence[float]) -> Cell:
    """Return what the splits of a cell say, by split."""
    points = {f"{setting:g}": Point(f"{setting:g}") for setting in settings}
    cell = Cell(list(points.values()), list(answers))
    for number, answer in answers.items():
        if answer["trouble"]:
            cell.troubles[number] = answer["trouble"]
        for setting, one in answer["found"].items():
            point = points[setting]
            point.columns[number], point.errors[number] = one["columns"], one["errors"]
            point.seconds.append(one["seconds"])
    return Cell([point for point in cell.points if point.columns], cell.splits, cell.troubles)


# ---- about the same size ------------------------------------------------------------------------------------------


def distance(size: float, other: float) -> float:
    """Return how many times larger the larger size is, as a logarithm; infinite if one is 0."""
    return abs(math.log(size / other)) if size > 0 and other > 0 else math.inf


def near(cell: Cell, size: float) -> Point | None:
    """Return the setting whose mean size is nearest to a size, if it is near and enough splits have answered."""
    known = [point for point in cell.points if len(point.errors) >= ENOUGH]
    best = min(known, key=lambda point: distance(point.size, size), default=None)
    return best if best and distance(best.size, size) <= math.log(NEAR) + 1e-12 else None


@dataclass(frozen=True)
class Difference:
    """The error of one method less that of another on the same splits."""

    mean: float
    half: float  # half the width of Student's paired 95 % interval over the splits
    wide: float  # the same for new data: splits of one data set share rows (Nadeau and Bengio 2003)

    def verdict(self, half: float) -> int:
        """Return 1 where the first errs less, -1 where the other does, 0 where the interval holds 0."""
        return 0 if abs(self.mean) <= half + 1e-12 else 1 if self.mean < 0 else -1


def difference(one: Point, other: Point, case: str, judge: str) -> Difference | None:
    """Compare two settings on the splits that both answered; None if these are not enough."""
    common = sorted(one.errors.keys() & other.errors.keys())
    if len(common) < ENOUGH:
        return None
    values = [one.errors[split][judge] - other.errors[split][judge] for split in common]
    half, shared = half_width(values), TESTED_PER_TRAINED if shares_rows(case) else 0.0
    return Difference(float(np.mean(values)), half, half * math.sqrt(1 + len(common) * shared))


def compared(results: Results, case: str, one: str, other: str, judge: str) -> Iterator[Difference]:
    """Yield the differences of two methods on a case, for each size that both have."""
    cells = results[case]
    for size in SIZES if one in cells and other in cells else ():
        pair = near(cells[one], size), near(cells[other], size)
        if pair[0] is None or pair[1] is None or distance(pair[0].size, pair[1].size) > math.log(NEAR) + 1e-12:
            continue
        apart = difference(pair[0], pair[1], case, judge)
        if apart:
            yield apart


@dataclass(frozen=True)
class Tally:
    """How often one of two methods errs less, neither does, and the other does."""

    wins: int
    ties: int
    losses: int

    @classmethod
    def of(cls, verdicts: Iterable[int]) -> Tally:
        """Count verdicts."""
        listed = list(verdicts)
        return cls(listed.count(1), listed.count(0), listed.count(-1))

    def text(self) -> str:
        """Return "wins-ties-losses"."""
        return f"{self.wins}-{self.ties}-{self.losses}"


def tallies(
    results: Results, cases: Iterable[str], one: str, other: str, judges: Iterable[str] = JUDGES
) -> tuple[Tally, Tally]:
    """Count over cases, sizes and judges, by the interval over splits and by the wide one."""
    told = list(judges)
    found = [apart for case in cases for judge in told for apart in compared(results, case, one, other, judge)]
    return Tally.of(apart.verdict(apart.half) for apart in found), Tally.of(
        apart.verdict(apart.wide) for apart in found
    )


@dataclass(frozen=True)
class Regret:
    """The error of a method less that of the best of some methods, at one size of one case, by one judge."""

    plain: float  # the best by the same splits: it has had luck, so that no method has 0
    fair: float  # the best by one half of the splits, compared on the other


def regrets(
    results: Results, cases: Iterable[str], method: str, rivals: Iterable[str], judges: Iterable[str] = JUDGES
) -> list[Regret]:
    """Return the regret of a method for each case, size and judge that it has; all on the same splits."""
    told, names = list(judges), list(rivals)
    found = []
    for case in cases:
        cells = results[case]
        for size in SIZES if method in cells else ():
            own = near(cells[method], size)
            best = [point for name in names if name in cells and (point := near(cells[name], size))]
            if own and best:
                common = sorted(own.errors.keys() & set.intersection(*(set(point.errors) for point in best)))
                if len(common) >= ENOUGH:
                    found += [regret(own, best, common, judge) for judge in told]
    return found


def regret(own: Point, rivals: Sequence[Point], splits: Sequence[int], judge: str) -> Regret:
    """Return the regret of a setting on some splits."""
    mine, theirs = (np.array([[point.errors[split][judge] for split in splits] for point in points])
                    for points in ((own,), rivals))  # fmt: skip
    excess = mine - theirs  # of each rival, by split
    halves = excess[:, ::2].mean(axis=1), excess[:, 1::2].mean(axis=1)
    fair = [one[other.argmax()] for one, other in (halves, halves[::-1])]
    return Regret(float(excess.mean(axis=1).max()), float(np.mean(fair)))
