"""Values as text of one width: R's format(), formatC() and prettyNum()."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from pyrrf.r.formatting.deparse import deparsed_lines
from pyrrf.r.values.arguments import flag as flag_of
from pyrrf.r.values.coercion import attrs, bare, coerce, factor_labels, without
from pyrrf.r.values.errors import RError, refuse, stop_if, stop_none
from pyrrf.r.values.functions import Flag, Item, Number, Text, Whole, r_function
from pyrrf.r.values.kinds import classes, inherits, is_factor, is_frame, is_missing, is_na_mark, is_null
from pyrrf.r.values.labels import row_names
from pyrrf.r.values.methods import default, method
from pyrrf.r.values.options import option
from pyrrf.r.values.vector import NUMBERS, Value, objects, strings
from pyrrf.rbase.numbers import power_of_ten, real_form
from pyrrf.rbase.numbers import round as rounded
from pyrrf.rbase.text import display_width

# R shows no more decimals than this.
_MOST_DECIMALS = 350
_SHAPE = ("names", "dim", "dimnames")
# So much wider may fixed notation be that scientific never comes.
_NEVER = 310
_ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\a": "\\a", "\b": "\\b", "\f": "\\f", "\v": "\\v", "\\": "\\\\"}


@dataclass(frozen=True)
class Style:
    """Style of printed values: R's options and the arguments of print()."""

    digits: int = 7
    quote: bool = True
    na: str | None = None
    gap: int = 1
    right: bool = False
    width: int = 80
    most: int = 99999
    scipen: int = 0


def style() -> Style:
    """Return the style of R's options."""
    return Style(
        digits=int(option("digits", 7)), width=int(option("width", 80)), most=int(option("max.print", 99999)),
        scipen=int(option("scipen", 0)),
    )  # fmt: skip


# ---- numbers -------------------------------------------------------------------------------------


def number_cells(x: Value, look: Style, nsmall: int = 0) -> tuple[list[str], int]:
    """Return numbers or logicals in one form, and their common width; the texts are not yet padded."""
    data = x._data.tolist()
    gap = "NA" if look.na is None else look.na
    if x._kind == "double":
        return _real_cells(x._data, look, nsmall, gap)
    if x._kind == "logical":
        texts = [gap if v != v else "TRUE" if v else "FALSE" for v in data]
    else:
        texts = [gap if v != v else str(int(v)) for v in data]
    return texts, max(map(len, texts), default=0)


def _real_cells(data: np.ndarray, look: Style, nsmall: int, gap: str) -> tuple[list[str], int]:
    finite = data[np.isfinite(data)].tolist()
    form, width = real_form(finite, look.digits, nsmall, look.scipen, _MOST_DECIMALS) if finite else ("", 0)
    special = {math.inf: "Inf", -math.inf: "-Inf"}
    marks = zip(data.tolist(), is_na_mark(data).tolist(), strict=True)
    texts = [
        f"{v + 0.0:{form}}" if math.isfinite(v) else gap if missing else special.get(v, "NaN") for v, missing in marks
    ]
    return texts, max([width, *(len(texts[i]) for i in np.flatnonzero(~np.isfinite(data)))])


# ---- strings -------------------------------------------------------------------------------------


def escape_text(text: str, quote: str = "") -> str:
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
    return [gap if item is None else escape_text(item, quote) for item in items]


def pad(text: str, width: int, side: str = "right") -> str:
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


def _summed_up(item: Item, look: Style) -> str:
    """Return an item of a list in a matrix: itself if it is one, else its kind and length."""
    if not isinstance(item, Value) or item._kind == "opaque":
        return "?"
    if item._kind == "language":
        return "expression"
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
        return cells(bare(item), replace(look, quote=True))[0][0]
    return f"{'numeric' if item._kind == 'double' else item._kind},{len(item)}"


