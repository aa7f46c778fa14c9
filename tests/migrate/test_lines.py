"""Python of single lines of R."""

from __future__ import annotations

from functools import cache

import pytest

translate = pytest.importorskip("pyrrf.migrate.translation").translate
pytest.importorskip("tree_sitter_language_pack")

KNOWN = """
library(RRF)
library(magrittr)
n <- 20
x <- rnorm(n)
m <- matrix(rnorm(2 * n), ncol = 2)
d <- data.frame(a = runif(n), b = 1:n, g = factor(rep(c("u", "v"), n / 2)))
f <- factor(rep(c("u", "v"), n / 2))
k <- list(one = 1, two = "b")
fit <- RRF(d[, c("a", "b")], d$g)
i <- 3
"""


@cache
def _before() -> list[str]:
    return list(translate(KNOWN).code.splitlines())


def python_of(*lines: str) -> list[str]:
    """The Python of some lines after those of `KNOWN`."""
    before = _before()
    after = translate(KNOWN + "\n".join(lines) + "\n")
    assert not after.left, after.left
    start = next(index for index, line in enumerate(after.code.splitlines()) if line == before[-1])
    return [line for line in after.code.splitlines()[start + 1 :] if line]


LINES = {
    "square": ("y <- x^2", "y = x ** 2"),
    "mean": ("y <- mean(x)", "y = r.mean(x)"),
    "range of constants": ("y <- 2:5", "y = r.colon(2, 5)"),
    "item": ("y <- x[3]", "y = x[3]"),
    "slice": ("y <- x[2:4]", "y = x[r.colon(2, 4)]"),
    "items": ("y <- x[c(1, 5)]", "y = x[r.c(1, 5)]"),
    "left out": ("y <- x[-1]", "y = x[-1]"),
    "left out by positions": ("y <- x[-which(x > 0)]", "y = x[-r.which(x > 0)]"),
    "where": ("y <- x[x > 0]", "y = x[x > 0]"),
    "cell": ("y <- m[2, 1]", "y = m_[2, 1]"),
    "row of a matrix": ("y <- m[2, ]", "y = m_[2, :]"),
    "column that stays a matrix": ("y <- m[, 2, drop = FALSE]", "y = r.taken(m_, ..., 2, drop=False)"),
    "column": ("y <- d$a", "y = d.a"),
    "column whose name Python has not": ("y <- d$a.b", 'y = d[["a.b"]]'),
    "column by name": ('y <- d[["a"]]', 'y = d[["a"]]'),
    "rows by positions": ("y <- d[order(d$a), ]", "y = d[r.order(d.a), :]"),
    "new column": ("d$c <- d$a * 2", "d.c = d.a * 2"),
    "item assigned": ("x[2] <- 0", "x[2] = 0"),
    "item of a list assigned": ('k[["one"]] <- 5', 'k[["one"]] = 5'),
    "cell of a column assigned": ("d$a[2] <- 0", 'd = r.put_component(d, r.put(d.a, 0, 2), "a")'),
    "names assigned": ('names(d)[2] <- "z"', 'd = r.put_names(d, r.put(r.names(d), "z", 2))'),
    "feaSet": ("y <- d[, fit$feaSet]", "y = d[:, fit.feaSet]"),
    "error of the last tree": ('y <- fit$err.rate[500, "OOB"]', 'y = fit[["err.rate"]][500, "OOB"]'),
    "formula": ("y <- RRF(g ~ ., data = d, coefReg = 0.8)", 'y = r.RRF(r.formula("g ~ ."), coefReg=0.8, data=d)'),
    "dots in names": ("y.new <- RRF(m, f, do.trace = TRUE)", "y_new = r.RRF(m_, f, do_trace=True)"),
    "names cut short": ("y <- sample(5, rep = TRUE)", "y = r.sample(5, replace=True)"),
    "weights by class": ("y <- RRF(m, f, classwt = c(u = 1, v = 2))", "y = r.RRF(m_, f, classwt=r.c(u=1, v=2))"),
    "names of arguments that Python has not": ("y <- c(a.b = 1)", 'y = r.c(**{"a.b": 1})'),
    "an argument with a name before one without": ("y <- c(a = 1, 2)", 'y = r.c(r.named("a", 1), 2)'),
    "a name of Python": ("lambda <- 0.8", "lambda_ = r.c(0.8)"),
    "an integer": ("y <- 5L", "y = r.L(5)"),
    "numbers alone": ("y <- 1 / 0", "y = r.c(1) / 0"),
    "nothing": ("y <- NULL", "y = r.c()"),
    "minus nothing": ("y <- -0", "y = r.c(-0.0)"),
    "not in": ("y <- !(i %in% c(1, 2))", "y = ~r.contained(i, r.c(1, 2))"),
    "cat": ('cat("kept", i, "\\n")', 'r.cat("kept", i, "\\n")'),
    "sapply": ("y <- sapply(x, function(v) v + 1)", "y = r.sapply(x, lambda v: v + 1)"),
    "a function's name": ("y <- apply(m, 2, sd)", "y = r.apply(m_, 2, r.sd)"),
    "an operator as a function": ("y <- Reduce(`+`, x)", 'y = r.Reduce("+", x)'),
    "a pipe": ("y <- x |> head(3) |> sum()", "y = r.sum(r.head(x, 3))"),
    "magrittr's pipe": ("y <- x %>% head(., n = 3) %>% sum", "y = r.sum(r.head(x, 3))"),
    "assigned to the right": ("x + 1 -> y", "y = x + 1"),
    "and that may be missing": ("y <- x[1] > 0 && x[2] > 0", "y = r.and_(x[1] > 0, lambda: x[2] > 0)"),
    "printed": ("x", "r.print(x)"),
    "printed, if a call gives something": ("head(x)", "r.show(r.head(x))"),
}


