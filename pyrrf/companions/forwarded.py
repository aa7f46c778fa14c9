"""Arguments that a companion passes on to RRF() or randomForest(), and data that it reads itself."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Concatenate, ParamSpec, TypeVar

import numpy as np

from pyrrf.checks import flag, reject_unknown
from pyrrf.data.alignment import check_rows, row_labels
from pyrrf.data.inputs import Factor, check_length, read_labels
from pyrrf.data.tables import frame_or_array
from pyrrf.errors import bad
from pyrrf.fit.call import Call, ForestCall
from pyrrf.types import Floats

_P = ParamSpec("_P")
_Result = TypeVar("_Result")


@dataclass(frozen=True)
class Companion:
    """A function that grows forests of one kind of call, and passes further arguments on to them."""

    kind: type[Call]
    name: str
    parameters: tuple[str, ...]  # its own

    def check_arguments(self, arguments: Mapping[str, object], own: tuple[str, ...]) -> None:
        """Refuse unknown arguments, and those of the forests that the companion sets itself."""
        for name in own:
            if name in arguments:
                longer = next((parameter for parameter in self.parameters if parameter.startswith(name)), None)
                remedy = f"did you mean {longer!r}? R completes the name to it" if longer else "leave it out"
                raise bad.keyword(f"{self.name}() sets {name} itself; {remedy}", name)
        unknown = {name: value for name, value in arguments.items() if name not in self.kind.names}
        others = (name for name in self.kind.names if name not in own)
        reject_unknown(self.name, unknown, [*self.parameters, *others])


def companion_of(
    kind: type[Call], name: str = ""
) -> Callable[[Callable[Concatenate[Companion, _P], _Result]], Callable[_P, _Result]]:
    """Make a companion of a function that takes a `Companion` before its arguments."""

    def decorate(function: Callable[Concatenate[Companion, _P], _Result]) -> Callable[_P, _Result]:
        _, *own = inspect.signature(function).parameters.values()
        named = tuple(one.name for one in own if one.kind is not one.VAR_KEYWORD)
        companion = Companion(kind, name or function.__name__, named)

        @functools.wraps(function)
        def call(*args: _P.args, **arguments: _P.kwargs) -> _Result:
            return function(companion, *args, **arguments)

        call.__name__ = call.__qualname__ = companion.name
        call.__signature__ = inspect.signature(function).replace(parameters=own)  # type: ignore[attr-defined]
        return call

    return decorate


def twin_of(companion: Callable[_P, _Result], name: str, head: str, tail: str) -> Callable[_P, _Result]:
    """Return the companion of `randomForest` that corresponds to a companion of `RRF`.

    Parameters
    ----------
    companion : function
    name : str
    head, tail : str
        The docstring: the text before, and behind, the sections that both have (Parameters, Returns, Raises).
    """
    twin = companion_of(ForestCall, name)(inspect.unwrap(companion))
    doc = inspect.cleandoc(companion.__doc__ or "")
    sections = re.search(r"^Parameters\n-+\n.*?(?=^(?:See Also|Notes|Examples)\n-)", doc, re.M | re.S)
    assert sections is not None
    shared = sections[0].replace("`RRF`", "`randomForest`")
    twin.__doc__ = "\n\n".join([inspect.cleandoc(head), shared.strip(), inspect.cleandoc(tail)]) + "\n"
    return twin


def read_quirks(arguments: Mapping[str, object]) -> bool:
    """Return whether quirks are mirrored; engine parallel has none."""
    return flag(arguments.get("quirks", True), "quirks") and arguments.get("engine", "r") == "r"


def read_response(y: Any, name: str, x: Any, x_name: str) -> Factor | np.ndarray:
    """Return a response (classes or numeric), one value for each row of a table, the argument x_name."""
    if y is None:
        raise bad.absent(f"{name} is missing; pass classes or a numeric response")
    response = read_labels(y, name)
    check_length(len(response.codes if isinstance(response, Factor) else response), len(x), name, x_name)
    check_rows(y, name, row_labels(x), x_name)
    return response


def read_matrix(x: Any) -> Floats:
    """Return the argument x, which is not a DataFrame, as a numeric matrix."""
    array = np.asarray(x)
    if array.ndim != 2 or array.dtype.kind not in "biuf":
        raise bad.type(f"x must be a DataFrame or a matrix of numbers, not dtype {array.dtype} of shape {array.shape}")
    return array.astype(np.float64)


def read_table(x: Any, name: str) -> Any:
    """Return a DataFrame, or a matrix of shape (n, p)."""
    table = frame_or_array(x, name)
    if table.ndim != 2:
        raise bad.shape(f"{name} must have 2 dimensions (rows, columns), not {table.ndim}")
    return table
