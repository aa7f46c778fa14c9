# Usage: Rscript serve.R SCRIPT: answers tasks by the function `select` of a script.
# Each line of the input is a task, its fields parted by tabs: a folder with x.bin (numbers by column) and y.csv (a
# label a line), and what `select` takes after these two. The answer is "ok" and the text that `select` returns, or
# "error" and why.
source(commandArgs(TRUE)[1])

select_from <- function(folder, ...) {
  y <- readLines(file.path(folder, "y.csv"))
  file <- file.path(folder, "x.bin")
  select(matrix(readBin(file, "double", file.size(file) / 8), nrow = length(y)), y, ...)
}

tasks <- file("stdin", "r")
while (length(line <- readLines(tasks, 1)) > 0) {
  answer <- tryCatch(paste0("ok\t", do.call(select_from, as.list(strsplit(line, "\t")[[1]]))),
                     error = function(trouble) paste0("error\t", gsub("\\s+", " ", conditionMessage(trouble))))
  cat(answer, "\n", sep = "")
  flush(stdout())
}
