# Each line of the input is a task: a folder with x.bin (numbers by column) and y.csv (codes of classes, or numbers),
# a seed, trees, values of regularization.factor, seconds of the processor that it may take, and whether y is numbers;
# the answer is "ok" and for each value, parted by semicolons, the seconds of the fit and the columns, from 0, that
# trees split by, parted by "|"; or "error" and why. A value that is past the limit ends the answer.
suppressPackageStartupMessages(library(ranger))

one <- function(x, y, seed, trees, factor) {
  begun <- proc.time()
  fit <- ranger(x = x, y = y, num.trees = trees, regularization.factor = factor, num.threads = 1, seed = seed)
  seconds <- sum((proc.time() - begun)[1:2])
  splits <- Map(function(ids, children) ids[children[[1]] != 0], fit$forest$split.varIDs, fit$forest$child.nodeIDs)
  paste(seconds, paste(sort(unique(unlist(splits))), collapse = " "), sep = "|")
}

select <- function(folder, seed, trees, factors, limit, numeric) {
  y <- readLines(file.path(folder, "y.csv"))
  y <- if (numeric == "True") as.numeric(y) else as.factor(y)
  file <- file.path(folder, "x.bin")
  x <- matrix(readBin(file, "double", file.size(file) / 8), nrow = length(y))
  colnames(x) <- paste0("x", seq_len(ncol(x)))
  end <- sum(proc.time()[1:2]) + as.numeric(limit)
  answers <- character()
  for (factor in as.numeric(strsplit(factors, ",")[[1]])) {
    if (sum(proc.time()[1:2]) > end) break
    answers <- c(answers, one(x, y, as.integer(seed), as.integer(trees), factor))
  }
  paste(answers, collapse = ";")
}

tasks <- file("stdin", "r")
while (length(line <- readLines(tasks, 1)) > 0) {
  answer <- tryCatch(paste0("ok\t", do.call(select, as.list(strsplit(line, "\t")[[1]]))),
                     error = function(trouble) paste0("error\t", gsub("\\s+", " ", conditionMessage(trouble))))
  cat(answer, "\n", sep = "")
  flush(stdout())
}
