# Car prices with holes: filled roughly, then bootstrap samples through randomForest and RRF on one stream.
library(randomForest)
library(RRF)

set.seed(85)
n <- 110
cars <- data.frame(
    make = factor(sample(c("audi", "bmw", "honda", "mazda"), n, replace = TRUE)),
    doors = factor(sample(c("four", "two"), n, TRUE), levels = c("two", "four")),
    weight = round(rnorm(n, 2500, 400)),
    engine = round(runif(n, 70, 300), 1),
    horse = rnorm(n, 100, 30)
)
cars$price <- 3 * cars$weight + 40 * cars$engine + 2000 * (cars$make == "bmw") + rnorm(n, 0, 500)
cars$weight[sample(n, 8)] <- NA
cars$doors[sample(n, 5)] <- NA
cars$horse[c(3, 17, 30)] <- NA
missing <- colSums(is.na(cars))
cars <- na.roughfix(cars)
stopifnot(!any(is.na(cars)))

x <- cars[, names(cars) != "price"]
y <- cars$price
B <- 4
freq <- matrix(0, nrow = B, ncol = ncol(x), dimnames = list(NULL, names(x)))
errRF <- numeric(B)
errRRF <- vector("numeric", B)
for (b in 1:B) {
    boot <- sample(1:n, n, replace = TRUE)
    out <- setdiff(1:n, boot)
    rf <- randomForest(x[boot, ], y[boot], ntree = 60, importance = TRUE)
    imp <- rf$importance[, "IncNodePurity"]
    imp <- imp / max(imp)
    rrf <- RRF(x[boot, ], y[boot], coefReg = 0.2 + 0.8 * imp, ntree = 60)
    freq[b, rrf$feaSet] <- 1
    errRF[b] <- mean((predict(rf, x[out, ]) - y[out])^2)
    errRRF[b] <- mean((predict(rrf, x[out, ]) - y[out])^2)
    if (errRRF[b] > 2 * errRF[b]) next
    cat("sample", b, "of", B, "\n")
}
stability <- colMeans(freq)
worse <- mean(errRRF > errRF)
difference <- errRRF - errRF
interval <- mean(difference) + c(-1, 1) * qnorm(0.975) * sd(difference) / sqrt(B)

# Dear or cheap, as classes.
dear <- factor(ifelse(y > median(y), "dear", "cheap"))
both <- cbind(x, dear)
rfClass <- randomForest(dear ~ ., data = both, ntree = 80, mtry = 2)
oobError <- rfClass$err.rate[80, "OOB"]
kept <- names(x)[rrf$feaSet]
plain <- randomForest(x[, kept, drop = FALSE], dear, ntree = 80)
confusion <- plain$confusion[, 1:2]
perMake <- tapply(y, x$make, median)
ordered <- x[order(y, decreasing = TRUE), ][1:5, c("make", "weight")]
print(ordered)
next.draw <- runif(2)
