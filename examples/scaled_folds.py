"""Five folds by sample(), columns scaled by the training rows, errors by mean(): the lambda of least error is kept.

Run in this folder. scaled_folds.R prints the same lines.
"""

import numpy as np
import pandas as pd

import pyrrf
import pyrrf.r as r

data = pd.read_csv("data/swiss.csv")
x = data.iloc[:, 1:]
y = data["Fertility"].to_numpy()
pyrrf.set_seed(5)
folds = r.sample(r.rep(r.colon(1, 5), length_out=len(x)))
lambdas = r.seq(0.5, 1, length_out=6)
errors = np.zeros((5, len(lambdas)))
for k in range(5):
    inside, outside = r.which(folds != k + 1), r.which(folds == k + 1)
    train = r.scale(x.iloc[inside])
    test = r.scale(x.iloc[outside], center=train.attrs["scaled:center"], scale=train.attrs["scaled:scale"])
    for value in r.c(r.colMeans(test), r.apply(test, 2, r.sd)):
        print(f"{value:.17g}")
    for j, penalty in enumerate(lambdas):
        fit = pyrrf.RRF(train, y[inside], xtest=test, ytest=y[outside], coefReg=penalty, ntree=50, localImp=True)
        errors[k, j] = r.mean((y[outside] - fit.test.predicted) ** 2)
        print(f"{np.asarray(fit.mse)[49]:.17g} {r.mean(fit.localImportance.to_numpy()):.17g}")
means = r.apply(errors, 2, r.mean)
spread = r.apply(errors, 2, r.sd) / np.sqrt(5)
for row in zip(lambdas, means, spread, strict=True):
    print("lambda {:.17g}: {:.17g} +- {:.17g}".format(*row))
best = lambdas[r.which_min(means)]
print(f"best {best:.17g}")
for value in r.quantile(errors, [0.05, 0.5, 0.95]):
    print(f"quantile {value:.17g}")
for correlation in r.cor(x).to_numpy().ravel(order="F"):
    print(f"correlation {correlation:.17g}")
tuned = pyrrf.tuneRRF(r.scale(x), y, ntreeTry=50, stepFactor=2, improve=0.01, trace=False, plot=False)
print(*(f"{value:.17g}" for value in tuned.to_numpy().ravel(order="F")))
print(f"next draw {pyrrf.runif(1)[0]:.15g}")
