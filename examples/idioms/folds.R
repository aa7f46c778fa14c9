suppressPackageStartupMessages({
    library(caret)
    library(RRF)
})
air <- na.omit(airquality)

set.seed(1)
mse <- NULL
for (fold in createFolds(air$Ozone, k = 3)) {
    X <- scale(air[-fold, 2:6])
    new <- scale(air[fold, 2:6], attr(X, "scaled:center"), attr(X, "scaled:scale"))
    fit <- RRF(X, air$Ozone[-fold], coefReg = 0.8, ntree = 50)
    mse <- c(mse, mean((predict(fit, new) - air$Ozone[fold])^2))
}
cat("errors:", sprintf("%.15g", mse), fill = TRUE)
cat("mean and sd:", sprintf("%.15g", c(mean(mse), sd(mse))), fill = TRUE)
