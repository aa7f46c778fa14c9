import pyrrf

iris = pyrrf.datasets.load_iris()
X = iris.iloc[:, :4]
y = iris["Species"]

pyrrf.set_seed(1)
for lambda_ in [0.2, 0.5, 0.9]:
    rrf = pyrrf.RRF(X, y, coefReg=lambda_, ntree=50)
    kept = rrf.feaSet
    # an ordinary forest on what was kept
    rf = pyrrf.RRF(X.iloc[:, kept], y, flagReg=0, ntree=50)
    print(f"lambda {lambda_:.1f} keeps {len(kept)}, error {rf.err_rate.iloc[-1, 0]:.15g}")
