import pyrrf

iris = pyrrf.datasets.load_iris()
X = iris.iloc[:, :4]
y = iris["Species"]

pyrrf.set_seed(1)
rrf = pyrrf.RRF(X, y, flagReg=1, coefReg=0.8, ntree=100)
print("positions:", *rrf.feaSet + 1)
print("names:", *X.columns[rrf.feaSet])
gini = rrf.importance["MeanDecreaseGini"]
print("used:", *gini.index[gini > 0])
print(f"OOB error: {rrf.err_rate.loc[100, 'OOB']:.15g}")
