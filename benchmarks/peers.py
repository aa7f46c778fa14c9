"""Who is measured: packages, and the settings they are called with."""

from __future__ import annotations

import functools
import importlib.util
import os
import sys
from dataclasses import dataclass, replace

import numpy as np

from benchmarks.jobs.r import has_package
from benchmarks.shapes import Case


@dataclass(frozen=True)
class Family:
    """One engine: the script that makes calls, the package it needs, what it can grow."""

    script: str
    package: str
    regularized: bool = True
    ordinary: bool = True
    classes_only: bool = False
    again: float = 1.0  # called a second time if the first took less than this share of the budget
    # Numbers of threads: 2 everywhere, or all where threads are compared; otherwise one.
    two_regularized: bool = False
    two_ordinary: bool = False
    all_regularized: bool = False
    all_ordinary: bool = False

    @property
    def command(self) -> tuple[str, str]:
        """The program and the script."""
        return ("Rscript" if self.script.endswith(".R") else sys.executable, f"benchmarks/{self.script}")

    def threads(self, regularized: bool, compared: bool) -> list[int]:
        """Return the numbers of threads; `compared` where threads are compared."""
        if compared and (self.all_regularized if regularized else self.all_ordinary):
            return threads_compared()
        return [1, 2] if (self.two_regularized if regularized else self.two_ordinary) else [1]


@dataclass(frozen=True)
class Peer:
    """One setting of a family: regularized or ordinary forests, on so many threads."""

    family: str
    regularized: bool
    threads: int
    trees: int | None = None  # where they are not those of the case

    def __str__(self) -> str:
        kind = "regularized" if self.regularized else "ordinary"
        trees = f", {self.trees} trees" if self.trees else ""
        return f"{self.family}, {kind}, {self.threads} thread{'s' * (self.threads != 1)}{trees}"


PYRRF, PARALLEL, ENTROPY, CRAN = "pyrrf", "pyrrf parallel", "pyrrf parallel, entropy", "CRAN RRF"
MTRY = "pyrrf parallel, mtry"  # ranger's rule: a node looks at mtry features, in F or not
RANGER, SKLEARN, INTELEX, LIGHTGBM = "ranger", "scikit-learn", "scikit-learn-intelex", "LightGBM rf"
# With regularization ranger uses one thread, whatever it is asked for.
FAMILIES = {
    PYRRF: Family("call_pyrrf.py", "pyrrf", two_regularized=True, all_regularized=True, all_ordinary=True),
    PARALLEL: Family(
        "call_pyrrf.py",
        "pyrrf",
        two_regularized=True,
        two_ordinary=True,
        all_regularized=True,
        all_ordinary=True,
    ),
    ENTROPY: Family("call_pyrrf.py", "pyrrf", ordinary=False, classes_only=True),
    MTRY: Family("call_pyrrf.py", "pyrrf", ordinary=False),
    CRAN: Family("call_rrf.R", "RRF", ordinary=False, again=0.25),
    RANGER: Family("call_ranger.R", "ranger", all_ordinary=True),
    SKLEARN: Family("call_sklearn.py", "sklearn", regularized=False, again=0.0, all_ordinary=True),
    INTELEX: Family("call_sklearnex.py", "sklearnex", regularized=False, again=0.0),
    LIGHTGBM: Family("call_lightgbm.py", "lightgbm", again=0.0),
}


def threads_compared() -> list[int]:
    """Return 1, 2, 4, 8 and 16, as far as there are cores, and at least 1 and 2."""
    cores = max(os.cpu_count() or 1, 2)
    return [count for count in (1, 2, 4, 8, 16) if count <= cores]


@functools.cache
def engine_r_has_threads() -> bool:
    """Say whether engine r grows on several threads in the pyrrf that is measured."""
    import pyrrf

    x = np.arange(20.0).reshape(10, 2)
    try:
        pyrrf.RRF(x, ["a", "b"] * 5, ntree=1, n_jobs=2, seed=1)
    except ValueError:
        print("engine r takes no n_jobs here: one thread.", file=sys.stderr)
        return False
    return True


def available_families(wanted: list[str] | None = None) -> list[str]:
    """Return the families that can run here, and say which cannot."""
    here = []
    for name in wanted or FAMILIES:
        family = FAMILIES[name]
        if _is_here(family):
            here.append(name)
        else:
            print(f"{family.package} is not here: {name} is left out.", file=sys.stderr)
    return here


def _is_here(family: Family) -> bool:
    if family.script.endswith(".R"):
        return has_package(family.package) and has_package("jsonlite")
    return importlib.util.find_spec(family.package) is not None


def make_peers(families: list[str], case: Case) -> list[Peer]:
    """Return the settings that are called on a case, regularized forests first."""
    peers = []
    for regularized in (True, False):
        for name in families:
            family = FAMILIES[name]
            asked = family.regularized if regularized else family.ordinary
            if asked and name not in case.without and not (family.classes_only and case.shape.numbers):
                counts = family.threads(regularized, case.threads)
                if name == PYRRF and counts != [1] and not engine_r_has_threads():
                    counts = [1]
                peers += [Peer(name, regularized, count) for count in counts]
    if case.pair_trees:
        alone, slow = Peer(PYRRF, True, 1), Peer(CRAN, True, 1)
        if alone in peers and slow in peers:
            peers[peers.index(slow)] = replace(slow, trees=case.pair_trees)
            peers.append(replace(alone, trees=case.pair_trees))
    return peers


def cran_pair(case: Case) -> tuple[Peer, Peer]:
    """Return CRAN RRF and the engine r that it is compared with: the same trees."""
    return Peer(CRAN, True, 1, case.pair_trees), Peer(PYRRF, True, 1, case.pair_trees)
