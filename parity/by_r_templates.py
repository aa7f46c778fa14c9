# ruff: noqa: E501
"""Lines of R that pyrrf does not know, for scripts of which R computes a part."""

from __future__ import annotations

# Objects that only R holds, and values that come back.
OBJECTS = (
    "lm(Sepal.Length ~ Petal.Width + Species, iris)", "glm(am ~ wt, binomial, mtcars)", "t.test(mtcars$mpg, mu = 20)",
    "loess(mpg ~ wt, mtcars)", "optim(c(1, 1), function(p) sum((p - c(2, 3))^2))$par", "rlogis(3)", "rweibull(2, 1, 2)",
    "MASS::mvrnorm(2, c(0, 1), diag(2))", "new.env()", "ecdf({dbl})", "ts(1:5, start = 2000)",
    'as.POSIXlt("2020-01-02 03:04:05", tz = "UTC")', 'as.POSIXct("2020-01-02 03:04:05", tz = "UTC")',
    'as.Date("2020-01-02") + 0:2', 'charToRaw("ab")', "complex(real = 1:2, imaginary = {int})", "quote(a + b)",
    "expression(a, b)", "local({ k <- 0; function() { k <<- k + 1; k } })", "y ~ x + log(z)",
    'regmatches("a1b22", gregexpr("[0-9]+", "a1b22"))', "mapply(function(a, b) a + b, c(p = 1, q = 2), 3:4)",
    "Reduce(function(a, b) a * 2 + b, {dbl}, accumulate = TRUE)", "Recall", "rapply(list(1, 2, list(3)), function(x) x * 2, how = \"list\")",
    'c("ä", "ß", NA)', 'iconv("\\u00fc", "UTF-8", "latin1")', "c(NA, 1L)", "c(NA_real_, NaN, -0)", "NA_character_", "list(a = list(b = 1, c = \"x\"), d = NULL)",
    "aov(mpg ~ factor(cyl), mtcars)", "kmeans(iris[, 1:2], 2)", "prcomp(iris[, 1:3])", "hclust(dist(matrix(c(1, 2, 4, 8), 4)))",
    "bitwAnd(12L, 10L)", "rle({int})", "as.hexmode(10)", "as.numeric_version(\"1.2.3\")", "Sys.Date() - Sys.Date()",
    "structure(list(a = 1), class = \"mine\")", "cut({dbl}, 3)", "interaction(c(\"a\", \"b\"), c(\"u\", \"v\"))", "stack(list(a = 1:2, b = 3))",
    "array(1:8, c(2, 2, 2))", "strtoi(\"77\", 8L)", "as.table(matrix(1:4, 2))", "ftable(Titanic)[1:2]", "poly(1:4, 2)", "splinefun(1:3, c(1, 4, 9))",
    "data.frame(a = 1:2, d = as.Date(\"2021-03-04\") + 0:1)", "nls(y ~ a * x, data.frame(x = 1:4, y = c(2.1, 3.9, 6.2, 7.8)), start = list(a = 1))",
)  # fmt: skip

USES = (
    "OBJ", "print(OBJ)", "summary(OBJ)", "class(OBJ)", "length(OBJ)", "str(OBJ)", "names(OBJ)", "NEW:obj <- OBJ", "is.list(OBJ)",
    "coef(OBJ)", "OBJ()", "OBJ[1]", "OBJ[[1]]", "print(predict(OBJ)[1:2])", "NEW:obj <- OBJ[1:2]", "format(OBJ)", "NEW:lst <- list(OBJ, 1)",
    "NEW:obj <- c(OBJ, OBJ)", "identical(OBJ, OBJ)", "print(is.null(OBJ))", "inherits(OBJ, \"lm\")", "NEW:obj <- OBJ + 1", "unlist(OBJ)",
    "OBJ$a", "OBJ$a <- 2", "OBJ[[\"k\"]] <- {dbl}", "attr(OBJ, \"note\") <- \"n\"", "sapply(OBJ, class)", "for (e in OBJ) print(e)",
    "if (is.function(OBJ)) print(OBJ(1)) else print(typeof(OBJ))", "f <- function(o) { o$a <- 5; length(o) }; f(OBJ)", "assign(\"z\", 3, OBJ); get(\"z\", OBJ)",
    "rm(OBJ)", "NEW:obj <- tryCatch(OBJ$q$r, error = function(e) \"none\")", "as.character(OBJ)", "is.na(OBJ)", "rev(OBJ)", "OBJ == OBJ", "cat(class(OBJ), \"\\n\")",
    "print(deparse(OBJ))", "mode(OBJ)", "levels(OBJ)", "dim(OBJ)", "NEW:df <- data.frame(o = OBJ)", "paste(OBJ)", "residuals(OBJ)[1:3]",
)  # fmt: skip

