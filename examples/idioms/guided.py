import pyrrf

iris = pyrrf.datasets.load_iris()
X = iris.iloc[:, :4]
y = iris["Species"]

# Both forests in one call; the first one is grrf.ordinary.
pyrrf.set_seed(1)
grrf = pyrrf.GRRF(X, y, gamma=0.5, ntree=100)
print("positions:", *grrf.feaSet + 1)
print("importances:", *(f"{value:.15g}" for value in grrf.importance["MeanDecreaseGini"]))
