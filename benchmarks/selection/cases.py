"""The cases: data sets on disk or in scikit-learn, and simulated truths, and their splits."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import pandas as pd
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
    levels: np.ndarray  # (p,), of a factor, whose codes count from 0; 0 for numbers

    @property
    def numeric(self) -> bool:
        """Whether numbers are predicted."""
        return CASES[self.case].numeric

    @property
    def factors(self) -> list[int]:
        """Return which columns are codes of factors."""
        found: list[int] = np.flatnonzero(self.levels).tolist()
        return found

    @property
    def table(self) -> np.ndarray | pd.DataFrame:
        """Return the training rows as a user has them: with factors a table whose columns of codes are categories."""
        if not self.factors:
            return self.x
        table = pd.DataFrame(self.x, columns=[f"x{j}" for j in range(self.x.shape[1])])
        return table.astype(
            {f"x{j}": pd.CategoricalDtype(np.arange(self.levels[j], dtype=float)) for j in self.factors}
        )


def spread(x: np.ndarray, levels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return rows with an indicator for each level of a factor, and the column that each came from."""
    wide = [x[:, [j]] == np.arange(count) if count else x[:, [j]] for j, count in enumerate(levels)]
    return np.hstack(wide).astype(float), np.repeat(np.arange(len(levels)), [part.shape[1] for part in wide])


@dataclass(frozen=True)
class Case:
    """A data set or a truth."""

    title: str
    file: str = ""  # NAME.csv.gz; "" for others
    read: Callable[[], Rows] | None = None  # of a set that scikit-learn has
    numeric: bool = False
    new: bool = False  # named before the first run, and looked at once, after it
    confirm: bool = False  # named before anything ran on it, and never used to choose between variants
    ranked: bool = False  # judged by how well it ranks the rows of the second class: 1 less the area under the curve
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


def confirming(name: str, rows: str, cost: float = 1.0, ranked: bool = False) -> Case:
    """Return a confirmation case: a truth where there is one of that name, or a set on disk with `rows` in words."""
    if name not in TRUTHS:
        return Case(f"{name.replace('_', ' ')}, {rows}", name, confirm=True, cost=cost)
    numeric = bool(TRUTHS[name].noise)
    title = f"simulated{' numbers' if numeric else ''}: {TRUTHS[name].title}; {rows}"
    return Case(title, numeric=numeric, confirm=True, ranked=ranked, cost=cost)


CASES |= {
    "xor": confirming("xor", "300 rows"),
    "copies": confirming("copies", "150 rows"),
    "tails": confirming("tails", "250 rows, judged without error"),
    "rare": confirming("rare", "1,000 rows, judged by 1 less the area under the curve", cost=1.3, ranked=True),
    "sines": confirming("sines", "300 rows"),
    "alternating": confirming("alternating", "250 rows"),
    "suppressors": confirming("suppressors", "200 rows"),
    "factors": confirming("factors", "400 rows"),
    "slopes": confirming("slopes", "300 rows", cost=0.8),
    "wide": confirming("wide", "60 rows", cost=1.5),
    "tall": confirming("tall", "4,000 rows", cost=3.0),
    "ratios": confirming("ratios", "250 rows"),
    "rings": confirming("rings", "500 rows"),
    "pima": confirming("pima", "768 x 8, 2 classes", cost=0.4),
    "parkinsons": confirming("parkinsons", "195 x 22, 2 classes", cost=0.4),
    "ionosphere": confirming("ionosphere", "351 x 34, 2 classes", cost=0.5),
    "wdbc": confirming("wdbc", "569 x 30, 2 classes", cost=0.5),
    "auto": confirming("auto", "205 x 18 without missing values, of them 9 factors, 6 classes", cost=0.6),
    "waveform": confirming("waveform", "5,000 x 21, 3 classes", cost=0.8),
    "ada": confirming("ada", "4,147 x 48, 2 classes"),
    "arrhythmia": confirming("arrhythmia", "452 x 274 without missing values, 13 classes", cost=2.0),
    "breast3": confirming("breast3", "95 x 4,869 genes, 3 classes", cost=2.5),
    "brain": confirming("brain", "42 x 5,597 genes, 5 classes", cost=3.0),
    "arcene": confirming("arcene", "100 x 10,000, 2 classes", cost=4.0),
}


def at_hand(name: str, folder: Path | None) -> bool:
    """Whether a case can be run."""
    return not CASES[name].file or has_set(folder, CASES[name].file)


def shares_rows(name: str) -> bool:
    """Whether the splits of a case share rows; those of a truth do not."""
    return name not in TRUTHS


def made_by(name: str) -> tuple[str, ...]:
    """Return what a confirmation truth is made by, as a word: a kept answer counts while it is the same."""
    if name not in TRUTHS or not CASES[name].confirm:
        return ()
    truth = TRUTHS[name]
    told = [truth.rows, truth.columns, truth.noise, truth.freedom, truth.flips, truth.levels]
    return (hashlib.sha256((inspect.getsource(truth.draw) + repr(told)).encode()).hexdigest()[:8],)


@lru_cache(maxsize=2)
def _rows(folder: Path | None, name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the features of a set that have no missing values, the response, and the levels of factors."""
    case = CASES[name]
    if case.read is not None:
        x, y = case.read()
        return x, y, np.zeros(x.shape[1], int)
    data = read_set(folder, case.file)
    table = data.x.dropna(axis=1)
    levels = np.array([len(one.categories) if isinstance(one, pd.CategoricalDtype) else 0 for one in table.dtypes])
    for column in table.columns[levels > 0]:
        table[column] = table[column].cat.codes
    x = np.asfortranarray(table.to_numpy(float))
    if not case.gene:
        return x, np.unique(data.y, return_inverse=True)[1], levels
    target = int(np.var(x, axis=0).argmax())
    return np.delete(x, target, axis=1), x[:, target], np.delete(levels, target)


@lru_cache(maxsize=1)
def part(folder: Path | None, name: str, number: int) -> Part:
    """Return a split, numbers from 1; a truth is drawn anew for each. Columns are shuffled, so that no order tells."""
    seed = seed_of("selection", name, number)
    draw = np.random.default_rng(seed)
    if name in TRUTHS:
        truth = TRUTHS[name]
        x, y = rows_of(truth, draw, truth.rows)
        x_test, y_test = rows_of(truth, draw, TEST_ROWS, judging=True)
        levels = truth.levels_of()
    else:
        values, response, levels = _rows(folder, name)
        used = min(len(response), MOST_ROWS)
        tested = round(TEST_SHARE * used)
        x, x_test, y, y_test = train_test_split(
            values, response, test_size=tested, train_size=used - tested, random_state=seed,
            stratify=None if CASES[name].numeric else response,
        )  # fmt: skip
    order = draw.permutation(x.shape[1])
    x, x_test = (np.asfortranarray(rows[:, order]) for rows in (x, x_test))
    return Part(name, number, x, y, x_test, y_test, order, levels[order])
