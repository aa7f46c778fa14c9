"""
What if the table does not fit into memory?
===========================================

The forests read a memory map of float32 without a copy, and predict new rows in batches. ``EliminationSelector`` looks
at no more than 4,000 rows in each round. The map here is small so that the page is built quickly; ten million rows take
the same calls.
"""

import tempfile

import matplotlib.pyplot as plt
import numpy as np

import pyrrf
from pyrrf.sklearn import EliminationSelector

rng = np.random.default_rng(1)
shape = (80_000, 20)
with tempfile.TemporaryFile() as file:  # in place of "rows.bin"
    rng.standard_normal(shape, np.float32).tofile(file)
    X = np.memmap(file, np.float32, "r", shape=shape)
y = np.where(X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(size=len(X)) > 0, "yes", "no")
print(f"{len(X):,} rows and {X.shape[1]} columns, {X.nbytes / 1e6:.1f} MB on disk")

# %%
# The selector finds the three columns that decide:

selector = EliminationSelector(3, n_estimators=50, random_state=1).fit(X, y)
print("kept:", sorted(selector.selected_.tolist()))

# %%
# How many rows does a forest need? The first rows of a map are a map, too. The last 16,000 rows are predicted in
# batches of 4,000, of which one is in memory at a time.

sizes, errors, last = [1_000, 8_000, 64_000], [], 64_000
for size in sizes:
    fit = pyrrf.RRF(X[:size], y[:size], ntree=20, nodesize=20, flagReg=0, engine="parallel", seed=1)
    batches = (X[at : at + 4_000] for at in range(last, len(X), 4_000))
    errors.append(np.mean(pyrrf.predict(fit, batches) != y[last:]))
    print(f"{size:7,} rows: error {errors[-1]:.3f}")

# %%
# The more rows of the map, the lower the error:

figure, axes = plt.subplots(layout="constrained")
axes.semilogx(sizes, errors, "o-")
axes.set(xlabel="rows of the map that are fitted", ylabel="error on new rows", title="What more rows are worth")
plt.show()
