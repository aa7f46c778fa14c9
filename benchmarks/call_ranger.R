# Usage: Rscript benchmarks/call_ranger.R FOLDER: one call of ranger, regularized or ordinary.
# ranger's defaults ask for less than RRF answers: no importances.
library(ranger)
source("benchmarks/call.R")
x <- read_x()
colnames(x) <- paste0("x", seq_len(ncol(x)))
y <- read_y()
found <- measured(
  fit <- ranger(
    x = x, y = y, num.trees = job$trees, mtry = job$mtry, min.node.size = job$nodesize,
    regularization.factor = if (job$regularized) job$coef_reg else 1,
    num.threads = job$threads, seed = job$seed
  )
)
report("ranger", found)
