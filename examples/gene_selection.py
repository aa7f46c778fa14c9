"""Guided gene selection: for each gamma the genes that GRRF keeps, and a plain forest on them.

Run in this folder. gene_selection.R prints the same lines.
"""

import numpy as np
import pandas as pd

import pyrrf

pyrrf.set_seed(2)
n = 60
p = 400
x = pd.DataFrame(pyrrf.rnorm(n * p).reshape(n, p, order="F"))
x.columns = [f"gene{i}" for i in range(1, p + 1)]
tumour = np.tile([True, False], n // 2)
x.iloc[tumour, :6] += 1.5
y = np.where(tumour, "tumour", "normal")

ordinary = pyrrf.RRF(x, y, flagReg=0, ntree=200)
imp = ordinary.importance["MeanDecreaseGini"]
imp = imp / imp.max()

for gamma in (0, 0.2, 0.4, 0.6, 0.8, 1):
    fit = pyrrf.RRF(x, y, coefReg=(1 - gamma) + gamma * imp, flagReg=1, ntree=200)
    genes = fit.feature_names
    plain = pyrrf.RRF(x[genes], y, flagReg=0, ntree=200)
    error = plain.err_rate.loc[200, "OOB"]
    print(f"gamma {gamma:.1f} keeps {len(genes)} genes, error of a plain forest on them {error:.15g}")

gamma = 0.4
fit = pyrrf.RRF(x, y, coefReg=(1 - gamma) + gamma * imp, flagReg=1, ntree=200)
for gene in fit.feature_names:
    print(f"{gene} {fit.importance.loc[gene, 'MeanDecreaseGini']:.15g}")

# Error of selection and forest together, by cross-validation.
fold = pyrrf.sample(np.resize(np.arange(1, 6), n))
wrong = 0
for k in range(1, 6):
    train = fold != k
    ordinary = pyrrf.RRF(x[train], y[train], flagReg=0, ntree=200)
    imp = ordinary.importance["MeanDecreaseGini"]
    coef_reg = (1 - gamma) + gamma * imp / imp.max()
    fit = pyrrf.RRF(x[train], y[train], coefReg=coef_reg, flagReg=1, ntree=200)
    genes = fit.feature_names
    plain = pyrrf.RRF(x.loc[train, genes], y[train], flagReg=0, ntree=200)
    predicted = pyrrf.predict(plain, x.loc[~train, genes])
    wrong += int((predicted != y[~train]).sum())
    print(f"fold {k}: {len(genes)} genes, {wrong} wrong so far")
print(f"next draw {pyrrf.runif(1)[0]:.15g}")
