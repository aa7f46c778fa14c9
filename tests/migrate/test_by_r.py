"""Python of `--with-r` for statements that are not translated; R is not run."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("tree_sitter_language_pack")
pytest.importorskip("typer")


from pyrrf import r
from pyrrf.migrate.translation import translate
from pyrrf.r.bridge.session import RSessionError


def python_lines(text: str) -> list[str]:
    """Return the lines of Python behind the imports, without comments and blank lines."""
    lines = translate(text, with_r=True).code.split("r.rest_by_r()\n", 1)[1].splitlines()
    return [line for line in lines if line and not line.lstrip().startswith("#")]


CASES = {
    "y <- glm(a ~ b)\n": ['y = r.by_r("glm(a ~ b)")'],
    "x <- 1\ny <- glm(x ~ b)\n": ["x = r.c(1)", 'y = r.by_r("glm(x ~ b)", x=x)'],
    "x.y <- 1\nclass <- 2\nglm(x.y, class)\n": [
        "x_y = r.c(1)", "class_ = r.c(2)", 'r.show(r.by_r("glm(x.y, class)", class_=class_, **{"x.y": x_y}))'
    ],
    # Variables that R changes come back.
    "x <- 1:3\nx[2] <- optimize(x)\n": ["x = r.colon(1, 3)", 'x = r.by_r("x[2] <- optimize(x)", "x", x=x)'],
    "a <- b <- glm(1)\n": ['a, b = r.by_r("a <- b <- glm(1)", "a", "b")'],
    # In a loop the rest is computed here; its variable is known.
    "for (i in 1:2) {\n  u <- glm(i)\n  n <- i + 1\n}\n": [
        "for i in r.colon(1, 2):", '    u = r.by_r("glm(i)", i=i)', "    n = i + 1"
    ],
    # In a function, too, unless R has to know that it is one.
    "f <- function(x) {\n  u <- glm(x)\n  x + 1\n}\n": [
        "def f(x):", '    u = r.by_r_inside("glm(x)", x=x)', "    return x + 1"
    ],
    "f <- function(x, ...) glm(x, ...)\nf(3)\n": [
        'f = r.by_r("f <- function(x, ...) glm(x, ...)", "f")', "r.show(f(r.c(3)))"
    ],
    "k <- 1\nf <- function(x) sys.call(k)\nf(3)\n": [
        "k = r.c(1)", 'f = r.by_r("f <- function(x) sys.call(k)", "f")', 'r.show(r.by_r("f(3)", f=f, k=k))'
    ],
    # R has the functions of the script that its statements call.
    "f <- function(x) x + 1\ny <- optimize(f, c(0, 1))\n": [
        "def f(x):", "    return x + 1",
        'y = r.by_r("optimize(f, c(0, 1))", f=r.by_r("function(x) x + 1"))',
    ],
    "f <- function(x) x + 1\ny <- nlm('f', 2)\n": [
        "def f(x):", "    return x + 1", 'y = r.by_r("nlm(\'f\', 2)", f=r.by_r("function(x) x + 1"))'
    ],
    # Data of packages that are not shipped; one that the script changes later.
    "nrow(Boston)\n": ['r.show(r.nrow(r.by_r("Boston")))'],
    "Hitters <- na.omit(Hitters)\n": ['Hitters = r.by_r("", "Hitters")', "Hitters = r.na_omit(Hitters)"],
    "data(Boston)\nnrow(Boston)\n": ['Boston = r.by_r("data(Boston)", "Boston")', "r.show(r.nrow(Boston))"],
    # One side draws all charts.
    "x <- 1:3\nplot(x)\nggplot(x)\n": [
        "x = r.colon(1, 3)", 'r.show(r.by_r("plot(x)", x=x))', 'r.show(r.by_r("ggplot(x)", x=x))'
    ],
    "x <- 1:3\nplot(x)\n": ["x = r.colon(1, 3)", "r.plot(x)"],
    # A function assigned later is not there yet: R says so.
    "d <- later()\nlater <- function() 1\n": ['d = r.by_r("later()")', "def later():", "    return r.c(1)"],
    # R may have to compute calls that are translated.
    "library(caTools)\ns <- sample.split(1:9)\n": ['r.library("caTools")', "s = r.sample_split(r.colon(1, 9))"],
    "x <- glm(1)\nrm(list = ls())\nx\n": [
        'x = r.by_r("glm(1)")', "del x", 'r.forget_by_r("x")', 'x = r.by_r("", "x")', "r.print(x)"
    ],
    # caret fits models that are no forests in R.
    "f <- train(a ~ b, d, method = 'lm')\n": ["f = r.by_r(\"train(a ~ b, d, method = 'lm')\")"],
    "f <- glm(1)\nsummary(f)\n": ['f = r.by_r("glm(1)")', 'r.show(r.by_r("summary(f)", f=f))'],
    # The variable of a loop over nothing is not assigned in Python.
    "v <- 1\nfor (i in v) v <- 2\nparse('i')\n": [
        "v = r.c(1)", "for i in v:", "    v = r.c(2)", 'r.show(r.by_r("parse(\'i\')", i=globals().get("i"), v=v))'
    ],
    # A function that R calls sees the variables of the script, not those of the function that calls it.
    "z <- 1\nf <- function(a) a + z\ng <- function(z) { y <- f({ 2; 3 }); y }\n": [
        "z = r.c(1)", "def f(a):", "    return a + z", "def g(z):",
        '    y = r.by_r_inside("f({ 2; 3 })", f=r.by_r("function(a) a + z"), z=globals().get("z"))',
        "    return r.copy(y)",
    ],
    "z <- 1\nf <- function(a) a + z\ng <- function(z) { y <- f({ 2; z }); y }\n": [
        "z = r.c(1)", "def f(a):", "    return a + z",
        'g = r.by_r("g <- function(z) { y <- f({ 2; z }); y }", "g")',
    ],
    # missing() does not know whether R assigns a parameter.
    "f <- function(a = 3) { if (glm(a)) a <- 4; missing(a) }\n": [
        'f = r.by_r("f <- function(a = 3) { if (glm(a)) a <- 4; missing(a) }", "f")'
    ],
    # A name of a function of R that the function gives a value.
    "f <- function(k) { c <- optimize(c(1, k)); c }\n": [
        "def f(k):", '    c = r.by_r_inside("optimize(c(1, k))", c=locals().get("c"), k=k)', "    return r.copy(c)"
    ],
    # Packages are attached on both sides.
    "library(MASS)\nlda(1)\n": ['r.library("MASS")', 'r.show(r.by_r("lda(1)"))'],
}  # fmt: skip


@pytest.mark.parametrize("text", CASES)
def test_what_is_left_is_computed_by_r(text: str) -> None:
    assert python_lines(text) == CASES[text]


def test_text_of_the_script_is_data() -> None:
    text = 'x <- glm("""); import os; (""", \'\\\\\', "\\\\u00e9")\n'
    code = translate(text, with_r=True).code
    assert "import os" in code
    assert not any(line.strip().startswith("import") for line in code.splitlines())


def test_the_account_names_the_lines_by_r() -> None:
    done = translate("x <- 1\ny <- glm(x)\n", with_r=True)
    assert (done.summary, [item.first for item in done.left]) == ("1 of 2 lines translated", [2])
    assert "By R:\n    line 2: glm() is not known here" in done.code


def test_a_forest_by_r_is_said_first() -> None:
    text = "glm(1)\nf <- function(...) randomForest(...)\n"
    caret = translate("library(caret)\nf <- train(a ~ b, d, preProcess = c('center', 'scale'))\n", with_r=True)
    assert "line 2: R grows a forest: " in caret.code
    assert "line 2: R grows a forest: " in translate(text, with_r=True).code.split("By R:\n")[1].splitlines()[0]


def test_what_r_needs_of_caret_r_fits_too() -> None:
    text = "library(caret)\nf <- train(a ~ b, d)\nm <- list(RF = f)\nresamples(m)\n"
    assert "By R:\n    line 2: R grows a forest: train(), of which R needs the fit" in translate(text, with_r=True).code
    assert "r.train(" in translate(text.replace("resamples(m)", "glm(1)"), with_r=True).code


def test_what_a_file_held_goes_to_r() -> None:
    text = 'load("a.rda")\nglm(y ~ x, d)\nd <- 1\n'
    assert python_lines(text)[1].endswith('d=globals().get("d"), x=globals().get("x"), y=globals().get("y")))')
    assert python_lines('load("a.rda")\nz <- y[train]\n')[1] == "z = y[train]"


def test_files_that_are_sourced_are_read_again_for_charts(tmp_path: Path) -> None:
    (tmp_path / "lib.R").write_text("twice <- function(x) 2 * x\n")
    text = 'write.csv(1, "a.csv")\nsource("lib.R")\nplot(1)\nggplot(twice(2))\n'
    plain = translate(text.replace("plot(1)\nggplot(twice(2))\n", ""), folder=tmp_path, with_r=True)
    charts = translate(text, folder=tmp_path, with_r=True)
    assert "def twice(x):" in charts.code
    assert [item.first for item in plain.left] == []
    assert [item.first for item in charts.left] == [3, 4]


def test_without_r_the_first_such_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("pyrrf.r.bridge.session._RUNNING", [])
    with pytest.raises(RSessionError, match="install R"):
        r.by_r("1 + 1")
