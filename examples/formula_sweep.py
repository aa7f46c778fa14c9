"""Translated from formula_sweep.R by pyrrf migrate: 36 of 36 lines translated. Nothing was checked; --check does."""

from pyrrf import r

# A sweep over lambda and gamma by formula on caret's folds; the pair with the best mean is fitted to all rows.
# Run in this folder. formula_sweep.py prints the same lines.

data = r.read_csv("data/iris.csv", stringsAsFactors=True)
r.set_seed(3)
inside = r.createDataPartition(data.Species, p=0.8, list=False)
train = data[inside, :]
folds = r.createFolds(train.Species, 4)
grid = r.expand_grid(**{"lambda": r.c(0.7, 0.85, 1)}, gamma=r.seq(0, 1, 0.5))
grid.accuracy = 0
grid.kept = 0
for i in r.seq_len(r.nrow(grid)):
    found = r.c()
    for fold in folds:
        guide = r.RRF(r.formula("Species ~ ."), ntree=40, flagReg=0, data=train[-fold, :])
        gini = guide.importance[:, "MeanDecreaseGini"]
        coefReg = (1 - grid.gamma[i]) * grid[["lambda"]][i] + grid.gamma[i] * gini / r.max(gini)
        fit = r.RRF(r.formula("Species ~ ."), ntree=40, coefReg=coefReg, data=train[-fold, :])
        right = r.predict(fit, train[fold, :]) == train.Species[fold]
        found = r.rbind(found, r.c(r.mean(right), r.length(fit.feaSet)), deparsed=["found", ""])
    grid = r.put_component(grid, r.put(grid.accuracy, r.mean(found[:, 1]), i), "accuracy")
    grid = r.put_component(grid, r.put(grid.kept, r.mean(found[:, 2]), i), "kept")
r.cat(
    r.sprintf("%g %g: %.17g, %.17g features\n", grid[["lambda"]], grid.gamma, grid.accuracy, grid.kept),
    sep="",
)
r.cat(r.sprintf("%.17g %.17g\n", r.var(grid.accuracy), r.median(grid.accuracy)))
best = grid[r.order(-grid.accuracy, grid.kept), :][1, :]
r.cat(r.sprintf("best lambda %g, gamma %g\n", best[["lambda"]], best.gamma))
by_gamma = r.tapply(grid.accuracy, grid.gamma, r.mean)
r.cat(r.sprintf("gamma %s: %.17g\n", r.names(by_gamma), by_gamma), sep="")
final = r.RRF(r.formula("Species ~ ."), ntree=40, coefReg=best[["lambda"]], data=train)
test = data[-inside, :]
result = r.confusionMatrix(r.predict(final, test), test.Species)
r.cat(r.sprintf("%.17g\n", result.overall[r.c("Accuracy", "Kappa")]), sep="")
r.cat(r.sprintf("next draw %.15g\n", r.runif(1)))
