"""
How do I select among numbers, categories and missing values in a pipeline?
===========================================================================

The selector accepts categories and missing values, so nothing has to be encoded or imputed before it. As a step of a
pipeline it selects anew in each fold, so that the cross-validated score is not too high.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

import pyrrf
from pyrrf.sklearn import EliminationSelector, ImportanceDisplay

cars = pyrrf.datasets.load_imports85().dropna(subset="price")
X, y = cars.drop(columns="price"), np.log(cars["price"])
print(f"{len(X)} cars; {X.select_dtypes('number').shape[1]} numbers, {X.select_dtypes('category').shape[1]} categories")
print(X.isna().sum()[lambda missing: missing > 0].to_string())

# %%
# The selector passes a table on, so that the next step sees the categories, too.

selector = EliminationSelector(6, random_state=1).set_output(transform="pandas")
judge = HistGradientBoostingRegressor(categorical_features="from_dtype", random_state=1)
steps = make_pipeline(selector, judge)
print(f"all 25 columns:  R² {cross_val_score(judge, X, y, cv=3).mean():.3f}")
print(f"six in each fold: R² {cross_val_score(steps, X, y, cv=3).mean():.3f}")

# %%
# Fitted to all rows, the step shows the selected features: numbers and categories.

steps.fit(X, y)
print(steps[:-1].transform(X).dtypes.to_string())
display = ImportanceDisplay.from_estimator(steps[0])
display.ax_.set_title("What six columns say about the price of a car")
plt.show()
