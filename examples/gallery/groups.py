"""
What if features come in groups?
================================

``feature_groups`` selects or drops the features of a group together. Here ten properties of cell nuclei have three
features each: mean, standard error and worst value. They are measured together, so the number of properties counts, not
the number of features.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from pyrrf.sklearn import EliminationSelector

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
kinds = ["mean", "error", "worst"]
group = {name: " ".join(word for word in name.split() if word not in kinds) for name in X}

# %%
# Nine features without groups, and three groups of three:

single = EliminationSelector(9, random_state=1).fit(X, y)
grouped = EliminationSelector(3, feature_groups=group, random_state=1).fit(X, y)
for label, selector in {"nine features": single, "three groups": grouped}.items():
    names = selector.get_feature_names_out()
    judge = make_pipeline(StandardScaler(), LogisticRegression())
    score = cross_val_score(judge, X[names], y, cv=5).mean()
    print(f"{label}: {len({group[name] for name in names})} properties to measure, accuracy {score:.3f}")

# %%
# The picture has a cell for each feature.

properties = sorted(set(group.values()))
figure, panels = plt.subplots(1, 2, sharey=True, figsize=(7, 4), layout="constrained")
for axes, (title, selector) in zip(panels, {"without groups": single, "with groups": grouped}.items(), strict=True):
    kept = pd.DataFrame(0, index=properties, columns=kinds)
    for name in selector.get_feature_names_out():
        kept.loc[group[name], next(kind for kind in kinds if kind in name.split())] = 1
    axes.pcolormesh(np.asarray(kept), edgecolors="white", cmap="Blues", vmax=1.3)
    axes.set_xticks(np.arange(3) + 0.5, kinds)
    axes.set_yticks(np.arange(10) + 0.5, properties)
    axes.set_title(f"{title}: {kept.max(axis=1).sum()} properties")
plt.show()
