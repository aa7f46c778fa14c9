"""The formulas of the papers behind pyrrf, as functions of arrays: information, gains, leverage, bounds of stability.

The estimators of `pyrrf.sklearn` are built on these and on others, which stand in the modules of this package and of
`pyrrf.papers`.
"""

from typing import TYPE_CHECKING, Any

from pyrrf.lazy import load_when_asked as _load_when_asked

if TYPE_CHECKING:
    from pyrrf.papers.chow_liu.tree import ChowLiuTree as ChowLiuTree
    from pyrrf.papers.chow_liu.tree import chow_liu_tree as chow_liu_tree
    from pyrrf.papers.complexity.expected_gain import expected_gain as expected_gain
    from pyrrf.papers.complexity.expected_gain import gamma_threshold as gamma_threshold
    from pyrrf.papers.complexity.gains import node_complexity as node_complexity
    from pyrrf.papers.distinct_gains import distinct_gains as distinct_gains
    from pyrrf.papers.information import conditional_mutual_information as conditional_mutual_information
    from pyrrf.papers.information import entropy as entropy
    from pyrrf.papers.information import equal_width_bins as equal_width_bins
    from pyrrf.papers.information import mutual_information as mutual_information
    from pyrrf.papers.information import mutual_information_matrix as mutual_information_matrix
    from pyrrf.papers.information import symmetrical_uncertainty as symmetrical_uncertainty
    from pyrrf.papers.less.leverage import leverage_scores as leverage_scores
    from pyrrf.selectors.stability import false_selection_bound as false_selection_bound
    from pyrrf.selectors.stability import largest_selection as largest_selection
    from pyrrf.selectors.stability import stability_threshold as stability_threshold

# The same names, for Python, which loads none before it is asked for.
_HOMES = {
    "pyrrf.papers.chow_liu.tree": "ChowLiuTree chow_liu_tree",
    "pyrrf.papers.complexity.expected_gain": "expected_gain gamma_threshold",
    "pyrrf.papers.complexity.gains": "node_complexity",
    "pyrrf.papers.distinct_gains": "distinct_gains",
    "pyrrf.papers.information": "conditional_mutual_information entropy equal_width_bins mutual_information "
    "mutual_information_matrix symmetrical_uncertainty",
    "pyrrf.papers.less.leverage": "leverage_scores",
    "stability": "false_selection_bound largest_selection stability_threshold",
}
__all__, _load, __dir__ = _load_when_asked(__name__, _HOMES)

if not TYPE_CHECKING:  # with it, type checkers would take any name

    def __getattr__(name: str) -> Any:
        return _load(name)
