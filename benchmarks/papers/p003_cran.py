"""Paper 003 with CRAN's packages on the same splits: what of the differences from the paper is the port's."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.jobs.job import Answers, Job, Options, seed_of
from benchmarks.papers import genes, grrf
from benchmarks.papers.grid import Cell, Grid
from benchmarks.papers.p003_tables3to6 import TABLE5
from benchmarks.papers.table import Table

SPLITS = 3
METHODS = list(genes.TABLE)
GAMMAS = {"GRRF(.1)": 0.1, "GRRF(.2)": 0.2}  # with a guide by randomForest, too
# Where our interval does not hold the paper's figure: the author's script with CRAN's packages on the tables' splits.
SETTLED = (("srbct", "GRRF(.1)"),)
SCRIPT = Path(__file__).with_name("genes.R")


def check(options: Options, name: str, number: int, ntree: int, ours: dict[str, Any]) -> dict[str, Any]:
    """Return what CRAN RRF selects with our coefficients and seeds, and what the author's script gives by itself."""
    split = genes.Split(options.data, name, number)
    importance = split.guide(options, ntree)
    coefs = [np.full(importance.size, grrf.coefficients(importance, *genes.TABLE[m])) for m in METHODS]
    seeds = [seed_of(name, number, method) for method in METHODS]
    return compared(ours, ask(split, ntree, coefs, seeds, list(GAMMAS.values())))


def settle(options: Options, name: str, number: int, ntree: int, method: str) -> dict[str, float]:
    """Return size and error of GRRF by the author's script, with CRAN's packages alone."""
    split = genes.Split(options.data, name, number)
    ((error, columns),) = ask(split, ntree, [], [], [GAMMAS[method]])
    return {"size": len(columns), "error": error}


def ask(
    split: genes.Split, ntree: int, coefs: list[np.ndarray], seeds: list[int], gammas: list[float]
) -> list[tuple[float, list[int]]]:
    """Return errors and columns: RRF with each of the coefficients and its seed, then the author's script."""
    with tempfile.TemporaryDirectory() as folder:
        whole = np.concatenate(coefs) if coefs else np.empty(0)
        for file, values in (("x.bin", split.x), ("test.bin", split.x_test), ("coef.bin", whole)):
            np.asarray(values, float).ravel(order="F").tofile(f"{folder}/{file}")
        for file, words in (("y.txt", split.y), ("truth.txt", split.y_test), ("seeds.txt", seeds)):
            Path(folder, file).write_text("".join(f"{word}\n" for word in words))
        own = seed_of(split.name, split.number, "CRAN alone")
        settings = [str(ntree), str(own), ",".join(map(str, gammas))]
        command = ["Rscript", "--vanilla", str(SCRIPT), folder, *settings]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"Rscript failed: {done.stderr.strip()[-300:]}")
    lines = [line.split() for line in done.stdout.splitlines()]
    return [(float(line[0]), [int(word) - 1 for word in line[1:]]) for line in lines]


def compared(ours: dict[str, Any], theirs: list[tuple[float, list[int]]]) -> dict[str, Any]:
    """Return for each method whether F is the same, and sizes and errors of both sides."""
    answer = {}
    for method, (error, columns) in zip(METHODS, theirs, strict=False):
        mine = ours[method]
        answer[method] = {"same": columns == mine["columns"], "error": mine["error"], "theirs": error}
    for method, (error, columns) in zip(GAMMAS, theirs[len(METHODS) :], strict=True):
        sizes = {"size": len(ours[method]["columns"]), "alone": len(columns), "error alone": error}
        answer[method] |= sizes
    return answer


def jobs(options: Options) -> list[Job]:
    """Return the forests of the first splits, which the tables share, and the checks; none without R."""
    own = Options(data=options.data, splits=options.count(SPLITS), engine=options.engine)
    forests = genes.forest_jobs(own, "forests", genes.TABLE, cost=1.0)
    if shutil.which("Rscript") is None:
        return []
    checks = []
    for job in forests:
        name, number, ntree, _ = job.args
        checks.append(Job(f"{name}/{number}/CRAN", check, (name, number, ntree), (job.key,), cost=20 * job.cost))
    return forests + settling(options) + checks


def settling(options: Options) -> list[Job]:
    """Return the jobs that settle where ours is outside."""
    pairs = [(name, method) for name, method in SETTLED if name in genes.sets_of(options)]
    return [
        Job(f"{name}/{n}/CRAN {method}", settle, (name, n, genes.NTREE, method), cost=5)
        for name, method in pairs
        for n in range(1, options.count(genes.SPLITS) + 1)
    ]


def found(answers: Answers, name: str) -> list[dict[str, Any]]:
    """Return the checks of a set."""
    return [answers[key] for n in range(1, SPLITS + 1) if (key := f"{name}/{n}/CRAN") in answers]


def settled(answers: Answers) -> Grid:
    """Return what the author's script gives where our interval misses the paper's error."""
    cells = []
    for name, method in SETTLED:
        keys = [f"{name}/{n}/CRAN {method}" for n in range(1, genes.SPLITS + 1)]
        errors = [answers[key]["error"] if key in answers else None for key in keys]
        cells.append([Cell.over(errors, TABLE5[name][list(GAMMAS).index(method)])])
    rows = [f"{name}, {method}" for name, method in SETTLED]
    return Grid(f"The author's script on {genes.SPLITS} splits where ours is outside", rows, ["error"], cells)


def report(answers: Answers) -> list[Grid]:
    """Return whether F is the same, and the differences of sizes and errors, split by split."""
    rows = [name for name in genes.SETS if found(answers, name)]
    checks = {name: found(answers, name) for name in rows}

    def gaps(title: str, methods: Sequence[str], ours: str, theirs: str, step: float) -> Grid:
        cells = [[Cell.over([one[m][ours] - one[m][theirs] for one in checks[name]]) for m in methods] for name in rows]
        return Grid(title, rows, methods, cells, step=step, corner="set")

    same = [
        [Cell(text=f"{sum(one[m]['same'] for one in checks[n])} of {len(checks[n])}") for m in METHODS] for n in rows
    ]
    alone = "the author's script with CRAN's packages alone"
    return [
        Grid("F is the same, with our coefficients and seeds in CRAN RRF", rows, METHODS, same, corner="set"),
        gaps("Errors on it, ours less those of CRAN randomForest", METHODS, "error", "theirs", 0.001),
        gaps(f"Sizes, ours less {alone}", list(GAMMAS), "size", "alone", 1),
        gaps(f"Errors, ours less {alone}", list(GAMMAS), "error", "error alone", 0.001),
        settled(answers),
    ]


TABLE = Table(
    "003-cran",
    "GRRF's tables with CRAN RRF and CRAN randomForest",
    jobs,
    report,
    engines=("r",),
    store=genes.STORE,
)
