"""Values written as R's cat() and sprintf() write them."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.r.format import format_number
from pyrrf.r.vectors import atomic

_WIDTH = 80
_FIELD = re.compile(r"%(?!%)[-+ 0#]*\d*(?:\.\d+)?([dfgeEsi])")


def cat(*items: Any, sep: str = " ", fill: bool | int = False) -> None:
    """Write values beside each other (R's ``cat``): numbers with up to seven digits, vectors item by item.

    Parameters
    ----------
    *items : array_like
    sep : str, default ' '
        What stands between two values.
    fill : bool or int, default False
        End the line, and begin another one before a value that would go beyond this column; True stands for 80.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.cat("error", 1 / 3, [True, False], fill=True)
    error 0.3333333 TRUE FALSE
    """
    parts = [text for item in items if item is not None for text in _texts(item)]
    width = _WIDTH if fill is True else int(fill)
    print(_filled_lines(sep, parts, width) if width > 0 else sep.join(parts), end="\n" if width > 0 else "")  # noqa: T201


def _filled_lines(sep: str, parts: list[str], width: int) -> str:
    """Return values in lines of at most so many columns."""
    lines = [""]
    for i, part in enumerate(parts):
        if lines[-1] and len(lines[-1]) + len(part) + len(sep) > width:
            lines.append("")
        lines[-1] += part + (sep if i + 1 < len(parts) else "")
    return "\n".join(lines)


def _texts(item: Any) -> list[str]:
    values = atomic(item)
    if isinstance(values, pd.Categorical):
        return [str(code + 1) for code in values.codes]
    if values.dtype.kind == "b":
        return ["TRUE" if value else "FALSE" for value in values]
    if values.dtype.kind == "f":
        return [format_number(value) for value in values.tolist()]
    return ["NA" if value is None else str(value) for value in values.tolist()]


def sprintf(fmt: Any, *values: Any) -> Any:
    """Fill values into a format (R's ``sprintf``).

    Parameters
    ----------
    fmt : str or array_like of str
    *values : array_like
        Shorter ones are recycled.

    Returns
    -------
    str or ndarray of object
        One string if the format and all values are single.

    Raises
    ------
    ValueError
        %d with a number that is not whole.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.sprintf("%d genes, %.2f", 3.0, 0.125)
    '3 genes, 0.12'
    """
    formats = [fmt] if isinstance(fmt, str) else list(fmt)
    columns = [_plain(value) for value in values]
    size = max(len(formats), *(len(column) for column in columns), 1)
    if not all(columns):
        return np.array([], dtype=object)
    out = [_filled(formats[i % len(formats)], [column[i % len(column)] for column in columns]) for i in range(size)]
    single = isinstance(fmt, str) and all(np.ndim(value) == 0 for value in values)
    return out[0] if single else np.array(out, dtype=object)


def _plain(value: Any) -> list[Any]:
    values = atomic(value)
    return [str(v) for v in values] if isinstance(values, pd.Categorical) else values.tolist()


def _filled(form: str, values: list[Any]) -> str:
    ready: list[Any] = []
    for value, match in zip(values, _FIELD.finditer(form), strict=False):
        if match[1] in "di" and isinstance(value, float):
            if value != int(value):
                raise ValueError(f"%d stands for whole numbers, not {value!r}; use %f")
            ready.append(int(value))
        else:
            ready.append(format(value, ".15g") if match[1] == "s" and isinstance(value, float) else value)
    return form % tuple(ready)
