# Species from calls: a matrix of coefficients as importance() gives it, rrfcv, and the usual plots.
library(RRF)

set.seed(99)
n <- 90
species <- factor(rep(c("Bufo", "Hyla", "Rana"), each = n / 3), levels = c("Rana", "Hyla", "Bufo"))
shift <- c(Rana = 0, Hyla = 1, Bufo = 2)
calls <- as.data.frame(matrix(rnorm(n * 10), n, 10))
names(calls) <- paste("mfcc", 1:10, sep = "")
calls$mfcc1 <- calls$mfcc1 + shift[as.character(species)]
calls$mfcc2 <- calls$mfcc2 - 0.8 * as.numeric(species)
calls$rain <- factor(sample(c("dry", "wet"), n, TRUE))

forest <- RRF(calls, species, flagReg = 0, ntree = 100, importance = TRUE, proximity = TRUE)
giniMatrix <- importance(forest, type = 2)
coefMatrix <- giniMatrix / max(giniMatrix)
grrf <- RRF(calls, species, coefReg = 0.4 + 0.6 * coefMatrix, ntree = 100)
print(grrf$confusion)
classError <- grrf$confusion[, "class.error"]
oob <- grrf$err.rate[nrow(grrf$err.rate), 1]

varImpPlot(forest, n.var = 6, main = "Calls", pch = 19, cex = 0.8)
plot(grrf, main = "Error as trees are added")
partialPlot(forest, calls, mfcc1, "Hyla")
MDSplot(forest, species)

cv <- rrfcv(calls, species, cv.fold = 3, step = 0.6, ntree = 40)
cv$error.cv
with(cv, plot(n.var, error.cv, log = "x", type = "o", lwd = 2))
nBest <- cv$n.var[which.min(cv$error.cv)]

accuracyImp <- importance(forest, type = 1, scale = FALSE)
ordered <- rownames(accuracyImp)[order(accuracyImp[, 1], decreasing = TRUE)]
selected <- ordered[1:nBest]
small <- RRF(calls[, selected, drop = FALSE], species, flagReg = 0, ntree = 100)
votes <- small$votes
margins <- margin(small)
outliers <- outlier(forest)
used <- varUsed(grrf)
sizes <- treesize(grrf)
medianSize <- median(sizes)
mostUsed <- names(calls)[which.max(used)]
perSpecies <- tapply(calls$mfcc1, species, mean)
rainTable <- table(calls$rain, species)
rainShare <- prop.table(rainTable, 2)
switch(mostUsed, mfcc1 = cat("the first coefficient\n"), mfcc2 = cat("the second\n"), cat("another\n"))
