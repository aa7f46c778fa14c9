"""
Can a forest be written as a few rules?
=======================================

``pyrrf.rules`` turns the paths of the trees of a forest into rules, shortens them, and makes a short list of a few: the
first rule that matches a row predicts. These are the steps of R's inTrees.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer

import pyrrf
from pyrrf import rules

bunch = load_breast_cancer(as_frame=True)
X, y = bunch.data, bunch.target_names[bunch.target]
train = np.arange(len(X)) % 2 == 0
fit = pyrrf.RRF(X[train], y[train], ntree=50, seed=1)

# %%
# From the forest to rules:

found = rules.extractRules(fit, X[train], maxdepth=3).drop_duplicates()
metric = rules.getRuleMetric(found, X[train], y[train])
short = rules.pruneRule(metric, X[train], y[train]).drop_duplicates()
selected = rules.selectRuleRRF(short, X[train], y[train], seed=1)
learner = rules.buildLearner(selected, X[train], y[train])
print(f"{len(found)} rules in the forest, {len(learner)} in the list")

# %%
# The list, and its accuracy on the other half of the rows, compared with the forest:

print(rules.presentRules(learner, X, digits=3)[["freq", "err", "condition", "pred"]].to_string(index=False))
print(f"rules:  {np.mean(rules.applyLearner(learner, X[~train]) == y[~train]):.3f} right")
print(f"forest: {np.mean(pyrrf.predict(fit, X[~train]) == y[~train]):.3f} right")

# %%
# A point for each rule: the number of rows that it predicts, and its error.

rules.RuleTable(learner, X, title="Rules of breast cancer").plot()
plt.show()
