# A kernel as one finds it on Kaggle: prepare, loop over gamma with small trees, write probabilities.
suppressPackageStartupMessages(library(RRF))

set.seed(415)
n <- 200
train <- data.frame(
    Age = round(runif(n, 1, 80)),
    Fare = round(rexp(n) * 30, 2),
    Pclass = sample(1:3, n, replace = TRUE),
    SibSp = rpois(n, 0.6),
    Sex = sample(c("female", "male"), n, replace = TRUE, prob = c(0.35, 0.65)),
    stringsAsFactors = TRUE
)
score <- 1.5 * (train$Sex == "female") - 0.6 * train$Pclass + 0.01 * train$Fare + rnorm(n, sd = 0.7)
train$Survived <- factor(as.integer(score > median(score)))
str(train)
table(train$Survived, train$Sex)

# Features made by hand.
train$Child <- ifelse(train$Age < 14, 1, 0)
train$Family <- train$SibSp + 1
train$Fare2 <- cut(train$Fare, breaks = c(-Inf, 10, 20, 30, Inf), labels = c("<10", "10-20", "20-30", "30+"))
rows <- sample(nrow(train), floor(0.7 * nrow(train)))
test <- train[-rows, ]
train <- train[rows, ]
features <- c("Age", "Fare", "Pclass", "SibSp", "Sex", "Child", "Family", "Fare2")

ordinary <- RRF(train[, features], train$Survived, flagReg = 0, ntree = 150, do.trace = 50)
imp <- importance(ordinary)[, "MeanDecreaseGini"]
imp <- imp / max(imp)

auc <- function(prob, truth) {
    r <- rank(prob)
    n1 <- sum(truth == 1)
    n0 <- length(truth) - n1
    (sum(r[truth == 1]) - n1 * (n1 + 1) / 2) / (n1 * n0)
}

gammas <- seq(0.1, 0.9, 0.2)
out <- NULL
for (gamma in gammas) {
    fit <- RRF(train[, features], train$Survived, coefReg = 1 - gamma + gamma * imp, maxnodes = 12, ntree = 100)
    prob <- predict(fit, test[, features], type = "prob")[, "1"]
    pred <- ifelse(prob > 0.5, 1, 0)
    acc <- mean(pred == test$Survived)
    out <- rbind(out, c(gamma, length(fit$feaSet), acc, auc(prob, test$Survived)))
    cat("gamma", gamma, "features", features[fit$feaSet], "\n")
}
colnames(out) <- c("gamma", "size", "accuracy", "auc")
print(out)
best <- out[which.max(out[, "auc"]), "gamma"]

final <- RRF(train[, features], train$Survived, coefReg = 1 - best + best * imp, ntree = 200)
predicted <- predict(final, test[, features])
confusion <- table(predicted, test$Survived)
accuracy <- sum(diag(confusion)) / sum(confusion)
submission <- data.frame(PassengerId = 1:nrow(test), Survived = predicted)
head(submission)
bySex <- tapply(test$Survived == "1", test$Sex, mean)
