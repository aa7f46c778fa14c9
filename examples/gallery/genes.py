"""
Which of 2,000 genes separate tumours from healthy tissue?
==========================================================

Gene expression has few rows and many columns, and genes of one pathway are correlated. A selection should keep some
genes of each informative pathway, and no others. The data are simulated: 200 pathways of ten genes, of which the first
three determine the class.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from pyrrf.sklearn import EliminationSelector

rng = np.random.default_rng(1)
pathways = rng.normal(size=(160, 200))
genes = np.repeat(pathways, 10, axis=1) + 0.7 * rng.normal(size=(160, 2000))
X = pd.DataFrame(genes, columns=[f"pathway {at // 10}, gene {at % 10}" for at in range(2000)])
y = np.where(pathways[:, :3].sum(axis=1) > 0, "tumour", "healthy")

# %%
# The selector keeps six genes. Each round drops those that contribute least to predictions of held-out rows.

selector = EliminationSelector(6, random_state=3).fit(X, y)
kept = selector.get_feature_names_out()
print(selector.credits_of_kept().round(3).to_string(index=False))

# %%
# All six belong to the three pathways. In the picture each column is a sample: in tumours the genes are red.

order = np.argsort(y, kind="stable")
figure, axes = plt.subplots(figsize=(8, 4), layout="constrained")
image = axes.imshow(X[sorted(kept)].iloc[order].T, aspect="auto", cmap="RdBu_r", vmin=-3, vmax=3)
axes.set_yticks(range(len(kept)), sorted(kept))
axes.set_xticks([(y == "healthy").sum() / 2, len(y) - (y == "tumour").sum() / 2], ["healthy", "tumour"])
axes.axvline((y == "healthy").sum() - 0.5, color="black")
axes.set_title("Expression of the six genes kept")
figure.colorbar(image, label="expression")
plt.show()
