# ruff: noqa: E501
"""Values that R computes for Python, with R: values there and back, R that ends, scripts of which R computes a part.

PARITY_BY_R says how many random scripts run (40), PARITY_SEED repeats a run.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pyrrf
from parity.random_by_r import run
from parity.shrinking import SEED
from pyrrf import r
from pyrrf.migrate.translation import translate
from pyrrf.r.base.control import reset_options
from pyrrf.r.bridge.session import _RUNNING, RSessionError
from pyrrf.r.values.functions import AWAY, REST, offer, r_function

COUNT = int(os.environ.get("PARITY_BY_R", "40"))

pytestmark = pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")


@pytest.fixture(autouse=True)
def _new_session() -> Iterator[None]:
    """Begin with no session of R, and with R's first options; SIGINT is answered, as it is not in a shell's background."""
    here, before = Path.cwd(), signal.signal(signal.SIGINT, signal.default_int_handler)
    reset_options()
    pyrrf.random.RNGkind("Mersenne-Twister", "Inversion", "Rejection")
    pyrrf.set_seed(1)
    yield
    REST.clear()
    AWAY.clear()
    pyrrf.set_collate(None)
    os.chdir(here)
    signal.signal(signal.SIGINT, before)
    for running in _RUNNING:
        running.close(patience=0)


def _items(x: Any) -> list[Any]:
    items: list[Any] = np.asarray(x._data).tolist()
    return items


# ---- R that ends, or is stopped --------------------------------------------------------------------


def test_an_r_that_is_killed_leaves_the_variables_and_a_new_one_starts() -> None:
    x = r.c(1, 2)
    fit = r.by_r("lm(c(1, 2, 4) ~ c(1, 2, 3))")
    with pytest.raises(RSessionError, match="signal 9"):
        r.by_r("x[1] <- 9; tools::pskill(Sys.getpid(), 9); Sys.sleep(9)", "x", x=x)
    assert _items(r.by_r("sum(x)", x=x)) == [3.0]
    with pytest.raises(RSessionError, match="gone"):
        r.by_r("coef(fit)", fit=fit)


def test_quit_ends_python_with_its_status() -> None:
    with pytest.raises(SystemExit) as ended:
        r.by_r('cat("last\\n"); quit(status = 3)')
    assert ended.value.code == 3


@pytest.mark.parametrize("code", ["Sys.sleep(60)", "repeat {}", "tryCatch(Sys.sleep(60), error = identity)"])
def test_an_interrupt_ends_the_code_and_not_r(code: str) -> None:
    r.by_r("kept <- 1", "kept")
    threading.Timer(0.7, os.kill, (os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        r.by_r(code)
    assert time.monotonic() - start < 8
    assert _items(r.by_r("kept + 1")) == [2.0]


def test_an_interrupt_while_values_are_sent_leaves_no_half_request() -> None:
    x = r.c(np.arange(2e7))
    r.by_r("1")
    threading.Timer(0.15, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        r.by_r("length(x)", x=x)
        time.sleep(1)
    except KeyboardInterrupt:
        pass
    assert _items(r.by_r("length(x)", x=x)) == [2e7]


def test_a_package_that_r_lacks_is_named_each_time() -> None:
    r.library("nosuchpackage")
    for _ in range(2):
        with pytest.raises(r.RError, match="nosuchpackage"):
            r.by_r("x", x=r.c(1))
    r.detach("nosuchpackage")
    assert _items(r.by_r("x + 1", x=r.c(5))) == [6.0]


def test_code_that_stops_has_changed_nothing_that_python_takes_for_sent() -> None:
    x = r.c(1)
    for names in ((), ("x",)):
        with pytest.raises(r.RError, match="here"):
            r.by_r('x <- x + 1; stop("here")', *names, x=x)
        assert _items(r.by_r("x", x=x)) == [1.0]


# ---- processes and threads ---------------------------------------------------------------------------


def test_threads_ask_one_after_another() -> None:
    answers: dict[int, Any] = {}

    def ask(k: int) -> None:
        answers[k] = [_items(r.by_r("{Sys.sleep(.001); x * 2}", x=r.c(k, i))) for i in range(20)]

    threads = [threading.Thread(target=ask, args=(k,)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert answers == {k: [[2.0 * k, 2.0 * i] for i in range(20)] for k in range(6)}


def _in_a_fork(x: float) -> list[float]:
    value: list[float] = _items(r.by_r("x + 1", x=r.c(x)))
    return value


def test_a_fork_has_a_session_of_its_own() -> None:
    fit = r.by_r("lm(c(1, 2, 4) ~ c(1, 2, 3))")
    with get_context("fork").Pool(2) as pool:
        assert pool.map(_in_a_fork, [1.0, 2.0, 3.0]) == [[2.0], [3.0], [4.0]]
    child = os.fork()
    if not child:
        try:
            r.by_r("coef(fit)", fit=fit)
        except RSessionError:
            os._exit(7)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert _items(r.by_r("length(coef(fit))", fit=fit)) == [2]
    assert Path(_RUNNING[0]._folder).exists()


# ---- values -------------------------------------------------------------------------------------------


def test_a_hundred_megabytes_come_back_bit_for_bit() -> None:
    x = r.c(np.random.default_rng(SEED).normal(size=13_000_000))
    back = r.by_r("rev(x)", x=x)
    assert np.array_equal(np.asarray(back._data)[::-1].view(np.int64), np.asarray(x._data).view(np.int64))


@pytest.mark.parametrize(
    "code",
    ["c(NA_real_, NaN, -0, Inf)", "c(NA, 1L)", "c(NA, TRUE)", 'c(NA, "NA", "\\u00e4", "")', "list(NULL, list())",
     'factor(c("\\u00df", NA))', "data.frame(`a b` = 1:2, check.names = FALSE)", 'as.Date("2020-01-02")',
     "structure(1:2, note = list(a = NaN), names = c(NA, \"\"))"],
)  # fmt: skip
def test_values_come_back_identical(code: str) -> None:
    value = r.by_r(code)
    # A name that R has not yet, so that the value is sent.
    same = r.by_r(f"identical(sent, {code}, num.eq = FALSE, single.NA = FALSE)", sent=r.copy(value))
    assert _items(same) == [True]


@pytest.mark.parametrize(
    "code",
    ["1i", "as.raw(1)", "ts(1:3)", 'as.POSIXlt("2020-01-02", tz = "UTC")', "quote(a + b)", "new.env()",
     'rawToChar(as.raw(c(255, 65)))', '{x <- "a"; Encoding(x) <- "bytes"; "\\\\xff"; rawToChar(as.raw(254))}',
     "lm(c(1, 2, 4) ~ c(1, 2, 3))", "structure(1, class = 'mine')", "expression(a)", "methods::new('numeric')[0] + 1i"],
)  # fmt: skip
def test_what_python_cannot_hold_stays_in_r(code: str) -> None:
    value = r.by_r(code)
    assert _items(r.by_r("class(x)", x=value)) == _items(r.by_r(f"class({code})"))
    assert _items(r.by_r(f"is.environment(x) || isTRUE(all.equal(x, {code}))", x=value)) == [True]


@pytest.mark.filterwarnings("ignore")
def test_functions_of_r_go_to_r() -> None:
    given = r.list(f=r.mean, g=r.trainControl().summaryFunction)
    assert _items(r.by_r("identical(x, list(f = mean, g = caret::defaultSummary))", x=given)) == [True]
    with pytest.raises(r.NotSupportedError, match="randomForest"):
        r.by_r("x", x=r.list(r.randomForest))


def test_functions_of_r_have_their_class() -> None:
    steps = r.by_r("ecdf(c(3, 1, 2))")
    assert r.class_(steps)._data.tolist() == ["ecdf", "stepfun", "function"]
    assert float(steps(2.0)) == 2 / 3
    assert bool(r.inherits(steps, "stepfun"))
    assert r.class_(r.by_r("function(x) x"))._data.tolist() == ["function"]


def test_files_of_what_r_alone_can_hold(tmp_path: Path) -> None:
    file = str(tmp_path / "a.rda")
    r.rest_by_r()
    r.by_r(
        "f <- lm(dist ~ speed, cars); g <- function(v) v + k; k <- 1; save(f, g, k, file = file)",
        "f",
        "g",
        "k",
        file=file,
    )
    r.forget_by_r("f", "g")
    held = r.load(file)
    assert sorted(held) == ["f", "g", "k"]
    assert _items(held["g"](1)) == [2]
    assert str(r.formula(held["f"])) == "dist ~ speed"
    again = str(tmp_path / "b.rda")
    r.save(held["f"], held["k"], file=again, deparsed=["f", "k"])
    assert _items(r.by_r("load(file)", "f", "k", ".value", file=again)[2]) == ["f", "k"]


def test_what_was_drawn_before_a_refusal_is_taken_back() -> None:
    drawn = r.runif(1)
    r.set_seed(1)

    def refuse() -> Any:
        r.runif(5)
        raise r.NotSupportedError("no")

    REST[:] = [lambda *_: r.runif(1)]
    assert _items(offer("f", r_function(does="draws")(refuse))()) == _items(drawn)


def test_names_of_any_kind() -> None:
    names = ["a b", "a.b", "a_b", "class", "if", "TRUE", "ä", "`", '"', "\\", "", "x\n", "...", "T"]
    for number, name in enumerate(filter(None, names)):
        if name == "...":
            continue
        assert _items(r.by_r("get(n)", **{name: r.c(number)}, n=r.c(name))) == [number], name


def test_rows_that_r_only_counts_stay_counted() -> None:
    frame, table = r.data_frame(a=r.c(1, 2, 3)), r.tibble(a=r.c(1, 2, 3))
    values = [frame, r.head(frame, 2), table, r.head(table, 2), r.data_frame(a=r.c(1, 2), b=r.c(1, 2))[r.c(2, 1), :]]
    assert [_items(r.by_r(".row_names_info(x)", x=x))[0] for x in values] == [-3, 2, -3, -2, 2]


def test_no_forest_grows_while_r_draws_by_another_generator() -> None:
    r.rest_by_r()
    r.RNGkind("Wichmann-Hill")
    with pytest.raises(r.NotSupportedError, match="RNGkind"):
        r.randomForest(r.matrix(r.c(1, 2, 3, 4), 4), r.c(1, 2, 3, 4))
    with pytest.raises(r.RError):
        r.by_r("stop(1)")
    assert _items(r.RNGkind())[0] == "Wichmann-Hill"
    _RUNNING[0].close(patience=0)
    with pytest.raises(RSessionError, match="random stream"):
        r.runif(1)


# ---- scripts ------------------------------------------------------------------------------------------

SCRIPTS = {
    "names removed": 'total <- 5\nrm(total)\nbitwAnd(1L, 1L) + exists("total")\nx <- 1:3\nlength(rlogis(x))\nrm(x)\nexists("x")',
    "variables by their text": 'x <- 1:3\ny <- c(2, 4, 7)\nlm(as.formula("y ~ x"))\neval(parse(text = "x + 1"))\n'
    'mget(c("x", "y"))\nlapply(ls(), get)\nsapply(c("x", "y"), function(v) class(get(v)))',
    "variables assigned elsewhere": 'assign("letters", rlogis(2) > 100)\nletters[1:2]\ntotal <- 0\n'
    'f <- function() { total <<- 5; substitute(a) }\nv <- tryCatch(f(), error = function(e) 2)\ntotal',
    "variables that may be missing": "for (i in integer(0)) first <- 1\nv <- sapply(1:2, function(i) length(rlogis(i)))\nv\n"
    "if (runif(1) > 2) rlogis <- function(n) 7\nlength(rlogis(2))",
    "slots": 'setClass("P", representation(x = "numeric"))\np <- new("P", x = 3)\np@x\np@x <- 5\np',
    "values besides names": "k <- 0\nf <- function(a) { g <- function() substitute(a); a }\nf({ k <<- 3; 5 })\nk\n"
    "(y <- rle(1:2)$lengths)\nif (TRUE) { z <- rle(1)$values; z + 1 }\ng <- function() { h <- rle(1:3)$lengths }\nprint(g())",
    "functions that R holds": "function(x) substitute(x)\nfib <- function(n) { substitute(n); if (n < 2) n else fib(n - 1) + fib(n - 2) }\nfib(6)\n"
    "k <- 2\nh <- function(n) k * n\nfab <- function(n) if (n < 2) n else rle(h(fab(n - 1)))$values + fab(n - 2)\nfab(5)\n"
    'area <- function(s) UseMethod("area")\narea.default <- function(s) 7\narea(1)\n'
    "g <- function(k) sapply(rle(k)$lengths, function(i) median(c(1, 5, 9)))\nc <- function(x, ...) 7\ng(1:2)",
    "methods": 'print.mine <- function(x, ...) cat("<mine>\\n")\ny <- structure(list(a = rle(1)$values), class = "mine")\ny\nprint(y)',
    "summaries of times": 'x <- as.POSIXct("2020-01-02 03:04:05", tz = "UTC")\nsummary(x)\nby(mtcars$mpg, mtcars$cyl, mean)',
    "names of R": "\n".join(
        f"{name} <- function(...) 'own'" for name in "c list get print paste eval lapply assign exists ls stop names".split()
    ) + "\nz <- bitwAnd(7L, rle(1:3)$lengths[1])\nz\nbitwXor(z, 1L)\nwilcox.test(1:5)$p.value",
    "odd strings": "s <- \"it's \\\"q\\\" \\\\ back\\tslash \\u00e9 {x} %s \\n # by R: '''\"\nrev(strtoi(charToRaw(s), 16L))[1:3]\n"
    "# by R: \\u0000 \"\"\" \\\nrawToChar(rev(charToRaw('\"\\\\')))",
    "warnings in order": 'cat("a\\n"); message("m"); rle(1:2); warning("w"); cat("b\\n"); suppressWarnings(as.hexmode(10))\n'
    'r <- tryCatch(lm(y ~ q, data.frame(y = 1)), error = function(e) cat("caught:", conditionMessage(e), "\\n"))',
    "options and folders": "options(digits = 3)\nas.hexmode(9); pi\ninvisible(as.hexmode(options(digits = 10)$digits))\npi\n"
    'dir.create("sub")\nsetwd("sub")\nrle(1)\nbasename(getwd())\nlocal(setwd(".."))\nfile.exists("sub")',
    "an error that nobody catches": "cat(1)\nrle(1)\nlm(nosuch ~ 1)\ncat(2)",
    "orders of strings": 'x <- c("b_x", "bX", "A", "a", "< 0", "1")\nlevels(factor(x))\n'
    'invisible(Sys.setlocale("LC_COLLATE", "C"))\nsort(x)\nset.seed(2)',
    "orders of strings of other scripts": 'x <- c("\\ube44\\ub9cc", "\\uc815\\uc0c1", "a")\ntable(x)\nlevels(factor(x))\nsort(x)\nrle(1)',
    "generators": 'RNGkind("Wichmann-Hill")\nset.seed(3)\nx <- rnorm(2)\nx\nsample(5)\nRNGkind("default")\nrunif(1)\n'
    'set.seed(2, kind = "L\'Ecuyer-CMRG")\ntry(stop("e"), silent = TRUE)\nrle(sample(5))\nset.seed(1, kind = "default")',
    "strings in latin1": 'x <- iconv(c("\\u00fc", "b"), "UTF-8", "latin1")\ny <- rev(c(x, "a"))\ny\nEncoding(y)\nnchar(x)',
    "functions called before they are there": 'cat("a\\n")\nd <- later()\ncat("b\\n")\nlater <- function() 1',
    "packages of calls that turn out to be by R": "library(caTools)\nset.seed(1)\nsample.split(iris[1:2], SplitRatio = .5)",
    "models of caret": "library(caret)\nset.seed(1)\nm <- 'knn'\ntrain(Species ~ ., iris, method = 'lda')$results\n"
    "k <- trainControl('cv', 3)\nf <- train(iris[1:4], iris$Species, method = m, trControl = k)\nf\nmean(predict(f, iris) == iris$Species)",
    "parts of what R holds": "m <- table(c(1, 1, 2), c(1, 2, 2))\nx <- methods::as(matrix(1:4, 2), 'matrix')\n"
    "h <- structure(list(1, 2), dim = 1:2, class = 'mine')\nrle(1)\nunclass(h[, 2])\nunclass(h[1, ])",
    "patterns that Python reads otherwise": "x <- c('Braund, Mr. Owen', 'a. b, c')\nrle(1)\ngsub('.*, |\\\\. .*', '', x)\nsub('(a|ab)(c|bcd)', '-', 'abcd')",
    "all variables removed": 'x <- 1\ny <- rle(2)$values\nf <- function() 1\nrm(list = setdiff(ls(), "y"))\nexists("x")\nls()\n'
    "rm(list = ls())\nls()",
    "functions that name what comes later": "k <- function(x) later(x)\nr <- tryCatch(k(3), error = conditionMessage)\nr\n"
    "later <- function(x) x + 1\nk(2)\nf <- function(x) {\n  k <- k(x)\n  k + rle(1)$values\n}\nf(4)",
    "variables that a file held": 'class <- factor(c("a", "b", "a"))\nx <- c(1, 3, 2)\nsave(class, x, file = "a.rda")\nrm(class)\n'
    'load("a.rda")\ntable(class)\nclass[2]\ncoef(lm(x ~ class))\nsapply(list(1, "a"), class)',
    "tibbles transformed": "d <- tibble::tibble(`a b` = 1:2, b = 3)\nu <- transform(d, c = b * 2, b = 1)\nu\nclass(u)\ntransform(d, b = b + 1)",
    "formulas among columns": "with(mtcars, boxplot(mpg ~ cyl, plot = FALSE))$n\nwith(iris, aggregate(Sepal.Length ~ Species, FUN = mean))",
    "data sets in formulas": "library(randomForest)\nrandomForest(iris$Species ~ ., data = iris[, -5], ntree = 5)$confusion",
    "figures of columns": "d <- data.frame(x = c(0.082044999999999993, 5))\nsummary(d)\nsummary(d$x)",
    "lists of data sets": 'data(package = "datasets")$title\nx <- iconv(c("\\u00fc", "b"), "UTF-8", "latin1")\ntable(x)',
    "terms of fits": "library(randomForest)\nfit <- randomForest(Species ~ ., iris, ntree = 2)\nstr(fit$terms)\nas.hexmode(9)",
    "tables attached": "library(randomForest)\nd <- data.frame(id = 1:20, age = (1:20)^2, Target = rep(0:1, 10))\nattach(d)\nset.seed(1)\n"
    "rf <- randomForest(as.factor(Target) ~ ., data = d[, -3], ntree = 5)\nrf$confusion\ncolnames(plot(rf))",
    "quit": 'rle(1)\ncat("x\\n")\nquit(status = 3)\ncat("y\\n")',
}  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_print_what_they_print_in_r(name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for place in ("theirs", "ours"):
        (tmp_path / place).mkdir()
    (tmp_path / "script.R").write_text(SCRIPTS[name] + "\nrunif(1)\n", encoding="utf-8")
    done = subprocess.run(
        ["Rscript", "-e", "set.seed(1); source('../script.R', echo = FALSE, print.eval = TRUE)"],
        cwd=tmp_path / "theirs", capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    code = translate((tmp_path / "script.R").read_text(encoding="utf-8"), "script.R", with_r=True).code
    os.chdir(tmp_path / "ours")
    pyrrf.set_seed(1)
    capfd.readouterr()
    status = 0
    try:
        exec(compile(code, "script.py", "exec"), {"__name__": "script"})
    except r.RError:
        status = 1
    except SystemExit as ended:
        status = int(str(ended.code))
    assert (capfd.readouterr().out, status) == (done.stdout, done.returncode)


@pytest.mark.skipif("PARITY_BY_R" not in os.environ, reason="takes minutes; PARITY_BY_R=40 runs so many scripts")
def test_random_scripts_are_as_in_r() -> None:
    counts, reasons, shown = run(1000 * SEED, COUNT)
    assert [(kind, case.script, why) for kind, case, why in shown] == [], SEED
    assert counts["equal"] > COUNT / 2, reasons
