"""str(): what a value is made of, a line for each part."""

from __future__ import annotations

import builtins
import sys
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pyrrf.r.base.types import as_character
from pyrrf.r.formatting.formats import Form, Marks, escaped, formatted
from pyrrf.r.values.arguments import flag, number
from pyrrf.r.values.attributes import (
    attribute,
    classes,
    dim_of,
    factor_levels,
    inherits,
    is_factor,
    is_frame,
    is_list,
    names_of,
    row_count,
)
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.vector import NotMovedError, Value, as_value, is_null
from pyrrf.r.values.visibility import invisible
from pyrrf.rbase.numbers import signif
from pyrrf.rbase.text import display_width

_WIDTH, _MOST, _DIGITS = 80, 128, 3
_NUMBERS = Form(trim=True, digits=_DIGITS, marks=Marks(drop0=True))
_UNKNOWN = ("POSIXct", "POSIXlt", "dendrogram", "logLik", "hashtab", "Surv", "ts", "vctrs_vctr", "grouped_df", "roc")
_SHORT = {"logical": "logi", "integer": "int", "double": "num", "character": "chr"}


@dataclass(frozen=True)
class _How:
    """The arguments of str(), and where in the value it is.

    `sizes` says whether the lengths of vectors are shown; `framed`, that they are not because a data frame says so.
    """

    max_level: float = np.inf
    vec_len: float | None = None
    attributes: bool = True
    head: bool = True
    sizes: bool = True
    framed: bool = False
    sized: bool = False
    list_len: int = 99
    level: int = 0
    indent: builtins.str = " "
    mark: builtins.str = "$ "
    no_list: bool = False

    def below(self, **changes: Any) -> _How:
        more = {"vec_len": 4 if self.vec_len is None else self.vec_len, "level": self.level + 1, "sized": True}
        return replace(self, **{**more, "indent": f"{self.indent} ..", "mark": "$ ", "no_list": False, **changes})


@r_function(prints=True, quiet=True, shows=True)
def str(
    object: Any,
    *dots: Any,
    max_level: Any = None,
    vec_len: Any = None,
    give_attr: Any = True,
    give_head: Any = True,
    give_length: Any = None,
    list_len: Any = 99,
    no_list: Any = False,
    comp_str: Any = "$ ",
    indent_str: Any = " ",
) -> Value:
    """Write what a value is made of (R's ``str``).

    Raises
    ------
    NotMovedError
        The value holds functions, environments, or is of a class with a method of its own.
    """
    if dots:
        raise NotMovedError("str() of several values")
    deep = np.nan if is_null(max_level) else number(max_level)
    how = _How(
        np.inf if np.isnan(deep) else deep, None if is_null(vec_len) else number(vec_len), flag(give_attr),
        flag(give_head), True if give_length is None else flag(give_length), sized=give_length is not None,
        list_len=int(number(list_len)), no_list=flag(no_list), mark=as_value(comp_str)._data[0],
        indent=as_value(indent_str)._data[0],
    )  # fmt: skip
    sys.stdout.write(structure_text(as_value(object), how))
    return invisible()


def structure_text(x: Any, how: _How) -> builtins.str:
    """Return the lines that str() writes."""
    if not isinstance(x, Value):
        raise NotMovedError("str() of a function: its code is not kept")
    if any(name in _UNKNOWN for name in classes(x)):
        raise NotMovedError(f"str() of class {classes(x)[0]}")
    if inherits(x, "tbl_df"):
        return _tibble(x, how)
    if is_frame(x):
        return _frame(x, how)
    if inherits(x, "Date"):
        return _dates(x, how)
    if x._kind == "opaque":
        raise NotMovedError("str() of an environment")
    if x._kind == "language":
        return _language(x)
    if x._kind == "NULL":
        return " NULL\n"
    return _list(x, how) if is_list(x) else _vector(x, how)


# ---- lists ---------------------------------------------------------------------------------------


def _frame(x: Value, how: _How) -> builtins.str:
    others = [name for name in classes(x) if name != "data.frame"]
    head = "Classes " + ", ".join(f"\u2018{name}\u2019" for name in others) + " and " if others else ""
    p = len(x)
    head += f"'data.frame':\t{row_count(x)} obs. of  {p} variable{'s' * (p != 1)}{':' * (p > 0)}\n"
    return head + _list(x, how if how.sized else replace(how, sizes=False, framed=True))


