# The R side of parity/rules.py: inTrees on one case, every table as lines of its strings.

pyrrf_rules_lines <- function(table) {
  if (is.null(dim(table))) return(as.character(table))
  unname(c(paste(colnames(table), collapse = "\t"), apply(table, 1, paste, collapse = "\t")))
}

# Loads the functions of inTrees from a folder with its R files; the packages that it imports are not needed.
pyrrf_rules_source <- function(folder) {
  held <- new.env()
  held$require <- function(...) invisible(TRUE)
  for (file in list.files(folder, "[.][Rr]$", full.names = TRUE)) sys.source(file, held)
  rm("require", envir = held)
  for (name in ls(held)) {
    part <- get(name, held)
    environment(part) <- globalenv()
    assign(name, part, globalenv())
  }
}

pyrrf_rules_case <- function(x, y, new, seed, steps, fit, extract, prune, learner, present, classes, model) {
  target <- if (classes > 0) dicretizeVector(y, classes) else y
  names_x <- if (is.null(colnames(x))) paste0("V", seq_len(ncol(x))) else colnames(x)
  set.seed(seed)
  grow <- if (model == "RRF") RRF else randomForest::randomForest
  forest <- do.call(grow, c(list(x, y), fit))
  out <- list()
  out$printed <- utils::capture.output({
    out$rules <- do.call(extractRules, c(list(RF2List(forest), x), extract))
    out$metric <- getRuleMetric(unique(out$rules), x, target)
  })
  pruned <- do.call(pruneRule, c(list(out$metric, x, target), prune))
  out$pruned <- pruned
  out$sorted <- sortRule(unique(pruned))
  if ("vote" %in% steps) {
    out$mean <- voteAllRules(pruned, x, "r", "mean")
    out$median <- voteAllRules(pruned, x, "r", "median")
  }
  if ("poll" %in% steps) out$poll <- voteAllRules(pruned, x, "c")
  if ("learn" %in% steps) {
    out$selected <- selectRuleRRF(unique(pruned), x, target)
    out$learner <- do.call(buildLearner, c(list(out$selected, x, target), learner))
    out$all <- do.call(buildLearner, c(list(unique(pruned), x, target), learner))
    out$applied <- applyLearner(out$learner, new)
    out$presented <- do.call(presentRules, c(list(out$learner, names_x), present))
  }
  out$drawn <- sprintf("%.17g", runif(1))
  lapply(out, pyrrf_rules_lines)
}
