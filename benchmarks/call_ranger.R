# Usage: Rscript benchmarks/call_ranger.R FOLDER: calls of ranger, regularized or ordinary.
# ranger's defaults ask for less than RRF answers: no importances.
library(ranger)
source("benchmarks/call.R")
levels_of_factors <- if (is.data.frame(x)) "order" else "ignore" # "order" fails on a matrix

score <- function(fit) {
  nodes <- fit$forest$child.nodeIDs
  leaves <- vapply(nodes, function(children) sum(children[[1]] == 0), 0)
  splits <- Map(function(ids, children) ids[children[[1]] != 0], fit$forest$split.varIDs, nodes)
  list(
    error = test_error(predict(fit, x_test, num.threads = 1)$predictions),
    leaves = mean(leaves),
    features = length(unique(unlist(splits)))
  )
}

call <- function(job) {
  found <- measured(
    fit <- ranger(
      x = x, y = y, num.trees = job$trees, mtry = job$mtry, min.node.size = job$nodesize,
      regularization.factor = if (job$regularized) job$coef_reg else 1,
      respect.unordered.factors = levels_of_factors,
      num.threads = job$threads, seed = job$seed
    )
  )
  if (job$score) c(found, score(fit)) else found
}

serve("ranger", call)
