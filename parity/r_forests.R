# Makes forests in R, as many as its argument says, and stores each with its data and what R answers.
#   Rscript r_forests.R FOLDER COUNT
# Odd numbers are of RRF, even ones of randomForest. The data come from R's example sets and from a generator.

suppressPackageStartupMessages({library(RRF); loadNamespace("randomForest"); library(MASS); library(mlbench)})

# One of its arguments; the others are not looked at.
one_of <- function(...) eval.parent(substitute(list(...))[[1 + sample.int(...length(), 1)]])
chance <- function(p) runif(1) < p

# ---- data ----------------------------------------------------------------------------------------

some_factor <- function(n, width) factor(paste0("l", sample.int(width, n, TRUE)), levels = paste0("l", seq_len(width)))

KINDS <- list(
    number = function(n) runif(n), few = function(n) sample(c(0, .1, .3), n, TRUE), zeros = function(n) sample(c(0, -0), n, TRUE),
    same = function(n) rep(7, n), huge = function(n) rnorm(n) * 1e300, tiny = function(n) rnorm(n) * 1e-300,
    count = function(n) sample.int(9, n, TRUE), flag = function(n) runif(n) < .4,
    ordered = function(n) factor(sample(letters[1:4], n, TRUE), letters[4:1], ordered = TRUE),
    one = function(n) factor(rep("u", n)), two = function(n) some_factor(n, 2), ten = function(n) some_factor(n, 10),
    eleven = function(n) some_factor(n, 11), wide = function(n) some_factor(n, 12 + sample.int(20, 1)),
    widest = function(n) some_factor(n, 32 + sample.int(21, 1)),
    unused = function(n) factor(some_factor(n, 4), paste0("l", c(9, 1:4, 8))))

made_table <- function(package) {
    n <- one_of(12, 25, 60, 120)
    kinds <- setdiff(names(KINDS), if (package == "RRF") "widest")
    kinds <- kinds[sample.int(length(kinds), one_of(0, 1, 2, 5), TRUE)]
    # A column that can be split, because RRF samples for ever where no bag can.
    columns <- c(list(a = round(rnorm(n), 1 + sample.int(8, 1))), lapply(KINDS[kinds], function(make) make(n)))
    x <- as.data.frame(setNames(columns, letters[seq_along(columns)]), stringsAsFactors = TRUE)
    shown <- x$a + rnorm(n) + if (ncol(x) > 1) as.numeric(x[[2]]) / (1e-300 + max(abs(as.numeric(x[[2]])))) else 0
    y <- one_of(shown, round(shown), cut(rank(shown), one_of(2, 2, 3, 5)), factor(shown > 0),
                factor(some_factor(n, 3), paste0("l", 1:5)))
    if (is.factor(y)) y <- factor(y)
    rows <- if (chance(.3)) order(y) else seq_len(n)
    list(x = x[rows, , drop = FALSE], y = y[rows])
}

# Two classes and factors of more than ten levels, of which most nodes lack some: R makes leaves without cases.
wide_table <- function() {
    n <- one_of(150, 193, 200, 200)
    wide <- function(i) local({ width <- 11 + sample.int(21, 1); factor(sample.int(width, n, TRUE, 1 / seq_len(width)), seq_len(width)) })
    x <- setNames(as.data.frame(lapply(1:2, wide)), letters[1:2])
    list(x = x, y = factor(runif(n) < .3 + .1 * (as.integer(x$a) %% 4)))
}

EXAMPLES <- local({
    sets <- do.call(rbind, lapply(c("datasets", "MASS", "mlbench", "RRF", "randomForest"), function(package) {
        found <- data(package = package)$results[, "Item"]
        cbind(package, sub(".*\\((.*)\\)", "\\1", found), sub(" .*", "", found))
    }))
    tables <- apply(sets, 1, function(set) {
        here <- new.env()
        utils::data(list = set[[2]], package = set[[1]], envir = here)
        found <- if (exists(set[[3]], here, inherits = FALSE)) here[[set[[3]]]]
        if (is.data.frame(found)) as.data.frame(found)
    })
    names(tables) <- sets[, 3]
    plain <- function(column) is.null(dim(column)) && (is.numeric(column) || is.factor(column) || is.logical(column)) &&
        length(levels(column)) <= 32
    tables <- lapply(tables, function(table) if (!is.null(table)) {
        table <- table[vapply(table, plain, NA) & colMeans(is.na(table)) < .3]
        na.omit(table)[seq_len(min(150, nrow(na.omit(table)))), , drop = FALSE]
    })
    tables[vapply(tables, function(table) !is.null(table) && ncol(table) > 1 && nrow(table) > 11, NA)]
})

