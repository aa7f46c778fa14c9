"""Computations for groups of items: split, tapply, tables of counts, their shares and margins."""

from __future__ import annotations

import numpy as np

from pyrrf.checks import warn
from pyrrf.r.arithmetic.operators import operate, plainly
from pyrrf.r.base.factors import as_factor, factor, interaction
from pyrrf.r.base.frames import make_frame, row_ids
from pyrrf.r.base.functional import as_item, match_fun
from pyrrf.r.base.joining import code_label, rbind, with_texts
from pyrrf.r.base.lists import unlist
from pyrrf.r.base.matrices import as_matrix
from pyrrf.r.base.ordering import sort
from pyrrf.r.base.sets import match, unique
from pyrrf.r.base.sums import sum as total
from pyrrf.r.base.types import as_character, is_numeric, is_vector
from pyrrf.r.base.vectors import c, rep
from pyrrf.r.indexing.subscripts import ALL, items, take, taken
from pyrrf.r.values.arguments import UNKNOWN_CODE, Codes, arguments, codes
from pyrrf.r.values.coercion import attrs, bare, cells_of, coerce, without
from pyrrf.r.values.errors import NotSupportedError, RError, refuse_if, stop_if, stop_none
from pyrrf.r.values.functions import Flag, Given, Item, Text, Whole, r_function, refusing
from pyrrf.r.values.kinds import classes, factor_levels, inherits, is_factor, is_frame, is_list, is_missing, is_null
from pyrrf.r.values.labels import (
    dim_of,
    dimnames_along,
    dimnames_names,
    dimnames_of,
    dimnames_value,
    known_names,
    matrix_of,
    names_of,
    row_count,
    row_names,
)
from pyrrf.r.values.methods import method
from pyrrf.r.values.vector import NUMBERS, Value, as_value, doubles, integers, logicals, null, objects, strings
from pyrrf.rbase.vectors import REAL_NA

# ---- groups --------------------------------------------------------------------------------------


def _codes(index: Value) -> tuple[list[Value], list[str]]:
    """Return factors and their names, of one vector or of a list of them."""
    if is_list(index):
        names = [str(name or "") for name in names_of(index) or [""] * len(index)]
        return [as_factor(without_names(item)) for item in index._data], names
    return [as_factor(without_names(index))], [""]


def without_names(x: Value) -> Value:
    """Return a value without names."""
    return without(x, "names")


def rows_of_groups(codes: np.ndarray, n: int) -> list[np.ndarray]:
    """Return the rows, from 0, of each of n groups."""
    return [np.flatnonzero(codes == i + 1) for i in range(n)]


@r_function(unsupported="dots")
def split(x: Value, f: Value, drop: Flag = False, *dots: object, sep: object = ".", lex_order: object = False) -> Value:
    """Return a list of the items, or the rows, of each group."""
    factor = _split_factor(f, drop, sep, lex_order)
    levels = factor_levels(factor)
    size = row_count(x) if is_frame(x) else len(x)
    stop_if(is_null(x), "first argument must be a vector")
    stop_if(not len(factor) and size, "group length is 0 but data length > 0")
    if len(factor) and size % len(factor):
        warn("data length is not a multiple of split variable")
    codes = np.resize(factor._data, size)
    parts = [rows_of_group(x, rows) for rows in rows_of_groups(codes, len(levels))]
    return Value("list", objects(parts), {"names": strings(levels)})


def _split_factor(f: Value, drop: bool, sep: object = ".", lex_order: object = False) -> Value:
    """Return the factor by which split() makes groups."""
    refuse_if(f._kind == "language", "split() by a formula")
    if is_list(f):
        return interaction(f, drop=drop, sep=sep, lex_order=lex_order)
    if not is_factor(f):
        return as_factor(without_names(f))
    return factor(f) if drop else f


def rows_of_group(x: Value, rows: np.ndarray) -> Value:
    """Return some items of a vector, or rows of a data frame."""
    index = integers(rows + 1) if len(rows) else Value("integer", np.zeros(0))
    return taken(x, index, ALL, drop=False) if is_frame(x) else items(x, index)


