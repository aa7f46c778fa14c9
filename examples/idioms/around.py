"""Translated from around.R by pyrrf migrate: 20 of 20 lines translated. Nothing was checked; --check does."""

from pyrrf import r

swiss = r.dataset("swiss")
r.set_seed(7)
fold = r.sample(r.rep(r.colon(1, 3), length_out=r.nrow(swiss)))
lambda_ = r.seq(0.7, 1, 0.1)
error = r.matrix(0, 3, r.length(lambda_))
for k in r.colon(1, 3):
    train = r.scale(swiss[fold != k, -1])
    test = r.scale(swiss[fold == k, -1], r.attr(train, "scaled:center"), r.attr(train, "scaled:scale"))
    for j in r.seq_along(lambda_):
        fit = r.RRF(train, swiss.Fertility[fold != k], ntree=30, coefReg=lambda_[j])
        error[k, j] = r.mean((swiss.Fertility[fold == k] - r.predict(fit, test)) ** 2)
mse = r.colMeans(error)
r.cat(r.sprintf("lambda %g: %.17g, sd %.17g\n", lambda_, mse, r.apply(error, 2, r.sd)), sep="")
r.cat(r.sprintf("best: %g\n", lambda_[r.which_min(mse)]))
groups = r.cut(swiss.Fertility, r.quantile(swiss.Fertility), include_lowest=True)
counts = r.table(groups, swiss.Catholic > 50, deparsed=["groups", ""])
r.cat(r.paste(r.rownames(counts), counts[:, 1], counts[:, 2]), sep="\n")
