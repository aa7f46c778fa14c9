"""Arguments that draw or print: left where R does so at another time than Python."""

from __future__ import annotations

import pytest

from pyrrf.migrate.translation import translate

LEFT = {
    "drawn behind the function's own draw": "f <- function(a) { u <- runif(1); a + u }\nx <- f(rnorm(1))",
    "two that draw": "f <- function(a, b) b + a\nx <- f(rnorm(1), runif(1))",
    "printed, and never used": "f <- function(a) 1\nx <- f(print('x'))",
    "used in one branch": "f <- function(a, k) if (k > 1) a else 0\nx <- f(runif(1), 2)",
    "in the dots": "f <- function(n, ...) { s <- sample(n); list(...)[[1]] }\nx <- f(3, runif(1))",
    "of tapply, which looks at the groups first": "x <- tapply(rnorm(4), sample(1:4), mean)",
    "inside of a function that draws": "g <- function() runif(1)\nf <- function(a) { sample(3); a }\nx <- f(g())",
    "for each item": "x <- sapply(1:3, function(i, k) k, rnorm(1))",
    "assigned": "f <- function(a, b) b\nx <- f(y <- 3, 1)",
    "ties drawn in the other order": "f <- function(a, b) { y <- b; c(a, y) }\nx <- f(max.col(diag(2)), runif(1))",
    "behind an early return": "f <- function(a, k) { if (k > 1) return(0); a }\nx <- f(runif(1), 2)",
    "held by a list": "l <- list(g = function() runif(1))\nf <- function(a, b) { b; a }\nx <- f(l$g(), l$g())",
    "of a function that is handed over": "f <- function(a, b) { b; a }\nx <- f(sapply(1:2, rnorm), runif(1))",
    "of a function called by its name": "f <- function(a, b) { b; a }\nx <- f(do.call('rnorm', list(1)), runif(1))",
    "with a default that draws": "g <- function(e = runif(1)) e\nf <- function(a, b) b + a\nx <- f(g(), g())",
    "y before x in cor": "x <- cor(runif(5), rnorm(5))",
    "by before the length of seq": "x <- seq(length.out = sample(4, 1), from = sample(3, 1))",
    "twice in a target": "x <- list(list(a = 1))\nx[[sample(1)]]$a <- 2",
    "on a side that stands before the condition": "f <- function(a, k) ifelse(a, test = k, 0)\nx <- f(runif(1), FALSE)",
    "behind the draws of train": "library(caret)\nx <- train(iris[1:4], iris[[5]], tuneLength = sample(3, 1))",
    "in an operator of the script": "`%o2%` <- function(a, b) { b; a }\nx <- runif(1) %o2% rnorm(1)",
}
TWICE = {
    "made by a function": "m <- function(n) data.frame(y = rnorm(n), a = runif(n))\nx <- RRF(y ~ ., data = m(60))",
    "by place": "m <- function(n) data.frame(y = rnorm(n), a = runif(n))\nx <- RRF(y ~ ., m(60))",
    "laws that were in no list": "x <- randomForest(y ~ ., data = data.frame(y = rlogis(9), a = rweibull(9, 1, 1)))",
    "a formula that is a variable": "f <- y ~ .\nm <- function() data.frame(y = rnorm(9), a = 1:9)\nx <- RRF(f, m())",
    "a formula that prints": "f <- function() { print(1); y ~ . }\nx <- RRF(f(), data = iris)",
    "of aggregate": "d <- function() { cat(1); iris }\nx <- aggregate(. ~ Species, data = d(), FUN = sum)",
}
CHANGED = {
    "by the argument": "g <- 3\nf <- function(a) g + a\ny <- f((g <- 2))",
    "by the function": "x <- 1\nf <- function(a) { x <<- 5; a }\ny <- f(x)",
    "for a function that is returned": "add <- function(n) function(x) x + n\nk <- 1\na <- add(k)\nk <- 100\ny <- a(1)",
    "among the dots": "g <- 1\nf <- function(...) { g <<- 2; c(...) }\ny <- f(g + 1)",
}
METHODS = {
    "print": "print.foo <- function(x, ...) cat('foo')\nx <- structure(1, class = 'foo')",
    "of an operator": "Ops.foo <- function(e1, e2) 7\nx <- 1\nclass(x) <- 'foo'",
    "a class of R's": "mean.default <- function(x, ...) 8\nx <- mean(1:3)",
}
MOVED = {
    "two in the order of their use": "f <- function(a, b) { s <- a; s + b }\nx <- f(rnorm(1), runif(1))",
    "handed on": "g <- function(z) z + 1\nf <- function(a) g(a)\nx <- f(rnorm(1))",
    "forced first": "add <- function(n) { force(n); function(x) x + n }\nfor (i in 1:2) a <- add(i)",
    "one that is handed over, where none acts": "twice <- function(f, x) f(f(x))\ny <- twice(function(v) v + 1, 2)",
    "data that have a name": "library(RRF)\nd <- data.frame(y = rnorm(9), a = 1:9)\nx <- RRF(y ~ ., data = d)",
    "a method for a class that nothing has": "mean.foo <- function(x) 1\nx <- mean(1:3)",
    "used at once": "f <- function(a) { m <- mean(a); m + 1 }\nx <- f(rnorm(3))",
    "used as an argument of what draws": "f <- function(a) sample(a)\nx <- f(rnorm(3))",
    "used in both branches": "f <- function(a, k) if (k) sum(a) else mean(a)\nx <- f(runif(2), TRUE)",
    "in order": "x <- c(rnorm(1), runif(1))\ny <- data.frame(a = rnorm(2), b = runif(2))",
    "the first of sapply": "x <- sapply(sample(3), function(i) i)",
    "both sides of ifelse": "x <- ifelse(c(TRUE, TRUE), rnorm(2), runif(2))",
    "behind draws of train": "library(caret)\nx <- train(iris[1], 1:150, trControl = trainControl(seeds = sample(9)))",
    "used in what grows a forest": "f <- function(a) RRF::RRF(a, 1:9)\nx <- f(matrix(rnorm(18), 9))",
    "used as a condition": "f <- function(a) ifelse(a > 0, 1, 0)\nx <- f(rnorm(3))",
    "a condition that draws": "x <- ifelse(runif(3) > 0.5, 1, 0)",
}


