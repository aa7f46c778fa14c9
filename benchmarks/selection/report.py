"""benchmarks/SELECTION.md: what was measured, and what it says of about equal sizes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from benchmarks.jobs.intervals import half_width, number
from benchmarks.selection.cases import CASES, MOST_ROWS
from benchmarks.selection.kept import LIMIT
from benchmarks.selection.methods import METHODS, OURS, is_at_hand
from benchmarks.selection.summary import TARGETS, Cell, Point, Results, Tally, compared, near, tallies
from benchmarks.selection.truths import TRUTHS

ROOT = Path(__file__).resolve().parents[2]
REPORT = ROOT / "benchmarks" / "SELECTION.md"
PICTURES = ROOT / "docs" / "selection"
HEAD = f"""\
# Beside other selectors

Made by `python -m benchmarks.selection --data FOLDER`; written by no hand. The features are chosen on two thirds of the
rows, parts stratified by class, and judged on the others; of sets with more than {MOST_ROWS:,} rows each split draws so
many. A simulated truth is drawn anew for each split and judged on 1,000 rows. The judge is the same for all:
scikit-learn's `RandomForestClassifier` of 100 trees on the features kept, with one seed for all methods on a split; the
commonest class where nothing is kept. "Own" is the error of the method's own model, where it has one. "Overlap" is the
mean Jaccard overlap of the subsets of each two splits. Seconds are of one processor for one setting, with what settings
share counted in each; other jobs may run on the other processors. A method has {LIMIT} seconds of the processor for all
settings of a split; those not done by then have failed.