@pytest.mark.parametrize("name", LINES)
def test_line(name: str) -> None:
    r, python = LINES[name]
    assert python_of(r) == [python]


BLOCKS = {
    "a loop over positions": (
        ["s <- 0", "for (j in seq_along(x)) {", "    s <- s + x[j] * j", "}"],
        ["s = r.c(0)", "for j in r.seq_along(x):", "    s = s + x[j] * j"],
    ),
    "a loop whose variable is read later": (
        ["for (j in x) print(j)", "print(j)"],
        ["j = r.c()", "for j in x:", "    r.print(j)", "r.print(j)"],
    ),
    "while, break and next": (
        ["while (TRUE) { i <- i + 1; if (i > 5) break else next }"],
        ["while True:", "    i = i + 1", "    if i > 5:", "        break", "    else:", "        continue"],
    ),
    "else if": (
        ["if (i > 5) y <- 1 else if (i > 4) y <- 2 else y <- 3"],
        ["if i > 5:", "    y = r.c(1)", "elif i > 4:", "    y = r.c(2)", "else:", "    y = r.c(3)"],
    ),
    "a choice that is certain": (
        ["if (!is.null(x) && is.numeric(x)) y <- 1"],
        ["if not r.is_null(x) and r.is_numeric(x):", "    y = r.c(1)"],
    ),
    "a function with a default": (
        ["half <- function(v, by = 2) {", "    v / by", "}", "y <- half(x)"],
        ["def half(v, by=r.c(2)):", "    return v / by", "y = half(x)"],
    ),
    "a default that is computed": (
        ["f1 <- function(v, k = length(v)) k", "y <- f1(k = 3, x)"],
        ["def f1(v, k=None):", "    if k is None:", "        k = r.length(v)", "    return k", "y = f1(x, r.c(3))"],
    ),
    "a function that changes its argument": (
        ["clear <- function(v) { v[1] <- 0; v }", "y <- clear(x)"],
        ["def clear(v):", "    v = r.copy(v)", "    v[1] = 0", "    return r.copy(v)", "y = r.copy(clear(x))"],
    ),
    "a function that reads what it changes outside": (
        ["g1 <- function() { x[1] <- 0; sum(x) }"],
        [
            "def g1():",
            '    if "x" in globals():',
            '        x = r.copy(globals()["x"])',
            "    x[1] = 0",
            "    return r.sum(x)",
        ],
    ),
    "two names for one vector": (
        ["y <- x", "y[1] <- 0"],
        ["y = r.copy(x)", "y[1] = 0"],
    ),
    "with": (
        ["y <- with(d, mean(a) + i)"],
        ['y = r.with_(d, lambda m: r.mean(m.a) + m("i", lambda: i))'],
    ),
    "subset": (
        ["y <- subset(d, a > 0.5, select = -b)"],
        ["y = r.subset(d, lambda m: m.a > 0.5, lambda m: -m.b)"],
    ),
    "an attempt": (
        ['y <- tryCatch({ z <- 1; stop("no") }, error = function(e) NULL)'],
        [
            "def attempt():",
            "    global z",
            "    z = r.c(1)",
            '    return r.stop("no")',
            "y = r.tryCatch(attempt, error=lambda e: r.c())",
        ],
    ),
    "comments stay": (
        ["# before", "y <- 1 # beside", "# after"],
        ["# before", "y = r.c(1)  # beside", "# after"],
    ),
    "packages": (
        ["library(RRF)", "y <- 1"],
        ["y = r.c(1)"],
    ),
}


