"""Select features of the Wisconsin breast cancer data with RRF and GRRF, and draw the importances.

Run by `make demo`. The data come with scikit-learn; nothing is downloaded.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.datasets import load_breast_cancer

import pyrrf

SEED = 1
NTREE = 500
GAMMA = 0.5


def load() -> tuple[pd.DataFrame, pd.Series]:
    """Return 569 x 30 measurements of cell nuclei and the diagnosis of each case."""
    bunch = load_breast_cancer(as_frame=True)
    diagnosis = bunch.target.map(dict(enumerate(bunch.target_names)))
    return bunch.data, diagnosis.astype("category")


def oob_error(fit: pyrrf.RRFResult) -> float:
    """Return the out-of-bag error after the last tree, in percent."""
    return 100 * float(fit.err_rate["OOB"].iloc[-1])


def ordinary_forest(x: pd.DataFrame, y: pd.Series) -> pyrrf.RRFResult:
    """Grow an ordinary random forest: RRF without regularization."""
    return pyrrf.RRF(x, y, ntree=NTREE, flagReg=0, seed=SEED)


def report(name: str, fit: pyrrf.RRFResult, x: pd.DataFrame, y: pd.Series) -> None:
    """Print the features that a forest keeps, and the error of an ordinary one on them."""
    kept = list(fit.feature_names)
    print(f"\n{name} keeps {len(kept)} of {x.shape[1]} features:")
    for feature in kept:
        print(f"  {feature}")
    print(f"OOB error of an ordinary forest on these: {oob_error(ordinary_forest(x[kept], y)):.2f} %")


def draw(importances: pd.DataFrame, path: Path) -> None:
    """Save a dot chart, one line per feature, with the largest importance in the ordinary forest on top."""
    ordered = importances.sort_values("ordinary forest")
    figure, axes = plt.subplots(figsize=(8, 9), layout="constrained")
    for (name, values), marker in zip(ordered.items(), "osD", strict=True):
        shown = values[values > 0]
        axes.plot(shown, [ordered.index.get_loc(f) for f in shown.index], marker, label=name, alpha=0.8)
    axes.set_yticks(range(len(ordered)), ordered.index)
    axes.grid(axis="y", linestyle=":")
    axes.set_xlabel("mean decrease in Gini index (no dot: feature not used)")
    axes.set_title("Breast cancer data: importances")
    axes.legend(loc="lower right")
    figure.savefig(path, dpi=120)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("demo-importances.png"))
    output = parser.parse_args().output.resolve()

    x, y = load()
    print(f"Breast cancer data: {x.shape[0]} cases, {x.shape[1]} features, classes:")
    for label, count in y.value_counts().items():
        print(f"  {label}: {count}")
    forest = ordinary_forest(x, y)
    print(f"OOB error of an ordinary forest on all features: {oob_error(forest):.2f} %")

    rrf = pyrrf.RRF(x, y, ntree=NTREE, coefReg=0.8, seed=SEED)
    report("RRF (coefReg=0.8)", rrf, x, y)
    grrf = pyrrf.GRRF(x, y, gamma=GAMMA, ntree=NTREE, seed=SEED)
    report(f"GRRF (gamma={GAMMA})", grrf, x, y)
    print("\nThe kept features were chosen on the same cases, so their OOB errors are optimistic.")

    fits = {"ordinary forest": forest, "RRF": rrf, "GRRF": grrf}
    draw(pd.DataFrame({k: f.importance["MeanDecreaseGini"] for k, f in fits.items()}), output)
    print(f"\nPicture of the importances: {output}")


if __name__ == "__main__":
    main()