# ---- format() ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Marks:
    """Marks that prettyNum() puts into numbers: its arguments."""

    big: str = ""
    big_interval: int = 3
    small: str = ""
    small_interval: int = 5
    decimal: str | None = None
    zero: object = None
    drop0: bool = False

    def plain(self) -> bool:
        """Return whether numbers stay as they are."""
        if not is_null(self.zero):
            refuse("zero.print is not supported")
        return not (self.big or self.small or self.drop0) and self.decimal in (None, ".")


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
        usual = style()
        digits = usual.digits if self.digits is None else self.digits
        return replace(usual, digits=digits, scipen=usual.scipen if self.scipen is None else self.scipen)


@r_function(unsupported="dots", classes="any formula")
def format(
    x: Value, trim: object = False, digits: Whole | None = None, nsmall: Whole = 0, justify: Text | None = None,
    width: Whole | None = None, na_encode: Flag = True, scientific: Value | None = None, big_mark: Text = "",
    big_interval: Whole = 3, small_mark: Text = "", small_interval: Whole = 5, decimal_mark: Text | None = None,
    zero_print: object = None, drop0trailing: Flag = False, *dots: object, **named: object,
) -> Value:  # fmt: skip
    """Return values as strings of one width (R's ``format``)."""
    if inherits(x, "Date", "POSIXct", "POSIXlt"):
        # The second argument of a date's format() is the form.
        form = trim if isinstance(trim, str | Value) else named.pop("format", None)
        if set(named) - {"digits"}:
            refuse(f"format() of dates with {', '.join(named)} is not supported")
        return default("format.dates")(x, form)
    if named:
        refuse(f"format() with {', '.join(named)} is not supported")
    marks = Marks(big_mark, big_interval, small_mark, small_interval, decimal_mark, zero_print, drop0trailing)
    scipen = None if scientific is None else _scipen(scientific)
    return format_items(x, Form(flag_of(trim), digits, nsmall, justify, width or 0, na_encode, scipen, marks))


def _scipen(scientific: Value) -> int | None:
    if scientific._kind != "logical":
        return int(scientific)
    told = scientific._data[0]
    return None if math.isnan(told) else -100 if told else _NEVER


def format_items(x: Value, how: Form) -> Value:
    """Return values as strings of one width, by the format() of their class if it has one."""
    by_class = method("format", classes(x))
    if by_class is not None:
        return by_class(x, how)
    if x._kind == "NULL":
        return strings(["NULL"])
    if x._kind == "list":
        return _item_texts(x, how)
    if x._kind == "language":
        return strings(deparsed_lines(str(x._data[0])))
    if x._kind == "opaque":
        refuse("format() of an environment is not supported")
    return Value("character", (_strings if x._kind == "character" else _numbers)(x, how), attrs(x, *_SHAPE))


def format_factor(x: Value, how: Form) -> Value:
    """Return a factor as text: its labels."""
    return format_items(Value("character", factor_labels(x)._data, attrs(x, *_SHAPE)), how)


def format_data_frame(x: Value, how: Form) -> Value:
    """Return a data frame of texts."""
    columns = [format_items(column, replace(how, justify=how.justify or "none")) for column in x._data]
    mark = {"class": strings("AsIs")}
    marked = [Value(column._kind, column._data, column._attributes | mark) for column in columns]
    return Value("list", objects(marked), x._attributes | {"row.names": strings(row_names(x))})


def _numbers(x: Value, how: Form) -> np.ndarray:
    texts, width = number_cells(x, how.look(), how.nsmall)
    texts = [t.rjust(how.width if how.trim else max(width, how.width)) for t in texts]
    return objects(texts if how.marks.plain() else put_marks(texts, how.marks, "individual" if how.trim else "common"))


def _strings(x: Value, how: Form) -> np.ndarray:
    side = next((name for name in ("left", "right", "centre", "none") if name.startswith(how.justify or "left")), None)
    side = stop_none(side, "'arg' should be one of 'left', 'right', 'centre', 'none'")
    texts = [("NA" if how.na_encode else None) if item is None else item for item in x._data]
    if side == "none":
        return objects(texts)
    # The width of a field counts the escapes of a printed string.
    sizes = [0 if t is None else display_width(escape_text(t)) for t in texts]
    width = max([how.width, *sizes])
    gaps = (width - size for size in sizes)
    wide = (t if t is None else pad(t, display_width(t) + gap, side) for t, gap in zip(texts, gaps, strict=True))
    return objects(wide)


