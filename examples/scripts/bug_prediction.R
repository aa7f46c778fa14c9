# Faulty modules are rare: weights by class, and the scores that matter when they are.
library(RRF)

set.seed(6)
n <- 240
metrics <- data.frame(loc = round(rexp(n, 1 / 100)), complexity = rpois(n, 5), churn = rgamma(n, 2, 0.5))
metrics$comments <- rbinom(n, 20, 0.3)
metrics$depth <- sample(1:6, n, replace = TRUE)
for (i in 1:5) {
    metrics[[paste0("noise", i)]] <- rnorm(n)
}
risk <- 0.01 * metrics$loc + 0.2 * metrics$complexity + 0.3 * metrics$churn
metrics$bug <- as.factor(ifelse(risk + rnorm(n) > quantile(risk, 0.8), 1, 0))
share <- mean(metrics$bug == 1)

index <- sample(1:nrow(metrics), 0.7 * nrow(metrics))
train <- metrics[index, ]
test <- metrics[-index, ]
predictors <- names(metrics)[names(metrics) != "bug"]

evaluate <- function(truth, predicted) {
    tp <- sum(truth == "1" & predicted == "1")
    fp <- sum(truth == "0" & predicted == "1")
    fn <- sum(truth == "1" & predicted == "0")
    precision <- tp / max(tp + fp, 1)
    recall <- tp / (tp + fn)
    f1 <- if (precision + recall > 0) 2 * precision * recall / (precision + recall) else 0
    return(list(precision = precision, recall = recall, f1 = f1))
}

weights <- c(1, 3, 6)
scores <- lapply(weights, function(w) {
    fit <- RRF(train[, predictors], train$bug, classwt = c("0" = 1, "1" = w), coefReg = 0.8, ntree = 80)
    evaluate(test$bug, predict(fit, test[, predictors]))
})
f1 <- sapply(scores, function(s) s$f1)
recall <- unlist(lapply(scores, function(s) s[["recall"]]))
w <- weights[which.max(f1)]

# Balanced bags, and another threshold.
few <- min(table(train$bug))
balanced <- RRF(bug ~ ., data = train, sampsize = c(few, few), strata = train$bug, ntree = 120, flagReg = 0)
cut <- RRF(train[, predictors], train$bug, cutoff = c(0.7, 0.3), ntree = 80, classwt = c("0" = 1, "1" = 2))
balancedScores <- evaluate(test$bug, predict(balanced, test))
cutScores <- evaluate(test$bug, predict(cut, test[, predictors]))
prob <- predict(balanced, test, type = "prob")
thresholds <- c(0.3, 0.5, 0.7)
for (t in thresholds) {
    guess <- factor(as.integer(prob[, 2] > t), levels = c(0, 1))
    s <- evaluate(test$bug, guess)
    cat(sprintf("threshold %.1f precision %.3f recall %.3f\n", t, s$precision, s$recall))
}
print(table(test$bug, predict(cut, test[, predictors])))
imp <- importance(balanced)
top <- rownames(imp)[order(-imp[, 1])][1:3]
cat("best weight:", w, "top:", paste(top, collapse = ", "), "\n")
