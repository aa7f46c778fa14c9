# The companions as the parity suite calls them: the calls that need help, and plain forms of answers.

pyrrf_combine <- function(...) do.call(combine, unname(list(...)))

# Plots are drawn into nothing; what they return is compared.
pyrrf_drawn <- function(draw) {
    pdf(NULL)
    on.exit(dev.off())
    draw()
}
pyrrf_varImpPlot <- function(...) pyrrf_drawn(function() varImpPlot(...))
pyrrf_plot <- function(x) pyrrf_drawn(function() plot(x))

# Where R drops a component, or leaves numeric(0) for `importanceSD`, pyrrf has None.
pyrrf_plain_combined <- function(fit, keep) {
    out <- pyrrf_plain_fit(fit, NULL)
    dropped <- if (fit$type == "regression") c("mse", "rsq") else c("err.rate", "confusion")
    out[dropped] <- list(NULL)
    if (length(out$importanceSD) == 0) out["importanceSD"] <- list(NULL)
    # A matrix if all fits have as many trees.
    if (!is.null(out$forest)) out$forest$ndbigtree <- as.vector(out$forest$ndbigtree)
    if (!is.null(out$test)) {
        out$test[setdiff(dropped, names(out$test))] <- list(NULL)
        out$test <- out$test[order(names(out$test))]
    }
    if (is.null(keep)) out[order(names(out))] else out[keep]
}

# tuneRRF names its rows "2.OOB"; pyrrf labels them by mtry.
pyrrf_plain_tuneRRF <- function(result, keep) {
    if (inherits(result, c("RRF", "randomForest"))) return(pyrrf_plain_fit(result, keep))
    rownames(result) <- NULL
    result
}

# The first column is named by the expression of the call.
pyrrf_plain_rrfImpute <- function(result, keep) {
    if (is.data.frame(result)) {
        names(result)[1] <- "y"
        return(as.list(result))
    }
    unname(matrix(result, nrow(result)))
}

pyrrf_plain_asis <- function(result, keep) if (is.data.frame(result)) as.list(result) else result

# ---- pieces of scripts ---------------------------------------------------------------------------

pyrrf_compute_cross_validate <- function(x, y, ...) rrfcv(x, y, mtry = function(p) ceiling(p / 2), ...)

pyrrf_compute_impute_formula <- function(data, ntree, iter) {
    out <- rrfImpute(y ~ ., data, ntree = ntree, iter = iter)
    as.list(out)
}

pyrrf_compute_partial_column <- function(fit, x) partialPlot(fit, x, 1, plot = FALSE)

pyrrf_compute_centres <- function(x, y, fit, ...) classCenter(x, y, fit$proximity, ...)

pyrrf_compute_outlying <- function(fit, ...) outlier(fit$proximity, ...)

# MDSplot() draws into nothing.
pyrrf_MDSplot <- function(...) pyrrf_drawn(function() suppressWarnings(MDSplot(...)))
