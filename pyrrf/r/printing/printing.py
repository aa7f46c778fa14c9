"""print(), cat() and the console text of values."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pyrrf.r.base.dates import format_times
from pyrrf.r.formatting.deparse import deparsed_lines
from pyrrf.r.formatting.formats import Form, Style, cells, escape_text, format_items, pad, style
from pyrrf.r.printing.grids import array_lines, index_width, label_text, matrix_lines
from pyrrf.r.values.arguments import arguments, text
from pyrrf.r.values.classes import unknown_classes
from pyrrf.r.values.coercion import EMPTY, coerce, without
from pyrrf.r.values.errors import RError, refuse
from pyrrf.r.values.functions import Flag, Item, Text, Whole, r_function
from pyrrf.r.values.held import handle_of
from pyrrf.r.values.kinds import classes, inherits, is_frame, is_null, kind_of
from pyrrf.r.values.labels import dim_of, dimnames_of, names_of
from pyrrf.r.values.methods import method
from pyrrf.r.values.vector import NUMBERS, Value, as_value, strings
from pyrrf.r.values.visibility import forget_invisible, invisible, is_invisible
from pyrrf.rbase.text import display_width
from pyrrf.rlang.deparse import quote_name

_SYMBOL = re.compile(r"(?:[^\W\d_]|\.(?!\d))[\w.]*")
Changes = Mapping[str, Any]
"""Arguments of print(): of a `Style`, or of some methods alone."""

# R's classes without a print() method; print.default() prints them.
_PLAINLY = "exclude margin omit ordered poly qr"


# ---- print() -------------------------------------------------------------------------------------


@r_function(does="draws prints", quiet=True, classes="held")
def show(value: object) -> None:
    """Print the value of a top-level statement of R, unless it is invisible."""
    if not is_invisible(value):
        if (handle := handle_of(value)) is not None:
            handle.owner.call("print", (value,), {})
        else:
            sys.stdout.write(console_text(value) + "\n")
    forget_invisible()


@r_function(does="draws prints", in_order=True, quiet=True, unsupported="dots zero_print", classes="any formula")
def print(
    x: Item, digits: Whole | None = None, quote: Flag | None = None, na_print: Text | None = None,
    print_gap: Whole | None = None, right: Flag | None = None, max: Whole | None = None, width: Whole | None = None,
    *dots: object, row_names: Value | None = None, max_levels: Whole | None = None, zero_print: object = None,
) -> Item:  # fmt: skip
    """Write a value to the console (R's ``print``), and return it."""
    changes = {
        "digits": digits, "gap": print_gap, "most": max, "width": width, "quote": quote, "right": right, "na": na_print
    }  # fmt: skip
    if quote and inherits(x, "table"):
        refuse("print() of a table with quote")
    more = _set_arguments(row_names=row_names, max_levels=max_levels)
    if kind_of(x) == "list" and not classes(x) and more:
        refuse("print() of a list with row.names or max.levels is not supported")
    sys.stdout.write(console_text(x, _set_arguments(**changes), **more) + "\n")
    return invisible(x)


def _set_arguments(**arguments: object) -> Changes:
    return {name: value for name, value in arguments.items() if value is not None}


def console_text(x: object, changes: Changes | None = None, **more: Any) -> str:
    """Return the text that print() writes, without the end of the last line."""
    if isinstance(x, Value) and handle_of(x):
        return f"<held by R: {' '.join(classes(x))}>"
    return _dispatch(as_value(x), style(), changes or {}, more)


def _dispatch(x: Item, usual: Style, changes: Changes, more: Changes) -> str:
    if not isinstance(x, Value):
        refuse("R prints the code of a function, which is not kept")
    for name in classes(x):
        print_method = method("print", [name])
        if print_method is not None:
            return str(print_method(x, usual, changes, more))
        if name in unknown_classes(_PLAINLY, "print"):
            refuse(f"print() of {name} is not supported")
    return plain_text(x, replace(usual, **changes))


def plain_text(x: Value, look: Style, tag: str = "") -> str:
    """Return the text of print.default()."""
    shape = dim_of(x) if not is_frame(x) else None
    if x._kind == "language":
        out = "\n".join(deparsed_lines(str(x._data[0])))
    elif x._kind == "opaque":
        refuse(f"print() of an object of type {x._data[0]} is not supported")
    elif shape is not None and len(shape) > 1:
        cells = replace(look, quote=look.quote and x._kind != "list")
        out = "\n".join((matrix_lines if len(shape) == 2 else array_lines)(x, cells))
    elif x._kind == "list":
        out = _list_text(x, look, tag)
    else:
        out = _vector_text(x, look)
    return "\n".join([out, *_attribute_texts(x, look, tag)])


def _attribute_texts(x: Value, look: Style, tag: str) -> list[str]:
    out = []
    before = tag if tag.endswith(")") else ""  # R drops the path within a list.
    # Arrays are labelled by dimnames, so their names are an ordinary attribute.
    elsewhere = {"dim", "dimnames", "comment"} | ({"names"} if "dim" not in x._attributes else set())
    for name, value in without(x, *elsewhere)._attributes.items():
        label = f'{before}attr(,"{name}")'
        out += [label, _part_text(value, look, label)]
    return out


def _part_text(item: Item, look: Style, tag: str) -> str:
    """Return the text of a list item or an attribute: by its class's method, or else with the tag."""
    if isinstance(item, Value) and "class" not in item._attributes:
        return plain_text(item, look, tag)
    return _dispatch(item, look, {}, {})


# ---- vectors -------------------------------------------------------------------------------------


def _vector_text(x: Value, look: Style) -> str:
    names = names_of(x) if dim_of(x) is None else dimnames_of(x)[0]
    if not len(x):
        empty = "NULL" if x._kind == "NULL" else f"{EMPTY.get(x._kind, x._kind)}(0)"
        return f"named {empty}" if names is not None else empty
    n = len(x) if len(x) <= look.most + 1 else look.most
    first = Value(x._kind, x._data[:n])
    if names is not None:
        lines = _named_lines(first, names[:n], look)
        if dim_of(x) is not None:
            labels = x._attributes.get("dimnames")
            heading = None if labels is None else names_of(labels)
            lines = lines if heading is None else [escape_text(heading[0] or ""), *lines]
    else:
        lines = _numbered_lines(first, look)
    if n < len(x):
        lines.append(f' [ reached getOption("max.print") -- omitted {len(x) - n} entries ]')
    return "\n".join(lines)


def _numbered_lines(x: Value, look: Style) -> list[str]:
    texts, width = cells(x, look)
    stub = index_width(len(x)) + 2
    side = "left" if x._kind == "character" and not look.right else "right"
    step = width + look.gap
    per_line = max((look.width - stub) // step, 1)
    lines = []
    for start in range(0, len(texts), per_line):
        items = (" " * look.gap + pad(t, width, side) for t in texts[start : start + per_line])
        lines.append(f"[{start + 1}]".rjust(stub) + "".join(items))
    return lines


def _named_lines(x: Value, names: list[str | None], look: Style) -> list[str]:
    texts, width = cells(x, look)
    labels = [label_text(name) for name in names]
    width = max(width, *map(display_width, labels))
    per_line = max(look.width // (width + look.gap), 1)
    gap = " " * look.gap
    return [
        "".join(pad(t, width) + gap for t in row[start : start + per_line])
        for start in range(0, len(texts), per_line)
        for row in (labels, texts)
    ]


# ---- lists ---------------------------------------------------------------------------------------


def _list_text(x: Value, look: Style, tag: str) -> str:
    names = names_of(x)
    if not len(x):
        return "list()" if names is None else "named list()"
    blocks = []
    for i, (name, item) in enumerate(zip(names or [""] * len(x), x._data, strict=True)):
        label = tag + (f"[[{i + 1}]]" if name == "" else f"${'<NA>' if name is None else quote_name(name)}")
        blocks.append(f"{label}\n{_part_text(item, look, label)}\n")
    return "\n".join(blocks)


# ---- classes -------------------------------------------------------------------------------------


def print_noquote(x: Value, usual: Style, changes: Changes, more: Changes) -> str:
    """Return the text of print() for a noquote object."""
    return _dispatch(_without_class(x, "noquote"), usual, {"quote": False, **changes}, more)


def print_AsIs(x: Value, usual: Style, changes: Changes, more: Changes) -> str:
    """Return the text of print() for an AsIs object."""
    return _dispatch(_without_class(x, "AsIs"), usual, changes, more)


def _without_class(x: Value, name: str) -> Value:
    left, plain = [other for other in classes(x) if other != name], without(x, "class")
    return Value(x._kind, x._data, plain._attributes | ({"class": strings(left)} if left else {}), x._hidden)


def print_formula(x: Value, usual: Style, changes: Changes, more: Changes) -> str:
    """Return the text of print() for a formula."""
    return "\n".join(deparsed_lines(str(x._data[0])))


def print_simple_list(x: Value, usual: Style, changes: Changes, more: Changes) -> str:
    """Refuse print() of a simple.list."""
    refuse("print() of a simple.list is not supported")


@r_function(classes="any formula")
def noquote(obj: Value, right: Flag = False) -> Value:
    """Return strings that are printed without quotes (R's ``noquote``)."""
    if inherits(obj, "noquote"):
        return obj
    mark = strings([*classes(obj), "noquote"])
    if right:
        mark._attributes["names"] = strings([*[""] * len(classes(obj)), "right"])
    return Value(obj._kind, obj._data, {**obj._attributes, "class": mark}, obj._hidden)


# ---- cat() ---------------------------------------------------------------------------------------


@r_function(in_order=True, does="prints", quiet=True, unsupported="labels")
def cat(
    *dots: object, file: Text = "", sep: Value | str = " ", fill: Value | bool = False, labels: object = None,
    append: Flag = False, **named: object,
) -> Value:  # fmt: skip
    """Write values one after the other (R's ``cat``): numbers with up to seven digits, strings as they are."""
    limit = as_value(fill)
    width = style().width if limit._kind == "logical" and limit._data[0] else int(limit)
    out = _Line(list(coerce(sep, "character")._data), width)
    try:
        for i, (_, item) in enumerate(arguments(dots, named)):
            out.take(item, i)
        out.close()
    finally:
        # R, too, writes the items before one that cannot be written.
        if file:
            with open(file, "a" if append else "w", encoding="utf-8", newline="") as stream:
                stream.write(out.text)
        else:
            sys.stdout.write(out.text)
    return invisible()


class _Line:
    """The output line of cat(), and the separators."""

    def __init__(self, seps: list[str], width: int) -> None:
        self.text, self.seps, self.width = "", seps, width
        self.count = self.column = 0

    def take(self, item: Item, i: int) -> None:
        """Write the items of an argument."""
        if i and not is_null(item):
            self.text += self.seps[(self.count - 1) % len(self.seps)]
        texts = _cat_texts(i, item)
        for j, piece in enumerate(texts):
            gap = self.seps[self.count % len(self.seps)]
            if self.width > 0 and self.column and self.column + len(piece) + len(gap) > self.width:
                self.text, self.column = self.text + "\n", 0
            self.text += piece + (gap if j + 1 < len(texts) else "")
            self.column += len(piece) + len(gap)
            self.count += 1

    def close(self) -> None:
        """End the line where R does: with `fill`, or if lines stand between the items."""
        if self.width > 0 or any("\n" in sep for sep in self.seps):
            self.text += "\n"


def _cat_texts(i: int, item: Item) -> list[str]:
    what = kind_of(item)
    if what == "language" and _SYMBOL.fullmatch(str(item._data[0])) and not classes(item):
        return [str(item._data[0])]
    if what == "opaque":
        refuse("cat() of what is not known here")
    if what in ("function", "language") or (what == "list" and len(item)):
        kind = "closure" if what == "function" else what
        raise RError(f"argument {i + 1} (type '{kind}') cannot be handled by 'cat'")
    if what in NUMBERS:
        look = style()
        return [cells(Value(what, item._data[k : k + 1]), look)[0][0] for k in range(len(item))]
    return ["NA" if item_text is None else item_text for item_text in item._data] if what == "character" else []


def print_Date(x: Value, usual: Style, changes: Changes, more: Changes) -> str:
    """Return the text of print() for dates and times: quoted strings."""
    if not len(x):
        return f"{classes(x)[0]} of length 0"
    texts = format_times(x, zone=True) if inherits(x, "POSIXct") else format_items(x, Form())
    return plain_text(texts, replace(usual, **changes))


def print_difftime(x: Value, usual: Style, changes: Changes, more: Changes) -> str:
    """Return the text of print() for time differences."""
    units = text(x._attributes["units"])
    look = replace(usual, **changes)
    numbers = without(x, "units", "class")
    if len(x) > 1 or dim_of(x) is not None:
        return f"Time differences in {units}\n{plain_text(numbers, look)}"
    return f"Time difference of {''.join(format_items(numbers, Form(digits=look.digits))._data)} {units}"
