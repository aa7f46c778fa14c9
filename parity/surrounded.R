# Stores forests among random objects of R, as a session of somebody else leaves them.
#   Rscript surrounded.R FOLDER COUNT SEED
# Of each, `meta_I.rds` holds new rows, what R predicts for them from the forest alone, and the path to the forest, if all
# steps are parts of lists.

suppressPackageStartupMessages({library(RRF); loadNamespace("randomForest"); library(compiler); library(stats)})
has <- function(package) requireNamespace(package, quietly = TRUE)

# One of its arguments; the others are not looked at.
one_of <- function(...) eval.parent(substitute(list(...))[[1 + sample.int(...length(), 1)]])
chance <- function(p) runif(1) < p

# ---- what surrounds a forest ---------------------------------------------------------------------

setClass("Slots", representation(a = "ANY", b = "list"))
setClass("Numbers", contains = "numeric", representation(unit = "character"))
setClass("Callable", contains = "function", representation(about = "ANY"))
Account <- setRefClass("Account", fields = list(balance = "numeric", inside = "ANY"))
R6Like <- if (has("R6")) R6::R6Class("R6Like", public = list(inside = NULL, initialize = function(x) self$inside <- x)) else
    function(x) structure(list2env(list(inside = x)), class = "R6")
if (is.environment(R6Like)) { make_r6 <- function(x) R6Like$new(x) } else make_r6 <- R6Like

NAMES <- c("a", "b c", "x.y", "ü", "a\"b", "it's", "back\\slash", "new\nline", "if", "1", "fit", "forest", "tab\there",
           strrep("long", 300), "attributes", "\u2028", "[", "]")
some_names <- function(n) sample(NAMES, n)

numbers <- function(n) one_of(rnorm(n), sample(c(NA, NaN, Inf, -Inf, 0, -0, 1e300), n, TRUE), as.numeric(seq_len(n)))
words <- function(n) one_of(sample(c("u", NA, "", "ü", "NA"), n, TRUE), as.character(seq_len(n)),
                            iconv(rep("ü", n), "UTF-8", "latin1"), rep(rawToChar(as.raw(c(0xe4, 0x81))), n))

vectors <- list(
    function() NULL, function() sample(c(TRUE, FALSE, NA), 5, TRUE), function() c(1:3, NA), function() 1:10, function() 5:1,
    function() numbers(4), function() numbers(0), function() complex(real = numbers(3), imaginary = c(1, NA, -0)),
    function() as.raw(sample(0:255, 6)), function() words(5), function() character(0), function() as.character(1:12),
    function() sort(rnorm(100)), function() sort(sample(100L)), function() setNames(1:3, c("a", NA, "")), function() -0,
    function() structure(1:6, dim = 2:3), function() matrix(words(4), 2, dimnames = list(NULL, c("u", NA))),
    function() array(numbers(8), c(2, 2, 2), list(c("a", "b"), NULL, c("c", "d"))), function() table(words(9)),
    function() table(c(1, 1, 2), c("a", "b", "b")), function() matrix(list(1, "a", NULL, sum), 2), function() array(1:3, 3),
    function() Sys.Date() + 1:3, function() Sys.time(), function() as.POSIXlt(Sys.time()), function() as.difftime(3, units = "mins"),
    function() ts(1:12, start = 2000, frequency = 12), function() package_version("1.2.3"), function() as.hexmode(15L),
    function() if (has("bit64")) bit64::as.integer64(c(1, NA, 2^40)) else 1)

factors <- list(
    function() factor(c("u", NA, "v")), function() addNA(factor(c("u", NA, "v"))), function() factor(character(0)),
    function() ordered(c("lo", "hi"), c("lo", "hi")), function() structure(factor(c("a", "b", "a", "b")), dim = c(2L, 2L)),
    function() factor(c(k = "u")), function() factor(NA, exclude = NULL), function() cut(rnorm(5), 2), function() gl(2, 3))

frames <- list(
    function() data.frame(a = numbers(3), s = words(3), f = factor(c("u", "v", "u"))), function() data.frame(),
    function() data.frame(a = 1:3)[, 0], function() data.frame(a = 1:3)[0, , drop = FALSE], function() head(mtcars, 3),
    function() { d <- data.frame(i = 1:2); d$l <- list(1, "a"); d }, function() { d <- data.frame(i = 1:2); d$m <- diag(2); d },
    function() { d <- data.frame(i = 1:2); d$d <- data.frame(p = 1:2, q = 3:4); d }, function() data.frame(a = I(list(1, sum))),
    function() { d <- data.frame(i = 1:2); d$t <- as.POSIXlt(Sys.time() + 1:2); d }, function() data.frame(f = addNA(factor(c("a", NA)))),
    function() model.frame(mpg ~ poly(wt, 2), mtcars), function() if (has("tibble")) tibble::tibble(a = 1:2, l = list(1, NULL)) else NULL,
    function() if (has("data.table")) data.table::data.table(a = 1:2, k = c("u", "v")) else NULL,
    function() if (has("dplyr")) dplyr::group_by(data.frame(a = c(1, 1, 2), b = 1:3), a) else NULL,
    function() structure(list(), class = "data.frame", row.names = integer(0)),
    function() setNames(data.frame(1:2, 3:4), c("a", "a")))

