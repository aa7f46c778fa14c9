"""Conditions: errors, warnings and messages, and the handlers of a script."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from pyrrf.r.values.arguments import absent, arguments, flag
from pyrrf.r.values.attributes import classes, inherits
from pyrrf.r.values.coercion import coerced
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.vector import NotMovedError, RError, Value, as_value, is_null, listed, null, objects, strings
from pyrrf.r.values.visibility import invisible

Later = Callable[[], Any]
Handler = Callable[[Value], Any]


# ---- conditions ----------------------------------------------------------------------------------


def _condition(text: str | None, names: str, call: Any = None) -> Value:
    """Return a condition; what is not known of it, the call or the text, is opaque."""
    message = Value("opaque", objects(["message"])) if text is None else strings(text)
    return listed([message, Value("opaque", objects(["call"])) if call is None else call], ["message", "call"], names)


def simpleError(message: Any, call: Any = None) -> Value:
    """Return the condition of an error."""
    return listed([message, call], ["message", "call"], "simpleError error condition")


def simpleWarning(message: Any, call: Any = None) -> Value:
    """Return the condition of a warning."""
    return listed([message, call], ["message", "call"], "simpleWarning warning condition")


def simpleMessage(message: Any, call: Any = None) -> Value:
    """Return the condition of a message."""
    return listed([message, call], ["message", "call"], "simpleMessage message condition")


def simpleCondition(message: Any, call: Any = None) -> Value:
    """Return a condition."""
    return listed([message, call], ["message", "call"], "simpleCondition condition")


def conditionMessage(c: Any) -> Any:
    """Return the message of a condition."""
    found = as_value(as_value(c)[["message"]])
    if found._kind == "opaque":
        raise NotMovedError("the text of a message that quotes the code of the script")
    return found


def conditionCall(c: Any) -> Any:
    """Return the call of a condition; where R would have one, it is not known here."""
    found = as_value(as_value(c)[["call"]])
    if found._kind == "opaque":
        raise NotMovedError("the call in which a condition arose")
    return found


def geterrmessage() -> Value:
    """Refuse: the message of R's last error is not kept."""
    raise NotMovedError("geterrmessage()")


def _text(parts: tuple[Any, ...]) -> str:
    values = [as_value(part) for part in parts]
    return "".join("NA" if text is None else text for part in values for text in coerced(part, "character")._data)


def _is_condition(dots: tuple[Any, ...]) -> bool:
    return len(dots) == 1 and isinstance(dots[0], Value) and inherits(dots[0], "condition")


# ---- handlers ------------------------------------------------------------------------------------


class _Frame:
    """The handlers of a tryCatch(), which leave it, or those of a withCallingHandlers(), which come back."""

    def __init__(self, handlers: list[tuple[str, Handler]], leaving: bool) -> None:
        self.handlers, self.leaving = handlers, leaving

    def of(self, condition: Value) -> list[Handler]:
        known = classes(condition)
        return [handler for name, handler in self.handlers if name in known]


class _LeaveError(BaseException):
    """A handler of a tryCatch() takes over."""

    def __init__(self, frame: _Frame, handler: Handler, condition: Value) -> None:
        self.frame, self.handler, self.condition = frame, handler, condition


class _MuffledError(BaseException):
    """A handler does not want a warning or a message to be shown."""


class _ToldWarning(UserWarning):
    """A warning of the script, with its condition."""

    def __init__(self, condition: Value) -> None:
        super().__init__(str(condition._data[0]))
        self.condition = condition


_FRAMES: list[_Frame] = []


def _signal(condition: Value) -> None:
    """Give a condition to the handlers, the innermost first."""
    for at in reversed(range(len(_FRAMES))):
        frame = _FRAMES[at]
        for handler in frame.of(condition):
            if frame.leaving:
                raise _LeaveError(frame, handler, condition)
            inner = _FRAMES[at:]
            del _FRAMES[at:]
            try:
                handler(condition)
            finally:
                _FRAMES.extend(inner)


