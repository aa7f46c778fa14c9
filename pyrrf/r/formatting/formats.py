"""Values as text of one width: R's format(), formatC() and prettyNum()."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from pyrrf.r.formatting.deparse import deparsed_lines
from pyrrf.r.values.arguments import default_only, flag, number, text
from pyrrf.r.values.attributes import (
    classes,
    factor_labels,
    inherits,
    is_factor,
    is_frame,
    is_missing,
    is_na_mark,
    row_names,
)
from pyrrf.r.values.coercion import coerced, one
from pyrrf.r.values.methods import default, method
from pyrrf.r.values.options import option
from pyrrf.r.values.vector import NUMBERS, RError, Value, as_value, is_null, objects, refuse, strings
from pyrrf.rbase.numbers import power_of_ten, scientific
from pyrrf.rbase.numbers import round as rounded
from pyrrf.rbase.text import display_width

# R asks C for the figures from here on, and shows no more decimals than this.
_SURE, _MOST_DECIMALS = 15, 350


# So much wider may fixed notation be that scientific never comes.
_NEVER = 310
_ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\a": "\\a", "\b": "\\b", "\f": "\\f", "\v": "\\v", "\\": "\\\\"}


@dataclass(frozen=True)
class Style:
    """How values are printed: R's options and the arguments of print()."""

    digits: int = 7
    quote: bool = True
    na: str | None = None
    gap: int = 1
    right: bool = False
    width: int = 80
    most: int = 99999
    scipen: int = 0


def style(**changes: Any) -> Style:
    """Return the style of R's options, with changes."""
    usual = {"digits": option("digits", 7), "width": option("width", 80), "scipen": option("scipen", 0)}
    numbers: dict[str, Any] = {"most": option("max.print", 99999), **usual, **changes}
    whole: dict[str, Any] = {name: int(v) if isinstance(v, float) else v for name, v in numbers.items()}
    return Style(**whole)


# ---- numbers -------------------------------------------------------------------------------------


@cache
def _figures(value: float, digits: int) -> tuple[int, int, bool]:
    """Return the decimal exponent of a number, its figures, and whether rounding widens it."""
    if digits <= _SURE or not value:
        return scientific(value, max(digits, 1))
    mantissa, _, exponent = f"{abs(value):.{digits - 1}e}".partition("e")
    return int(exponent), max(len(mantissa.replace(".", "").rstrip("0")), 1), False


def real_form(values: Sequence[float], digits: int, nsmall: int = 0, scipen: int = 0) -> tuple[str, int]:
    """Return the form of Python that shows finite numbers as R does, and how wide the widest is."""
    found = [(value < 0, *_figures(value, digits)) for value in values]
    decimals = min(max(max(count - power - 1 for _, power, count, _ in found), 0), _MOST_DECIMALS)
    left = max(minus + max(power + 1 - widened, 1) for minus, power, _, widened in found)
    mantissa = max(count for _, _, count, _ in found) - 1
    powers = [power for _, power, _, _ in found]
    long = max(powers) >= 100 or min(powers) <= -100 + 1
    width = max(minus for minus, *_ in found) + 1 + mantissa + (mantissa > 0) + 4 + long
    if left + decimals + (decimals > 0) <= width + scipen:
        decimals = max(decimals, nsmall)
        return f".{decimals}f", left + decimals + (decimals > 0)
    return f".{mantissa}e", width


def number_cells(x: Value, look: Style, nsmall: int = 0) -> tuple[list[str], int]:
    """Return numbers or logicals in one form, and their common width; the texts are not yet padded."""
    data = x._data.tolist()
    gap = "NA" if look.na is None else look.na
    if x._kind == "logical":
        texts = [gap if v != v else "TRUE" if v else "FALSE" for v in data]
    elif x._kind == "integer":
        texts = [gap if v != v else str(int(v)) for v in data]
    else:
        return _real_cells(x._data, look, nsmall, gap)
    return texts, max(map(len, texts), default=0)


def _real_cells(data: np.ndarray, look: Style, nsmall: int, gap: str) -> tuple[list[str], int]:
    finite = data[np.isfinite(data)].tolist()
    form, width = real_form(finite, look.digits, nsmall, look.scipen) if finite else ("", 0)
    special = {math.inf: "Inf", -math.inf: "-Inf"}
    texts = []
    for value, missing in zip(data.tolist(), is_na_mark(data).tolist(), strict=True):
        if value != value or value in special:
            texts.append(gap if missing else special.get(value, "NaN"))
        else:
            texts.append(f"{value + 0.0:{form}}")
    others = [len(t) for t, v in zip(texts, data.tolist(), strict=True) if not math.isfinite(v)]
    return texts, max([width, *others])


