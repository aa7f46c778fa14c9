"""formatC(): numbers as C's printf() writes them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pyrrf.r.arguments import default_only, number, text
from pyrrf.r.coercion import coerced, one
from pyrrf.r.formats import Form, Marks, _strings, marked, padded
from pyrrf.r.values import NUMBERS, RError, Value, as_value, is_null, refuse, strings
from pyrrf.rbase.numbers import power_of_ten
from pyrrf.rbase.numbers import round as rounded


@default_only("replace_zero")
def formatC(
    x: Any, digits: Any = None, width: Any = None, format: Any = None, flag: Any = "", mode: Any = None,
    big_mark: Any = "", big_interval: Any = 3, small_mark: Any = "", small_interval: Any = 5, decimal_mark: Any = None,
    preserve_width: Any = "individual", zero_print: Any = None, replace_zero: Any = True, drop0trailing: Any = False,
) -> Value:  # fmt: skip
    """Return numbers as C's printf writes them (R's ``formatC``)."""
    x = as_value(x)
    if not isinstance(x, Value) or x._kind not in (*NUMBERS, "character"):
        raise RError('\'mode\' must be "double" ("real"), "integer" or "character"')
    if not len(x):
        return strings([])
    about = {name: part for name, part in x._attributes.items() if name != "class"}
    flags, kind = text(flag), x._kind if is_null(mode) else {"real": "double"}.get(text(mode), text(mode))
    form = None if is_null(format) else text(format)
    size = None if is_null(width) else int(number(width))
    if kind == "character" or form == "s":
        return _justified(coerced(x, "character", keep=True), size, flags)
    if form is None:
        form = "d" if kind == "integer" else "g"
    if kind == "logical":
        refuse("formatC() of logicals is not moved")
    if set(flags) - set("0+- #") or form not in ("d", "f", "e", "E", "g", "G", "fg"):
        refuse(f"formatC() with flag {flags!r} and format {form!r} is not moved")
    numbers = coerced(Value(kind, x._data), "integer") if form == "d" else Value(kind, x._data)
    size, places = _field(size, None if is_null(digits) else int(number(digits)), form)
    special = _specials(numbers, size, "left" if "-" in flags or size < 0 else "right")
    texts = [special.get(k) or _c_text(v, flags, size, places, form) for k, v in enumerate(numbers._data.tolist())]
    marks = Marks(
        text(big_mark),
        big_interval,
        text(small_mark),
        small_interval,
        decimal_mark,
        zero_print,
        bool(one(drop0trailing, "logical")),
    )
    return strings(texts if marks.plain() else marked(texts, marks, text(preserve_width)), about)


def _specials(x: Value, width: int, side: str) -> dict[int, str]:
    """Return the texts of what is missing or infinite, by place, of one width among themselves."""
    texts = coerced(x, "character")._data
    found = {int(k): texts[k] or "NA" for k in np.flatnonzero(~np.isfinite(x._data))}
    width = max([abs(width), *map(len, found.values())])
    return {k: padded(item, width, side) for k, item in found.items()}


def _field(width: int | None, digits: int | None, form: str) -> tuple[int, int]:
    """Return the width and the digits that formatC() takes where they are not given."""
    if width is None and digits is None:
        width = 1
    if digits is None:
        digits = 2 if form == "d" else 4
    elif digits < 0:
        digits = 6
    if width is None:
        width = digits + 1
    return width or digits, digits


def _justified(x: Value, width: int | None, flags: str) -> Value:
    size = width or 0
    side = "left" if "-" in flags or size < 0 else "right"
    return Value("character", _strings(x, Form(justify=side, width=abs(size))), x._attributes)


def _c_text(value: float, flags: str, width: int, digits: int, form: str) -> str:
    if form == "fg":
        return _figured(value, flags, width, digits)
    if width < 0:
        flags, width = flags + "-", -width
    places = "" if form == "d" else f".{digits}"
    return f"%{flags}{width or ''}{places}{form}" % (int(value) if form == "d" else value)


def _figured(value: float, flags: str, width: int, digits: int) -> str:
    """Return a number in so many significant digits, never scientific."""
    if value == 0:
        return "0"
    plain = flags.replace("#", "")
    size = abs(value)
    power = math.floor(math.log10(size) + 1e-12)
    first = float(rounded(size / power_of_ten(power) + 1e-12, digits - 1)) if power > 0 else 0.0
    if first >= 10:
        value, power = math.copysign(first * power_of_ten(power), value), power + 1
    if power == -4 and abs(value) < 1e-4:
        power = -5
    if power < -4:
        found = f"%{plain}{width or ''}.{digits - 1 - power}f" % value
        return found if "#" in flags else found.rstrip("0")
    return f"%{flags}{width or ''}.{max(power + 1, digits)}g" % value
