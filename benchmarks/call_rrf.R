# Usage: Rscript benchmarks/call_rrf.R FOLDER: one call of CRAN RRF.
suppressPackageStartupMessages(library(RRF))
source("benchmarks/call.R")
x <- read_x()
y <- read_y()
set.seed(job$seed)
found <- measured(
  fit <- RRF(x, y, ntree = job$trees, mtry = job$mtry, nodesize = job$nodesize, coefReg = job$coef_reg)
)
parts <- if (numbers) c(fit$predicted, fit$mse) else fit$votes
write_answer(c(parts, fit$importance, fit$feaSet))
report("RRF", found)
