"""Arguments that a companion passes on to RRF() or randomForest(), and data that it reads itself."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pyrrf.checks import flag, reject_unknown
from pyrrf.data.alignment import check_rows, row_labels
from pyrrf.data.inputs import Factor, check_length, read_labels
from pyrrf.data.tables import frame_or_array
from pyrrf.errors import bad
from pyrrf.fit.call import Call
from pyrrf.types import Floats


def check_arguments(
    companion: Callable[..., object], kind: type[Call], arguments: Mapping[str, object], own: tuple[str, ...]
) -> None:
    """Refuse unknown arguments, and those of a kind of call that the companion sets itself."""
    function = companion.__name__
    parameters = [name for name in inspect.signature(companion).parameters if name != "arguments"]
    for name in own:
        if name in arguments:
            longer = next((parameter for parameter in parameters if parameter.startswith(name)), None)
            remedy = f"did you mean {longer!r}? R completes the name to it" if longer else "leave it out"
            raise bad.keyword(f"{function}() sets {name} itself; {remedy}", name)
    unknown = {name: value for name, value in arguments.items() if name not in kind.names}
    reject_unknown(function, unknown, [*parameters, *(name for name in kind.names if name not in own)])


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
