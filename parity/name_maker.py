"""Makes random scripts of names: those of R and of packages, assigned and attached on paths that may not run."""

from __future__ import annotations

import random

# Names of R that scripts assign: a value of R's own, or a function.
_VALUES = ("pi", "letters", "LETTERS", "month.abb", "T")
_FUNCTIONS = ("median", "mean", "sum", "max", "rev", "show", "length", "c", "t", "sd", "first", "count", "map")
_PACKAGES = (
    "dplyr",
    "dplyr",
    "plyr",
    "purrr",
    "stringr",
    "tibble",
    "tidyr",
    "caret",
    "MASS",
    "ModelMetrics",
    "magrittr",
)
# Calls whose value is a number, a string, or a vector of these.
_OF_PACKAGES = (
    "first(c(4, 5))",
    "last(c(4, 5))",
    "nth(4:6, 2)",
    "n_distinct(c(1, 1, 2))",
    "between(2, 1, 3)",
    "coalesce(NA, 1)",
    "map(1:2, function(i) i + 1)",
    "map_dbl(1:2, function(i) i + 1)",
    "keep(1:4, function(i) i > 2)",
    "discard(1:4, function(i) i > 2)",
    'str_c("a", "b")',
    'str_length("abc")',
    'str_to_upper("a")',
    "tibble(a = 1)$a",
    "drop_na(d)$x",
    "replace_na(c(1, NA), 0)",
    "select(d, x)$x",
    "filter(d, x > 1)$x",
    "arrange(d, x)$x",
    "mutate(d, z = x + 1)$z",
    "summarise(d, m = mean(x))$m",
    "summarize(d, m = mean(x))$m",
    "rename(d, q = x)$q",
    "count(d, g)[1, 1]",
    "desc(c(1, 2))",
    "distinct(d, g)$g",
    "lag(c(1, 2, 3))[1]",
    "length(createFolds(1:6, 2))",
    "RMSE(c(1, 2), c(1, 3))",
    "MAE(c(1, 2), c(1, 3))",
    "union(1:2, 2:3)",
    "sensitivity(u, v)",
    "c(1, 2) %>% sum()",
    "c(1, 2) %>% sum",
    "sample(3)",
    "where(is.numeric)",
    "fixed('a')[1]",
    "combine(1, 2)",
    "word('a b', 2)",
    "recode(c('a', 'b'), a = 'z')",
    "near(1, 1)",
    "cummean(c(1, 3))",
)
_OF_R = (
    "pi * 2",
    "letters[1:2]",
    "LETTERS[3]",
    "month.abb[2]",
    "T",
    "median(c(1, 5, 9))",
    "mean(1:4)",
    "sum(1:3)",
    "max(3, 1)",
    "rev(1:3)",
    "length(1:3)",
    "c(1, 2)",
    "sd(c(1, 3))",
    "t(matrix(1:2, 1))",
    "sapply(list(1:3), median)",
    'sapply(list(1:3), "mean")',
    "do.call(sum, list(1, 2))",
    'do.call("max", list(1, 2))',
    "Reduce(max, 1:3)",
    "base::mean(1:3)",
    "stats::median(c(1, 2))",
    "base::sum(1, 2)",
    "base::pi",
    "stats::mean(1)",
    "dplyr::first(4:5)",
    "dplyr::nosuch(1)",
    "nosuch::first(1)",
    "utils::head(1:9, 2)",
    "base::letters[1]",
    "purrr::map_dbl(1:2, sqrt)",
    'exists("pi")',
    'exists("median")',
    'exists("first")',
    "is.function(median)",
    "is.function(pi)",
    'get("pi")',
    "match.fun(median)(1:3)",
    "match.fun('sum')(1:3)",
    "sapply(1:2, function(i) sum(i, pi))",
    "exists('v1')",
    "tryCatch(median(1:3), error = function(e) 'stopped')",
    "(function(sum) sum + 1)(2)",
)
_NEW = ("3", '"z"', 'c("x", "y")', "FALSE", "1:2")
_OWN = ('"own"', "x", "list(x, ...)", "{ cat('own\\n'); 7 }", "base::max(x)", "sum(1, 2)", "invisible(x)")


