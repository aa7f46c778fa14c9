"""Paper 001: error and nodes of an ensemble tree by tree, for each way to draw features."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.model_selection import train_test_split

from benchmarks.jobs.job import Options, seed_of
from benchmarks.jobs.sets import read_set
from pyrrf import _core
from pyrrf._core.records import Trees
from pyrrf.papers.less.leverage import norm_scores
from pyrrf.selectors import leverage_scores
from pyrrf.selectors.growing import TreeData, TreeMaker, TreeRequest, TreeRule
from pyrrf.sklearn import LESSClassifier

# Test sets that come with the data; other sets are split anew in each run.
TEST_SET = {"madelon": "madelon_valid"}
# Rows drawn for training and for the test; the whole set otherwise, a third of it for the test.
SAMPLE = {"mnist_t10k": (2000, 1000)}

Split = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


@lru_cache(maxsize=1)
def split(folder: Path | None, name: str, run: int) -> Split:
    """Return training rows, their classes as codes, test rows and their classes."""
    data = read_set(folder, name)
    classes, codes = np.unique(data.y, return_inverse=True)
    if name in TEST_SET:
        test = read_set(folder, TEST_SET[name])
        return data.values, codes, test.values, np.searchsorted(classes, test.y)
    train, test = SAMPLE.get(name, (None, 1 / 3))
    x, new, y, wanted = train_test_split(
        data.values, codes, train_size=train, test_size=test, stratify=codes, random_state=seed_of("001", name, run)
    )
    return np.asfortranarray(x), y, new, wanted


@lru_cache(maxsize=1)
def scores(folder: Path | None, name: str, run: int, kind: str, rank: int, center: bool) -> np.ndarray:
    """Return the scores of the features on the training rows; `rank` is that of leverage scores, else 0."""
    x = split(folder, name, run)[0]
    if kind == "uniform":
        return np.full(x.shape[1], 1 / x.shape[1])
    if kind == "norm":
        return norm_scores(x, center=center)
    return leverage_scores(x, rank, center=center)


def grow_forest(x: np.ndarray, y: np.ndarray, n_trees: int, seed: int) -> list[Trees]:
    """Grow Breiman's forest without bagging: each node draws the root of the number of features."""
    n, p = x.shape
    data = TreeData(
        values=x, ncat=np.ones(p, np.int32), response=y.astype(np.int32), nclass=int(y.max()) + 1
    )  # fmt: skip
    maker = TreeMaker(data, TreeRule(mtry=int(np.sqrt(p)), draw_from_all=True), 1)
    rows = np.ones(n, np.int32)
    grown = maker.grow_all(TreeRequest(seed=seed, stream=tree, count=rows) for tree in range(n_trees))
    return [one.tree for one in grown]


def errors(trees: list[Trees], x: np.ndarray, y: np.ndarray) -> list[float]:
    """Return the error of the vote of the first tree, the first two, and so on; of equals the first class wins."""
    classes, rows = int(y.max()) + 1, np.arange(len(y))
    votes, found = np.zeros((len(y), classes), np.int64), []
    for tree in trees:
        votes[rows, _core.predict(tree, x, np.ones(x.shape[1], np.int32), classes, n_jobs=1).predicted] += 1
        found.append(float((votes.argmax(axis=1) != y).mean()))
    return found


def curve(
    options: Options, name: str, kind: str, rank: int, center: bool, mtry: int, replace: bool, runs: int, n_trees: int
) -> dict[str, Any]:
    """Return errors on test rows and numbers of nodes after each tree, for each run."""
    answer: dict[str, list[list[float]]] = {"errors": [], "nodes": []}
    for run in range(1, runs + 1):
        part = 0 if name in TEST_SET else run
        x, y, new, wanted = split(options.data, name, part)
        seed = seed_of("001", name, kind, rank, center, mtry, replace, run)
        if kind == "forest":
            trees = grow_forest(x, y, n_trees, seed)
        else:
            given = scores(options.data, name, part, kind, rank, center)
            less = LESSClassifier(
                None, n_trees, scores=given, max_features=mtry, replace=replace, n_jobs=1, random_state=seed
            )
            trees = less.fit(x, y).estimators_
        answer["errors"].append(errors(trees, new, wanted))
        answer["nodes"].append(np.cumsum([tree.left.size for tree in trees]).tolist())
    return answer


def masses(options: Options, kinds: list[list[Any]]) -> dict[str, Any]:
    """Return the share of the scores that Madelon's informative features have, and how many these are.

    They are five numbers and fifteen sums of these: each has a correlation above .68 with another one, where the 480
    features of noise have none above .1.
    """
    x = split(options.data, "madelon", 0)[0]
    correlation = np.abs(np.corrcoef(x.T))
    np.fill_diagonal(correlation, 0)
    informative = correlation.max(axis=0) > 0.5
    shares = [scores(options.data, "madelon", 0, *kind)[informative].sum() for kind in kinds]
    return {"features": int(informative.sum()), "shares": shares}
