"""Who is measured: packages, and the settings they are called with."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from dataclasses import dataclass


@dataclass(frozen=True)
class Family:
    """One engine: the script that makes one call, the package it needs, what it can grow."""

    script: str
    package: str
    regularized: bool = True
    ordinary: bool = True
    threaded: bool = True

    @property
    def command(self) -> tuple[str, str]:
        """The program and the script."""
        return ("Rscript" if self.script.endswith(".R") else sys.executable, f"benchmarks/{self.script}")


@dataclass(frozen=True)
class Peer:
    """One setting of a family: regularized or ordinary forests, on so many threads."""

    family: str
    regularized: bool
    threads: int

    def __str__(self) -> str:
        kind = "regularized" if self.regularized else "ordinary"
        return f"{self.family}, {kind}, {self.threads} thread{'s' * (self.threads != 1)}"


# Engine "r" is measured beside CRAN RRF, whose answers it gives, and so on one thread and regularized only.
PYRRF, PARALLEL, CRAN, RANGER, SKLEARN = "pyrrf", "pyrrf parallel", "CRAN RRF", "ranger", "scikit-learn"
FAMILIES = {
    PYRRF: Family("call_pyrrf.py", "pyrrf", ordinary=False, threaded=False),
    PARALLEL: Family("call_pyrrf.py", "pyrrf"),
    CRAN: Family("call_rrf.R", "RRF", ordinary=False, threaded=False),
    RANGER: Family("call_ranger.R", "ranger"),
    SKLEARN: Family("call_sklearn.py", "sklearn", regularized=False),
}


def threads_measured() -> list[int]:
    """1 and 2 threads, and 16 where there are as many cores."""
    return [1, 2, 16] if (os.cpu_count() or 1) >= 16 else [1, 2]


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
    if not family.script.endswith(".R"):
        return importlib.util.find_spec(family.package) is not None
    try:
        load = f"library({family.package}); library(jsonlite)"
        done = subprocess.run(["Rscript", "-e", load], capture_output=True, check=False)
    except FileNotFoundError:
        return False
    return done.returncode == 0


def make_peers(families: list[str], threads: list[int]) -> list[Peer]:
    """Return the settings of the families, regularized forests first."""
    peers = []
    for regularized in (True, False):
        for name in families:
            family = FAMILIES[name]
            if family.regularized if regularized else family.ordinary:
                counts = threads if family.threaded else [1]
                peers += [Peer(name, regularized, count) for count in counts]
    return peers
