"""A sweep over lambda and gamma by formula on caret's folds; the pair with the best mean is fitted to all rows.

Run in this folder; needs the extra formula. formula_sweep.R prints the same lines.
"""

import numpy as np
import pandas as pd

import pyrrf
import pyrrf.r as r

data = pd.read_csv("data/iris.csv", dtype={"Species": "category"})
pyrrf.set_seed(3)
inside = r.createDataPartition(data["Species"], p=0.8, list=False)
train = data.iloc[inside]
folds = r.createFolds(train["Species"], k=4)
grid = r.expand_grid(**{"lambda": [0.7, 0.85, 1], "gamma": r.seq(0, 1, 0.5)})
grid["accuracy"] = 0.0
grid["kept"] = 0.0
for i in range(len(grid)):
    found = []
    for fold in folds.values():
        rest = train.drop(train.index[fold])
        guide = pyrrf.RRF("Species ~ .", data=rest, flagReg=0, ntree=40)
        gini = guide.importance["MeanDecreaseGini"]
        weights = (1 - grid["gamma"][i]) * grid["lambda"][i] + grid["gamma"][i] * gini / r.max(gini)
        fit = pyrrf.RRF("Species ~ .", data=rest, coefReg=weights, ntree=40)
        right = np.asarray(pyrrf.predict(fit, train.iloc[fold])) == np.asarray(train["Species"].iloc[fold])
        found.append([r.mean(right), len(fit.feaSet)])
    found = r.rbind(*found)
    grid.loc[i, "accuracy"] = r.mean(found[:, 0])
    grid.loc[i, "kept"] = r.mean(found[:, 1])
for row in grid.itertuples(index=False):
    print("{:g} {:g}: {:.17g}, {:.17g} features".format(*row))
print(f"{r.var(grid['accuracy']):.17g} {r.median(grid['accuracy']):.17g}")
best = grid.iloc[r.order(-grid["accuracy"], grid["kept"])].iloc[0]
print(f"best lambda {best['lambda']:g}, gamma {best['gamma']:g}")
for gamma, accuracy in r.tapply(grid["accuracy"], grid["gamma"], r.mean).items():
    print(f"gamma {r.label(gamma)}: {accuracy:.17g}")
final = pyrrf.RRF("Species ~ .", data=train, coefReg=best["lambda"], ntree=40)
test = data.drop(data.index[inside])
result = r.confusionMatrix(pyrrf.predict(final, test), test["Species"])
for value in result.overall:
    print(f"{value:.17g}")
print(f"next draw {pyrrf.runif(1)[0]:.15g}")
