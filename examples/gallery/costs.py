"""
Which features are worth what they cost?
========================================

Some features are cheap, such as age and body mass index, and others need a laboratory. ``feature_cost`` divides the
credit of each feature by its cost, so that an expensive one is selected only if its credit is higher by that factor.
The prices here are made up.
"""

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.datasets import load_diabetes
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import cross_val_score

from pyrrf.sklearn import EliminationSelector

X, y = load_diabetes(return_X_y=True, as_frame=True)
cost = pd.Series({name: 5.0 if name.startswith("s") and name != "sex" else 1.0 for name in X})
print(cost.to_string())

# %%
# One fit has the subsets of all sizes. For each size, the price of the subset and its cross-validated R² are computed,
# once with costs and once without.

curves = {}
for label, prices in {"without costs": None, "with costs": cost}.items():
    selector = EliminationSelector(1, feature_cost=prices, task="regression", random_state=1).fit(X, y)
    subsets = [X.columns[selector.support_at(size)] for size in range(1, X.shape[1] + 1)]
    scores = [cross_val_score(RidgeCV(), X[names], y, cv=10).mean() for names in subsets]
    curves[label] = pd.DataFrame({"price": [cost[names].sum() for names in subsets], "R²": scores})
    print(f"\n{label}; the order of the features: {', '.join(X.columns[selector.path_])}")
    print(curves[label].round(3).to_string(index=False))

# %%
# With costs the same R² costs less: the curve rises further to the left.

figure, axes = plt.subplots(layout="constrained")
for label, curve in curves.items():
    axes.plot(curve["price"], curve["R²"], "o-", label=label)
axes.set(xlabel="price of the features kept", ylabel="cross-validated R²", title="What each subset costs, and is worth")
axes.legend(loc="lower right")
plt.show()
