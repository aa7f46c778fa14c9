# The example of R's help page ?RRF. examples/help_page.py prints the same lines.
suppressPackageStartupMessages(library(RRF))

set.seed(1)
X <- matrix(runif(50 * 50), ncol = 50)
class <- X[, 1]^2 + X[, 50]^2
class <- as.factor(ifelse(class > median(class), 1, 0))

rf <- RRF(X, class, flagReg = 0)
cat("forest uses", length(rf$feaSet), "features", fill = TRUE)

rrf <- RRF(X, class, flagReg = 1)
cat("RRF keeps", rrf$feaSet, fill = TRUE)

imp <- rf$importance[, "MeanDecreaseGini"]
gamma <- 0.5
coefReg <- (1 - gamma) + gamma * imp / max(imp)
grrf <- RRF(X, class, coefReg = coefReg, flagReg = 1)
cat("GRRF keeps", grrf$feaSet, fill = TRUE)

kept <- grrf$importance[grrf$feaSet, ]
cat("importances", sprintf("%.15g", kept), fill = TRUE)
cat("next draw", sprintf("%.15g", runif(1)), fill = TRUE)