code <- list(
    function() quote(f(x, y = 2)[[1]]$z), function() quote(function(x, ...) { if (x) y else `odd name` }), function() as.name("odd name"),
    function() y ~ a + log(b), function() ~ x | g, function() local({ big <- numbers(9); y ~ big }), function() expression(a + 1, b),
    function() alist(a = , b = 3), function() pairlist(a = 1, 2, b = pairlist(c = "x")), function() as.pairlist(setNames(1:3, some_names(3))),
    function() if (has("rlang")) rlang::quo(a + !!one_of(1, "s")) else NULL, function() as.call(list(sum, 1:3, mean)),
    function() bquote(f(.(iris[1:2, ]))), function() compile(quote(for (i in 1:10) if (i > 3) break else print(i))))

functions <- list(
    function() function(x, y = 2) x + y, function() cmpfun(function(n) { s <- 0; for (i in seq_len(n)) s <- s + i^2; switch(n, a = 1, s) }),
    function() sum, function() `if`, function() lm, function() local({ k <- numbers(3); function() k }), function() Vectorize(function(a, b) a + b),
    function() eval(parse(text = "function(x) {\n  # a comment\n  x + 1\n}", keep.source = TRUE)), function() ecdf(rnorm(5)),
    function() cmpfun(function(x) function(y) tryCatch(x + y, error = function(e) NULL)), function() methods::getMethod("show", "ANY"),
    function() approxfun(1:3, 4:6), function() { f <- function(x) x; for (i in 1:3) f(i); f }, function() compose(sin, cos))
compose <- function(f, g) { force(f); function(x) g(f(x)) }

environments <- list(
    function() globalenv(), function() baseenv(), function() emptyenv(), function() asNamespace("stats"), function() as.environment("package:stats"),
    function() { e <- new.env(); e$self <- e; e$x <- 1:3; e }, function() list2env(setNames(as.list(1:40), paste0("v", 1:40))),
    function() { e <- new.env(hash = FALSE); assign("a", sum, e); lockEnvironment(e, TRUE); e },
    function() { e <- new.env(); delayedAssign("late", stop("never"), assign.env = e); e }, function() (function(...) environment())(a = 1, stop()),
    function() { e <- new.env(); f <- new.env(parent = e); e$child <- f; f$up <- e; list(e, f, e) },
    function() { e <- new.env(); makeActiveBinding("active", function() 1, e); e }, function() structure(new.env(), class = "own", note = "n"))

objects <- list(
    function() new("Slots", a = 1, b = list(2)), function() new("Numbers", 1:3 + 0, unit = "m"), function() new("Callable", function(x) x, about = "s"),
    function() Account$new(balance = 1, inside = NULL), function() make_r6(3), function() new("externalptr"), function() getClass("Slots"),
    function() if (has("rlang")) rlang::new_weakref(new.env(), 1) else NULL, function() if (has("xml2")) xml2::read_xml("<a><b/></a>") else NULL,
    function() { at <- file(); on.exit(close(at)); at }, function() lm(mpg ~ wt, mtcars), function() glm(am ~ wt, binomial, mtcars),
    function() hclust(dist(matrix(rnorm(8), 4))), function() try(stop("e"), silent = TRUE), function() simpleError("e"), function() t.test(rnorm(5)),
    function() loess(dist ~ speed, cars), function() smooth.spline(cars), function() sessionInfo()$R.version, function() prcomp(mtcars[, 1:3]))

KINDS <- list(vectors, factors, frames, code, functions, environments, objects)

some_object <- function(depth = 0) {
    made <- if (depth < 3 && chance(.3)) some_list(depth + 1) else { kind <- KINDS[[sample.int(length(KINDS), 1)]]; kind[[sample.int(length(kind), 1)]]() }
    # Neither NULL nor names can have attributes; those of an environment are everybody's.
    if (chance(.25) && !is.null(made) && !is.symbol(made) && typeof(made) != "environment" && !is.primitive(made))
        try(attr(made, one_of("note", "about it", "units", ".Environment", "tsp2")) <- some_object(3), silent = TRUE)
    made
}
some_list <- function(depth) {
    made <- lapply(seq_len(sample.int(5, 1)), function(i) some_object(depth))
    names(made) <- one_of(NULL, some_names(length(made)), some_names(length(made)), sample(c("", "a", NA), length(made), TRUE))
    made
}