@pytest.mark.parametrize("script", LEFT.values(), ids=LEFT.keys())
def test_arguments_in_another_order_are_left(script: str) -> None:
    translation = translate(script, "a.R")
    assert [part.reason for part in translation.left if "draw" in part.reason]


@pytest.mark.parametrize("script", MOVED.values(), ids=MOVED.keys())
def test_arguments_in_the_same_order_are_moved(script: str) -> None:
    assert translate(script, "a.R").left == []


@pytest.mark.parametrize("script", TWICE.values(), ids=TWICE.keys())
def test_data_that_r_evaluates_twice_are_left(script: str) -> None:
    assert [part.reason for part in translate(script, "a.R").left if "R does twice" in part.reason]


@pytest.mark.parametrize("script", CHANGED.values(), ids=CHANGED.keys())
def test_arguments_that_read_what_changes_are_left(script: str) -> None:
    assert [part.reason for part in translate(script, "a.R").left if "are changed before" in part.reason]


@pytest.mark.parametrize("script", METHODS.values(), ids=METHODS.keys())
def test_methods_that_r_would_call_are_left(script: str) -> None:
    assert [part.reason for part in translate(script, "a.R").left if "method" in part.reason]


def test_assignments_outside_of_a_block_in_a_function_compile() -> None:
    translated = translate("g <- 1\nf <- function() tryCatch({ g <<- 2; 1 }, error = function(e) 0)\nf()", "a.R")
    space: dict[str, object] = {}
    exec(compile(translated.code, "a.py", "exec"), space)
    assert float(space["g"]) == 2  # type: ignore[arg-type]


def test_dots_in_replicate_are_left() -> None:
    translated = translate("f <- function(...) replicate(2, length(list(...)))\nx <- f(1, 2)", "a.R")
    assert "replicate() of ..." in translated.left[0].reason


def test_a_bare_name_is_that_of_a_new_column_of_gather() -> None:
    translated = translate("f <- function(d, value) tidyr::gather(d, key, value, -id)\nx <- f(iris, 1)", "a.R")
    assert 'r.gather(d, "key", "value"' in translated.code


def test_a_default_that_draws_is_drawn_where_r_first_uses_it() -> None:
    translated = translate("f <- function(n, e = rnorm(n)) { u <- runif(n); u + e }\nx <- f(2)", "a.R")
    lines = [line.strip() for line in translated.code.splitlines()]
    assert lines.index("u = r.runif(n)") < lines.index("e = r.rnorm(n)")


def test_a_default_that_draws_where_r_may_not_use_it_has_no_value() -> None:
    translated = translate("f <- function(n, e = rnorm(n)) if (n > 2) e else runif(n)\nx <- f(2)", "a.R")
    assert "draws or prints when it is used" in translated.code
