"""The formulas of the papers behind pyrrf as functions of arrays, and the loop that grows trees one by one.

The estimators of `pyrrf.sklearn` are built on them.
"""

from pyrrf.selectors.boosting import boosted_weights
from pyrrf.selectors.chow_liu import ChowLiuTree, chow_liu_tree, guided_search, search_candidates
from pyrrf.selectors.complexity import accumulated_gains, gain_interval, interval_probabilities, node_complexity
from pyrrf.selectors.expected_gain import expected_gain, gain_distribution, gain_moments, gamma_threshold
from pyrrf.selectors.information import (
    conditional_mutual_information,
    entropy,
    equal_width_bins,
    mutual_information,
    mutual_information_matrix,
    symmetrical_uncertainty,
)
from pyrrf.selectors.leverage import RightVectors, leverage_scores, norm_scores, right_vectors, uniform_scores
from pyrrf.selectors.mifs import mifs_order
from pyrrf.selectors.rules import choose_by_rule
from pyrrf.selectors.search import Round, Search, floating_search, forward_evaluations, forward_search
from pyrrf.selectors.stability import (
    complementary_pairs,
    false_selection_bound,
    largest_selection,
    r_concave_tail,
    stability_threshold,
)
from pyrrf.selectors.substitutes import rank_correlations

__all__ = [
    "ChowLiuTree",
    "RightVectors",
    "Round",
    "Search",
    "accumulated_gains",
    "boosted_weights",
    "choose_by_rule",
    "chow_liu_tree",
    "complementary_pairs",
    "conditional_mutual_information",
    "entropy",
    "equal_width_bins",
    "expected_gain",
    "false_selection_bound",
    "floating_search",
    "forward_evaluations",
    "forward_search",
    "gain_distribution",
    "gain_interval",
    "gain_moments",
    "gamma_threshold",
    "guided_search",
    "interval_probabilities",
    "largest_selection",
    "leverage_scores",
    "mifs_order",
    "mutual_information",
    "mutual_information_matrix",
    "node_complexity",
    "norm_scores",
    "r_concave_tail",
    "rank_correlations",
    "right_vectors",
    "search_candidates",
    "stability_threshold",
    "symmetrical_uncertainty",
    "uniform_scores",
]
