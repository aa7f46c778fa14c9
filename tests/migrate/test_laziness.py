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
}
MOVED = {
    "used at once": "f <- function(a) { m <- mean(a); m + 1 }\nx <- f(rnorm(3))",
    "used as an argument of what draws": "f <- function(a) sample(a)\nx <- f(rnorm(3))",
    "used in both branches": "f <- function(a, k) if (k) sum(a) else mean(a)\nx <- f(runif(2), TRUE)",
    "in order": "x <- c(rnorm(1), runif(1))\ny <- data.frame(a = rnorm(2), b = runif(2))",
    "the first of sapply": "x <- sapply(sample(3), function(i) i)",
    "both sides of ifelse": "x <- ifelse(c(TRUE, TRUE), rnorm(2), runif(2))",
    "a condition that draws": "x <- ifelse(runif(3) > 0.5, 1, 0)",
}


@pytest.mark.parametrize("script", LEFT.values(), ids=LEFT.keys())
def test_arguments_in_another_order_are_left(script: str) -> None:
    found = translate(script, "a.R")
    assert [part.reason for part in found.left if "draw" in part.reason]


@pytest.mark.parametrize("script", MOVED.values(), ids=MOVED.keys())
def test_arguments_in_the_same_order_are_moved(script: str) -> None:
    assert translate(script, "a.R").left == []


def test_a_default_that_draws_has_no_value() -> None:
    moved = translate("f <- function(n, e = rnorm(n)) { u <- runif(n); u + e }\nx <- f(2)", "a.R")
    assert "draws or prints when it is used" in moved.code
