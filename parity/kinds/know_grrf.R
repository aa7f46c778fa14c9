# KnowGRRF: prior knowledge and a power of it as weights, selection by how often a feature is kept.
suppressPackageStartupMessages({ library(randomForest); library(RRF) })
source("show.R")

set.seed(1)
X.train <- data.frame(matrix(rnorm(60 * 40), 60))
b <- seq(0.1, 2.2, 0.2)
D <- ncol(X.train)
Y.train <- X.train$X6 + X.train$X7 + b[7] * X.train$X8 + b[9] * X.train$X9 + rnorm(60, sd = 0.5)
Y.train <- factor(ifelse(Y.train > 0, "case", "control"))
known <- c(rep(0.9, 10), rep(0.4, D - 10))

rf <- RRF(X.train, Y.train, flagReg = 0, ntree = 80)
imp <- rf$importance[, "MeanDecreaseGini"]
imp <- imp / max(imp)
select <- function(coefReg, times) {
    kept <- rep(0, D)
    for (i in 1:times) {
        set.seed(i)
        fit <- RRF(X.train, Y.train, coefReg = coefReg, ntree = 40)
        kept[fit$feaSet] <- kept[fit$feaSet] + 1
    }
    kept
}
cutoff <- 0.3
powers <- seq(0.25, 1.5, by = 0.25)
aic <- c()
for (delta in powers) {
    freq <- select(known^delta, 5)
    stable <- which(freq / 5 > cutoff)
    set.seed(100)
    check <- randomForest(X.train[, stable, drop = FALSE], Y.train, ntree = 60)
    loglik <- sum(log(pmax(check$votes[cbind(1:60, as.integer(Y.train))], 0.01)))
    aic <- c(aic, 2 * length(stable) - 2 * loglik)
    show("freq", freq)
}
show("aic", aic)
best <- powers[which.min(aic)]
show("best", best)
guides <- list(known = known^best, mixed = pmin(1, (known + imp) / 2), scaled = (imp - min(imp)) / (max(imp) - min(imp)))
guides$scaled[guides$scaled == 0] <- 1e-3
sizes <- sapply(guides, function(g) { set.seed(7); length(RRF(X.train, Y.train, coefReg = g, ntree = 60)$feaSet) })
show("sizes", sizes)
freq <- select(guides$mixed, 6)
names(freq) <- colnames(X.train)
top <- names(freq)[order(-freq, names(freq))][1:6]
show("top", top)
final <- randomForest(X.train[, top], Y.train, ntree = 100, importance = TRUE)
show("importance", randomForest::importance(final, scale = FALSE))
show("oob", final$err.rate[100, ])
# Area under the curve from ranks.
p <- final$votes[, "case"]
positive <- Y.train == "case"
auc <- (sum(rank(p)[positive]) - sum(positive) * (sum(positive) + 1) / 2) / (sum(positive) * sum(!positive))
show("auc", auc)
show("table", table(cut(p, c(0, 0.25, 0.5, 0.75, 1), include.lowest = TRUE), Y.train))
