"""How many trees a guide needs: `python -m benchmarks.guides --data FOLDER` writes GUIDES.md.

`GRRFSelector` with its defaults, but 500 or 5,000 trees in its guide: error on new rows, features kept, agreement of
two seeds on the same rows, and seconds. FOLDER has CSV tables `NAME.csv.gz` whose last column is the class.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_diabetes, make_friedman1
from sklearn.model_selection import train_test_split

from benchmarks import study
from benchmarks.markdown import table
from benchmarks.selection.summary import jaccard
from pyrrf.sklearn import GRRFSelector, RRFClassifier, RRFRegressor

GUIDES = (500, 5000)
FILES = ("ionosphere", "musk", "arrhythmia", "colon", "leukemia", "lymphoma")
NUMBERS = ("diabetes", "friedman1")
Rows = study.Rows


def rows_of(name: str, folder: Path | None) -> Rows:
    """Return X and y of a set."""
    if name == "breast_cancer":
        return load_breast_cancer(return_X_y=True)  # type: ignore[no-any-return]
    if name == "diabetes":
        return load_diabetes(return_X_y=True)  # type: ignore[no-any-return]
    if name == "friedman1":
        return make_friedman1(300, n_features=60, noise=1.0, random_state=1)  # type: ignore[no-any-return]
    assert folder is not None
    table = pd.read_csv(folder / f"{name}.csv.gz", dtype={"class": str})
    x = table.iloc[:, :-1].to_numpy(float)
    return x, table.iloc[:, -1].to_numpy(str)


def measure(name: str, rows: Rows, seed: int, guide: int, trees: int) -> dict[str, float]:
    """Return what one size of the guide gives in one draw of two thirds of the rows."""
    numeric = name in NUMBERS
    x, test_x, y, test_y = train_test_split(*rows, test_size=1 / 3, random_state=seed)
    options: dict[str, Any] = {"task": "regression" if numeric else "classification", "n_estimators": trees}
    started = time.perf_counter()
    kept = [
        np.flatnonzero(GRRFSelector(guide, random_state=one, **options).fit(x, y).support_)
        for one in (2 * seed, 2 * seed + 1)
    ]
    seconds = (time.perf_counter() - started) / 2
    forest = (RRFRegressor if numeric else RRFClassifier)(trees, coef_reg=None, random_state=seed)
    losses = [1 - forest.fit(x[:, one], y).score(test_x[:, one], test_y) for one in kept]
    sizes = [len(one) for one in kept]
    return {"loss": np.mean(losses), "kept": np.mean(sizes), "agreement": jaccard(kept), "seconds": seconds}


def row(name: str, by_guide: dict[int, pd.DataFrame]) -> list[str]:
    """Return a row of the table: each measure by the size of the guide, and the paired difference of the error."""
    few, many = (by_guide[guide] for guide in GUIDES)
    difference = many["loss"] - few["loss"]
    error = difference.std() / np.sqrt(len(difference))
    cells = [f"{size[what].mean():.{digits}f}" for what, digits in SHOWN.items() for size in (few, many)]
    return [name, *cells, f"{difference.mean():+.4f} ± {error:.4f}"]


SHOWN = {"loss": 3, "kept": 1, "agreement": 2, "seconds": 2}


WORDS = """;
means of {draws} draws of two thirds of the rows, two seeds each. `GRRFSelector` with its defaults, and a
guide of 500 or 5,000 trees. The error is that of an ordinary forest of 500 trees on the features kept, on the
other third: the error rate, or 1 - R² for diabetes and friedman1. Agreement is the Jaccard index of what two
seeds keep of the same rows. The last column is the error with 5,000 trees less that with 500, with its
standard error over the draws."""


def run(options: argparse.Namespace) -> str:
    """Return the page."""
    names, draws, trees = ["breast_cancer", *NUMBERS, *(FILES if options.data else ())], options.draws, 500
    if options.quick:
        names, draws, trees = ["diabetes"], 2, 10
    lines = []
    for name in names:
        print(f"{name} ...", file=sys.stderr)
        rows = rows_of(name, options.data)
        found = {
            guide: pd.DataFrame([measure(name, rows, seed, guide // (500 // trees), trees) for seed in range(draws)])
            for guide in GUIDES
        }
        lines.append(row(name, found))
    heads = [f"{what}, {guide:,}" for what in ("error", "features", "agreement", "seconds") for guide in GUIDES]
    words = WORDS.format(draws=draws)
    return study.page("Trees of the guide", "guides", words, table(["set", *heads, "difference"], lines, words=1))


main = study.command(
    "guides", run, __doc__, "one set and few trees", data="the tables; without it only sets of scikit-learn", draws=5
)


if __name__ == "__main__":
    sys.exit(main())