@r_function()
def unsplit(value: Value, f: Value, drop: Flag = False) -> Value:
    """Return the items, or the rows, of groups in the order in which they stood."""
    factor = _split_factor(f, drop)
    groups = rows_of_groups(factor._data, len(factor_levels(factor)))
    sizes = [row_count(piece) if is_frame(piece) else len(piece) for piece in value._data]
    refuse_if(sizes != [len(group) for group in groups], "unsplit() of parts of other sizes than the groups")
    order = np.argsort(np.concatenate(groups), kind="stable") + 1.0
    refuse_if(np.isnan(factor._data).any(), "unsplit() by a factor with missing values")
    used = [piece for piece in value._data if not is_frame(piece) or row_count(piece)]
    if is_frame(value._data[0]):
        labels = [label for piece in used for label in row_names(piece)]
        joint = taken(rbind(*used), integers(order), ALL, drop=False)
        joint._attributes["row.names"] = strings(labels[int(i) - 1] for i in order)
        return joint
    refuse_if(any(names_of(piece) is not None for piece in used), "unsplit() of vectors with names")
    return items(c(*used), integers(order))


@r_function(repeats=True, called=("FUN",))
def tapply(
    X: Value,
    INDEX: Value,
    FUN: object = None,
    *dots: object,
    default: object = None,
    simplify: Flag = True,
    **named: object,
) -> Value:
    """Return the value of a function for each group: an array of one number each, or a list."""
    refuse_if(is_null(FUN) or default is not None, "tapply() without a function, or with a default")
    function = match_fun(FUN)
    stop_if(is_null(X), "first argument must be a vector")
    refuse_if(is_frame(X), "tapply() of a data frame; name one of its columns")
    factors, labels = _codes(INDEX)
    stop_if(not factors, "'INDEX' is of length zero")
    stop_if(any(len(key) != len(X) for key in factors), "arguments must have same length")
    shape = [len(factor_levels(key)) for key in factors]
    joint = np.zeros(len(X))
    for key, size in zip(factors[::-1], shape[::-1], strict=True):
        joint = joint * size + (key._data - 1)
    groups = [np.flatnonzero(joint == code) for code in range(int(np.prod(shape)))]
    more = {name.replace(".", "_"): item for name, item in named.items()}
    values = [as_item(function(rows_of_group(X, rows), *dots, **more)) if len(rows) else None for rows in groups]
    names = strings(labels) if any(labels) else None
    about = {"dim": integers(shape), "dimnames": dimnames_value([factor_levels(f) or None for f in factors], names)}
    known = [item for item in values if item is not None]
    if simplify and all(isinstance(item, Value) and len(item) == 1 and not is_list(item) for item in known):
        return _array_of(values, about)
    return Value("list", objects(null() if item is None else item for item in values), about)


def _array_of(values: list[Value | None], about: dict[str, Value]) -> Value:
    known = np.array([item is not None for item in values])
    if not known.any():
        return Value("logical", np.full(len(values), np.nan), about)
    flat = unlist(Value("list", objects(bare(item) for item in values if item is not None)))
    spread = take(flat, np.where(known, np.cumsum(known) - 1, -1))
    return Value(spread._kind, spread._data, about)


by = refusing("by", "by(); split() and lapply() are", repeats=True)


@r_function()
def stack(x: Value, *dots: object) -> Value:
    """Return the vectors of a list below each other, and the names of where they are from."""
    labels = names_of(x)
    if dots or not is_list(x) or labels is None:
        raise NotSupportedError("stack() of other than a list with names, or with a selection")
    refuse_if(not all(bool(is_vector(item)) for item in x._data), "stack() of what holds other than vectors")
    flat = unlist(Value("list", x._data))
    names = factor(strings(labels), levels=strings(dict.fromkeys(labels)))
    column = rep(names, integers([len(item) for item in x._data]))
    rows = names_of(flat)
    own = rows is not None and len(set(rows)) == len(rows)
    return make_frame([bare(flat), column], ["values", "ind"], strings(rows or []) if own else row_ids(len(flat)))


