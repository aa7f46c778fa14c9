"""Hybrid corn (scaled inputs, do.trace) and amphibians (coefReg as a matrix, rrfcv, partial plots)."""

import numpy as np
import pandas as pd
from show import show

import pyrrf
import pyrrf.r as r

boston = r.read_csv("../data/boston.csv").iloc[:150]
pyrrf.set_seed(77)
inputs = r.scale(boston.iloc[:, :13])
harvest = r.scale(boston["medv"]).to_numpy().ravel()
show("means", r.colMeans(inputs))
show("sds", r.sapply(inputs, r.sd))
inputs.loc[np.abs(inputs["rm"]) > 2, "crim"] = np.nan
inputs["crim"] = inputs["crim"].fillna(r.median(inputs["crim"], na_rm=True))
correlations = r.cor(inputs).to_numpy()
columns, rows = np.nonzero((np.triu(np.ones_like(correlations), 1) * np.abs(correlations) > 0.7).T)
show("high", np.column_stack([rows, columns]) + 1)
inputs = inputs.drop(columns=inputs.columns[r.unique(columns)])
test = np.arange(0, 150, 5)
train = np.setdiff1d(np.arange(150), test)
rf = pyrrf.RRF(inputs.iloc[train], harvest[train], flagReg=0, importance=True, ntree=60, do_trace=20)
imp = pyrrf.importance(rf, type=1, scale=False)
imp[imp < 0] = 0
weights = 0.3 + 0.7 * imp / imp.to_numpy().max()
show("weights", weights)
settings = {"coefReg": weights, "ntree": 60, "mtry": 3, "nodesize": 4, "importance": True}
grrf = pyrrf.RRF(inputs.iloc[train], harvest[train], **settings)
show("kept", list(inputs.columns[grrf.feaSet]))
pred = pyrrf.predict(grrf, inputs.iloc[test]).to_numpy()
show("rmse", np.sqrt(r.mean((pred - harvest[test]) ** 2)))
show("r", r.cor(pred, harvest[test]))
show("back", pred * r.sd(boston["medv"]) + r.mean(boston["medv"]))
show("mse", grrf.mse)
show("rsq", grrf.rsq[60])
part = pyrrf.partialPlot(grrf, inputs.iloc[train], "lstat", n_pt=7, plot=False)
show("partial", np.concatenate([part.x, part.y]))

ponds = pd.DataFrame(
    {
        "SR": r.round(r.rexp(120, 1 / 500)),
        "NR": r.rpois(120, 2),
        "TR": r.factor(r.sample(["a", "b", "d"], 120, True)),
        "VR": r.factor(r.sample(r.colon(0, 4), 120, True)),
        "OR": r.rbinom(120, 100, 0.7),
        "BR": r.rgamma(120, 2),
    }
)
frogs = r.factor(r.ifelse(ponds["NR"] + (ponds["TR"] == "a") + r.rnorm(120) > 2.5, "present", "absent"))
show("ponds", r.summary(ponds["SR"]))
show("counts", r.table(ponds["TR"], frogs))
show("shares", r.prop_table(r.table(ponds["TR"], frogs), 1))
first = pyrrf.RRF(ponds, frogs, flagReg=0, importance=True, ntree=80)
weights = first.importance[["MeanDecreaseGini"]]
weights = weights / weights.to_numpy().max()
second = pyrrf.RRF(ponds, frogs, coefReg=weights, ntree=80, importance=True)
show("importance", pyrrf.importance(second))
show("accuracy", pyrrf.importance(second, type=1, class_="present"))
show("oob", second.err_rate.loc[[1, 40, 80]])
cv = pyrrf.rrfcv(ponds, frogs, cv_fold=4, step=0.6, ntree=25)
show("cv", np.concatenate([cv.n_var, cv.error_cv]))
curve = pyrrf.partialPlot(second, ponds, "NR", which_class="present", plot=False)
show("curve", np.concatenate([curve.x, curve.y]))
bars = pyrrf.partialPlot(second, ponds, "TR", which_class="present", plot=False)
show("bars", bars.y)
show("outlier", pyrrf.outlier(pyrrf.RRF(ponds, frogs, proximity=True, ntree=40))[:10])