def _tibble(x: Value, how: _How) -> builtins.str:
    head = " " if how.level else ""
    head += f"tibble [{row_count(x):,} \u00d7 {len(x):,}] (S3: {'/'.join(classes(x))})\n"
    if classes(x) != ["tbl_df", "tbl", "data.frame"]:
        raise NotMovedError("str() of a tibble of a further class")
    bare = Value("list", x._data, {"names": x._attributes["names"]})
    inner = replace(how, no_list=True, level=how.level + 1, sized=True, vec_len=how.vec_len)
    return head + _list(bare, inner)


def _list(x: Value, how: _How) -> builtins.str:
    own, names = classes(x), names_of(x)
    left_out = ["names"]
    out = ""
    if not len(x):
        left_out += ["class", "row.names"] if is_frame(x) else []
        out = "" if is_frame(x) else f" {'Named ' if names is not None else ''}list()\n"
    elif how.no_list or is_frame(x):
        left_out += ["class", "row.names"] if is_frame(x) else ["class"]
    else:
        out = f"List of {len(x)}\n"
    if len(x) and how.level < how.max_level:
        labels = _padded(["" if names is None else "NA" if n is None else n for n in names or [""] * len(x)])
        for label, item in list(zip(labels, x._data, strict=True))[: how.list_len]:
            out += f"{how.indent}{how.mark}{label}:" + structure_text(item, how.below())
        if how.list_len < len(x):
            out += f"{how.indent} [list output truncated]\n"
    if own and "data.frame" not in own and dim_of(x) is not None:
        raise NotMovedError("str() of a list with dimensions and a class")
    return out + _attributes(x, left_out, how)


def _padded(labels: list[builtins.str]) -> list[builtins.str]:
    wide = max(map(display_width, labels), default=0)
    return [label + " " * (wide - display_width(label)) for label in labels]


def _attributes(x: Value, left_out: list[builtins.str], how: _How) -> builtins.str:
    if not how.attributes:
        return ""
    out = ""
    order = sorted(x._attributes, key=lambda name: name != "names")
    for name in order:
        if name not in left_out:
            part = x._attributes[name]
            inner = how.below(sizes=how.sizes or how.framed, framed=False)
            out += f'{how.indent}- attr(*, "{name}")=' + structure_text(part, inner)
    return out


# ---- vectors -------------------------------------------------------------------------------------


def _shape(x: Value) -> builtins.str | None:
    found = attribute(x, "dim")
    if found is None:
        return None
    parts = [("1:" if n > 1 else "") + f"{int(n)}" + ("" if n > 0 else " ") for n in found._data]
    return f"[{parts[0]}(1d)]" if len(parts) == 1 else f"[{', '.join(parts)}]"


def _vector(x: Value, how: _How) -> builtins.str:
    shape = _shape(x)
    if is_factor(x):
        head, left_out = _factor_head(x, shape)
    else:
        head, left_out = _vector_head(x, shape, how)
    body = _strings(x, head, how) if x._kind == "character" else _numbers(x, how)
    return (f"{head} " if how.head else "") + body + "\n" + _attributes(x, left_out, how)


def _vector_head(x: Value, shape: builtins.str | None, how: _How) -> tuple[builtins.str, list[builtins.str]]:
    n, own, word = len(x), classes(x), _SHORT[x._kind]
    left_out = ["names"]
    size = (f"[1:{n}]" if n else "(0)") if how.sizes else ""
    if shape is not None:
        size, left_out = shape, ["dim"]
        own = [name for name in own if name != "AsIs"]
    elif names_of(x) is not None:
        word, left_out = f"Named {word}", []
    if classes(x):
        first = own[0] if own else "NA"
        if first != word and not first.startswith(word):
            word = f"'{first}' {word}"
        left_out.append("class")
    if n == 1 and shape is None:
        return f" {word}", left_out
    # R writes "num(0)", but "num [1:3]".
    return f" {word}{' ' if n else ''}{size}", left_out


