"""Choices, time and settings of a script."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping

import numpy as np

from pyrrf.checks import warn
from pyrrf.r.values.arguments import arguments, number, text
from pyrrf.r.values.errors import RError, refuse_if, refuse_none, stop_if
from pyrrf.r.values.functions import Flag, Item, Text, r_function, refusing
from pyrrf.r.values.kinds import is_factor, is_null
from pyrrf.r.values.labels import names_of
from pyrrf.r.values.methods import is_there
from pyrrf.r.values.options import OPTIONS
from pyrrf.r.values.packages import SEARCH, UNSURE
from pyrrf.r.values.vector import NUMBERS, Value, as_value, copy, integers, list_of, logicals, null, strings
from pyrrf.r.values.visibility import invisible

Later = Callable[[], object]


# ---- logic ---------------------------------------------------------------------------------------


def _condition(x: object, sign: str, side: str) -> float:
    value = as_value(x)
    if not isinstance(value, Value) or value._kind not in NUMBERS or is_factor(value):
        raise RError(f"invalid '{side}' type in 'x {sign} y'")
    if not len(value):
        return float("nan")
    if len(value) > 1:
        warn(f"'length(x) = {len(value)} > 1' in coercion to 'logical(1)'")
    number = float(value._data[0])
    return number if number != number else float(number != 0)


def _decide(sign: str, x: object, y: Later, decisive: float) -> Value:
    """Return a condition of two; `y` is evaluated unless the first decides."""
    first = _condition(x, sign, "x")
    second = first if first == decisive else _condition(y(), sign, "y")
    if decisive in (first, second):
        return logicals(decisive)
    return logicals(np.nan if np.isnan([first, second]).any() else 1 - decisive)


@r_function()
def and_(x: object, y: Later) -> Value:
    """Return ``x && y``; `y` is evaluated where that matters."""
    return _decide("&&", x, y, 0.0)


@r_function()
def or_(x: object, y: Later) -> Value:
    """Return ``x || y``; `y` is evaluated where that matters."""
    return _decide("||", x, y, 1.0)


@r_function(may_skip=("...",), hands_on=True)
def switch(EXPR: Value, *dots: object, **named: object) -> Item:
    """Return one of some alternatives: by name, where one that is empty takes the next; or by number."""
    parts = arguments(dots, named)
    stop_if(len(EXPR) != 1, "EXPR must be a length 1 vector")
    if EXPR._kind != "character":
        wanted = number(EXPR)
        return _evaluate(parts[int(wanted) - 1][1]) if 1 <= wanted < len(parts) + 1 else invisible()
    taken = False
    for name, alternative in parts:
        taken = taken or (name == EXPR._data[0] and name != "")
        if taken and not isinstance(alternative, Value):
            return _evaluate(alternative)
    usual = [item for name, item in parts if not name]
    return _evaluate(usual[0]) if usual else invisible()


def _evaluate(alternative: Item) -> Item:
    return alternative if isinstance(alternative, Value) else as_value(alternative())


# ---- time ----------------------------------------------------------------------------------------


_CLOCKS = ["user.self", "sys.self", "elapsed", "user.child", "sys.child"]


def _times() -> np.ndarray:
    times = os.times()
    return np.array([times.user, times.system, time.perf_counter(), times.children_user, times.children_system])


def _times_value(seconds: np.ndarray) -> Value:
    return Value("double", seconds, {"names": strings(_CLOCKS), "class": strings("proc_time")}, "clock")


@r_function(later=("expr",), hands_on=True)
def system_time(expr: Later, gcFirst: object = True) -> Value:
    """Return the seconds that an expression takes; no two runs give the same."""
    begin = _times()
    expr()
    return _times_value(_times() - begin)


@r_function()
def proc_time() -> Value:
    """Return the seconds since some time; no two runs give the same."""
    return _times_value(_times())


# ---- settings ------------------------------------------------------------------------------------

_USUAL = dict(OPTIONS)
_WHOLE = ("digits", "scipen", "width", "max.print")
# Options whose values change numbers or text in ways that are not supported.
_FIXED = ("OutDec", "contrasts", "na.action", "stringsAsFactors", "digits.secs", "show.signif.stars", "str", "ts.eps")
_FIXED_BEGINNINGS = ("tibble.", "pillar.", "dplyr.")


def reset_options() -> None:
    """Set the options and the search path that a new session of R has."""
    SEARCH.clear()
    UNSURE.clear()
    OPTIONS.clear()
    OPTIONS.update(_USUAL)


@r_function(does="acts", quiet=True)
def options(*dots: object, **named: object) -> Value:
    """Set options: those of printing are kept, others are ignored; the old ones are returned.

    Options that would change results in a way that is not supported are refused.
    """
    given: list[tuple[str, Item]] = []
    asked = True
    for name, item in arguments(dots, named):
        if name:
            given.append((name, item))
            asked = False
        elif item._kind == "list":
            given += [(str(key), value) for key, value in zip(names_of(item) or [], item._data, strict=True)]
            asked = False
        elif item._kind == "character":
            given += [(str(name), None) for name in item._data]
        elif item._kind != "NULL":
            raise RError("invalid argument")
    refuse_if(not given and asked, "options() of all options")
    old = list_of([OPTIONS.get(name) for name, _ in given], [name for name, _ in given])
    for name, item in given:
        if item is not None:
            _set_option(name, item)
    return old if asked else invisible(old)


def _set_option(name: str, value: Value) -> None:
    known = _USUAL.get(name, null())
    same = value._kind == known._kind and list(value._data) == list(known._data)
    refuse_if((name in _FIXED or name.startswith(_FIXED_BEGINNINGS)) and not same, f"options({name} =)")
    refuse_if(name == "warn" and number(value) > 1, "options(warn = 2), by which warnings become errors")
    if is_null(value):
        OPTIONS.pop(name, None)
    else:
        OPTIONS[name] = integers(int(number(value))) if name in _WHOLE else value


@r_function()
def getOption(x: Text, default: object = None) -> Item:
    """Return an option; `default` without."""
    return as_value(OPTIONS.get(x, default))


@r_function()
def match_arg(arg: Item | None, choices: Value | None = None, several_ok: Flag = False) -> Value:
    """Return the choice that an argument names, or begins; the first one if all were given."""
    choices = refuse_none(choices, "match.arg() without choices")
    if arg is None:
        return strings([choices._data[0]])
    stop_if(not isinstance(arg, Value) or arg._kind != "character", "'arg' must be NULL or a character vector")
    if not several_ok:
        if list(arg._data) == list(choices._data) and arg._attributes.keys() == choices._attributes.keys():
            return strings([arg._data[0]])
        stop_if(len(arg) > 1, "'arg' must be of length 1")
    elif not len(arg):
        raise RError("'arg' must be of length >= 1")
    matches = [choice for choice in (_choice(name, choices) for name in arg._data) if choice is not None]
    if not matches:
        named = dict.fromkeys(f"\u201c{name}\u201d" for name in choices._data if name)
        raise RError(f"'arg' should be {'one of ' if len(named) > 1 else ''}{', '.join(named)}")
    return strings(matches)


def _choice(text: str | None, known: Value) -> str | None:
    if text in known._data and text:
        return text
    begun = [name for name in known._data if text and name is not None and name.startswith(text)]
    return begun[0] if len(begun) == 1 else None


nargs = refusing("nargs", "nargs()")
Scope = Mapping[str, object] | None


@r_function(certain=True)
def exists(x: Text, *, assigned: bool | None = None) -> Value:
    """Return whether a name has a value: of the script, or of R where that is known."""
    assigned = refuse_none(assigned, "exists() of a computed name")
    if assigned:
        return logicals(True)
    there = is_there(x, SEARCH)
    there = refuse_none(there, f'exists("{x}"): whether R itself has this is not known here')
    return logicals(there)


@r_function(hands_on=True, gives="function formula")
def get(x: Text, *, scope: Scope = None) -> Item:
    """Return a variable of the script by its name."""
    scope = refuse_none(scope, "get() of a computed name")
    stop_if(x not in scope, f"object '{x}' not found")
    return copy(scope[x])


@r_function()
def get0(x: Text, *, ifnotfound: Item = None, scope: Scope = None) -> Item:
    """Return a variable of the script by its name, or else another value."""
    scope = refuse_none(scope, "get0() of a computed name")
    return copy(scope.get(x, as_value(ifnotfound)))


@r_function(does="acts", quiet=True)
def Sys_setenv(*dots: object, **named: object) -> Value:
    """Set variables of the environment."""
    given = arguments(dots, named)
    stop_if(any(not name for name, _ in given), "all arguments must be named")
    os.environ.update({name: text(item) for name, item in given})
    return invisible(logicals([True] * len(given)))