@contextmanager
def _handled(frame: _Frame) -> Iterator[None]:
    """Let a frame have the conditions."""
    if _FRAMES:
        _FRAMES.append(frame)
        try:
            yield
        finally:
            _FRAMES.remove(frame)
        return
    with warnings.catch_warnings():
        shown = warnings.showwarning
        warnings.filterwarnings("always", category=UserWarning)

        def heard(message: Any, category: Any, *about: Any, **more: Any) -> None:
            if category not in (UserWarning, _ToldWarning):
                shown(message, category, *about, **more)
                return
            told = isinstance(message, _ToldWarning)
            condition = message.condition if told else _condition(str(message), "simpleWarning warning condition")
            try:
                _signal(condition)
            except _MuffledError:
                return
            shown(message, category, *about, **more)

        warnings.showwarning = heard
        _FRAMES.append(frame)
        try:
            yield
        finally:
            _FRAMES.remove(frame)


def _of_error(error: Exception) -> Value:
    """Return the condition of an error.

    Raises
    ------
    NotMovedError
        It is no error of R: a handler of the script must not hide it.
    """
    if not isinstance(error, RError):
        raise NotMovedError(f"an error of Python where R may have none: {error}") from error
    found = getattr(error, "condition", None)
    return found if isinstance(found, Value) else _condition(str(error), "simpleError error condition")


def _handlers(name: str, dots: tuple[Any, ...], named: dict[str, Any]) -> list[tuple[str, Handler]]:
    found = [(key, item) for key, item in arguments(dots, named) if not is_null(item)]
    if any(not key or isinstance(item, Value) for key, item in found):
        raise NotMovedError(f"{name}() with what is no handler")
    return found


@r_function(later=("expr", "finally_"), hands_on=True)
def tryCatch(expr: Later = absent, *dots: Any, finally_: Later | None = None, **named: Any) -> Any:
    """Return what an expression gives, or what the handler of its error, warning or message does."""
    frame = _Frame(_handlers("tryCatch", dots, named), True)
    try:
        return _caught(expr, frame)
    finally:
        if finally_ is not None:
            finally_()


def _caught(expr: Later, frame: _Frame) -> Any:
    try:
        with _handled(frame):
            return as_value(expr())
    except _LeaveError as left:
        if left.frame is not frame:
            raise
        handler, condition = left.handler, left.condition
    except NotMovedError:
        raise
    except Exception as error:
        if not frame.handlers:
            raise
        condition = _of_error(error)
        found = frame.of(condition)
        if not found:
            raise
        handler = found[0]
    return as_value(handler(condition))


@r_function(later=("expr",))
def withCallingHandlers(expr: Later, *dots: Any, **named: Any) -> Any:
    """Return what an expression gives; handlers see its conditions, and it goes on."""
    frame = _Frame(_handlers("withCallingHandlers", dots, named), False)
    try:
        with _handled(frame):
            return as_value(expr())
    except RError as error:
        condition = _of_error(error)
        for handler in frame.of(condition):
            handler(condition)
        raise


@r_function(acts=True)
def invokeRestart(r: Any, *dots: Any) -> Any:
    """Say that a warning or a message is not to be shown."""
    if dots or str(as_value(r)._data[0]) not in ("muffleWarning", "muffleMessage"):
        raise NotMovedError("invokeRestart() of other than muffleWarning and muffleMessage")
    raise _MuffledError


@r_function(acts=True)
def signalCondition(cond: Any, message: Any = None, call: Any = None) -> Value:
    """Give a condition to the handlers."""
    _signal(as_value(cond))
    return null()