@r_function()
def rowsum(x: Value, group: Value, reorder: Flag = True, *dots: object, na_rm: Flag = False) -> Value:
    """Return the sums of the rows of each group."""
    stop_if(not is_frame(x) and not bool(is_numeric(x)), "'x' must be numeric")
    stop_if(len(group) != (dim_of(x) or (len(x),))[0], "incorrect length for 'group'")
    if bool(is_missing(group).any()):
        warn("missing values for 'group'")
        raise NotSupportedError("rowsum() by missing values")
    known = sort(unique(group)) if reorder else unique(group)
    codes = match(group, known)._data.astype(np.int64) - 1
    labels = [*as_character(known)._data]
    if is_frame(x):
        columns = [bare(_group_sums(column, codes, len(known), na_rm)) for column in x._data]
        return make_frame(columns, known_names(x), strings(labels))
    grid = as_matrix(x)
    sums = _group_sums(grid, codes, len(known), na_rm)
    sums._attributes["dimnames"] = dimnames_value([labels, dimnames_of(grid)[1]])
    return sums


def _group_sums(x: Value, codes: np.ndarray, n: int, na_rm: bool) -> Value:
    """Return sums in plain doubles, one after another, as R's rowsum() makes them."""
    grid = x._data.reshape((len(codes), -1), order="F")
    sums = np.zeros((n, grid.shape[1]))
    np.add.at(sums, codes, np.where(np.isnan(grid), 0.0, grid) if na_rm else grid)
    return matrix_of("double" if x._kind == "double" else "integer", sums)


# ---- tables of counts -----------------------------------------------------------------------------


Counted = tuple[np.ndarray, list[str | None]]


@r_function(in_order=True, dots_in_order=True)
def table(
    *dots: object,
    exclude: object = None,
    useNA: Text | None = None,
    dnn: object = None,
    deparse_level: Whole = 1,
    deparsed: Codes = None,
    **named: object,
) -> Value:
    """Return the counts of each value, or each combination of values, in vectors of one length."""
    refuse_if(deparse_level not in (0, 1), "table() with deparse.level = 2")
    given = with_texts(arguments(dots, named), map(code_label, codes(deparsed, dots) if deparse_level else []))
    labels = [name for name, _ in given]
    items = [item for _, item in given]
    if len(items) == 1 and is_list(items[0]):
        known = names_of(items[0])
        labels = labels if known is None else [str(name) for name in known]
        items = [*items[0]._data]
    if UNKNOWN_CODE in labels and dnn is None:
        raise NotSupportedError("table() of vectors that stand in ..., by whose code R names them")
    if dnn is not None:
        labels = [str(name) for name in coerce(dnn, "character")._data] if not is_null(dnn) else []
        if labels and (len(labels) < len(given) or is_missing(coerce(dnn, "character")).any()):
            raise NotSupportedError("table() with fewer names of dimensions than dimensions")
    if len(labels) != len(items) and given and is_list(given[0][1]):
        labels = [f"{labels[0] if labels else ''}.{k + 1}" for k in range(len(items))]
    way, out = _ways(useNA, exclude)
    return crosstab([_count_codes(item, way, out, exclude is not None) for item in items], labels)


def _ways(use: str | None, exclude: object) -> tuple[str, Value]:
    """Return "no", "ifany" or "always", and the values that are left out."""
    out = as_value(exclude)
    gaps = bool(is_missing(out).any())
    refuse_if(len(out) and out._kind != "character" and not gaps, "table() with exclude that is not text")
    if use is None:
        way = "ifany" if exclude is not None and not gaps else "no"
    else:
        matches = [known for known in ("no", "ifany", "always") if known.startswith(use)]
        stop_if(len(matches) != 1, "'arg' should be one of \u2018no\u2019, \u2018ifany\u2019, \u2018always\u2019")
        way = matches[0]
        if exclude is not None and way != "no" and gaps:
            warn("'exclude' containing NA and 'useNA' != \"no\"' are a bit contradicting")
    if exclude is None:
        out = doubles([REAL_NA, np.nan]) if way == "no" else null()
    return way, out


