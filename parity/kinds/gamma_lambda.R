# Gamma times lambda over folds on splits of gene data; the features kept go to an ordinary forest.
suppressPackageStartupMessages(library(RRF))
source("show.R")

set.seed(40)
n <- 48
p <- 120
genes <- matrix(rexp(n * p), n, dimnames = list(NULL, paste0("g", 1:p)))
genes[, 1:6] <- genes[, 1:6] + rep(c(0, 1, 2), length.out = n)
genes <- log2(1 + genes)
type <- factor(rep(c("ALL", "AML", "MLL"), length.out = n))
# The genes that vary most, on one scale.
spread <- apply(genes, 2, sd)
genes <- genes[, order(spread, decreasing = TRUE)[1:60]]
genes <- scale(genes)
show("centre", attr(genes, "scaled:center"))
show("scale", attr(genes, "scaled:scale"))
grid <- expand.grid(gamma = seq(0, 1, 0.25), lambda = c(0.5, 1))
folds <- sample(rep(1:4, length.out = n))
error <- matrix(NA, nrow(grid), 4)
size <- matrix(0L, nrow(grid), 4)
for (k in 1:4) {
    train <- folds != k
    rf <- RRF(genes[train, ], type[train], flagReg = 0, ntree = 50)
    imp <- rf$importance[, 1] / max(rf$importance[, 1])
    for (g in 1:nrow(grid)) {
        coefReg <- (1 - grid$gamma[g]) * grid$lambda[g] + grid$gamma[g] * imp
        fit <- RRF(genes[train, ], type[train], coefReg = coefReg, ntree = 50)
        kept <- fit$feaSet
        size[g, k] <- length(kept)
        plain <- RRF(genes[train, kept, drop = FALSE], type[train], flagReg = 0, ntree = 50)
        error[g, k] <- mean(predict(plain, genes[!train, kept, drop = FALSE]) != type[!train])
    }
}
show("error", error)
show("size", size)
grid$error <- rowMeans(error)
grid$se <- apply(error, 1, sd) / sqrt(4)
grid$size <- apply(size, 1, median)
best <- which.min(grid$error)
within <- which(grid$error <= grid$error[best] + grid$se[best])
chosen <- within[which.min(grid$size[within])]
show("chosen", grid[chosen, ])
show("by lambda", tapply(grid$error, grid$lambda, mean))
show("by both", aggregate(grid$size, list(grid$lambda, grid$gamma > 0.5), mean)$x)
show("cor", cor(grid$error, grid$size, method = "spearman"))
show("cors", cor(genes[, 1:5]))
weights <- (1 - grid$gamma[chosen]) * grid$lambda[chosen] + grid$gamma[chosen] * imp
final <- RRF(genes, type, coefReg = weights, ntree = 100)
show("final", colnames(genes)[final$feaSet])
show("confusion", final$confusion)