# ---- the forest in its midst ---------------------------------------------------------------------

# Each gives an object with another one in it, and the step to it; without one, Python has no such part.
own_name <- function() one_of("model", "finalModel", "b c", "ü", "fit", "it's \"it\"", "back\\slash", strrep("long", 300))
WRAPS <- list(
    function(x) { step <- own_name(); others <- some_list(1); names(others) <- paste0("o", seq_along(others))
                  at <- sample.int(length(others) + 1, 1) - 1; list(append(others, setNames(list(x), step), at), step) },
    function(x) { others <- unname(some_list(1)); at <- sample.int(length(others) + 1, 1) - 1; list(append(others, list(x), at), at) },
    function(x) list(structure(list(method = "rf", finalModel = x, odd = some_object(), control = some_list(1)), class = "train"), "finalModel"),
    function(x) { p <- list(pre = some_object(), fit = list(actions = list(), fit = list(lvl = NULL, spec = some_object(), fit = x, elapsed = NA)))
                  list(structure(p, class = "workflow"), "fit", "fit", "fit") },
    function(x) { e <- new.env(); e$model <- x; e$self <- e; e$other <- some_object(); list(list(e = e)) },
    function(x) list(structure(one_of(1:3, list(1), "a", quote(a + b), function() 1), model = x)),
    function(x) list(new("Slots", a = x, b = some_list(1))), function(x) list(Account$new(balance = 1, inside = x)), function(x) list(make_r6(x)),
    function(x) { f <- local({ model <- x; function(new) predict(model, new) }); list(one_of(f, cmpfun(f), list(f, f))) },
    function(x) list(pairlist(1, m = x)), function(x) list(as.call(list(as.name("f"), x))), function(x) list(local({ model <- x; y ~ a })),
    function(x) list(eval(bquote(function(new) predict(.(x), new)))), function(x) { e <- new.env(); local(delayedAssign("late", y, assign.env = e), list(y = x)); list(e) },
    function(x) { d <- data.frame(i = 1); d$m <- list(x); list(list(tuned = d), "tuned", "m", 0) })

FITS <- local({
    set.seed(1)
    small <- iris[sample.int(150, 60), ]; small$k <- factor(sample(c("u", "v", "w"), 60, TRUE))
    x <- unname(as.matrix(small[, 1:4]))
    list(list(RRF(Species ~ ., small, ntree = 3), small), list(RRF(x, small$k, ntree = 3, importance = TRUE), x),
         list(RRF(small[, -1], small[, 1], ntree = 3), small[, -1]), list(randomForest::randomForest(Sepal.Width ~ . - k, small, ntree = 3), small),
         list(randomForest::randomForest(small[, 1:4], small$Species, ntree = 3), small[, 1:4]))
})

store <- function(made, at) {
    how <- one_of("plain", "plain", "plain", "ascii", "hex", "native", "hook")
    packed <- one_of("gzip", "gzip", "bzip2", "xz", FALSE)
    version <- one_of(3, 3, 2)
    if (how == "native") { to <- gzfile(at, "wb"); serialize(made, to, xdr = FALSE, version = version); close(to) }
    else saveRDS(made, at, ascii = switch(how, ascii = TRUE, hex = NA, FALSE), version = version, compress = packed,
                 refhook = if (how == "hook") function(e) if (is.environment(e) && identical(attr(e, "note"), "n")) "elsewhere")
    how
}

# Shares of votes, since ties are broken by chance. The decimal form of R's files has 16 digits, which loses bits.
answers <- function(fit, new, how) {
    if (how == "ascii") fit <- unserialize(serialize(fit, NULL, ascii = TRUE))
    predict(fit, new, type = if (fit$type == "regression") "response" else "prob")
}

main <- function(folder, count, seed) {
    for (number in seq_len(count)) {
        set.seed(seed + number)
        case <- FITS[[sample.int(length(FITS), 1)]]
        made <- case[[1]]
        path <- list()
        # Steps through lists alone are those of Python.
        for (wrap in WRAPS[sample.int(if (chance(.5)) 4 else length(WRAPS), sample.int(4, 1), TRUE)]) {
            wrapped <- wrap(made)
            made <- wrapped[[1]]
            path <- if (length(wrapped) > 1 && !is.null(path)) c(wrapped[-1], path)
        }
        new <- case[[2]][sample.int(60, 20), ]
        how <- suppressWarnings(store(made, file.path(folder, sprintf("case_%d.rds", number))))
        meta <- list(new = new, predicted = answers(case[[1]], new, how), path = path)
        saveRDS(meta, file.path(folder, sprintf("meta_%d.rds", number)))
    }
}
local({ given <- commandArgs(TRUE); main(given[[1]], as.integer(given[[2]]), as.integer(given[[3]])) })