example_table <- function(number) {
    table <- EXAMPLES[[1 + number %% length(EXAMPLES)]]
    at <- sample.int(ncol(table), 1)
    y <- table[[at]]
    if (is.logical(y)) y <- factor(y)
    if (is.factor(y)) y <- factor(y)
    list(x = table[-at], y = if (is.factor(y)) y else as.numeric(y))
}

# ---- arguments -----------------------------------------------------------------------------------

random_arguments <- function(package, x, y, supervised) {
    n <- nrow(x)
    wide <- all(vapply(x, nlevels, 1) > 10)
    args <- list(ntree = if (wide) 60 else one_of(1, 2, 3, 7), importance = chance(.4), proximity = chance(.3), keep.inbag = chance(.3),
                 replace = chance(.8))
    if (!wide && chance(.3)) args$nodesize <- sample.int(8, 1)
    if (!wide && chance(.2)) args$maxnodes <- 1 + sample.int(8, 1)
    if (chance(.4)) args$mtry <- sample.int(ncol(x), 1)
    # Without a response R writes outside of its arrays.
    if (supervised && chance(.15)) args$localImp <- TRUE
    if (is.factor(y) && supervised) args <- c(args, class_arguments(package, n, nlevels(y), y))
    if (!is.factor(y) && supervised && chance(.3)) args$corr.bias <- TRUE
    if (package == "RRF" && chance(.6)) args$coefReg <- one_of(.2, .8, 1, round(runif(ncol(x), .1, 1), 2))
    if (package == "RRF" && chance(.4)) args$flagReg <- sample(0:1, 1)
    args
}

class_arguments <- function(package, n, k, y) {
    args <- list(norm.votes = chance(.7))
    weights <- c(.1, .3, 1 / 3, 1, 2, 7, if (package == "randomForest") c(1e-300, 1e300, 1e-8))
    if (chance(.3)) args$classwt <- sample(weights, k, TRUE)
    if (chance(.2)) args$cutoff <- local({ shares <- runif(k, .1, 1); shares / sum(shares) })
    if (chance(.2) && min(table(y)) > 2) c(args, list(strata = y, sampsize = pmax(2, as.vector(table(y)) %/% 2))) else args
}

grown <- function(package, data, supervised) {
    of <- function(name) getExportedValue(package, name)
    fit <- function(...) suppressWarnings(do.call(of(package), c(list(...), args)))
    # Where grow() looks for them.
    train <<- data$x
    y <<- data$y
    rows <<- seq_len(min(9, nrow(train)))
    both <<- cbind(out = y, train)
    args <- random_arguments(package, train, y, supervised)
    if (!supervised) return(fit(x = quote(train), keep.forest = TRUE))
    if (chance(.25) && is.null(args$strata))
        return(fit(formula = one_of(out ~ ., reformulate(names(train)[1], "out")), data = quote(both)))
    if (chance(.2)) args <- c(args, list(xtest = quote(train[rows, , drop = FALSE]), keep.forest = TRUE),
                              if (chance(.5)) list(ytest = quote(y[rows])))
    if (chance(.2) && all(vapply(train, is.numeric, NA))) train <<- as.matrix(train)
    first <- fit(x = quote(train), y = quote(y))
    one_of(first, first, first, of("combine")(first, fit(x = quote(train), y = quote(y))), of("grow")(first, 3))
}

# ---- answers -------------------------------------------------------------------------------------

