"""
How strong should the penalty of a guided forest be?
====================================================

``GRRFSelector`` grows R's guided regularized forest: a larger ``gamma`` selects fewer features. ``GRRFSelectorCV``
tries several gammas by cross-validation. Of those with a score within one standard error of the best, it takes the one
that selects the fewest features.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

from pyrrf.sklearn import GRRFSelectorCV, PathDisplay, grrf_path

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
few = {"guide": 100, "n_estimators": 30, "random_state": 1}

# %%
# The path shows how many features each gamma selects.

path = grrf_path(X, y, gammas=6, **few)
for gamma, size in zip(path.gammas, path.n_features, strict=True):
    print(f"gamma {gamma:.1f}: {size} features")

# %%
# Cross-validation shows their errors. The nested error is computed on rows that are not used to choose gamma.

chosen = GRRFSelectorCV(gammas=6, cv=4, **few).fit(X, y)
print(f"gamma {chosen.gamma_:.1f} keeps {chosen.n_features_} of {X.shape[1]} features")
print(", ".join(chosen.get_feature_names_out()))
print(f"nested error {1 - chosen.nested_score_:.3f}")

# %%
# Each point is a gamma. The error hardly grows until few features are left.

PathDisplay.from_estimator(chosen)
plt.show()
