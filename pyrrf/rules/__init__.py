"""Rules of tree ensembles, as R's inTrees makes them (Deng 2019, doi:10.1007/s41060-018-0144-8).

The chain is `extract_rules`, ``.drop_duplicates()``, `rule_metric`, `prune_rule`, `select_rules`, `build_learner`,
`apply_learner` and `present_rules`. Arguments have R's names. A rule is a text in R's form, whose columns count from 1.
"""

from pyrrf.checks import explain_unknown as _explain_unknown
from pyrrf.rules.discretize import discretize_vector
from pyrrf.rules.extract import extract_rules
from pyrrf.rules.learner import apply_learner, build_learner, vote_all_rules
from pyrrf.rules.measure import rule_metric
from pyrrf.rules.patterns import get_freq_pattern
from pyrrf.rules.present import as_strings, lookup_rules, present_rules, sort_rules
from pyrrf.rules.prune import prune_rule
from pyrrf.rules.select import select_rules
from pyrrf.rules.show import RuleTable
from pyrrf.rules.trees import TreeList, tree_list

__all__ = [
    "RuleTable",
    "TreeList",
    "apply_learner",
    "as_strings",
    "build_learner",
    "discretize_vector",
    "extract_rules",
    "get_freq_pattern",
    "lookup_rules",
    "present_rules",
    "prune_rule",
    "rule_metric",
    "select_rules",
    "sort_rules",
    "tree_list",
    "vote_all_rules",
]

_explain_unknown(globals())
