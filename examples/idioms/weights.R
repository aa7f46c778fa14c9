suppressPackageStartupMessages(library(RRF))
X <- iris[, 1:4]
class <- as.factor(ifelse(iris$Species == "setosa", 1, 0))

set.seed(1)
fit <- RRF(X, class, ntree = 60, mtry = 2, maxnodes = 4, nodesize = 3,
           classwt = c("0" = 1, "1" = 3), sampsize = c(30, 20), strata = class,
           replace = FALSE, importance = TRUE, keep.inbag = TRUE)
cat("accuracy lost:", sprintf("%.15g", importance(fit, type = 1)), fill = TRUE)
cat("in bag:", sum(fit$inbag), fill = TRUE)
cat("votes:", sprintf("%.15g", fit$votes[c(1, 99), "1"]), fill = TRUE)
