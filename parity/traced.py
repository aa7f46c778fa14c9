"""Side effects, arguments and values of each function of `pyrrf.r`, observed while pieces run.

Effects of a function that is an argument count for that function, not for its caller.
"""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Callable, Iterator
from inspect import Parameter, isfunction, signature
from typing import Any

from pyrrf import r
from pyrrf.r.values.arguments import Named
from pyrrf.random import stream

Seen = dict[str, set[str]]


def _state() -> bytes:
    stored, live = stream.process_stream().get_state()
    return bytes(live.tobytes() + stored.tobytes())


def _output_length() -> int:
    return int(sys.stdout.tell()) if sys.stdout.seekable() else 0


def _content(value: r.Value) -> tuple[Any, ...]:
    """Return the content of a value, for comparison."""
    data = value._data
    items = data.tobytes() if data.dtype != object else tuple(map(id, data))
    return (value._kind, items, *value._attributes, *map(id, value._attributes.values()))


class _Account:
    """The stream and the text printed, as they stood when the innermost function began or went on."""

    def __init__(self) -> None:
        self.seen: Seen = {}
        self.at = (_state(), _output_length())

    def settle(self, name: str | None) -> None:
        """Count what happened since the last call of this to a function."""
        now = (_state(), _output_length())
        if name is not None:
            done = {word for word, old, new in zip(("draws", "prints"), self.at, now, strict=True) if old != new}
            self.seen.setdefault(name, set()).update(done)
        self.at = now


def _given_functions(params: dict[str, Parameter], args: tuple[Any, ...], named: dict[str, Any]) -> set[str]:
    """Return the parameters that a call gives a function of Python; "..." for dots."""
    places = [name for name, param in params.items() if param.kind == Parameter.POSITIONAL_OR_KEYWORD]
    given = [(places[at] if at < len(places) else "...", arg) for at, arg in enumerate(args)]
    given += [(name if name in params else "...", arg) for name, arg in named.items()]
    plain = [(name, arg.value if isinstance(arg, Named) else arg) for name, arg in given]
    return {f"takes {name}" for name, arg in plain if isfunction(arg) and arg.__name__ != "absent"}


def _is_certain(value: Any) -> bool:
    """Whether a value is TRUE or FALSE, not missing."""
    return isinstance(value, r.Value) and value._kind == "logical" and {*value._data.tolist()} <= {0, 1}


def _traced(name: str, function: Callable[..., Any], account: _Account, inside: list[str | None]) -> Callable[..., Any]:
    params = dict(signature(function).parameters)

    @functools.wraps(function)
    def called(*args: Any, **named: Any) -> Any:
        account.settle(inside[-1])
        before = [(arg, _content(arg)) for arg in (*args, *named.values()) if isinstance(arg, r.Value)]
        inside.append(name)
        try:
            value = function(*args, **named)
            if not _is_certain(value):
                account.seen.setdefault(name, set()).add("uncertain")
            return value
        finally:
            account.settle(inside.pop())
            if any(_content(arg) != old for arg, old in before):
                account.seen[name].add("assigns")
            account.seen[name] |= _given_functions(params, args, named)

    return called


@contextlib.contextmanager
def traced() -> Iterator[Seen]:
    """Note what functions do while the block runs."""
    names = [name for name in r.__all__ if isfunction(getattr(r, name))]
    before = {name: vars(r)[name] for name in names}
    account, inside = _Account(), [None]
    made = {name: _traced(name, function, account, inside) for name, function in before.items()}
    vars(r).update(made)
    try:
        yield account.seen
    finally:
        vars(r).update(before)