@pytest.mark.parametrize("name", BLOCKS)
def test_block(name: str) -> None:
    r, python = BLOCKS[name]
    assert python_of(*r) == python


LEFT = {
    "an unknown function": ("y <- nosuch(x)", "nosuch() is not known here"),
    "an unknown name": ("y <- nosuch + 1", "nosuch is not assigned"),
    "code as data": ("y <- quote(a + b)", "quote() is not supported"),
    "an assignment by an unknown function": ("nosuch(x) <- 1", "an assignment to nosuch()"),
    "no R at all": ("y <- mean(x", "R's grammar does not know this"),
    "an end where something is to follow": ("y <- l$", "this piece of syntax is not supported"),
}


@pytest.mark.parametrize("name", LEFT)
def test_left_over(name: str) -> None:
    line, reason = LEFT[name]
    translation = translate(KNOWN + line + "\n")
    assert translation.left_lines == 1
    assert reason in translation.left[0].reason
    assert f"# not translated: {translation.left[0].reason}" in translation.code
    assert f"{translation.lines - 1} of {translation.lines} lines translated" in translation.code.splitlines()[0]
    compile(translation.code, "script.py", "exec")


def test_what_needs_a_line_that_was_left_over_is_moved_and_says_so_when_it_runs() -> None:
    from pyrrf import r

    translation = translate("a <- nosuch()\nb <- a + 1\n")
    assert [item.reason for item in translation.left] == ["nosuch() is not known here"]
    with pytest.raises(r.NotSupportedError, match=r"a has no value: line 1: nosuch\(\) is not known here"):
        exec(compile(translation.code, "script.py", "exec"), {})


def test_unknown_calls_that_may_draw_are_said_to() -> None:
    drawing, calm = translate("a <- nosuch()\n"), translate("p <- ggplot()\n")
    assert "draws others than in R" in drawing.code
    assert "draws others than in R" not in calm.code


def test_names() -> None:
    translation = translate("n.tree <- 1\nn_tree <- 2\nsum(n.tree, n_tree)\n")
    assert (translation.names["n.tree"], translation.names["n_tree"]) == ("n_tree", "n_tree_2")
    assert translation.code.splitlines()[-1] == "r.show(r.sum(n_tree, n_tree_2))"
