# Tuning mtry and coefReg over folds that caret draws; a hold-out set judges the winner.
library(caret)
library(RRF)

iris <- read.csv("../data/iris.csv", stringsAsFactors = TRUE)
set.seed(107)
iris$Noise1 <- rnorm(nrow(iris))
iris$Noise2 <- runif(nrow(iris))
inTrain <- createDataPartition(iris$Species, p = 0.7, list = FALSE)
training <- iris[inTrain, ]
testing <- iris[-inTrain, ]
predictors <- setdiff(names(iris), "Species")

folds <- createFolds(training$Species, k = 4)
sapply(folds, length)

grid <- expand.grid(mtry = c(1, 2, 4), coefReg = c(0.3, 0.8))
grid$Accuracy <- NA
grid$Size <- NA
for (g in 1:nrow(grid)) {
    accuracy <- c()
    size <- c()
    for (fold in folds) {
        fit <- RRF(training[-fold, predictors], training$Species[-fold],
                   mtry = grid$mtry[g], coefReg = grid$coefReg[g], ntree = 60)
        predicted <- predict(fit, training[fold, predictors])
        accuracy <- c(accuracy, mean(predicted == training$Species[fold]))
        size <- c(size, length(fit$feaSet))
    }
    grid$Accuracy[g] <- mean(accuracy)
    grid$Size[g] <- mean(size)
}
print(grid)

best <- grid[which.max(grid$Accuracy), ]
cat("mtry", best$mtry, "coefReg", best$coefReg, "accuracy", best$Accuracy, "\n")
final <- RRF(Species ~ ., data = training, mtry = best$mtry, coefReg = best$coefReg, ntree = 200)
pred <- predict(final, newdata = testing)
cm <- confusionMatrix(pred, testing$Species)
overall <- cm$overall[c("Accuracy", "Kappa")]
counts <- cm$table
sensitivity <- diag(counts) / colSums(counts)
print(overall)

# Repeated hold-outs.
reps <- createDataPartition(iris$Species, times = 3, p = 0.8)
scores <- sapply(reps, function(rows) {
    fit <- RRF(iris[rows, predictors], iris$Species[rows], flagReg = 0, ntree = 40)
    mean(predict(fit, iris[-rows, predictors]) == iris$Species[-rows])
})
cat("repeated:", mean(scores), "+/-", sd(scores), "\n")
