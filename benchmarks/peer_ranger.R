# Usage: Rscript benchmarks/peer_ranger.R FOLDER SEED
# ranger's defaults ask for less than RRF answers: no importances.
library(ranger)
source("benchmarks/data.R")
x <- read_x()
colnames(x) <- paste0("x", seq_len(ncol(x)))
y <- read_y()
seconds <- system.time(
  ranger(
    x = x, y = y, num.trees = shape$trees, mtry = if (numbers) floor(ncol(x) / 3) else floor(sqrt(ncol(x))),
    min.node.size = if (numbers) 5 else 1,
    regularization.factor = shape$coef_reg, num.threads = 1, seed = seed
  )
)[["elapsed"]]
report("ranger", seconds)
