# Regression from a formula on R's airquality: importance, partial dependence, new data.
# Run in this folder. formula_regression.py prints the same lines.
suppressPackageStartupMessages(library(RRF))

air <- read.csv("data/airquality.csv")
set.seed(3)
fit <- RRF(log(Ozone) ~ . - Day, air, na.action = na.omit, coefReg = 0.9, ntree = 300, importance = TRUE)
cat(sprintf("rows %d, trees %d\n", length(fit$y), fit$ntree))
cat(sprintf("mean of squared residuals %.15g\n", fit$mse[300]))
cat(sprintf("share of variance explained %.15g\n", fit$rsq[300]))

imp <- importance(fit)
for (feature in rownames(imp)) {
    cat(sprintf("%s %.15g %.15g\n", feature, imp[feature, "%IncMSE"], imp[feature, "IncNodePurity"]))
}
pdf("importance.pdf")
varImpPlot(fit, n.var = 3)
invisible(dev.off())

pdf("partial_dependence.pdf")
temp <- partialPlot(fit, air, Temp, n.pt = 8)
wind <- partialPlot(fit, air, Wind, n.pt = 8)
invisible(dev.off())
for (i in 1:8) {
    cat(sprintf("Temp %.15g: %.15g, Wind %.15g: %.15g\n", temp$x[i], temp$y[i], wind$x[i], wind$y[i]))
}

# Rows with missing values have missing predictions.
predicted <- predict(fit, newdata = air[1:12, ])
for (value in predicted) {
    cat(if (is.na(value)) "no prediction" else sprintf("%.15g", value), fill = TRUE)
}

hot <- RRF(as.factor(Ozone > 60) ~ Temp + Wind, data = air, subset = Month > 5, na.action = na.omit)
high <- sum(hot$y == "TRUE")
cat(sprintf("high ozone from June: %d of %d days, error %.15g\n", high, length(hot$y), hot$err.rate[500, "OOB"]))
cat(sprintf("next draw %.15g\n", runif(1)))