@r_function(later=("expr",), hands_on=True)
def try_(expr: Later, silent: Any = False) -> Any:
    """Return what an expression gives, or a value of class "try-error".

    Its text, which quotes the call, is not known unless the error says that it has none.
    """
    try:
        return as_value(expr())
    except RError as error:
        condition = _of_error(error)
        if not flag(silent):
            sys.stderr.write(f"Error : {error}\n")
        called = not is_null(condition._data[1])
        data = objects(["try-error"]) if called else strings(f"Error : {error}\n")._data
        about = {"class": strings("try-error"), "condition": condition}
        return invisible(Value("opaque" if called else "character", data, about))


def _muffle(condition: Value) -> None:
    raise _MuffledError


def _without(kind: str, expr: Later, names: Any) -> Any:
    wanted = [kind] if names is None else [str(name) for name in as_value(names)._data]
    with _handled(_Frame([(name, _muffle) for name in wanted], False)):
        return as_value(expr())


@r_function(later=("expr",), hands_on=True)
def suppressWarnings(expr: Later, classes: Any = None) -> Any:
    """Return what an expression gives; its warnings are not shown."""
    return _without("warning", expr, classes)


@r_function(later=("expr",), hands_on=True)
def suppressMessages(expr: Later, classes: Any = None) -> Any:
    """Return what an expression gives; its messages are not shown."""
    return _without("message", expr, classes)


@r_function(later=("expr",))
def suppressPackageStartupMessages(expr: Later) -> Any:
    """Return what an expression gives; its messages are not shown."""
    return _without("message", expr, None)


# ---- raised by the script ------------------------------------------------------------------------


@r_function(acts=True, quiet=True)
def stop(*dots: Any, call_: Any = True, domain: Any = None) -> Any:
    """Raise an error of the script.

    Raises
    ------
    RError
        Always.
    """
    if _is_condition(dots):
        condition = dots[0]
        raise _error(str(conditionMessage(condition)._data[0]), condition)
    found = _text(dots)
    raise _error(found, None if flag(call_) else simpleError(found))


def _error(text: str, condition: Value | None) -> RError:
    found = RError(text)
    found.condition = condition  # type: ignore[attr-defined]
    return found


@r_function(acts=True, quiet=True)
def warning(*dots: Any, call_: Any = True, immediate_: Any = False, noBreaks_: Any = False, domain: Any = None) -> Any:
    """Warn."""
    if _is_condition(dots):
        condition = dots[0]
    else:
        condition = _condition(_text(dots), "simpleWarning warning condition", None if flag(call_) else null())
    text = conditionMessage(condition)
    warnings.warn(
        _ToldWarning(listed([text, *condition._data[1:]], ["message", "call"], " ".join(classes(condition)))),
        stacklevel=2,
    )
    return invisible(text)


@r_function(in_order=True, prints=True, quiet=True)
def message(*dots: Any, domain: Any = None, appendLF: Any = True) -> Any:
    """Write a message for the user, to stderr."""
    if _is_condition(dots):
        condition = dots[0]
    else:
        condition = _condition(_text(dots) + ("\n" if flag(appendLF) else ""), "simpleMessage message condition")
    try:
        _signal(condition)
    except _MuffledError:
        return invisible(null())
    sys.stderr.write(str(conditionMessage(condition)._data[0]))
    return invisible(null())


@r_function(acts=True, in_order=True, quiet=True)
def stopifnot(*dots: Any, deparsed: Any = None, **named: Any) -> Any:
    """Raise an error unless all conditions hold."""
    for at, (name, item) in enumerate(arguments(dots, named)):
        known = isinstance(item, Value) and item._kind == "logical"
        if known and bool((item._data == 1).all()):
            continue
        code = deparsed[at] if deparsed and at < len(deparsed) else ""
        ending = "are not all TRUE" if isinstance(item, Value) and len(item) != 1 else "is not TRUE"
        text = name or (f"{code} {ending}" if code not in ("", "...") else None)
        raise _error(text or "a condition of stopifnot() is not TRUE", _condition(text, "simpleError error condition"))
    return invisible(null())
