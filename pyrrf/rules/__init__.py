"""Rules of tree ensembles, as R's inTrees makes them (Deng 2019, doi:10.1007/s41060-018-0144-8).

The chain is `extractRules`, ``.drop_duplicates()``, `getRuleMetric`, `pruneRule`, `selectRuleRRF`, `buildLearner`,
`applyLearner` and `presentRules`. Arguments have R's names. A rule is a text in R's form, whose columns count from 1.
"""

from typing import TYPE_CHECKING, Any

from pyrrf.lazy import load_when_asked as _load_when_asked

if TYPE_CHECKING:
    from pyrrf.rules.extract import extractRules as extractRules
    from pyrrf.rules.learner import applyLearner as applyLearner
    from pyrrf.rules.learner import buildLearner as buildLearner
    from pyrrf.rules.learner import voteAllRules as voteAllRules
    from pyrrf.rules.measure import getRuleMetric as getRuleMetric
    from pyrrf.rules.patterns import getFreqPattern as getFreqPattern
    from pyrrf.rules.present import as_strings as as_strings
    from pyrrf.rules.present import lookupRule as lookupRule
    from pyrrf.rules.present import presentRules as presentRules
    from pyrrf.rules.present import sortRule as sortRule
    from pyrrf.rules.prune import pruneRule as pruneRule
    from pyrrf.rules.select import selectRuleRRF as selectRuleRRF
    from pyrrf.rules.show import RuleTable as RuleTable
    from pyrrf.rules.target import dicretizeVector as dicretizeVector
    from pyrrf.rules.trees import RF2List as RF2List
    from pyrrf.rules.trees import TreeList as TreeList

# The same names, for Python, which loads none before it is asked for.
_HOMES = {
    "extract": "extractRules",
    "learner": "applyLearner buildLearner voteAllRules",
    "measure": "getRuleMetric",
    "patterns": "getFreqPattern",
    "present": "as_strings lookupRule presentRules sortRule",
    "prune": "pruneRule",
    "select": "selectRuleRRF",
    "show": "RuleTable",
    "target": "dicretizeVector",
    "trees": "RF2List TreeList",
}
__all__, _load, __dir__ = _load_when_asked(__name__, _HOMES)

if not TYPE_CHECKING:  # with it, type checkers would take any name

    def __getattr__(name: str) -> Any:
        return _load(name)
