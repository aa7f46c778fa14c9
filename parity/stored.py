"""Files of R's saveRDS() for small objects: R code by name, recorded under `recorded/`."""

from __future__ import annotations

from typing import Any

from parity.store import RECORDED

DATA = """set.seed(1); x <- matrix(runif(120), 40)
d <- data.frame(a = x[, 1], b = factor(c("u", "v", "w", "v"), levels = c("w", "v", "u")),
                c = ordered(rep(c("low", "high"), 20), levels = c("low", "high")), n = x[, 2])
y <- factor(ifelse(x[, 1] + x[, 2] > 1, "yes", "no"), levels = c("yes", "no"))
rownames(d) <- paste0("r", 1:40)"""
"""The data that the objects are made of."""

OBJECTS = {
    "classes": "RRF(d, y, ntree = 3, maxnodes = 4, importance = TRUE, keep.inbag = TRUE, "
    "xtest = d[1:5, ], ytest = y[1:5], keep.forest = TRUE)",
    "numbers": "RRF(x, x[, 1], ntree = 3, maxnodes = 4, localImp = TRUE, corr.bias = TRUE)",
    "formula": "RRF(log(n) ~ a + I(a^2) + b - c, d, ntree = 3, maxnodes = 4)",
    "unsupervised": "RRF(d, ntree = 2, maxnodes = 4)",
    "combined": "randomForest::combine(randomForest::randomForest(x, x[, 1], ntree = 3, nodesize = 9), "
    "randomForest::randomForest(x, x[, 2] - 9, ntree = 4, nodesize = 7))",
    "frame": "cbind(d, i = c(1L, NA), t = c(TRUE, NA, FALSE, TRUE), s = c('\\u00fc', NA), day = as.Date('2020-01-01'))",
    "list": "list(v = c(1.5, NA, NaN), i = c(p = 1L, q = NA), l = c(TRUE, NA), s = c('a', NA), none = NULL, "
    "m = matrix(1:4, 2, dimnames = list(NULL, c('u', 'v'))), k = array(1:8, c(2, 2, 2)), f = function(x) x, "
    "e = globalenv(), q = quote(-a[1, 2] %in% c(1, 2)), o = list(1L, 'z'))",
    # caret and recipes are needed for this one alone; its times are of another day each.
    "tuned": "library(recipes); d$y <- y; r <- step_normalize(recipe(y ~ a + n, d), all_numeric_predictors()); "
    "t <- caret::train(r, d, method = 'rf', ntree = 3, maxnodes = 4, tuneGrid = data.frame(mtry = 2), "
    "trControl = caret::trainControl('none')); t$times <- NULL; t",
    "odd": "f <- data.frame(i = 1:2); f$l <- list(1, 'a'); m <- data.frame(i = 1:2); m$m <- diag(2); "
    "e <- new.env(); e$self <- e; setClass('Own', representation(a = 'numeric')); list(frame = f, matrix = m, "
    "level = addNA(factor(NA)), again = list(e, e), s4 = new('Own', a = 1), pointer = new('externalptr'), "
    "code = compiler::compile(quote(a + 1)), calls = expression(a, b), pairs = pairlist(a = 1), "
    "fits = list(RRF(x, x[, 1], ntree = 2, maxnodes = 3), list(best = RRF(x, x[, 2], ntree = 3, maxnodes = 3))), "
    "grid = structure(factor(c('u', 'v')), dim = 1:2), 'odd \"name\"' = sum, n = 1:3)",
    "environment": "e <- new.env(); e$model <- RRF(d, y, ntree = 3, maxnodes = 4); e$self <- e; e$copy <- e$model; e",
}


def record_objects(r: Any) -> None:
    """Write R's files; `r` is R as rpy2 has it."""
    for name, code in OBJECTS.items():
        r.r(DATA)
        r.r(f"set.seed(2); saveRDS({{{code}}}, '{RECORDED / name}.rds')")
