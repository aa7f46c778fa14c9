"""What a function of R does besides giving a value, said where it is defined; `pyrrf migrate` reads it there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import isfunction
from typing import Any, TypeVar, cast

_Function = TypeVar("_Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Facts:
    """What a function does, and how R evaluates its arguments.

    Attributes
    ----------
    draws : bool
        It may take numbers from R's stream, or seed it.
    prints : bool
        It may write to the console.
    acts : bool
        It does something else that a later expression can see: an option, a file, an error.
    in_order : bool or tuple of str
        It uses all its arguments, or these, in the order in which they stand.
    repeats : bool
        It uses further arguments only while it goes over its first one.
    may_skip : tuple of str
        Arguments that it may not use.
    formula : bool
        It takes a formula, and then R evaluates the formula and the data behind it more than once.
    keeps : bool
        It may keep a function that it is given, or return it.
    quiet : bool
        R does not print its value.
    """

    draws: bool = False
    prints: bool = False
    acts: bool = False
    in_order: bool | tuple[str, ...] = False
    repeats: bool = False
    may_skip: tuple[str, ...] = ()
    formula: bool = False
    keeps: bool = False
    quiet: bool = False

    @property
    def effect(self) -> bool:
        """Whether a call is more than its value."""
        return self.draws or self.prints or self.acts


_NONE = Facts()


def r_function(**facts: Any) -> Callable[[_Function], _Function]:
    """Say what a function does, as `Facts` has it."""
    said = Facts(**facts)

    def marked(function: _Function) -> _Function:
        function.facts = said  # type: ignore[attr-defined]
        return function

    return marked


def facts_of(function: Any) -> Facts:
    """Return what was said of a function."""
    found = vars(function).get("facts", _NONE) if isfunction(function) else _NONE
    return cast(Facts, found)
