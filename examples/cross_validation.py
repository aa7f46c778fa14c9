"""Missing values imputed by rrfImpute, then the number of features chosen by rrfcv, on R's iris.

Run in this folder; needs the extra formula. cross_validation.R prints the same lines.
"""

import numpy as np
import pandas as pd

import pyrrf

iris = pd.read_csv("data/iris.csv", dtype={"Species": "category"})
known = iris.copy()
pyrrf.set_seed(4)
for column in range(4):
    iris.iloc[pyrrf.sample(len(iris), 20) - 1, column] = np.nan
print(f"missing values {iris.isna().sum().sum()}")

full = pyrrf.rrfImpute("Species ~ .", iris, iter=3, ntree=100)
for column in iris.columns[:4]:
    gap = iris[column].isna()
    print(f"{column}: first imputed {full.loc[gap, column].iloc[0]:.15g}, known {known.loc[gap, column].iloc[0]:.15g}")

x = full.iloc[:, 1:]
y = full["Species"]
cv = pyrrf.rrfcv(x, y, cv_fold=5, step=0.7, ntree=100)
for n_var, error in zip(cv.n_var, cv.error_cv, strict=True):
    print(f"{n_var} features: error {error:.15g}")
best = cv.n_var[np.argmin(cv.error_cv)]
print(f"best: {best} features")

forest = pyrrf.RRF(x, y, flagReg=0, ntree=200)
ranked = forest.importance["MeanDecreaseGini"].sort_values(ascending=False, kind="stable").index
final = pyrrf.RRF(x[ranked[:best]], y, flagReg=0, ntree=200)
print("kept", *ranked[:best])
print(f"error on {best} features {final.err_rate.loc[200, 'OOB']:.15g}")
print(f"next draw {pyrrf.runif(1)[0]:.15g}")
