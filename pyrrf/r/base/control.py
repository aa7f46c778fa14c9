"""Choices, time and settings: what a script does beside its numbers."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pyrrf.checks import warn
from pyrrf.r.values.arguments import arguments, flag, number
from pyrrf.r.values.attributes import is_factor, names_of
from pyrrf.r.values.coercion import one
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.options import OPTIONS
from pyrrf.r.values.vector import (
    NUMBERS,
    NotMovedError,
    RError,
    Value,
    as_value,
    copy,
    integers,
    is_null,
    listed,
    logicals,
    null,
    strings,
)
from pyrrf.r.values.visibility import invisible

Later = Callable[[], Any]


# ---- logic ---------------------------------------------------------------------------------------


def _condition(x: Any, sign: str, side: str) -> float:
    value = as_value(x)
    if not isinstance(value, Value) or value._kind not in NUMBERS or is_factor(value):
        raise RError(f"invalid '{side}' type in 'x {sign} y'")
    if not len(value):
        return float("nan")
    if len(value) > 1:
        warn(f"'length(x) = {len(value)} > 1' in coercion to 'logical(1)'")
    found = float(value._data[0])
    return found if found != found else float(found != 0)


def and_(x: Any, y: Later) -> Value:
    """Return ``x && y``; `y` is evaluated where that matters."""
    first = _condition(x, "&&", "x")
    if first == 0:
        return logicals(False)
    second = _condition(y(), "&&", "y")
    return logicals(0.0 if second == 0 else 1.0 if first == second == 1 else np.nan)


def or_(x: Any, y: Later) -> Value:
    """Return ``x || y``; `y` is evaluated where that matters."""
    first = _condition(x, "||", "x")
    if first == 1:
        return logicals(True)
    second = _condition(y(), "||", "y")
    return logicals(1.0 if second == 1 else 0.0 if first == 0 and second == 0 else np.nan)


@r_function(chooses=True, hands_on=True)
def switch(EXPR: Any, *dots: Any, **named: Any) -> Any:
    """Return one of some alternatives: by name, where one that is empty takes the next; or by number."""
    value = as_value(EXPR)
    parts = arguments(dots, named)
    if len(value) != 1:
        raise RError("EXPR must be a length 1 vector")
    if value._kind != "character":
        at = int(one(value, "double")) if not np.isnan(one(value, "double")) else 0
        return _evaluated(parts[at - 1][1]) if 1 <= at <= len(parts) else invisible()
    wanted, taken = value._data[0], False
    for name, alternative in parts:
        taken = taken or (name == wanted and name != "")
        if taken and callable(alternative) and not isinstance(alternative, Value):
            return _evaluated(alternative)
    usual = [item for name, item in parts if not name]
    return _evaluated(usual[0]) if usual else invisible()


def _evaluated(alternative: Any) -> Any:
    return as_value(alternative()) if callable(alternative) and not isinstance(alternative, Value) else alternative


# ---- time ----------------------------------------------------------------------------------------


_CLOCKS = ["user.self", "sys.self", "elapsed", "user.child", "sys.child"]


def _times() -> np.ndarray:
    found = os.times()
    return np.array([found.user, found.system, time.perf_counter(), found.children_user, found.children_system])


def _timed(seconds: np.ndarray) -> Value:
    return Value("double", seconds, {"names": strings(_CLOCKS), "class": strings("proc_time")}, "clock")


@r_function(later=("expr",), hands_on=True)
def system_time(expr: Later, gcFirst: Any = True) -> Value:
    """Return the seconds that an expression takes; no two runs give the same."""
    begin = _times()
    expr()
    return _timed(_times() - begin)


def proc_time() -> Value:
    """Return the seconds since some time; no two runs give the same."""
    return _timed(_times())


# ---- settings ------------------------------------------------------------------------------------

_USUAL = dict(OPTIONS)
_WHOLE = ("digits", "scipen", "width", "max.print")


# Options whose values change numbers or text in ways that are not moved.
_FIXED = ("OutDec", "contrasts", "na.action", "stringsAsFactors", "digits.secs", "show.signif.stars", "str", "ts.eps")
_FIXED_BEGINNINGS = ("tibble.", "pillar.", "dplyr.")


def reset_options() -> None:
    """Set the options that a new session of R has."""
    OPTIONS.clear()
    OPTIONS.update(_USUAL)


@r_function(acts=True, quiet=True)
def options(*dots: Any, **named: Any) -> Value:
    """Set options: those of printing are kept, others are ignored; the old ones are returned.

    Options that would change results in a way that is not moved are refused.
    """
    given: list[tuple[str, Any]] = []
    asked = True
    for name, item in arguments(dots, named):
        if name:
            given.append((name, item))
            asked = False
        elif item._kind == "list":
            given += list(zip(names_of(item) or [], item._data, strict=True))  # type: ignore[arg-type]
            asked = False
        elif item._kind == "character":
            given += [(str(text), None) for text in item._data]
        elif item._kind != "NULL":
            raise RError("invalid argument")
    if not given and asked:
        raise NotMovedError("options() of all options")
    old = listed([OPTIONS.get(name) for name, _ in given], [name for name, _ in given])
    for name, item in given:
        if item is not None:
            _set_option(name, item)
    return old if asked else invisible(old)


def _set_option(name: str, value: Value) -> None:
    known = _USUAL.get(name, null())
    same = value._kind == known._kind and list(value._data) == list(known._data)
    if (name in _FIXED or name.startswith(_FIXED_BEGINNINGS)) and not same:
        raise NotMovedError(f"options({name} =) is not moved")
    if name == "warn" and number(value) > 1:
        raise NotMovedError("options(warn = 2), by which warnings become errors, is not moved")
    if is_null(value):
        OPTIONS.pop(name, None)
    else:
        OPTIONS[name] = integers(int(number(value))) if name in _WHOLE else value


def getOption(x: Any, default: Any = None) -> Any:
    """Return an option; `default` without."""
    found = OPTIONS.get(str(one(x, "character")))
    return as_value(default if found is None else found)


def match_arg(arg: Any, choices: Any = None, several_ok: Any = False) -> Value:
    """Return the choice that an argument names, or begins; the first one if all were given.

    Raises
    ------
    RError
        It names none.
    """
    value, known = as_value(arg), as_value(choices)
    if is_null(known):
        raise NotMovedError("match.arg() without choices")
    if is_null(value):
        return strings([known._data[0]])
    if not isinstance(value, Value) or value._kind != "character":
        raise RError("'arg' must be NULL or a character vector")
    several = flag(several_ok)
    if not several and list(value._data) == list(known._data) and value._attributes.keys() == known._attributes.keys():
        return strings([value._data[0]])
    if len(value) > 1 and not several:
        raise RError("'arg' must be of length 1")
    if not len(value) and several:
        raise RError("'arg' must be of length >= 1")
    found = [choice for choice in (_choice(text, known) for text in value._data) if choice is not None]
    if not found:
        named = dict.fromkeys(f"\u201c{name}\u201d" for name in known._data if name)
        raise RError(f"'arg' should be {'one of ' if len(named) > 1 else ''}{', '.join(named)}")
    return strings(found)


def _choice(text: str | None, known: Value) -> str | None:
    if text in known._data and text:
        return text
    begun = [name for name in known._data if text and name is not None and name.startswith(text)]
    return begun[0] if len(begun) == 1 else None


def nargs() -> Value:
    """Refuse: how many arguments a function got is not known here."""
    raise NotMovedError("nargs()")


@r_function(certain=True)
def exists(x: Any, *, scope: Mapping[str, Any] | None = None) -> Value:
    """Return whether the script has a variable of a name."""
    if scope is None:
        raise NotMovedError("exists() of a computed name")
    return logicals(str(one(x, "character")) in scope)


@r_function(hands_on=True, gives="function formula")
def get(x: Any, *, scope: Mapping[str, Any] | None = None) -> Any:
    """Return a variable of the script by its name."""
    name = str(one(x, "character"))
    if scope is None:
        raise NotMovedError("get() of a computed name")
    if name not in scope:
        raise RError(f"object '{name}' not found")
    return copy(scope[name])


def get0(x: Any, *, ifnotfound: Any = None, scope: Mapping[str, Any] | None = None) -> Any:
    """Return a variable of the script by its name, or else another value."""
    if scope is None:
        raise NotMovedError("get0() of a computed name")
    return copy(scope.get(str(one(x, "character")), as_value(ifnotfound)))


@r_function(acts=True, quiet=True)
def Sys_setenv(*dots: Any, **named: Any) -> Any:
    """Set variables of the environment."""
    given = arguments(dots, named)
    if any(not name for name, _ in given):
        raise RError("all arguments must be named")
    os.environ.update({name: str(one(item, "character")) for name, item in given})
    return invisible(logicals([True] * len(given)))
