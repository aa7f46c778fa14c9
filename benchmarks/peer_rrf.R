# Usage: Rscript benchmarks/peer_rrf.R FOLDER SEED
suppressPackageStartupMessages(library(RRF))
source("benchmarks/data.R")
x <- read_x()
y <- read_y()
set.seed(seed)
seconds <- system.time(
  fit <- RRF(x, y, ntree = shape$trees, coefReg = shape$coef_reg)
)[["elapsed"]]
parts <- if (numbers) c(fit$predicted, fit$mse) else fit$votes
report("RRF", seconds, c(parts, fit$importance, fit$feaSet))
