# Helpers that the R side of the parity suite loads into R. They draw no random number.

# caret asks the system for the time zone, with a warning where there is none.
if (Sys.getenv("TZ") == "") Sys.setenv(TZ = "UTC")

# Code 0 is a missing value.
pyrrf_factor <- function(codes, levels, ordered) {
    codes[codes == 0L] <- NA
    structure(codes, levels = levels, class = c(if (ordered) "ordered", "factor"))
}

pyrrf_frame <- function(columns, labels, rows) {
    n <- length(columns[[1]])
    structure(columns, names = labels, class = "data.frame",
              row.names = if (is.null(rows)) c(NA_integer_, -n) else rows)
}

# Evaluates one line of a script; keeps what it printed, its warnings and its error.
pyrrf_step <- function(line) {
    warned <- character()
    failed <- NULL
    value <- NULL
    run <- function() eval(parse(text = line), globalenv())
    note <- function(w) {
        warned <<- c(warned, conditionMessage(w))
        invokeRestart("muffleWarning")
    }
    printed <- capture.output(value <- tryCatch(
        withCallingHandlers(run(), warning = note),
        error = function(e) { failed <<- conditionMessage(e); NULL }))
    list(value = value, printed = printed, warned = warned, failed = failed)
}

# The guided idiom as users write it: two calls.
pyrrf_grrf <- function(x, y, gamma, lambda0 = 1, ...) {
    rf <- RRF(x, y, flagReg = 0, ...)
    imp <- rf$importance[, ncol(rf$importance)]
    imp <- imp / max(imp)
    coefReg <- (1 - gamma) * lambda0 + gamma * imp
    RRF(x, y, coefReg = coefReg, flagReg = 1, ...)
}

# The nodes of each tree one after another. Beyond a tree's end R's arrays hold zeros, and that is
# checked here, so nothing is lost.
pyrrf_pack <- function(nodes, sizes) {
    nodes <- matrix(nodes, ncol = length(sizes))
    inside <- row(nodes) <= sizes[col(nodes)]
    stopifnot(all(nodes[!inside] == 0))
    nodes[inside]
}

# The same of node predictions. In a regression of randomForest the mean response stands beyond a tree's end; then the
# different numbers there come last.
pyrrf_pack_predictions <- function(nodes, sizes) {
    outside <- row(nodes) > sizes[col(nodes)]
    beyond <- unique(nodes[outside])
    nodes[outside] <- 0
    c(pyrrf_pack(nodes, sizes), if (any(beyond != 0)) beyond)
}

pyrrf_plain_forest <- function(f) {
    if (is.null(f)) return(NULL)
    sizes <- f$ndbigtree
    arrays <- c("nodestatus", "bestvar", "xbestsplit")
    f[arrays] <- lapply(f[arrays], pyrrf_pack, sizes)
    f$nodepred <- pyrrf_pack_predictions(f$nodepred, sizes)
    f$leftDaughter <- pyrrf_pack(if (is.null(f$treemap)) f$leftDaughter else f$treemap[, 1, ], sizes)
    f$rightDaughter <- pyrrf_pack(if (is.null(f$treemap)) f$rightDaughter else f$treemap[, 2, ], sizes)
    f$treemap <- NULL
    # Which column an entry belongs to is its place; pyrrf keeps plain arrays here.
    bare <- intersect(c("cutoff", "ncat", "xlevels"), names(f))
    f[bare] <- lapply(f[bare], unname)
    f$xlevels <- lapply(f$xlevels, function(l) if (is.character(l)) l else NULL)
    f
}

pyrrf_plain_fit <- function(fit, keep) {
    out <- unclass(fit)
    out[c("call", "terms", "na.action")] <- NULL
    out["forest"] <- list(pyrrf_plain_forest(fit$forest))
    if (is.null(keep)) out else out[keep]
}

pyrrf_plain_predict <- function(result) {
    nodes <- attr(result, "nodes")
    attr(result, "nodes") <- NULL
    if (is.null(nodes)) result else list(result = result, nodes = nodes)
}

