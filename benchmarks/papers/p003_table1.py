"""Paper 003, Table 1: groups found and needless features on simulated data whose five relevant features stand twice.

The paper chooses lambda, gamma and the penalty of LASSO by 10-fold cross-validation and says no more. Here a value is
judged by the error of a forest on what is selected with it, on each of ten parts of the shuffled rows, as in the
scripts of the first author; of values with equal errors the largest wins, as there. All values of the grid stand
beside the choice. LASSO is cv.glmnet with lambda.1se.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.jobs.job import Answers, Job, Options, seed_of
from benchmarks.papers import grrf
from benchmarks.papers.grid import Cell, Grid
from benchmarks.papers.table import Table

NAME = "003-table1"
REPLICATES, ROWS, NTREE, FOLDS = 20, 1000, 1000, 10
GROUPS = 5  # X1 to X5; X11 to X15 are the same again, X6 to X10 are noise
LAMBDAS, GAMMAS = (0.6, 0.7, 0.8), (0.4, 0.5, 0.6)
GRID = {f"RRF({v:.1f})".replace("0.", "."): [v, 0.0] for v in LAMBDAS}
GRID |= {f"GRRF({v:.1f})".replace("0.", "."): [1.0, v] for v in GAMMAS}
# Means over the replicates, and the standard errors below them.
PAPER = {"LASSO": (4, 4.3), "varSelRF": (4.95, 4.95), "RRF by CV": (5, 4.95), "GRRF by CV": (4.95, 0.75)}
ERRORS = {"LASSO": (0, 0.147), "varSelRF": (0.05, 0.05), "RRF by CV": (0, 0.05), "GRRF by CV": (0.05, 0.123)}


def simulate(replicate: int, rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the features, (rows, 15), and the classes of a replicate (section 5.1)."""
    draw = np.random.default_rng(seed_of(NAME, replicate))
    x = draw.random((rows, 10))
    y = 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4]
    y += draw.standard_normal(rows)
    return np.asfortranarray(np.hstack([x, x[:, :GROUPS]])), np.where(y > np.median(y), "class2", "class1")


def select(
    x: np.ndarray, y: np.ndarray, settings: dict[str, list[float]], seed: str, ntree: int, engine: str
) -> dict[str, Any]:
    """Return what RRF and GRRF select with each setting (lambda, gamma), with one guide."""
    guide = grrf.guide(x, y, ntree=ntree, engine=engine, seed=seed_of(seed, "guide"))
    answer = {}
    for method, (penalty, gamma) in settings.items():
        coef = grrf.coefficients(guide, penalty, gamma)
        answer[method] = grrf.select(x, y, coef, ntree=ntree, engine=engine, seed=seed_of(seed, method)).tolist()
    return answer


def grid(options: Options, replicate: int, rows: int, ntree: int, settings: dict[str, list[float]]) -> dict[str, Any]:
    """Select with every value of the grid."""
    return select(*simulate(replicate, rows), settings, f"{NAME}/{replicate}", ntree, options.engine)


def chosen(
    options: Options, replicate: int, rows: int, ntree: int, folds: int, settings: dict[str, list[float]]
) -> dict[str, Any]:
    """Return the error of every value of the grid in cross-validation."""
    x, y = simulate(replicate, rows)
    order = np.random.default_rng(seed_of(NAME, replicate, "folds")).permutation(rows)
    wrong = dict.fromkeys(settings, 0)
    for fold, test in enumerate(np.array_split(order, folds)):
        parts = [(x[rows], y[rows]) for rows in (np.setdiff1d(order, test), test)]
        seed = f"{NAME}/{replicate}/{fold}"
        for method, columns in select(*parts[0], settings, seed, ntree, options.engine).items():
            forest = {"ntree": ntree, "engine": options.engine, "seed": seed_of(seed, method, "error")}
            wrong[method] += int(grrf.wrong(*parts, columns, **forest).sum())
    return {method: count / rows for method, count in wrong.items()}


