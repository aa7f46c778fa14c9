"""What each gamma keeps of regression sets, and what a forest on it is worth; write benchmarks/GAMMAS.md.

The defaults of GRRFSelector for regression are chosen by it. --quick measures one set with few trees.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import pandas as pd
from scipy.stats import rankdata
from sklearn.datasets import load_diabetes, make_friedman1, make_friedman2, make_friedman3
from sklearn.model_selection import train_test_split

from benchmarks import study
from benchmarks.markdown import table
from benchmarks.selection.truths import blocks, interactions, linear
from pyrrf.datasets import load_imports85
from pyrrf.sklearn import RRFRegressor, grrf_path

GAMMAS = [0.0, 0.25, 0.5, 0.7, 0.8, 0.9, 1.0]
# What else is set: the defaults, a smaller lambda0, and R's candidates, which do not hold all of F.
WAYS: dict[str, dict[str, Any]] = {
    "defaults": {},
    "lambda0=0.5": {"lambda0": 0.5},
    "mtry": {"forest": RRFRegressor(candidates="mtry")},
}
TEST_ROWS = 1000

Rows = tuple[Any, np.ndarray]  # X and y
Law = Callable[[np.random.Generator, int], Rows]  # generator, rows; the true features come first


@dataclass(frozen=True)
class Case:
    """Numbers to be predicted.

    Parameters
    ----------
    title : str
    draw : callable
        From a seed to rows to train on and rows to judge by.
    true : int or None
        Of how many features, the first ones, y is made; the others are noise. None if it is not known.
    """

    title: str
    draw: Callable[[int], tuple[Rows, Rows]]
    true: int | None


# ---- the sets ------------------------------------------------------------------------------------


def simulated(title: str, rows: int, true: int, law: Law) -> Case:
    """Rows drawn anew with each seed."""

    def draw(seed: int) -> tuple[Rows, Rows]:
        random = np.random.default_rng(seed)
        return law(random, rows), law(random, TEST_ROWS)

    return Case(title, draw, true)


def real(title: str, rows: Callable[[np.random.Generator], Rows], true: int | None) -> Case:
    """Two thirds of the rows to train on."""

    def draw(seed: int) -> tuple[Rows, Rows]:
        x, y = rows(np.random.default_rng(seed))
        train, test, of_train, of_test = train_test_split(x, y, test_size=1 / 3, random_state=seed)
        return (train, of_train), (test, of_test)

    return Case(title, draw, true)


def friedman(make: Callable[..., Rows], true: int, columns: int, noise: float) -> Law:
    """One of Friedman's functions, beside columns of noise; `noise`: standard deviation of the error over that of y."""

    def law(random: np.random.Generator, rows: int) -> Rows:
        x, y = make(rows, random_state=int(random.integers(2**31)))
        x = np.hstack([x[:, :true], random.random((rows, columns - true))])
        return x, y + noise * y.std() * random.standard_normal(rows)

    return law


def latent(draw: Callable[..., Rows], columns: int, error: Callable[[np.random.Generator, int], np.ndarray]) -> Law:
    """One of the truths of the benchmark of selectors, its latent number with an error."""

    def law(random: np.random.Generator, rows: int) -> Rows:
        x, y = draw(random, rows, columns)
        return x, y + error(random, rows)

    return law


def counts(random: np.random.Generator, rows: int) -> Rows:
    """Whole numbers whose logarithm is expected to be a sum."""
    x = random.standard_normal((rows, 60))
    return x, random.poisson(np.exp(2 + x[:, :4] @ [0.5, -0.4, 0.3, 0.3])).astype(float)


def diabetes(random: np.random.Generator) -> Rows:
    """Return the diabetes data with shuffled copies of its columns, four of each."""
    x, y = load_diabetes(return_X_y=True)
    return np.hstack([x, random.permuted(np.tile(x, 4), axis=0)]), y


def cars(_: np.random.Generator) -> Rows:
    """Return the prices of cars."""
    table = load_imports85().drop(columns="normalizedLosses").dropna().reset_index(drop=True)
    return table.drop(columns="price"), table["price"].to_numpy(float)


def normal(random: np.random.Generator, rows: int) -> np.ndarray:
    return random.standard_normal(rows)


def heavy(random: np.random.Generator, rows: int) -> np.ndarray:
    return 2 * random.standard_t(2, rows)


CASES = {
    "diabetes": real("diabetes, 442 rows, 10 features", lambda _: load_diabetes(return_X_y=True), None),
    "diabetes+": real("diabetes with 40 shuffled columns", diabetes, 10),
    "cars": real("imports85, price of 193 cars, 24 features, 10 of them categories", cars, None),
    "friedman1": simulated("300 rows, 5 of 60", 300, 5, friedman(make_friedman1, 5, 60, 0.3)),
    "friedman2": simulated("200 rows, 4 of 50", 200, 4, friedman(make_friedman2, 4, 50, 0.3)),
    "friedman3": simulated("200 rows, 4 of 50", 200, 4, friedman(make_friedman3, 4, 50, 0.3)),
    "linear": simulated("200 rows, 10 of 200 add up", 200, 10, latent(linear, 200, normal)),
    "blocks": simulated("150 rows, 5 of 30 blocks of 10 like features add up", 150, 50, latent(blocks, 300, normal)),
    "interactions": simulated("600 rows, 2 together and 2 alone, of 50", 600, 4, latent(interactions, 50, normal)),
    "heavy tails": simulated("200 rows, 10 of 100 add up, error t(2)", 200, 10, latent(linear, 100, heavy)),
    "counts": simulated("300 rows, Poisson, 4 of 60", 300, 4, counts),
}