def _count_codes(x: Item, way: str, out: Value, excludes: bool) -> Counted:
    """Return codes and levels of a vector as table() counts them."""
    refuse_if(not isinstance(x, Value) or is_list(x), "table() of lists")
    was_factor = is_factor(x)
    coded = x if was_factor else factor(x, exclude=out)
    levels = factor_levels(coded)
    codes = coded._data
    gaps = bool(np.isnan(codes).any()) or (None in levels and bool((codes == levels.index(None) + 1).any()))
    add_level = None not in levels
    added = (way == "always" and (add_level or gaps)) or (way == "ifany" and gaps)
    if added:
        levels = levels + [None] * add_level
        codes = np.where(np.isnan(codes), levels.index(None) + 1, codes)
    if was_factor and excludes:
        kept = np.flatnonzero(match(strings(levels), out, 0)._data == 0)
        turn = np.full(len(levels) + 1, np.nan)
        turn[kept] = np.arange(1, len(kept) + 1)
        codes = turn[np.where(np.isnan(codes), len(levels) + 1, codes).astype(np.int64) - 1]
        levels = [levels[i] for i in kept]
    elif not was_factor and added:
        if way == "ifany" and not bool(is_missing(x).any()) and add_level:
            levels = [level for level in levels if level is not None]
            out = logicals(np.nan) if is_null(out) else c(out, logicals(np.nan))
        if not is_null(out):
            codes = np.where(match(x, out, 0)._data > 0, np.nan, codes)
    return codes, levels


def crosstab(parts: list[Counted], labels: list[str]) -> Value:
    """Return the table of vectors of codes and their levels."""
    stop_if(not parts, "nothing to tabulate")
    stop_if(len({len(codes) for codes, _ in parts}) != 1, "all arguments must have the same length")
    shape = tuple(len(levels) for _, levels in parts)
    known = ~np.any([np.isnan(codes) for codes, _ in parts], axis=0)
    indices = [codes[known].astype(np.int64) - 1 for codes, _ in parts]
    places = np.ravel_multi_index(indices, shape, order="F") if known.any() else np.zeros(0, dtype=np.int64)
    size = int(np.prod(shape))
    counts = np.bincount(places, minlength=size)[:size]
    about = {
        "dim": integers(shape),
        # R keeps no labels of a dimension without levels.
        "dimnames": dimnames_value([levels or None for _, levels in parts], strings(labels) if labels else None),
        "class": strings("table"),
    }
    return Value("integer", counts.astype(np.float64), about)


# ---- shares and margins --------------------------------------------------------------------------


def _margins(x: Value, margin: Value) -> list[int]:
    n = len(dim_of(x) or ())
    stop_if(not n or is_frame(x), "'x' is not an array")
    refuse_if(margin._kind == "character", "a margin by its name")
    axes = [int(v) - 1 for v in margin._data]
    stop_if(any(not 0 <= k < n for k in axes), "subscript out of bounds")
    return axes


@r_function()
def prop_table(x: Value, margin: Value | None = None) -> Value:
    """Return shares of the sum of all cells, or of each row (1), column (2) or pair of them."""
    if margin is None:
        return operate("/", x, total(x))
    axes, shape = _margins(x, margin), dim_of(x) or ()
    refuse_if(not len(x), "prop.table() of an empty table")
    sums = _sums(x, axes)._data.reshape([shape[k] for k in axes], order="F")
    wide = sums.transpose(np.argsort(axes)).reshape([n if k in axes else 1 for k, n in enumerate(shape)])
    bottom = np.broadcast_to(wide, shape).ravel(order="F")
    return Value("double", plainly("/", bare(x), doubles(bottom.copy()))._data, x._attributes)


