"""Translated from folds.R by pyrrf migrate: 15 of 15 lines translated. Nothing was checked; --check does."""

from pyrrf import r

air = r.na_omit(r.dataset("airquality"))

r.set_seed(1)
mse = r.c()
for fold in r.createFolds(air.Ozone, 3):
    X = r.scale(air[-fold, r.colon(2, 6)])
    new = r.scale(air[fold, r.colon(2, 6)], r.attr(X, "scaled:center"), r.attr(X, "scaled:scale"))
    fit = r.RRF(X, air.Ozone[-fold], ntree=50, coefReg=0.8)
    mse = r.c(mse, r.mean((r.predict(fit, new) - air.Ozone[fold]) ** 2))
r.cat("errors:", r.sprintf("%.15g", mse), fill=True)
r.cat("mean and sd:", r.sprintf("%.15g", r.c(r.mean(mse), r.sd(mse))), fill=True)
