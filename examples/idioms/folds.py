import pandas as pd

import pyrrf
from pyrrf import r

air = pd.read_csv("../data/airquality.csv").dropna().astype({"Ozone": float})
ozone = air["Ozone"].to_numpy()

pyrrf.set_seed(1)
mse = []
for fold in r.createFolds(ozone, k=3).values():
    X = r.scale(r.drop(air, fold).iloc[:, 1:6])
    new = r.scale(air.iloc[fold, 1:6], X.attrs["scaled:center"], X.attrs["scaled:scale"])
    fit = pyrrf.RRF(X, r.drop(ozone, fold), coefReg=0.8, ntree=50)
    mse.append(r.mean((pyrrf.predict(fit, new).to_numpy() - ozone[fold]) ** 2))
print("errors:", *(f"{value:.15g}" for value in mse))
print("mean and sd:", *(f"{value:.15g}" for value in (r.mean(mse), r.sd(mse))))
