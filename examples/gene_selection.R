# Guided gene selection: for each gamma the genes that GRRF keeps, and a plain forest on them.
# Run in this folder. gene_selection.py prints the same lines.
suppressPackageStartupMessages(library(RRF))

set.seed(2)
n <- 60
p <- 400
x <- matrix(rnorm(n * p), ncol = p)
colnames(x) <- paste0("gene", 1:p)
tumour <- rep(c(TRUE, FALSE), n / 2)
x[tumour, 1:6] <- x[tumour, 1:6] + 1.5
class <- as.factor(ifelse(tumour, "tumour", "normal"))

ordinary <- RRF(x, class, flagReg = 0, ntree = 200)
imp <- ordinary$importance[, "MeanDecreaseGini"]
imp <- imp / max(imp)

for (gamma in c(0, 0.2, 0.4, 0.6, 0.8, 1)) {
    fit <- RRF(x, class, coefReg = (1 - gamma) + gamma * imp, flagReg = 1, ntree = 200)
    genes <- colnames(x)[fit$feaSet]
    plain <- RRF(x[, genes, drop = FALSE], class, flagReg = 0, ntree = 200)
    error <- plain$err.rate[200, "OOB"]
    cat(sprintf("gamma %.1f keeps %d genes, error of a plain forest on them %.15g\n", gamma, length(genes), error))
}

gamma <- 0.4
fit <- RRF(x, class, coefReg = (1 - gamma) + gamma * imp, flagReg = 1, ntree = 200)
for (gene in colnames(x)[fit$feaSet]) {
    cat(sprintf("%s %.15g\n", gene, fit$importance[gene, "MeanDecreaseGini"]))
}

# Error of selection and forest together, by cross-validation.
fold <- sample(rep(1:5, length.out = n))
wrong <- 0
for (k in 1:5) {
    train <- fold != k
    ordinary <- RRF(x[train, ], class[train], flagReg = 0, ntree = 200)
    imp <- ordinary$importance[, "MeanDecreaseGini"]
    coefReg <- (1 - gamma) + gamma * imp / max(imp)
    fit <- RRF(x[train, ], class[train], coefReg = coefReg, flagReg = 1, ntree = 200)
    genes <- colnames(x)[fit$feaSet]
    plain <- RRF(x[train, genes], class[train], flagReg = 0, ntree = 200)
    predicted <- predict(plain, x[!train, genes])
    wrong <- wrong + sum(predicted != class[!train])
    cat(sprintf("fold %d: %d genes, %d wrong so far\n", k, length(genes), wrong))
}
cat(sprintf("next draw %.15g\n", runif(1)))