# ---- what is measured ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Found:
    """What one setting kept in one draw: how many features, how many of them noise, and R² on new rows."""

    kept: float
    noise: float
    score: float


def judged(case: Case, columns: np.ndarray, train: Rows, test: Rows, trees: int, seed: int) -> Found:
    """Fit an ordinary forest to some columns and judge it."""

    def part(x: Any) -> Any:
        return x.iloc[:, columns] if isinstance(x, pd.DataFrame) else x[:, columns]

    forest = RRFRegressor(trees, coef_reg=None, random_state=seed).fit(part(train[0]), train[1])
    noise = 0 if case.true is None else int((columns >= case.true).sum())
    return Found(len(columns), noise, float(forest.score(part(test[0]), test[1])))


def measure(case: Case, seed: int, trees: int, guide: int) -> dict[str, Found]:
    """Return what each setting keeps in one draw, "all" being all features."""
    train, test = case.draw(seed)
    p = train[0].shape[1]
    known: dict[bytes, Found] = {}

    def found(support: np.ndarray) -> Found:
        if support.tobytes() not in known:
            known[support.tobytes()] = judged(case, np.flatnonzero(support), train, test, trees, seed)
        return known[support.tobytes()]

    by_setting, guiding = {"all": found(np.ones(p, np.bool_))}, cast(Any, guide)
    for way, settings in WAYS.items():
        path = grrf_path(
            *train, gammas=GAMMAS, guide=guiding, task="regression", random_state=seed, n_estimators=trees, **settings
        )
        guiding = path.guide_importances
        by_setting |= {label(way, g): found(one) for g, one in zip(GAMMAS, path.supports, strict=True)}
    return by_setting


def label(way: str, gamma: float) -> str:
    """Return the name of a setting."""
    return f"{way}/{gamma:g}"


def means(runs: list[dict[str, Found]]) -> dict[str, Found]:
    """Return the means over the draws."""
    return {
        setting: Found(*np.mean([(run[setting].kept, run[setting].noise, run[setting].score) for run in runs], axis=0))
        for setting in runs[0]
    }


# ---- the report ----------------------------------------------------------------------------------


def cells(found: Found, true: int | None) -> str:
    """Return a cell: features kept, of them noise where it is known, R²."""
    noise = "" if true is None else f" ({found.noise:.1f})"
    return f"{found.kept:.1f}{noise}, {found.score:.3f}"


def table_of(measured: dict[str, dict[str, Found]], way: str) -> str:
    """Return a row for each set, a column for each gamma."""
    settings = ["all", *(label(way, gamma) for gamma in GAMMAS)]
    rows = [
        [name, *(cells(by_setting[setting], CASES[name].true) for setting in settings)]
        for name, by_setting in measured.items()
    ]
    return table(["set", "all", *(f"gamma {gamma:g}" for gamma in GAMMAS)], rows)


def summary(measured: dict[str, dict[str, Found]]) -> str:
    """Return a row for each setting: means over the sets."""
    rows = []
    ranks = np.mean([rankdata([-one.score for one in found.values()]) for found in measured.values()], axis=0)
    for setting, rank in zip(next(iter(measured.values())), ranks.tolist(), strict=True):
        mean = means([{"": found[setting]} for found in measured.values()])[""]
        way, _, gamma = setting.partition("/")
        rows.append([way, gamma, f"{mean.kept:.1f}", f"{mean.noise:.1f}", f"{mean.score:.3f}", f"{rank:.1f}"])
    return table(["setting", "gamma", "features", "noise", "R²", "mean rank"], rows, words=1)


OVER_ALL = """\
## Over all sets

Means over the sets. The last column ranks the settings by R² on each set, the best first, so that no set
counts more because its R² varies more. The default for regression is the gamma of least mean rank
with the other defaults."""


def report(measured: dict[str, dict[str, Found]], seeds: int) -> str:
    words = (
        f"; means of {seeds} draws.\n`GRRFSelector` with its defaults but gamma, or with `lambda0=0.5`, or with "
        "`candidates='mtry'`; R² on rows that\nhad no part, by an ordinary forest of 500 trees on the features kept. "
        "A cell is the features kept (of them\nnoise), and R²."
    )
    sets = "\n".join(f"- {name}: {CASES[name].title}" for name in measured)
    ways = [part for way in WAYS for part in (f"## {way}", table_of(measured, way))]
    return study.page("Gamma for regression", "gammas", words, sets, OVER_ALL, summary(measured), *ways)


def run(options: argparse.Namespace) -> str:
    """Return the page."""
    names, seeds, trees, guide = list(CASES), options.seeds, 500, 5000
    if options.quick:
        names, seeds, trees, guide = ["friedman1"], 2, 20, 50
    measured = {}
    for name in names:
        print(f"{name} ...", file=sys.stderr)
        measured[name] = means([measure(CASES[name], seed, trees, guide) for seed in range(seeds)])
    return report(measured, seeds)


main = study.command("gammas", run, __doc__, "one set and few trees", seeds=10)


if __name__ == "__main__":
    sys.exit(main())
