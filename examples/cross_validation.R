# Missing values imputed by rrfImpute, then the number of features chosen by rrfcv, on R's iris.
# Run in this folder. cross_validation.py prints the same lines.
suppressPackageStartupMessages(library(RRF))

iris <- read.csv("data/iris.csv", stringsAsFactors = TRUE)
known <- iris
set.seed(4)
for (column in 1:4) {
    iris[sample(nrow(iris), 20), column] <- NA
}
cat(sprintf("missing values %d\n", sum(is.na(iris))))

full <- rrfImpute(Species ~ ., iris, iter = 3, ntree = 100)
for (column in names(iris)[1:4]) {
    gap <- is.na(iris[[column]])
    cat(sprintf("%s: first imputed %.15g, known %.15g\n", column, full[gap, column][1], known[gap, column][1]))
}

x <- full[, -1]
y <- full$Species
cv <- rrfcv(x, y, cv.fold = 5, step = 0.7, ntree = 100)
for (k in seq_along(cv$n.var)) {
    cat(sprintf("%d features: error %.15g\n", cv$n.var[k], cv$error.cv[k]))
}
best <- cv$n.var[which.min(cv$error.cv)]
cat(sprintf("best: %d features\n", best))

forest <- RRF(x, y, flagReg = 0, ntree = 200)
ranked <- order(forest$importance[, "MeanDecreaseGini"], decreasing = TRUE)
final <- RRF(x[, ranked[1:best], drop = FALSE], y, flagReg = 0, ntree = 200)
cat("kept", names(x)[ranked[1:best]], fill = TRUE)
cat(sprintf("error on %d features %.15g\n", best, final$err.rate[200, "OOB"]))
cat(sprintf("next draw %.15g\n", runif(1)))
