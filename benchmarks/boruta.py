"""BorutaSelector, boruta_py and R's Boruta: the features confirmed, and the time; writes benchmarks/BORUTA.md.

Each has the same trees, depth and rounds, and one thread. --data names the folder with the data sets; --quick measures
one small truth.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks import study
from benchmarks.jobs import r
from benchmarks.jobs.sets import read_set
from benchmarks.markdown import ABSENT, table
from benchmarks.selection.summary import jaccard
from benchmarks.selection.truths import TRUTHS, Truth, rows_of
from pyrrf.sklearn import BorutaSelector

TREES, ROUNDS, DEPTH = 50, 30, 5
SETS = ("sonar", "parkinsons", "ionosphere", "wdbc", "colon")
NOISE = "noise"
TRUE = ("linear", "friedman", "interactions", "sum")
SCRIPT = Path(__file__).with_suffix(".R")
GOAL = 10.0
PACKAGES = ("pyrrf", "boruta_py", "R")


@dataclass(frozen=True, eq=False)
class Case:
    """Data, and which of their features are informative, if that is known."""

    name: str
    x: np.ndarray
    y: np.ndarray
    numeric: bool = False
    true: np.ndarray | None = None


def cases(folder: Path | None, quick: bool) -> Iterator[Case]:
    """Yield the truths, each drawn once, pure noise, and the sets of the folder."""
    for number, name in enumerate(TRUE[1:2] if quick else TRUE):
        truth: Truth = TRUTHS[name]
        x, y = rows_of(truth, np.random.default_rng(number), truth.rows)
        yield Case(name, x, y, bool(truth.noise), truth.block_of() >= 0)
    draw = np.random.default_rng(99)
    yield Case(NOISE, draw.standard_normal((100, 40)), draw.integers(2, size=100), true=np.zeros(40, np.bool_))
    for name in SETS if folder else ():
        data = read_set(folder, name)
        yield Case(name, data.values, np.unique(data.y, return_inverse=True)[1])


# ---- the three ---------------------------------------------------------------------------------------


def pyrrf(case: Case, seed: int) -> tuple[float, np.ndarray]:
    selector = BorutaSelector(
        n_estimators=TREES, max_iter=ROUNDS, max_depth=DEPTH, random_state=seed,
        task="regression" if case.numeric else "classification",
    )  # fmt: skip
    return study.timed(lambda: selector.fit(case.x, case.y).support_)


def boruta_py(case: Case, seed: int) -> tuple[float, np.ndarray]:
    from boruta import BorutaPy
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

    kind = RandomForestRegressor if case.numeric else RandomForestClassifier
    grown = kind(max_depth=DEPTH, max_features="sqrt", n_jobs=1)
    # Its rounds end one before max_iter.
    selector = BorutaPy(grown, n_estimators=TREES, max_iter=ROUNDS + 1, random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return study.timed(lambda: selector.fit(case.x, case.y).support_)


def of_r(case: Case, seed: int) -> tuple[float, np.ndarray]:
    answer = r.select(SCRIPT, case.x, case.y, seed, TREES, ROUNDS, DEPTH, case.numeric)
    seconds, columns = answer.split("|")
    return float(seconds), np.isin(np.arange(case.x.shape[1]), np.array(columns.split(), int))


# ---- tables ------------------------------------------------------------------------------------------


def counted(supports: dict[str, np.ndarray], count: Callable[[np.ndarray], int]) -> str:
    return " / ".join(str(count(supports[name])) if name in supports else ABSENT for name in PACKAGES)


def share(one: np.ndarray, other: np.ndarray) -> str:
    """Return the share of the features about which two agree, and the Jaccard overlap of those confirmed."""
    overlap = jaccard([np.flatnonzero(one), np.flatnonzero(other)]) if (one | other).any() else 1.0
    return f"{(one == other).mean():.2f} ({overlap:.2f})"


def measure(case: Case, methods: dict[str, Callable[[Case, int], tuple[float, np.ndarray]]]) -> tuple[list[str], float]:
    """Return the row of a case, and how many times as long as pyrrf boruta_py takes."""
    print(f"{case.name} ...", file=sys.stderr)
    first = {name: method(case, 1) for name, method in methods.items()}
    again = {name: methods[name](case, 2) for name in PACKAGES[:2]}
    supports = {name: support for name, (_, support) in first.items()}
    spent = {name: first[name][0] + again[name][0] for name in again}
    ratio = spent["boruta_py"] / spent["pyrrf"]
    true = case.true
    row = [
        case.name,
        f"{case.x.shape[0]} x {case.x.shape[1]}",
        counted(supports, lambda support: int(support.sum())),
        ABSENT if true is None else counted(supports, lambda support: int((support & ~true).sum())),
        ABSENT if true is None else counted(supports, lambda support: int((~support & true).sum())),
        share(supports["pyrrf"], supports["boruta_py"]),
        share(supports["pyrrf"], supports["R"]) if "R" in supports else ABSENT,
        share(supports["boruta_py"], again["boruta_py"][1]),
        share(supports["pyrrf"], again["pyrrf"][1]),
        f"{ratio:.1f}",
        f"{first['R'][0] / first['pyrrf'][0]:.1f}" if "R" in first else ABSENT,
    ]
    return row, ratio


def run(options: argparse.Namespace) -> str:
    """Return the page."""
    methods: dict[str, Callable[[Case, int], tuple[float, np.ndarray]]] = {"pyrrf": pyrrf, "boruta_py": boruta_py}
    if r.has_package("Boruta"):
        methods["R"] = of_r
    rows, ratios = zip(*(measure(case, methods) for case in cases(options.data, options.quick)), strict=True)
    middle, least = float(np.median(ratios)), min(range(len(ratios)), key=ratios.__getitem__)
    words = (
        f";\n{TREES} trees of depth {DEPTH} and at most {ROUNDS} rounds for each, one thread, level .05. "
        f"boruta_py takes {middle:.1f} times as long as pyrrf\n(median), and least on {rows[least][0]}, "
        f"{ratios[least]:.1f} times; the goal is {GOAL:g}. R corrects its tests over the features alone\n"
        "(Bonferroni), the others in two steps.\n\n"
        "Confirmed, false and missed: pyrrf / boruta_py / R; a tentative feature is not confirmed. Agreement: the "
        "share of the\nfeatures about which two fits agree, and the Jaccard overlap of those confirmed. That of two "
        "seeds of one package\nis what chance leaves. Times: of the package, divided by pyrrf's."
    )
    head = ["data", "rows x features", "confirmed", "false", "missed", "pyrrf, boruta_py", "pyrrf, R",
            "boruta_py, other seed", "pyrrf, other seed", "boruta_py, time", "R, time"]  # fmt: skip
    return study.page("All relevant features", "boruta", words, table(head, rows, words=2))


main = study.command("boruta", run, __doc__, "one truth and noise", data="the sets, NAME.csv.gz")


if __name__ == "__main__":
    sys.exit(main())
