"""Gamma times lambda over folds on splits of gene data; the features kept go to an ordinary forest."""

import numpy as np
import pandas as pd
from show import show

import pyrrf
import pyrrf.r as r

pyrrf.set_seed(40)
n, p = 48, 120
genes = pd.DataFrame(r.rexp(n * p).reshape((n, p), order="F"), columns=r.paste0("g", r.colon(1, p)))
genes.iloc[:, :6] += np.resize([0, 1, 2], n)[:, None]
genes = r.log2(1 + genes)
kind = r.factor(np.resize(["ALL", "AML", "MLL"], n))
spread = r.apply(genes, 2, r.sd)
genes = genes.iloc[:, r.order(spread, decreasing=True)[:60]]
genes = r.scale(genes)
show("centre", list(genes.attrs["scaled:center"].values()))
show("scale", list(genes.attrs["scaled:scale"].values()))
grid = r.expand_grid(gamma=r.seq(0, 1, 0.25), **{"lambda": [0.5, 1]})
folds = r.sample(r.rep([1, 2, 3, 4], length_out=n))
error = np.full((len(grid), 4), np.nan)
size = np.zeros((len(grid), 4))
for k in range(4):
    train = folds != k + 1
    rf = pyrrf.RRF(genes[train], kind[train], flagReg=0, ntree=50)
    imp = rf.importance.iloc[:, 0] / rf.importance.iloc[:, 0].max()
    for g in range(len(grid)):
        gamma, penalty = grid.loc[g, "gamma"], grid.loc[g, "lambda"]
        fit = pyrrf.RRF(genes[train], kind[train], coefReg=(1 - gamma) * penalty + gamma * imp, ntree=50)
        kept = fit.feaSet
        size[g, k] = len(kept)
        plain = pyrrf.RRF(genes[train].iloc[:, kept], kind[train], flagReg=0, ntree=50)
        predicted = pyrrf.predict(plain, genes[~train].iloc[:, kept])
        error[g, k] = r.mean(predicted.to_numpy() != np.asarray(kind[~train]))
show("error", error)
show("size", size)
grid["error"] = r.rowMeans(error)
grid["se"] = r.apply(error, 1, r.sd) / np.sqrt(4)
grid["size"] = r.apply(size, 1, r.median)
best = r.which_min(grid["error"])
within = np.flatnonzero(grid["error"] <= grid["error"][best] + grid["se"][best])
chosen = within[r.which_min(grid["size"].to_numpy()[within])]
show("chosen", grid.iloc[chosen])
show("by lambda", r.tapply(grid["error"], grid["lambda"], r.mean))
show("by both", r.aggregate(grid["size"], [grid["lambda"], grid["gamma"] > 0.5], r.mean)["x"])
show("cor", r.cor(grid["error"], grid["size"], method="spearman"))
show("cors", r.cor(genes.iloc[:, :5]))
gamma, penalty = grid["gamma"][chosen], grid["lambda"][chosen]
final = pyrrf.RRF(genes, kind, coefReg=(1 - gamma) * penalty + gamma * imp, ntree=100)
show("final", list(genes.columns[final.feaSet]))
show("confusion", final.confusion)
