suppressPackageStartupMessages(library(RRF))
odd <- seq(1, 149, by = 2)
train <- iris[odd, ]
test <- iris[-odd, ]

set.seed(1)
fit <- RRF(Species ~ ., data = train, ntree = 50, proximity = TRUE)
predicted <- predict(fit, test)
cat("right:", sum(predicted == test$Species), "of", nrow(test), fill = TRUE)
chances <- predict(fit, test, type = "prob")
cat("row 30:", sprintf("%.15g", chances[30, ]), fill = TRUE)
cat("confusion:", fit$confusion[, 1:3], fill = TRUE)
cat("outlier:", sprintf("%.15g", outlier(fit)[60]), fill = TRUE)
cat("leaves:", treesize(fit)[1:5], fill = TRUE)
