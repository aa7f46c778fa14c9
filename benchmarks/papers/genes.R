# The same split with CRAN's packages. Reads from a folder: x.bin and test.bin (doubles, column by column), y.txt,
# truth.txt, coef.bin (a column for each method), seeds.txt (a seed for each method), and settings: trees, a seed, values of gamma.
# Writes what RRF selects with those coefficients and seeds, the error of randomForest on it, and the sizes and errors
# of the author's script (a guide by randomForest, then RRF), a line each.
suppressMessages({library(RRF); library(randomForest)})
arguments <- commandArgs(TRUE)
folder <- arguments[1]; ntree <- as.integer(arguments[2]); gammas <- as.numeric(strsplit(arguments[4], ",")[[1]])
here <- function(name) file.path(folder, name)
doubles <- function(name) readBin(here(name), "double", file.size(here(name)) / 8)
y <- factor(readLines(here("y.txt"))); truth <- readLines(here("truth.txt"))
seeds <- as.integer(readLines(here("seeds.txt")))
x <- matrix(doubles("x.bin"), length(y)); test <- matrix(doubles("test.bin"), length(truth))
colnames(x) <- colnames(test) <- seq_len(ncol(x))
coefs <- matrix(doubles("coef.bin"), ncol(x))
select <- function(coef) {
  fit <- RRF::RRF(x, y, flagReg = 1, replace = FALSE, coefReg = coef, ntree = ntree)
  which(fit$importance[, "MeanDecreaseGini"] > 0)
}
error <- function(columns) {
  fit <- randomForest::randomForest(x[, columns, drop = FALSE], y, ntree = ntree)
  mean(as.character(predict(fit, test[, columns, drop = FALSE])) != truth)
}
out <- function(columns) cat(error(columns), unname(columns), "\n")
for (i in seq_along(seeds)) {
  set.seed(seeds[i])
  out(select(coefs[, i]))
}
set.seed(as.integer(arguments[3]))
guide <- randomForest::randomForest(x, y, ntree = ntree)$importance[, "MeanDecreaseGini"]
for (gamma in gammas) out(select((1 - gamma) + gamma * guide / max(guide)))
