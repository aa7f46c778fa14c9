"""summary() of vectors, factors and data frames, and how R prints it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pyrrf.r.arithmetic.mathematics import round as rounded
from pyrrf.r.arithmetic.mathematics import signif
from pyrrf.r.base.frames import as_data_frame
from pyrrf.r.base.sums import mean
from pyrrf.r.formatting.formats import Form, Style
from pyrrf.r.formatting.formats import format as formatted
from pyrrf.r.printing.printing import Changes, plain_text
from pyrrf.r.printing.tables import table_text
from pyrrf.r.stats.statistics import quantile
from pyrrf.r.values.arguments import number
from pyrrf.r.values.coercion import attrs, bare, coerce
from pyrrf.r.values.errors import NotSupportedError, refuse_if
from pyrrf.r.values.functions import Given, Item, Number, r_function
from pyrrf.r.values.kinds import classes, factor_levels, inherits, is_factor, is_frame, is_list, is_missing
from pyrrf.r.values.labels import dim_of, dimnames_value, names_of, names_part
from pyrrf.r.values.options import option
from pyrrf.r.values.vector import NUMBERS, Value, doubles, integers, strings
from pyrrf.rbase.text import display_width
from pyrrf.rbase.vectors import REAL_NA
from pyrrf.rlang.tree import parse

_LABELS = ["Min.", "1st Qu.", "Median", "Mean", "3rd Qu.", "Max."]
_MARK = strings(["summaryDefault", "table"])
# Classes of lists that summary() treats as plain lists.
_LISTS = ("RRF", "randomForest")


@r_function(unsupported="dots")
def summary(object: Value, maxsum: Given = None, digits: Number | None = None, *dots: Item) -> Value:
    """Return R's summary() of a vector, a factor or a data frame."""
    # summary.default() takes the numbers of margin().
    value = bare(object) if classes(object) == ["margin"] else object
    refuse_if(inherits(value, "summaryDefault"), "summary() of a summary")
    figures = usual_digits() if digits is None else int(digits)
    if is_frame(value):
        return _of_frame(value, 7 if maxsum is None else int(number(maxsum)), figures)
    if is_factor(value):
        return _of_factor(value, 100 if maxsum is None else int(number(maxsum)))
    if len(dim_of(value) or ()) == 2 and not inherits(value, "table"):
        return _of_frame(as_data_frame(value), 7, figures)
    if digits is not None and (inherits(value, "Date") or is_list(value)):
        raise NotSupportedError("summary() of dates or lists with digits")
    if inherits(value, "Date"):
        return _of_dates(value)
    if is_list(value) and len(value) and (inherits(value, *_LISTS) or "class" not in value._attributes):
        return _of_list(value)
    if "class" in value._attributes or is_list(value) or value._kind not in (*NUMBERS, "character"):
        raise NotSupportedError("summary() of this kind of object")
    measures = _of_vector(value)
    if digits is None or measures._kind == "character":
        return measures
    return Value(measures._kind, signif(doubles(measures._data), digits)._data, measures._attributes)


def _of_vector(x: Value) -> Value:
    if x._kind == "character":
        return strings([str(len(x)), "character", "character"], _name_counts(["Length", "Class", "Mode"]))
    gaps = is_missing(x)
    if x._kind == "logical":
        return _of_logical(x, int(gaps.sum()))
    known = Value(x._kind, x._data[~gaps])
    parts = quantile(known, names=False)._data if len(known) else [REAL_NA] * 5
    measures, labels = [*parts[:3], float(mean(known)), *parts[3:]], [*_LABELS]
    if gaps.any():
        measures.append(float(gaps.sum()))
        labels.append("NA's")
    return doubles(measures, _name_counts(labels))


def _of_dates(x: Value) -> Value:
    """Return the summary of dates, to 12 significant digits; the count of missing ones is an attribute."""
    gaps = is_missing(x)
    measures = _of_vector(doubles(x._data[~gaps]))
    more = {"NAs": integers(int(gaps.sum()))} if gaps.any() else {}
    about = attrs(measures, "names") | more | {"class": strings(["summaryDefault", "table", *classes(x)])}
    return doubles(signif(bare(measures), 12)._data, about)


def _of_list(x: Value) -> Value:
    """Return the lengths, classes and modes of the items of a list."""
    lengths, modes = zip(*map(_length_and_mode, x._data), strict=True)
    marks = [(classes(item) or ["-none-"])[0] for item in x._data]
    labels = dimnames_value([names_of(x), ["Length", "Class", "Mode"]])
    about = {"dim": integers([len(x), 3]), "dimnames": labels, "class": _MARK}
    return strings([*formatted(integers(lengths))._data, *marks, *modes], about)


def _length_and_mode(item: Item) -> tuple[int, str]:
    if not isinstance(item, Value):
        return 1, "function"
    if item._kind == "language":
        tree = parse(str(item._data[0]))
        if tree.kind in ("name", "quoted"):
            return 1, "name"
        return len(tree.parts) + (tree.kind != "call"), "(" if tree.kind == "(" else "call"
    refuse_if(item._kind == "opaque", "summary() of a list with what R alone holds")
    return len(item), "numeric" if item._kind in ("integer", "double") else item._kind


def _name_counts(labels: list[str]) -> dict[str, Value]:
    return names_part(labels) | {"class": _MARK}


def _of_logical(x: Value, gaps: int) -> Value:
    counts = [("FALSE", int((x._data == 0).sum())), ("TRUE", int((x._data == 1).sum())), ("NA's", gaps)]
    some = [(name, str(count)) for name, count in counts if count]
    return strings(["logical", *(count for _, count in some)], _name_counts(["Mode", *(name for name, _ in some)]))


