"""benchmarks/SELECTION.md: what was measured, and what it says of about equal sizes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks.jobs.intervals import number
from benchmarks.markdown import table
from benchmarks.origin import ROOT
from benchmarks.selection.cases import CASES, MOST_ROWS
from benchmarks.selection.goals import both, mean_of, table_of_goals
from benchmarks.selection.judge import JUDGES
from benchmarks.selection.kept import LIMIT, SIZES
from benchmarks.selection.methods import CHOOSE_A_SIZE, METHODS, OURS, is_at_hand, splits_of
from benchmarks.selection.summary import Cell, Point, Results, Tally, near, regrets, tallies
from benchmarks.selection.truths import TRUTHS

REPORT = ROOT / "benchmarks" / "SELECTION.md"
TOLD = ", ".join(f"{size:g}" for size in SIZES)
NEW = ", ".join(name for name, case in CASES.items() if case.new)
HEAD = f"""\
# Compared with other selectors

Made by `python -m benchmarks.selection --data FOLDER`.

Features are chosen on two thirds of the rows (stratified by class) and judged on the other third; from sets with more
than {MOST_ROWS:,} rows each split draws that many. Simulated data are drawn anew for each split and judged on 1,000
rows. Each split shuffles the columns, so that a method that takes the first of equal features has no advantage. Two
models of scikit-learn judge each subset, with one seed for all methods on a split: a forest of 100 trees, and a
logistic or ridge regression on standardised columns. The error is the share of wrong classes or, in regression, the
squared error divided by that of the training mean. If nothing is kept, the most frequent class or the mean is
predicted. Times are processor seconds of one setting, including work that settings share, measured while other jobs
run. A method has {LIMIT} seconds for all settings of a split; those not done by then have failed. If it has no answer
by then on the first split of a case, it is not tried on the others. The errors of a case are means over the splits
of the method; methods are compared on the splits that both have.

