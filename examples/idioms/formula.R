suppressPackageStartupMessages(library(RRF))
air <- na.omit(airquality)
train <- air[1:80, ]
test <- air[81:100, ]

set.seed(1)
fit <- RRF(log(Ozone) ~ . - Day, data = train, coefReg = 0.9, ntree = 100)
p <- predict(fit, newdata = test)
cat("first:", sprintf("%.15g", p[1:3]), fill = TRUE)
cat("kept:", rownames(fit$importance)[fit$feaSet], fill = TRUE)
