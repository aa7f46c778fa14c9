import numpy as np

import pyrrf

iris = pyrrf.datasets.load_iris()
X = iris.iloc[:, :4]
y = np.where(iris["Species"] == "setosa", "1", "0")

pyrrf.set_seed(1)
fit = pyrrf.RRF(X, y, ntree=60, mtry=2, maxnodes=4, nodesize=3,
                classwt={"0": 1, "1": 3}, sampsize=[30, 20], strata=y,
                replace=False, importance=True, keep_inbag=True)  # fmt: skip
lost = pyrrf.importance(fit, type=1).iloc[:, 0]
print("accuracy lost:", *(f"{value:.15g}" for value in lost))
print("in bag:", fit.inbag.to_numpy().sum())
print("votes:", *(f"{value:.15g}" for value in fit.votes["1"].iloc[[0, 98]]))
