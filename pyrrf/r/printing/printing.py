"""print(), cat() and the text of values as R's console shows them."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from typing import Any

from pyrrf.r.base.dates import format_times
from pyrrf.r.formatting.deparse import deparsed_lines
from pyrrf.r.formatting.formats import Form, Style, cells, escaped, formatted, padded, style
from pyrrf.r.printing.grids import array_lines, index_width, label_text, matrix_lines
from pyrrf.r.values.arguments import arguments, flag, number, text
from pyrrf.r.values.attributes import classes, dim_of, inherits, is_frame, names_of
from pyrrf.r.values.coercion import EMPTY, coerced
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.methods import method
from pyrrf.r.values.vector import NUMBERS, RError, Value, as_value, is_null, refuse, strings
from pyrrf.r.values.visibility import invisible, is_invisible
from pyrrf.rbase.text import display_width
from pyrrf.rlang.deparse import quoted

_SYMBOL = re.compile(r"(?:[^\W\d_]|\.(?!\d))[\w.]*")


# Classes whose values R prints in their own ways, which are not moved.
_OTHERS = frozenset(
    """acf anova aov aovlist ar Arima arima0 AsIs bibentry Bibtex by citation condition dendrogram density dist
    dummy_coef ecdf eigen factanal family glm hclust hexmode HoltWinters htest infl integrate isoreg kmeans listof lm
    loadings loess logLik ls_str medpolish mtable nls numeric_version object_size octmode packageInfo pairwise.htest
    person POSIXlt power.htest ppr prcomp princomp proc_time raster restart rle roman sessionInfo smooth.spline srcref
    stepfun stl StructTS summary.aov summary.aovlist summary.ecdf summary.glm summary.lm summary.loess summary.manova
    summary.nls summary.ppr summary.prcomp summary.princomp summary.table terms ts TukeyHSD tukeyline tukeysmooth
    xgettext xngettext ftable rfe sbf gbm xgb.Booster rpart svm naiveBayes cv.glmnet glmnet roc auc
    ranger ggplot trellis ksvm nnet lda qda rfcv resamples data.table grouped_df rowwise_df""".split()
)


# ---- print() -------------------------------------------------------------------------------------


@r_function(draws=True, prints=True, quiet=True, shows=True)
def show(value: Any) -> None:
    """Print what a statement of R alone on its line gives, unless it is invisible."""
    if not is_invisible(value):
        sys.stdout.write(shown(value) + "\n")


@r_function(draws=True, in_order=True, prints=True, quiet=True, shows=True)
def print(
    x: Any, digits: Any = None, quote: Any = None, na_print: Any = None, print_gap: Any = None, right: Any = None,
    max: Any = None, width: Any = None, *dots: Any, row_names: Any = None, max_levels: Any = None,
    zero_print: Any = None,
) -> Any:  # fmt: skip
    """Write a value to the console (R's ``print``), and return it."""
    x = as_value(x)
    if dots or zero_print is not None:
        refuse("print() with so many arguments is not moved")
    given = {"digits": digits, "gap": print_gap, "most": max, "width": width}
    changes: dict[str, Any] = {name: int(number(part)) for name, part in given.items() if not is_null(part)}
    changes |= {name: flag(part) for name, part in (("quote", quote), ("right", right)) if not is_null(part)}
    if changes.get("quote") and inherits(x, "table"):
        refuse("print() of a table with quote")
    if not is_null(na_print):
        changes["na"] = text(na_print)
    more = {"row_names": row_names, "max_levels": max_levels}
    if isinstance(x, Value) and x._kind == "list" and not classes(x) and any(v is not None for v in more.values()):
        refuse("print() of a list with row.names or max.levels is not moved")
    sys.stdout.write(shown(x, changes, **{k: v for k, v in more.items() if v is not None}) + "\n")
    return invisible(x)


def shown(x: Any, changes: dict[str, Any] | None = None, **more: Any) -> str:
    """Return the text that print() writes, without the end of the last line.

    Raises
    ------
    NotMovedError
        R prints the code of a function, or the value is of a class whose print() has no counterpart.
    """
    return _dispatched(as_value(x), style(), changes or {}, more)


def _dispatched(x: Any, usual: Style, changes: dict[str, Any], more: dict[str, Any] | None = None) -> str:
    if not isinstance(x, Value):
        refuse("R prints the code of a function, which is not kept")
    for name in classes(x):
        found = method("print", [name])
        if found is not None:
            return str(found(x, usual, changes, more or {}))
        if name in _OTHERS:
            refuse(f"print() of {name} is not moved")
    return plain_text(x, replace(usual, **changes))


def plain_text(x: Value, look: Style, tag: str = "") -> str:
    """Return what print.default() shows."""
    shape = dim_of(x) if not is_frame(x) else None
    if x._kind == "language":
        out = "\n".join(deparsed_lines(str(x._data[0])))
    elif x._kind == "opaque":
        refuse(f"print() of an object of type {x._data[0]} is not moved")
    elif shape is not None and len(shape) > 1:
        bare = replace(look, quote=False) if x._kind == "list" else look
        out = "\n".join(matrix_lines(x, bare) if len(shape) == 2 else array_lines(x, bare))
    elif x._kind == "list":
        out = _list_text(x, look, tag)
    else:
        out = _vector_text(x, look)
    return "\n".join([out, *_attribute_texts(x, look, tag)])


def _attribute_texts(x: Value, look: Style, tag: str) -> list[str]:
    shown = [name for name in x._attributes if name not in ("names", "dim", "dimnames", "comment")]
    out = []
    before = tag if tag.endswith(")") else ""  # R drops the place in a list.
    for name in shown:
        part = x._attributes[name]
        label = f'{before}attr(,"{name}")'
        out += [label, _part_text(part, look, label)]
    return out


def _part_text(item: Any, look: Style, tag: str) -> str:
    """Return an item of a list or an attribute: classes have a say, and others carry the tag on."""
    if isinstance(item, Value) and "class" not in item._attributes:
        return plain_text(item, look, tag)
    return _dispatched(item, look, {})


# ---- vectors -------------------------------------------------------------------------------------


def _vector_text(x: Value, look: Style) -> str:
    names = names_of(x)
    if not len(x):
        empty = "NULL" if x._kind == "NULL" else f"{EMPTY.get(x._kind, x._kind)}(0)"
        return f"named {empty}" if names is not None else empty
    n = len(x) if len(x) <= look.most + 1 else look.most
    part = Value(x._kind, x._data[:n])
    if names is not None:
        lines = _named_lines(part, names[:n], look)
        if dim_of(x) is not None:
            heading = names_of(x._attributes["dimnames"])
            lines = lines if heading is None else [escaped(heading[0] or ""), *lines]
    else:
        lines = _numbered_lines(part, look)
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
        items = (" " * look.gap + padded(t, width, side) for t in texts[start : start + per_line])
        lines.append(f"[{start + 1}]".rjust(stub) + "".join(items))
    return lines


def _named_lines(x: Value, names: list[str | None], look: Style) -> list[str]:
    texts, width = cells(x, look)
    labels = [label_text(name) for name in names]
    width = max(width, *map(display_width, labels))
    per_line = max(look.width // (width + look.gap), 1)
    gap = " " * look.gap
    return [
        "".join(padded(t, width) + gap for t in row[start : start + per_line])
        for start in range(0, len(texts), per_line)
        for row in (labels, texts)
    ]


# ---- lists ---------------------------------------------------------------------------------------


def _list_text(x: Value, look: Style, tag: str) -> str:
    names = names_of(x)
    if not len(x):
        return "list()" if names is None else "named list()"
    blocks = []
    for i, item in enumerate(x._data):
        label = tag + _tag(None if names is None else names[i] or ("<NA>" if names[i] is None else ""), i)
        blocks.append(f"{label}\n{_part_text(item, look, label)}\n")
    return "\n".join(blocks)


def _tag(name: str | None, i: int) -> str:
    if not name:
        return f"[[{i + 1}]]"
    return f"${name if name == '<NA>' else quoted(name)}"


# ---- classes -------------------------------------------------------------------------------------


def print_noquote(x: Value, usual: Style, changes: dict[str, Any], more: dict[str, Any]) -> str:
    """Return what print() shows of strings without quotes."""
    return _dispatched(without_class(x, "noquote"), usual, {"quote": False, **changes}, more)


def without_class(x: Value, name: str) -> Value:
    """Return a value that is no longer of a class."""
    left = [item for item in classes(x) if item != name]
    about = {k: v for k, v in x._attributes.items() if k != "class"}
    return Value(x._kind, x._data, {**about, "class": strings(left)} if left else about, x._hidden)


def print_formula(x: Value, usual: Style, changes: dict[str, Any], more: dict[str, Any]) -> str:
    """Return what print() shows of a formula."""
    return "\n".join(deparsed_lines(str(x._data[0])))


def print_simple_list(x: Value, usual: Style, changes: dict[str, Any], more: dict[str, Any]) -> str:
    """Return what print() shows of a list by lines: not moved."""
    refuse("print() of a simple.list is not moved")


def noquote(obj: Any, right: Any = False) -> Value:
    """Return strings that are printed without quotes (R's ``noquote``)."""
    x = as_value(obj)
    if inherits(x, "noquote"):
        return x
    mark = strings(["noquote", *classes(x)])
    if flag(right):
        mark._attributes["names"] = strings(["right", *[""] * len(classes(x))])
    return Value(x._kind, x._data, {**x._attributes, "class": mark}, x._hidden)


# ---- cat() ---------------------------------------------------------------------------------------


@r_function(in_order=True, prints=True, quiet=True)
def cat(
    *dots: Any, file: Any = "", sep: Any = " ", fill: Any = False, labels: Any = None, append: Any = False, **named: Any
) -> Any:
    """Write values beside each other (R's ``cat``): numbers with up to seven digits, strings as they are."""
    if not is_null(labels):
        refuse("cat() with labels is not moved")
    found = as_value(fill)
    width = style().width if found._kind == "logical" and found._data[0] else int(number(found))
    out = _Line(list(coerced(sep, "character")._data), width)
    try:
        for i, (_, item) in enumerate(arguments(dots, named)):
            out.take(item, i)
        out.close()
    finally:
        # What stands before an item that cannot be written is there in R, too.
        path = text(file)
        if path:
            with open(path, "a" if flag(append) else "w", encoding="utf-8", newline="") as stream:
                stream.write(out.text)
        else:
            sys.stdout.write(out.text)
    return invisible()


class _Line:
    """What cat() has written, and what stands between its items."""

    def __init__(self, seps: list[str], width: int) -> None:
        self.text, self.seps, self.width = "", seps, width
        self.count = self.column = 0

    def take(self, item: Any, i: int) -> None:
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


def _cat_texts(i: int, item: Any) -> list[str]:
    what = item._kind if isinstance(item, Value) else "closure"
    name = isinstance(item, Value) and what == "language" and _SYMBOL.fullmatch(str(item._data[0]))
    if name and not classes(item):
        return [str(item._data[0])]
    if what in ("closure", "language", "opaque") or (what == "list" and len(item)):
        raise RError(f"argument {i + 1} (type '{what}') cannot be handled by 'cat'")
    if what in NUMBERS:
        look = style()
        return [cells(Value(what, item._data[k : k + 1]), look)[0][0] for k in range(len(item))]
    return ["NA" if part is None else part for part in item._data] if what == "character" else []


def print_Date(x: Value, usual: Style, changes: dict[str, Any], more: dict[str, Any]) -> str:
    """Return what print() shows of dates and times: strings, with quotes."""
    if not len(x):
        return f"{classes(x)[0]} of length 0"
    if inherits(x, "POSIXct"):
        return plain_text(format_times(x, zone=True), replace(usual, **changes))
    return plain_text(formatted(x, Form()), replace(usual, **changes))


def print_difftime(x: Value, usual: Style, changes: dict[str, Any], more: dict[str, Any]) -> str:
    """Return what print() shows of spans of time."""
    units = text(x._attributes["units"])
    look = replace(usual, **changes)
    bare = Value(x._kind, x._data, {k: v for k, v in x._attributes.items() if k not in ("units", "class")})
    if len(x) > 1 or dim_of(x) is not None:
        return f"Time differences in {units}\n{plain_text(bare, look)}"
    return f"Time difference of {''.join(formatted(bare, Form(digits=look.digits))._data)} {units}"
