"""Conditions, errors, and functions that evaluate their arguments later."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pyrrf.checks import warn
from pyrrf.script.values import (
    NotMovedError,
    RError,
    Value,
    arguments,
    as_value,
    coerced,
    copy,
    doubles,
    flag,
    is_null,
    listed,
    logicals,
    names_of,
    null,
    one,
    strings,
)

Later = Callable[[], Any]


class Invisible(Value):
    """A value that R does not print."""

    __slots__ = ()

    def copy(self) -> Value:
        """Return the value, to be printed."""
        return Value(self._kind, self._data, self._attributes, self._hidden)


def invisible(x: Any = None) -> Any:
    """Return a value that is not printed."""
    value = as_value(x)
    return Invisible(value._kind, value._data, value._attributes, value._hidden) if type(value) is Value else value


# ---- logic ---------------------------------------------------------------------------------------


def _condition(x: Any, sign: str) -> float:
    value = as_value(x)
    if not isinstance(value, Value) or value._kind not in ("logical", "integer", "double", "character"):
        raise RError(f"invalid 'x' type in 'x {sign} y'")
    if value._kind == "character":
        raise RError(f"invalid 'x' type in 'x {sign} y'")
    if len(value) != 1:
        if len(value):
            warn(f"'length(x) = {len(value)} > 1' in coercion to 'logical(1)'")
        else:
            return float("nan")
    return float(coerced(value, "logical")._data[0])


def and_(x: Any, y: Later) -> Value:
    """Return ``x && y``; `y` is evaluated where that matters."""
    first = _condition(x, "&&")
    if first == 0:
        return logicals(False)
    second = _condition(y(), "&&")
    return logicals(0.0 if second == 0 else first + second - 1 if first == first and second == second else np.nan)


def or_(x: Any, y: Later) -> Value:
    """Return ``x || y``; `y` is evaluated where that matters."""
    first = _condition(x, "||")
    if first == 1:
        return logicals(True)
    second = _condition(y(), "||")
    return logicals(1.0 if second == 1 else 0.0 if first == 0 and second == 0 else np.nan)


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


# ---- errors --------------------------------------------------------------------------------------


def _text(parts: tuple[Any, ...]) -> str:
    return "".join(str(text) for part in parts for text in coerced(part, "character")._data)


def stop(*dots: Any, call_: Any = True, domain: Any = None) -> Any:
    """Raise an error of the script.

    Raises
    ------
    RError
        Always.
    """
    if dots and isinstance(dots[0], Value) and "condition" in dots[0]._attributes.get("class", strings([]))._data:
        raise RError(str(dots[0].message))
    raise RError(_text(dots))


def warning(*dots: Any, call_: Any = True, immediate_: Any = False, domain: Any = None) -> Value:
    """Warn."""
    warnings.warn(_text(dots), stacklevel=2)
    return invisible(strings(_text(dots)))


def message(*dots: Any, domain: Any = None, appendLF: Any = True) -> Value:
    """Write a message for the user, to stderr."""
    sys.stderr.write(_text(dots) + ("\n" if flag(appendLF) else ""))
    return invisible(null())


def stopifnot(*dots: Any, **named: Any) -> Value:
    """Raise an error unless all conditions hold."""
    for name, item in arguments(dots, named):
        if not bool((coerced(item, "logical")._data == 1).all()):
            raise RError(name or "a condition of stopifnot() is not TRUE")
    return invisible(null())


def condition(text: str, kind: str) -> Value:
    """Return the condition that a handler gets."""
    return listed([strings(text), null()], ["message", "call"], f"simple{kind.title()} {kind} condition")


def conditionMessage(c: Any) -> Value:
    """Return the message of a condition."""
    return as_value(c)[["message"]]


def geterrmessage() -> Value:
    """Refuse: the message of R's last error is not kept."""
    raise NotMovedError("geterrmessage()")


_CAUGHT = (RError, ArithmeticError, LookupError, TypeError, ValueError, AttributeError, OSError)


