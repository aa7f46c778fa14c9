"""Loops whose end is not translated: left as a whole, or they would never end, or go on where R leaves them."""

from __future__ import annotations

import pytest

from pyrrf.migrate.translation import translate

LEFT = {
    "a break behind what is not known": "n <- 0\nrepeat { n <- n + 1; if (unknown.one(n)) break }",
    "next behind what is not known": "for (i in 1:3) { if (unknown.one(i)) next; print(i) }",
    "deeper": "for (i in 1:3) { if (i > 1) { x <- i; if (unknown.one(i)) { break } }; print(i) }",
    "next inside of what is evaluated later": "for (i in 1:3) { tryCatch({ if (i == 2) next; x <- i }, error = stop) }",
    "break without a loop": "if (TRUE) { x <- 1; break }",
}


@pytest.mark.parametrize("script", LEFT.values(), ids=LEFT.keys())
def test_loops_that_would_not_end_are_left(script: str) -> None:
    translated = translate(script)
    assert len(translated.left) == 1
    assert not [line for line in translated.code.split("\n") if line.strip().startswith(("while", "for", "break"))]


def test_what_does_not_end_a_loop_is_left_alone() -> None:
    translated = translate("for (i in 1:3) { x <- unknown.one(i); for (j in 1:2) if (j > 1) break; print(i) }")
    assert [item.code for item in translated.left] == ["x <- unknown.one(i)"]
    assert "for i in" in translated.code


def test_two_parameters_of_one_name_are_left() -> None:
    assert len(translate("f <- function(a, a) a").left) == 1


def test_a_name_that_is_left_can_be_assigned_from_inside() -> None:
    translated = translate("f <- function() { v <- unknown.one(); function() { v <<- v + 1; v } }")
    assert len(translated.left) == 1
    compile(translated.code, "translated.py", "exec")
