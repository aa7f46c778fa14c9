# ranger by values of regularization.factor: for each, parted by semicolons, the seconds of the fit and the columns,
# from 0, that trees split by, parted by "|". A value that is past the limit (seconds of the processor) ends the answer.
# jobs/serve.R calls `select`.
suppressPackageStartupMessages(library(ranger))

one <- function(x, y, seed, trees, factor) {
  begun <- proc.time()
  fit <- ranger(x = x, y = y, num.trees = trees, regularization.factor = factor, num.threads = 1, seed = seed)
  seconds <- sum((proc.time() - begun)[1:2])
  splits <- Map(function(ids, children) ids[children[[1]] != 0], fit$forest$split.varIDs, fit$forest$child.nodeIDs)
  paste(seconds, paste(sort(unique(unlist(splits))), collapse = " "), sep = "|")
}

select <- function(x, y, seed, trees, factors, limit, numeric) {
  y <- if (numeric == "True") as.numeric(y) else as.factor(y)
  colnames(x) <- paste0("x", seq_len(ncol(x)))
  end <- sum(proc.time()[1:2]) + as.numeric(limit)
  answers <- character()
  for (factor in as.numeric(strsplit(factors, ",")[[1]])) {
    if (sum(proc.time()[1:2]) > end) break
    answers <- c(answers, one(x, y, as.integer(seed), as.integer(trees), factor))
  }
  paste(answers, collapse = ";")
}