Methods are compared at {TOLD} features. Those that take a size ("K") keep exactly that many; of the others the
setting with the nearest mean size counts, if it is within a factor of 1.5. A method has the lower error if the paired
95 % interval of the difference over the splits (Student's t) excludes 0. Splits of one data set share rows, which makes
these intervals too short for new data: in brackets with intervals corrected for this (Nadeau and Bengio 2003). If there
is no difference, one comparison in twenty finds one.

Six cases were fixed before the first run: {NEW}. After it two defects of
`EliminationSelector` were corrected, which a reader of the code had found, and elimination ran again on all cases: with
more features than rows the error of the ridge regression on held-out rows was far too small, and if neither part
predicted, features were dropped at random.

Variants of `EliminationSelector` are compared on these cases and on others; CONFIRMATION.md has cases on which none
was.
"""
PARTLY = """\
Cells with fewer splits than meant say so; those with fewer than five are not compared; what is not listed was not
run."""


def render(results: Results, answers: Mapping[str, Any], wanted: int, splits: int, origin: str) -> str:
    """Return the page.

    Parameters
    ----------
    results : Results
    answers : mapping
        All answers by key.
    wanted : int
        Jobs of a whole run.
    splits : int
        Of a whole cell.
    origin : str
        With and on what the answers were made.
    """
    state = f"{len(answers):,} of {wanted:,} jobs. {origin}"
    if len(answers) < wanted:
        state = f"**Unfinished**: {state} " + PARTLY
    parts = [HEAD, state, *absences(results), "## Methods", methods_table()]
    parts += [
        "## Goals",
        "Of elimination, set before the first run.",
        table(["goal", "found"], table_of_goals(results, answers)),
    ]
    parts += beside_each_other(results)
    parts += ["## Seconds, and overlap", seconds_table(results)]
    parts += [case_section(results, case, splits) for case in present(results) if points_at_sizes(results[case])]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def beside_each_other(results: Results) -> list[str]:
    """Return the sections over all cases."""
    return [
        "## Wins, ties and losses",
        *filter(None, (counted(results, one) for one in OURS)),
        "## Regret",
        regret_table(results),
        "## Methods that choose the size",
        sizes_chosen(results),
    ]


def methods_table() -> str:
    """Return each method with what it is given."""
    case = next(iter(CASES))
    rows = [(name, each.knob, str(splits_of(case, name)), each.details) for name, each in METHODS.items()
            if splits_of(case, name)]  # fmt: skip
    return table(["method", "setting", "splits", "details"], rows)


def absences(results: Results) -> list[str]:
    """Name the packages that are not here, unless their answers are."""
    tried = {name for cells in results.values() for name in cells}
    missing = [f"{name} ({each.package})" for name, each in METHODS.items()
               if name not in tried and not is_at_hand(each.package)]  # fmt: skip
    return [f"**Absent here**, so not run: {', '.join(missing)}."] if missing else []


def present(results: Results) -> list[str]:
    """Return the cases at hand, in their order."""
    return [case for case in CASES if case in results]


def kinds(results: Results) -> dict[str, tuple[list[str], Sequence[str]]]:
    """Return the columns of a summary: cases, and judges."""
    cases = present(results)
    classes, numbers = ([case for case in cases if CASES[case].numeric is kind] for kind in (False, True))
    return {
        "classes, forest": (classes, JUDGES[:1]),
        "classes, linear": (classes, JUDGES[1:]),
        "regression, forest": (numbers, JUDGES[:1]),
        "regression, linear": (numbers, JUDGES[1:]),
        "all": (cases, JUDGES),
        "the six new cases": ([case for case in cases if CASES[case].new], JUDGES),
    }


# ---- over all cases ------------------------------------------------------------------------------------------------


def counted(results: Results, one: str) -> str:
    """Return how often one of ours errs less than, as much as, and more than each of the others; "" if not run."""
    rows = []
    for other in (name for name in METHODS if name not in (one, "all")):
        both = [tallies(results, cases, one, other, judges) for cases, judges in kinds(results).values()]
        if any(plain != Tally(0, 0, 0) for plain, _ in both):
            cells = (f"{plain.text()} ({wide.text()})" if plain != Tally(0, 0, 0) else "-" for plain, wide in both)
            rows.append([other, *cells])
    if not rows:
        return ""
    words = f"How often {one} errs less, neither does, and the one at the left errs less, by judge:"
    return f"### {one}\n\n{words}\n\n{table(['', *kinds(results)], rows, words=1)}"


def regret_table(results: Results) -> str:
    """Return the mean regret of each method, and its largest."""
    exact = [name for name, method in METHODS.items() if method.exact]
    rows = []
    for name in METHODS:
        cells = [regrets(results, cases, name, exact, judges) for cases, judges in kinds(results).values()]
        if name != "all" and cells[4]:
            means = [mean_of(found) if found else [] for found in cells]
            figures = [both(pair, 0.001) if pair else "-" for pair in means]
            rows.append([name, *figures, number(max(one.plain for one in cells[4]), 0.001), str(len(cells[4]))])
    words = (
        f"The mean error less that of the best of {', '.join(exact)} at that size, over cases and sizes. The best is "
        "named by one half of the splits and compared on the other, each half in turn; in brackets it is named by the "
        "same splits, in which it had luck, so that no method has 0. A method without a size of its own has fewer "
        "comparisons."
    )
    return f"{words}\n\n{table(['', *kinds(results), 'largest', 'comparisons'], rows, words=1)}"


def sizes_chosen(results: Results) -> str:
    """Return size and errors of the methods that choose the size."""
    rows = []
    for case in present(results):
        cells = [results[case].get(name) for name in CHOOSE_A_SIZE]
        rows.append([case, *(own_size(cell) for cell in cells), own_size(results[case].get("all"))])
    return "Errors by forest / linear model, and the mean size.\n\n" + table(
        ["", *CHOOSE_A_SIZE, "all features"], rows, words=1
    )


def own_size(cell: Cell | None) -> str:
    """Return what a method keeps with its only setting."""
    return errors_of(cell.points[0]) if cell and cell.points else "-"


def seconds_table(results: Results) -> str:
    """Return the seconds of each method, and the overlap of the subsets of two splits."""
    cases = present(results)
    rows = []
    for name in (name for name in METHODS if name != "all"):
        cells = [results[case][name] for case in cases if name in results[case]]
        times = [float(np.mean(point.seconds)) for cell in cells for point in cell.points]
        at = [[point.overlap() for cell in cells if (point := near(cell, size))] for size in SIZES]
        if times:
            overlaps = [number(float(np.mean(found)), 0.01) if found else "-" for found in at]
            rows.append([name, *(seconds(value) for value in (np.median(times), max(times))), *overlaps])
    words = (
        "Seconds of a setting: the median, and the largest mean of a case. Overlap: the mean Jaccard overlap of the "
        "subsets of each two splits, over the cases; that of a method without a size of its own is over fewer of them."
    )
    return f"{words}\n\n{table(['', 'median', 'largest', *(f'overlap at {size:g}' for size in SIZES)], rows, words=1)}"


# ---- a case --------------------------------------------------------------------------------------------------------


def case_section(results: Results, case: str, splits: int) -> str:
    """Return the section of a case."""
    cells = results[case]
    parts = [f"## {case}: {CASES[case].title}", *of_all(cells), at_sizes(case, cells, splits)]
    if case in TRUTHS:
        parts += ["Recall, and false selections:", truth_at_sizes(case, cells)]
    troubles = failures(cells)
    if troubles:
        parts += ["Failed:\n\n" + "\n".join(troubles)]
    return "\n\n".join(parts)


def of_all(cells: Mapping[str, Cell]) -> list[str]:
    """Return a sentence on the errors with all features, if they were judged."""
    points = cells["all"].points if "all" in cells else []
    return [f"All {points[0].size:g} features: {errors_of(points[0], exact=True)}."] if points else []


def points_at_sizes(cells: Mapping[str, Cell]) -> dict[str, list[Point | None]]:
    """Return for each method the setting nearest to each size, if one is near; methods without any are out."""
    names = [name for name in METHODS if name in cells and name not in ("all", *CHOOSE_A_SIZE)]
    found = {name: [near(cells[name], size) for size in SIZES] for name in names}
    return {name: points for name, points in found.items() if any(points)}


def at_sizes(case: str, cells: Mapping[str, Cell], splits: int) -> str:
    """Return errors at the sizes, methods below each other."""
    found = points_at_sizes(cells)
    least = [
        tuple(min((point.error(judge) for point in column if point), default=math.nan) for judge in JUDGES)
        for column in zip(*found.values(), strict=True)
    ]
    rows = []
    for name, points in found.items():
        done, whole = len(cells[name].splits), min(splits, splits_of(case, name))
        short = "" if done == whole else f", {done} of {whole}"
        exact, pairs = METHODS[name].exact, zip(points, least, strict=True)
        rows.append([name + short, *(errors_of(point, best, exact) if point else "" for point, best in pairs)])
    return table(["forest / linear", *(f"{size:g}" for size in SIZES)], rows, words=1)


def truth_at_sizes(case: str, cells: Mapping[str, Cell]) -> str:
    """Return recall and false selections at the sizes."""
    rows = []
    for name, points in points_at_sizes(cells).items():
        figures = [point.found(case) if point else None for point in points]
        rows.append([name, *(f"{number(one[0], 0.01)}, {one[1]:.1f}" if one else "" for one in figures)])
    return table(["", *(f"{size:g}" for size in SIZES)], rows, words=1)


def errors_of(point: Point, least: Sequence[float] = (-math.inf, -math.inf), exact: bool = False) -> str:
    """Return the errors of a setting by both judges, the least ones bold, and its mean size unless it is exact."""
    figures = []
    for judge, best in zip(JUDGES, least, strict=True):
        text = number(point.error(judge), 0.001)
        figures.append(f"**{text}**" if point.error(judge) <= best else text)
    return " / ".join(figures) + ("" if exact else f" ({point.size:.1f})")


def failures(cells: Mapping[str, Cell]) -> list[str]:
    """Return what went wrong, a line for each method and reason."""
    lines = []
    for name, cell in cells.items():
        for reason in dict.fromkeys(cell.troubles.values()):
            splits = sum(trouble == reason for trouble in cell.troubles.values())
            lines.append(f"- {name}, {splits} of {len(cell.splits)} splits: {reason}")
    return lines


def seconds(value: float) -> str:
    """Return seconds with two digits where they are few."""
    return f"{value:.2f}" if value >= 0.095 or not value else f"{value:.2g}"