# New rows: each column's values in another order, so that levels meet that no tree has seen together.
shuffled <- function(x) {
    new <- x
    for (at in seq_along(x)) new[[at]] <- x[[at]][sample.int(nrow(x), nrow(x), TRUE)]
    for (at in which(vapply(x, function(column) is.factor(column) && !is.ordered(column), NA)))
        new[[at]] <- factor(sample(levels(x[[at]]), nrow(x), TRUE), levels(x[[at]]))
    rownames(new) <- NULL
    new
}

answer <- function(what) tryCatch(suppressWarnings(what), error = function(e) list(error = conditionMessage(e)))

plain_predictions <- function(found) {
    nodes <- attr(found, "nodes")
    near <- if (is.list(found)) found$proximity
    each <- if (is.list(found)) found$individual
    first <- if (!is.list(found)) found else if (is.null(found$aggregate)) found$predicted else found$aggregate
    attr(first, "nodes") <- NULL
    list(predicted = if (is.factor(first)) as.integer(first) else as.vector(first), nodes = as.vector(nodes),
         proximity = as.vector(near), individual = as.vector(each))
}

predictions <- function(fit, rows) {
    set.seed(5)
    runif(1)
    say <- function(...) answer(plain_predictions(predict(fit, rows, ...)))
    first <- list(response = say(), nodes = say(nodes = TRUE), near = say(proximity = TRUE), all = say(predict.all = TRUE))
    if (fit$type == "regression") return(first)
    c(first, list(prob = say(type = "prob"), vote = say(type = "vote", norm.votes = FALSE)))
}

# From the type on; how lines of the call are broken is the printer's.
printed <- function(fit) {
    lines <- utils::capture.output(print(fit))
    lines[seq(grep("Type of random forest", lines), length(lines))]
}

answers <- function(package, fit, data) {
    of <- function(name) getExportedValue(package, name)
    partial <- getS3method("partialPlot", package, envir = asNamespace(package))
    supervised <- fit$type != "unsupervised"
    found <- list(
        trees = lapply(seq_len(fit$ntree), function(k) answer(as.vector(of("getTree")(fit, k)))),
        size = answer(of("treesize")(fit)), nodes = answer(of("treesize")(fit, terminal = FALSE)), used = answer(as.vector(of("varUsed")(fit))),
        importance = answer(as.vector(of("importance")(fit))), printed = printed(fit),
        margin = if (fit$type == "classification") answer(as.vector(of("margin")(fit))),
        twice = answer(as.vector(of("combine")(fit, fit)$forest$nodepred)))
    if (!supervised) return(found)
    c(found, list(train = predictions(fit, data$x), new = predictions(fit, data$new),
                  curves = lapply(names(data$x), function(name) answer(eval(substitute(
                      partial(fit, data$x, NAME, plot = FALSE), list(NAME = name)))$y))))
}

# ---- files ---------------------------------------------------------------------------------------

WAYS <- list(list(), list(version = 2), list(compress = "xz"), list(compress = "bzip2"), list(ascii = NA), list(compress = FALSE))

store <- function(folder, number) {
    set.seed(number)
    package <- if (number %% 2) "RRF" else "randomForest"
    data <- if (number %% 5 == 0) wide_table() else if (number %% 3) example_table(number) else made_table(package)
    fit <- tryCatch(grown(package, data, number %% 11 > 0), error = function(e) NULL)
    if (is.null(fit) || fit$type == "unsupervised" && is.null(fit$forest)) return(0)
    data$new <- shuffled(data$x)
    at <- function(kind) file.path(folder, sprintf("%s_%d.rds", kind, number))
    do.call(saveRDS, c(list(fit, at("fit")), WAYS[[1 + number %% length(WAYS)]]))
    saveRDS(data[c("x", "new")], at("data"))
    saveRDS(answers(package, fit, data), at("answers"))
    1
}

# Each in a process of its own, because R may write outside of its arrays (DIFFERENCES.md).
args <- commandArgs(TRUE)
done <- suppressWarnings(parallel::mclapply(seq_len(as.integer(args[2])), function(number) store(args[1], number),
                                            mc.preschedule = FALSE, mc.cores = 2))
crashed <- sum(!vapply(done, is.numeric, NA))
cat(crashed, "crashed", sum(vapply(done, identical, NA, 1)), "made", length(EXAMPLES), "examples\n")
