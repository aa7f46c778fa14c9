"""str(): the structure of a value, a line for each component."""

from __future__ import annotations

import builtins
import sys
from dataclasses import dataclass, replace

import numpy as np

from pyrrf.r.base.types import as_character
from pyrrf.r.formatting.formats import Form, Marks, escape_text, format_items, pad
from pyrrf.r.values.coercion import attrs, bare, without
from pyrrf.r.values.errors import NotSupportedError, refuse_if
from pyrrf.r.values.functions import Flag, Item, Number, Text, Whole, r_function
from pyrrf.r.values.kinds import classes, factor_levels, inherits, is_factor, is_frame, is_list
from pyrrf.r.values.labels import dim_of, names_of, row_count
from pyrrf.r.values.vector import Value
from pyrrf.r.values.visibility import invisible
from pyrrf.rbase.numbers import signif
from pyrrf.rbase.text import display_width

_WIDTH, _MOST, _DIGITS = 80, 128, 3
_NUMBERS = Form(trim=True, digits=_DIGITS, marks=Marks(drop0=True))
_UNKNOWN = ("POSIXct", "POSIXlt", "dendrogram", "logLik", "hashtab", "Surv", "ts", "vctrs_vctr", "grouped_df", "roc")
_SHORT = {"logical": "logi", "integer": "int", "double": "num", "character": "chr"}


