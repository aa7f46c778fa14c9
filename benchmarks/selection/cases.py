"""The cases: data sets on disk and simulated truths, and their splits."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from sklearn.model_selection import train_test_split

from benchmarks.jobs.job import seed_of
from benchmarks.jobs.sets import has_set, read_set
from benchmarks.selection.truths import TEST_ROWS, TRUTHS, rows_of

SPLITS = 20
TEST_SHARE = 1 / 3
MOST_ROWS = 1500  # of a data set, drawn anew for each split


@dataclass(frozen=True, eq=False)
class Part:
    """One split: what a method sees, and the rows that judge it."""

    case: str
    number: int
    x: np.ndarray  # (n, p), column by column
    y: np.ndarray  # (n,), codes of the classes
    x_test: np.ndarray
    y_test: np.ndarray


@dataclass(frozen=True)
class Case:
    """A data set or a truth."""

    title: str
    file: str = ""  # NAME.csv.gz; "" for a truth
    cost: float = 1.0  # time of a split beside that of the first case, roughly


# Those that take least first. "german" is German credit coded as 24 numbers, since most methods take only these.
CASES = {
    "linear": Case(f"simulated: {TRUTHS['linear'].title}; 200 rows"),
    "leukemia": Case("leukemia, 38 x 3,051 genes, 2 classes", "leukemia", 0.8),
    "colon": Case("colon, 62 x 2,000 genes, 2 classes", "colon", 0.9),
    "blocks": Case(f"simulated: {TRUTHS['blocks'].title}; 100 rows", cost=1.1),
    "srbct": Case("srbct, 63 x 2,308 genes, 4 classes", "srbct", 1.5),
    "german": Case("german credit, 1,000 x 24, 2 classes", "german_numeric", 1.3),
    "interactions": Case(f"simulated: {TRUTHS['interactions'].title}; 600 rows", cost=1.3),
    "spambase": Case("spambase, 4,601 x 57, 2 classes", "spambase", 2.0),
    "prostate": Case("prostate, 102 x 6,033 genes, 2 classes", "prostate", 3.0),
    "madelon": Case("madelon, 2,000 x 500, 2 classes, 20 of which tell", "madelon", 8.0),
}


def at_hand(name: str, folder: Path | None) -> bool:
    """Whether a case can be run."""
    return not CASES[name].file or has_set(folder, CASES[name].file)


@lru_cache(maxsize=1)
def part(folder: Path | None, name: str, number: int) -> Part:
    """Return a split, numbers from 1; a truth is drawn anew for each."""
    seed = seed_of("selection", name, number)
    if name in TRUTHS:
        draw, truth = np.random.default_rng(seed), TRUTHS[name]
        (x, y), (x_test, y_test) = (rows_of(truth, draw, n) for n in (truth.rows, TEST_ROWS))
    else:
        data = read_set(folder, CASES[name].file)
        codes = np.unique(data.y, return_inverse=True)[1]
        used = min(len(codes), MOST_ROWS)
        tested = round(TEST_SHARE * used)
        x, x_test, y, y_test = train_test_split(
            data.values, codes, test_size=tested, train_size=used - tested, stratify=codes, random_state=seed
        )
    return Part(name, number, np.asfortranarray(x), y, np.asfortranarray(x_test), y_test)
