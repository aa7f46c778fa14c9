"""The terms of a formula of R as those of pyrrf, of which nothing but known functions can be computed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pyrrf.checks import warn
from pyrrf.errors import bad
from pyrrf.formula.expression import Compiler, Expression, read_code
from pyrrf.formula.functions import FUNCTIONS
from pyrrf.formula.grammar import SIGNS
from pyrrf.formula.terms import Terms
from pyrrf.rds.content import DamagedError
from pyrrf.rds.language import deparse
from pyrrf.rds.objects import CALL, SYMBOL
from pyrrf.rds.parsed import attributes, kind, pairs, symbol, values


def read_terms(obj: Any, columns: list[str]) -> Terms | None:
    """Return the terms of a fit whose predictors are named; None, with a warning, if they cannot be computed here.

    Raises
    ------
    DamagedError
        It is no object of R's terms().
    """
    about = attributes(obj)
    if kind(obj) != CALL or "variables" not in about:
        raise DamagedError("the fit is damaged: its 'terms' are not terms of a formula")
    variables = [_without_offset(value) for _, value in pairs(about["variables"])[1:]]
    at = _response(about, len(variables))
    try:
        compiled = _compiled(variables)
        predictors = tuple(_named(name, compiled) for name in columns)
    except ValueError as error:
        warn(f"the terms of the formula are dropped, so predict() takes the columns {columns}: {error}")
        return None
    response = compiled.pop(at) if at >= 0 else None
    return Terms(deparse(obj), response, predictors, tuple(compiled))


def _response(about: Mapping[str, Any], n: int) -> int:
    """Return which of `n` variables is the response, from 0; -1 for none."""
    found = values(about["response"]).tolist() if "response" in about else [0]
    if len(found) != 1 or found[0] not in range(n + 1):
        raise DamagedError("the fit is damaged: the response of its 'terms' is not among their variables")
    return int(found[0]) - 1


def _without_offset(obj: Any) -> Any:
    """Return what offset() is of, which has no effect on a forest but must not be missing."""
    parts = pairs(obj)
    return parts[1][1] if len(parts) == 2 and deparse(parts[0][1]) == "offset" else obj


def _compiled(variables: list[Any]) -> list[Expression]:
    used = [name for variable in variables for name in _names(variable)]
    compiler = Compiler(list(dict.fromkeys(used)))
    compiler.scope = {}  # objects of the caller are no business of a file
    return [compiler.compile(read_code(deparse(variable))) for variable in variables]


def _names(obj: Any) -> Iterator[str]:
    """Yield the variables of an expression.

    Raises
    ------
    ValueError
        It calls a function that formulas do not know.
    """
    if kind(obj) == SYMBOL:
        yield symbol(obj)
    if kind(obj) != CALL:
        return
    (_, function), *rest = pairs(obj)
    name = symbol(function) if kind(function) == SYMBOL else deparse(function)
    if name not in SIGNS | {"("} and name.replace(".", "_") not in FUNCTIONS:
        raise bad.formula(f"{name}() is not a function that a formula supports")
    for _, value in rest:
        yield from _names(value)


def _named(name: str, compiled: list[Expression]) -> Expression:
    found = [e for e in compiled if name in (e.label, e.label.strip("`"))]
    if not found:
        raise bad.formula(f"column {name!r} is not among its variables")
    return found[0]
