"""The formulas of the papers behind pyrrf, as functions of arrays: information, gains, leverage, bounds of stability.

The estimators of `pyrrf.sklearn` are built on these and on others, which stand in the modules of this package.
"""

from pyrrf.selectors.chow_liu import ChowLiuTree, chow_liu_tree
from pyrrf.selectors.complexity import node_complexity
from pyrrf.selectors.distinct_gains import distinct_gains
from pyrrf.selectors.expected_gain import expected_gain, gamma_threshold
from pyrrf.selectors.information import (
    conditional_mutual_information,
    entropy,
    equal_width_bins,
    mutual_information,
    mutual_information_matrix,
    symmetrical_uncertainty,
)
from pyrrf.selectors.leverage import leverage_scores
from pyrrf.selectors.stability import false_selection_bound, largest_selection, stability_threshold

__all__ = [
    "ChowLiuTree",
    "chow_liu_tree",
    "conditional_mutual_information",
    "distinct_gains",
    "entropy",
    "equal_width_bins",
    "expected_gain",
    "false_selection_bound",
    "gamma_threshold",
    "largest_selection",
    "leverage_scores",
    "mutual_information",
    "mutual_information_matrix",
    "node_complexity",
    "stability_threshold",
    "symmetrical_uncertainty",
]
