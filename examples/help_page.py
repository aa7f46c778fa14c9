"""The example of R's help page ?RRF. examples/help_page.R prints the same lines."""

import numpy as np

import pyrrf

pyrrf.set_seed(1)
X = pyrrf.runif(50 * 50).reshape(50, 50, order="F")
y = X[:, 0] ** 2 + X[:, 49] ** 2
y = np.where(y > np.median(y), "1", "0")

rf = pyrrf.RRF(X, y, flagReg=0)
print("forest uses", len(rf.feaSet), "features")

rrf = pyrrf.RRF(X, y, flagReg=1)
print("RRF keeps", *rrf.feaSet + 1)

imp = rf.importance["MeanDecreaseGini"]
gamma = 0.5
coef_reg = (1 - gamma) + gamma * imp / imp.max()
grrf = pyrrf.RRF(X, y, coefReg=coef_reg, flagReg=1)
print("GRRF keeps", *grrf.feaSet + 1)

kept = grrf.importance["MeanDecreaseGini"].iloc[grrf.feaSet]
print("importances", *(f"{value:.15g}" for value in kept))
print("next draw", f"{pyrrf.runif(1)[0]:.15g}")
