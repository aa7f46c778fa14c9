"""Tables of the statistical comparison in Markdown."""

from __future__ import annotations

import numpy as np

from parity.power import POWER, SIMULATIONS, detectable, equivalence_power
from parity.statistics import (
    EQUIVALENCE_BOUND,
    LEVEL,
    METRICS,
    PERMUTATIONS,
    PY_SEEDS,
    R_SEEDS,
    SETS,
    Comparison,
    jaccard,
    overlap_means,
)


def table(comparisons: list[Comparison]) -> str:
    """Markdown tables of all metrics."""
    blocks = [_INTRODUCTION, _means(comparisons), _frequencies(comparisons), _overlaps(comparisons)]
    return "\n".join(blocks)


_INTRODUCTION = f"""## Statistical comparison

R: seeds {R_SEEDS.start} to {R_SEEDS.stop - 1}; pyrrf: seeds {PY_SEEDS.start} to {PY_SEEDS.stop - 1}. Permutation
tests with {PERMUTATIONS} splits; each at level {LEVEL:.5f}, so that all {len(SETS) * len(METRICS)} together err with
probability 0.05 at most. "Detectable" is the smallest change of one side that the test finds with power
{POWER}, from {SIMULATIONS} simulations an amount. "Equivalent": the 90 % interval of the difference of means lies
within {EQUIVALENCE_BOUND} SD; its power is the share of random splits of all runs, where nothing differs, that it
finds equivalent.
"""


def _means(comparisons: list[Comparison]) -> str:
    lines = [
        "| data | metric | R mean (SD) | pyrrf mean (SD) | p | detectable, SD | difference, SD | equivalent | power |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    labels = (("size", "subset size"), ("error", "OOB error"))
    lines += [_mean_line(comparison, metric, label) for comparison in comparisons for metric, label in labels]
    return "\n".join(lines) + "\n"


def _mean_line(comparison: Comparison, metric: str, label: str) -> str:
    values = getattr(comparison, metric)
    half = len(values) // 2
    cells = [comparison.name, label]
    cells += [f"{v.mean():.4g} ({v.std(ddof=1):.3g})" for v in (values[:half], values[half:])]
    cells += [f"{comparison.p_value(metric):.4f}", f"{detectable(comparison, metric):.2f}"]
    cells += [f"{comparison.differences(metric)[0]:+.3f}", "yes" if comparison.equivalent(metric)[0] else "no"]
    return f"| {' | '.join([*cells, f'{equivalence_power(comparison, metric):.2f}'])} |"


def _frequencies(comparisons: list[Comparison]) -> str:
    lines = [
        "| data | features | largest difference of a selection frequency | feature | R | pyrrf | p | detectable |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for comparison in comparisons:
        r, py = comparison.r.chosen.mean(axis=0), comparison.py.chosen.mean(axis=0)
        at = int(np.argmax(np.abs(r - py)))
        lines.append(
            f"| {comparison.name} | {len(r)} | {abs(r[at] - py[at]):.2f} | {at} | {r[at]:.2f} | {py[at]:.2f} "
            f"| {comparison.p_value('frequency'):.4f} | {detectable(comparison, 'frequency'):.2f} |"
        )
    return "\n".join(lines) + "\n"


def _overlaps(comparisons: list[Comparison]) -> str:
    lines = [
        "| data | Jaccard within R | within pyrrf | across | p | detectable share of features swapped |",
        "|---|---|---|---|---|---|",
    ]
    for comparison in comparisons:
        means = overlap_means(jaccard(comparison.chosen), comparison.left[:1])
        shown = " | ".join(f"{m[0]:.4f}" for m in means)
        tests = f"{comparison.p_value('overlap'):.4f} | {detectable(comparison, 'overlap'):.2f}"
        lines.append(f"| {comparison.name} | {shown} | {tests} |")
    return "\n".join(lines) + "\n"
