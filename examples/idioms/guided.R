suppressPackageStartupMessages(library(RRF))
X <- iris[, 1:4]
class <- iris$Species
gamma <- 0.5

set.seed(1)
rf <- RRF(X, class, flagReg = 0, ntree = 100)
imp <- rf$importance[, "MeanDecreaseGini"]
coefReg <- (1 - gamma) + gamma * (imp / max(imp))
grrf <- RRF(X, class, flagReg = 1, coefReg = coefReg, ntree = 100)
cat("positions:", grrf$feaSet, fill = TRUE)
cat("importances:", sprintf("%.15g", grrf$importance), fill = TRUE)
