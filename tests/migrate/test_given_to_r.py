"""Statements that R computes, as the translator writes them; no R is needed."""

from __future__ import annotations

import pytest

from pyrrf import r
from pyrrf.migrate.translation import translate
from pyrrf.r.bridge.session import RSessionError


def _lines(script: str) -> list[str]:
    code = translate(script, "script.R", with_r=True).code
    return [line for line in code.partition("r.rest_by_r()")[2].splitlines() if line and not line.startswith("#")]


def test_what_is_removed_here_is_removed_in_r() -> None:
    assert _lines("x <- 1\nrm(x)")[-1] == 'r.forget_by_r("x")'


def test_slots_are_read_and_set_by_r() -> None:
    assert _lines("p <- lm(y ~ x)\np@x\np@x <- 5")[1:] == [
        'r.show(r.by_r("p@x", p=p))', 'p = r.by_r("p@x <- 5", "p", p=p)',
    ]  # fmt: skip


def test_what_no_grammar_knows_stops_the_file() -> None:
    assert "raise r.NotSupportedError(" in _lines("x <- 1 +* 2\ny <- 3")[0]


def test_variables_in_text_are_sent() -> None:
    assert 'eval(parse(text = "x + 1"))\', x=x)' in _lines('x <- 1\neval(parse(text = "x + 1"))')[-1]


def test_arguments_of_functions_in_the_code_are_no_variables() -> None:
    assert _lines("i <- 1\nglm(f = function(i) i)")[-1] == 'r.show(r.by_r("glm(f = function(i) i)"))'


def test_a_variable_that_may_not_be_there_is_asked_for() -> None:
    assert 'get("k")' in _lines("if (runif(1) > 2) k <- 1\nglm(k)")[-1]


def test_names_that_called_functions_assign_come_back() -> None:
    script = "k <- 0\nf <- function() k <<- k + 1\nlm(f())"
    assert _lines(script)[-2].startswith("k, value = r.by_r(") or '"k", ".value"' in "".join(_lines(script)[-6:])


def test_functions_of_r_that_are_refused_go_to_r() -> None:
    assert _lines("by(mtcars$mpg, mtcars$cyl, mean)") == ['r.show(r.by_r("by(mtcars$mpg, mtcars$cyl, mean)"))']


def test_no_r_is_said_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("pyrrf.r.bridge.session._RUNNING", [])
    with pytest.raises(RSessionError, match="install R"):
        r.by_r("1")
