"""Paper 003, Tables 3 to 6: sizes of the selected subsets of ten gene sets, and errors of forests and C4.5 on them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.jobs.intervals import is_significant
from benchmarks.jobs.job import Answers, Job, Options
from benchmarks.papers import genes
from benchmarks.papers.grid import Cell, Grid
from benchmarks.papers.printed import printed
from benchmarks.papers.table import Table

ALL, NEW = "All", "SVM-RFE"  # the paper names SVM-RFE, and has no figures of it
COMPARED = ("varSelRF", "LASSO")
SHOWN = ("GRRF(.1)", "GRRF(.2)", "RRF(.9)", *COMPARED)
# In the order of the columns above; Table 3: size of RRF(1), its error, that of all features.
TABLE3 = printed("003 table 3")
TABLE4 = printed("003 table 4")
TABLE5 = printed("003 table 5")
TABLE6 = printed("003 table 6")


def jobs(options: Options) -> list[Job]:
    """Return the forests of all sets; then, set by set, what the paper compares with, and C4.5; SVM-RFE at the end."""
    found = genes.forest_jobs(options, "forests", genes.TABLE, cost=1.0)
    pairs = [(name, number) for name in genes.sets_of(options) for number in range(1, options.count(genes.SPLITS) + 1)]
    found += [Job(f"{name}/{n}/all", genes.whole, (name, n, genes.NTREE), cost=0.3) for name, n in pairs]
    found += [c45_job(name, n, "forests") for name, n in pairs]
    for methods in (COMPARED, (NEW,)):
        for name in genes.sets_of(options):
            numbers = [n for at, n in pairs if at == name]
            found += [one for method in methods for n in numbers for one in compared(name, n, method)]
    return found


def compared(name: str, n: int, method: str) -> list[Job]:
    """Return the job of a comparator, and that of C4.5 after it."""
    key = f"{name}/{n}/{method}"
    return [Job(key, genes.compare, (name, n, genes.NTREE, method), cost=5), c45_job(name, n, method)]


def c45_job(name: str, n: int, after: str) -> Job:
    """Return the job of C4.5 on what another job selected."""
    return Job(f"{name}/{n}/C4.5 {after}", genes.c45, (name, n), (f"{name}/{n}/{after}",), cost=0.3)


Pick = Callable[[Answers, str, str], list[float | None]]  # of each split in its order; None where there is none


def sizes(answers: Answers, name: str, method: str) -> list[float | None]:
    """Return how many features a method selected on each split."""
    return genes.on_splits(answers, name, method, "columns")


def errors(answers: Answers, name: str, method: str) -> list[float | None]:
    """Return the error of the forest on each split."""
    return genes.on_splits(answers, name, method, "error")


def tree_errors(answers: Answers, name: str, method: str) -> list[float | None]:
    """Return the error of C4.5 on each split."""
    key = f"C4.5 {method if method in genes.SELECTORS else 'forests'}"
    return [answers.get(f"{name}/{n}/{key}", {}).get(method) for n in range(1, genes.SPLITS + 1)]


def sign(values: list[float | None], beside: list[float | None]) -> str:
    """Return "win", "lose" or "tie" of the mean and a star where the paired t-test finds p < .05."""
    gaps = np.array([a - b for a, b in zip(values, beside, strict=True) if a is not None and b is not None])
    if len(gaps) < 2:
        return ""
    word = "tie" if gaps.mean() == 0 else "win" if gaps.mean() < 0 else "lose"
    return word + "*" * is_significant(gaps)


def wins(answers: Answers, pick: Pick, method: str, beside: str, paper: str | None) -> Cell:
    """Return on how many sets a method beats another, loses, ties; and on how many a paired t-test says so."""
    words = [sign(pick(answers, name, method), pick(answers, name, beside)) for name in TABLE3]
    if not any(words):
        return Cell()
    counts = [sum(word.startswith(kind) for word in words) for kind in ("win", "lose", "tie")]
    significant = sum(word.endswith("*") for word in words)
    return Cell(text=f"{'-'.join(map(str, counts))}, {significant} significant", paper_text=paper)


def table3(answers: Answers) -> list[Grid]:
    """Return sizes and errors of RRF(1), and the errors of all features."""
    rows = list(TABLE3)
    size = [[Cell.over(sizes(answers, name, "RRF(1)"), TABLE3[name][0])] for name in rows]
    pair = [[Cell.over(errors(answers, n, m), TABLE3[n][i]) for i, m in ((1, "RRF(1)"), (2, ALL))] for n in rows]
    pair.append([Cell(text=""), wins(answers, errors, ALL, "RRF(1)", "3-7-0, 4 significant")])
    ended = [*rows, "All beside RRF(1): win-lose-tie"]
    return [
        Grid("Table 3, features: selected by RRF(1)", rows, ["RRF(1)"], size, step=1, corner="set"),
        Grid(
            "Table 3, errors: of forests on what RRF(1) selects and on all", ended, ["RRF(1)", ALL], pair, corner="set"
        ),
    ]


def shown(
    answers: Answers, title: str, paper: dict[str, tuple[float, ...]], pick: Pick, step: float, against: tuple[str, ...]
) -> Grid:
    """Return the grid of a table with the columns of Table 4."""
    columns = (*SHOWN, NEW)
    cells = [
        [Cell.over(pick(answers, name, method), value) for method, value in zip(columns, (*line, None), strict=True)]
        for name, line in paper.items()
    ]
    rows = list(paper)
    if against:
        rows.append("beside GRRF(.1): win-lose-tie")
        rest = zip(columns[1:], (*against, None), strict=True)
        cells.append([Cell(text=""), *(wins(answers, pick, method, SHOWN[0], text) for method, text in rest)])
    return Grid(title, rows, columns, cells, step=step, corner="set")


def report(answers: Answers) -> list[Grid]:
    """Return Tables 3 to 6."""
    against5 = ("1-9-0, 5 significant", "1-9-0, 5 significant", "3-7-0, 8 significant", "3-7-0, 5 significant")
    against6 = ("7-3-0, 3 significant", "5-5-0, 3 significant", "6-4-0, 4 significant", "6-4-0, 5 significant")
    return [
        *table3(answers),
        shown(answers, "Table 4: features selected", TABLE4, sizes, 1, ()),
        shown(answers, "Table 5: errors of forests", TABLE5, errors, 0.001, against5),
        shown(answers, "Table 6: errors of C4.5", TABLE6, tree_errors, 0.001, against6),
    ]


TABLE = Table(
    "003-tables3to6",
    "Sizes and errors on ten gene sets",
    jobs,
    report,
    engines=genes.ENGINES,
    store=genes.STORE,
)
