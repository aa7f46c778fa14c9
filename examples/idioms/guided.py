import pandas as pd

import pyrrf

iris = pd.read_csv("../data/iris.csv")
X = iris.iloc[:, :4]
y = iris["Species"]

# Both forests in one call; the first one is grrf.ordinary.
pyrrf.set_seed(1)
grrf = pyrrf.GRRF(X, y, gamma=0.5, ntree=100)
print("positions:", *grrf.feaSet + 1)
print("importances:", *(f"{value:.15g}" for value in grrf.importance["MeanDecreaseGini"]))
