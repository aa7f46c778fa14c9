# Boruta of R: the seconds of the fit, and the columns confirmed, from 0, parted by "|". jobs/serve.R calls `select`.
suppressPackageStartupMessages(library(Boruta))

select <- function(x, y, seed, trees, rounds, depth, numeric) {
  y <- if (numeric == "True") as.numeric(y) else as.factor(y)
  colnames(x) <- paste0("x", seq_len(ncol(x)))
  set.seed(as.integer(seed))
  begun <- proc.time()
  fit <- Boruta(as.data.frame(x), y, pValue = 0.05, maxRuns = as.integer(rounds) + 1, num.trees = as.integer(trees),
                max.depth = as.integer(depth), num.threads = 1)
  seconds <- sum((proc.time() - begun)[1:2])
  paste(seconds, paste(which(fit$finalDecision == "Confirmed") - 1, collapse = " "), sep = "|")
}
