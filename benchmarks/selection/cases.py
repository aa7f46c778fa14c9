"""The cases: data sets on disk or in scikit-learn, and simulated truths, and their splits."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_diabetes, load_digits, load_wine
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import PolynomialFeatures

from benchmarks.jobs.job import seed_of
from benchmarks.jobs.sets import has_set, read_set
from benchmarks.selection import designs
from benchmarks.selection.truths import TEST_ROWS, TRUTHS, rows_of

SPLITS = 20
ENOUGH = 5  # splits that a setting has answered, to be compared
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
    tuning: bool = False  # on no page: variants are chosen on it
    confirm: bool = False  # named before anything ran on it, and never used to choose between variants
    design: int = 0  # number of a drawn design; 0 for others
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


def tuning(name: str, rows: str, cost: float = 1.0) -> Case:
    """Return a case for tuning: a truth where there is one of that name, or a set on disk with `rows` in words."""
    if name not in TRUTHS:
        return Case(f"{name.replace('_', ' ')}, {rows}", name, tuning=True, cost=cost)
    numeric = bool(TRUTHS[name].noise)
    title = f"simulated{' numbers' if numeric else ''}: {TRUTHS[name].title}; {rows}"
    return Case(title, numeric=numeric, tuning=True, cost=cost)


CASES |= {
    "xor": tuning("xor", "300 rows"),
    "copies": tuning("copies", "150 rows"),
    "tails": tuning("tails", "250 rows, judged without error"),
    "rare": tuning("rare", "1,000 rows", cost=1.3),
    "sines": tuning("sines", "300 rows"),
    "alternating": tuning("alternating", "250 rows"),
    "suppressors": tuning("suppressors", "200 rows"),
    "factors": tuning("factors", "400 rows"),
    "slopes": tuning("slopes", "300 rows", cost=0.8),
    "wide": tuning("wide", "60 rows", cost=1.5),
    "tall": tuning("tall", "4,000 rows", cost=3.0),
    "ratios": tuning("ratios", "250 rows"),
    "rings": tuning("rings", "500 rows"),
    "pima": tuning("pima", "768 x 8, 2 classes", cost=0.4),
    "parkinsons": tuning("parkinsons", "195 x 22, 2 classes", cost=0.4),
    "ionosphere": tuning("ionosphere", "351 x 34, 2 classes", cost=0.5),
    "wdbc": tuning("wdbc", "569 x 30, 2 classes", cost=0.5),
    "auto": tuning("auto", "205 x 18 without missing values, of them 9 factors, 6 classes", cost=0.6),
    "waveform": tuning("waveform", "5,000 x 21, 3 classes", cost=0.8),
    "ada": tuning("ada", "4,147 x 48, 2 classes"),
    "arrhythmia": tuning("arrhythmia", "452 x 274 without missing values, 13 classes", cost=2.0),
    "breast3": tuning("breast3", "95 x 4,869 genes, 3 classes", cost=2.5),
    "brain": tuning("brain", "42 x 5,597 genes, 5 classes", cost=3.0),
    "arcene": tuning("arcene", "100 x 10,000, 2 classes", cost=4.0),
}


def wine() -> Rows:
    """Return thirteen measures of wines, and the grower."""
    rows: Rows = load_wine(return_X_y=True)
    return rows


def alcohol() -> Rows:
    """Return twelve measures of wines, and the alcohol."""
    x, _ = load_wine(return_X_y=True)
    return x[:, 1:], x[:, 0]


def digits() -> Rows:
    """Return the counts of ink in 8 x 8 fields, and the digit."""
    rows: Rows = load_digits(return_X_y=True)
    return rows


# Numbers 1 to 41, 201 to 241 and some of 501 to 541 were run with versions before this one and have been seen; variants
# were chosen on some of 101 to 199 and of 301 to 499.
DESIGNS = range(601, 642)


def design(number: int) -> Case:
    """Return the case of a drawn design."""
    drawn = designs.design_of(number)
    return Case(drawn.title, numeric=drawn.numeric, confirm=True, design=number, cost=0.6 + drawn.rows * 1e-3)


def data_set(file: str, title: str, cost: float = 1.0, gene: bool = False) -> Case:
    """Return a confirmation case on disk."""
    return Case(title, file, confirm=True, cost=cost, gene=gene, numeric=gene)


CASES |= {f"design {number}": design(number) for number in DESIGNS} | {
    "wine": Case("wine, 178 x 13, 3 classes", read=wine, confirm=True, cost=0.5),
    "alcohol": Case("wine, 178 rows; the alcohol by the 12 other measures", read=alcohol, numeric=True, confirm=True),
    "digits": Case("digits, 1,797 x 64, 10 classes", read=digits, confirm=True, cost=2.0),
    "wbc": data_set("wbc", "wbc, 683 x 9, 2 classes", 0.5),
    "anneal": data_set("anneal", "anneal, 898 x 38, of them 22 factors, 5 classes"),
    "horse": data_set("horse", "horse, 368 x 22 with missing values, 2 classes", 0.5),
    "hypo": data_set("hypo", "hypo, 3,163 x 25, of them 18 factors, 2 classes"),
    "sick": data_set("sick", "sick, 2,800 x 29, of them 22 factors, 2 classes"),
    "votes": data_set("votes", "votes, 435 x 16 factors, 2 classes", 0.5),
    "hill": data_set("hillvalley_without_noise", "hill-valley without noise, 606 x 100, 2 classes"),
    "noisy hill": data_set("hillvalley_with_noise", "hill-valley with noise, 606 x 100, 2 classes"),
    "mnist": data_set("mnist_t10k", "mnist, 10,000 x 784, 10 classes", 4.0),
    "orl": data_set("orl", "orl, 400 x 1,024, 40 classes", 6.0),
    "warppie10p": data_set("warppie10p", "warppie10p, 210 x 2,420, 10 classes", 3.0),
    "adenocarcinoma": data_set("adenocarcinoma", "adenocarcinoma, 76 x 9,868 genes, 2 classes", 3.0),
    "breast2": data_set("breast2", "breast2, 77 x 4,869 genes, 2 classes", 2.0),
    "lymphoma": data_set("lymphoma", "lymphoma, 62 x 4,026 genes, 3 classes", 2.0),
    "gene of colon": data_set("colon", "colon, 62 rows; the gene of the largest variance by 1,999", gene=True),
    "gene of srbct": data_set("srbct", "srbct, 63 rows; the gene of the largest variance by 2,307", gene=True),
}


def at_hand(name: str, folder: Path | None) -> bool:
    """Whether a case can be run."""
    return not CASES[name].file or has_set(folder, CASES[name].file)


def shares_rows(name: str) -> bool:
    """Whether the splits of a case share rows; those of a truth or a design do not."""
    return name not in TRUTHS and not CASES[name].design


def made_by(name: str) -> tuple[str, ...]:
    """Return a digest of a design, nothing for other cases; an answer on disk is valid while it stays the same."""
    if not CASES[name].design:
        return ()
    return (hashlib.sha256(repr(designs.design_of(CASES[name].design)).encode()).hexdigest()[:8],)


def without_missing(table: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Return the values, and the levels of factors: a missing number is the median, a missing category a level.

    Columns without any value are left out.
    """
    table = table.dropna(axis=1, how="all")
    levels = np.zeros(table.shape[1], int)
    filled = table.fillna(table.median(numeric_only=True))
    for j, column in enumerate(table.columns):
        if isinstance(table.dtypes.iloc[j], pd.CategoricalDtype):
            codes = table[column].cat.codes.to_numpy(int)
            levels[j] = len(table[column].cat.categories) + bool((codes < 0).any())
            filled[column] = np.where(codes < 0, levels[j] - 1, codes)
    return np.asfortranarray(filled.to_numpy(float)), levels


@lru_cache(maxsize=2)
def _rows(folder: Path | None, name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the features of a set, the response, and the levels of factors.

    Of the cases that confirm missing values are filled, of others columns that have some are left out.
    """
    case = CASES[name]
    if case.read is not None:
        x, y = case.read()
        return x, y, np.zeros(x.shape[1], int)
    data = read_set(folder, case.file)
    x, levels = without_missing(data.x if case.confirm else data.x.dropna(axis=1))
    if not case.gene:
        return x, np.unique(data.y, return_inverse=True)[1], levels
    target = int(np.var(x, axis=0).argmax())
    return np.delete(x, target, axis=1), x[:, target], np.delete(levels, target)


@lru_cache(maxsize=1)
def part(folder: Path | None, name: str, number: int) -> Part:
    """Return a split, numbers from 1; a truth is drawn anew for each. Columns are shuffled, so that no order tells."""
    seed = seed_of("selection", name, number)
    draw = np.random.default_rng(seed)
    if CASES[name].design:
        drawn = designs.design_of(CASES[name].design)
        (x, y), (x_test, y_test) = (drawn.draw(draw, n) for n in (drawn.rows, TEST_ROWS))
        levels = drawn.levels
    elif name in TRUTHS:
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