@dataclass(frozen=True)
class _How:
    """The arguments of str(), and the current depth in the value.

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
    no_list: bool = False
    mark: builtins.str = "$ "
    indent: builtins.str = " "
    level: int = 0

    def below(self) -> _How:
        """Return the settings for an item of a list or an attribute."""
        return replace(
            self, vec_len=4 if self.vec_len is None else self.vec_len, level=self.level + 1, sized=True,
            indent=f"{self.indent} ..", mark="$ ", no_list=False,
        )  # fmt: skip


@r_function(does="prints", quiet=True, unsupported="dots", classes="any formula")
def str(
    object: Item, *dots: Item, max_level: Number | None = None, vec_len: Number | None = None, give_attr: Flag = True,
    give_head: Flag = True, give_length: Flag | None = None, list_len: Whole = 99, no_list: Flag = False,
    comp_str: Text = "$ ", indent_str: Text = " ",
) -> Value:  # fmt: skip
    """Write the structure of a value (R's ``str``)."""
    deep = np.inf if max_level is None or np.isnan(max_level) else max_level
    how = _How(
        deep, vec_len, give_attr, give_head, sizes=give_length is not False, sized=give_length is not None,
        list_len=list_len, no_list=no_list, mark=comp_str, indent=indent_str,
    )  # fmt: skip
    sys.stdout.write(structure_text(object, how))
    return invisible()


def structure_text(x: Item, how: _How) -> builtins.str:
    """Return the lines that str() writes."""
    refuse_if(not isinstance(x, Value), "str() of a function: its code is not kept")
    if inherits(x, *_UNKNOWN):
        raise NotSupportedError(f"str() of class {classes(x)[0]}")
    if inherits(x, "tbl_df"):
        return _tibble(x, how)
    if is_frame(x):
        return _frame(x, how)
    if inherits(x, "Date"):
        return _dates(x, how)
    refuse_if(x._kind == "opaque", "str() of an environment")
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
    refuse_if(classes(x) != ["tbl_df", "tbl", "data.frame"], "str() of a tibble of a further class")
    inner = replace(how, no_list=True, level=how.level + 1, sized=True)
    return head + _list(Value("list", x._data, attrs(x, "names")), inner)


def _list(x: Value, how: _How) -> builtins.str:
    names = names_of(x)
    left_out = ["names"]
    out = ""
    if is_frame(x):
        left_out += ["class", "row.names"]
    elif not len(x):
        out = f" {'Named ' if names is not None else ''}list()\n"
    elif how.no_list:
        left_out.append("class")
    else:
        out = f"List of {len(x)}\n"
    if len(x) and how.level < how.max_level:
        labels = ["NA" if name is None else name for name in names or [""] * len(x)]
        wide = max(map(display_width, labels))
        for label, item in list(zip(labels, x._data, strict=True))[: how.list_len]:
            out += f"{how.indent}{how.mark}{pad(label, wide, 'left')}:" + structure_text(item, how.below())
        if how.list_len < len(x):
            out += f"{how.indent} [list output truncated]\n"
    refuse_if(classes(x) and not is_frame(x) and dim_of(x) is not None, "str() of a list with dimensions and a class")
    return out + _attributes(x, left_out, how)


def _attributes(x: Value, left_out: list[builtins.str], how: _How) -> builtins.str:
    if not how.attributes:
        return ""
    inner = replace(how.below(), sizes=how.sizes or how.framed, framed=False)
    attributes = sorted(without(x, *left_out)._attributes.items(), key=lambda item: item[0] != "names")
    return "".join(f'{how.indent}- attr(*, "{name}")={structure_text(value, inner)}' for name, value in attributes)


# ---- vectors -------------------------------------------------------------------------------------


def _shape(x: Value) -> builtins.str | None:
    extents = x._attributes.get("dim")
    if extents is None:
        return None
    parts = [("1:" if n > 1 else "") + f"{int(n)}" + ("" if n > 0 else " ") for n in extents._data]
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
        own = [name for name in own if name != "AsIs"] or own
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
    labels = ["NA" if level is None else escape_text(level, '"') for level in levels[:40]]
    lengths = np.cumsum([3 + display_width(text) - 2 for text in labels])
    most = len(labels)
    if most > 1 and lengths[-1] > 13:
        most = int(np.argmax(lengths > 13)) + 1
    ordered = inherits(x, "ordered")
    sign = "<" if ordered else ","
    head = (" Ord.f" if ordered else " F") + "actor" + (shape or "") + f" w/ {many} level{'s' * (many != 1)}"
    if many:
        head += " " + sign.join(_cut(text, '"') for text in labels[:most])
    head += f"{sign}.." * (most < many) + ":"
    return head, ["levels", "class", *(["dim"] if shape is not None else [])]


def _numbers(x: Value, how: _How) -> builtins.str:
    base = 4.0 if how.vec_len is None else how.vec_len
    most = 1.5 * base if x._kind == "logical" else float(np.round(2.5 * base))
    if x._kind == "double":
        first = x._data[: int(most)]
        known = first[~np.isnan(first)]
        size = np.abs(known)
        plain = ((size > 1e-10) | (size == 0)) & ((size < 1e10) | (size == 0))
        if not (plain.all() and (np.abs(known - signif(known, _DIGITS)) <= 9e-16 * size).all()):
            most = float(np.round(1.25 * base))
    n = min(most, len(x))
    chosen = Value(x._kind, x._data[: int(n)]) if n >= 1 else bare(x)
    line = "" if n < 1 and most <= 0 else " ".join(format_items(chosen, _NUMBERS)._data)
    return _cut(line, "") + (" ..." if len(x) > most else "")


def _trim(text: builtins.str, width: int) -> builtins.str:
    """Return a text cut to a width (R's ``strtrim``)."""
    ends = np.cumsum([display_width(letter) for letter in text])
    return text[: int((ends <= width).sum())]


def _cut(text: builtins.str, quote: builtins.str) -> builtins.str:
    if display_width(text) <= _MOST:
        return text
    end = f"{quote}| __truncated__"
    begun = _trim(text, _MOST - len(end))
    return text if begun in (text, text.removesuffix(quote) if quote else text) else begun + end


def _strings(x: Value, head: builtins.str, how: _How) -> builtins.str:
    most = max(100, 0 if how.vec_len is None else int(how.vec_len))
    items = list(x._data[:most])
    quoted = ["NA" if item is None else _cut(escape_text(_trim(item, _MOST), '"'), '"') for item in items]
    if how.vec_len is None:
        room = _WIDTH - (4 + 5 * how.level + display_width(head))
        widths = np.cumsum([1 + display_width(text) for text in quoted]) if quoted else np.array([1])
        n = max(1, int((widths < room).sum()))
    else:
        n = int(np.round(how.vec_len))
    if not n and quoted:
        return " ..."
    return " ".join(quoted[:n]) + (" ..." if len(items) > n else "")


# ---- others --------------------------------------------------------------------------------------


def _language(x: Value) -> builtins.str:
    text = f"{x._data[0]}"
    if inherits(x, "formula") or x._attributes or len(text) > 60 or not text.endswith(")") or "{" in text:
        raise NotSupportedError("str() of a formula, or a long call")
    return f" language {text}\n"


def _dates(x: Value, how: _How) -> builtins.str:
    refuse_if(not len(x) or (how.vec_len is not None and how.level == 0), "str() of no dates, or with vec.len")
    first = Value(x._kind, x._data[:1000], {"class": x._attributes["class"]})
    size = f"[1:{len(x)}]" if how.sizes else ""
    if how.level and how.vec_len is not None:
        how = replace(how, vec_len=min(how.vec_len, (_WIDTH - len(how.indent) - 31) // 19))
    texts = as_character(first)
    body = _strings(Value("character", texts._data), " chr" if len(first) == 1 else f" chr {size}", how)
    return f" {classes(x)[0]}{size}, format: {body}\n"
