"""KnowGRRF: prior knowledge and a power of it as weights, selection by how often a feature is kept."""

import numpy as np
import pandas as pd
from show import show

import pyrrf
import pyrrf.r as r

pyrrf.set_seed(1)
x = pd.DataFrame(r.rnorm(60 * 40).reshape((60, 40), order="F"), columns=r.paste0("X", r.colon(1, 40)))
b = r.seq(0.1, 2.2, 0.2)
D = x.shape[1]
y = x["X6"] + x["X7"] + b[6] * x["X8"] + b[8] * x["X9"] + r.rnorm(60, sd=0.5)
y = r.factor(r.ifelse(y > 0, "case", "control"))
known = np.concatenate([np.repeat(0.9, 10), np.repeat(0.4, D - 10)])

rf = pyrrf.RRF(x, y, flagReg=0, ntree=80)
imp = rf.importance["MeanDecreaseGini"].to_numpy()
imp = imp / imp.max()


def select(weights, times):
    kept = np.zeros(D)
    for i in range(1, times + 1):
        pyrrf.set_seed(i)
        kept[pyrrf.RRF(x, y, coefReg=weights, ntree=40).feaSet] += 1
    return kept


powers = r.seq(0.25, 1.5, by=0.25)
aic = []
for delta in powers:
    freq = select(r.power(known, delta), 5)
    stable = np.flatnonzero(freq / 5 > 0.3)
    pyrrf.set_seed(100)
    check = pyrrf.randomForest(x.iloc[:, stable], y, ntree=60)
    own = check.votes.to_numpy()[np.arange(60), y.codes]
    aic.append(2 * len(stable) - 2 * r.sum(r.log(r.pmax(own, 0.01))))
    show("freq", freq)
show("aic", aic)
best = powers[r.which_min(aic)]
show("best", best)
scaled = (imp - imp.min()) / (imp.max() - imp.min())
scaled[scaled == 0] = 1e-3
guides = {"known": r.power(known, best), "mixed": r.pmin(1, (known + imp) / 2), "scaled": scaled}
sizes = []
for weights in guides.values():
    pyrrf.set_seed(7)
    sizes.append(len(pyrrf.RRF(x, y, coefReg=weights, ntree=60).feaSet))
show("sizes", sizes)
freq = select(guides["mixed"], 6)
top = list(x.columns[r.order(-freq, x.columns)][:6])
show("top", top)
final = pyrrf.randomForest(x[top], y, ntree=100, importance=True)
show("importance", pyrrf.importance(final, scale=False))
show("oob", final.err_rate.loc[100])
p = final.votes["case"].to_numpy()
positive = y == "case"
count = positive.sum()
auc = (r.sum(r.rank(p)[positive]) - count * (count + 1) / 2) / (count * (~positive).sum())
show("auc", auc)
show("table", r.table(r.cut(p, [0, 0.25, 0.5, 0.75, 1], include_lowest=True), y))
