"""Expressions of R read and written."""

from __future__ import annotations

import pytest

from pyrrf.rlang.deparse import deparse
from pyrrf.rlang.tree import Node, parse
from tests.refusals import refused

LABELS = {
    "log( zn+1 )": "log(zn + 1)",
    "I(rm**2)": "I(rm^2)",
    "I(rm<.1)": "I(rm < 0.1)",
    "f(x,k=3)": "f(x, k = 3)",
    "f(-1)": "f(-1)",
    "a-(-1)": "a - (-1)",
    "I(zn/2)": "I(zn/2)",
    "I(zn+1e5)": "I(zn + 1e+05)",
    "I(zn+1e4)": "I(zn + 10000)",
    "I(zn+123456)": "I(zn + 123456)",
    "I(zn+.0001)": "I(zn + 1e-04)",
    "I(zn+2.50)": "I(zn + 2.5)",
    "I(zn+0x10)": "I(zn + 16)",
    "I(zn+1L)": "I(zn + 1)",
    "g('a\"b')": 'g("a\\"b")',
    "I(!a&b|c)": "I(!a & b | c)",
    "I(`odd name`^2)": "I(`odd name`^2)",
    "x[1]": "x[1]",
}


@pytest.mark.parametrize("text", LABELS)
def test_labels_are_those_of_r(text: str) -> None:
    assert deparse(parse(text), types=False) == LABELS[text]


BACK = {
    "y~a+b%in%c": "y ~ a + b %in% c",
    "a%%b%/%c": "a%%b%/%c",
    "-a:b^-c": "-a:b^-c",
    "!a==b": "!a == b",
    "x[1,,drop=FALSE]": "x[1, , drop = FALSE]",
    "f(,)": "f(, )",
    "d$`b c`": "d$`b c`",
    "`_x`+`y`": "`_x` + y",
    "`TRUE`+f(`in`=`NA_integer_`)": "`TRUE` + f(`in` = `NA_integer_`)",
    'f(".")': 'f(".")',
    "1L+1e15L": "1L + 1e+15",
    '"\x01\x7f\t\u00e9"': '"\\001\\177\\t\u00e9"',
}


@pytest.mark.parametrize("text", BACK)
def test_code_is_written_as_by_deparse(text: str) -> None:
    assert deparse(parse(text)) == BACK[text]


STRENGTH = {
    "-a^2": "-(a^2)",
    "a^b^c": "a^(b^c)",
    "-a:b": "(-a):b",
    "a%in%b:c": "a %in% (b:c)",
    "a*b%in%c": "a * (b %in% c)",
    "a-b-c": "(a - b) - c",
    "!a&b": "(!a) & b",
    "a|b&c<d": "a | (b & (c < d))",
}


@pytest.mark.parametrize("text", STRENGTH)
def test_operators_bind_as_tightly_as_in_r(text: str) -> None:
    def outer(tree: Node) -> object:
        kind, text, parts = tree.kind, tree.text, tree.parts
        return outer(parts[0]) if kind == "(" else (kind, text, tuple(map(outer, parts)))

    assert outer(parse(text)) == outer(parse(STRENGTH[text]))


@pytest.mark.parametrize("text", ["a < b < c", "a +", "f(", "a b", "", "(" * 200 + "x" + ")" * 200, "a = 3"])
def test_what_is_no_expression(text: str) -> None:
    with refused("formula", "formula"):
        parse(text)


def test_a_long_sum_is_no_deep_tree() -> None:
    text = " + ".join(["x"] * 20_000)
    assert deparse(parse(text)) == text
