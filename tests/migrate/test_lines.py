"""What single lines of R become."""

from __future__ import annotations

from functools import cache

import pytest

translate = pytest.importorskip("pyrrf.migrate.translation").translate
pytest.importorskip("tree_sitter_language_pack")

KNOWN = """
n <- 20
x <- rnorm(n)
m <- matrix(rnorm(2 * n), ncol = 2)
named <- c(a = 1, b = 2)
d <- data.frame(a = runif(n), b = 1:n, g = factor(rep(c("u", "v"), n / 2)))
f <- factor(rep(c("u", "v"), n / 2))
k <- list(one = 1, two = "b")
fit <- RRF(d[, c("a", "b")], d$g)
i <- 3
"""


@cache
def _before() -> list[str]:
    return list(translate(KNOWN).code.splitlines())


def moved(*lines: str) -> list[str]:
    """The Python of some lines after those of `KNOWN`."""
    before = _before()
    after = translate(KNOWN + "\n".join(lines) + "\n")
    assert not after.left, after.left
    start = next(at for at, line in enumerate(after.code.splitlines()) if line == before[-1])
    return [line for line in after.code.splitlines()[start + 1 :] if line]


LINES = {
    "kinds": ('suppressWarnings(RNGversion("3.5.0"))', 'r.RNGversion("3.5.0")'),
    "kind of samples": ('RNGkind(sample.kind = "Rounding")', 'r.RNGkind(sample_kind="Rounding")'),
    "square": ("y <- x^2", "y = x ** 2"),
    "power": ("y <- x^0.3", "y = r.power(x, 0.3)"),
    "mean": ("y <- mean(x)", "y = r.mean(x)"),
    "range of constants": ("y <- 2:5", "y = np.arange(2, 6)"),
    "range that may count down": ("y <- 1:length(fit$feaSet)", "y = r.colon(1, len(fit.feaSet))"),
    "item": ("y <- x[3]", "y = x[2]"),
    "item by a name with a known value": ("y <- x[i]", "y = x[i - 1]"),
    "slice": ("y <- x[2:4]", "y = x[1:4]"),
    "items": ("y <- x[c(1, 5)]", "y = x[[0, 4]]"),
    "left out": ("y <- x[-1]", "y = r.drop(x, [0])"),
    "left out by positions": ("y <- x[-which(x > 0)]", "y = r.drop(x, r.which(x > 0))"),
    "where": ("y <- x[x > 0]", "y = x[x > 0]"),
    "by computed number": ("y <- x[i - 5]", "y = r.index(x, i - 5)"),
    "cell": ("y <- m[2, 1]", "y = m[1, 0]"),
    "row of a matrix": ("y <- m[2, ]", "y = m[1]"),
    "column of a matrix": ("y <- m[, 2]", "y = m[:, 1]"),
    "column that stays a matrix": ("y <- m[, 2, drop = FALSE]", "y = m[:, [1]]"),
    "rows and columns": ("y <- m[c(1, 2), c(2, 1)]", "y = m[np.ix_([0, 1], [1, 0])]"),
    "matrix by column vector": ("y <- m * x", "y = m * x[:, None]"),
    "column": ("y <- d$a", 'y = d["a"]'),
    "column by name": ('y <- d[["a"]]', 'y = d["a"]'),
    "columns": ('y <- d[, c("a", "b")]', 'y = d[["a", "b"]]'),
    "columns but one": ("y <- d[, -1]", "y = r.drop(d, [0], axis=1)"),
    "rows where": ("y <- d[d$a > 0.5, ]", 'y = d[d["a"] > 0.5]'),
    "rows by positions": ("y <- d[order(d$a), ]", 'y = d.iloc[r.order(d["a"])]'),
    "item of a column": ("y <- d$a[2]", 'y = d["a"].iloc[1]'),
    "named item": ('y <- named["a"]', 'y = named["a"]'),
    "item of a list": ("y <- k$one", 'y = k["one"]'),
    "new column": ("d$c <- d$a * 2", 'd["c"] = d["a"] * 2'),
    "item assigned": ("x[2] <- 0", "x[1] = 0"),
    "items assigned where": ("x[x < 0] <- 0", "x[x < 0] = 0"),
    "cell of a column assigned": ("d$a[2] <- 0", 'd.loc[1, "a"] = 0'),
    "item added to": ("x[2] <- x[2] + 1", "x[1] += 1"),
    "feaSet": ("y <- fit$feaSet", "y = fit.feaSet"),
    "feaSet as a number": ("y <- max(fit$feaSet)", "y = r.max(fit.feaSet + 1)"),
    "columns that were kept": ("y <- d[, fit$feaSet]", "y = d.iloc[:, fit.feaSet]"),
    "error of the last tree": ('y <- fit$err.rate[500, "OOB"]', 'y = fit.err_rate["OOB"].iloc[499]'),
    "importance by name": (
        'y <- fit$importance[, "MeanDecreaseGini"]',
        'y = fit.importance["MeanDecreaseGini"]',
    ),
    "formula": (
        "y <- RRF(g ~ ., data = d, coefReg = 0.8)",
        'y = pyrrf.RRF(formula="g ~ .", data=d, coefReg=0.8)',
    ),
    "dots in names": (
        "y.new <- RRF(m, f, do.trace = TRUE)",
        "y_new = pyrrf.RRF(m, f, do_trace=True)",
    ),
    "weights by class": (
        "y <- RRF(m, f, classwt = c(u = 1, v = 2))",
        'y = pyrrf.RRF(m, f, classwt={"u": 1, "v": 2})',
    ),
    "a name of Python": ("lambda <- 0.8", "lambda_ = 0.8"),
    "factor and number": ("y <- sum(f == 1)", 'y = r.sum(f == "1")'),
    "labels of a factor of numbers": (
        "y <- factor(d$b)",
        'y = r.factor(d["b"].to_numpy()).rename_categories(str)',
    ),
    "not in": ("y <- !(i %in% c(1, 2))", "y = i not in [1, 2]"),
    "in": ("y <- x %in% c(1, 2)", "y = np.isin(x, [1, 2])"),
    "text": ('y <- paste0("gene", i)', 'y = f"gene{i}"'),
    "texts": ('y <- paste0("gene", 1:3)', 'y = r.paste0("gene", np.arange(1, 4))'),
    "format": ('y <- sprintf("%.2f of %d", mean(x), i)', 'y = f"{r.mean(x):.2f} of {i}"'),
    "cat": ('cat("kept", i, "of", 5, "\\n")', 'print(f"kept {i} of 5 ")'),
    "cat of a fraction": ("cat(mean(x))", "r.cat(r.mean(x))"),
    "sapply": ("y <- sapply(x, function(v) v + 1)", "y = np.array([v + 1 for v in x])"),
    "lapply": ("y <- lapply(1:3, function(v) v * 2)", "y = [v * 2 for v in range(1, 4)]"),
    "apply": ("y <- apply(m, 2, sd)", "y = r.apply(m, 2, r.sd)"),
    "ifelse": ('y <- ifelse(x > 0, "a", "b")', 'y = np.where(x > 0, "a", "b")'),
    "assigned to the right": ("x + 1 -> y", "y = x + 1"),
    "is.null": ("y <- is.null(k)", "y = k is None"),
    "zeros": ("y <- rep(0, 5)", "y = np.zeros(5)"),
    "missing": ("y <- rep(NA, 5)", "y = np.full(5, np.nan)"),
    "comparison with what may be missing": (
        "y <- c(1, NA) > 0",
        'y = r.compare(np.array([1, np.nan]), ">", 0)',
    ),
}