def compare(options: Options, replicate: int, rows: int, method: str, *settings: int) -> list[int] | None:
    """Return what another method selects."""
    from benchmarks.papers import comparators

    x, y = simulate(replicate, rows)
    seed = seed_of(NAME, replicate, method)
    if method == "LASSO":
        return comparators.lasso(x, y, seed, folds=settings[0]).tolist()
    return comparators.varselrf(x, y, seed, engine=options.engine).tolist()


def jobs(options: Options) -> list[Job]:
    """Return the grid, the errors of cross-validation and the comparators of every replicate."""
    replicates = range(1, options.count(REPLICATES) + 1)
    found = [Job(f"grid/{r}", grid, (r, ROWS, NTREE, GRID), cost=1) for r in replicates]
    found += [Job(f"LASSO/{r}", compare, (r, ROWS, "LASSO", FOLDS), cost=1) for r in replicates]
    found += [Job(f"varSelRF/{r}", compare, (r, ROWS, "varSelRF"), cost=3) for r in replicates]
    return found + [Job(f"errors/{r}", chosen, (r, ROWS, NTREE, FOLDS, GRID), cost=15) for r in replicates]


def best(errors: dict[str, float], family: str) -> str:
    """Return the setting of the least error; of several the last, which has the largest value."""
    own = [method for method in errors if method.startswith(f"{family}(")]
    return min(reversed(own), key=lambda method: errors[method])


def selections(answers: Answers) -> dict[str, list[list[int]]]:
    """Return what each method selected on each replicate at hand."""
    found: dict[str, list[list[int]]] = {method: answers.below(method) for method in ("LASSO", "varSelRF")}
    for family in ("RRF", "GRRF"):
        both = [r for r in range(1, REPLICATES + 1) if f"grid/{r}" in answers and f"errors/{r}" in answers]
        found[f"{family} by CV"] = [answers[f"grid/{r}"][best(answers[f"errors/{r}"], family)] for r in both]
    return found | {method: [one[method] for one in answers.below("grid")] for method in GRID}


def groups(columns: list[int]) -> int:
    """Return how many of the five groups are in what was selected."""
    return sum(group in columns or group + 10 in columns for group in range(GROUPS))


def report(answers: Answers) -> list[Grid]:
    """Return Table 1 with a line for each value of the grid, and how often each was chosen."""
    found = selections(answers)
    counts = {
        method: ([groups(one) for one in lists], [len(one) - groups(one) for one in lists])
        for method, lists in found.items()
    }
    cells = [
        [Cell.over(values, mean) for values, mean in zip(both, PAPER.get(method, (None, None)), strict=True)]
        for method, both in counts.items()
    ]
    less = [
        [
            Cell.less(values, mean, REPLICATES * error**2, REPLICATES, step=0.01)
            for values, mean, error in zip(counts[method], means, ERRORS[method], strict=True)
        ]
        for method, means in PAPER.items()
    ]
    columns = ["groups found, of 5", "irrelevant or redundant features"]
    return [
        Grid("Table 1: groups found and needless features", list(found), columns, cells, step=0.01, corner="method"),
        Grid(
            "Table 1, ours less the paper's with its standard errors (not counted)",
            list(PAPER), columns, less, corner="method",
        ),
        choices(answers),
    ]  # fmt: skip


def choices(answers: Answers) -> Grid:
    """Return the error of each value in cross-validation and how often it was the least."""
    errors = answers.below("errors")
    picked = [best(one, family) for one in errors for family in ("RRF", "GRRF")]
    cells = [[Cell.over([one[m] for one in errors]), Cell(text=f"{picked.count(m)} of {len(errors)}")] for m in GRID]
    return Grid("The choice by cross-validation", list(GRID), ["error", "chosen"], cells, corner="value")


TABLE = Table(NAME, "Table 1: simulated data", jobs, report, engines=("r", "parallel"))
