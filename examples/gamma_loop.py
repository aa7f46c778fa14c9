"""Translated from gamma_loop.R by pyrrf migrate: 31 of 31 lines translated. Nothing was checked; --check does."""

from pyrrf import r

# A loop over gamma with seq(), the table of predictions, and shares: what stands around the forests of many kernels.
# Run in this folder. gamma_loop.py prints the same lines.

data = r.read_csv("data/iris.csv", stringsAsFactors=True)
data.Width = r.cut(data[["Sepal.Width"]], 4)
r.set_seed(11)
rows = r.sample(r.nrow(data), r.round(0.7 * r.nrow(data)))
train = data[rows, :]
test = data[-rows, :]


def print_table(counts):
    for i in r.seq_len(r.nrow(counts)):
        r.cat(r.rownames(counts)[i], counts[i, :], fill=True)
    return r.invisible(r.c())


r.show(print_table(r.table(train.Width, train.Species)))

x = train[:, r.c("Sepal.Length", "Petal.Length", "Petal.Width", "Width")]
forest = r.RRF(x, train.Species, ntree=60, flagReg=0)
importance = forest.importance[:, "MeanDecreaseGini"]
importance = importance / r.max(importance)
best = r.c()
for gamma in r.seq(0.1, 0.9, 0.1):
    coefReg = 1 - gamma + gamma * importance
    fit = r.RRF(x, train.Species, ntree=60, maxnodes=6, coefReg=coefReg, flagReg=1)
    predicted = r.predict(fit, test)
    counts = r.table(predicted, test.Species, deparsed=["predicted", ""])
    accuracy = r.sum(r.diag(counts)) / r.sum(counts)
    r.cat(r.sprintf("gamma %.17g: %d features, accuracy %.17g\n", gamma, r.length(fit.feaSet), accuracy))
    best = r.rbind(best, r.c(gamma, accuracy, r.mean(coefReg), r.sd(coefReg)), deparsed=["best", ""])
r.show(print_table(counts))
r.cat(r.sprintf("share %.17g\n", r.prop_table(counts, 1)), sep="")
r.cat(r.sprintf("%.17g\n", r.colMeans(best)), sep="")
ranked = r.order(best[:, 2], best[:, 1], decreasing=True)
r.cat(r.paste(r.sprintf("%.17g", best[ranked, 1]), collapse=" "), "\n", sep="")
r.cat(r.sprintf("next draw %.15g\n", r.runif(1)))