@pytest.mark.parametrize("name", LINES)
def test_line(name: str) -> None:
    r, python = LINES[name]
    assert moved(r) == [python]


BLOCKS = {
    "a loop over positions": (
        ["s <- 0", "for (j in seq_along(x)) {", "    s <- s + x[j] * j", "}"],
        ["s = 0", "for j in range(len(x)):", "    s = s + x[j] * (j + 1)"],
    ),
    "a loop over numbers": (
        ["for (j in 1:3) print(j)"],
        ["for j in range(1, 4):", "    print(j)"],
    ),
    "while, break and next": (
        ["while (TRUE) { i <- i + 1; if (i > 5) break else next }"],
        ["while True:", "    i = i + 1", "    if i > 5:", "        break", "    else:", "        continue"],
    ),
    "else if": (
        ["if (i > 5) y <- 1 else if (i > 4) y <- 2 else y <- 3"],
        ["if i > 5:", "    y = 1", "elif i > 4:", "    y = 2", "else:", "    y = 3"],
    ),
    "a function with a default": (
        ["half <- function(v, by = 2) {", "    v / by", "}", "y <- half(x)"],
        ["def half(v, by=2):", "    return v / by", "y = half(x)"],
    ),
    "a function that changes its argument": (
        ["clear <- function(v) { v[1] <- 0; v }", "y <- clear(x)"],
        ["def clear(v):", "    v = v.copy()", "    v[0] = 0", "    return v", "y = clear(x)"],
    ),
    "two names for one vector": (
        ["y <- x", "y[1] <- 0"],
        ["y = x.copy()", "y[0] = 0"],
    ),
    "a vector that grows": (
        ["y <- c()", "for (j in 1:3) y <- c(y, j)"],
        ["y = None", "for j in range(1, 4):", "    y = r.c(y, j)"],
    ),
    "whole numbers that become fractions": (
        ["y <- c(1, 2)", "y[1] <- 0.5"],
        ["y = np.array([1.0, 2.0])", "y[0] = 0.5"],
    ),
    "with": (
        ["y <- with(d, mean(a) + mean(b))"],
        ['y = r.mean(d["a"]) + r.mean(d["b"])'],
    ),
    "switch": (
        ['s <- "a"', 'switch(s, a = cat("1\\n"), cat("2\\n"))'],
        ['s = "a"', 'if s == "a":', '    print("1")', "else:", '    print("2")'],
    ),
    "comments stay": (
        ["# before", "y <- 1 # beside", "# after"],
        ["# before", "y = 1  # beside", "# after"],
    ),
    "packages": (["library(RRF)", "y <- 1"], ["y = 1"]),
}  # fmt: skip


