"""`pyrrf migrate --check`: R's records, the Python that runs beside them, and the file that is written."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("tree_sitter_language_pack")
pytest.importorskip("typer")


import pyrrf
from pyrrf.migrate.check import stepping, task
from pyrrf.migrate.check.checking import check
from pyrrf.migrate.check.written import IMPORT
from pyrrf.r.values.vector import doubles, integers, strings
from pyrrf.random import get_random_seed
from tests.migrate.played import body, check_script, output_of, python, seed_after, with_code

needs_r = pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")

# ---- checking ------------------------------------------------------------------------------------


def test_all_equal(tmp_path: Path, played: Callable[..., None]) -> None:
    played({"values": {"x": doubles([1, 2])}}, {"values": {"y": doubles([2, 4])}})
    result, code = check_script(tmp_path, "x <- c(1, 2)\ny <- x * 2 # twice")
    assert (result.clean, result.report, result.summary) == (True, [], "2 of 2 lines translated and equal")
    assert code.splitlines()[0] == (
        '"""Translated from a.R by pyrrf migrate, checked with R version 4.2.2: 2 of 2 lines translated and equal."""'
    )
    assert body(code) == [python("x <- c(1, 2)"), "y = x * 2  # twice"]
    assert sorted(path.name for path in (tmp_path / "a.left").iterdir()) == ["check.json"]


def test_what_differs_is_frozen_and_what_follows_is_not(tmp_path: Path, played: Callable[..., None]) -> None:
    played({"values": {"x": doubles([1, 3])}}, {"values": {"y": doubles([2, 6])}, "text": ["[1] 2\n"]})
    result, code = check_script(tmp_path, "x <- c(1, 2)\ny <- nosuch(x)\n")
    assert not result.clean
    assert body(code) == [
        "# line 1, as R left it: it differs: x[2]: 2 here, 3 in R",
        "#R x <- c(1, 2)",
        'x = r.left("a.left/001.rds", "x")',
        "# line 2, as R left it: nosuch() is not known here",
        "#R y <- nosuch(x)",
        'y = r.left("a.left/002.rds", "y")',
    ]
    assert output_of(tmp_path / "a.py") == "[1] 2\n"


def test_values_follow_r_after_a_difference(tmp_path: Path, played: Callable[..., None]) -> None:
    played({"values": {"x": doubles([1, 3])}}, {"values": {"y": doubles([2, 6])}})
    _, code = check_script(tmp_path, "x <- c(1, 2)\ny <- x * 2")
    assert body(code)[-1] == "y = x * 2"


def test_a_statement_that_is_undone_leaves_nothing(tmp_path: Path, played: Callable[..., None]) -> None:
    """A variable that a frozen statement changed here and not in R is as it was."""
    played(
        {"values": {"x": doubles([1, 2]), "y": doubles([5])}},
        {"values": {"y": doubles([7])}},
        {"values": {"z": doubles([2, 4])}},
    )
    text = "{x <- c(1, 2); y <- 5}\n{ x[1] <- 9; y <- 6 }\nz <- x * 2"
    result, code = check_script(tmp_path, text)
    assert "x[1]: 9 here, 1 in R" in code or "y: 6 here, 7 in R" in code
    assert body(code)[-1] == "z = x * 2"
    assert result.summary == "2 of 3 lines translated and equal"


def test_the_stream_counts(tmp_path: Path, played: Callable[..., None]) -> None:
    def two() -> None:
        pyrrf.set_seed(1)
        pyrrf.runif(2)

    played({"seed": seed_after(lambda: pyrrf.set_seed(1))}, {"seed": seed_after(two)})
    result, code = check_script(tmp_path, "set.seed(1)\ninvisible(runif(3))\n")
    assert body(code)[0] == "r.set_seed(1)"
    assert body(code)[1].endswith("it leaves the random stream elsewhere than R")
    assert body(code)[-1] == 'r.left("a.left/002.rds")'
    assert result.summary == "1 of 2 lines translated and equal"


def test_a_stream_that_the_script_does_not_set(tmp_path: Path, played: Callable[..., None]) -> None:
    state = get_random_seed()
    x = pyrrf.runif(2)
    after = get_random_seed()
    pyrrf.random.set_random_seed(state)
    played({"values": {"x": doubles(x)}, "seed": after})
    result, code = check_script(tmp_path, "x <- runif(2)\n")
    assert result.clean
    assert body(code)[0].startswith('r.left("a.left/000.rds")  # the random stream of this run: line 1 draws')
    file = tmp_path / "b.py"
    file.write_text(code + "import sys\nsys.stdout.write(repr(float(x[2])))\n")
    assert output_of(file) == repr(float(x[1]))


def test_the_order_of_strings_is_that_of_this_r(tmp_path: Path, played: Callable[..., None]) -> None:
    played({"values": {"x": doubles([1])}}, collate="en_US")
    _, code = check_script(tmp_path, "x <- 1\n")
    assert code.split('"""')[2].split("\n")[2:6] == [
        "import pyrrf",
        IMPORT.strip(),
        "",
        'pyrrf.set_collate("en_US")  # the order of strings in this R',
    ]


