suppressPackageStartupMessages(library(RRF))
X <- iris[, 1:4]
class <- iris$Species

set.seed(1)
rrf <- RRF(X, class, flagReg = 1, coefReg = 0.8, ntree = 100)
cat("positions:", rrf$feaSet, fill = TRUE)
cat("names:", colnames(X)[rrf$feaSet], fill = TRUE)
used <- which(rrf$importance[, "MeanDecreaseGini"] > 0)
cat("used:", names(used), fill = TRUE)
cat("OOB error:", sprintf("%.15g", rrf$err.rate[100, "OOB"]), fill = TRUE)
