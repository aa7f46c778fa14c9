"""What the tables of paper 004 share: its data sets, its trials, and the gains of single nodes."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.jobs.job import Options, seed_of
from benchmarks.jobs.sets import has_set, read_set
from pyrrf._core.criteria import Criterion
from pyrrf.papers import ComplexityForestClassifier
from pyrrf.papers.complexity.gains import node_gains
from pyrrf.selectors.growing import TreeData, TreeMaker, TreeRequest, TreeRule

# Table 2, in its order.
STORED = {"wbc": "WBC", "sonar": "Sonar", "votes": "Votes", "pima": "Pima", "ionosphere": "Ionosphere"}
GENERATED = {"friedman": "Friedman", "simple": "Simple"}
NAMES = STORED | GENERATED
STORE = "004-trials"
TRIALS = 100
TREES = 100

# How a forest of a trial is made: the arguments of ComplexityForestClassifier.
METHODS: dict[str, dict[str, Any]] = {
    "RF": {"sampling": "uniform"},
    "CI WS RF": {"sampling": "parallel"},
    "Two-stage CART": {"sampling": "cart"},
    "WS": {"sampling": "measured"},
    "FS": {"sampling": "uniform", "threshold": "midpoint"},
    "WS & FS": {"sampling": "measured", "threshold": "midpoint"},
    "FS, exact mean": {"sampling": "uniform", "threshold": "exact", "level": None},
    "FS, test": {"sampling": "uniform", "threshold": "exact"},
    "WS & FS, test": {"sampling": "measured", "threshold": "exact"},
}
# Values of eq 11's C. The paper has none, and says that cross-validation chooses it.
CONSTANTS = (0.1, 1.0, 10.0)
# Measured on bags, too: what tables 3 and 4 print.
BAGGED = ("CI WS RF", "Two-stage CART", "WS", "FS", "WS & FS")


@dataclass(frozen=True, eq=False)
class Sample:
    """The rows of one trial."""

    x: Any
    y: np.ndarray


def available(folder: Path | None) -> list[str]:
    """Return the data sets that are there, and the generated ones."""
    return [name for name in NAMES if name in GENERATED or has_set(folder, name)]


def simple(rng: np.random.Generator) -> Sample:
    """Return section 5.1's Simple: nine features, the first two tell; the paper does not print the cut, ours is 4/3."""
    x = rng.random((300, 9))
    return Sample(x, (x[:, 0] ** 2 + 2 * x[:, 1] > 4 / 3).astype(int))


def friedman(rng: np.random.Generator) -> Sample:
    """Return equation 24, cut at 14: ten features, the first five tell."""
    x = rng.random((200, 10))
    value = 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4]
    return Sample(x, (value + rng.normal(size=200) > 14).astype(int))


def sample(folder: Path | None, name: str, seed: int) -> Sample:
    """Return the rows of a set; generated ones are new for each seed."""
    if name in GENERATED:
        return {"simple": simple, "friedman": friedman}[name](np.random.default_rng(seed))
    data = read_set(folder, name)
    return Sample(data.x, data.y)


def split(options: Options, name: str, trial: int) -> tuple[Sample, Sample, int]:
    """Return nine tenths of the rows to train with, the others, and a seed."""
    seed = seed_of("004", name, trial)
    rows = sample(options.data, name, seed)
    order = np.random.default_rng([seed, 1]).permutation(rows.y.size)
    cut = round(rows.y.size / 10)
    train, test = (Sample(take(rows.x, part), rows.y[part]) for part in (order[cut:], order[:cut]))
    return train, test, seed


def take(x: Any, rows: np.ndarray) -> Any:
    return x[rows] if isinstance(x, np.ndarray) else x.iloc[rows]


def error(forest: ComplexityForestClassifier, rows: Sample) -> float:
    return float((forest.predict(rows.x) != rows.y).mean())


def one_trial(options: Options, name: str, trial: int) -> dict[str, Any]:
    """Grow every forest; return its error on new rows, and which features it kept."""
    train, test, seed = split(options, name, trial)
    answer: dict[str, Any] = {"error": {}, "kept": {}}
    for method, bag in [(method, False) for method in METHODS] + [(method, True) for method in BAGGED]:
        forest = ComplexityForestClassifier(TREES, evaluation_bootstrap=bag, random_state=seed, **METHODS[method])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # that no feature is kept: `kept` says so
            forest.fit(train.x, train.y)
        key = f"{method}, bags" if bag else method
        answer["error"][key] = error(forest, test)
        answer["kept"][key] = forest.support_.astype(int).tolist()
        if key == "CI WS RF":
            answer["widths"] = [round(width, 5) for width in forest.interval_width_path_]
    return answer


def one_eq11(options: Options, name: str, trial: int, constants: list[float]) -> dict[str, float]:
    """Return the errors of eq 11's forests, with each C."""
    train, test, seed = split(options, name, trial)
    forests = {
        f"eq 11, C = {constant:g}".replace("0.", "."): ComplexityForestClassifier(
            TREES, sampling="threshold", constant=constant, random_state=seed
        )
        for constant in constants
    }
    return {words: error(forest.fit(train.x, train.y), test) for words, forest in forests.items()}


def one_cfs(options: Options, name: str, trial: int) -> dict[str, Any]:
    """Return the error of the plain forest on the features that Weka's CFS selects."""
    from benchmarks.papers import comparators

    train, test, seed = split(options, name, trial)
    words = np.where(train.y == 1, "yes", "no") if name in GENERATED else train.y
    columns = comparators.cfs(train.x, words, seed)
    some = [
        Sample(rows.x[:, columns] if isinstance(rows.x, np.ndarray) else rows.x.iloc[:, columns], rows.y)
        for rows in (train, test)
    ]
    forest = ComplexityForestClassifier(TREES, random_state=seed, **METHODS["RF"]).fit(some[0].x, some[0].y)
    return {"error": error(forest, some[1]), "kept": columns.tolist()}


@dataclass(frozen=True, eq=False)
class Nodes:
    """Nodes that were split."""

    feature: np.ndarray  # (m,), from 0
    gain: np.ndarray  # (m,), bits
    counts: np.ndarray  # (m, 2), rows of the classes


def split_nodes(rows: Sample, trees: int, seed: int, bag: bool) -> Nodes:
    """Return the nodes of trees that draw features evenly, on all rows or on bags, whose rows count as drawn."""
    n, p = rows.x.shape
    data = TreeData(values=rows.x, ncat=np.ones(p, np.int32), response=rows.y.astype(np.int32), nclass=2)
    maker = TreeMaker(data, TreeRule(mtry=1, criterion=Criterion.ENTROPY, draw_from_all=True, draw_until_split=True))
    count = None if bag else np.ones(n, np.int32)
    feature, gain, counts = [], [], []
    for grown in maker.grow_all(TreeRequest(seed=seed, stream=tree, count=count) for tree in range(trees)):
        splits = np.flatnonzero(grown.tree.left)
        feature.append(grown.tree.split_var[splits] - 1)
        gain.append(node_gains(grown.tree.left, grown.total)[splits])
        counts.append(grown.total[splits])
    return Nodes(np.concatenate(feature), np.concatenate(gain), np.concatenate(counts))
