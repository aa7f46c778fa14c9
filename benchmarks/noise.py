"""Where a regularized forest takes up features of noise: `python -m benchmarks.noise` writes NOISE.md.

Guided forests on the simulated truths of `benchmarks.selection`, of which it is known which features tell. An entry is
the first split by a feature; the rows of its node say how much evidence there was.
"""

from __future__ import annotations

import argparse
import sys

import numpy as np
import pandas as pd

from benchmarks import study
from benchmarks.markdown import table
from benchmarks.selection.truths import TRUTHS, recall, rows_of
from pyrrf._core.criteria import Penalty
from pyrrf.selectors.credit import by_feature
from pyrrf.selectors.forest import ordinary_rule
from pyrrf.selectors.growing import TreeData, TreeMaker, TreeRequest, TreeRule, features_used

NAMES = ("linear", "blocks", "interactions")
GAMMAS = (0.1, 0.3, 0.5, 0.9)
# What is multiplied (the criterion, as in R, or the gain), and the candidates of a node as a function of p.
RULES = {
    "R": (Penalty.CRITERION, lambda p: int(np.sqrt(p))),
    "p/3": (Penalty.CRITERION, lambda p: p // 3),
    "gain": (Penalty.GAIN, lambda p: int(np.sqrt(p))),
    "gain, p/3": (Penalty.GAIN, lambda p: p // 3),
}
SMALL = 20  # rows of a small node
GUIDE = 500


def guide_of(data: TreeData, seed: int) -> np.ndarray:
    """Return the importances of an ordinary forest, divided by the largest."""
    found = np.zeros(data.shape[1])
    maker = TreeMaker(data, ordinary_rule(data.shape[1]))
    for grown in maker.grow_all(TreeRequest(seed=seed, stream=stream) for stream in range(GUIDE)):
        found += by_feature(grown.tree.split_var, grown.decrease, data.shape[1])
    return found / found.max()


def entries(data: TreeData, rule: TreeRule, trees: int, seed: int) -> tuple[list[tuple[int, float]], np.ndarray]:
    """Return each entry, the feature and the rows of its node, in their order, and F after the last tree."""
    maker, used, found = TreeMaker(data, rule), np.zeros(data.shape[1], np.int32), []
    for stream in range(trees):
        grown = maker.grow(TreeRequest(seed=seed, stream=stream, used=used))
        split = np.flatnonzero(grown.tree.split_var > 0)
        features, first = np.unique(grown.tree.split_var[split] - 1, return_index=True)
        for feature, at in zip(features.tolist(), split[first].tolist(), strict=True):
            if not used[feature]:
                found.append((feature, float(grown.total[at].sum())))
        used = features_used(used, grown.tree)
    return found, used


def measure(name: str, draw: int, trees: int) -> list[dict[str, object]]:
    """Return what each rule and gamma take up in one draw of a truth."""
    truth, chance = TRUTHS[name], np.random.default_rng([draw, NAMES.index(name)])
    x, y = rows_of(truth, chance, truth.rows)
    order = chance.permutation(truth.columns)
    block = truth.block_of()[order]
    ncat = np.ones(truth.columns, np.int32)
    data = TreeData(values=np.asfortranarray(x[:, order]), ncat=ncat, response=y.astype(np.int32), nclass=2)
    share, rows = guide_of(data, draw), []
    for word, (penalty, candidates) in RULES.items():
        for gamma in GAMMAS:
            rule = TreeRule(mtry=max(1, candidates(truth.columns)), coef_reg=1 - gamma + gamma * share, penalty=penalty)
            found, used = entries(data, rule, trees, draw)
            size = np.array([node for _, node in found])
            noise = np.array([block[feature] < 0 for feature, _ in found])
            kept, small = np.flatnonzero(used), size <= SMALL
            rows.append(
                {"truth": name, "rule": word, "gamma": gamma, "kept": len(kept), "noise kept": (block[kept] < 0).sum(),
                 "found": recall(kept, block), "small": small.sum(), "noise in small": noise[small].sum(),
                 "noise in large": noise[~small].sum()}
            )  # fmt: skip
    return rows


WORDS = """\
.
Guided forests of {trees} trees on simulated classes, means of {draws} draws; the guide is an ordinary forest of {guide}
trees. {truths}.
"R" multiplies the criterion by the coefficient and draws sqrt(p) candidates outside F for a node; "gain" multiplies the
gain; "p/3" draws a third of the features. An entry is the first split by a feature; a small node has at most {small} of
the rows of its tree. "Found" is the share of the informative features, or of the blocks of like features, that are
kept."""
HEAD = [
    "truth", "rule", "gamma", "features kept", "of them noise", "found", "entries in small nodes", "noise of these",
    "noise of the entries in larger nodes",
]  # fmt: skip


def report(found: pd.DataFrame, draws: int, trees: int) -> str:
    """Return the page."""
    rows = []
    counts = [column for column in found if column not in ("truth", "rule", "gamma")]
    for (name, word, gamma), one in found.groupby(["truth", "rule", "gamma"], sort=False)[counts]:
        mean, total = one.mean(), one.sum()
        large = total["kept"] - total["small"]
        rows.append([
            name, word, f"{gamma:g}", f"{mean['kept']:.1f}", f"{mean['noise kept']:.1f}", f"{mean['found']:.2f}",
            _share(total["small"], total["kept"]), _share(total["noise in small"], total["small"]),
            _share(total["noise in large"], large),
        ])  # fmt: skip
    truths = "; ".join(f"{name}: {TRUTHS[name].title}, {TRUTHS[name].rows} rows" for name in NAMES)
    words = WORDS.format(trees=trees, draws=draws, guide=GUIDE, truths=truths, small=SMALL)
    return study.page("Where noise enters", "noise", words, table(HEAD, rows, words=2))


def _share(part: float, whole: float) -> str:
    return f"{part / whole:.0%}" if whole else "-"


def run(options: argparse.Namespace) -> str:
    """Return the page."""
    draws, trees = (2, 20) if options.quick else (options.draws, options.trees)
    rows = [row for name in NAMES for draw in range(1, draws + 1) for row in measure(name, draw, trees)]
    return report(pd.DataFrame(rows), draws, trees)


main = study.command("noise", run, __doc__, "two draws and few trees", draws=20, trees=500)


if __name__ == "__main__":
    sys.exit(main())
