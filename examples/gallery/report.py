"""
How do I show colleagues what was selected, and why?
====================================================

``pyrrf.report`` writes one HTML page with the selected features and the evidence for them. The page contains its
pictures and loads nothing, so it can be sent by mail. Its last part has the code, seed and versions to repeat the fit.
"""

import re
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine

import pyrrf
from pyrrf.sklearn import EliminationSelector, ImportanceDisplay, PathDisplay

X, y = load_wine(return_X_y=True, as_frame=True)
selector = EliminationSelector(n_estimators=50, step=0.3, cv=3, nested=True, random_state=1).fit(X, y)
print(f"{selector.n_features_} of {X.shape[1]} features: {', '.join(selector.get_feature_names_out())}")

# %%
# The page and its sections:

with tempfile.TemporaryDirectory() as folder:
    page = pyrrf.report(selector, Path(folder) / "wine.html", X, y, source="wine", target="cultivar")
    text = page.read_text()
print(f"{page.name}: {len(text) / 1000:.0f} kB")
print("\n".join(re.findall("<h2[^>]*>(.*?)</h2>", text)))

# %%
# Two of its pictures: the error of each number of features, and the score of each selected feature.

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4), layout="constrained")
PathDisplay.from_estimator(selector, ax=left)
ImportanceDisplay.from_estimator(selector, ax=right)
plt.show()
