"""Conditions: errors, warnings and messages, and the handlers of a script."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from typing import Any, NoReturn

from pyrrf.r.base.types import as_character
from pyrrf.r.values.arguments import Codes, absent, arguments, flag
from pyrrf.r.values.errors import NotSupportedError, RError, refuse_if
from pyrrf.r.values.functions import Flag, Item, r_function, refusing
from pyrrf.r.values.kinds import classes, inherits, is_null, kind_of
from pyrrf.r.values.vector import Value, as_value, list_of, null, objects, strings
from pyrrf.r.values.visibility import invisible

Later = Callable[[], object]
Handler = Callable[[Value], object]


# ---- conditions ----------------------------------------------------------------------------------


def _condition(text: str | None, names: str, call: Value | None = None) -> Value:
    """Return a condition; its call or its text is opaque where it is not known."""
    message = Value("opaque", objects(["message"])) if text is None else strings(text)
    return list_of([message, Value("opaque", objects(["call"])) if call is None else call], ["message", "call"], names)


def _maker(name: str, kinds: str) -> Callable[..., Value]:
    @r_function(name, f"Return a condition of the classes {name} and {kinds}.")
    def make(message: object, call: object = None) -> Value:
        return list_of([message, call], ["message", "call"], f"{name} {kinds}")

    return make


simpleError = _maker("simpleError", "error condition")
simpleWarning = _maker("simpleWarning", "warning condition")
simpleMessage = _maker("simpleMessage", "message condition")
simpleCondition = _maker("simpleCondition", "condition")


def _part(condition: object, name: str, refusal: str) -> Item:
    if not (isinstance(condition, Value) and inherits(condition, "condition")):
        raise RError(f"no applicable method for 'condition{name.capitalize()}'")
    item = as_value(condition[[name]])
    refuse_if(kind_of(item) == "opaque", refusal)
    return item


@r_function()
def conditionMessage(c: object) -> Item:
    """Return the message of a condition."""
    return _part(c, "message", "the text of a message that quotes the code of the script")


@r_function()
def conditionCall(c: object) -> Item:
    """Return the call of a condition; where R would have one, it is not known here."""
    return _part(c, "call", "the call in which a condition arose")


geterrmessage = refusing("geterrmessage", "geterrmessage()")


def _text(parts: Iterable[object]) -> str:
    return "".join("NA" if text is None else text for item in parts for text in as_character(item)._data)


def _given_condition(dots: Sequence[object]) -> Value | None:
    """Return the condition that is given instead of a text."""
    condition = dots[0] if len(dots) == 1 else None
    return condition if isinstance(condition, Value) and inherits(condition, "condition") else None


# ---- handlers ------------------------------------------------------------------------------------


class _Frame:
    """The handlers of a tryCatch(), which leave it, or those of a withCallingHandlers(), which come back."""

    def __init__(self, handlers: list[tuple[str, Handler]], leaving: bool) -> None:
        self.handlers, self.leaving = handlers, leaving

    def of(self, condition: Value) -> list[Handler]:
        known = classes(condition)
        return [handler for name, handler in self.handlers if name in known]


def errors_are_handled() -> bool:
    """Return whether the script continues after an error."""
    names = {name for frame in _FRAMES if frame.leaving for name, _ in frame.handlers}
    return not names.isdisjoint(("error", "condition", "simpleError", "packageNotFoundError", _TRY))


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
_TRY = "try"


def _signal(condition: Value) -> None:
    """Give a condition to the handlers, the innermost first."""
    for depth in reversed(range(len(_FRAMES))):
        frame = _FRAMES[depth]
        for handler in frame.of(condition):
            if frame.leaving:
                raise _LeaveError(frame, handler, condition)
            inner = _FRAMES[depth:]
            del _FRAMES[depth:]
            try:
                handler(condition)
            finally:
                _FRAMES.extend(inner)


@contextmanager
def _handle_with(frame: _Frame) -> Iterator[None]:
    """Let a frame have the conditions."""
    with nullcontext() if _FRAMES else _warnings_signalled():
        _FRAMES.append(frame)
        try:
            yield
        finally:
            _FRAMES.remove(frame)


@contextmanager
def _warnings_signalled() -> Iterator[None]:
    """Let the handlers see warnings before they are shown."""
    with warnings.catch_warnings():
        shown = warnings.showwarning
        warnings.filterwarnings("always", category=UserWarning)

        def heard(message: Warning | str, category: type[Warning], *about: Any, **more: Any) -> None:
            if category in (UserWarning, _ToldWarning):
                told = message.condition if isinstance(message, _ToldWarning) else None
                try:
                    _signal(_condition(str(message), "simpleWarning warning condition") if told is None else told)
                except _MuffledError:
                    return
            shown(message, category, *about, **more)

        warnings.showwarning = heard
        yield


def _of_error(error: Exception) -> Value:
    """Return the condition of an error of R; others are refused, so that no handler of the script hides them."""
    if not isinstance(error, RError):
        raise NotSupportedError(f"an error of Python where R may have none: {error}") from error
    condition = getattr(error, "condition", None)
    return condition if isinstance(condition, Value) else _condition(str(error), "simpleError error condition")


def _handlers(name: str, dots: Sequence[object], named: Mapping[str, object]) -> list[tuple[str, Handler]]:
    handlers = [(key, item) for key, item in arguments(dots, named) if not is_null(item)]
    refuse_if(any(not key or isinstance(item, Value) for key, item in handlers), f"{name}() with other than handlers")
    return handlers


@r_function(later=("expr", "finally_"), hands_on=True)
def tryCatch(expr: Later = absent, *dots: object, finally_: Later | None = None, **named: object) -> Item:
    """Return the value of an expression, or of the handler of its error, warning or message."""
    frame = _Frame(_handlers("tryCatch", dots, named), True)
    with ExitStack() as at_last:
        if finally_ is not None:
            at_last.callback(finally_)
        try:
            with _handle_with(frame):
                return as_value(expr())
        except _LeaveError as left:
            if left.frame is not frame:
                raise
            handler, condition = left.handler, left.condition
        except Exception as error:
            if not frame.handlers or isinstance(error, NotSupportedError):
                raise
            condition = _of_error(error)
            handlers = frame.of(condition)
            if not handlers:
                raise
            handler = handlers[0]
        return as_value(handler(condition))


@r_function(later=("expr",))
def withCallingHandlers(expr: Later, *dots: object, **named: object) -> Item:
    """Return the value of an expression; handlers see its conditions, and it continues."""
    frame = _Frame(_handlers("withCallingHandlers", dots, named), False)
    try:
        with _handle_with(frame):
            return as_value(expr())
    except RError as error:
        condition = _of_error(error)
        for handler in frame.of(condition):
            handler(condition)
        raise


@r_function(does="acts")
def invokeRestart(r: Value, *dots: object) -> None:
    """Say that a warning or a message is not to be shown."""
    if dots or str(r._data[0]) not in ("muffleWarning", "muffleMessage"):
        raise NotSupportedError("invokeRestart() of other than muffleWarning and muffleMessage")
    raise _MuffledError


@r_function(does="acts")
def signalCondition(cond: Value, message: object = None, call: object = None) -> Value:
    """Give a condition to the handlers."""
    _signal(cond)
    return null()


@r_function(later=("expr",), hands_on=True)
def try_(expr: Later, silent: object = False) -> Item:
    """Return the value of an expression, or a value of class "try-error".

    Its text, which quotes the call, is not known unless the error says that it has none.
    """
    try:
        with _handle_with(_Frame([(_TRY, _muffle)], True)):
            return as_value(expr())
    except NotSupportedError:
        raise
    except Exception as error:
        condition = _of_error(error)
        if not flag(silent):
            sys.stderr.write(f"Error : {error}\n")
        called = not is_null(condition._data[1])
        data = objects(["try-error"]) if called else strings(f"Error : {error}\n")._data
        about = {"class": strings("try-error"), "condition": condition}
        return invisible(Value("opaque" if called else "character", data, about))


def _muffle(condition: Value) -> None:
    raise _MuffledError


def _suppressor(name: str, kind: str) -> Callable[..., Item]:
    @r_function(name, f"Return the value of an expression; its {kind}s are not shown.", later=("expr",), hands_on=True)
    def suppress(expr: Later, classes: object = None) -> Item:
        wanted = [kind] if classes is None else [str(class_) for class_ in as_value(classes)._data]
        with _handle_with(_Frame([(class_, _muffle) for class_ in wanted], False)):
            return as_value(expr())

    return suppress


suppressWarnings = _suppressor("suppressWarnings", "warning")
suppressMessages = _suppressor("suppressMessages", "message")


@r_function(later=("expr",))
def suppressPackageStartupMessages(expr: Later) -> Item:
    """Return the value of an expression; its messages are not shown."""
    return suppressMessages(expr)


# ---- raised by the script ------------------------------------------------------------------------


@r_function(does="acts", quiet=True)
def stop(*dots: object, call_: Flag = True, domain: object = None) -> NoReturn:
    """Raise an error of the script."""
    condition = _given_condition(dots)
    if condition is not None:
        raise _error(str(conditionMessage(condition)._data[0]), condition)
    message = _text(dots)
    raise _error(message, None if call_ else simpleError(message))


def _error(text: str, condition: Value | None) -> RError:
    error = RError(text)
    error.condition = condition  # type: ignore[attr-defined]
    return error


@r_function(does="acts", quiet=True)
def warning(
    *dots: object, call_: Flag = True, immediate_: object = False, noBreaks_: object = False, domain: object = None
) -> Value:
    """Give a warning."""
    condition = _given_condition(dots)
    if condition is None:
        condition = _condition(_text(dots), "simpleWarning warning condition", None if call_ else null())
    text = conditionMessage(condition)
    told = list_of([text, *condition._data[1:]], ["message", "call"], " ".join(classes(condition)))
    warnings.warn(_ToldWarning(told), stacklevel=2)
    return invisible(text)


def warn_as_r(text: str) -> None:
    """Warn as R has done in code that it computed."""
    warnings.warn(_ToldWarning(_condition(text, "simpleWarning warning condition", null())), stacklevel=2)


@r_function(in_order=True, does="prints", quiet=True, classes="any formula")
def message(*dots: object, domain: object = None, appendLF: Flag = True) -> Value:
    """Write a message for the user, to stderr."""
    condition = _given_condition(dots)
    if condition is None:
        condition = _condition(_text(dots) + "\n" * appendLF, "simpleMessage message condition")
    with suppress(_MuffledError):
        _signal(condition)
        sys.stderr.write(str(conditionMessage(condition)._data[0]))
    return invisible(null())


@r_function(does="acts", in_order=True, quiet=True)
def stopifnot(*dots: object, deparsed: Codes = None, **named: object) -> Value:
    """Raise an error unless all conditions hold."""
    for i, (name, item) in enumerate(arguments(dots, named)):
        if kind_of(item) == "logical" and bool((item._data == 1).all()):
            continue
        code = deparsed[i] if deparsed and i < len(deparsed) else ""
        ending = "are not all TRUE" if isinstance(item, Value) and len(item) != 1 else "is not TRUE"
        text = name or (f"{code} {ending}" if code not in ("", "...") else None)
        raise _error(text or "a condition of stopifnot() is not TRUE", _condition(text, "simpleError error condition"))
    return invisible(null())
