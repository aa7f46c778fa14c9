"""The cases: data sets on disk or in scikit-learn, and simulated truths, and their splits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import PolynomialFeatures

from benchmarks.jobs.job import seed_of
from benchmarks.jobs.sets import has_set, read_set
from benchmarks.selection.truths import TEST_ROWS, TRUTHS, rows_of

SPLITS = 20
TEST_SHARE = 1 / 3
MOST_ROWS = 900  # of a data set, drawn anew for each split

Rows = tuple[np.ndarray, np.ndarray]  # features (n, p); codes of classes, or numbers (n,)


@dataclass(frozen=True, eq=False)
class Part:
    """One split: what a method sees, and the rows that judge it. Its columns are in an order of its own."""

    case: str
    number: int
    x: np.ndarray  # (n, p), column by column
    y: np.ndarray  # (n,), codes of the classes, or numbers
    x_test: np.ndarray
    y_test: np.ndarray
    order: np.ndarray  # (p,), which feature of the case each column is

    @property
    def numeric(self) -> bool:
        """Whether numbers are predicted."""
        return CASES[self.case].numeric


@dataclass(frozen=True)
class Case:
    """A data set or a truth."""

    title: str
    file: str = ""  # NAME.csv.gz; "" for others
    read: Callable[[], Rows] | None = None  # of a set that scikit-learn has
    numeric: bool = False
    new: bool = False  # named before the first run, and looked at once, after it
    gene: bool = False  # the column of the largest variance is predicted from the others
    cost: float = 1.0  # time of a split beside that of the first case, roughly


def diabetes() -> Rows:
    """Return the ten features, and the course of the illness after a year."""
    rows: Rows = load_diabetes(return_X_y=True)
    return rows


def diabetes_products() -> Rows:
    """Return the ten features with their squares and products, but for the square of the sex."""
    x, y = diabetes()
    terms = PolynomialFeatures(2, include_bias=False).fit(x)
    return terms.transform(x)[:, terms.powers_[:, 1] < 2], y


# Those that take least first. "german" is German credit coded as 24 numbers, since most methods take only these.
CASES = {
    "linear": Case(f"simulated: {TRUTHS['linear'].title}; 200 rows"),
    "leukemia": Case("leukemia, 38 x 3,051 genes, 2 classes", "leukemia", cost=0.8),
    "colon": Case("colon, 62 x 2,000 genes, 2 classes", "colon", cost=0.9),
    "blocks": Case(f"simulated: {TRUTHS['blocks'].title}; 100 rows", cost=1.1),
    "srbct": Case("srbct, 63 x 2,308 genes, 4 classes", "srbct", cost=1.5),
    "german": Case("german credit, 1,000 x 24, 2 classes", "german_numeric", cost=1.3),
    "interactions": Case(f"simulated: {TRUTHS['interactions'].title}; 600 rows", cost=1.3),
    "spambase": Case("spambase, 4,601 x 57, 2 classes", "spambase", cost=1.6),
    "prostate": Case("prostate, 102 x 6,033 genes, 2 classes", "prostate", cost=3.0),
    "madelon": Case("madelon, 2,000 x 500, 2 classes, 20 of which tell", "madelon", cost=5.0),
    "sonar": Case("sonar, 208 x 60, 2 classes", "sonar", new=True, cost=0.6),
    "musk": Case("musk, 476 x 166, 2 classes", "musk", new=True, cost=1.2),
    "nci": Case("nci, 61 x 5,244 genes, 8 classes", "nci", new=True, cost=5.0),
    "sum": Case(f"simulated numbers: {TRUTHS['sum'].title}; 200 rows", numeric=True),
    "friedman": Case(f"simulated numbers: {TRUTHS['friedman'].title}; 200 rows", numeric=True, cost=0.6),
    "diabetes": Case("diabetes, 442 x 10, numbers", read=diabetes, numeric=True, cost=0.6),
    "products": Case(
        "diabetes with squares and products, 442 x 64, numbers", read=diabetes_products, numeric=True, new=True
    ),
    "steps": Case(f"simulated numbers: {TRUTHS['steps'].title}; 150 rows", numeric=True, new=True, cost=0.9),
    "gene": Case(
        "lymphoma, 62 rows; the gene of the largest variance by the other 4,025", "lymphoma", numeric=True, new=True,
        gene=True, cost=1.5,
    ),
}  # fmt: skip


def at_hand(name: str, folder: Path | None) -> bool:
    """Whether a case can be run."""
    return not CASES[name].file or has_set(folder, CASES[name].file)


def shares_rows(name: str) -> bool:
    """Whether the splits of a case share rows; those of a truth do not."""
    return name not in TRUTHS


@lru_cache(maxsize=2)
def _rows(folder: Path | None, name: str) -> Rows:
    case = CASES[name]
    if case.read is not None:
        return case.read()
    data = read_set(folder, case.file)
    if not case.gene:
        return data.values, np.unique(data.y, return_inverse=True)[1]
    target = int(np.var(data.values, axis=0).argmax())
    return np.delete(data.values, target, axis=1), data.values[:, target]


@lru_cache(maxsize=1)
def part(folder: Path | None, name: str, number: int) -> Part:
    """Return a split, numbers from 1; a truth is drawn anew for each. Columns are shuffled, so that no order tells."""
    seed = seed_of("selection", name, number)
    draw = np.random.default_rng(seed)
    if name in TRUTHS:
        truth = TRUTHS[name]
        (x, y), (x_test, y_test) = (rows_of(truth, draw, n) for n in (truth.rows, TEST_ROWS))
    else:
        values, response = _rows(folder, name)
        used = min(len(response), MOST_ROWS)
        tested = round(TEST_SHARE * used)
        x, x_test, y, y_test = train_test_split(
            values, response, test_size=tested, train_size=used - tested, random_state=seed,
            stratify=None if CASES[name].numeric else response,
        )  # fmt: skip
    order = draw.permutation(x.shape[1])
    return Part(name, number, np.asfortranarray(x[:, order]), y, np.asfortranarray(x_test[:, order]), y_test, order)
