"""The systems of papers 000, 001, 002, 003 and 004: their formulas, as functions of arrays, and their estimators.

The estimators need the extra ``sklearn``; the functions do not.
"""

from typing import TYPE_CHECKING, Any

from pyrrf.lazy import load_when_asked as _load_when_asked

if TYPE_CHECKING:
    from pyrrf.papers.chow_liu.selectors import ChowLiuSelector as ChowLiuSelector
    from pyrrf.papers.chow_liu.selectors import ForwardSelector as ForwardSelector
    from pyrrf.papers.chow_liu.tree import ChowLiuTree as ChowLiuTree
    from pyrrf.papers.chow_liu.tree import chow_liu_tree as chow_liu_tree
    from pyrrf.papers.complexity.expected_gain import expected_gain as expected_gain
    from pyrrf.papers.complexity.expected_gain import gamma_threshold as gamma_threshold
    from pyrrf.papers.complexity.forest import ComplexityForestClassifier as ComplexityForestClassifier
    from pyrrf.papers.complexity.gains import node_complexity as node_complexity
    from pyrrf.papers.information import conditional_mutual_information as conditional_mutual_information
    from pyrrf.papers.information import entropy as entropy
    from pyrrf.papers.information import equal_width_bins as equal_width_bins
    from pyrrf.papers.information import mutual_information as mutual_information
    from pyrrf.papers.information import mutual_information_matrix as mutual_information_matrix
    from pyrrf.papers.information import symmetrical_uncertainty as symmetrical_uncertainty
    from pyrrf.papers.less.estimators import LESSClassifier as LESSClassifier
    from pyrrf.papers.less.estimators import LESSRegressor as LESSRegressor
    from pyrrf.papers.less.leverage import leverage_scores as leverage_scores
    from pyrrf.papers.max_dependency import MaxDependencyClassifier as MaxDependencyClassifier
    from pyrrf.papers.max_dependency import MaxDependencySelector as MaxDependencySelector
    from pyrrf.papers.mifs import MIFSSelector as MIFSSelector
    from pyrrf.papers.rboost import RBoostClassifier as RBoostClassifier
    from pyrrf.papers.rboost import RBoostSelector as RBoostSelector
    from pyrrf.papers.small_nodes import distinct_gains as distinct_gains

# The same names, for Python, which loads none before it is asked for.
_HOMES = {
    "chow_liu.selectors": "ChowLiuSelector ForwardSelector",
    "chow_liu.tree": "ChowLiuTree chow_liu_tree",
    "complexity.expected_gain": "expected_gain gamma_threshold",
    "complexity.forest": "ComplexityForestClassifier",
    "complexity.gains": "node_complexity",
    "information": "conditional_mutual_information entropy equal_width_bins mutual_information "
    "mutual_information_matrix symmetrical_uncertainty",
    "less.estimators": "LESSClassifier LESSRegressor",
    "less.leverage": "leverage_scores",
    "max_dependency": "MaxDependencyClassifier MaxDependencySelector",
    "mifs": "MIFSSelector",
    "rboost": "RBoostClassifier RBoostSelector",
    "small_nodes": "distinct_gains",
}
__all__, _load, __dir__ = _load_when_asked(__name__, _HOMES)

if not TYPE_CHECKING:  # with it, type checkers would take any name

    def __getattr__(name: str) -> Any:
        if name.endswith(("Classifier", "Regressor", "Selector")):
            import pyrrf.sklearn  # noqa: F401, which says what is missing
        return _load(name)
