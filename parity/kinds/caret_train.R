# Caret's train() with its models RRFglobal and RRF, folds and seeds given.
suppressPackageStartupMessages({ library(caret); library(RRF); library(randomForest) })
source("show.R")

sonar <- read.csv("../data/sonar.csv", stringsAsFactors = TRUE)
x <- sonar[, 1:20]
y <- sonar[[ncol(sonar)]]
set.seed(31)
index <- createFolds(y, k = 3, returnTrain = TRUE)
grid <- expand.grid(mtry = c(2, 6), coefReg = c(0.4, 0.9))
seeds <- c(lapply(1:3, function(i) sample.int(1000, nrow(grid))), sample.int(1000, 1))
tuned <- train(x, y, method = "RRFglobal", ntree = 40, tuneGrid = grid,
               trControl = trainControl(method = "cv", index = index, seeds = seeds))
for (column in c("mtry", "coefReg", "Accuracy", "Kappa", "AccuracySD", "KappaSD"))
    show(column, tuned$results[[column]])
show("best", unlist(tuned$bestTune))
show("kept", tuned$finalModel$feaSet)
show("votes", tuned$finalModel$votes)
show("predicted", predict(tuned, x))

# The model RRF: an ordinary forest of randomForest guides.
guided.grid <- expand.grid(mtry = 4, coefReg = c(0.5, 1), coefImp = c(0.2, 0.7))
seeds <- c(lapply(1:3, function(i) sample.int(1000, nrow(guided.grid))), sample.int(1000, 1))
guided <- train(x, y, method = "RRF", ntree = 40, tuneGrid = guided.grid,
                trControl = trainControl(method = "cv", index = index, seeds = seeds))
for (column in c("coefReg", "coefImp", "Accuracy", "Kappa", "AccuracySD", "KappaSD"))
    show(column, guided$results[[column]])
show("best", unlist(guided$bestTune))
show("kept", guided$finalModel$feaSet)
show("gini", guided$finalModel$importance)

# Numbers: RMSE, R squared and MAE.
boston <- read.csv("../data/boston.csv")
price <- boston$medv[1:120]
inputs <- boston[1:120, names(boston) != "medv"]
set.seed(32)
index <- createMultiFolds(price, k = 3, times = 2)
grid <- data.frame(mtry = c(3, 5), coefReg = c(0.8, 0.95), coefImp = c(0.1, 0.6))
seeds <- c(lapply(1:6, function(i) sample.int(1000, nrow(grid))), sample.int(1000, 1))
numbers <- train(inputs, price, method = "RRF", ntree = 30, tuneGrid = grid,
                 trControl = trainControl(method = "repeatedcv", index = index, seeds = seeds))
for (column in c("RMSE", "Rsquared", "MAE", "RMSESD", "RsquaredSD", "MAESD")) show(column, numbers$results[[column]])
show("mse", numbers$finalModel$mse)