def _item_texts(x: Value, how: Form) -> Value:
    """Return each item of a list as one text."""
    out = []
    for item in x._data:
        if not isinstance(item, Value) or item._kind in ("language", "opaque"):
            refuse("format() of a list with functions or calls is not supported")
        flat = default("unlist")(item) if item._kind == "list" else item
        out.append(_in_one(format_items(bare(flat), replace(how, trim=True))))
    return strings(out, attrs(x, "names"))


def _in_one(x: Value) -> str:
    """Return strings as one, with commas between."""
    return ", ".join("NA" if item is None else item for item in x._data)


# ---- marks in numbers ----------------------------------------------------------------------------


def put_marks(texts: Sequence[str], marks: Marks, keep: str) -> list[str]:
    """Return numbers with marks between their figures, without zeros at the end if that is asked for.

    `keep` is R's preserve.width: "common", "individual" or "none".
    """
    out = [_insert_marks(item, marks) for item in texts]
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


def _insert_marks(item: str, marks: Marks) -> str:
    before, point, after = item.partition(".")
    big, small = marks.big_interval, marks.small_interval
    if marks.big and re.search(f"[0-9]{{{big + 1},}}", before):
        mirrored = re.sub(f"([0-9]{{{big}}})\\B", lambda match: match[1] + marks.big[::-1], before[::-1])
        before = mirrored[::-1]
    if marks.small and re.search(f"[0-9]{{{small + 1},}}", after):
        after = re.sub(f"([0-9]{{{small}}}\\B)", lambda match: match[1] + marks.small, after)
    if marks.drop0 and point:
        after = re.sub(r"e[+-]0+$", "", after) if "e" in after else after.rstrip("0")
        point = point if after else ""
    mark = "." if marks.decimal is None else marks.decimal
    return before + (mark if point else "") + after


@r_function(unsupported="dots")
def prettyNum(
    x: Value, big_mark: Text = "", *dots: object, big_interval: Whole = 3, small_mark: Text = "",
    small_interval: Whole = 5, decimal_mark: Text | None = None, preserve_width: Text = "common",
    zero_print: object = None, drop0trailing: Flag = False, **named: object,
) -> Value:  # fmt: skip
    """Return numbers as strings, each on its own, with marks between the figures (R's ``prettyNum``)."""
    marks = Marks(big_mark, big_interval, small_mark, small_interval, decimal_mark, zero_print, drop0trailing)
    if x._kind != "character":
        write = partial(
            format, big_mark=big_mark, big_interval=big_interval, small_mark=small_mark, small_interval=small_interval,
            decimal_mark=decimal_mark, zero_print=zero_print, drop0trailing=drop0trailing, **named,
        )  # fmt: skip
        items = x._data if x._kind == "list" else (Value(x._kind, x._data[i : i + 1]) for i in range(len(x)))
        single = [_only_text(write(item)) for item in items]
        return strings(single, attrs(x, *_SHAPE) if "names" in x._attributes else None)
    if named:
        refuse(f"prettyNum() with {', '.join(named)} is not supported")
    if marks.plain():
        return x
    return strings(put_marks(["NA" if t is None else t for t in x._data], marks, preserve_width), x._attributes)


def _only_text(made: Value) -> str | None:
    stop_if(len(made) != 1, f"values must be length 1,\n but FUN(X[[1]]) result is length {len(made)}")
    text: str | None = made._data[0]
    return text


# ---- strings: toString(), encodeString(), format of names ----------------------------------------


@r_function()
def toString(x: Value, width: Number | None = None, *, collapse: object = None) -> Value:
    """Return the items in one string (R's ``toString``, which takes no notice of `collapse`)."""
    joined = _in_one(coerce(format_items(x, Form()) if inherits(x, "Date", "POSIXct") else x, "character"))
    if not width:
        return strings(joined)
    stop_if(width < 0, "'width' must be positive")
    return strings(joined[: int(max(6, width)) - 4] + "...." if display_width(joined) > width else joined)