@pytest.mark.parametrize("name", BLOCKS)
def test_block(name: str) -> None:
    r, python = BLOCKS[name]
    assert moved(*r) == python


LEFT = {
    "an unknown function": ("y <- nosuch(x)", "nosuch() is not known"),
    "an unknown name": ("y <- nosuch + 1", "nosuch is not assigned"),
    "a package without a counterpart": ("library(nosuch)", "nosuch has no counterpart"),
    "caret's train": ("y <- train(m, f)", "a loop over createFolds() is exact"),
    "strings in order": ('y <- "a" < "b"', "the order of strings depends on the locale"),
    "a factor in brackets": ("y <- x[f]", "means its codes"),
    "a vector into rows and columns": ("m[1:2, 1:2] <- c(1, 2)", "R goes down the columns"),
    "a condition that may be missing": ("if (c(NA, 1)[1] > 0) y <- 1", "may be NA"),
    "sum of a factor": ("y <- f + 1", "of a factor"),
    "outside of a function": ("g <- function() { nowhere <<- 1 }", "<<-"),
    "no R at all": ("y <- mean(x", "this piece of syntax"),
}


@pytest.mark.parametrize("name", LEFT)
def test_left_over(name: str) -> None:
    line, reason = LEFT[name]
    found = translate(KNOWN + line + "\n")
    assert found.left_lines == 1
    assert reason in found.left[0].reason
    assert f"# not moved: {found.left[0].reason}" in found.code
    assert f"{found.lines - 1} of {found.lines} lines moved" in found.code.splitlines()[0]
    compile(found.code, "script.py", "exec")


def test_what_needs_a_line_that_was_left_over_is_left_over_too() -> None:
    found = translate("a <- nosuch()\nb <- a + 1\n")
    assert [item.reason for item in found.left] == ["nosuch() is not known", "needs a, which was not moved (line 1)"]


def test_names_and_positions() -> None:
    found = translate(KNOWN + "best.one <- which.max(x)\n")
    assert found.names["best.one"] == "best_one"
    assert found.positions == {"best.one"}
