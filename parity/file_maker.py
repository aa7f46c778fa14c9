"""Makes random scripts of files: sourced from folders, written before, in folders to which the script has gone; and of
errors that tryCatch() catches."""

from __future__ import annotations

import random

FILES = {
    "a.R": "a1 <- 1\nf1 <- function(x) x + a1\n",
    "values.R": '"top"\n1 + 1\na2 <- 5\n(a3 <- 6)\nprint(a2)\n',
    "chain.R": 'source("a.R")\nchained <- a1 + 1\n',
    "sub/a.R": 'a1 <- "sub"\nf1 <- function(x) paste(x, "sub")\n',
    "sub/only.R": 'only <- "only in sub"\n',
    "sub/chain.R": 'source("a.R")\nchained <- a1\n',
    "sub/deep/a.R": 'a1 <- "deep"\n',
    "sub/up.R": 'source("../a.R")\nup <- a1\n',
    "names.R": 'pi <- 3\nmedian <- function(x) "own"\nletters[1] <- "z"\n',
    "pkg.R": "library(dplyr)\nn1 <- first(c(4, 5))\n",
    "moves.R": 'setwd("sub")\ngone <- 1\n',
    "stops.R": 's1 <- 1\nstop("in the file")\ns2 <- 2\n',
    "quiet.R": 'invisible(7)\nq1 <- invisible(8)\ncat("said\\n")\n',
    "writes.R": 'writeLines("w1 <- \'written\'", "w.R")\n',
    "locals.R": "k <- 2\nk2 <- k * 2\n",
    "loop.R": 'for (i in 1:2) { i; print(i) }\nif (TRUE) "seen"\n',
    "data.csv": "x,y\n1,a\n2,b\n",
}
"""The files in the folder of each script."""
_R_FILES = [name for name in FILES if name.endswith(".R")]
_PLACES = ("a.R", "values.R", "chain.R", "only.R", "up.R", "deep/a.R", "w.R", "none.R", "locals.R", "loop.R")
_TEXTS = ("a1 <- 10", "w1 <- 'new'", "f1 <- function(x) 'new'", "3 + 4", "pi <- 9", "source('a.R')", "stop('new')")
_ASKED = (
    "a1", "a2", "f1(1)", "only", "chained", "up", "pi", "letters[1]", "w1", "k", "k2", "n1", "s1", "median(c(1, 9))",
    'file.exists("a.R")', 'file.exists("only.R")', 'exists("a1")', 'exists("k")',
    'file.exists("w.R")', 'file.exists("sub/a.R")', 'nrow(read.csv("data.csv"))', 'list.files(pattern = "csv")',
    'readLines("a.R")[1]', 'basename(normalizePath("a.R"))', 'file.path("sub", "a.R")',
)  # fmt: skip
_CAUGHT = (
    "predict(fit, data.frame(x = 1:2, g = c('a', 'new')))",
    "predict(fit, d[, 1, drop = FALSE])",
    "predict(fit, transform(d, x = as.character(x)))",
    "predict(fit, d[0, ])",
    "predict(fit, transform(d, x = NA))",
    "randomForest(y ~ nosuch, data = d)",
    "randomForest(nosuch ~ x, data = d)",
    "randomForest(y ~ x, data = nosuch)",
    "randomForest(d[, 1:2], d$y, sampsize = c(9, 9))",
    "randomForest(d[, 1:2], d$y, sampsize = 100)",
    "randomForest(d[, 1:2], d$y, classwt = c(1, 2, 3))",
    "randomForest(d[, 1:2], d$y, classwt = c(-1, 2))",
    "randomForest(d[, 1:2], d$y, classwt = c(0, 1))",
    "randomForest(d[, 1:2], d$y, cutoff = c(.9, .9))",
    "randomForest(d[, 1:2], d$y, cutoff = .5)",
    "randomForest(d[, 1:2], d$y[-1])",
    "randomForest(d[, 1:2], transform(d, y = replace(y, 1, NA))$y)",
    "randomForest(transform(d, x = replace(x, 1, NA))[, 1:2], d$y)",
    "randomForest(transform(d, w = paste(x))[, c('x', 'w')], d$y)",
    "randomForest(d[, 1:2], d$y, mtry = 0)",
    "randomForest(d[, 1:2], d$y, mtry = 99)",
    "randomForest(d[, 1:2], d$y, mtry = -1)",
    "randomForest(d[0, 1:2], d$y[0])",
    "randomForest(d[, 0], d$y)",
    "randomForest(d[, 1:2], d$y, xtest = d[, 1, drop = FALSE])",
    "randomForest(d[, 1:2], factor(rep('a', 8)))",
    "randomForest(d[, 1:2], d$y, strata = factor(1:3))",
    "randomForest(d[, 1:2], d$y, ntree = 0)",
    "randomForest(d[, 1:2], as.character(d$y))",
    "combine(fit, reg)",
    "combine(fit, 1)",
    "combine(fit)",
    "grow(1, 3)",
    "importance(1)",
    "importance(fit, class = 'nosuch')",
    "importance(fit, type = 3)",
    "varImpPlot(1)",
    "getTree(fit, 99)",
    "getTree(1)",
    "rfImpute(y ~ ., data = d)",
    "rfImpute(d[, 1:2], d$y)",
    "rfImpute(x ~ ., data = transform(d, x = replace(x, 1, NA)))",
    "na.roughfix(1)",
    "na.roughfix(transform(d, w = 'a'))",
    "partialPlot(fit, d, nosuch)",
    "partialPlot(fit, d, 'nosuch')",
    "margin(reg)",
    "outlier(fit)",
    "MDSplot(fit, d$y)",
    "classCenter(d[, 1:2], d$y, 1)",
    "tuneRF(d[, 1:2], d$y[-1])",
    "rfcv(d[, 1:2], d$y, cv.fold = 0)",
    "RRF(d[, 1:2], d$y, coefReg = c(1, 2, 3))",
    "RRF(d[, 1:2], d$y, flagReg = 7)$ntree",
    "RRF(y ~ nosuch, d)",
    "predict(reg, d, type = 'prob')",
    "predict(fit, d, type = 'nosuch')",
    "predict(fit, d, predict.all = TRUE, type = 'nosuch')",
    "predict(fit, nosuch)",
    "predict(unk, d)",
    "d[, 'nosuch']",
    "d[['nosuch']]",
    "d$nosuch$more",
    "d[99, 99]",
    "list(1)[[3]]",
    "1 + 'a'",
    "log(-1)",
    "log('a')",
    "factor(1) + 1",
    "as.numeric('a')",
    "stopifnot(FALSE)",
    "stopifnot('told' = 1 == 2)",
    "match.arg('z', c('a', 'b'))",
    "matrix(1:6, 2) %*% matrix(1:6, 2)",
    "solve(matrix(0, 2, 2))",
    "data.frame(a = 1:2, b = 1:3)",
    "rbind(d, 1:9)",
    "merge(d, d, by = 'nosuch')",
    "aggregate(x ~ nosuch, d, mean)",
    "names(d) <- 1:99",
    "d$x <- 1:3",
    "rownames(d) <- rep('x', 8)",
    "get('nosuch')",
    "nosuch(1)",
    "f1('a', 'b', 'c')",
    "library(nosuch)",
    "nosuch::f(1)",
    "source('none.R')",
    "source('stops.R')",
    "read.csv('none.csv')",
    "readRDS('none.rds')",
    "setwd('none')",
    "as.Date('none')",
    "strsplit(1, 'a')",
    "rep(1:2, times = -1)",
    "integer(-1)",
    "seq(1, 10, by = -1)",
    "if (NA) 1",
    "if (c()) 1",
    "vapply(1:2, function(i) 'a', 1)",
    "do.call('nosuch', list())",
    "Reduce(`+`, list(1, 'a'))",
    "warning('w')",
    "message('m')",
    "as.integer('9999999999')",
    "sqrt(-1)",
    "1:3 + 1:2",
    "mean('a')",
    "sample(3, 9)",
    "sum('a')",
    "sub('[', 'x', 'a')",
    "grepl('a{,2', 'a')",
    "confusionMatrix(d$y, d$g)",
    "createDataPartition(nosuch)",
    "train(y ~ x, data = d, method = 'nosuch')",
)


