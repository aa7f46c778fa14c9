# What R grows for calls.rds.
# pyrrf parity calls.R --record calls.rds
library(RRF)
set.seed(1)
x <- matrix(round(rnorm(120), 2), ncol = 4)
colnames(x) <- c("a", "b", "c", "d")
frame <- data.frame(x, kind = factor(rep(c("u", "v", "w"), 10)))
class <- factor(ifelse(x[, 1] + x[, 3] > 0, "yes", "no"))

guide <- RRF(frame, class, flagReg = 0, ntree = 4, importance = TRUE)
gini <- guide$importance[, "MeanDecreaseGini"]
guided <- RRF(frame, class, coefReg = 0.5 + 0.5 * (gini / max(gini)), ntree = 4, feaIni = 2, keep.inbag = TRUE)
numbers <- RRF(a ~ ., data = frame, coefReg = 0.9, ntree = 3, importance = TRUE)
tested <- RRF(x[1:20, ], class[1:20], x[21:30, ], class[21:30], ntree = 3, classwt = c(no = 1, yes = 2))
alone <- RRF(x, ntree = 2)
print(runif(1))
