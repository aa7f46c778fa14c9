"""
How do I use several processes, or a cluster?
=============================================

``joblib.parallel_config`` decides where the folds of a selection run: in threads, in processes, or on the machines of a
Dask cluster. The selector is the same, and so are the results, to the last bit.
"""

import joblib
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_wine

from pyrrf.sklearn import EliminationSelector, PathDisplay

X, y = load_wine(return_X_y=True, as_frame=True)
selector = EliminationSelector(n_estimators=50, cv=4, random_state=1)

# %%
# Here, one after the other:

here = selector.fit(X, y).cv_results_
print("here:     ", ", ".join(selector.get_feature_names_out()))

# %%
# In two processes. On a Dask cluster the backend is ``"dask"``, after ``Client("tcp://scheduler:8786")`` of
# ``dask.distributed``.

with joblib.parallel_config(backend="loky", n_jobs=2):
    there = selector.set_params(n_jobs=2).fit(X, y).cv_results_
print("processes:", ", ".join(selector.get_feature_names_out()))
same = all(np.array_equal(here[name], there[name]) for name in here)
print("the scores of all folds are the same:", same)

# %%
# The crosses of the first fit lie on the curve of the second.

display = PathDisplay.from_estimator(selector)
display.ax_.plot(here["n_features"], 1 - here["mean_test_score"], "x", color="black", markersize=9, label="one process")
display.ax_.legend()
plt.show()
