suppressPackageStartupMessages({
    library(randomForest)
    library(RRF)
})
X <- iris[, 1:4]
class <- iris$Species

# Both forests draw from one stream.
set.seed(1)
rf <- randomForest(X, class, ntree = 50, importance = TRUE)
imp <- randomForest::importance(rf, type = 1)[, 1]
grrf <- RRF(X, class, ntree = 50, coefReg = pmax(imp, 0) / max(imp))
cat("accuracy lost:", sprintf("%.12g", imp), fill = TRUE)
cat("kept:", names(X)[grrf$feaSet], fill = TRUE)
cat("errors:", sprintf("%.15g", c(rf$err.rate[50, 1], grrf$err.rate[50, 1])), fill = TRUE)