def _factor_head(x: Value, shape: builtins.str | None) -> tuple[builtins.str, list[builtins.str]]:
    levels = factor_levels(x)
    many = len(levels)
    shown = ["NA" if level is None else escaped(level, '"') for level in levels[:40]]
    lengths = np.cumsum([3 + display_width(text) - 2 for text in shown])
    most = len(shown)
    if most > 1 and lengths[-1] > 13:
        most = int(np.argmax(lengths > 13)) + 1
    ordered = inherits(x, "ordered")
    sign = "<" if ordered else ","
    head = (" Ord.f" if ordered else " F") + "actor" + (shape or "") + f" w/ {many} level{'s' * (many != 1)}"
    if many:
        head += " " + sign.join(_cut(text, '"') for text in shown[:most])
    head += f"{sign}.." * (most < many) + ":"
    return head, ["levels", "class", *(["dim"] if shape is not None else [])]


def _numbers(x: Value, how: _How) -> builtins.str:
    base = 4.0 if how.vec_len is None else how.vec_len
    most = 1.5 * base if x._kind == "logical" else _half_even(2.5 * base)
    bare = Value("integer" if is_factor(x) else x._kind, x._data)
    if x._kind == "double":
        first = bare._data[: int(most)]
        known = first[~np.isnan(first)]
        size = np.abs(known)
        plain = ((size > 1e-10) | (size == 0)) & ((size < 1e10) | (size == 0))
        if not (plain.all() and (np.abs(known - signif(known, _DIGITS)) <= 9e-16 * size).all()):
            most = _half_even(1.25 * base)
    n = min(most, len(x))
    chosen = Value(bare._kind, bare._data[: int(n)]) if n >= 1 else bare
    shown = "" if n < 1 and most <= 0 else " ".join(formatted(chosen, _NUMBERS)._data)
    return _cut(shown, "") + (" ..." if len(x) > most else "")


def _half_even(x: float) -> float:
    return float(np.round(x))


def _trimmed(text: builtins.str, width: int) -> builtins.str:
    """Return as much of a text as fits (R's ``strtrim``)."""
    out, used = "", 0
    for letter in text:
        used += display_width(letter)
        if used > width:
            break
        out += letter
    return out


def _cut(text: builtins.str, quote: builtins.str) -> builtins.str:
    if display_width(text) <= _MOST:
        return text
    end = f"{quote}| __truncated__"
    begun = _trimmed(text, _MOST - len(end))
    return text if begun in (text, text.removesuffix(quote) if quote else text) else begun + end


def _strings(x: Value, head: builtins.str, how: _How) -> builtins.str:
    most = max(100, 0 if how.vec_len is None else int(how.vec_len))
    items = list(x._data[:most])
    shown = ["NA" if item is None else _cut(escaped(_trimmed(item, _MOST), '"'), '"') for item in items]
    if how.vec_len is None:
        room = _WIDTH - (4 + 5 * how.level + display_width(head))
        widths = np.cumsum([1 + display_width(text) for text in shown]) if shown else np.array([1])
        n = max(1, int((widths < room).sum()))
    else:
        n = int(_half_even(how.vec_len))
    if not n and shown:
        return " ..."
    return " ".join(shown[:n]) + (" ..." if len(items) > n else "")


# ---- others --------------------------------------------------------------------------------------


def _language(x: Value) -> builtins.str:
    text = f"{x._data[0]}"
    if inherits(x, "formula") or x._attributes or len(text) > 60 or not text.endswith(")") or "{" in text:
        raise NotMovedError("str() of a formula, or a long call")
    return f" language {text}\n"


def _dates(x: Value, how: _How) -> builtins.str:
    if not len(x) or (how.vec_len is not None and how.level == 0):
        raise NotMovedError("str() of no dates, or with vec.len")
    first = Value(x._kind, x._data[:1000], {"class": x._attributes["class"]})
    size = f"[1:{len(x)}]" if how.sizes else ""
    inner = replace(how, head=False)
    if how.level and how.vec_len is not None:
        inner = replace(inner, vec_len=min(how.vec_len, (_WIDTH - len(how.indent) - 31) // 19))

    texts = as_character(first)
    body = _strings(Value("character", texts._data), " chr" if len(first) == 1 else f" chr {size}", inner)
    return f" {classes(x)[0]}{size}, format: {body}\n"
