"""
Does it take polars tables, and give polars tables back?
========================================================

Polars tables are accepted: numbers, booleans, nulls, and ``Enum`` columns as categories. With
``set_output(transform="polars")`` the selected features are returned as a polars table. The data are simulated: income,
usage and plan determine whether a customer leaves.
"""

import matplotlib.pyplot as plt
import numpy as np
import polars as pl

from pyrrf.sklearn import EliminationSelector, ImportanceDisplay

rng = np.random.default_rng(1)
n = 400
plan = rng.choice(["basic", "plus", "pro"], n)
income, usage = rng.lognormal(3, 0.5, n), rng.gamma(2, 10, n)
leaves = (plan == "basic") * 1.5 - usage / 15 + (income < 18) + rng.normal(size=n) > 0
table = pl.DataFrame(
    {
        "plan": pl.Series(plan, dtype=pl.Enum(["basic", "plus", "pro"])),
        "income": pl.Series(np.where(rng.random(n) < 0.1, np.nan, income)).fill_nan(None),
        "usage": usage,
        "newsletter": rng.random(n) < 0.5,
        **{f"noise {at}": rng.normal(size=n) for at in range(8)},
        "left": pl.Series(leaves),
    }
)
X, y = table.drop("left"), table["left"]
print(f"{X.height} customers, {X.width} columns, {X['income'].null_count()} incomes missing")

# %%
# The selector chooses the number of features.

selector = EliminationSelector(cv=3, random_state=1).set_output(transform="polars").fit(X, y)
print(selector.transform(X).head(3))

# %%
# The score of each selected column:

display = ImportanceDisplay.from_estimator(selector)
display.ax_.set_title("What predicts that a customer leaves")
plt.show()