LINES = (
    "NEW:dbl <- with(list(q = 2), rlogis(2) + q)", "repeat { if (rlogis(1) > 0) break }", "NEW:int <- 0L; while (TRUE) { if (bitwAnd(1L, 1L) == 1L) break }",
    "for (i in 1:3) { if (i == 2) next; print(bitwXor(i, 1L)) }", "NEW:chr <- switch(\"b\", a = \"x\", b = , c = toupper(\"y\"), \"z\")",
    "NEW:fun <- function(x, y = x * 2, ...) { on.exit(cat(\"bye\\n\")); x + y + nargs() }; print({dbl})",
    "g <- function(n = m * 2, m = 3) { n + bitwAnd(7L, 5L) }; print(g()); print(g(m = 1))", "h <- function(...) { a <- list(...); length(a) + rlogis(1) }; h(1, b = {dbl})",
    "k <- function(x) { if (bitwNot(1L) < 0) return(x); stop(\"no\") }; k({dbl})", "counter <- 0; bump <- function() counter <<- counter + bitwAnd(3L, 1L); bump(); bump(); print(counter)",
    "bump2 <- function() { total <<- 5; rlogis(1) }; bump2(); print(total)", "total <- 1", "print(exists(\"total\"))",
    "setClass(\"P\", representation(x = \"numeric\")); p <- new(\"P\", x = {dbl}); p@x", "p <- new(\"numeric\")", "NEW:obj <- tryCatch(stop(\"a\"), error = function(e) conditionMessage(e), finally = cat(\"done\\n\"))",
    "tryCatch({ rlogis(1); warning(\"w\") }, warning = function(w) cat(\"caught\", conditionMessage(w), \"\\n\"))", "NEW:dbl <- tryCatch(log(-1), warning = function(w) -1)",
    "withCallingHandlers({ warning(\"u\"); cat(\"after\\n\") }, warning = function(w) { cat(\"seen\\n\"); invokeRestart(\"muffleWarning\") })",
    "options(digits = 4); print(pi); NEW:dbl <- bitwAnd(3L, 2L)", "options(digits = 7)", "print(options()$digits)", "NEW:lst <- Map(function(a, b) paste(a, b), c(x = \"p\", y = \"q\"), 1:2)",
    "NEW:lst <- by(mtcars$mpg, mtcars$cyl, mean)", "`my var` <- {dbl}; print(`my var`)", "my.var_1 <- {int}; print(bitwAnd(1L, 1L)); my.var_1", "class <- {chr}; print(nchar(class, \"bytes\"))",
    "lambda <- 3; print(bitwAnd(as.integer(lambda), 1L))", "x.y <- 1; x_y <- 2; print(bitwOr(1L, 2L) + x.y + x_y)", "vapply({lst}, function(x) rlogis(1) > 100, NA)",
    "NEW:df <- aggregate(mpg ~ cyl, mtcars, function(x) rlogis(1) + length(x))", "set.seed(7); NEW:dbl <- rlogis(1) + runif(1)", "NEW:dbl <- rnorm(2); NEW:dbl <- rlogis(2)",
    "RNGkind(\"Wichmann-Hill\"); set.seed(2); runif(1)", "RNGkind(\"Mersenne-Twister\", \"Box-Muller\"); rnorm(1)", "suppressWarnings(as.integer(\"q\"))", "message(\"to stderr\")", "cat(sprintf(\"%5.2f|%s\\n\", 1.5, {chr}))",
    "print(trimws(formatC({dbl}, digits = 3)))", "invisible(rlogis(1))", "(rlogis(1))", "NEW:obj <- invisible(5)", "do.call(\"rlogis\", list(2))", "sapply(1:3, function(i) rlogis(1) + i)", "outer(1:2, 1:2, Vectorize(function(a, b) a + rlogis(1)))",
    "local({ a <- 1; b <<- a + rlogis(1) }); print(b)", "if (rlogis(1) > -50) { NEW:dbl <- 3 } else { NEW:dbl <- 4 }", "NEW:dbl <- if (bitwAnd(1L, 1L) == 0) 5", "names({lst})[bitwAnd(1L, 1L)]",
    "levels(iris$Species)[bitwAnd(3L, 2L)] <- \"two\"; table(iris$Species)", "iris$new <- rlogis(150); print(iris$new[3])", "mtcars[1, \"mpg\"] <- bitwAnd(3L, 2L); print(head(mtcars, 1))", "attach(list(inner_q = 4)); print(inner_q + bitwAnd(1L, 1L))",
    "e1 <- new.env(); assign(\"k\", {dbl}, envir = e1); print(get(\"k\", envir = e1)); print(ls(e1))", "modify <- function(e) e$v <- 9; e2 <- new.env(); modify(e2); print(e2$v)", "ff <- function(x, f) f(x); ff(3, function(v) bitwAnd(as.integer(v), 1L))",
    "fib <- function(n) if (n < 2) n else fib(n - 1) + fib(n - 2) + bitwAnd(0L, 0L); fib(6)", "print.mine <- function(x, ...) cat(\"<mine>\\n\"); z <- print(structure(list(a = bitwAnd(1L, 1L)), class = \"mine\"))", "area <- function(s) UseMethod(\"area\"); area.default <- function(s) 7; area({dbl})",
    "mm <- match.arg(\"me\", c(\"mean\", \"median\")[1])", "stopifnot(bitwAnd(1L, 1L) == 1L)", "NEW:chr <- strsplit(\"a,b;c\", \"[,;]\")[[1]]", "print(Sys.time() > as.POSIXct(\"2000-01-01\"))", "nchar(\"häß\")", "rev(utf8ToInt(\"aé\"))",
    "NEW:mat <- model.matrix(~ Species, iris)[c(1, 60, 120), ]", "print(crossprod({mat}))", "NEW:dbl <- quantile({dbl}, 0.5, na.rm = TRUE, type = 3)", "mapply(rep, 1:2, 2:1)", "NEW:obj <- table({fct}, useNA = \"ifany\")", "xtabs(~ cyl + gear, mtcars)",
)  # fmt: skip
