import numpy as np
import pandas as pd

import pyrrf
import pyrrf.r as r

swiss = pd.read_csv("../data/swiss.csv")
pyrrf.set_seed(7)
fold = r.sample(r.rep(r.colon(1, 3), length_out=len(swiss)))
lambdas = r.seq(0.7, 1, by=0.1)
error = np.zeros((3, len(lambdas)))
for k in range(3):
    inside = fold != k + 1
    train = r.scale(swiss.iloc[inside, 1:])
    test = r.scale(swiss.iloc[~inside, 1:], train.attrs["scaled:center"], train.attrs["scaled:scale"])
    for j, coefficient in enumerate(lambdas):
        fit = pyrrf.RRF(train, swiss["Fertility"][inside], coefReg=coefficient, ntree=30)
        error[k, j] = r.mean((swiss["Fertility"][~inside] - pyrrf.predict(fit, test)) ** 2)
mse = r.colMeans(error)
for row in zip(lambdas, mse, r.apply(error, 2, r.sd), strict=True):
    print("lambda {:g}: {:.17g}, sd {:.17g}".format(*row))
print(f"best: {lambdas[r.which_min(mse)]:g}")
groups = r.cut(swiss["Fertility"], r.quantile(swiss["Fertility"]), include_lowest=True)
counts = r.table(groups, swiss["Catholic"] > 50)
print(*r.paste(counts.index, counts[False], counts[True]), sep="\n")
