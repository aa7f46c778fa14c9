"""A loop over gamma with seq(), the table of predictions, and shares: what stands around the forests of many kernels.

Run in this folder. gamma_loop.R prints the same lines.
"""

import numpy as np
import pandas as pd

import pyrrf
import pyrrf.r as r

data = pd.read_csv("data/iris.csv", dtype={"Species": "category"})
data["Width"] = r.cut(data["Sepal.Width"], breaks=4)
pyrrf.set_seed(11)
rows = r.sample(len(data), r.round(0.7 * len(data))) - 1
train = data.iloc[rows]
test = data.drop(data.index[rows])


def print_table(counts):
    for label, row in counts.iterrows():
        print(label, *row)


print_table(r.table(train["Width"], train["Species"]))

x = train[["Sepal.Length", "Petal.Length", "Petal.Width", "Width"]]
forest = pyrrf.RRF(x, train["Species"], flagReg=0, ntree=60)
importance = forest.importance["MeanDecreaseGini"]
importance = importance / r.max(importance)
best = None
for gamma in r.seq(0.1, 0.9, by=0.1):
    weights = (1 - gamma) + gamma * importance
    fit = pyrrf.RRF(x, train["Species"], coefReg=weights, flagReg=1, ntree=60, maxnodes=6)
    predicted = pyrrf.predict(fit, test)
    counts = r.table(predicted, test["Species"])
    accuracy = r.sum(np.diag(counts)) / r.sum(counts)
    print(f"gamma {gamma:.17g}: {len(fit.feaSet)} features, accuracy {accuracy:.17g}")
    row = [gamma, accuracy, r.mean(weights), r.sd(weights)]
    best = [row] if best is None else r.rbind(best, row)
print_table(counts)
for share in r.prop_table(counts, 1).to_numpy().ravel(order="F"):
    print(f"share {share:.17g}")
for value in r.colMeans(best):
    print(f"{value:.17g}")
ranked = r.order(best[:, 1], best[:, 0], decreasing=True)
print(*(f"{gamma:.17g}" for gamma in best[ranked, 0]))
print(f"next draw {pyrrf.runif(1)[0]:.15g}")
