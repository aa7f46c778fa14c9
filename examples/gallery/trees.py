"""
What does a forest do with the features that it keeps?
======================================================

Many tools look into trees, but only into those of scikit-learn. ``to_sklearn`` makes of a fit a forest of scikit-learn
with the same trees, so that these tools take it.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.inspection import PartialDependenceDisplay
from sklearn.tree import plot_tree

from pyrrf.sklearn import EliminationSelector, RRFRegressor

X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
few = EliminationSelector(4, random_state=1).set_output(transform="pandas").fit_transform(X, y)
forest = RRFRegressor(200, coef_reg=None, min_node_size=20, random_state=1).fit(few, y)
model = forest.to_sklearn(few)
print(f"{type(model).__name__} on {', '.join(few)}")
print(f"{np.sum(model.predict(few) == forest.predict(few))} of {len(few)} predictions are the same, to the last bit")

# %%
# The first tree, to depth 2. The value of a node is the mean prediction of its rows.

figure, axes = plt.subplots(figsize=(10, 4), layout="constrained")
plot_tree(model.estimators_[0], max_depth=2, feature_names=list(few), impurity=False, precision=1, ax=axes, fontsize=9)
plt.show()

# %%
# Partial dependence by recursion, which reads the trees in place of predicting the rows again for each point:

figure, axes = plt.subplots(1, 4, figsize=(10, 3), layout="constrained", sharey=True)
PartialDependenceDisplay.from_estimator(model, few, list(few), method="recursion", ax=axes)
plt.show()

# %%
# With the package ``shap``, SHAP values of the same forest::
#
#     import shap
#
#     values = shap.TreeExplainer(model)(few)
#     shap.plots.beeswarm(values)
