# An experiment as in Deng's scripts: forests, RRF and GRRF on random halves, judged by randomForest.
suppressPackageStartupMessages({ library(randomForest); library(RRF) })
source("show.R")

vehicle <- read.csv("../data/vehicle.csv", stringsAsFactors = TRUE)
X <- vehicle[seq(1, nrow(vehicle), by = 3), 1:18]
class <- vehicle[seq(1, nrow(vehicle), by = 3), 19]
n <- nrow(X)
errRF <- NULL; errRRF <- NULL; errGRRF <- NULL; errGRF <- NULL
numRRF <- NULL; numGRRF <- NULL
set.seed(2013)
for (i in 1:4) {
    ixTrn <- sample(n, round(n * 2 / 3))
    trn <- X[ixTrn, ]; tst <- X[-ixTrn, ]
    trnC <- class[ixTrn]; tstC <- class[-ixTrn]
    RF <- RRF(trn, flagReg = 0, as.factor(trnC), ntree = 50)
    impRF <- RF$importance
    impRF <- impRF[, "MeanDecreaseGini"]
    imp <- impRF / max(impRF)
    rrf <- RRF(trn, as.factor(trnC), flagReg = 1, coefReg = 0.8, ntree = 50)
    numRRF <- c(numRRF, length(rrf$feaSet))
    gamma <- 0.5
    coefReg <- (1 - gamma) + gamma * imp
    grrf <- RRF(trn, as.factor(trnC), flagReg = 1, coefReg = coefReg, ntree = 50)
    numGRRF <- c(numGRRF, length(grrf$feaSet))
    gamma <- 1
    grf <- RRF(trn, as.factor(trnC), flagReg = 0, coefReg = (1 - gamma) + gamma * imp, ntree = 50)
    RFonRRF <- randomForest(trn[, rrf$feaSet], as.factor(trnC), ntree = 50)
    RFonGRRF <- randomForest(trn[, grrf$feaSet], as.factor(trnC), ntree = 50)
    errRF <- c(errRF, 1 - length(which(predict(RF, tst) == tstC)) / length(tstC))
    errRRF <- c(errRRF, 1 - length(which(predict(RFonRRF, tst[, rrf$feaSet]) == tstC)) / length(tstC))
    errGRRF <- c(errGRRF, 1 - length(which(predict(RFonGRRF, tst[, grrf$feaSet]) == tstC)) / length(tstC))
    errGRF <- c(errGRF, mean(predict(grf, tst) != tstC))
    show("kept", colnames(X)[grrf$feaSet])
    show("used", sort(table(colnames(trn)[varUsed(grf, count = FALSE)])))
}
show("errors", c(errRF, errRRF, errGRRF, errGRF))
show("numbers", c(numRRF, numGRRF))
res <- data.frame(RF = errRF, RRF = errRRF, GRRF = errGRRF, GRF = errGRF)
show("means", sapply(res, mean))
show("sds", apply(res, 2, sd))
show("ranks", rowMeans(apply(res, 1, rank)))
show("test", mean(errGRRF - errRRF) / (sd(errGRRF - errRRF) / sqrt(length(errRRF))))
show("power", (imp / max(imp))^1.5)
show("quantiles", quantile(imp, c(0.05, 0.333, 0.95)))
show("top", names(sort(impRF, decreasing = TRUE))[1:5])
show("margin", summary(margin(RF))[1:6])
show("next", runif(2))
