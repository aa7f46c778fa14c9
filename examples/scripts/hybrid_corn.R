# Yields of hybrids from weather and soil: scaled, filtered by correlation, traced as the trees grow.
require(RRF)

set.seed(1234)
hybrids <- 90
weather <- matrix(rnorm(hybrids * 8, mean = 20, sd = 4), ncol = 8)
soil <- matrix(runif(hybrids * 4, 0, 14), ncol = 4)
inputs <- cbind(weather, soil, weather[, 1] * 1.01 + 0.1)
colnames(inputs) <- c(paste("W", 1:8, sep = "_"), paste("S", 1:4, sep = "_"), "copy")
yield <- 100 + 0.5 * inputs[, "W_1"] - 0.2 * (inputs[, "S_2"] - 7)^2 + rnorm(hybrids)

# Columns that copy another one go.
correlations <- cor(inputs)
drop <- NULL
for (i in 1:(ncol(inputs) - 1)) {
    for (j in (i + 1):ncol(inputs)) {
        if (abs(correlations[i, j]) > 0.95) drop <- c(drop, j)
    }
}
if (!is.null(drop)) inputs <- inputs[, -drop]
dim(inputs)

scaled <- as.data.frame(scale(inputs))
means <- sapply(scaled, mean)
sds <- sapply(scaled, sd)
scaled$yield <- as.vector(scale(yield))
test <- seq(1, hybrids, by = 4)
trainset <- scaled[-test, ]
testset <- scaled[test, ]

rf <- RRF(yield ~ ., data = trainset, flagReg = 0, importance = TRUE, ntree = 100, do.trace = 25)
imp <- rf$importance
imp <- imp[, "%IncMSE"] / max(imp[, "%IncMSE"])
imp[imp < 0] <- 0
coefReg <- 0.1 + 0.9 * imp
grrf <- RRF(yield ~ ., data = trainset, coefReg = coefReg, ntree = 100, mtry = 4, nodesize = 3, do.trace = TRUE)
chosen <- rownames(grrf$importance)[grrf$feaSet]
pred <- predict(grrf, testset)
rmse <- sqrt(mean((pred - testset$yield)^2))
back <- pred * sd(yield) + mean(yield)
rmseBack <- sqrt(mean((back - yield[test])^2))
cor(pred, testset$yield)

# How often each input is kept in repeated runs.
times <- 6
freq <- rep(0, ncol(inputs))
names(freq) <- colnames(inputs)
run <- 0
while (run < times) {
    run <- run + 1
    rows <- sample(nrow(trainset), 50)
    fit <- RRF(trainset[rows, colnames(inputs)], trainset$yield[rows], coefReg = 0.7, ntree = 40)
    freq[fit$feaSet] <- freq[fit$feaSet] + 1
}
stable <- names(freq)[freq >= 3]
cat("kept:", chosen, "\n")
cat("stable:", stable, "\n")
print(sort(freq, decreasing = TRUE)[1:5])
