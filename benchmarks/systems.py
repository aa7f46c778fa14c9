"""Time the systems of the papers against what a user would take otherwise; write benchmarks/SYSTEMS.md.

Boosted trees, trees on leverage scores and complexity forests against scikit-learn's forest with as many trees, boosted
trees also against LightGBM with a price for each new feature; the Chow-Liu search against scikit-learn's forward
search. Everything runs on one thread. --quick measures tiny data once.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import lightgbm
import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.metrics import balanced_accuracy_score
from sklearn.naive_bayes import GaussianNB
from threadpoolctl import threadpool_limits

from benchmarks import study
from benchmarks.markdown import table
from pyrrf.papers import ChowLiuSelector, ComplexityForestClassifier, ForwardSelector, LESSClassifier, RBoostClassifier

RANK = 5  # of LESS: the made signal has as many directions
SPREAD = 6.0  # of those columns, beside the others'
PRICE = 1.0  # LightGBM's, of a feature that no split has used yet, in units of its gain
EPSILON = 0.005  # of balanced accuracy: what a feature must bring in a search
FOLDS = 3

# ---- data ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Table:
    """Training data and as many rows for a test."""

    x: np.ndarray
    y: np.ndarray
    x_test: np.ndarray
    y_test: np.ndarray

    @property
    def name(self) -> str:
        """Say what it is."""
        return f"{len(self.y):,} x {self.x.shape[1]:,}, {len(np.unique(self.y))} classes"


def made(rows: int, columns: int, classes: int) -> Table:
    """Classes depend on five of the columns, which the directions of most variance hold."""
    draw = np.random.default_rng(rows + columns)
    x = draw.standard_normal((2 * rows, columns))
    x[:, :RANK] *= SPREAD
    signal = x[:, :RANK].sum(axis=1) / SPREAD + draw.standard_normal(2 * rows)
    y = np.digitize(signal, np.quantile(signal, np.arange(1, classes) / classes))
    return Table(x[:rows], y[:rows], x[rows:], y[rows:])


FOREST_TABLES = [(1_000, 100, 2), (200, 2_000, 2), (2_000, 500, 3)]
SEARCH_TABLES = [(1_000, 30, 2), (1_000, 100, 2)]

# ---- what is measured ------------------------------------------------------------------------------------------------


@dataclass
class Peer:
    """One line of a table: how a model is made and what is asked of it."""

    name: str
    make: Callable[[], Any]
    features: Callable[[Any], int]
    seconds: list[tuple[float, float]] = field(default_factory=list)  # processor and wall, each repeat
    found: dict[str, str] = field(default_factory=dict)

    def fit(self, table: Table) -> Any:
        """Fit a new model, and keep what it took."""
        model = self.make()
        processor, wall = time.process_time(), time.perf_counter()
        model.fit(table.x, table.y)
        self.seconds.append((time.process_time() - processor, time.perf_counter() - wall))
        return model

    @property
    def least(self) -> tuple[float, float]:
        """Return processor and wall seconds."""
        processor, wall = zip(*self.seconds, strict=True)
        return min(processor), min(wall)


def by_importance(model: Any) -> int:
    return int((model.feature_importances_ > 0).sum())


def by_support(model: Any) -> int:
    return int(model.get_support().sum())


def by_splits(model: Any) -> int:
    split_var = model._trees.split_var
    return len(np.unique(split_var[split_var > 0]))


def forests(trees: int, columns: int) -> list[Peer]:
    """Return the reference first. Every split of LightGBM looks at as many columns as RBoost's do beside those in F."""
    common: dict[str, Any] = {"n_estimators": trees, "random_state": 1, "n_jobs": 1}
    priced = common | {
        "cegb_penalty_feature_coupled": [PRICE] * columns,
        "feature_fraction_bynode": float(np.ceil(np.sqrt(columns)) / columns),
        "verbosity": -1,
    }
    return [
        Peer("RandomForestClassifier (scikit-learn)", lambda: RandomForestClassifier(**common), by_importance),
        Peer("RBoostClassifier", lambda: RBoostClassifier(**common), lambda model: model.n_features_),
        Peer("LGBMClassifier, CEGB (LightGBM)", lambda: lightgbm.LGBMClassifier(**priced), by_importance),
        Peer("LESSClassifier", lambda: LESSClassifier(RANK, **common), by_splits),
        Peer("LESSClassifier, randomized", lambda: LESSClassifier(RANK, svd="randomized", **common), by_splits),
        Peer("ComplexityForestClassifier", lambda: ComplexityForestClassifier(**common), by_splits),
    ]


