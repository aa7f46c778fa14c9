"""
Do rows fall into groups, if there is no target?
================================================

Without a target, a forest learns to distinguish the rows from rows whose columns were shuffled. Two rows that end in
the same leaves are near each other. A map of these proximities shows groups without labels.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.cluster import AgglomerativeClustering
from sklearn.datasets import load_wine
from sklearn.metrics import adjusted_rand_score

import pyrrf

bunch = load_wine(as_frame=True)
X, cultivar = bunch.data, bunch.target

# %%
# The forest gets the measurements only.

fit = pyrrf.randomForest(X, ntree=1000, proximity=True, seed=1)
near = np.asarray(fit.proximity)
print(f"proximity of {len(near)} wines, from {near.min():.2f} to {near.max():.2f}")

# %%
# Three clusters of the proximities are nearly the three cultivars, which the forest has not seen:

cluster = AgglomerativeClustering(3, metric="precomputed", linkage="average").fit_predict(1 - near)
print(pd.crosstab(cultivar, cluster, rownames=["cultivar"], colnames=["cluster"]))
print(f"adjusted Rand index {adjusted_rand_score(cultivar, cluster):.2f}")

# %%
# The map, in the colours of the cultivars:

pyrrf.MDSplot(fit, [f"cultivar {number + 1}" for number in cultivar], main="Wines by their proximities")
plt.show()
