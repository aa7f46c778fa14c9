"""R's values: a vector of a type with its attributes, copied when it is changed, as in R.

Everything that a moved script holds is a `Value`, except functions, which are Python's. A data frame is a list with
names, row names and a class, a factor an integer vector with levels and a class, a matrix a vector with a dim: as in
R. What counts, counts from 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from pyrrf.rbase.numbers import number_text
from pyrrf.rbase.vectors import MOST_INTEGER

KINDS = ("NULL", "logical", "integer", "double", "character", "list")
"""The narrowest first; `language` and `opaque` stand aside."""
NUMBERS = ("logical", "integer", "double")
REAL_NA: float = np.array([0x7FF00000000007A2], dtype=np.uint64).view(np.float64)[0]
"""R's NA among doubles, a NaN with a mark of its own."""
_LOW_WORD = 1954


class NotMovedError(Exception):
    """A piece of R that has no counterpart here; the message is the reason."""


class RError(Exception):
    """An error that R raises, too."""


class Value:
    """A vector of R.

    Parameters
    ----------
    kind : str
        One of `KINDS`; "language" for a formula or a call; "opaque" for what R alone can hold, such as an environment.
    data : ndarray
        Numbers of each kind as float64, NaN where missing; strings as objects, None where missing; the items of a list
        as objects: values or functions; the text of a formula or a call, or the type of an opaque object, as one item.
    attributes : dict of str to Value, optional
    """

    __slots__ = ("_attributes", "_data", "_hidden", "_kind")
    _kind: str
    _data: np.ndarray
    _attributes: dict[str, Value]
    _hidden: Any

    def __init__(self, kind: str, data: Any, attributes: Mapping[str, Value] | None = None, hidden: Any = None) -> None:
        put = object.__setattr__
        put(self, "_kind", kind)
        put(self, "_data", data)
        put(self, "_attributes", dict(attributes) if attributes else {})
        put(self, "_hidden", hidden)  # the fit of pyrrf that a list of class RRF or randomForest stands for

    # ---- Python's protocols ----------------------------------------------------------------------

    def copy(self) -> Value:
        """Return a value that can be changed on its own; the data are shared until then."""
        return Value(self._kind, self._data, self._attributes, self._hidden)

    def _become(self, other: Value) -> None:
        """Take the content of another value: what ``x[i] <- value`` makes of x."""
        for name in ("_kind", "_data", "_attributes", "_hidden"):
            object.__setattr__(self, name, getattr(other, name))

    def __len__(self) -> int:
        return len(self._data)

    def __iter__(self) -> Iterator[Any]:
        """Yield the items as a loop of R does: without names, the labels of a factor, the columns of a frame."""
        if self._kind == "list":
            return iter([item.copy() if isinstance(item, Value) else item for item in self._data])
        source = factor_labels(self) if is_factor(self) else self
        return iter([Value(source._kind, source._data[i : i + 1]) for i in range(len(source._data))])

    def __bool__(self) -> bool:
        """Return what ``if`` makes of the value.

        Raises
        ------
        RError
            It is missing, empty, longer than one, or no condition: R stops there, too.
        """
        if self._kind not in ("logical", "integer", "double", "character"):
            raise RError("argument is not interpretable as logical" if len(self) else "argument is of length zero")
        if len(self) != 1:
            raise RError("the condition has length > 1" if len(self) else "argument is of length zero")
        found = coerced(self, "logical")._data[0]
        if found != found:
            missing = self._kind == "character" and self._data[0] is not None
            raise RError(
                "argument is not interpretable as logical" if missing else "missing value where TRUE/FALSE needed"
            )
        return bool(found)

    def __float__(self) -> float:
        return float(one(self, "double"))

    def __int__(self) -> int:
        return int(one(self, "double"))

    def __index__(self) -> int:
        return int(self)

    def __str__(self) -> str:
        return str(one(self, "character")) if len(self) == 1 and self._kind in KINDS[1:5] else repr(self)

    def __repr__(self) -> str:
        from pyrrf.script.printing import shown

        return shown(self)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        found = native(self)
        array = np.asarray(found)
        return array if dtype is None else array.astype(dtype)

    __hash__ = None  # type: ignore[assignment]

    # ---- parts -----------------------------------------------------------------------------------

    def __getitem__(self, subscripts: Any) -> Any:
        """``x[i]``, ``x[i, j]`` and ``x[[i]]`` as R has them: from 1, negative ones leave out, ``:`` for nothing."""
        from pyrrf.script.subscripts import element, taken

        if isinstance(subscripts, list):
            return element(self, *subscripts)
        return taken(self, *subscripts) if isinstance(subscripts, tuple) else taken(self, subscripts)

    def __setitem__(self, subscripts: Any, value: Any) -> None:
        from pyrrf.script.replacement import changed, changed_element

        if isinstance(subscripts, list):
            self._become(changed_element(self, value, *subscripts))
        else:
            self._become(changed(self, value, *(subscripts if isinstance(subscripts, tuple) else (subscripts,))))

    def __getattr__(self, name: str) -> Any:
        """``x$name``."""
        if name.startswith("_"):
            raise AttributeError(name)
        from pyrrf.script.subscripts import component

        return component(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        """``x$name <- value``."""
        if name.startswith("_"):
            raise AttributeError(f"{name} of a value cannot be set")
        from pyrrf.script.replacement import put_component

        self._become(put_component(self, value, name))

    # ---- operators -------------------------------------------------------------------------------

    def __add__(self, other: Any) -> Value:
        return _operate("+", self, other)

    def __radd__(self, other: Any) -> Value:
        return _operate("+", other, self)

    def __sub__(self, other: Any) -> Value:
        return _operate("-", self, other)

    def __rsub__(self, other: Any) -> Value:
        return _operate("-", other, self)

    def __mul__(self, other: Any) -> Value:
        return _operate("*", self, other)

    def __rmul__(self, other: Any) -> Value:
        return _operate("*", other, self)

    def __truediv__(self, other: Any) -> Value:
        return _operate("/", self, other)

    def __rtruediv__(self, other: Any) -> Value:
        return _operate("/", other, self)

    def __floordiv__(self, other: Any) -> Value:
        return _operate("%/%", self, other)

    def __rfloordiv__(self, other: Any) -> Value:
        return _operate("%/%", other, self)

    def __mod__(self, other: Any) -> Value:
        return _operate("%%", self, other)

    def __rmod__(self, other: Any) -> Value:
        return _operate("%%", other, self)

    def __pow__(self, other: Any) -> Value:
        return _operate("^", self, other)

    def __rpow__(self, other: Any) -> Value:
        return _operate("^", other, self)

    def __matmul__(self, other: Any) -> Value:
        return _operate("%*%", self, other)

    def __rmatmul__(self, other: Any) -> Value:
        return _operate("%*%", other, self)

    def __and__(self, other: Any) -> Value:
        return _operate("&", self, other)

    def __rand__(self, other: Any) -> Value:
        return _operate("&", other, self)

    def __or__(self, other: Any) -> Value:
        return _operate("|", self, other)

    def __ror__(self, other: Any) -> Value:
        return _operate("|", other, self)

    def __lt__(self, other: Any) -> Value:
        return _operate("<", self, other)

    def __le__(self, other: Any) -> Value:
        return _operate("<=", self, other)

    def __gt__(self, other: Any) -> Value:
        return _operate(">", self, other)

    def __ge__(self, other: Any) -> Value:
        return _operate(">=", self, other)

    def __eq__(self, other: object) -> Value:  # type: ignore[override]
        return _operate("==", self, other)

    def __ne__(self, other: object) -> Value:  # type: ignore[override]
        return _operate("!=", self, other)

    def __neg__(self) -> Value:
        return _operate("-", self)

    def __pos__(self) -> Value:
        return _operate("+", self)

    def __invert__(self) -> Value:
        return _operate("!", self)


def _operate(sign: str, *operands: Any) -> Value:
    from pyrrf.script.operators import operated

    return operated(sign, *operands)


# ---- making values -------------------------------------------------------------------------------


def doubles(values: Any, attributes: Mapping[str, Value] | None = None) -> Value:
    """Return a vector of doubles."""
    return Value("double", np.atleast_1d(np.asarray(values, dtype=np.float64)), attributes)


def integers(values: Any, attributes: Mapping[str, Value] | None = None) -> Value:
    """Return a vector of integers, NaN where missing."""
    return Value("integer", np.atleast_1d(np.asarray(values, dtype=np.float64)), attributes)


def logicals(values: Any, attributes: Mapping[str, Value] | None = None) -> Value:
    """Return a vector of logicals, NaN where missing."""
    return Value("logical", np.atleast_1d(np.asarray(values, dtype=np.float64)), attributes)


def strings(values: Iterable[str | None] | str, attributes: Mapping[str, Value] | None = None) -> Value:
    """Return a vector of strings, None where missing."""
    return Value("character", objects([values] if isinstance(values, str) else values), attributes)


def listed(items: Iterable[Any], names: Iterable[str] | None = None, classes: str = "") -> Value:
    """Return a list of values, with names and a class if they are given."""
    about = {} if names is None else {"names": strings(names)}
    if classes:
        about["class"] = strings(classes.split())
    found = map(as_value, items)
    return Value("list", objects([item.copy() if isinstance(item, Value) else item for item in found]), about)


def objects(items: Iterable[Any]) -> np.ndarray:
    """Return an array of objects; NumPy does not look into them."""
    found = list(items)
    out = np.empty(len(found), dtype=object)
    for i, item in enumerate(found):
        out[i] = item
    return out


def null() -> Value:
    """Return NULL."""
    return Value("NULL", np.zeros(0))


def as_value(x: Any) -> Any:
    """Return what a value of Python is to R; functions stay.

    A Python number is a double, as in R; NumPy's integers are integers. pandas' tables, columns and categories become
    data frames, vectors with names and factors.

    Raises
    ------
    TypeError
        R has no such value.
    """
    if isinstance(x, Value) or callable(x):
        return x
    if x is None:
        return null()
    if isinstance(x, bool | np.bool_):
        return logicals(x)
    if isinstance(x, str):
        return strings(x)
    if isinstance(x, np.integer):
        return integers(x)
    if isinstance(x, int | float | np.floating):
        return doubles(x)
    from pyrrf.script.convert import value_of

    return value_of(x)


def copy(x: Any) -> Any:
    """Return a value that can be changed on its own: what R's ``y <- x`` gives; functions stay."""
    return x.copy() if isinstance(x, Value) else x


def L(x: int) -> Value:
    """Return an integer: R's ``5L`` is ``r.L(5)``."""
    return integers(x)


def formula(text: str) -> Value:
    """Return a formula: R's ``y ~ x`` is ``r.formula("y ~ x")``."""
    return Value("language", objects([text]), {"class": strings("formula")})


# ---- looking at values ---------------------------------------------------------------------------


def kind_of(x: Any) -> str:
    """Return the kind of a value; "function" for functions."""
    return x._kind if isinstance(x, Value) else "function"


def attribute(x: Value, name: str) -> Value | None:
    """Return an attribute; None without."""
    return x._attributes.get(name)


def classes(x: Any) -> list[str]:
    """Return the class attribute."""
    found = x._attributes.get("class") if isinstance(x, Value) else None
    return [] if found is None else list(found._data)


def inherits(x: Any, name: str) -> bool:
    """Whether the class attribute holds a name."""
    return name in classes(x)


def is_factor(x: Any) -> bool:
    """Whether the value is a factor."""
    return inherits(x, "factor")


def is_frame(x: Any) -> bool:
    """Whether the value is a data frame."""
    return inherits(x, "data.frame")


def is_list(x: Any) -> bool:
    """Whether the value is a list, such as a data frame."""
    return kind_of(x) == "list"


def names_of(x: Value) -> list[str | None] | None:
    """Return the names: of a vector, the columns of a frame, the labels of an array of one dimension."""
    found = x._attributes.get("names")
    if found is not None:
        return list(found._data)
    shape = dim_of(x)
    if shape is not None and len(shape) == 1:
        return dimnames_of(x)[0]
    return None


def dim_of(x: Any) -> tuple[int, ...] | None:
    """Return the dim attribute; of a data frame its rows and columns."""
    if not isinstance(x, Value):
        return None
    if is_frame(x):
        return row_count(x), len(x)
    found = x._attributes.get("dim")
    return None if found is None else tuple(int(n) for n in found._data)


def is_matrix(x: Any) -> bool:
    """Whether the value has two dimensions, and is no data frame."""
    return isinstance(x, Value) and not is_frame(x) and len(dim_of(x) or ()) == 2


def dimnames_of(x: Value) -> list[list[str | None] | None]:
    """Return the labels of each dimension; None where there are none."""
    if is_frame(x):
        return [row_names(x), names_of(x)]
    found = x._attributes.get("dimnames")
    shape = dim_of(x) or ()
    if found is None:
        return [None] * len(shape)
    return [None if part._kind == "NULL" else list(part._data) for part in found._data]


def dimnames_value(labels: Iterable[Sequence[str | None] | None], names: Value | None = None) -> Value:
    """Return dimnames as R stores them."""
    parts = [null() if part is None else strings(part) for part in labels]
    return Value("list", objects(parts), None if names is None else {"names": names})


def row_count(frame: Value) -> int:
    """Return how many rows a data frame has."""
    found = frame._attributes.get("row.names")
    return 0 if found is None else len(found)


def row_names(frame: Value) -> list[str | None]:
    """Return the names of a data frame's rows, as text."""
    found = frame._attributes.get("row.names")
    return [] if found is None else list(coerced(found, "character")._data)


def counted_rows(frame: Value) -> bool:
    """Whether R only counts the rows: they were never chosen from others, and have no names."""
    rows = frame._attributes["row.names"]
    plain = rows._kind == "integer" and rows._hidden != "given"
    return plain and np.array_equal(rows._data, np.arange(1, len(rows) + 1))


def factor_levels(x: Value) -> list[str | None]:
    """Return the levels of a factor."""
    found = x._attributes.get("levels")
    return [] if found is None else list(found._data)


def factor_labels(x: Value) -> Value:
    """Return a factor as strings, without attributes other than names."""
    levels = objects([*factor_levels(x), None])
    codes = np.where(np.isnan(x._data), len(levels), x._data).astype(np.int64) - 1
    kept = {"names": x._attributes["names"]} if "names" in x._attributes else None
    return Value("character", levels[codes], kept)


def is_missing(x: Value) -> np.ndarray:
    """Return where values are missing, NaN too, shape (n,)."""
    if x._kind in NUMBERS:
        return np.isnan(x._data)
    if x._kind == "character":
        return np.array([item is None for item in x._data], dtype=bool)
    if x._kind == "list":
        single = [isinstance(item, Value) and len(item) == 1 and item._kind in KINDS[1:5] for item in x._data]
        return np.array(
            [ok and bool(is_missing(item)[0]) for ok, item in zip(single, x._data, strict=True)], dtype=bool
        )
    return np.zeros(len(x), dtype=bool)


def is_na_mark(values: np.ndarray) -> np.ndarray:
    """Return where doubles are R's NA, not another NaN."""
    bits = np.ascontiguousarray(values).view(np.uint64)
    return np.isnan(values) & ((bits & np.uint64(0xFFFFFFFF)) == _LOW_WORD)


# ---- changing the kind ---------------------------------------------------------------------------


def coerced(x: Any, kind: str, keep: bool = False) -> Value:
    """Return a value as one of another kind.

    Parameters
    ----------
    x : value
        A factor counts by its codes, but becomes its labels among strings.
    kind : str
    keep : bool, default False
        Whether the attributes stay.

    Raises
    ------
    RError
        A list cannot become a vector.
    """
    x = as_value(x)
    if not isinstance(x, Value):
        if kind == "list":
            return Value("list", objects([x]))
        raise RError(f"a function cannot become a vector of type '{kind}'")
    about = x._attributes if keep else None
    if x._kind == kind:
        return x if keep or not x._attributes else Value(kind, x._data)
    if kind == "character" and is_factor(x):
        return Value(kind, factor_labels(x)._data, about)
    return Value(kind, _converted(x, kind), about)


def _converted(x: Value, kind: str) -> np.ndarray:
    if kind == "list":
        items = factor_items(x) if is_factor(x) else [Value(x._kind, x._data[i : i + 1]) for i in range(len(x))]
        return objects(items)
    if x._kind == "NULL":
        return np.zeros(0, dtype=object if kind == "character" else np.float64)
    if x._kind == "list":
        return _flat_items(x, kind)
    if kind == "character":
        return _as_text(x)
    if x._kind == "character":
        return _as_numbers(x._data, kind)
    if x._kind not in NUMBERS:
        raise RError(f"cannot coerce type '{x._kind}' to vector of type '{kind}'")
    return _as_kind(x._data, x._kind, kind)


def factor_items(x: Value) -> list[Value]:
    """Return the items of a factor, each a factor."""
    about = {name: part for name, part in x._attributes.items() if name in ("levels", "class")}
    return [Value("integer", x._data[i : i + 1], about) for i in range(len(x))]


def _flat_items(x: Value, kind: str) -> np.ndarray:
    parts = []
    for item in x._data:
        if kind == "character" and isinstance(item, Value) and len(item) != 1:
            from pyrrf.script.printing import deparsed

            parts.append(strings([deparsed(item)]))
        elif not isinstance(item, Value) or len(item) != 1 or item._kind not in KINDS[1:]:
            raise RError(f"'list' object cannot be coerced to type '{kind}'")
        else:
            parts.append(coerced(item, kind))
    empty = np.zeros(0, dtype=object if kind == "character" else np.float64)
    return np.concatenate([part._data for part in parts]) if parts else empty


def _as_text(x: Value) -> np.ndarray:
    if x._kind == "logical":
        return objects([None if v != v else "TRUE" if v else "FALSE" for v in x._data.tolist()])
    if x._kind == "integer":
        return objects([None if v != v else str(int(v)) for v in x._data.tolist()])
    if x._kind == "double":
        marks = is_na_mark(x._data).tolist()
        texts = zip(x._data.tolist(), marks, strict=True)
        return objects([None if gap else "NaN" if v != v else number_text(v) for v, gap in texts])
    return x._data.copy()


def _as_numbers(texts: np.ndarray, kind: str) -> np.ndarray:
    if kind == "logical":
        known = {
            **dict.fromkeys(("T", "TRUE", "true", "True"), 1.0),
            **dict.fromkeys(("F", "FALSE", "false", "False"), 0.0),
        }
        return np.array([known.get(text, np.nan) for text in texts], dtype=np.float64)
    from pyrrf.checks import warn
    from pyrrf.rbase.numbers import read_number

    found = [None if text is None or text.strip() == "NA" else read_number(text.strip()) for text in texts]
    if any(v is None and text is not None and text.strip() != "NA" for v, text in zip(found, texts, strict=True)):
        warn("NAs introduced by coercion")
    values = np.array([REAL_NA if v is None else v for v in found], dtype=np.float64)
    return values if kind == "double" else _as_kind(values, "double", kind)


def _as_kind(values: np.ndarray, kind: str, wanted: str) -> np.ndarray:
    gaps = np.isnan(values)
    if wanted == "double":
        return np.where(gaps, REAL_NA, values)
    if wanted == "logical":
        return np.where(gaps, np.nan, (values != 0).astype(np.float64))
    if kind == "logical":
        return values
    whole = np.trunc(values) + 0.0
    beyond = np.abs(whole) > MOST_INTEGER
    if beyond.any():
        from pyrrf.checks import warn

        warn("NAs introduced by coercion to integer range")
    return np.where(beyond, np.nan, whole)


def wider(*kinds: str) -> str:
    """Return the widest of some kinds; what has no place among them makes a list."""
    return max((kind if kind in KINDS else "list" for kind in kinds), key=KINDS.index, default="NULL")


def one(x: Any, kind: str) -> Any:
    """Return the only item of a value as Python's own.

    Raises
    ------
    RError
        It has none or several.
    """
    found = coerced(x, kind)
    if len(found) != 1:
        raise RError(f"a single value is needed, not {len(found)}")
    return found._data[0]


def native(x: Value) -> Any:
    """Return an array, Series, Categorical, DataFrame, list or dict: the value as NumPy and pandas hold it."""
    from pyrrf.script.convert import python_of

    return python_of(x)


def refuse(what: str) -> NoReturn:
    """Say that a call has no counterpart here."""
    raise NotMovedError(what)


# ---- numbers of Python for arguments of functions --------------------------------------------------


def flag(x: Any, name: str = "argument") -> bool:
    """Return a logical that must not be missing."""
    found = one(x, "logical")
    if found != found:
        raise RError(f"{name} is NA")
    return bool(found)


def number(x: Any) -> float:
    """Return a number; NaN where it is missing."""
    return float(one(x, "double"))


def text(x: Any) -> str:
    """Return a string."""
    return str(one(x, "character"))


def is_null(x: Any) -> bool:
    """Whether a value is NULL, or Python's None."""
    return x is None or (isinstance(x, Value) and x._kind == "NULL")


# ---- arguments in dots -----------------------------------------------------------------------------


class Named:
    """An argument with a name among arguments without: ``r.c(r.named("a", 1), 2)``."""

    def __init__(self, name: str, value: Any) -> None:
        self.name, self.value = name, value


def named(name: str, value: Any) -> Named:
    """Return an argument with a name, to stand before arguments without."""
    return Named(name, value)


def arguments(dots: Iterable[Any], keywords: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Return the arguments that R's ``...`` would hold: names ('' without one) and values, in order."""
    found = [(item.name, as_value(item.value)) if isinstance(item, Named) else ("", as_value(item)) for item in dots]
    return found + [(name, as_value(item)) for name, item in keywords.items()]


class Mask:
    """What a name is inside of ``with(data, ...)``: ``m.age`` is a column, ``m("n", lambda: n)`` a column or else n.

    Columns whose names are none of Python are ``m["n.tree"]``.
    """

    def __init__(self, data: Value) -> None:
        self._items = dict(zip(names_of(data) or [], data._data, strict=True))

    def __getitem__(self, name: str) -> Any:
        if name not in self._items:
            raise RError(f"object '{name}' not found")
        found = self._items[name]
        return found.copy() if isinstance(found, Value) else found

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name]

    def __call__(self, name: str, otherwise: Callable[[], Any]) -> Any:
        """Return a column, or else what a name is outside."""
        return self[name] if name in self._items else otherwise()

    def __contains__(self, name: str) -> bool:
        return name in self._items


NA = logicals(np.nan)
NA_integer_ = integers(np.nan)
NA_real_ = doubles(REAL_NA)
NA_character_ = strings([None])
NULL = null()
NaN = doubles(np.nan)
Inf = doubles(np.inf)
