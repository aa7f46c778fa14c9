# Bug prediction (classwt by name), prices by formula, malaria's bootstrap, imports85 with na.roughfix.
suppressPackageStartupMessages({ library(randomForest); library(RRF) })
source("show.R")

votes <- read.csv("../data/votes.csv", stringsAsFactors = TRUE)
set.seed(12)
bugs <- as.factor(as.integer(votes[[ncol(votes)]] == levels(votes[[ncol(votes)]])[1]))
code <- votes[, -ncol(votes)]
rows <- sample(1:nrow(code), size = floor(0.6 * nrow(code)))
weights <- c("0" = 1, "1" = sum(bugs == 0) / sum(bugs == 1))
show("weights", weights)
fit <- RRF(code[rows, ], bugs[rows], classwt = weights, coefReg = 0.7, ntree = 60, cutoff = c(0.4, 0.6), sampsize = c(30, 25))
pred <- predict(fit, code[-rows, ])
tab <- table(pred, bugs[-rows])
precision <- tab[2, 2] / sum(tab[2, ])
recall <- tab[2, 2] / sum(tab[, 2])
show("f1", c(tab, precision, recall, 2 * precision * recall / (precision + recall)))
show("prob", predict(fit, code[-rows, ], type = "prob")[, "1"])
show("kept", names(code)[fit$feaSet])
show("class error", fit$confusion)

# Prices: cars by a formula, log1p, intervals of a quantile, several models side by side.
cars <- read.csv("../data/imports85.csv", stringsAsFactors = TRUE)
cars <- cars[, !(names(cars) %in% c("make", "symboling"))]
numeric <- sapply(cars, is.numeric)
cars$price <- log1p(cars$price)
holes <- sample(nrow(cars), 12)
cars$horsepower[holes] <- NA
cars$bodyStyle[sample(nrow(cars), 9)] <- NA
show("holes", colSums(is.na(cars)))
cars <- na.roughfix(cars)
show("filled", c(cars$horsepower[holes], summary(cars$bodyStyle)))
part <- cut(cars$price, quantile(cars$price, 0:3 / 3), include.lowest = TRUE, labels = c("low", "mid", "high"))
show("parts", table(part))
split <- unlist(lapply(split(seq_len(nrow(cars)), part), function(i) sample(i, floor(length(i) * 0.7))))
show("split", split)
models <- list(rrf = RRF(price ~ ., cars[split, ], coefReg = 0.9, ntree = 50),
               rf = randomForest(price ~ ., cars[split, ], ntree = 50),
               few = RRF(price ~ horsepower + curbWeight + fuelType, cars[split, ], ntree = 50, flagReg = 0))
for (name in names(models)) {
    p <- predict(models[[name]], cars[-split, ])
    y <- cars$price[-split]
    show(name, c(sqrt(mean((y - p)^2)), mean(abs(y - p)), 1 - sum((y - p)^2) / sum((y - mean(y))^2), max(expm1(p))))
}

# Bootstrap: how often each variable is kept, on samples with replacement; its interval by quantiles.
kept <- matrix(0, 6, ncol(cars) - 1, dimnames = list(NULL, setdiff(names(cars), "price")))
score <- numeric(0)
for (b in 1:6) {
    boot <- sample(nrow(cars), replace = TRUE)
    out <- setdiff(seq_len(nrow(cars)), boot)
    guide <- randomForest(cars[boot, colnames(kept)], cars$price[boot], ntree = 30, importance = TRUE)
    imp <- randomForest::importance(guide, type = 1)
    imp <- (imp - min(imp)) / (max(imp) - min(imp))
    fit <- RRF(cars[boot, colnames(kept)], cars$price[boot], coefReg = 0.5 + 0.5 * imp, ntree = 30)
    kept[b, fit$feaSet] <- 1
    score[b] <- cor(predict(fit, cars[out, ]), cars$price[out])^2
}
show("frequency", colMeans(kept))
show("score", c(score, quantile(score, c(0.025, 0.975), type = 6)))
show("order", names(sort(colMeans(kept), decreasing = TRUE))[1:5])
show("levels", levels(cars$bodyStyle))
show("medians", tapply(cars$price, cars$bodyStyle, median))
show("state", runif(1))
