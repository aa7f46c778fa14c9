"""
How strong should the penalty of a guided forest be?
====================================================

``GRRFSelector`` grows R's guided regularized forest: the larger ``gamma``, the fewer features it keeps.
``GRRFSelectorCV`` tries a path of gammas on folds, and takes the one that keeps the fewest features among those that
are nearly as good as the best.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

from pyrrf.sklearn import GRRFSelectorCV, PathDisplay, grrf_path

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
few = {"guide_n_estimators": 100, "n_estimators": 30, "random_state": 1}

# %%
# The path alone shows how many features each penalty keeps.

path = grrf_path(X, y, gammas=6, **few)
for gamma, size in zip(path.gammas, path.n_features, strict=True):
    print(f"gamma {gamma:.1f}: {size} features")

# %%
# Folds show what they are worth. The nested error is that of the whole choice, on rows that no part of it has seen.

chosen = GRRFSelectorCV(gammas=6, cv=4, **few).fit(X, y)
print(f"gamma {chosen.gamma_:.1f} keeps {chosen.n_features_} of {X.shape[1]} features")
print(", ".join(chosen.get_feature_names_out()))
print(f"nested error {1 - chosen.nested_score_:.3f}")

# %%
# Each point is a gamma. The error hardly grows until few features are left.

PathDisplay.from_estimator(chosen)
plt.show()