def test_errors_of_r_and_what_hangs_on_them(tmp_path: Path, played: Callable[..., None]) -> None:
    played(
        {"error": ["there is no package called 'foo'"]},
        {"error": ['could not find function "bar"']},
        {"error": ["object 'x' not found"]},
        {"values": {"z": doubles([1])}},
        {"error": ['sad """ day\\\nimport os']},
    )
    result, code = check_script(tmp_path, "library(foo)\nx <- bar(1)\ny <- x + 1\nz <- 1\nstop(z)")
    assert result.report == [
        "Lines that fail in R, too:",
        "    line 1: R does not have the package foo (and lines 2, 3)",
        '    line 5: sad """ day\\',
    ]
    assert [line for line in body(code) if not line.startswith("#")] == [python("z <- 1")]


def test_what_python_has_nothing_to_do_for(tmp_path: Path, played: Callable[..., None]) -> None:
    played({"error": ["trying to use CRAN without setting a mirror"]}, {"error": ["unable to start data viewer"]})
    result, code = check_script(tmp_path, "install.packages('x')\nView(1)\n")
    assert (result.clean, body(code)) == (True, [""])


def test_printed_text_counts_by_itself(tmp_path: Path, played: Callable[..., None]) -> None:
    played({"values": {"x": doubles([1])}, "text": ["hm\n"]}, {"text": ["[1] 2\n"]}, {"text": ["[1] 1\n"]})
    result, code = check_script(tmp_path, "x <- 1\nprint(x)\nprint(x)")
    assert result.report[-2:] == ["Translated, but what is printed differs:", "    line 1: it prints '', R 'hm'"]
    assert body(code)[0] == python("x <- 1")
    assert body(code)[-2:] == ['r.left("a.left/002.rds")', "r.print(x)"]


def test_what_hangs_or_crashes_is_left_to_r(
    tmp_path: Path, played: Callable[..., None], monkeypatch: pytest.MonkeyPatch, process: None
) -> None:
    monkeypatch.setattr(task, "SECONDS", 1.0)
    played({"values": {"x": doubles([1])}}, {"values": {"y": doubles([2])}}, {"values": {"z": doubles([3])}})
    monkeypatch.setattr(task, "translate", with_code({0: "import os; os.abort()", 1: "while True: pass"}))
    result, code = check_script(tmp_path, "x <- 1\ny <- 2\nz <- x + y")
    assert result.report[1].startswith("    line 1: Python ends with status -6")
    assert result.report[2] == "    line 2: it takes longer than 1 s"
    assert body(code)[-1] == "z = x + y"