@r_function(classes="any -summaryDefault")
def encodeString(
    x: Value, width: Number | None = 0, quote: Text = "", na_encode: Flag = True, justify: Text = "left"
) -> Value:
    """Return strings with R's escapes, and between quotes (R's ``encodeString``)."""
    stop_if(is_factor(x), 'adding class "factor" to an invalid object')
    given = format_items(x, Form()) if inherits(x, "Date", "POSIXct") else coerce(x, "character")
    texts = string_cells(given._data, quote)
    side = {"l": "left", "r": "right", "c": "centre", "n": "none"}[justify[0]]
    if side != "none":
        size = max(map(display_width, texts), default=0) if width is None or width != width else int(width)
        texts = [pad(t, size, side) for t in texts]
    gaps = is_missing(x) & (not na_encode)
    return strings([None if gap else t for t, gap in zip(texts, gaps, strict=True)], without(x, "class")._attributes)


@r_function(unsupported="replace_zero")
def formatC(
    x: Item, digits: Whole | None = None, width: Whole | None = None, format: Text | None = None, flag: Text = "",
    mode: Text | None = None, big_mark: Text = "", big_interval: Whole = 3, small_mark: Text = "",
    small_interval: Whole = 5, decimal_mark: Text | None = None, preserve_width: Text = "individual",
    zero_print: object = None, replace_zero: object = True, drop0trailing: Flag = False,
) -> Value:  # fmt: skip
    """Return numbers as C's printf writes them (R's ``formatC``)."""
    if not isinstance(x, Value) or x._kind not in (*NUMBERS, "character"):
        raise RError('\'mode\' must be "double" ("real"), "integer" or "character"')
    if not len(x):
        return strings([])
    kind = x._kind if mode is None else {"real": "double"}.get(mode, mode)
    if kind == "character" or format == "s":
        how = Form(justify="left" if "-" in flag or (width or 0) < 0 else "right", width=abs(width or 0))
        return Value("character", _strings(coerce(x, "character"), how), without(x, "class")._attributes)
    form = format if format is not None else "d" if kind == "integer" else "g"
    if kind == "logical":
        refuse("formatC() of logicals is not supported")
    if set(flag) - set("0+- #") or form not in ("d", "f", "e", "E", "g", "G", "fg"):
        refuse(f"formatC() with flag {flag!r} and format {form!r} is not supported")
    numbers = coerce(Value(kind, x._data), "integer") if form == "d" else Value(kind, x._data)
    size, places = _field(width, digits, form)
    special = _specials(numbers, size, "left" if "-" in flag or size < 0 else "right")
    texts = [special.get(k) or _c_text(v, flag, size, places, form) for k, v in enumerate(numbers._data.tolist())]
    marks = Marks(big_mark, big_interval, small_mark, small_interval, decimal_mark, zero_print, drop0trailing)
    shown = texts if marks.plain() else put_marks(texts, marks, preserve_width)
    return strings(shown, without(x, "class")._attributes)


def _specials(x: Value, width: int, side: str) -> dict[int, str]:
    """Return the texts of missing and infinite numbers, by place, of one width among themselves."""
    texts = coerce(x, "character")._data
    specials = {int(k): texts[k] or "NA" for k in np.flatnonzero(~np.isfinite(x._data))}
    width = max([abs(width), *map(len, specials.values())])
    return {k: pad(item, width, side) for k, item in specials.items()}


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


def _c_text(value: float, flags: str, width: int, digits: int, form: str) -> str:
    if form == "fg":
        return _significant_text(value, flags, width, digits)
    if width < 0:
        flags, width = flags + "-", -width
    places = "" if form == "d" else f".{digits}"
    return f"%{flags}{width or ''}{places}{form}" % (int(value) if form == "d" else value)


def _significant_text(value: float, flags: str, width: int, digits: int) -> str:
    """Return a number with `digits` significant digits, never scientific."""
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
        text = f"%{plain}{width or ''}.{digits - 1 - power}f" % value
        return text if "#" in flags else text.rstrip("0")
    return f"%{flags}{width or ''}.{max(power + 1, digits)}g" % value
