# Ozone by formula: how lambda and gamma move the size of the model and its error.
library(RRF)

air <- read.csv("../data/airquality.csv")
air <- na.omit(air)
air$Month <- factor(air$Month)
air$Hot <- air$Temp > 80
n <- nrow(air)
summary(air$Ozone)

set.seed(71)
train <- sample(1:n, round(2 * n / 3))
base <- RRF(log(Ozone) ~ ., data = air[train, ], flagReg = 0, ntree = 80, importance = TRUE)
print(base)

rmse <- function(actual, predicted) sqrt(mean((actual - predicted)^2))

lambda.grid <- c(0.2, 0.4, 0.6, 0.8, 1)
sweep <- data.frame()
for (lambda in lambda.grid) {
    fit <- RRF(log(Ozone) ~ Solar.R + Wind + Temp + Month, data = air, subset = train, coefReg = lambda, ntree = 80)
    pred <- predict(fit, newdata = air[-train, ])
    row <- data.frame(lambda = lambda, size = length(fit$feaSet), rmse = rmse(log(air$Ozone[-train]), pred))
    sweep <- rbind(sweep, row)
}
print(sweep)

guide <- base$importance[, "IncNodePurity"]
guide <- guide / max(guide)
run <- function(gamma, lambda0 = 1, trees = 80) {
    coef <- (1 - gamma) * lambda0 + gamma * guide
    fit <- RRF(log(Ozone) ~ ., data = air[train, ], coefReg = coef, ntree = trees)
    pred <- predict(fit, air[-train, ])
    c(size = length(fit$feaSet), mse = fit$mse[trees], rmse = rmse(log(air$Ozone[-train]), pred))
}
gamma.grid <- seq(0, 1, length.out = 5)
answers <- sapply(gamma.grid, run)
answers.low <- sapply(gamma.grid, function(g) run(g, lambda0 = 0.9))
best <- gamma.grid[which.min(answers["rmse", ])]
if (best > 0.5) {
    cat("the guide is strong\n")
} else if (best == 0) {
    cat("no guide is best\n")
} else {
    cat("a weak guide is best:", best, "\n")
}
month.means <- aggregate(Ozone ~ Month, data = air, FUN = mean)
wind <- cut(air$Wind, breaks = quantile(air$Wind), include.lowest = TRUE)
counts <- table(wind, air$Hot)
change <- diff(sweep$rmse)
ratio <- max(sweep$rmse) / min(sweep$rmse)
