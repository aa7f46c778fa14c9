# What every peer in R shares; call.py does the same for Python and says how a peer is asked.

folder <- commandArgs(TRUE)[1]
data <- jsonlite::fromJSON(file.path(folder, "data.json"))

# Doubles in binary, so that no digit is lost.
read_doubles <- function(name, count) {
  readBin(file.path(folder, name), what = "double", n = count, size = 8, endian = "little")
}

# A matrix; where there are factors, a table.
read_x <- function(name, rows) {
  x <- read_doubles(name, rows * data$columns)
  dim(x) <- c(rows, data$columns)
  colnames(x) <- paste0("x", seq_len(ncol(x)))
  if (length(data$levels) == 0) return(x)
  table <- as.data.frame(x)
  for (i in which(data$levels > 0)) table[[i]] <- factor(table[[i]], levels = seq_len(data$levels[i]) - 1)
  table
}

x <- read_x("x.bin", data$rows)
x_test <- read_x("x_test.bin", data$test_rows)
y <- read_doubles("y.bin", data$rows)
if (!data$numbers) y <- factor(y)
y_test <- read_doubles("y_test.bin", data$test_rows)

# The share of wrong classes, or the mean square over the variance, on the rows set aside.
test_error <- function(predicted) {
  if (data$numbers) return(mean((predicted - y_test)^2) / mean((y_test - mean(y_test))^2))
  mean(as.numeric(as.character(predicted)) != y_test)
}

# A size from /proc/self/status in MiB.
memory <- function(name) {
  line <- grep(paste0("^", name, ":"), readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}

# The peak of the memory begins anew, so that loading the data does not hide the call.
forget_peak <- function() try(cat("5", file = "/proc/self/clear_refs"), silent = TRUE)

# `call` is a promise: it is evaluated where its value is asked for.
measured <- function(call) {
  said <- character()
  invisible(gc())
  before <- memory("VmRSS")
  forget_peak()
  seconds <- withCallingHandlers(system.time(call)[["elapsed"]], warning = function(w) {
    said <<- unique(c(said, conditionMessage(w)))
    invokeRestart("muffleWarning")
  })
  list(seconds = seconds, peak = memory("VmHWM"), before = before, warnings = I(said))
}

write_answer <- function(answer, path) {
  answer[is.na(answer)] <- Inf # cases that were never out of bag; call.py marks them likewise
  writeBin(as.double(answer), path, size = 8, endian = "little")
}

# Make a call for each line of standard input, and print its report.
serve <- function(package, call) {
  named <- paste0(package, " ", packageVersion(package), " (", R.version.string, ")")
  input <- file("stdin", "r")
  while (length(line <- readLines(input, 1)) > 0) {
    found <- c(call(jsonlite::fromJSON(line)), package = named)
    cat("REPORT", jsonlite::toJSON(found, auto_unbox = TRUE, digits = NA), "\n")
    flush(stdout())
  }
}
