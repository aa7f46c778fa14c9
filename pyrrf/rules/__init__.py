"""Rules of tree ensembles, as R's inTrees makes them (Deng 2019, doi:10.1007/s41060-018-0144-8).

The chain is `extractRules`, ``.drop_duplicates()``, `getRuleMetric`, `pruneRule`, `selectRuleRRF`, `buildLearner`,
`applyLearner` and `presentRules`. Arguments have R's names. A rule is a text in R's form, whose columns count from 1.
"""

from pyrrf.checks import explain_unknown as _explain_unknown
from pyrrf.rules.extract import extractRules
from pyrrf.rules.learner import applyLearner, buildLearner, voteAllRules
from pyrrf.rules.measure import getRuleMetric
from pyrrf.rules.patterns import getFreqPattern
from pyrrf.rules.present import as_strings, lookupRule, presentRules, sortRule
from pyrrf.rules.prune import pruneRule
from pyrrf.rules.select import selectRuleRRF
from pyrrf.rules.show import RuleTable
from pyrrf.rules.target import dicretizeVector
from pyrrf.rules.trees import RF2List, TreeList

__all__ = [
    "RF2List",
    "RuleTable",
    "TreeList",
    "applyLearner",
    "as_strings",
    "buildLearner",
    "dicretizeVector",
    "extractRules",
    "getFreqPattern",
    "getRuleMetric",
    "lookupRule",
    "presentRules",
    "pruneRule",
    "selectRuleRRF",
    "sortRule",
    "voteAllRules",
]

_explain_unknown(globals())