def _of_factor(x: Value, most: int) -> Value:
    levels = list(factor_levels(x))
    gaps = int(is_missing(x).sum())
    codes = x._data[~np.isnan(x._data)].astype(np.int64)
    counts = np.bincount(codes, minlength=len(levels) + 1)[1:].tolist()
    most -= gaps > 0
    if len(levels) > most:
        order = np.argsort(-np.array(counts), kind="stable")
        first, others = order[: most - 1], order[most - 1 :]
        levels = [*(levels[i] for i in first), "(Other)"]
        counts = [*(counts[i] for i in first), sum(counts[i] for i in others)]
    if gaps:
        levels, counts = [*levels, "NA's"], [*counts, gaps]
    return integers(counts, names_part(levels or None))


# ---- text ----------------------------------------------------------------------------------------


def zap_digits(x: Value) -> Value:
    """Return numbers rounded relative to the largest of them (R's zapsmall())."""
    finite = np.isfinite(x._data)
    if not finite.any():
        return x
    largest = float(np.abs(x._data[finite]).max())
    most = option("digits", 7)
    digits = max(0, most - np.log10(largest)) if largest > 0 else most
    data = x._data.copy()
    data[finite] = rounded(doubles(data[finite]), int(np.floor(digits + 0.5)))._data
    return Value(x._kind, data, x._attributes)


def usual_digits() -> int:
    """Return the significant digits of summaries."""
    return max(3, int(option("digits", 7)) - 3)


def summary_texts(x: Value, digits: int | None = None) -> Value:
    """Return a summary as text; the count of NA's is an integer."""
    digits = usual_digits() if digits is None else digits
    names = list(names_of(x) or [])
    if inherits(x, "Date"):
        dates = formatted(doubles(x._data, names_part(names or None) | {"class": strings("Date")}))
        gaps = x._attributes.get("NAs")
        return dates if gaps is None else _with_gaps(dates, names, gaps)
    if x._kind not in NUMBERS:
        return formatted(Value(x._kind, x._data, names_part(names)), digits=digits)
    small = zap_digits(bare(x))
    if "NA's" in names and x._kind == "double":
        place = names.index("NA's")
        texts = formatted(Value(small._kind, np.delete(small._data, place)), digits=digits)
        return _with_gaps(texts, [*names[:place], *names[place + 1 :]], doubles(small._data[place]))
    return strings(formatted(small, digits=digits)._data, names_part(names))


def _with_gaps(texts: Value, names: list[str | None], gaps: Value) -> Value:
    return strings([*texts._data, *coerce(gaps, "character")._data], names_part([*names, "NA's"]))


def print_summaryDefault(x: Value, usual: Style, changes: Changes, more: Changes) -> str:
    """Return the text of print() for a summary."""
    digits = int(changes.get("digits", usual_digits()))
    if dim_of(x) is not None:
        return table_text(x, replace(usual, **changes))
    if inherits(x, "Date"):
        return plain_text(summary_texts(x), replace(usual, **changes))
    summary_cells = summary_texts(x, digits)
    # R leaves missing cells blank, and aligns texts to the right.
    empty = () if "NA's" in (names_of(x) or []) else ("NaN", "NA")
    texts = ["" if str(text).strip() in empty else str(text).strip() for text in summary_cells._data]
    width = max((len(text) for text in texts), default=0)
    cells = strings([text.rjust(width) for text in texts], summary_cells._attributes)
    return plain_text(cells, replace(usual, **{**changes, "quote": False}))


# ---- data frames ---------------------------------------------------------------------------------


def _of_frame(x: Value, most: int, digits: int) -> Value:
    """Return R's table of texts, the summary of a data frame."""
    refuse_if(any(not name for name in names_of(x) or [""] * len(x)), "summary() of columns without names")
    columns = [_of_column(column, most) for column in x._data]
    refuse_if(any("names" not in column._attributes for column in columns), "summary() of a factor without levels")
    n = max((len(column) + ("NAs" in column._attributes) for column in columns), default=0)
    texts: list[str | None] = []
    labels = []
    for name, column in zip(names_of(x) or [], columns, strict=True):
        plain = Value(column._kind, column._data, attrs(column, "names"))
        default = inherits(column, "summaryDefault")
        measures = summary_texts(column, digits) if default else formatted(plain, digits=digits)
        marks, cells = formatted(strings(names_of(measures) or []))._data, measures._data
        lines: list[str | None] = [f"{mark}:{cell}  " for mark, cell in zip(marks, cells, strict=True)]
        texts += lines + [None] * (n - len(lines))
        pad = int(np.floor(display_width(marks[0]) - display_width(name or "NA") / 2))
        labels.append((display_width(marks[0]), pad, name or "NA"))
    widest = max((width for width, _, _ in labels), default=0) + 2
    heads = [" " * min(max(pad, 0), widest - 1) + name for _, pad, name in labels]
    shape = integers([n, len(columns)])
    about = {"dim": shape, "dimnames": dimnames_value([[""] * n, [*heads]]), "class": strings("table")}
    return strings(texts, about)


def _of_column(x: Value, most: int) -> Value:
    """Return the summary of a column, numbers to 12 significant digits."""
    if is_factor(x):
        return summary(x, most)
    return summary(x) if inherits(x, "Date") or is_list(x) else summary(x, digits=12)


def format_summaryDefault(x: Value, how: Form) -> Value:
    """Return a summary as text."""
    return summary_texts(x, how.digits)
