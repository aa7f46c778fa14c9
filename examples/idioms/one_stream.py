import numpy as np

import pyrrf

iris = pyrrf.datasets.load_iris()
X = iris.iloc[:, :4]
y = iris["Species"]

# Both forests draw from one stream.
pyrrf.set_seed(1)
rf = pyrrf.randomForest(X, y, ntree=50, importance=True)
imp = pyrrf.importance(rf, type=1).iloc[:, 0]
grrf = pyrrf.RRF(X, y, ntree=50, coefReg=np.maximum(imp, 0) / imp.max())
print("accuracy lost:", *(f"{value:.12g}" for value in imp))
print("kept:", *X.columns[grrf.feaSet])
print("errors:", *(f"{fit.err_rate.iloc[-1, 0]:.15g}" for fit in (rf, grrf)))
