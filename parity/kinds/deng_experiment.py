"""An experiment as in Deng's scripts: forests, RRF and GRRF on random halves, judged by randomForest."""

import numpy as np
import pandas as pd
from show import show

import pyrrf
import pyrrf.r as r

pyrrf.set_collate("C")
vehicle = r.read_csv("../data/vehicle.csv", stringsAsFactors=True)
third = vehicle.iloc[::3]
x = third.iloc[:, :18].reset_index(drop=True)
classes = third.iloc[:, 18].array
n = len(x)
errors = {"RF": [], "RRF": [], "GRRF": [], "GRF": []}
sizes = []
pyrrf.set_seed(2013)
for _ in range(4):
    train = r.sample(n, int(r.round(n * 2 / 3))) - 1
    test = np.setdiff1d(np.arange(n), train)
    trn, tst, trn_class, tst_class = x.iloc[train], x.iloc[test], classes[train], classes[test]
    forest = pyrrf.RRF(trn, trn_class, flagReg=0, ntree=50)
    gini = forest.importance["MeanDecreaseGini"]
    imp = gini / gini.max()
    rrf = pyrrf.RRF(trn, trn_class, coefReg=0.8, ntree=50)
    gamma = 0.5
    grrf = pyrrf.RRF(trn, trn_class, coefReg=(1 - gamma) + gamma * imp, ntree=50)
    gamma = 1
    grf = pyrrf.RRF(trn, trn_class, flagReg=0, coefReg=(1 - gamma) + gamma * imp, ntree=50)
    on_rrf = pyrrf.randomForest(trn.iloc[:, rrf.feaSet], trn_class, ntree=50)
    on_grrf = pyrrf.randomForest(trn.iloc[:, grrf.feaSet], trn_class, ntree=50)
    pairs = (
        ("RF", forest, tst),
        ("RRF", on_rrf, tst.iloc[:, rrf.feaSet]),
        ("GRRF", on_grrf, tst.iloc[:, grrf.feaSet]),
    )
    for name, fit, rows in pairs:
        errors[name].append(1 - np.sum(pyrrf.predict(fit, rows).to_numpy() == np.asarray(tst_class)) / len(test))
    errors["GRF"].append(r.mean(pyrrf.predict(grf, tst).to_numpy() != np.asarray(tst_class)))
    sizes.append((len(rrf.feaSet), len(grrf.feaSet)))
    show("kept", list(x.columns[grrf.feaSet]))
    show("used", r.sort(r.table(x.columns[pyrrf.varUsed(grf, count=False)])))
show("errors", np.concatenate(list(errors.values())))
show("numbers", np.array(sizes))
table = pd.DataFrame(errors)
show("means", r.sapply(table, r.mean))
show("sds", r.apply(table, 2, r.sd))
show("ranks", r.rowMeans(r.apply(table, 1, r.rank)))
less = np.array(errors["GRRF"]) - np.array(errors["RRF"])
show("test", r.mean(less) / (r.sd(less) / np.sqrt(len(less))))
show("power", r.power(imp / imp.max(), 1.5))
show("quantiles", r.quantile(imp, [0.05, 0.333, 0.95]))
show("top", list(r.sort(gini, decreasing=True).index[:5]))
show("margin", r.summary(pyrrf.margin(forest)))
show("next", r.runif(2))