proportions = prop_table


def _sums(x: Value, axes: list[int]) -> Value:
    """Return the sums over the other dimensions, without attributes."""
    shape = dim_of(x) or ()
    others = [k for k in range(len(shape)) if k not in axes]
    sizes = [int(np.prod([shape[k] for k in side])) for side in (axes, others)]
    flat = np.transpose(cells_of(x), [*axes, *others]).reshape(sizes, order="F")
    sums = [total(Value(x._kind, line.copy())) for line in flat]
    kind = sums[0]._kind if sums else "integer"
    return Value(kind, np.array([float(item._data[0]) for item in sums], dtype=np.float64))


@r_function()
def margin_table(x: Value, margin: Value | None = None) -> Value:
    """Return sums of rows (1) or columns (2), or of all."""
    if margin is None:
        return total(x)
    axes, shape = _margins(x, margin), dim_of(x) or ()
    sums, labels = _sums(x, axes), dimnames_along(x, axes)
    about = {"dim": integers([shape[k] for k in axes])} | ({} if labels is None else {"dimnames": labels})
    return Value(sums._kind, sums._data, about | attrs(x, "class"))


marginSums = margin_table


@r_function(unsupported="FUN", called=("FUN",))
def addmargins(A: Value, margin: Given = None, FUN: object = None, quiet: object = False) -> Value:
    """Return a table with sums added to its rows, columns, or both."""
    shape = dim_of(A)
    shape = stop_none(shape, "'A' must be an array or table")
    stop_if(is_frame(A), "invalid 'type' (list) of argument")
    if 0 in (shape if margin is None else [shape[axis] for axis in _margins(A, margin)]):
        raise RError("invalid 'length.out' value")
    made = A
    for axis in range(len(shape)) if margin is None else _margins(A, margin):
        made = _with_sums(made, axis)
    # array() has no class attribute; its class() becomes the class.
    inner = ["matrix", "array"] if len(shape) == 2 else ["array"]
    about = made._attributes | ({"class": strings(["table", *inner])} if inherits(A, "table") else {})
    return Value(made._kind, made._data, about)


def _with_sums(x: Value, axis: int) -> Value:
    shape = dim_of(x) or ()
    others = [k for k in range(len(shape)) if k != axis]
    sums = _sums(x, others) if others else margin_table(x)
    line = sums._data.reshape([1 if k == axis else n for k, n in enumerate(shape)], order="F")
    cells = np.concatenate([cells_of(x), line], axis=axis)
    labels = dimnames_of(x)
    labels[axis] = [*(labels[axis] or [""] * shape[axis]), "Sum"]
    about = {"dim": integers(cells.shape), "dimnames": dimnames_value(labels, dimnames_names(x))}
    return Value("double", cells.ravel(order="F"), about)


@r_function()
def as_table(x: Value) -> Value:
    """Return a matrix or a vector of counts as a table."""
    of_class = method("as.table", classes(x))
    if of_class is not None:
        return of_class(x)
    if inherits(x, "table"):
        return x
    stop_if(x._kind not in NUMBERS or inherits(x, "factor", "Date", "POSIXct", "difftime"), "cannot coerce to a table")
    shape = dim_of(x) or (len(x),)
    labels = dimnames_of(x) if dim_of(x) else [names_of(x)]
    full = [_letters(n) if texts is None else texts for texts, n in zip(labels, shape, strict=True)]
    dimnames = dimnames_value(full, dimnames_names(x))
    about = {"dim": integers(shape), "dimnames": dimnames, "class": strings(["table", *classes(x)])}
    return Value(x._kind, x._data, about)


def _letters(n: int) -> list[str | None]:
    refuse_if(n > 26, "as.table() of more than 26 rows without names")
    return [chr(65 + i) for i in range(n)]


ftable = refusing("ftable", "ftable()", formula=True)
xtabs = refusing("xtabs", "xtabs(), whose value holds its call; use table() or tapply()", formula=True)
