"""
Would other rows have given the same features?
==============================================

The seed can decide which of several correlated features is selected. ``StabilitySelector`` fits a selector to many
random halves of the rows and selects the features that enough halves select. The expected number of selected features
that are independent of y is at most one here.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine

from pyrrf.sklearn import GRRFSelector, StabilityDisplay, StabilitySelector

X, y = load_wine(return_X_y=True, as_frame=True)
few = GRRFSelector(gamma=0.9, guide=50, n_estimators=20)

# %%
# A guided forest is fast enough for many fits. Here three seeds give three subsets:

for seed in (1, 2, 3):
    names = few.set_params(random_state=seed).fit(X, y).get_feature_names_out()
    print(f"seed {seed}: {', '.join(names)}")

# %%
# On 25 pairs of halves:

stable = StabilitySelector(few, n_pairs=25, n_removals=0, random_state=1).fit(X, y)
print(f"kept: {', '.join(stable.get_feature_names_out())}")
print(f"a half keeps {stable.n_features_half_:.1f} features on average")
print(f"noise features expected: at most {stable.pfer_bound_:.2f}")

# %%
# The bars show the share of the halves that select each feature. Features that reach the threshold are selected.

StabilityDisplay.from_estimator(stable, max_features=12)
plt.show()