class CountedNB(GaussianNB):
    """Counts the fits of all its clones."""

    fits = 0

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> CountedNB:
        """Count and fit."""
        type(self).fits += 1
        return super().fit(X, y, sample_weight)


def searches() -> list[Peer]:
    """All on the same folds and by the same score, until nothing brings EPSILON any more."""
    common: dict[str, Any] = {"cv": FOLDS, "scoring": "balanced_accuracy", "n_jobs": 1}
    own = common | {"epsilon": EPSILON}
    theirs = common | {"tol": EPSILON, "n_features_to_select": "auto"}
    return [
        Peer(
            "SequentialFeatureSelector (scikit-learn)",
            lambda: SequentialFeatureSelector(CountedNB(), **theirs),
            by_support,
        ),
        Peer("ForwardSelector", lambda: ForwardSelector(CountedNB(), **own), by_support),
        Peer("ChowLiuSelector", lambda: ChowLiuSelector(CountedNB(), **own), by_support),
    ]


def measure(peers: list[Peer], table: Table, repeats: int, finish: Callable[[Peer, Any, Table], None]) -> None:
    """They take turns, repeat by repeat."""
    for _ in range(repeats):
        for peer in peers:
            print(f"  {peer.name} ...", file=sys.stderr)
            CountedNB.fits = 0
            finish(peer, peer.fit(table), table)


def finish_forest(peer: Peer, model: Any, table: Table) -> None:
    wrong = float(np.mean(model.predict(table.x_test) != table.y_test))
    peer.found = {"features": f"{peer.features(model):,}", "error": f"{wrong:.3f}"}


def finish_search(peer: Peer, model: Any, table: Table) -> None:
    fits, kept = CountedNB.fits, model.get_support()
    rest = GaussianNB().fit(table.x[:, kept], table.y).predict(table.x_test[:, kept])
    right = balanced_accuracy_score(table.y_test, rest)
    peer.found = {"fits": f"{fits:,}", "features": f"{peer.features(model):,}", "balanced accuracy": f"{right:.3f}"}


# ---- the report ------------------------------------------------------------------------------------------------------

MEANING = f"""\
One thread each; whole calls of `fit`, the least of several, by turns. "ratio" is the processor time over that of the
first line. Errors are those of as many rows set aside. Trees of scikit-learn and of the systems are grown to the end;
LightGBM keeps its bound of 31 leaves, boosts by gradients, with three classes grows three trees a round, and asks
{PRICE:g} for each feature that is new, where RBoost has a factor.
The searches fit Gaussian naive Bayes in {FOLDS} folds and stop where no feature brings {EPSILON:g} of balanced
accuracy; "fits" counts every call of its `fit`. The classes depend on {RANK} columns of {SPREAD:g} times the others'
spread, which leverage scores of rank {RANK} find."""


def grid(title: str, peers: list[Peer]) -> str:
    rows, first = [], peers[0].least[0]
    for peer in peers:
        processor, wall = peer.least
        cells = [peer.name, f"{processor:.3f}", f"{wall:.3f}", f"{processor / first:.2f}"]
        rows.append([*cells, *peer.found.values()])
    head = ["", "processor s", "wall s", "ratio", *peers[0].found]
    return f"### {title}\n\n{table(head, rows, words=1)}"


def grids(shapes: list[tuple[int, int, int]], make: Callable[[Table], list[Peer]], repeats: int,
          finish: Callable[[Peer, Any, Table], None]) -> list[str]:  # fmt: skip
    """Measure the peers on made tables; return what each table gives."""
    found = []
    for shape in shapes:
        data = made(*shape)
        print(data.name, file=sys.stderr)
        peers = make(data)
        measure(peers, data, repeats, finish)
        found.append(grid(data.name, peers))
    return found


def run(options: argparse.Namespace) -> str:
    """Return the page."""
    repeats, trees = (1, 5) if options.quick else (options.repeats, options.trees)
    forest_shapes, search_shapes = ([(60, 10, 2)], [(60, 6, 2)]) if options.quick else (FOREST_TABLES, SEARCH_TABLES)
    with threadpool_limits(1):
        parts = [
            MEANING,
            f"## {trees} trees",
            *grids(forest_shapes, lambda data: forests(trees, data.x.shape[1]), repeats, finish_forest),
            "## Searches",
            *grids(search_shapes, lambda _: searches(), repeats, finish_search),
        ]
    return study.page("The systems of the papers, against others", "systems", f"; {repeats} repeats.", *parts)


main = study.command("systems", run, __doc__, "tiny data, once", repeats=3, trees=100)


if __name__ == "__main__":
    sys.exit(main())
