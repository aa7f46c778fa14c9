# Gene selection on a small microarray: the guided idiom by hand, sizes and errors for each gamma.
library(RRF)

set.seed(2023)
n <- 60
p <- 150
x <- matrix(rnorm(n * p), nrow = n, ncol = p)
colnames(x) <- paste0("gene", 1:p)
tumour <- rep(c(TRUE, FALSE), n / 2)
x[tumour, 1:5] <- x[tumour, 1:5] + 1.2
class <- as.factor(ifelse(tumour, "tumour", "normal"))
print(table(class))

# An ordinary forest scores the genes.
rf <- RRF(x, class, flagReg = 0, ntree = 100)
impRF <- rf$importance[, "MeanDecreaseGini"]
imp <- impRF / max(impRF)

# One regularized forest, all genes at the same price.
rrf <- RRF(x, class, flagReg = 1, coefReg = 0.8, ntree = 100)
subsetRRF <- rrf$feaSet
cat("RRF keeps", length(subsetRRF), "genes\n")

gammas <- seq(0, 1, by = 0.25)
sizes <- numeric(length(gammas))
errors <- rep(NA, length(gammas))
kept <- list()
for (i in seq_along(gammas)) {
    gamma <- gammas[i]
    coefReg <- (1 - gamma) + gamma * imp   # between 1 - gamma and 1
    grrf <- RRF(x, class, flagReg = 1, coefReg = coefReg, ntree = 100)
    sizes[i] <- length(grrf$feaSet)
    kept[[i]] <- colnames(x)[grrf$feaSet]
    plain <- RRF(x[, grrf$feaSet, drop = FALSE], class, flagReg = 0, ntree = 100)
    errors[i] <- plain$err.rate[100, "OOB"]
    cat(sprintf("gamma %.2f: %d genes, error %.4f\n", gamma, sizes[i], errors[i]))
}
best <- which.min(errors)
bestGamma <- gammas[best]
bestGenes <- kept[[best]]

# The same guide as a power, and guided without regularization.
power <- RRF(x, class, flagReg = 1, coefReg = imp^2, ntree = 100)
guided <- RRF(x, class, flagReg = 0, coefReg = imp, ntree = 100)
common <- intersect(power$feaSet, subsetRRF)
top <- order(imp, decreasing = TRUE)[1:10]
topGenes <- colnames(x)[top]
falseGenes <- sum(!(power$feaSet %in% 1:5))
ranks <- rank(-imp)[1:5]

results <- data.frame(gamma = gammas, size = sizes, error = errors)
results <- results[order(results$error, results$size), ]
print(results)
cat("best gamma:", bestGamma, "\n")
