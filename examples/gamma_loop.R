# A loop over gamma with seq(), the table of predictions, and shares: what stands around the forests of many kernels.
# Run in this folder. gamma_loop.py prints the same lines.
suppressPackageStartupMessages(library(RRF))

data <- read.csv("data/iris.csv", stringsAsFactors = TRUE)
data$Width <- cut(data$Sepal.Width, breaks = 4)
set.seed(11)
rows <- sample(nrow(data), round(0.7 * nrow(data)))
train <- data[rows, ]
test <- data[-rows, ]
print_table <- function(counts) {
    for (i in seq_len(nrow(counts))) cat(rownames(counts)[i], counts[i, ], fill = TRUE)
}
print_table(table(train$Width, train$Species))

x <- train[, c("Sepal.Length", "Petal.Length", "Petal.Width", "Width")]
forest <- RRF(x, train$Species, flagReg = 0, ntree = 60)
importance <- forest$importance[, "MeanDecreaseGini"]
importance <- importance / max(importance)
best <- NULL
for (gamma in seq(0.1, 0.9, by = 0.1)) {
    coefReg <- (1 - gamma) + gamma * importance
    fit <- RRF(x, train$Species, coefReg = coefReg, flagReg = 1, ntree = 60, maxnodes = 6)
    predicted <- predict(fit, test)
    counts <- table(predicted, test$Species)
    accuracy <- sum(diag(counts)) / sum(counts)
    cat(sprintf("gamma %.17g: %d features, accuracy %.17g\n", gamma, length(fit$feaSet), accuracy))
    best <- rbind(best, c(gamma, accuracy, mean(coefReg), sd(coefReg)))
}
print_table(counts)
cat(sprintf("share %.17g\n", prop.table(counts, 1)), sep = "")
cat(sprintf("%.17g\n", colMeans(best)), sep = "")
ranked <- order(best[, 2], best[, 1], decreasing = TRUE)
cat(paste(sprintf("%.17g", best[ranked, 1]), collapse = " "), "\n", sep = "")
cat(sprintf("next draw %.15g\n", runif(1)))
