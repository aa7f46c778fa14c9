"""What caret's train() does for its models RRFglobal and RRF, written as loops."""

import numpy as np
import pandas as pd
from show import show

import pyrrf
import pyrrf.r as r


def plain(x, y, setting, ntree):
    return pyrrf.RRF(x, y, mtry=setting["mtry"], coefReg=setting["coefReg"], ntree=ntree)


def guided(x, y, setting, ntree):
    first = pyrrf.randomForest(x, y, mtry=setting["mtry"], ntree=ntree, importance=True)
    gini = pyrrf.importance(first)["MeanDecreaseGini" if first.type == "classification" else "%IncMSE"]
    weights = (1 - setting["coefImp"]) * setting["coefReg"] + setting["coefImp"] * (gini / r.max(gini))
    return pyrrf.RRF(x, y, mtry=setting["mtry"], coefReg=weights, ntree=ntree)


def judged(predicted, truth):
    if isinstance(truth, pd.Categorical):
        return r.confusionMatrix(r.factor(predicted), truth).overall.to_numpy()
    predicted = np.asarray(predicted)
    error = predicted - truth
    correlation = r.cor(predicted, truth, use="pairwise.complete.obs")
    return r.c(r.sqrt(r.mean(error**2)), correlation**2, r.mean(np.abs(error)))


def train(x, y, fit, grid, index, seeds, ntree, names, best):
    scores = np.zeros((len(grid), len(index), len(names)))
    for k, rows in enumerate(index.values()):
        rest = np.setdiff1d(np.arange(len(x)), rows)
        for g, setting in enumerate(grid.to_dict("records")):
            pyrrf.set_seed(seeds[k][g])
            forest = fit(x.iloc[rows], y[rows], setting, ntree)
            scores[g, k] = judged(pyrrf.predict(forest, x.iloc[rest]), y[rest])
    results = grid.copy()
    for m, name in enumerate(names):
        results[name] = r.apply(scores[:, :, m], 1, r.mean)
        results[name + "SD"] = r.apply(scores[:, :, m], 1, r.sd)
    results = results.iloc[r.order(*(results[name] for name in grid))]
    winner = results[grid.columns].iloc[best(results[names[0]])]
    pyrrf.set_seed(seeds[-1][0])
    return results, winner, fit(x, y, winner, ntree)


sonar = r.read_csv("../data/sonar.csv", stringsAsFactors=True)
x = sonar.iloc[:, :20]
y = sonar.iloc[:, -1].array
pyrrf.set_seed(31)
index = r.createFolds(y, k=3, returnTrain=True)
grid = r.expand_grid(mtry=[2, 6], coefReg=[0.4, 0.9])
seeds = [r.sample_int(1000, len(grid)) for _ in range(3)] + [r.sample_int(1000, 1)]
accuracy = ["Accuracy", "Kappa"]
results, winner, final = train(x, y, plain, grid, index, seeds, 40, accuracy, r.which_max)
for column in ("mtry", "coefReg", "Accuracy", "Kappa", "AccuracySD", "KappaSD"):
    show(column, results[column])
show("best", winner)
show("kept", final.feaSet + 1)
show("votes", final.votes)
show("predicted", pyrrf.predict(final, x).array)

grid = r.expand_grid(mtry=[4], coefReg=[0.5, 1], coefImp=[0.2, 0.7])
seeds = [r.sample_int(1000, len(grid)) for _ in range(3)] + [r.sample_int(1000, 1)]
results, winner, final = train(x, y, guided, grid, index, seeds, 40, accuracy, r.which_max)
for column in ("coefReg", "coefImp", "Accuracy", "Kappa", "AccuracySD", "KappaSD"):
    show(column, results[column])
show("best", winner)
show("kept", final.feaSet + 1)
show("gini", final.importance)

boston = r.read_csv("../data/boston.csv")
price = boston["medv"].to_numpy()[:120]
inputs = boston.iloc[:120].drop(columns="medv")
pyrrf.set_seed(32)
index = r.createMultiFolds(price, k=3, times=2)
grid = pd.DataFrame({"mtry": [3, 5], "coefReg": [0.8, 0.95], "coefImp": [0.1, 0.6]})
seeds = [r.sample_int(1000, len(grid)) for _ in range(6)] + [r.sample_int(1000, 1)]
errors = ["RMSE", "Rsquared", "MAE"]
results, winner, final = train(inputs, price, guided, grid, index, seeds, 30, errors, r.which_min)
for column in ("RMSE", "Rsquared", "MAE", "RMSESD", "RsquaredSD", "MAESD"):
    show(column, results[column])
show("mse", final.mse)
