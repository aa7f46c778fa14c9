"""Paper 004, tables 3 and 4: errors of forests whose features are weighted, selected, or both.

Nine tenths of the rows of each trial train. Gains are measured on distinct rows, and on bags besides: the paper
does not say which, and its threshold does not hold on bags.
"""

from __future__ import annotations

from benchmarks.jobs.job import Answers, Job, Options
from benchmarks.papers.grid import Cell, Grid
from benchmarks.papers.printed import printed
from benchmarks.papers.rogers_gunn import (
    CONSTANTS,
    NAMES,
    STORE,
    TRIALS,
    available,
    one_cfs,
    one_eq11,
    one_trial,
)
from benchmarks.papers.table import Table
from benchmarks.papers.weka import weka_jar

COLUMNS3 = ("RF", "CFS", "CI WS RF", "Two-stage CART")
COLUMNS4 = ("WS", "FS", "WS & FS")
COLUMNS = (*COLUMNS3, *COLUMNS4)
# What both tables print: the mean error of each column, and in brackets its variance over the 100 trials.
MEANS = printed("004 tables 3 and 4")
VARIANCES = printed("004 tables 3 and 4, variances")
EQ11 = tuple(f"eq 11, C = {constant:g}".replace("0.", ".") for constant in CONSTANTS)
OURS = ("FS, exact mean", "FS, test", "WS & FS, test")


def jobs(options: Options) -> list[Job]:
    """Return the trials, and those of CFS where Weka is."""
    trials = range(1, options.count(TRIALS) + 1)
    sets = available(options.data)
    made = [Job(f"{name}/{trial}", one_trial, (name, trial)) for name in sets for trial in trials]
    made += [Job(f"eq11/{n}/{t}", one_eq11, (n, t, list(CONSTANTS)), cost=0.3) for n in sets for t in trials]
    if weka_jar() is not None:
        made += [Job(f"cfs/{name}/{trial}", one_cfs, (name, trial), cost=0.2) for name in sets for trial in trials]
    return made


def errors(answers: Answers, name: str, method: str, bag: bool) -> list[float]:
    """Return the errors of a method in each trial; those without gains to measure are the same on bags."""
    if method in EQ11:
        return [answer[method] for answer in answers.below(f"eq11/{name}")]
    if method == "CFS":
        return [answer["error"] for answer in answers.below(f"cfs/{name}")]
    found = [answer["error"] for answer in answers.below(name)]
    return [one.get(f"{method}, bags", one[method]) if bag else one[method] for one in found]


def with_variances(answers: Answers) -> Grid:
    """Return the differences on distinct rows, bold where the interval does not hold 0, and how many hold it."""
    cells = [
        [
            Cell.less(errors(answers, name, method, False), mean, variance, TRIALS, step=1e-4)
            for method, mean, variance in zip(COLUMNS, MEANS[name], VARIANCES[name], strict=True)
        ]
        for name in NAMES
    ]
    columns = zip(*cells, strict=True)
    agree = [sum(bool(cell.text) and "**" not in str(cell.text) for cell in column) for column in columns]
    cells.append([Cell(text=f"{count}") for count in agree])
    title = "Tables 3 and 4, ours less the paper's with its variances (not counted)"
    return Grid(title, [*NAMES.values(), "agree"], COLUMNS, cells, corner="set")


def kept(answers: Answers, name: str, method: str, columns: slice = slice(None)) -> list[float]:
    return [float(sum(answer["kept"][method][columns])) for answer in answers.below(name)]


def report(answers: Answers) -> list[Grid]:
    """Return both tables on distinct rows and on bags, what the exact threshold does, and how many features stay."""
    grids = []
    rows = list(NAMES.values())
    paper = {name: dict(zip(COLUMNS, line, strict=True)) for name, line in MEANS.items()}
    for title, columns in (("Table 3", COLUMNS3), ("Table 4", COLUMNS4)):
        for bag, words in ((False, "gains measured on distinct rows"), (True, "on bags")):
            used = [method for method in columns if method not in ("RF", "CFS")] if bag else [*columns, *EQ11]
            cells = [
                [Cell.over(errors(answers, name, method, bag), paper[name].get(method)) for method in used]
                for name in NAMES
            ]
            grids.append(Grid(f"{title}, {words}: errors", rows, used, cells, step=0.0001, corner="set"))
    grids.append(with_variances(answers))
    cells = [[Cell.over(errors(answers, name, method, False)) for method in OURS] for name in NAMES]
    grids.append(Grid("Exact threshold: errors", rows, OURS, cells, step=0.0001, corner="set"))
    methods = ("FS", "FS, bags", "FS, exact mean", "FS, test")
    cells = [[Cell.over(kept(answers, name, method)) for method in methods] for name in NAMES]
    grids.append(Grid("Features kept", rows, methods, cells, step=0.1, corner="set"))
    irrelevant = {"friedman": slice(5, None), "simple": slice(2, None)}
    cells = [
        [Cell.over(kept(answers, name, method, where)) for method in methods] for name, where in irrelevant.items()
    ]
    names = ["Friedman (of 5)", "Simple (of 7)"]
    return [*grids, Grid("Irrelevant features kept", names, methods, cells, step=0.1, corner="set")]


TABLE = Table("004-tables3and4", "Tables 3 and 4: weighting and selecting features", jobs, report, store=STORE)