class FileMaker:
    """Makes the statements of one script."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.count = 0

    def one_of(self, *items: str) -> str:
        return self.random.choice(items)

    def new(self) -> str:
        self.count += 1
        return f"v{self.count}"

    def script(self) -> list[str]:
        """Return the statements of files."""
        first = ["a1 <- 0", "k <- 0", "f1 <- function(x) 'first'"]
        kinds = [self._sourced] * 6 + [self._ask] * 6 + [self._go] * 2 + [self._write] * 3 + [self._defined]
        return first + [self.random.choice(kinds)() for _ in range(self.random.randint(4, 10))]

    def caught(self) -> list[str]:
        """Return statements that R may refuse, in tryCatch() and the like."""
        out = [
            "suppressPackageStartupMessages(library(randomForest))",
            'd <- data.frame(x = c(1, 2, 3, 4, 5, 6, 7, 9), g = factor(rep(c("a", "b"), 4)),'
            ' y = factor(c("u", "u", "v", "v", "u", "v", "u", "v")))',
            "fit <- randomForest(d[, 1:2], d$y, ntree = 3)",
            "reg <- randomForest(d[, 2:3], d$x, ntree = 3)",
        ]
        if self.random.random() < 0.5:
            out[0] = self.one_of(
                "suppressPackageStartupMessages({ library(caret); library(randomForest) })", "library(RRF)"
            )
            out[2:] = [line.replace("randomForest", "RRF") if "RRF" in out[0] else line for line in out[2:]]
        return out + [self._caught() for _ in range(self.random.randint(5, 9))]

    def _file(self) -> str:
        return self.one_of(*_R_FILES, *_PLACES)

    def _sourced(self) -> str:
        # A statement left as R ends a script's comparison: rare, so that the rest is compared.
        if self.random.random() < 0.85:
            return self.one_of('source("{f}")', "source('{f}')", '{{ source("{f}") }}').format(f=self._file())
        return self.one_of(
            'source("{f}")',
            'source("{f}")',
            'source("{f}")',
            'source("{f}", chdir = TRUE)',
            'source("{f}", echo = TRUE)',
            'source("{f}", print.eval = TRUE)',
            'source("{f}", local = TRUE)',
            '{v} <- source("{f}")$value',
            'invisible(source("{f}"))',
            'if (FALSE) source("{f}")',
            'if (TRUE) source("{f}")',
            'for (p in c("{f}", "a.R")) source(p)',
            "invisible(lapply(list.files(pattern = 'R$')[1:2], source))",
            'source(file.path(".", "{f}"))',
            '{{ p <- "{f}"; source(p) }}',
            'tryCatch(source("{f}"), error = function(e) cat("stopped\\n"))',
            '{v} <- try(source("{f}"), silent = TRUE)$visible',
            'if (file.exists("{f}")) source("{f}")',
            'g1 <- function() {{ source("{f}"); 1 }}',
            'g2 <- function() {{ source("{f}", local = TRUE); a1 }}',
            'sys.source("{f}", globalenv())',
            'suppressWarnings(source("{f}"))',
            '{v} <- local({{ source("{f}", local = TRUE); 1 }})',
            'withVisible(source("{f}"))$visible',
            'eval(parse("{f}"))',
        ).format(f=self._file(), v=self.new())

    def _ask(self) -> str:
        form = self.one_of("{c}", "print({c})", "{v} <- {c}", "({c})")
        known = ("a1", "f1(1)", "pi", "k", "letters[1]", "median(c(1, 9))", 'file.exists("a.R")', 'readLines("a.R")[1]')
        asked = known if self.random.random() < 0.8 else _ASKED
        return form.format(c=self.one_of(*asked), v=self.new())

    def _go(self) -> str:
        if self.random.random() < 0.7:
            return self.one_of('setwd("sub")', 'setwd("..")')
        return self.one_of(
            'setwd("sub")',
            'setwd("..")',
            'setwd("sub/deep")',
            'old <- setwd("sub")',
            "if (exists('old')) setwd(old)",
            'if (FALSE) setwd("sub")',
            'if (TRUE) setwd("sub")',
            'm1 <- function() setwd("sub")',
            'if (exists("m1")) m1()',
            'tryCatch(setwd("none"), error = function(e) 1)',
        )

    def _write(self) -> str:
        return (
            self.one_of(
                'writeLines({t}, "{f}")',
                'writeLines({t}, "{f}")',
                'cat({t}, file = "{f}")',
                'cat({t}, "\\n", file = "{f}", append = TRUE)',
                'file.remove("{f}")',
                'invisible(file.copy("sub/a.R", "a.R", overwrite = TRUE))',
                'unlink("{f}")',
                'if (FALSE) writeLines({t}, "{f}")',
                'w <- function() writeLines({t}, "{f}")',
                'if (exists("w")) w()',
                'dir.create("sub/new", showWarnings = FALSE)',
                'sink("{f}"); cat({t}); sink()',
                'con <- file("{f}", "w"); writeLines({t}, con); close(con)',
                'write({t}, "{f}")',
                'invisible(file.rename("sub/only.R", "only.R"))',
            )
            .split("; ")[0]
            .format(t=f'"{self.one_of(*_TEXTS)}"', f=self._file())
        )

    def _defined(self) -> str:
        return self.one_of(
            "a1 <- 'mine'", "rm(a1)", "f1 <- function(x) 'mine'", "k <- 1", "if (exists('g1')) g1()",
            "if (exists('g2')) g2()", "source <- function(x) 'own source'", "pi <- 3.1", "rm(pi)",
            "setwd <- function(x) 'own setwd'",
        )  # fmt: skip

    def _caught(self) -> str:
        return self.one_of(
            "{v} <- tryCatch({c}, error = function(e) 'stopped')",
            "{v} <- tryCatch({{ {c}; 'ran' }}, error = function(e) 'stopped')",
            "{v} <- tryCatch({{ {c}; 'ran' }}, error = function(e) 'stopped', warning = function(w) 'warned')",
            "{v} <- inherits(try({c}, silent = TRUE), 'try-error')",
            "{v} <- tryCatch({{ {c}; 'ran' }}, error = function(e) {{ cat('no\\n'); NULL }}, finally = cat('end\\n'))",
            "h{n} <- function() {{ {c}; 'ran' }}",
            "{v} <- sapply(1:2, function(i) tryCatch({{ {c}; i }}, error = function(e) -i))",
            "for (i in 1:2) tryCatch({{ {c}; cat('ran', i, '\\n') }}, error = function(e) cat('stopped', i, '\\n'))",
        ).format(c=self.one_of(*_CAUGHT), v=self.new(), n=self.count)
