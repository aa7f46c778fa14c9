# Usage: Rscript benchmarks/call_rrf.R FOLDER: calls of CRAN RRF.
suppressPackageStartupMessages(library(RRF))
source("benchmarks/call.R")
if (is.matrix(x)) dimnames(x) <- dimnames(x_test) <- NULL

score <- function(fit) {
  list(error = test_error(predict(fit, x_test)), leaves = mean(treesize(fit)), features = length(fit$feaSet))
}

call <- function(job) {
  set.seed(job$seed)
  found <- measured(
    fit <- RRF(x, y, ntree = job$trees, mtry = job$mtry, nodesize = job$nodesize, coefReg = job$coef_reg)
  )
  parts <- if (data$numbers) c(fit$predicted, fit$mse) else fit$votes
  write_answer(c(parts, fit$importance, fit$feaSet), job$answer)
  if (job$score) c(found, score(fit)) else found
}

serve("RRF", call)
