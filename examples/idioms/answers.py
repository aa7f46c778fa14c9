import pyrrf

iris = pyrrf.datasets.load_iris()
train = iris.iloc[0::2]
test = iris.iloc[1::2]

pyrrf.set_seed(1)
fit = pyrrf.RRF("Species ~ .", data=train, ntree=50, proximity=True)
predicted = pyrrf.predict(fit, test)
print("right:", (predicted.astype(str) == test["Species"]).sum(), "of", len(test))
chances = pyrrf.predict(fit, test, type="prob")
print("row 30:", *(f"{value:.15g}" for value in chances.iloc[29]))
print("confusion:", *(int(count) for count in fit.confusion.iloc[:, :3].to_numpy().T.ravel()))
print(f"outlier: {pyrrf.outlier(fit).iloc[59]:.15g}")
print("leaves:", *pyrrf.treesize(fit)[:5])
