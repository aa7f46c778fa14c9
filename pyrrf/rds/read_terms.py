"""Reader of R's terms of a formula as those of pyrrf; only supported functions are computed."""

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

    DamagedError if it is not an object of R's terms().
    """
    about = attributes(obj)
    if kind(obj) != CALL or "variables" not in about:
        raise DamagedError("the fit is damaged: its 'terms' are not terms of a formula")
    variables = [_without_offset(value) for _, value in pairs(about["variables"])[1:]]
    response_at = _response(about, len(variables))
    try:
        expressions = _compile(variables)
        predictors = tuple(_find_expression(name, expressions) for name in columns)
    except ValueError as error:
        warn(f"the terms of the formula are dropped, so predict() takes the columns {columns}: {error}")
        return None
    response = expressions.pop(response_at) if response_at >= 0 else None
    return Terms(deparse(obj), response, predictors, tuple(expressions))


def _response(about: Mapping[str, Any], n: int) -> int:
    """Return the position of the response among `n` variables; -1 without one."""
    positions = values(about["response"]).tolist() if "response" in about else [0]
    if len(positions) != 1 or positions[0] not in range(n + 1):
        raise DamagedError("the fit is damaged: the response of its 'terms' is not among their variables")
    return int(positions[0]) - 1


def _without_offset(obj: Any) -> Any:
    """Return the argument of offset(), or the object; an offset has no effect, but must not be missing."""
    parts = pairs(obj)
    return parts[1][1] if len(parts) == 2 and deparse(parts[0][1]) == "offset" else obj


def _compile(variables: list[Any]) -> list[Expression]:
    names = [name for variable in variables for name in _names(variable)]
    compiler = Compiler(list(dict.fromkeys(names)))
    compiler.scope = {}  # a file cannot use objects of the caller
    return [compiler.compile(read_code(deparse(variable))) for variable in variables]


def _names(obj: Any) -> Iterator[str]:
    """Yield the variables of an expression. ValueError if it calls a function that formulas do not know."""
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


def _find_expression(name: str, expressions: list[Expression]) -> Expression:
    matches = [e for e in expressions if name in (e.label, e.label.strip("`"))]
    if not matches:
        raise bad.formula(f"column {name!r} is not among its variables")
    return matches[0]
