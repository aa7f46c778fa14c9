# Crime rates of communities: five-fold cross-validation, scaled by the training rows, and tuning.
library(RRF)

set.seed(10)
n <- 120
p <- 12
X <- matrix(runif(n * p), n, p)
X[, 4] <- X[, 1] + rnorm(n, 0, 0.05)
colnames(X) <- paste("V", 1:p, sep = "")
y <- 2 * X[, 1] - 3 * X[, 2]^2 + X[, 3] * X[, 5] + rnorm(n, sd = 0.2)

k <- 5
folds <- sample(rep(1:k, length.out = n))
lambdas <- c(1, 0.8, 0.5)
mse <- matrix(0, nrow = k, ncol = length(lambdas))
size <- matrix(0, nrow = k, ncol = length(lambdas))
for (f in 1:k) {
    train <- which(folds != f)
    center <- apply(X[train, ], 2, mean)
    spread <- apply(X[train, ], 2, sd)
    Xtrain <- scale(X[train, ], center = center, scale = spread)
    Xtest <- scale(X[-train, ], center = center, scale = spread)
    for (l in 1:length(lambdas)) {
        fit <- RRF(Xtrain, y[train], xtest = Xtest, ytest = y[-train], coefReg = lambdas[l], ntree = 50)
        mse[f, l] <- mean((fit$test$predicted - y[-train])^2)
        size[f, l] <- length(fit$feaSet)
    }
}
meanMse <- colMeans(mse)
sdMse <- apply(mse, 2, sd)
meanSize <- colMeans(size)
for (l in seq_along(lambdas)) {
    cat(lambdas[l], "mse", round(meanMse[l], 4), "sd", round(sdMse[l], 4), "size", meanSize[l], "\n")
}
lambda <- lambdas[which.min(meanMse)]

# The guide, normalized between its least and its largest value.
rf <- RRF(X, y, flagReg = 0, importance = TRUE, localImp = TRUE, ntree = 60)
imp <- rf$importance[, "%IncMSE"]
imp <- (imp - min(imp)) / (max(imp) - min(imp))
local <- rf$localImportance
localMeans <- rowMeans(local)
coefReg <- 0.5 * lambda + 0.5 * imp
guided <- RRF(X, y, coefReg = coefReg, ntree = 60)
selected <- colnames(X)[guided$feaSet]
correlation <- cor(guided$predicted, y)
rsq <- 1 - sum((y - guided$predicted)^2) / sum((y - mean(y))^2)

tuned <- tuneRRF(scale(X), y, ntreeTry = 30, stepFactor = 2, improve = 0.01, trace = TRUE, plot = FALSE)
bestMtry <- tuned[which.min(tuned[, 2]), 1]
quantiles <- quantile(y, c(0.05, 0.5, 0.95))
cat("mtry", bestMtry, "R squared", rsq, "\n")
