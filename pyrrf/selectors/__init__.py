"""The formulas of the papers behind pyrrf as functions of arrays, and the loop that grows trees one by one.

The estimators of `pyrrf.sklearn` are built on them.
"""

from pyrrf.selectors.boosting import boosted_weights
from pyrrf.selectors.information import (
    conditional_mutual_information,
    entropy,
    equal_width_bins,
    mutual_information,
    mutual_information_matrix,
    symmetrical_uncertainty,
)

__all__ = [
    "boosted_weights",
    "conditional_mutual_information",
    "entropy",
    "equal_width_bins",
    "mutual_information",
    "mutual_information_matrix",
    "symmetrical_uncertainty",
]