Two methods are compared at sizes of about {", ".join(map(str, TARGETS))} features: of the settings of each whose mean
size is within 1.5-fold of these, the two whose sizes differ least, by at most 1.5-fold. One errs less where the paired
95 % interval of the difference over the splits (Student's t) leaves out 0. Splits of one data set share rows, so that
this says less of new data: in brackets the same with intervals that count this in (Nadeau and Bengio 2003). Where there
is no difference, one comparison in twenty finds one.
"""

PARTLY = """\
Cells with fewer than {} splits say so; those with fewer than five are not compared; what is not listed was not run."""

Row = Sequence[str]


def table(head: Row, rows: Iterable[Row], others: str = "---:") -> str:
    """Return a Markdown table: the first column to the left, the others to the right unless told."""
    lines = [head, ["---"] + [others] * (len(head) - 1), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def render(results: Results, wanted: int, splits: int, origin: str, drawn: Sequence[str] = ()) -> str:
    """Return the page.

    Parameters
    ----------
    results : Results
    wanted : int
        Jobs of a whole run.
    splits : int
        Of a whole cell.
    origin : str
        With and on what the answers were made.
    drawn : sequence of str
        Cases that have a picture.
    """
    done = sum(len(cell.splits) for cells in results.values() for cell in cells.values())
    state = f"{done:,} of {wanted:,} jobs. {origin}"
    if done < wanted:
        state = f"**Unfinished**: {state} " + PARTLY.format(splits)
    parts = [HEAD, state, *absences(results)]
    parts += ["## Methods", methods_table(), "## Wins, ties and losses", counted(results)]
    parts += [case_section(results, case, splits, case in drawn) for case in CASES if results.get(case)]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def methods_table() -> str:
    """Return each method with what it is given."""
    rows = [(name, each.knob, each.details) for name, each in METHODS.items()]
    return table(["method", "setting", "details"], rows, "---")


def absences(results: Results) -> list[str]:
    """Name the packages that are not here, unless their answers are."""
    tried = {name for cells in results.values() for name in cells}
    missing = [f"{name} ({each.package})" for name, each in METHODS.items()
               if name not in tried and not is_at_hand(each.package)]  # fmt: skip
    return [f"**Absent here**, so not run: {', '.join(missing)}."] if missing else []


def others() -> list[str]:
    return [name for name in METHODS if name not in OURS and name != "all"]


def counted(results: Results) -> str:
    """Return how often each of ours errs less than, as much as, and more than each of the others."""
    cases, rows = [case for case in CASES if case in results], []
    for other in others():
        cells = []
        for one in OURS:
            plain, wide = tallies(results, cases, one, other)
            cells.append(f"{plain.text()} ({wide.text()})" if plain != Tally(0, 0, 0) else "-")
        rows.append([other, *cells])
    words = (
        "Over all cases and sizes: how often the one above errs less, neither does, and the one at the left errs less."
    )
    each = [f"{one} by case:\n\n{by_case(results, one)}" for one in OURS]
    return "\n\n".join([words, table(["", *OURS], rows), *each])


def by_case(results: Results, one: str) -> str:
    """Return the same of one method, case by case, by the intervals over splits."""
    rows = []
    for case in (case for case in CASES if case in results):
        cells = [tallies(results, [case], one, other)[0] for other in others()]
        if all(cell == Tally(0, 0, 0) for cell in cells):
            continue
        rows.append([case, *("-" if cell == Tally(0, 0, 0) else cell.text() for cell in cells)])
    return table(["", *others()], rows)


# ---- a case --------------------------------------------------------------------------------------------------------


def case_section(results: Results, case: str, splits: int, drawn: bool) -> str:
    """Return the section of a case."""
    cells = results[case]
    parts = [f"## {case}: {CASES[case].title}"]
    if drawn:
        parts.append(f"![{case}: error against size](../docs/selection/{case}.svg)")
    parts += ["Error at about so many features, (mean size); bold: the least of a column.", at_sizes(cells)]
    if case in TRUTHS:
        parts += ["Recall, and false selections, of the same settings:", truth_at_sizes(case, cells)]
    if "GRRF" in cells:
        parts += ["GRRF's error less that of the other; bold: the interval leaves out 0.", apart(results, case)]
    troubles = failures(cells)
    if troubles:
        parts += ["Failed:\n\n" + "\n".join(troubles)]
    parts += ["All settings:", all_settings(case, cells, splits)]
    return "\n\n".join(parts)


def points_at_sizes(cells: Mapping[str, Cell]) -> dict[str, list[Point | None]]:
    """Return for each method the setting nearest to each target size, if one is near; methods without any are out."""
    names = [name for name in METHODS if name in cells and name != "all"]
    found = {name: [next(iter(near(cells[name], target)), None) for target in TARGETS] for name in names}
    return {name: points for name, points in found.items() if any(points)}


def at_sizes(cells: Mapping[str, Cell]) -> str:
    """Return errors at the target sizes, methods below each other."""
    found = points_at_sizes(cells)
    columns = zip(*found.values(), strict=True)
    least = [min((point.error for point in column if point), default=math.nan) for column in columns]
    rows = [
        [name, *(_error_at(point, best) for point, best in zip(row, least, strict=True))] for name, row in found.items()
    ]
    return table(["about", *map(str, TARGETS)], rows) + (f"\n\nAll features: {_all(cells)}." if "all" in cells else "")


def truth_at_sizes(case: str, cells: Mapping[str, Cell]) -> str:
    """Return recall and false selections at the target sizes."""
    rows = []
    for name, points in points_at_sizes(cells).items():
        figures = [point.found(case) if point else None for point in points]
        rows.append([name, *(f"{number(one[0], 0.01)}, {one[1]:.1f}" if one else "" for one in figures)])
    return table(["about", *map(str, TARGETS)], rows)


def _error_at(point: Point | None, best: float) -> str:
    if point is None:
        return ""
    text = number(point.error, 0.001)
    return f"{f'**{text}**' if point.error <= best else text} ({point.size:.1f})"


def _all(cells: Mapping[str, Cell]) -> str:
    values = list(cells["all"].points[0].errors.values())
    return f"{number(float(np.mean(values)), 0.001)}{_half(values)}"


def apart(results: Results, case: str) -> str:
    """Return GRRF's error less that of each other method, by target size."""
    rows = []
    for other in [name for name in METHODS if name not in ("GRRF", "all")]:
        found, line = compared(results, case, "GRRF", other), [other]
        for target in TARGETS:
            one = found.get(target)
            text = f"{number(one.mean, 0.001)} ± {number(one.half, 0.001)}" if one else ""
            line.append(f"**{text}**" if one and one.verdict(one.half) else text)
        if found:
            rows.append(line)
    return table(["less", *map(str, TARGETS)], rows)


def failures(cells: Mapping[str, Cell]) -> list[str]:
    """Return what went wrong, a line for each method and reason."""
    lines = []
    for name, cell in cells.items():
        for reason in dict.fromkeys(cell.troubles.values()):
            splits = sum(trouble == reason for trouble in cell.troubles.values())
            lines.append(f"- {name}, {splits} of {len(cell.splits)} splits: {reason}")
    return lines


def all_settings(case: str, cells: Mapping[str, Cell], splits: int) -> str:
    """Return every setting with its figures."""
    head = ["method", "setting", "size", "error", "own", "overlap", "seconds"]
    head += ["recall", "false"] if case in TRUTHS else []
    rows = []
    for name in (name for name in METHODS if name in cells):
        for point in cells[name].points:
            rows.append(setting_row(case, name, point, splits))
    return table(head, rows)


def setting_row(case: str, name: str, point: Point, splits: int) -> Row:
    """Return a line of a setting."""
    knob = METHODS[name].knob
    short = "" if len(point.errors) == splits else f", {len(point.errors)} of {splits}"
    values = list(point.errors.values())
    row = [
        f"{name}{short}",
        f"{knob} {point.setting}" if knob else "",
        f"{point.size:.1f}",
        f"{number(point.error, 0.001)}{_half(values)}",
        number(float(np.mean(point.own)), 0.001) if point.own else "",
        number(point.overlap(), 0.01) if len(values) > 1 and point.size else "",
        seconds(float(np.mean(point.seconds))),
    ]
    if case in TRUTHS:
        hit, false = point.found(case)
        row += [number(hit, 0.01), f"{false:.1f}"]
    return row


def seconds(value: float) -> str:
    """Return seconds with two digits where they are few."""
    return f"{value:.2f}" if value >= 0.095 or not value else f"{value:.2g}"


def _half(values: Sequence[float]) -> str:
    return f" ± {number(half_width(values), 0.001)}" if len(values) > 1 else ""
