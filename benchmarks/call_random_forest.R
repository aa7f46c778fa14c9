# Usage: Rscript benchmarks/call_random_forest.R FOLDER: one call of CRAN randomForest, repeated; see forests.py.
# Prints the least processor seconds; writes errors and importance as doubles to FOLDER/answer.
suppressPackageStartupMessages(library(randomForest))
folder <- commandArgs(TRUE)[1]
meta <- scan(file.path(folder, "meta"), quiet = TRUE)
names(meta) <- c("rows", "columns", "trees", "mtry", "nodesize", "numbers", "repeats")
rows <- meta[["rows"]]
columns <- meta[["columns"]]
levels <- scan(file.path(folder, "levels"), quiet = TRUE)
x <- matrix(readBin(file.path(folder, "x"), "double", rows * columns), rows)
y <- readBin(file.path(folder, "y"), "double", rows)
if (any(levels > 0)) {
  x <- as.data.frame(x)
  for (at in which(levels > 0)) x[[at]] <- factor(x[[at]], levels = seq_len(levels[at]) - 1)
}
if (!meta[["numbers"]]) y <- factor(y)
least <- Inf
for (round in seq_len(meta[["repeats"]])) {
  set.seed(1)
  spent <- system.time(
    fit <- randomForest(x, y, ntree = meta[["trees"]], mtry = meta[["mtry"]], nodesize = meta[["nodesize"]])
  )
  least <- min(least, spent[["user.self"]] + spent[["sys.self"]])
}
writeBin(as.double(c(if (meta[["numbers"]]) fit$mse else fit$err.rate, fit$importance)), file.path(folder, "answer"))
cat(least, "\n")
