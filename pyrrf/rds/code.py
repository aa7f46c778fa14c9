"""Parser of R code into R's calls and formulas; nothing is evaluated."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Sequence
from typing import Any

from pyrrf.errors import bad
from pyrrf.rds import build
from pyrrf.rlang.deparse import deparse
from pyrrf.rlang.tokens import double_of, is_integer
from pyrrf.rlang.tree import Node, fold, parse

_WORDS = {"TRUE": True, "FALSE": False, "NA": -(2**31)}
_NUMBERS = {"Inf": math.inf, "NaN": math.nan}
# pyrrf's arguments, where R has a dot.
_DOTTED = {"na_action", "oob_prox", "norm_votes", "do_trace", "keep_forest", "corr_bias", "keep_inbag"}
# Arguments that hold code of R as a string of Python.
_CODE = {"x", "formula", "subset"}


def parse_code(text: str) -> Any:
    """Return an expression of R as an object of R.

    ValueError if the text is not an expression of the supported syntax.
    """
    return fold(parse(text), _object)


def _object(node: Node, operands: list[Any]) -> Any:
    """Return the object of R for a node, from the objects of its operands."""
    refused = node.kind in ("attribute", "list") or (node.text == "//" and node.kind == "sign")
    if refused or (node.kind in ("sign", "(") and any(operand.kind == "empty" for operand in node.parts)):
        raise bad.formula(f"{deparse(node)!r} cannot be read as code of R")
    if node.kind in ("sign", "("):
        return build.call(node.text or "(", [("", operand) for operand in operands])
    if node.kind in ("call", "index"):
        arguments = list(zip(("", *node.names), operands, strict=True))
        return build.call("[", arguments) if node.kind == "index" else build.pairlist(arguments, "LANG")
    return build.make("MISSINGARG") if node.kind == "empty" else _leaf(node)


def _leaf(node: Node) -> Any:
    if node.kind == "number":
        value = double_of(node.text)
        return build.integers([int(value)]) if is_integer(node.text) else build.doubles([value])
    if node.kind == "string":
        return build.texts([node.text])
    if node.kind == "name" and node.text in _WORDS:
        return build.logicals([_WORDS[node.text]])
    if node.kind == "name" and node.text in _NUMBERS:
        return build.doubles([_NUMBERS[node.text]])
    return build.null() if (node.kind, node.text) == ("name", "NULL") else build.symbol(node.text)


# ---- calls of pyrrf ------------------------------------------------------------------------------


def parse_call(text: str, function: str) -> Any:
    """Return the call of a fit as an object of R; its text is Python, or R if the fit came from R.

    A value that the text abbreviates becomes the name of its argument.
    """
    try:
        (statement,) = ast.parse(text.strip()).body
    except (SyntaxError, ValueError):
        return _r_call(text, function)
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call):
        return _r_call(text, function)
    places = ["formula" if _is_code(call.args) else "x", "y"]
    given = [*zip(places, call.args, strict=False), *((keyword.arg or "", keyword.value) for keyword in call.keywords)]
    try:
        arguments = [(_r_name(name), _argument(name, node)) for name, node in given]
    except ValueError:
        return _r_call(text, function)
    return build.call(function, arguments)


def _is_code(nodes: Sequence[ast.expr]) -> bool:
    return bool(nodes) and isinstance(nodes[0], ast.Constant) and isinstance(nodes[0].value, str)


def _r_name(name: str) -> str:
    return name.replace("_", ".") if name in _DOTTED else name


def _r_call(text: str, function: str) -> Any:
    try:
        return parse_code(text)
    except ValueError:
        return build.call(function, [])


def _argument(name: str, node: ast.expr) -> Any:
    if isinstance(node, ast.Name):
        return build.logicals([_WORDS[node.id]]) if node.id in _WORDS else build.symbol(node.id)
    value = ast.literal_eval(node)
    if name in _CODE and isinstance(value, str):
        return parse_code(value)
    if name == "na_action" and isinstance(value, str):
        return build.symbol(value.replace("_", "."))
    if name == "feaIni" and isinstance(value, list) and all(isinstance(position, int) for position in value):
        value = [position + 1 for position in value]
    return _constant(name, value)


def _constant(name: str, value: Any) -> Any:
    """Return a constant, or a call of c() for several."""
    if value is None:
        return build.null()
    if isinstance(value, bool):
        return build.logicals([value])
    if isinstance(value, int | float):
        return build.doubles([value])
    if isinstance(value, str):
        return build.texts([value])
    if value is Ellipsis:
        return build.symbol(re.sub(r"\W", ".", _r_name(name)))
    items = list(value.items()) if isinstance(value, dict) else [("", item) for item in value]
    if any(item is Ellipsis for _, item in items):
        return build.symbol(re.sub(r"\W", ".", _r_name(name)))
    return build.call("c", [(str(label), _constant(name, item)) for label, item in items])
