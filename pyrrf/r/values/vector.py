"""R's values: a vector of a type with its attributes, copied when it is changed, as in R.

Everything that a translated script holds is a `Value`, except functions, which are Python's. A data frame is a list
with names, row names and a class, a factor an integer vector with levels and a class, a matrix a vector with a dim: as
in R. What counts, counts from 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from os import PathLike, fspath
from typing import Any

import numpy as np

from pyrrf.r.values.errors import RError
from pyrrf.r.values.methods import default, operator
from pyrrf.rbase.vectors import REAL_NA
from pyrrf.unsupported_object import UnsupportedObject

KINDS = ("NULL", "logical", "integer", "double", "character", "list")
"""The narrowest first; `language` and `opaque` are not among them."""


NUMBERS = ("logical", "integer", "double")


def _operate(sign: str, *operands: Any) -> Value:
    result: Value = operator("Ops")(sign, *operands)
    return result


_Operator = Callable[["Value", Any], "Value"]


def _both_ways(sign: str) -> tuple[_Operator, _Operator]:
    """Return an operator for a value on its left side and for one on its right side alone."""

    def on_left(self: Value, other: Any) -> Value:
        return _operate(sign, self, other)

    def on_right(self: Value, other: Any) -> Value:
        return _operate(sign, other, self)

    return on_left, on_right


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
        """Take the content of another value: the new x of ``x[i] <- value``."""
        for name in ("_kind", "_data", "_attributes", "_hidden"):
            object.__setattr__(self, name, getattr(other, name))

    def __len__(self) -> int:
        return len(self._data)

    def __iter__(self) -> Iterator[Any]:
        """Yield the items as a loop of R does: without names, the labels of a factor, the columns of a frame."""
        if self._kind == "list":
            return iter([item.copy() if isinstance(item, Value) else item for item in self._data])
        source = default("loop")(self)
        return iter([Value(source._kind, source._data[i : i + 1]) for i in range(len(source._data))])

    def __bool__(self) -> bool:
        """Return the value as ``if`` takes it; RError if it is missing, empty, longer than one, or no condition."""
        if self._kind not in ("logical", "integer", "double", "character"):
            raise RError("argument is not interpretable as logical" if len(self) else "argument is of length zero")
        if len(self) != 1:
            raise RError("the condition has length > 1" if len(self) else "argument is of length zero")
        condition = default("as.one")(self, "logical")
        if condition != condition:
            missing = self._kind == "character" and self._data[0] is not None
            raise RError(
                "argument is not interpretable as logical" if missing else "missing value where TRUE/FALSE needed"
            )
        return bool(condition)

    def __float__(self) -> float:
        return float(default("as.one")(self, "double"))

    def __int__(self) -> int:
        return int(default("as.one")(self, "double"))

    def __index__(self) -> int:
        return int(self)

    def __str__(self) -> str:
        return str(default("as.one")(self, "character")) if len(self) == 1 and self._kind in KINDS[1:5] else repr(self)

    def __repr__(self) -> str:
        return str(default("show")(self))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        array = np.asarray(self.to_pandas())
        return array if dtype is None else array.astype(dtype)

    def to_pandas(self) -> Any:
        """Return the value as NumPy and pandas hold it.

        Returns
        -------
        ndarray, Categorical, Series, DataFrame, dict, list, str or None
            A Series where a vector has names, a DataFrame for a data frame and for a matrix with dimnames, a
            Categorical for a factor, a dict for a list with names, the text of a formula or a call. Whole numbers and
            logicals of which some are missing are pandas' own arrays.

        Examples
        --------
        >>> from pyrrf import r
        >>> r.quantile([1, 2, 4]).to_pandas()["50%"].item()
        2.0
        """
        return default("to_pandas")(self)

    __hash__ = None  # type: ignore[assignment]

    # ---- parts -----------------------------------------------------------------------------------

    def __getitem__(self, subscripts: Any) -> Any:
        """Return ``x[i]``, ``x[i, j]`` or ``x[[i]]`` as in R: from 1, negative ones leave out, ``:`` for nothing."""
        if isinstance(subscripts, list):
            return operator("[[")(self, *subscripts)
        return operator("[")(self, *(subscripts if isinstance(subscripts, tuple) else (subscripts,)))

    def __setitem__(self, subscripts: Any, value: Any) -> None:
        if isinstance(subscripts, list):
            self._become(operator("[[<-")(self, value, *subscripts))
        else:
            indices = subscripts if isinstance(subscripts, tuple) else (subscripts,)
            self._become(operator("[<-")(self, value, *indices))

    def __getattr__(self, name: str) -> Any:
        """Return ``x$name``."""
        if name.startswith("_"):
            raise AttributeError(name)
        return operator("$")(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        """Assign ``x$name <- value``."""
        if name.startswith("_"):
            raise AttributeError(f"{name} of a value cannot be set")
        self._become(operator("$<-")(self, value, name))

    # ---- operators -------------------------------------------------------------------------------

    __add__, __radd__ = _both_ways("+")
    __sub__, __rsub__ = _both_ways("-")
    __mul__, __rmul__ = _both_ways("*")
    __truediv__, __rtruediv__ = _both_ways("/")
    __floordiv__, __rfloordiv__ = _both_ways("%/%")
    __mod__, __rmod__ = _both_ways("%%")
    __pow__, __rpow__ = _both_ways("^")
    __matmul__, __rmatmul__ = _both_ways("%*%")
    __and__, __rand__ = _both_ways("&")
    __or__, __ror__ = _both_ways("|")
    __lt__, __gt__ = _both_ways("<")[0], _both_ways(">")[0]
    __le__, __ge__ = _both_ways("<=")[0], _both_ways(">=")[0]
    __eq__, __ne__ = _both_ways("==")[0], _both_ways("!=")[0]  # type: ignore[assignment]

    def __neg__(self) -> Value:
        return _operate("-", self)

    def __pos__(self) -> Value:
        return _operate("+", self)

    def __invert__(self) -> Value:
        return _operate("!", self)


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


def list_of(items: Iterable[Any], names: Iterable[str] | None = None, classes: str = "") -> Value:
    """Return a list of values, with names and a class if they are given."""
    about = {} if names is None else {"names": strings(names)}
    if classes:
        about["class"] = strings(classes.split())
    values = map(as_value, items)
    return Value("list", objects([item.copy() if isinstance(item, Value) else item for item in values]), about)


def objects(items: Iterable[Any]) -> np.ndarray:
    """Return an array of objects; NumPy does not look into them."""
    values = list(items)
    out = np.empty(len(values), dtype=object)
    for i, item in enumerate(values):
        out[i] = item
    return out


def null() -> Value:
    """Return NULL."""
    return Value("NULL", np.zeros(0))


def as_value(x: Any) -> Any:
    """Return a value of Python as one of R; functions stay.

    A Python number is a double, as in R; NumPy's integers are integers. pandas' tables, columns and categories become
    data frames, vectors with names and factors.

    Raises
    ------
    TypeError
        R has no such value.
    """
    if isinstance(x, Value):
        return x
    if callable(x):
        if isinstance(x, UnsupportedObject):  # it can be called, to refuse that
            raise x.error()
        return x
    if x is None:
        return null()
    if isinstance(x, bool | np.bool_):
        return logicals(x)
    if isinstance(x, str | PathLike):
        return strings(fspath(x))
    if isinstance(x, np.integer):
        return integers(x)
    if isinstance(x, int | float | np.floating):
        return doubles(x)
    return default("as.value")(x)


def missing_number(kind: str) -> float:
    """Return NA as the items of a kind hold it: in doubles its bits differ from those of NaN."""
    return REAL_NA if kind == "double" else np.nan


def copy(x: Any) -> Any:
    """Return a value that can be changed on its own, as after R's ``y <- x``; functions stay."""
    # A placeholder, whatever it is asked for, raises why it has no value.
    return x.copy() if hasattr(x, "copy") else x


def L(x: int) -> Value:
    """Return an integer: R's ``5L`` is ``r.L(5)``."""
    return integers(x)


def formula(text: str) -> Value:
    """Return a formula: R's ``y ~ x`` is ``r.formula("y ~ x")``."""
    return Value("language", objects([text]), {"class": strings("formula")})


NA = logicals(np.nan)
NA_integer_ = integers(np.nan)
NA_real_ = doubles(REAL_NA)
NA_character_ = strings([None])
NULL = null()
NaN = doubles(np.nan)
Inf = doubles(np.inf)
