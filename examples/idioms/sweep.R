suppressPackageStartupMessages(library(RRF))
X <- iris[, 1:4]
class <- iris$Species

set.seed(1)
for (lambda in c(0.2, 0.5, 0.9)) {
    rrf <- RRF(X, class, coefReg = lambda, ntree = 50)
    kept <- rrf$feaSet
    # an ordinary forest on what was kept
    rf <- RRF(X[, kept, drop = FALSE], class, flagReg = 0, ntree = 50)
    cat(sprintf("lambda %.1f keeps %d, error %.15g", lambda, length(kept), rf$err.rate[50, 1]), fill = TRUE)
}