# varUsed simplifies: counts by tree become a vector when there is one variable, and lists a matrix
# or a vector when all trees use equally many variables.
pyrrf_plain_used <- function(used, by_tree, count) {
    if (!by_tree) return(used)
    if (count) return(if (is.matrix(used)) used else matrix(used, nrow = 1))
    if (is.matrix(used)) return(lapply(seq_len(ncol(used)), function(k) used[, k]))
    as.list(used)
}

# A tree with labels is a data frame; its columns are answered, its factor as strings.
pyrrf_plain_getTree <- function(tree) {
    if (!is.data.frame(tree)) return(tree)
    lapply(tree, function(column) if (is.factor(column)) as.character(column) else column)
}

# randomForest draws mtry features a node, so with mtry = p its stream is that of RRF(flagReg = 0).
pyrrf_ordinary <- function(x, y, ...) randomForest::randomForest(x, y, mtry = ncol(x), ...)

pyrrf_plain_print <- function(x) {
    lines <- capture.output(print(x))
    lines[seq(grep("Type of random forest", lines), length(lines))]
}

# A fit goes to pyrrf and comes back as a file.
pyrrf_stored <- function(x, file) {
    saveRDS(x, file)
    x
}
pyrrf_read <- function(x, file) readRDS(file)

# The order of strings: the locale C, or that of a UTF-8 locale with ICU, which must be there.
pyrrf_collate <- function(collate) {
    for (locale in if (collate == "C") "C" else c("en_US.UTF-8", "C.UTF-8")) {
        if (suppressWarnings(Sys.setlocale("LC_COLLATE", locale)) != "") break
    }
    stopifnot((sort(c("B", "a"))[1] == "B") == (collate == "C"))
}

# R's state has no names; pyrrf's functions get it and set it.
pyrrf_random_seed <- function() get(".Random.seed", globalenv())

pyrrf_set_random_seed <- function(words) {
    assign(".Random.seed", as.integer(words), globalenv())
    NULL
}

# Pieces of scripts.
pyrrf_compute_help_x <- function(n) matrix(runif(n * n), ncol = n)

pyrrf_compute_help_class <- function(x) {
    class <- x[, 1]^2 + x[, ncol(x)]^2
    above <- class > median(class)
    class[above] <- 1
    class[!above] <- 0
    as.factor(class)
}

pyrrf_compute_weights <- function(fit, gamma) {
    imp <- fit$importance[, "MeanDecreaseGini"]
    (1 - gamma) + gamma * (imp / max(imp))
}

# The experiments of the guided forest: in each fold an ordinary forest guides, and randomForest is grown on what was kept.
pyrrf_compute_folds <- function(x, y, k) {
    x <- as.matrix(x)
    fold <- sample(rep(1:k, length.out = nrow(x)))
    out <- matrix(0, k, 4)
    for (i in 1:k) {
        train <- fold != i
        rf <- RRF(x[train, ], y[train], flagReg = 0, ntree = 10)
        imp <- rf$importance / max(rf$importance)
        guided <- RRF(x[train, ], y[train], coefReg = 0.5 + 0.5 * imp, ntree = 10)
        kept <- guided$feaSet
        all <- randomForest(x[train, ], y[train], ntree = 10)
        few <- randomForest(x[train, kept], y[train], ntree = 10, importance = TRUE)
        out[i, 1] <- length(kept)
        out[i, 2] <- sum(predict(all, x[!train, ]) != y[!train])
        out[i, 3] <- sum(predict(few, x[!train, kept]) != y[!train])
        out[i, 4] <- max(few$importance)
    }
    out
}

pyrrf_compute_kept <- function(x, fit) x[, fit$feaSet, drop = FALSE]

# Eigenvectors have no sign of their own, and LAPACK's last bits differ from build to build.
pyrrf_compute_mapped <- function(fit, y, k) {
    shown <- pyrrf_drawn(function() MDSplot(fit, y, k = k, palette = rainbow(nlevels(y))))
    sprintf("%.9f", c(dist(shown$points), shown$eig[1:k], shown$GOF))
}

pyrrf_compute_drawn_margins <- function(fit) {
    m <- margin(fit)
    pyrrf_drawn(function() plot(m))
    unclass(sort(m))
}

pyrrf_compute_margins_of_votes <- function(fit, y) margin(unclass(fit$votes), y)

pyrrf_plain_compute <- function(value) if (is.data.frame(value)) as.matrix(value) else value