class NameMaker:
    """Makes the statements of one script."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.count = 0
        self.functions: list[str] = []

    def script(self) -> list[str]:
        """Return the statements."""
        out = [
            "flag <- FALSE",
            "on <- TRUE",
            'd <- data.frame(g = c("a", "a", "b"), x = c(1, 2, 4))',
            'u <- factor(c("a", "b", "a"))',
            'v <- factor(c("a", "b", "b"))',
        ]
        for _ in range(self.random.randint(8, 16)):
            kinds = (
                [self._use] * 9 + [self._attached] * 4 + [self._assigned] * 4 + [self._function] * 3 + [self._question]
            )
            out.append(self.random.choice(kinds)())
        return out

    def one_of(self, *items: str) -> str:
        return self.random.choice(items)

    def new(self) -> str:
        self.count += 1
        return f"v{self.count}"

    def call(self) -> str:
        """Return an expression that uses a name."""
        if self.functions and self.random.random() < 0.25:
            return f"{self.one_of(*self.functions)}({self.one_of('TRUE', 'FALSE')})"
        return self.one_of(*(_OF_PACKAGES if self.random.random() < 0.55 else _OF_R))

    def _use(self) -> str:
        form = self.one_of("{v} <- {c}", "{v} <- {c}", "{c}", "print({c})", "({c})", "{v} <- if (on) {c} else 1")
        return form.format(v=self.new(), c=self.call())

    def _attached(self) -> str:
        package = self.one_of(*_PACKAGES)
        return self.one_of(
            "library({p})",
            "library({p})",
            "library({p})",
            "suppressPackageStartupMessages(library({p}))",
            "require({p})",
            'library("{p}")',
            "if (flag) library({p})",
            "if (on) library({p})",
            "if (!require({p})) 1",
            "suppressMessages({{ library({p}); {v} <- 1 }})",
            "for (p in c('{p}', 'stats')) library(p, character.only = TRUE)",
            "invisible(lapply(c('{p}', 'utils'), library, character.only = TRUE))",
            "f{n} <- function(k) {{ library({p}); {c} }}",
            "{v} <- suppressWarnings(require({p}))",
            "{{ p <- '{p}'; library(p, character.only = TRUE) }}",
            "{p}::nosuch",
            'if (flag) detach("package:{p}")',
            "detach(package:{p})",
            "{v} <- requireNamespace('{p}')",
        ).format(p=package, v=self.new(), n=self.count, c=self.call())

    def _question(self) -> str:
        return self.one_of(
            "{v} <- tryCatch(library(nosuch), error = function(e) 'no')",
            "{v} <- suppressWarnings(require(nosuch))",
            "{v} <- requireNamespace('nosuch', quietly = TRUE)",
            "if (!requireNamespace('nosuch', quietly = TRUE)) cat('no\\n')",
            "{v} <- tryCatch({{ library({p}); 'yes' }}, error = function(e) 'no')",
            "try(library(nosuch), silent = TRUE)",
            "{v} <- tryCatch({c}, error = function(e) 'stopped')",
        ).format(v=self.new(), p=self.one_of(*_PACKAGES), c=self.call())

    def _assigned(self) -> str:
        value = self.random.random() < 0.5
        name = self.one_of(*(_VALUES if value else _FUNCTIONS))
        new = self.one_of(*_NEW) if value or self.random.random() < 0.3 else f"function(x, ...) {self.one_of(*_OWN)}"
        text = self.one_of(
            "{n} <- {w}",
            "{n} <- {w}",
            "if (flag) {n} <- {w}",
            "if (on) {n} <- {w}",
            "if (flag) {n} <- {w} else on <- TRUE",
            "for (i in 1:2) {n} <- {w}",
            "for (i in integer(0)) {n} <- {w}",
            "rm({n})",
            'assign("{n}", {w})',
            "while (flag) {n} <- {w}",
            "{n} <- {n}",
            "{n} = {w}",
            "{w} -> {n}",
            "f0 <- function() {n} <<- {w}",
            "{{ {n} <- {w} }}",
        ).format(n=name, w=new)
        if value and self.random.random() < 0.2:
            text = f"{name}[1] <- {self.one_of(*_NEW)}"
        return text

    def _function(self) -> str:
        name = f"f{self.random.randint(1, 5)}"
        local = self.one_of(*_VALUES, *_FUNCTIONS)
        new = self.one_of(*_NEW, f"function(x, ...) {self.one_of(*_OWN)}")
        text = self.one_of(
            "{f} <- function(k) {c}",
            "{f} <- function(k) {{ if (k) {n} <- {w}; {c} }}",
            "{f} <- function(k) {{ {n} <- {w}; {c} }}",
            "{f} <- function(k) {{ a <- {c}; {n} <- {w}; {d} }}",
            "{f} <- function(k) sapply(1:2, function(i) {c})[[1]]",
            "{f} <- function({n}) {c}",
            "{f} <- function(k) {{ g <- function() {c}; if (k) {n} <- {w}; g() }}",
            "{f} <- function(k) {{ show(k); {c} }}",
            "{f} <- function(k) {{ if (k) library({p}); {c} }}",
        ).format(f=name, n=local, w=new, c=self.call(), d=self.call(), p=self.one_of(*_PACKAGES))
        self.functions.append(name)
        return text
