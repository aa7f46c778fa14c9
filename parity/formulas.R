# The model frames of a formula as R's own code makes them: the last call of RRF.formula, which grows the forest,
# is answered by what it was given, unless the forest would refuse it.
pyrrf_formula_frames <- function(package, text, subset, na_action) {
    own <- new.env(parent = asNamespace(package))
    given <- function(m, y, ...) {
        if (!nrow(m)) stop("data (x) has 0 rows")
        if (anyNA(m) || anyNA(y)) stop("NA not permitted in predictors or response")
        if (!is.null(y) && NROW(y) != nrow(m)) stop("length of response must be the same as predictors")
        list(x = m, y = y, predicted = 0)
    }
    assign("RRF", given, own)
    assign("randomForest.default", given, own)
    method <- get(paste0(package, ".formula"), asNamespace(package))
    environment(method) <- own
    asked <- list(method, stats::as.formula(text, globalenv()), data = quote(d))
    if (nzchar(subset)) asked$subset <- parse(text = subset)[[1]]
    asked$na.action <- get(na_action, mode = "function")
    # `data.frame(m)` and `model.frame` look for the caller's names.
    made <- eval(as.call(asked), globalenv())
    columns <- c(if (!is.null(made$y)) list(y = made$y), as.list(made$x))
    names(columns) <- c(if (!is.null(made$y)) "", names(made$x))
    list(columns = lapply(columns, pyrrf_typed), rows = row.names(made$x))
}

pyrrf_typed <- function(x) {
    if (is.factor(x))
        return(list(if (is.ordered(x)) "ordered" else "factor", as.integer(x), levels(x)))
    x <- unclass(x)
    attributes(x) <- NULL
    list(typeof(x), if (is.character(x)) x else as.double(x), is.na(x) + 0)
}

# What the forest of a formula answers. R's predict looks for the names of the fit, which for 1L are those of 1.
pyrrf_formula_forest <- function(package, text, subset, na_action) {
    asked <- list(get(package, asNamespace(package)), stats::as.formula(text, globalenv()), data = quote(d))
    if (nzchar(subset)) asked$subset <- parse(text = subset)[[1]]
    fit <- eval(as.call(c(asked, list(na.action = get(na_action, mode = "function"), ntree = 3))), globalenv())
    after <- list(importance = fit$importance[, ncol(fit$importance)], predicted = fit$predicted, stream = runif(1))
    new <- tryCatch(list(new = predict(fit, d)), error = function(e) list())
    lapply(c(after, new), function(x) list(values = as.double(x), gaps = is.na(x) + 0))
}
