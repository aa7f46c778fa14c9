"""Which rule takes a size: `python -m benchmarks.sizes --data FOLDER` writes SIZES.md.

`EliminationSelector()` on splits of the cases of `benchmarks.selection`. One fit gives what each rule takes, since all
of them see the same folds; what was taken is judged on new rows.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from typing import Any
from unittest.mock import patch

import numpy as np

from benchmarks import study
from benchmarks.markdown import table
from benchmarks.selection.cases import CASES, Part, part
from benchmarks.selection.judge import judge
from pyrrf.sklearn import EliminationSelector, elimination
from pyrrf.sklearn.sizes import best_size

# The rule was chosen on the first half alone.
CHOICE = ("linear", "colon", "srbct", "interactions", "sonar", "sum", "diabetes", "steps", "prostate")
CHECK = ("leukemia", "blocks", "german", "spambase", "musk", "friedman", "products", "madelon")
RULES = ("best", "1se", "paired")
# What the default keeps: less than "paired" takes, where credits are below 0.
COLUMNS = (*RULES, "kept", "all")
Found = dict[str, tuple[float, float]]


def tried(one: Part, **how: Any) -> tuple[dict[str, int], np.ndarray]:
    """Return the size that each rule takes on a split, and the path."""
    caught: dict[str, int] = {}

    def all_rules(folds: Any, sizes: list[int], rule: Any) -> int:
        caught.update({name: sizes[best_size(folds, sizes, name)] for name in RULES})
        return best_size(folds, sizes, rule)

    task = "regression" if one.numeric else "classification"
    with warnings.catch_warnings(), patch.object(elimination, "best_size", all_rules):
        warnings.simplefilter("ignore")
        selector = EliminationSelector(random_state=one.number, task=task, **how).fit(one.x, one.y)
    return caught | {"kept": selector.n_features_, "all": len(selector.path_)}, selector.path_


def measured(case: str, number: int, options: argparse.Namespace, **how: Any) -> Found:
    """Return the size and the forest's error on new rows, by rule, of one split."""
    one = part(options.data, case, number)
    sizes, path = tried(one, **how)
    errors = {size: judge(one, np.sort(path[:size]))["forest"] for size in set(sizes.values())}
    return {name: (float(size), errors[size]) for name, size in sizes.items()}


def row(name: str, found: list[Found]) -> list[str]:
    """Return the mean size and error of each column."""
    means = {column: np.mean([each[column] for each in found], axis=0) for column in COLUMNS}
    return [name, *(f"{means[column][0]:.1f}, {means[column][1]:.3f}" for column in COLUMNS)]


WORDS = """;
means of {splits} splits: features kept, and the error of a forest of 100 trees of scikit-learn on new rows. The
rules of `EliminationSelector` see the same folds. `kept` is what the default keeps: the size of "paired", less the
features at its end whose credit is below 0. The rule "paired" was chosen on the first half of the cases (and on two
truths that are not here); its floor of .01 was added after a part of the second half had been seen, which is therefore
no confirmation of the floor."""


def run(options: argparse.Namespace) -> str:
    """Return the page."""
    halves = {"Choice": CHOICE, "Confirmation": CHECK}
    splits, how = options.splits, {}
    if options.quick:
        halves, splits, how = {"Choice": ("diabetes",)}, 1, {"n_estimators": 5, "cv": 2}
    parts = []
    for name, cases in halves.items():
        print(f"{name} ...", file=sys.stderr)
        found = {case: [measured(case, at, options, **how) for at in range(1, splits + 1)] for case in cases}
        lines = [row(CASES[case].title, each) for case, each in found.items()]
        lines.append(row("mean", [one for each in found.values() for one in each]))
        parts.append(f"## {name}\n\n" + table(["case", *COLUMNS], lines, words=1))
    return study.page("Rules of a size", "sizes", WORDS.format(splits=splits), *parts)


main = study.command(
    "sizes", run, __doc__, "one set and few trees", data="the tables of benchmarks.selection", splits=10
)


if __name__ == "__main__":
    sys.exit(main())