def test_what_does_not_heed_the_alarm(
    tmp_path: Path, played: Callable[..., None], monkeypatch: pytest.MonkeyPatch, process: None
) -> None:
    monkeypatch.setattr(task, "SECONDS", 0.5)
    monkeypatch.setattr(stepping, "_GRACE", 0.5)
    played({"values": {"x": doubles([1])}})
    deaf = "import signal; signal.signal(signal.SIGALRM, signal.SIG_IGN)\nwhile True: pass"
    monkeypatch.setattr(task, "translate", with_code({0: deaf}))
    result, _ = check_script(tmp_path, "x <- 1\n")
    assert result.report[1] == "    line 1: it takes longer than 0 s"


def test_functions_stay_python(tmp_path: Path, played: Callable[..., None]) -> None:
    played(
        {"notes": {"f": "a function"}},
        {"notes": {"g": "a function"}, "values": {"k": doubles([4])}},
        {"values": {"y": doubles([2])}},
        {"notes": {"h": "a function"}},
        {"values": {"z": doubles([3])}},
    )
    text = "f <- function(a) a + 1\n{ g <- function(a) f(a); k <- 3 }\ny <- g(1)\nh <- nosuch(f)\nz <- h(2)\n"
    result, code = check_script(tmp_path, text)
    lines = body(code)
    assert lines[:2] == ["def f(a):", "    return a + 1"]
    assert any(line.startswith("y = g(") for line in lines)
    for line in ("def g(a):", 'k = r.left("a.left/002.rds", "k")'):
        assert line in lines
    assert 'h = r.left("a.left/004.rds", "h")' in lines
    assert lines[-1] == 'z = r.left("a.left/005.rds", "z")'
    assert any("line 4" in line and "line 5" in line for line in result.report)
    ast.parse(code)


def test_r_that_does_not_come_to_the_end(tmp_path: Path, played: Callable[..., None]) -> None:
    played({"values": {"x": doubles([1])}}, ending="R was not done after 3 s")
    result, code = check_script(tmp_path, "x <- 1\ny <- 2\nz <- 3\n")
    assert result.report == ["Not checked, since R was not done after 3 s in line 2: lines 2, 3."]
    assert body(code) == [python(text) for text in ("x <- 1", "y <- 2", "z <- 3")]


def test_r_that_quits(tmp_path: Path, played: Callable[..., None]) -> None:
    played({"values": {"x": doubles([1])}}, {"quit": True}, ending="R had ended")
    _, code = check_script(tmp_path, "x <- 1\nquit()\ny <- 2\n")
    assert "SystemExit" in code or "r.quit" in code
    assert output_of(tmp_path / "a.py") == ""


def test_values_that_are_not_recorded(tmp_path: Path, played: Callable[..., None]) -> None:
    played({"notes": {"x": "a value of 900 MB, too large to be recorded"}}, {"values": {"n": integers([3])}})
    result, code = check_script(tmp_path, "x <- c(1, 2, 3)\nn <- length(x)\n")
    assert result.clean
    assert result.report == ["Translated, but not compared, since R's values could not be recorded: line 1."]
    assert body(code) == [python("x <- c(1, 2, 3)"), "n = r.length(x)"]


