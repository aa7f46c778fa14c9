"""ENGINES.md: both engines over many seeds, one table."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from parity.engines import (
    CONTROLS,
    EQUIVALENCE_BOUND,
    FAMILY_LEVEL,
    LEVEL,
    METRICS,
    PARALLEL_SEEDS,
    PERMUTATIONS,
    POWER,
    R_SEEDS,
    SEEDS,
    Comparison,
)
from parity.engines_data import RUNS

ENGINES = Path(__file__).parent / "ENGINES.md"

_HEAD = [
    "| run | metric | engine r (SD) | parallel | difference, SD | p | found, SD | bound | equivalent | power |",
    "|---|---|---|---|---|---|---|---|---|---|",
]
_LABELS = {
    "size": "subset size",
    "error": "OOB error",
    "frequency": "selection frequency",
    "overlap": "Jaccard overlap",
    "importance": "importance",
}


def write(comparisons: list[Comparison], controls: list[Comparison]) -> None:
    """Write the table.

    Parameters
    ----------
    comparisons, controls : list of Comparison
        All runs; runs in which the parallel engine was told another rule.
    """
    lines = [_line(comparison, metric) for comparison in [*comparisons, *controls] for metric in METRICS]
    ENGINES.write_text("\n".join([_introduction(comparisons), *_HEAD, *lines]) + "\n")


def _introduction(comparisons: list[Comparison]) -> str:
    misses = sum(1 - comparison.equivalence_power(metric) for comparison in comparisons for metric in METRICS)
    return f"""# The engines compared

`engine="r"` (`quirks=False`) with seeds {R_SEEDS.start} to {R_SEEDS.stop - 1} beside `engine="parallel"` with seeds
{PARALLEL_SEEDS.start} to {PARALLEL_SEEDS.stop - 1}, {SEEDS} forests per engine. `parity/engines_data.py` holds the
data and the arguments, `parity/engines.py` the tests.

- For a metric with one value per feature, the line shows the feature that differs most, counted from 0. "difference"
  is parallel less r, in standard deviations (SD) over seeds. Importance is the mean decrease in impurity. For the
  overlap the columns show the means within each engine and, after "across", between engines; the difference is that
  between the mean across and one of the others.
- p: permutation test of the largest difference, {PERMUTATIONS} labellings; each at level {LEVEL:.5f}, so that the
  probability of any false alarm in all {len(RUNS) * len(METRICS)} is at most {FAMILY_LEVEL}.
- found: the difference that this test detects with power {POWER}.
- equivalent: two one-sided tests at level 0.05 each show that every difference is within {EQUIVALENCE_BOUND} SD. This
  was fixed beforehand; "bound" is this in the unit of the metric. With one value per feature, all must pass.
- power: the share of random labellings, where nothing differs, that pass the equivalence test.

If the engines are the same procedure, a test of differences fails with probability at most {FAMILY_LEVEL}, and a test
of equivalence with at most {misses:.4f} (the sum of 1 - power).

Controls: {len(CONTROLS)} runs in which engine parallel had a changed rule, which the tests must detect. With "fair
ties" all equal splits of a node are equally likely, whatever their features; the slow program of
`tests/parallel/oracle.py` grows these forests.
"""


def _line(comparison: Comparison, metric: str) -> str:
    differences = comparison.differences(metric)
    index = int(np.argmax(np.abs(differences)))
    spread = float(comparison.spread(metric)[index])
    shown = f"{differences[index]:+.3f}" + (f" (feature {index})" if metric in ("frequency", "importance") else "")
    cells = [comparison.name, _LABELS[metric], *_means(comparison, metric, index), shown]
    cells += [f"{comparison.p_value(metric):.4f}", f"{comparison.detectable(metric):.2f}"]
    cells += [f"±{EQUIVALENCE_BOUND * spread:.2g}", "yes" if comparison.equivalents(metric)[0] else "no"]
    return f"| {' | '.join([*cells, f'{comparison.equivalence_power(metric):.4f}'])} |"


def _means(comparison: Comparison, metric: str, index: int) -> tuple[str, str]:
    values = comparison.values(metric)
    column = values[:, 0 if metric == "overlap" else index]
    r, parallel = column[:SEEDS], column[SEEDS:]
    across = ""
    if metric == "overlap":
        across = f", across {r.mean() + comparison.contrasts(metric)[0, 0]:.4g}"
    return f"{r.mean():.4g} ({r.std(ddof=1):.2g})", f"{parallel.mean():.4g}{across}"