# ---- strings -------------------------------------------------------------------------------------


def escaped(text: str, quote: str = "") -> str:
    """Return a string with R's escapes, between quotes if there are any."""
    if text.isprintable() and "\\" not in text and (not quote or quote not in text):
        return quote + text + quote
    return quote + "".join(_escape(letter, quote) for letter in text) + quote


def _escape(letter: str, quote: str) -> str:
    if letter in _ESCAPES or (quote and letter == quote):
        return _ESCAPES.get(letter, "\\" + letter)
    if letter.isprintable() or (letter.isspace() and letter > "\x7f"):
        return letter
    code = ord(letter)
    return f"\\{code:03o}" if code < 0x80 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def string_cells(items: Iterable[str | None], quote: str = "", na: str | None = None) -> list[str]:
    """Return strings as print() shows them; a missing one is NA, or <NA> among strings without quotes."""
    gap = na if na is not None else "NA" if quote else "<NA>"
    return [gap if item is None else escaped(item, quote) for item in items]


def padded(text: str, width: int, side: str = "right") -> str:
    """Return a text brought to a side of a field."""
    left = max(width - display_width(text), 0)
    if side == "left":
        return text + " " * left
    return " " * left + text if side == "right" else " " * (left // 2) + text + " " * (left - left // 2)


def cells(x: Value, look: Style) -> tuple[list[str], int]:
    """Return the items of a vector or a list as print() shows them, and how wide the widest is."""
    if x._kind in NUMBERS:
        return number_cells(x, look)
    if x._kind == "list":
        texts = [_summed_up(item, look) for item in x._data]
    else:
        texts = string_cells(x._data, '"' if look.quote else "", look.na)
    return texts, max(map(display_width, texts), default=0)


def _summed_up(item: Any, look: Style) -> str:
    """Return an item of a list in a matrix: itself if it is one, else its kind and length."""
    if not isinstance(item, Value) or item._kind in ("language", "opaque"):
        return "?" if not isinstance(item, Value) else "expression" if item._kind == "language" else "?"
    if item._kind == "NULL":
        return "NULL"
    own = classes(item)
    if own and (len(item) != 1 or is_frame(item)):
        return f"{own[0]},{len(item)}"
    if is_factor(item) and not is_missing(item).any():
        return str(factor_labels(item)._data[0])
    if own and own != ["table"]:
        refuse(f"print() of a list matrix with an item of class {own[0]}")
    if len(item) == 1 and item._kind != "list":
        return cells(Value(item._kind, item._data), replace(look, quote=True))[0][0]
    return f"{'numeric' if item._kind == 'double' else item._kind},{len(item)}"


# ---- format() ------------------------------------------------------------------------------------


def format(
    x: Any, trim: Any = False, digits: Any = None, nsmall: Any = 0, justify: Any = None, width: Any = None,
    na_encode: Any = True, scientific: Any = None, big_mark: Any = "", big_interval: Any = 3, small_mark: Any = "",
    small_interval: Any = 5, decimal_mark: Any = None, zero_print: Any = None, drop0trailing: Any = False,
    *more: Any, **named: Any,
) -> Value:  # fmt: skip
    """Return values as strings of one width (R's ``format``).

    Raises
    ------
    NotMovedError
        The value is of a class, or an argument of a kind, that has no counterpart here.
    """
    x = as_value(x)
    if not isinstance(x, Value):
        refuse("format() of a function is not moved")
    if inherits(x, "Date") or inherits(x, "POSIXct") or inherits(x, "POSIXlt"):
        # The second argument of a date's format() is the form.
        form = trim if isinstance(trim, str | Value) else named.pop("format", None)
        if set(named) - {"digits"}:
            refuse(f"format() of dates with {', '.join(named)} is not moved")
        return default("format.dates")(x, form)
    if more or named:
        refuse(f"format() with {', '.join(named) or 'so many arguments'} is not moved")
    marks = Marks(
        text(big_mark), big_interval, text(small_mark), small_interval, decimal_mark, zero_print, flag(drop0trailing)
    )
    how = Form(
        flag(trim), None if is_null(digits) else int(number(digits)), int(number(nsmall)),
        None if is_null(justify) else text(justify),
        0 if is_null(width) else int(number(width)), flag(na_encode), _scipen(scientific), marks,
    )  # fmt: skip
    return formatted(x, how)


@dataclass(frozen=True)
class Marks:
    """What prettyNum() puts into numbers."""

    big: str = ""
    big_interval: Any = 3
    small: str = ""
    small_interval: Any = 5
    decimal: Any = None
    zero: Any = None
    drop0: bool = False

    def plain(self) -> bool:
        """Whether numbers stay as they are."""
        if not is_null(self.zero):
            refuse("zero.print is not moved")
        decimal = is_null(self.decimal) or text(self.decimal) == "."
        return not (self.big or self.small or self.drop0) and decimal


@dataclass(frozen=True)
class Form:
    """The arguments of format()."""

    trim: bool = False
    digits: int | None = None
    nsmall: int = 0
    justify: str | None = None
    width: int = 0
    na_encode: bool = True
    scipen: int | None = None
    marks: Marks = Marks()

    def look(self) -> Style:
        """Return the style in which numbers are shown."""
        changes = {"digits": self.digits, "scipen": self.scipen}
        return style(**{name: value for name, value in changes.items() if value is not None})


def _scipen(scientific: Any) -> int | None:
    if is_null(scientific):
        return None
    found = as_value(scientific)
    if found._kind == "logical":
        return None if math.isnan(found._data[0]) else -100 if found._data[0] else _NEVER
    return int(number(found))


def formatted(x: Value, how: Form) -> Value:
    """Return values as strings of one width, whatever their class has to say."""
    by_class = _of_class(x, how)
    if by_class is not None:
        return by_class
    if x._kind == "NULL":
        return strings(["NULL"])
    if x._kind == "list":
        return _listed(x, how)
    if x._kind == "language":
        return strings(deparsed_lines(str(x._data[0])))
    if x._kind == "opaque":
        refuse("format() of an environment is not moved")
    kept = {name: part for name, part in x._attributes.items() if name in ("names", "dim", "dimnames")}
    return Value("character", _strings(x, how) if x._kind == "character" else _numbers(x, how), kept)


def _of_class(x: Value, how: Form) -> Value | None:
    """Return what the class of a value makes of it; None if it has no say."""
    if is_factor(x):
        about = {name: part for name, part in x._attributes.items() if name in ("names", "dim", "dimnames")}
        return formatted(Value("character", factor_labels(x)._data, about), how)
    if is_frame(x):
        columns = [formatted(part, _unjustified(how)) for part in x._data]
        mark = {"class": strings("AsIs")}
        marked = [Value(part._kind, part._data, part._attributes | mark) for part in columns]
        return Value("list", objects(marked), x._attributes | {"row.names": strings(row_names(x))})
    found = method("format", classes(x))
    return None if found is None else found(x, how)


def _unjustified(how: Form) -> Form:
    return replace(how, justify=how.justify or "none")


def _numbers(x: Value, how: Form) -> np.ndarray:
    texts, width = number_cells(x, how.look(), how.nsmall)
    texts = [t.rjust(how.width if how.trim else max(width, how.width)) for t in texts]
    return objects(texts if how.marks.plain() else marked(texts, how.marks, "individual" if how.trim else "common"))


def _strings(x: Value, how: Form) -> np.ndarray:
    side = next((name for name in ("left", "right", "centre", "none") if name.startswith(how.justify or "left")), None)
    if side is None:
        raise RError("'arg' should be one of 'left', 'right', 'centre', 'none'")
    texts = [("NA" if how.na_encode else None) if item is None else item for item in x._data]
    if side == "none":
        return objects(texts)
    # A field counts what would be escaped when it is printed.
    sizes = [0 if t is None else display_width(escaped(t)) for t in texts]
    width = max([how.width, *sizes])
    gaps = (width - size for size in sizes)
    wide = (t if t is None else padded(t, display_width(t) + gap, side) for t, gap in zip(texts, gaps, strict=True))
    return objects(wide)


def _listed(x: Value, how: Form) -> Value:
    """Return each item of a list as one text."""
    out = []
    for item in x._data:
        if not isinstance(item, Value) or item._kind in ("language", "opaque"):
            refuse("format() of a list with functions or calls is not moved")
        flat = item
        if item._kind == "list":
            flat = default("unlist")(item)
        texts = formatted(Value(flat._kind, flat._data), replace(how, trim=True))._data
        out.append(", ".join("NA" if t is None else t for t in texts))
    return strings(out, {"names": x._attributes["names"]} if "names" in x._attributes else None)


# ---- marks in numbers ----------------------------------------------------------------------------


def marked(texts: Sequence[str], marks: Marks, keep: str) -> list[str]:
    """Return numbers with marks between their figures, without zeros at the end if that is asked for.

    `keep` is R's preserve.width: "common", "individual" or "none".
    """
    out = [_marked(item, marks) for item in texts]
    longer = [len(new) > len(old) for new, old in zip(out, texts, strict=True)]
    if keep == "none" or not any(longer):
        return out
    if keep == "common":
        width = max(map(len, out))
        return [item.rjust(width) for item in out]
    return [
        re.sub(f"^ {{1,{len(new) - len(old)}}}", "", new) if more else new
        for new, old, more in zip(out, texts, longer, strict=True)
    ]


def _marked(item: str, marks: Marks) -> str:
    before, point, after = item.partition(".")
    big, small = int(number(marks.big_interval)), int(number(marks.small_interval))
    if marks.big and re.search(f"[0-9]{{{big + 1},}}", before):
        mirrored = re.sub(f"([0-9]{{{big}}})\\B", lambda found: found[1] + marks.big[::-1], before[::-1])
        before = mirrored[::-1]
    if marks.small and re.search(f"[0-9]{{{small + 1},}}", after):
        after = re.sub(f"([0-9]{{{small}}}\\B)", lambda found: found[1] + marks.small, after)
    if marks.drop0 and point:
        after = re.sub(r"e[+-]0+$", "", after) if "e" in after else after.rstrip("0")
        point = point if after else ""
    mark = "." if is_null(marks.decimal) else text(marks.decimal)
    return before + (mark if point else "") + after


def prettyNum(x: Any, big_mark: Any = "", *dots: Any, **named: Any) -> Value:
    """Return numbers as strings, each on its own, with marks between the figures (R's ``prettyNum``)."""
    if dots:
        refuse("prettyNum() with so many arguments is not moved")
    x = as_value(x)
    keep = text(named.pop("preserve_width", "common"))
    if x._kind != "character":
        single = [
            format(Value(x._kind, x._data[i : i + 1]), big_mark=big_mark, **named)._data[0] for i in range(len(x))
        ]
        names = {name: part for name, part in x._attributes.items() if name in ("names", "dim", "dimnames")}
        return strings(single, names if "names" in names else None)
    given = ("big_interval", "small_mark", "small_interval", "decimal_mark", "zero_print", "drop0trailing")
    found = {name: named.pop(name, None) for name in given}
    if named:
        refuse(f"prettyNum() with {', '.join(named)} is not moved")
    marks = Marks(
        text(big_mark), found["big_interval"] or 3, text(found["small_mark"] or ""), found["small_interval"] or 5,
        found["decimal_mark"], found["zero_print"], flag(found["drop0trailing"] or False),
    )  # fmt: skip
    if marks.plain():
        return x
    return strings(marked(["NA" if t is None else t for t in x._data], marks, keep), x._attributes)


# ---- strings: toString(), encodeString(), format of names ----------------------------------------


def toString(x: Any, width: Any = None, *, collapse: Any = None) -> Value:
    """Return the items in one string (R's ``toString``, which takes no notice of `collapse`)."""
    x = as_value(x)
    if inherits(x, "Date") or inherits(x, "POSIXct"):
        x = formatted(x, Form())
    joined = ", ".join("NA" if t is None else t for t in coerced(x, "character")._data)
    if is_null(width) or number(width) == 0:
        return strings(joined)
    size = number(width)
    if size < 0:
        raise RError("'width' must be positive")
    if display_width(joined) > size:
        joined = joined[: int(max(6, size)) - 4] + "...."
    return strings(joined)


def encodeString(x: Any, width: Any = 0, quote: Any = "", na_encode: Any = True, justify: Any = "left") -> Value:
    """Return strings with R's escapes, and between quotes (R's ``encodeString``)."""
    x, mark = as_value(x), text(quote)
    kept = {name: part for name, part in x._attributes.items() if name in ("names", "dim", "dimnames")}
    texts = string_cells(coerced(x, "character")._data, mark)
    gaps = is_missing(x)
    side = {"l": "left", "r": "right", "c": "centre", "n": "none"}[text(justify)[0]]
    if side != "none":
        wide = None if is_null(width) else number(width)
        widest = max(map(display_width, texts), default=0)
        size = widest if wide is None or wide != wide else int(wide)
        texts = [padded(t, size, side) for t in texts]
    if not flag(na_encode):
        return strings([None if gap else t for t, gap in zip(texts, gaps, strict=True)], kept)
    return strings(texts, kept)


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