def test_times_are_not_compared(tmp_path: Path, played: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    played({"values": {"x": doubles([7])}}, {"values": {"y": doubles([8])}})
    monkeypatch.setattr(task, "translate", with_code({0: "x = r.c(6)"}))
    result, code = check_script(tmp_path, "x <- as.numeric(Sys.time())\ny <- x + 1\n")
    assert result.report[0] == "Translated, but not comparable, since they ask for the time or the machine: line 1."
    assert body(code)[-1] == "y = x + 1"


HOSTILE = ['"; import os; os.abort() #', "'''", '"""', "\\", "a\nimport os", "é\u2028x", "\x0cq", "{x}", "%s", "\ud7ff"]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(tmp_path: Path, played: Callable[..., None], text: str) -> None:
    inner = text.replace("\\", "\\\\").replace('"', '\\"')
    played({"values": {"x": strings([text])}, "text": [text]}, {"error": [text]}, {"notes": {"f": text}})
    _, code = check_script(tmp_path, f'x <- nosuch("{inner}")\nstop("{inner}")\nf <- nosuch("{inner}")\n')
    # The docstring, the import, what x is, and why f is not there.
    assert [type(node).__name__ for node in ast.parse(code).body] == ["Expr", "ImportFrom", "Assign", "Assign"]
    assert output_of(tmp_path / "a.py") == text


@pytest.mark.parametrize("name", ["it's.py", 'say "x".py', "a b.py", "é.py", "x;import os.py"])
def test_hostile_names_of_files(tmp_path: Path, played: Callable[..., None], name: str) -> None:
    played({"text": ["hello\n"]})
    (tmp_path / "a.R").write_text("nosuch()\n")
    check(tmp_path / "a.R", tmp_path / name)
    assert output_of(tmp_path / name) == "hello\n"


# ---- with R --------------------------------------------------------------------------------------

NASTY = r"""c <- function(...) stop("mine")
list <- 3
x <- 1:10
x
identical <- NULL
x[2] <- NA
sink("sunk.txt")
"sunk"
sink()
library(notthere)
warning("careful")
e <- new.env()
l <- base::list(e = e, f = mean, y = y ~ x, 1)
fit <- lm(dist ~ speed, cars)
print(fit)
base::rm("list")
plot(1:3); dev.off()
readline("? ")
commandArgs(TRUE)
options(error = quote(q("no", 3)))
stop("boo")
invokeRestart("abort")
for (i in 1:30000) cat("line", i, "\n")
s <- "multi
line é"
`a b; import os` <- 2; z <- `a b; import os` + 1
runif(2)
print(s)
quit("no", 4)
never <- 1"""


@needs_r
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_script_that_tries_everything(tmp_path: Path, ends: str, process: None) -> None:
    (tmp_path / "a.R").write_bytes(NASTY.replace("\n", ends).encode())
    result = check(tmp_path / "a.R", tmp_path / "a.py")
    assert {path.name for path in tmp_path.iterdir()} == {"a.R", "a.py", "a.left", "sunk.txt"}
    told = "\n".join(result.report)
    for text in ("the package notthere", "boo", "aborted", "R had ended in line 30: line 30."):
        assert text in told
    environment = os.environ | {"MPLBACKEND": "Agg"}
    shown = [
        subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment, check=False).stdout
        for command in (["Rscript", "a.R"], [sys.executable, "a.py"])
    ]
    # Rscript stops at the first error; the record does not.
    assert shown[1].startswith(shown[0])
    assert shown[1].splitlines()[-1] == '[1] "multi\\nline é"'
    assert "line 30000 " in shown[1]


@needs_r
def test_a_time_limit(tmp_path: Path) -> None:
    (tmp_path / "a.R").write_text("x <- 1\nwhile (TRUE) x <- x + 0\ny <- 2\n")
    result = check(tmp_path / "a.R", tmp_path / "a.py", limit=3)
    assert result.report == ["Not checked, since R was not done after 3 s (--limit gives more) in line 2: lines 2, 3."]


@needs_r
def test_a_crash_of_r(tmp_path: Path) -> None:
    (tmp_path / "a.R").write_text("x <- 1\ntools::pskill(Sys.getpid(), 9)\n")
    assert "R ended by signal 9 in line 2" in check(tmp_path / "a.R", tmp_path / "a.py").report[-1]


@needs_r
def test_draws_without_a_seed_are_the_same_in_the_next_check(tmp_path: Path) -> None:
    (tmp_path / "a.R").write_text("x <- runif(2)\ny <- nosuch(x)\n")
    codes = []
    for _ in range(2):
        check(tmp_path / "a.R", tmp_path / "a.py")
        codes.append(((tmp_path / "a.py").read_text(), (tmp_path / "a.left" / "000.rds").read_bytes()))
    assert codes[0] == codes[1]
