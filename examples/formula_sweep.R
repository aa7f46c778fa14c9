# A sweep over lambda and gamma by formula on caret's folds; the pair with the best mean is fitted to all rows.
# Run in this folder. formula_sweep.py prints the same lines.
suppressPackageStartupMessages({
    library(RRF)
    library(caret)
})

data <- read.csv("data/iris.csv", stringsAsFactors = TRUE)
set.seed(3)
inside <- createDataPartition(data$Species, p = 0.8, list = FALSE)
train <- data[inside, ]
folds <- createFolds(train$Species, k = 4)
grid <- expand.grid(lambda = c(0.7, 0.85, 1), gamma = seq(0, 1, 0.5))
grid$accuracy <- 0
grid$kept <- 0
for (i in seq_len(nrow(grid))) {
    found <- NULL
    for (fold in folds) {
        guide <- RRF(Species ~ ., data = train[-fold, ], flagReg = 0, ntree = 40)
        gini <- guide$importance[, "MeanDecreaseGini"]
        coefReg <- (1 - grid$gamma[i]) * grid$lambda[i] + grid$gamma[i] * gini / max(gini)
        fit <- RRF(Species ~ ., data = train[-fold, ], coefReg = coefReg, ntree = 40)
        right <- predict(fit, train[fold, ]) == train$Species[fold]
        found <- rbind(found, c(mean(right), length(fit$feaSet)))
    }
    grid$accuracy[i] <- mean(found[, 1])
    grid$kept[i] <- mean(found[, 2])
}
cat(sprintf("%g %g: %.17g, %.17g features\n", grid$lambda, grid$gamma, grid$accuracy, grid$kept), sep = "")
cat(sprintf("%.17g %.17g\n", var(grid$accuracy), median(grid$accuracy)))
best <- grid[order(-grid$accuracy, grid$kept), ][1, ]
cat(sprintf("best lambda %g, gamma %g\n", best$lambda, best$gamma))
by_gamma <- tapply(grid$accuracy, grid$gamma, mean)
cat(sprintf("gamma %s: %.17g\n", names(by_gamma), by_gamma), sep = "")
final <- RRF(Species ~ ., data = train, coefReg = best$lambda, ntree = 40)
test <- data[-inside, ]
result <- confusionMatrix(predict(final, test), test$Species)
cat(sprintf("%.17g\n", result$overall[c("Accuracy", "Kappa")]), sep = "")
cat(sprintf("next draw %.15g\n", runif(1)))
