"""Errors of R's functions, and one line for each check that only raises one."""

from __future__ import annotations

from typing import NoReturn, TypeVar

_T = TypeVar("_T")


class NotSupportedError(Exception):
    """A piece of R that has no counterpart here; the message is the reason."""


class RError(Exception):
    """An error that R raises, too."""


def refuse(what: str) -> NoReturn:
    """Say that a call has no counterpart here."""
    raise NotSupportedError(what)


def refuse_if(condition: object, what: str) -> None:
    """Refuse a call that has no counterpart here, if a condition holds."""
    if condition:
        raise NotSupportedError(what)


def stop_if(condition: object, message: str) -> None:
    """Stop with an error of R, if a condition holds."""
    if condition:
        raise RError(message)


def refuse_none(value: _T | None, what: str) -> _T:
    """Return a value, or refuse a call without it."""
    return refuse(what) if value is None else value


def stop_none(value: _T | None, message: str) -> _T:
    """Return a value, or stop with an error of R without it."""
    if value is None:
        raise RError(message)
    return value
