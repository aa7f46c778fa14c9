"""Translated from scaled_folds.R by pyrrf migrate: 29 of 29 lines translated. Nothing was checked; --check does."""

from pyrrf import r

# Five folds by sample(), columns scaled by the training rows, errors by mean(): the lambda of least error is kept.
# Run in this folder. scaled_folds.py prints the same lines.

data = r.read_csv("data/swiss.csv")
x = r.as_matrix(data[:, -1])
y = data.Fertility
r.set_seed(5)
folds = r.sample(r.rep(r.colon(1, 5), length_out=r.nrow(x)))
lambdas = r.seq(0.5, 1, length_out=6)
errors = r.matrix(0, 5, r.length(lambdas))
for k in r.colon(1, 5):
    inside = r.which(folds != k)
    train = r.scale(x[inside, :])
    test = r.scale(x[-inside, :], r.attr(train, "scaled:center"), r.attr(train, "scaled:scale"))
    r.cat(r.sprintf("%.17g\n", r.c(r.colMeans(test), r.apply(test, 2, r.sd))), sep="")
    for j in r.seq_along(lambdas):
        fit = r.RRF(train, y[inside], test, y[-inside], 50, localImp=True, coefReg=lambdas[j])
        errors[k, j] = r.mean((y[-inside] - fit.test.predicted) ** 2)
        r.cat(r.sprintf("%.17g %.17g\n", fit.mse[50], r.mean(fit.localImportance)))
means = r.apply(errors, 2, r.mean)
spread = r.apply(errors, 2, r.sd) / r.sqrt(5)
r.cat(r.sprintf("lambda %.17g: %.17g +- %.17g\n", lambdas, means, spread), sep="")
best = lambdas[r.which_min(means)]
r.cat(r.sprintf("best %.17g\n", best))
r.cat(r.sprintf("quantile %.17g\n", r.quantile(r.as_vector(errors), r.c(0.05, 0.5, 0.95))), sep="")
r.cat(r.sprintf("correlation %.17g\n", r.as_vector(r.cor(x))), sep="")
tuned = r.tuneRRF(r.scale(x), y, ntreeTry=50, stepFactor=2, improve=0.01, trace=False, plot=False)
r.cat(r.paste(r.sprintf("%.17g", tuned), collapse=" "), "\n", sep="")
r.cat(r.sprintf("next draw %.15g\n", r.runif(1)))
