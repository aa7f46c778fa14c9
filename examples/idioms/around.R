suppressPackageStartupMessages(library(RRF))
swiss <- datasets::swiss
set.seed(7)
fold <- sample(rep(1:3, length.out = nrow(swiss)))
lambda <- seq(0.7, 1, by = 0.1)
error <- matrix(0, 3, length(lambda))
for (k in 1:3) {
    train <- scale(swiss[fold != k, -1])
    test <- scale(swiss[fold == k, -1], attr(train, "scaled:center"), attr(train, "scaled:scale"))
    for (j in seq_along(lambda)) {
        fit <- RRF(train, swiss$Fertility[fold != k], coefReg = lambda[j], ntree = 30)
        error[k, j] <- mean((swiss$Fertility[fold == k] - predict(fit, test))^2)
    }
}
mse <- colMeans(error)
cat(sprintf("lambda %g: %.17g, sd %.17g\n", lambda, mse, apply(error, 2, sd)), sep = "")
cat(sprintf("best: %g\n", lambda[which.min(mse)]))
groups <- cut(swiss$Fertility, quantile(swiss$Fertility), include.lowest = TRUE)
counts <- table(groups, swiss$Catholic > 50)
cat(paste(rownames(counts), counts[, 1], counts[, 2]), sep = "\n")
