# Rscript workspace.R SCRIPT ANSWERS [SOURCE]: runs a script in its folder and writes every value that is left behind.
# SOURCE is the folder R/ of inTrees, where that cannot be installed because packages that it imports are missing.
# Each value becomes one list of numbers and strings, tables column by column. Positions are R's.
arguments <- commandArgs(trailingOnly = TRUE)

pyrrf_flat <- function(v) {
    if (is.null(v) || is.function(v) || is.language(v) || is.environment(v)) return(list())
    if (inherits(v, c("RRF", "randomForest"))) {
        parts <- c("importance", "feaSet", "predicted", "err.rate", "mse", "votes", "confusion")
        return(unlist(lapply(parts, function(p) pyrrf_flat(v[[p]])), recursive = FALSE))
    }
    if (identical(names(v), c("ntree", "list"))) return(list())  # the trees of inTrees, which pyrrf keeps as they are
    if (inherits(v, "confusionMatrix")) return(pyrrf_flat(list(v$table, v$overall[c("Accuracy", "Kappa")])))
    if (is.factor(v)) return(as.list(as.character(v)))
    if (is.list(v)) return(unlist(lapply(unname(unclass(v)), pyrrf_flat), recursive = FALSE))
    if (is.numeric(v) || is.logical(v)) return(as.list(as.numeric(v)))
    as.list(as.character(v))
}

pyrrf_text <- function(item) {
    if (is.character(item)) return(if (is.na(item)) "null" else encodeString(item, quote = "\""))
    if (is.nan(item)) return("\"NaN\"")
    if (is.na(item)) return("\"NA\"")
    if (is.infinite(item)) return(if (item > 0) "\"Inf\"" else "\"-Inf\"")
    sprintf("%.17g", item)
}

pyrrf_workspace <- function(space, without = character()) {
    names <- setdiff(ls(space), without)
    names <- names[!vapply(names, function(name) is.function(get(name, space)), NA)]
    values <- lapply(names, function(name) pyrrf_flat(get(name, space)))
    used <- lengths(values) > 0
    lines <- mapply(function(name, value) {
        paste0(encodeString(name, quote = "\""), ": [", paste(vapply(value, pyrrf_text, ""), collapse = ", "), "]")
    }, names[used], values[used])
    paste0("{\n", paste(lines, collapse = ",\n"), "\n}")
}

pyrrf_script <- function(script) {
    own <- ls(globalenv())
    setwd(dirname(script))
    capture.output(sys.source(basename(script), globalenv()))
    pyrrf_workspace(globalenv(), own)
}

if (length(arguments) > 2) {
    suppressPackageStartupMessages({base::library(RRF); base::library(data.table)})
    invisible(lapply(list.files(arguments[3], pattern = "[.]R$", full.names = TRUE), sys.source, globalenv()))
    library <- function(package, ...) if (as.character(substitute(package)) != "inTrees")
        base::library(as.character(substitute(package)), character.only = TRUE, ...)
}
grDevices::pdf(NULL)
local({
    target <- file.path(normalizePath(dirname(arguments[2])), basename(arguments[2]))
    writeLines(pyrrf_script(normalizePath(arguments[1])), target)
})