def tryCatch(expr: Later = lambda: None, *dots: Any, finally_: Later | None = None, **named: Any) -> Any:
    """Return what an expression gives, or what the handler of its error or warning does."""
    unknown = set(named) - {"error", "warning", "condition", "message", "interrupt"}
    if unknown or dots:
        raise NotMovedError(f"tryCatch() with {', '.join(sorted(unknown)) or 'several expressions'}")
    on_error = named.get("error") or named.get("condition")
    on_warning = named.get("warning") or named.get("condition")
    try:
        with warnings.catch_warnings():
            if on_warning is not None:
                warnings.simplefilter("error", UserWarning)
            return as_value(expr())
    except UserWarning as told:
        if on_warning is None:
            raise
        return as_value(on_warning(condition(str(told), "warning")))
    except NotMovedError:
        raise
    except _CAUGHT as error:
        if on_error is None:
            raise
        return as_value(on_error(condition(str(error), "error")))
    finally:
        if finally_ is not None:
            finally_()


def try_(expr: Later, silent: Any = False) -> Any:
    """Return what an expression gives, or a text of class "try-error"."""
    try:
        return as_value(expr())
    except NotMovedError:
        raise
    except _CAUGHT as error:
        text = f"Error : {error}\n"
        if not flag(silent):
            sys.stderr.write(text)
        about = {"class": strings("try-error"), "condition": condition(str(error), "error")}
        return invisible(Value("character", strings(text)._data, about))


def suppressWarnings(expr: Later, classes: Any = None) -> Any:
    """Return what an expression gives, without its warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return as_value(expr())


def suppressMessages(expr: Later, classes: Any = None) -> Any:
    """Return what an expression gives, without its messages."""
    return as_value(expr())


suppressPackageStartupMessages = suppressMessages  # noqa: N816


def system_time(expr: Later) -> Value:
    """Return the seconds that an expression takes; no two runs give the same."""
    begin, cpu = time.perf_counter(), time.process_time()
    expr()
    spent = [time.process_time() - cpu, 0.0, time.perf_counter() - begin]
    names = strings(["user.self", "sys.self", "elapsed"])
    return doubles(spent, {"names": names, "class": strings("proc_time")})


def proc_time() -> Value:
    """Return the seconds since some time; no two runs give the same."""
    names = strings(["user.self", "sys.self", "elapsed"])
    return doubles([time.process_time(), 0.0, time.perf_counter()], {"names": names, "class": strings("proc_time")})


# ---- settings ------------------------------------------------------------------------------------

_OPTIONS: dict[str, Any] = {"digits": 7, "scipen": 0, "stringsAsFactors": False, "warn": 0}


def options(*dots: Any, **named: Any) -> Value:
    """Set options: those of printing are kept, others are ignored; the old ones are returned."""
    given = arguments(dots, named)
    for name, item in list(given):
        if not name and isinstance(item, Value) and item._kind == "list":
            given += list(zip(names_of(item) or [], item._data, strict=True))  # type: ignore[arg-type]
    given = [(name, item) for name, item in given if name]
    old = [as_value(_OPTIONS.get(name)) for name, _ in given]
    _OPTIONS.update(given)
    return invisible(listed(old, [name for name, _ in given]))


def get_option(name: str, otherwise: Any = None) -> Any:
    """Return an option."""
    return _OPTIONS.get(name, otherwise)


def getOption(x: Any, default: Any = None) -> Any:
    """Return an option; `default` without."""
    found = _OPTIONS.get(str(one(x, "character")))
    return as_value(default if found is None else found)


def match_arg(arg: Any, choices: Any = None, several_ok: Any = False) -> Value:
    """Return the choice that an argument names, or begins; the first one if all were given.

    Raises
    ------
    RError
        It names none.
    """
    value = as_value(arg)
    known = as_value(choices)
    if is_null(value):
        return strings([known._data[0]])
    if len(value) == len(known) and list(value._data) == list(known._data):
        return strings([known._data[0]])
    if len(value) != 1:
        raise RError("'arg' must be of length 1")
    text = str(value._data[0])
    begun = [name for name in known._data if name == text] or [
        name for name in known._data if str(name).startswith(text)
    ]
    if len(begun) != 1:
        choices_text = ", ".join(f"\u2018{name}\u2019" for name in known._data)
        raise RError(f"'arg' should be one of {choices_text}")
    return strings(begun)


def nargs() -> Value:
    """Refuse: how many arguments a function got is not known here."""
    raise NotMovedError("nargs()")


def scope_value(name: str, scope: Mapping[str, Any]) -> Any:
    """Return a variable of the script by its name."""
    if name not in scope:
        raise RError(f"object '{name}' not found")
    return copy(scope[name])
