# Usage: Rscript benchmarks/companions.R FOLDER: the companions of RRF(), called as companions.py calls pyrrf's.
# Prints a line for each: its name, a tab, and the least processor seconds of a call.
suppressPackageStartupMessages(library(RRF))
folder <- commandArgs(TRUE)[1]
meta <- scan(file.path(folder, "meta"), quiet = TRUE)
names(meta) <- c("trees", "near", "refits", "seconds", "long", "repeats")
# grow() asks for the data under these names, behind which its own `x` must not stand.
predictors <- readRDS(file.path(folder, "x.rds"))
response <- readRDS(file.path(folder, "y.rds"))
gaps <- readRDS(file.path(folder, "gaps.rds"))
near <- meta[["near"]] == 1
set.seed(1)
fit <- RRF(predictors, response, ntree = meta[["trees"]], importance = TRUE)
if (near) {
  set.seed(1)
  close <- RRF(predictors, response, ntree = meta[["trees"]], proximity = TRUE)
}
file <- file.path(folder, "fit_of_r.rds")
saveRDS(fit, file)
few <- 10

# What varImpPlot() draws.
dots <- function(fit) {
  found <- importance(fit)
  found <- found[, max(1, ncol(found) - 1):ncol(found), drop = FALSE]
  lapply(seq_len(ncol(found)), function(j) {
    shown <- rev(order(found[, j], decreasing = TRUE)[seq_len(min(30, nrow(found)))])
    found[shown, j]
  })
}

seeded <- function(call) {
  set.seed(1)
  call
}

calls <- list(
  "predict" = function() predict(fit, predictors),
  "importance" = function() importance(fit),
  "varImpPlot, its numbers" = function() dots(fit),
  "partialPlot, its numbers" = function() partialPlot(fit, predictors, "x1", plot = FALSE),
  "na_roughfix" = function() na.roughfix(gaps),
  "treesize" = function() treesize(fit),
  "getTree" = function() getTree(fit, 1),
  "getTree, labels" = function() getTree(fit, 1, labelVar = TRUE),
  "varUsed" = function() varUsed(fit),
  "combine" = function() combine(fit, fit),
  "read_rds" = function() readRDS(file),
  "write_rds" = function() saveRDS(fit, file.path(folder, "written.rds"))
)
if (is.factor(response)) {
  calls[["predict, shares"]] <- function() predict(fit, predictors, type = "prob")
  calls[["margin"]] <- function() margin(fit)
}
if (near) {
  calls[["predict, proximity"]] <- function() predict(close, predictors, proximity = TRUE)
  calls[["MDSplot, its numbers"]] <- function() stats::cmdscale(1 - close$proximity, eig = TRUE, k = 2)
}
if (near && is.factor(response)) {
  calls[["outlier"]] <- function() outlier(close)
  calls[["classCenter"]] <- function() seeded(classCenter(predictors, response, close$proximity))
}
if (meta[["refits"]] == 1) {
  calls[["grow"]] <- function() seeded(grow(fit, few))
  calls[["rrfImpute"]] <- function() seeded(rrfImpute(gaps, response, iter = 2, ntree = few))
  calls[["rrfcv"]] <- function() seeded(rrfcv(predictors, response, cv.fold = 3, ntree = few))
  calls[["tuneRRF"]] <- function() seeded(tuneRRF(predictors, response, ntreeTry = few, trace = FALSE, plot = FALSE))
}

spent <- function(call, times) sum(system.time(for (time in seq_len(times)) call())[1:2])

least <- function(call) {
  times <- 1
  while ((taken <- spent(call, times)) < meta[["seconds"]]) times <- times * 2
  again <- if (taken > meta[["long"]]) 0 else meta[["repeats"]] - 1
  min(taken, unlist(replicate(again, spent(call, times)))) / times
}

for (name in names(calls)) {
  sink(nullfile())
  found <- least(calls[[name]])
  sink()
  cat(name, "\t", found, "\n", sep = "")
}
