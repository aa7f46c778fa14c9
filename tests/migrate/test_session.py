"""Calls about the session of R: answered here, left out with a word, or refused."""

from __future__ import annotations

import io

import pytest

pytest.importorskip("tree_sitter_language_pack")

from pyrrf import r
from pyrrf.migrate.translation import translate

CASES = {
    'args <- commandArgs(trailingOnly = TRUE)\nargs[1]\n': ["args = r.commandArgs(True)", "r.show(args[1])"],
    "d <- read.csv(file.choose())\n": ["d = r.read_csv(r.file_choose())"],
    "x11()\nwindows(width = 7)\ndev.print(pdf, 'a.pdf')\nsave.image()\n": [
        "# left out: x11()", "# left out: windows()", "# left out: dev.print()", "# left out: save.image()"
    ],
    "x11 <- function() 1\nx11()\n": ["def x11():", "    return r.c(1)", "r.show(x11())"],
    "if (pi > 4) quit(status = 2)\nq()\n": ["if r.pi > 4:", "    r.quit(status=2)", "r.q()"],
    'p <- c("caret", "e1071")\nnew <- p[!(p %in% installed.packages()[, "Package"])]\n'
    "if (length(new)) install.packages(new)\n": ['p = r.c("caret", "e1071")'],
    'p <- c("a", "b")\nif (length(setdiff(p, rownames(installed.packages()))) > 0) {\n  install.packages(p)\n}\n': [
        'p = r.c("a", "b")'
    ],
    "View(iris)\ninstall.packages('x')\n": [],
    "x <- 1\n.h <- 2\nf <- function() 1\nrm(list = ls())\n": [
        "x = r.c(1)", "_h = r.c(2)", "def f():", "    return r.c(1)", "del f", "del x"
    ],
    "x <- 1\nif (pi > 4) y <- 2\nz <- 3\nrm(list = setdiff(ls(), c('z')))\n": [
        "x = r.c(1)", "if r.pi > 4:", "    y = r.c(2)", "z = r.c(3)", "del x", 'if "y" in globals():', "    del y"
    ],
    "x <- 1\ny <- 2\nrm(list = c('x', 'y'))\n": ["x = r.c(1)", "y = r.c(2)", "del x", "del y"],
}  # fmt: skip


@pytest.mark.parametrize("text", CASES)
def test_translated(text: str) -> None:
    done = translate(text)
    lines = done.code.split("from pyrrf import r\n", 1)[1].splitlines()
    assert (done.left, [line for line in lines if line]) == ([], CASES[text])


@pytest.mark.parametrize(
    "text",
    [
        # Installed packages are not known here, and something else reads them.
        'new <- installed.packages()[, "Package"]\nprint(new)\n',
        'x <- 1\nrm(list = ls(pattern = "x"))\n',
        "f <- function() rm(list = ls())\n",
        "later()\nlater <- function() 1\n",
    ],
)
def test_left_over(text: str) -> None:
    assert translate(text).left


def test_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["a.py", "x", "--y"])
    assert list(r.commandArgs(True)._data) == ["x", "--y"]
    assert list(r.commandArgs()._data)[3:] == ["--file=a.py", "--args", "x", "--y"]
    monkeypatch.setattr("sys.argv", ["a.py"])
    assert len(r.commandArgs(True)) == 0


def test_a_file_is_chosen(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(" a.csv\n"))
    assert list(r.file_choose()._data) == ["a.csv"]
    assert capsys.readouterr().out == "Enter file name: "
    with pytest.raises(r.RError, match="file choice cancelled"):
        r.file_choose()


def test_quit_ends_python() -> None:
    with pytest.raises(SystemExit) as ended:
        r.tryCatch(lambda: r.quit("no", 3), error=lambda e: 1)
    assert ended.value.code == 3


def test_one_number_with_a_name_is_a_number_of_trees() -> None:
    x = r.matrix(r.c(1, 2, 3, 4, 5, 6), 6)
    count = r.setNames(r.c(5), "n")
    fit = r.randomForest(x, r.c(1, 5, 2, 7, 3, 8), ntree=count, mtry=r.matrix(r.c(1)))
    assert list(fit.ntree._data) == [5.0]


@pytest.mark.parametrize("pattern", ["[:upper:]\\w+\\.", "a[:digit:]"])
def test_a_class_of_icu_alone_is_refused(pattern: str) -> None:
    with pytest.raises(r.NotSupportedError, match="pattern"):
        r.str_extract(r.c("X, Mr. Owen"), pattern)
    assert list(r.str_extract(r.c("X, Mr. Owen"), "[[:alpha:]]+\\.")._data) == ["Mr."]
