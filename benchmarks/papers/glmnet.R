# LASSO by R's cv.glmnet, task by task. Each line of the input is a task: a folder with x.bin (numbers by column) and y.csv, a seed, the number of folds, and
# the values of lambda; the answer is "ok" and the columns that cv.glmnet selects, from 0, or "error" and why.
# Settings as in the scripts of the GRRF paper's first author: 5 folds, six values of lambda, multinomial also for
# two classes, coefficients at lambda.1se.
suppressPackageStartupMessages(library(glmnet))

select <- function(folder, seed, folds, lambdas) {
  set.seed(as.integer(seed))
  y <- as.factor(readLines(file.path(folder, "y.csv")))
  file <- file.path(folder, "x.bin")
  x <- matrix(readBin(file, "double", file.size(file) / 8), nrow = length(y))
  fit <- cv.glmnet(x, y, lambda = as.numeric(strsplit(lambdas, ",")[[1]]), nfolds = as.integer(folds),
                   family = "multinomial")
  unique(unlist(lapply(coef(fit, s = "lambda.1se"), function(b) which(as.vector(b)[-1] != 0) - 1)))
}

tasks <- file("stdin", "r")
while (length(line <- readLines(tasks, 1)) > 0) {
  answer <- tryCatch(paste(c("ok\t", do.call(select, as.list(strsplit(line, "\t")[[1]]))), collapse = " "),
                     error = function(trouble) paste0("error\t", gsub("\\s+", " ", conditionMessage(trouble))))
  cat(answer, "\n", sep = "")
  flush(stdout())
}
