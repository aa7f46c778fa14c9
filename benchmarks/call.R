# What every call from R shares: reading the data, measuring, reporting. call.py does the same for Python.

folder <- commandArgs(TRUE)[1]
job <- jsonlite::fromJSON(file.path(folder, "job.json"))
numbers <- job$target == "numbers"

# Doubles in binary, so that no digit is lost.
read_doubles <- function(name, count) {
  readBin(file.path(folder, name), what = "double", n = count, size = 8, endian = "little")
}

read_x <- function() {
  x <- read_doubles("x.bin", job$rows * job$columns)
  dim(x) <- c(job$rows, job$columns)
  x
}

read_y <- function() {
  y <- read_doubles("y.bin", job$rows)
  if (numbers) y else factor(y)
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

write_answer <- function(answer) {
  answer[is.na(answer)] <- Inf # cases that were never out of bag; call.py marks them likewise
  writeBin(as.double(answer), job$answer, size = 8, endian = "little")
}

report <- function(package, found) {
  found$package <- paste0(package, " ", packageVersion(package), " (", R.version.string, ")")
  cat(jsonlite::toJSON(found, auto_unbox = TRUE, digits = NA), "\n")
}
