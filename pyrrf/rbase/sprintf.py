"""Values written as R's cat() and sprintf() write them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from pyrrf.checks import warn
from pyrrf.errors import bad
from pyrrf.rbase.numbers import label
from pyrrf.rbase.vectors import MOST_INTEGER

FIELD = re.compile(r"%(?:(\d+)\$)?([-+ 0#]*)(\*|\d*)((?:\.\d*)?)([dioxXfeEgGaAs%]?)")
_WHOLE = "dioxX"
# Characters of a value with its width.
_LONGEST = 8192
Cell = float | str | None
"""A logical, a whole number, a double or a string; None where one is missing that is no double."""


def sprintf(formats: Sequence[str], *columns: Sequence[Cell]) -> list[str]:
    """Fill values into formats (R's ``sprintf``)."""
    size = max(len(formats), *(len(column) for column in columns), 1)
    if not all(columns) or not formats:
        return []
    if any(size % len(column) for column in (*columns, formats)):
        raise bad.length(
            f"fmt and values have {[len(c) for c in (formats, *columns)]} items; pass lengths that divide", "fmt"
        )
    _check_used(formats, len(columns))
    used_as: dict[int, str] = {}
    return [
        _fill(formats[i % len(formats)], [column[i % len(column)] for column in columns], used_as, i == 0)
        for i in range(size)
    ]


def _check_used(formats: Sequence[str], given: int) -> None:
    """Warn if a value has no place in any format."""
    places = 0
    for form in formats:
        fields = [match for match in FIELD.finditer(form) if match[5] != "%"]
        counted = sum((not match[1]) + (match[3] == "*") for match in fields)
        places = max(places, counted, *(int(match[1]) for match in fields if match[1]), 0)
    if given > places and formats:
        warn(f"fmt {formats[0]!r} has no place for {given - places} of {given} values")


def _fill(form: str, values: Sequence[Cell], used_as: dict[int, str], first: bool) -> str:
    """Fill in one line of values. The first line decides the type of a value: a string, a whole number or a double."""
    used = 0

    def following(place: str | None, kind: str) -> Cell:
        nonlocal used
        index = int(place) - 1 if place else used
        used += 0 if place else 1
        if index >= len(values):
            raise bad.length(f"fmt {form!r} asks for more than {len(values)} values; pass one for each %")
        wanted, value = "s" if kind == "s" else "d" if kind in _WHOLE or kind == "*" else "f", values[index]
        earlier = used_as.get(index) or ("s" if isinstance(value, str) else "f" if isinstance(value, float) else "d")
        if earlier != wanted and (not first or used_as.get(index) == "s"):
            raise bad.type(f"fmt {form!r} takes value {index + 1} for another type than fmt did before; pass it twice")
        used_as[index] = wanted
        return value

    def show(match: re.Match[str]) -> str:
        place, flags, width, precision, kind = match.groups()
        if kind == "%":
            return "%"
        if not kind:
            raise bad.format(
                f"fmt {form!r} holds {match[0]!r} without one of the letters diosxXfeEgGaA; write %% for %"
            )
        size = _size(following(None, "*") if width == "*" else int(width or 0), form)
        _size(int(precision[1:] or 0), form)
        text = _field(flags, precision, kind, following(place, kind))
        if kind == "s":
            # R counts the bytes of a string.
            size = (-1 if "-" in flags or size < 0 else 1) * max(abs(size) - len(text.encode()) + len(text), 0)
        if "-" in flags or size < 0:
            return text.ljust(abs(size))
        padded = "0" in flags and kind != "s" and text[-1:].isalnum() and "N" not in text and "I" not in text
        sign = re.match(r"[-+ ]?(?:0[xX])?", text) if padded else None
        return sign[0] + text[sign.end() :].rjust(size - sign.end(), "0") if sign else text.rjust(size)

    return FIELD.sub(show, form)


def _size(wide: Cell, form: str) -> int:
    """Return a width; it is refused where R refuses it."""
    if wide is None or isinstance(wide, bool | str) or not abs(wide) <= MOST_INTEGER:
        raise bad.type(f"fmt {form!r} takes a width that is missing or no number")
    size = int(wide)
    if abs(size) > _LONGEST:
        raise bad.range(f"fmt {form!r} takes a width of {size}; R has at most {_LONGEST}")
    return size


def _field(flags: str, precision: str, kind: str, value: Cell) -> str:
    """Return one value without its width; a missing or infinite one is a word, as in R."""
    if kind == "s":
        return _text(precision, value)
    if isinstance(value, bool) and kind in "oxX":
        raise bad.type(f"%{kind} takes numbers, not {value!r}; use %d", "fmt")
    if isinstance(value, str):
        raise bad.type(f"%{kind} takes numbers, not {value!r}; use %s", "fmt")
    sign = "+" if "+" in flags else " " if " " in flags else ""
    if value is None or not math.isfinite(value):
        word = "NA" if value is None or math.isnan(value) else "-Inf" if value < 0 else "Inf"
        if word == "NA":
            # R heeds a space here, if the value is no integer, and no plus.
            return " NA" if " " in flags and kind not in _WHOLE else word
        if kind in _WHOLE:
            raise bad.type(f"%{kind} stands for whole numbers, not {value!r}; use %f", "fmt", kind=ValueError)
        return sign + word if word == "Inf" else word
    if kind in _WHOLE:
        return _whole(flags, precision, kind, value, sign)
    if kind in "aA":
        text = _hexadecimal(float(value), precision, sign)
        return text.upper() if kind == "A" else text
    return str(f"%{sign}{'#' * ('#' in flags)}{precision}{kind}" % value)


def _text(precision: str, value: Cell) -> str:
    text = "NA" if value is None else label(value)
    if not precision:
        return text
    try:
        return text.encode()[: int(precision[1:] or 0)].decode()
    except UnicodeDecodeError:
        raise bad.text(f"%{precision}s cuts a letter of {text!r} in two: R counts bytes; use substr()", "fmt") from None


def _whole(flags: str, precision: str, kind: str, value: float, sign: str) -> str:
    """Return a whole number; in the bases 8 and 16 its 32 bits."""
    number = int(value)
    if value != number or abs(number) > MOST_INTEGER:
        raise bad.range(f"%{kind} stands for whole numbers of 32 bits, not {value!r}; use %f", "fmt")
    if kind in "di":
        return f"%{sign}{precision}d" % number
    digits = f"%{precision}{kind}" % (number % 2**32)
    if "#" not in flags or not number:
        return digits
    return f"0{kind}{digits}" if kind in "xX" else f"0{digits.lstrip('0')}"


def _hexadecimal(value: float, precision: str, sign: str) -> str:
    """Return the bits of a number as C writes them (%a): as few digits as hold it, or so many."""
    mantissa, _, power = abs(value).hex().removeprefix("0x").partition("p")
    whole = int(mantissa.replace(".", ""), 16)
    places = len(mantissa.partition(".")[2])
    wanted = int(precision[1:] or 0) if precision else places
    if wanted < places:
        unit = 16 ** (places - wanted)
        whole, rest = divmod(whole, unit)
        whole += 2 * rest > unit or (2 * rest == unit and whole % 2)
        places = wanted
    decimals = f"{whole % 16**places:0{places}x}" if places else ""
    decimals = decimals.ljust(wanted, "0") if precision else decimals.rstrip("0")
    sign = "-" if math.copysign(1, value) < 0 else sign
    return f"{sign}0x{whole // 16**places:x}{'.' * bool(decimals)}{decimals}p{power}"
