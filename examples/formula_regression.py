"""Regression from a formula on R's airquality: importance, partial dependence, new data.

Run in this folder; needs the extras formula and plot. formula_regression.R prints the same lines.
"""

import matplotlib

matplotlib.use("agg")

import numpy as np
import pandas as pd

import pyrrf

air = pd.read_csv("data/airquality.csv")
pyrrf.set_seed(3)
fit = pyrrf.RRF("log(Ozone) ~ . - Day", air, na_action="na_omit", coefReg=0.9, ntree=300, importance=True)
print(f"rows {len(fit.y)}, trees {fit.ntree}")
print(f"mean of squared residuals {fit.mse.loc[300]:.15g}")
print(f"share of variance explained {fit.rsq.loc[300]:.15g}")

imp = pyrrf.importance(fit)
for feature in imp.index:
    print(f"{feature} {imp.loc[feature, '%IncMSE']:.15g} {imp.loc[feature, 'IncNodePurity']:.15g}")
chart = pyrrf.varImpPlot(fit, n_var=3)
chart.axes[0].figure.savefig("importance.pdf")

temp = pyrrf.partialPlot(fit, air, "Temp", n_pt=8)
wind = pyrrf.partialPlot(fit, air, "Wind", n_pt=8)
wind.axes.figure.savefig("partial_dependence.pdf")
for i in range(8):
    print(f"Temp {temp.x[i]:.15g}: {temp.y[i]:.15g}, Wind {wind.x[i]:.15g}: {wind.y[i]:.15g}")

# Rows with missing values have missing predictions.
predicted = pyrrf.predict(fit, newdata=air.head(12))
for value in predicted:
    print("no prediction" if np.isnan(value) else f"{value:.15g}")

hot = pyrrf.RRF("as.factor(Ozone > 60) ~ Temp + Wind", data=air, subset="Month > 5", na_action="na_omit")
high = hot.y.value_counts()[True]
print(f"high ozone from June: {high} of {len(hot.y)} days, error {hot.err_rate.loc[500, 'OOB']:.15g}")
print(f"next draw {pyrrf.runif(1)[0]:.15g}")
