# Five folds by sample(), columns scaled by the training rows, errors by mean(): the lambda of least error is kept.
# Run in this folder. scaled_folds.py prints the same lines.
suppressPackageStartupMessages(library(RRF))

data <- read.csv("data/swiss.csv")
x <- as.matrix(data[, -1])
y <- data$Fertility
set.seed(5)
folds <- sample(rep(1:5, length.out = nrow(x)))
lambdas <- seq(0.5, 1, length.out = 6)
errors <- matrix(0, 5, length(lambdas))
for (k in 1:5) {
    inside <- which(folds != k)
    train <- scale(x[inside, ])
    test <- scale(x[-inside, ], center = attr(train, "scaled:center"), scale = attr(train, "scaled:scale"))
    cat(sprintf("%.17g\n", c(colMeans(test), apply(test, 2, sd))), sep = "")
    for (j in seq_along(lambdas)) {
        fit <- RRF(train, y[inside], xtest = test, ytest = y[-inside], coefReg = lambdas[j], ntree = 50, localImp = TRUE)
        errors[k, j] <- mean((y[-inside] - fit$test$predicted)^2)
        cat(sprintf("%.17g %.17g\n", fit$mse[50], mean(fit$localImportance)))
    }
}
means <- apply(errors, 2, mean)
spread <- apply(errors, 2, sd) / sqrt(5)
cat(sprintf("lambda %.17g: %.17g +- %.17g\n", lambdas, means, spread), sep = "")
best <- lambdas[which.min(means)]
cat(sprintf("best %.17g\n", best))
cat(sprintf("quantile %.17g\n", quantile(as.vector(errors), c(0.05, 0.5, 0.95))), sep = "")
cat(sprintf("correlation %.17g\n", as.vector(cor(x))), sep = "")
tuned <- tuneRRF(scale(x), y, ntreeTry = 50, stepFactor = 2, improve = 0.01, trace = FALSE, plot = FALSE)
cat(paste(sprintf("%.17g", tuned), collapse = " "), "\n", sep = "")
cat(sprintf("next draw %.15g\n", runif(1)))
