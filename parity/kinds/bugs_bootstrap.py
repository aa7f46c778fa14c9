"""Bugs (classwt by name), prices by formula, malaria's bootstrap, imports85 with na.roughfix."""

import numpy as np
from show import show

import pyrrf
import pyrrf.r as r

votes = r.read_csv("../data/votes.csv", stringsAsFactors=True)
pyrrf.set_seed(12)
party = votes.iloc[:, -1]
bugs = r.as_factor((party == party.cat.categories[0]).astype(int))
code = votes.iloc[:, :-1]
rows = r.sample(r.colon(1, len(code)), size=int(0.6 * len(code))) - 1
rest = np.setdiff1d(np.arange(len(code)), rows)
weights = {"0": 1, "1": np.sum(bugs == 0) / np.sum(bugs == 1)}
show("weights", list(weights.values()))
settings = {"classwt": weights, "coefReg": 0.7, "ntree": 60, "cutoff": [0.4, 0.6], "sampsize": [30, 25]}
fit = pyrrf.RRF(code.iloc[rows], bugs[rows], **settings)
tab = r.table(pyrrf.predict(fit, code.iloc[rest]), bugs[rest]).to_numpy()
precision = tab[1, 1] / tab[1].sum()
recall = tab[1, 1] / tab[:, 1].sum()
show("f1", r.c(tab, precision, recall, 2 * precision * recall / (precision + recall)))
show("prob", pyrrf.predict(fit, code.iloc[rest], type="prob").iloc[:, 1])
show("kept", list(code.columns[fit.feaSet]))
show("class error", fit.confusion)

cars = r.read_csv("../data/imports85.csv", stringsAsFactors=True).drop(columns=["make", "symboling"])
cars["price"] = r.log1p(cars["price"])
holes = r.sample(len(cars), 12) - 1
cars["horsepower"] = cars["horsepower"].astype(float)
cars.loc[holes, "horsepower"] = np.nan
cars.loc[r.sample(len(cars), 9) - 1, "bodyStyle"] = np.nan
show("holes", cars.isna().sum())
cars = pyrrf.na_roughfix(cars)
show("filled", r.c(cars["horsepower"][holes], r.summary(cars["bodyStyle"])))
part = r.cut(
    cars["price"], r.quantile(cars["price"], np.arange(4) / 3), include_lowest=True, labels=["low", "mid", "high"]
)
show("parts", r.table(part))
groups = r.split(np.arange(len(cars)), part)
split = np.concatenate([r.sample(i, int(len(i) * 0.7)) for i in groups.values()])
show("split", split + 1)
others = np.setdiff1d(np.arange(len(cars)), split)
train, test = cars.iloc[split], cars.iloc[others]
models = {
    "rrf": pyrrf.RRF("price ~ .", train, coefReg=0.9, ntree=50),
    "rf": pyrrf.randomForest("price ~ .", train, ntree=50),
    "few": pyrrf.RRF("price ~ horsepower + curbWeight + fuelType", train, ntree=50, flagReg=0),
}
for name, model in models.items():
    p = pyrrf.predict(model, test).to_numpy()
    y = test["price"].to_numpy()
    square = (y - p) ** 2
    r2 = 1 - r.sum(square) / r.sum((y - r.mean(y)) ** 2)
    show(name, [np.sqrt(r.mean(square)), r.mean(np.abs(y - p)), r2, r.max(r.expm1(p))])

inputs, price = cars.drop(columns="price"), cars["price"].to_numpy()
kept = np.zeros((6, inputs.shape[1]))
score = []
for b in range(6):
    boot = r.sample(len(cars), replace=True) - 1
    out = np.setdiff1d(np.arange(len(cars)), boot)
    guide = pyrrf.randomForest(inputs.iloc[boot], price[boot], ntree=30, importance=True)
    imp = pyrrf.importance(guide, type=1).to_numpy()
    imp = (imp - imp.min()) / (imp.max() - imp.min())
    fit = pyrrf.RRF(inputs.iloc[boot], price[boot], coefReg=0.5 + 0.5 * imp, ntree=30)
    kept[b, fit.feaSet] = 1
    score.append(r.cor(pyrrf.predict(fit, inputs.iloc[out]), price[out]) ** 2)
show("frequency", r.colMeans(kept))
show("score", r.c(score, r.quantile(score, [0.025, 0.975], type=6)))
show("order", list(inputs.columns[r.order(r.colMeans(kept), decreasing=True)][:5]))
show("levels", r.levels(cars["bodyStyle"]))
show("medians", r.tapply(cars["price"], cars["bodyStyle"], r.median))
show("state", r.runif(1))
