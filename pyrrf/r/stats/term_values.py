"""The values of a formula's terms on a table: R's operators and functions, those of the caller on pandas' columns."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.formula.functions import ANY_TYPE, FUNCTIONS
from pyrrf.formula.grammar import Step
from pyrrf.formula.restrictions import wrap_ufunc
from pyrrf.r.arithmetic.operators import operate
from pyrrf.r.base.sets import contained
from pyrrf.r.values.convert import array_of, quiet, read
from pyrrf.r.values.kinds import factor_levels, inherits, is_factor, is_missing
from pyrrf.r.values.methods import own
from pyrrf.r.values.vector import NA, NUMBERS, NA_character_, NA_integer_, NA_real_, NaN, Value
from pyrrf.rbase.numbers import label, number_text
from pyrrf.rbase.vectors import REAL_NA
from pyrrf.rlang.deparse import TYPED_NA
from pyrrf.rlang.tokens import double_of, is_integer
from pyrrf.types import Column

_CONSTANTS: dict[str, Any] = {
    **{"TRUE": True, "FALSE": False, "True": True, "False": False, "T": True, "F": False},
    **{"NA": NA, "NA_integer_": NA_integer_, "NA_real_": NA_real_, "NA_character_": NA_character_},
    **{"NaN": NaN, "Inf": np.inf, "pi": np.pi},
}
# Methods of pandas for points in time, which no type of R holds here.
_OF_TIMES: dict[str, Callable[[Any, Any], Any]] = {
    **{"+": operator.add, "-": operator.sub, "==": operator.eq, "!=": operator.ne},
    **{"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge},
}
_IN_PYTHON = {"//": "%/%"}
_NUMBERS = ("integer", "floating", "mixed-integer-float", "boolean")
# From here on doubles do not hold every whole number.
_WHOLE = 2.0**53
_MOST_BREAKS = 10_000


def compute_steps(steps: Sequence[Step], data: pd.DataFrame, objects: Mapping[str, Any], by_label: bool) -> Any:
    """Compute steps on a table; `objects` are functions and numbers of the caller.

    With `by_label` numbers are of 15 digits, and none an integer.
    """
    return _Machine(data, objects, by_label).run(steps)


def is_condition(x: Any) -> bool:
    """Return whether values are logical to R."""
    return read(x)._kind == "logical"


class _Machine:
    """Machine that computes steps on a table, with a stack of R's vectors and of values of Python."""

    def __init__(self, data: pd.DataFrame, objects: Mapping[str, Any], by_label: bool) -> None:
        self.data, self.objects, self.by_label = data, objects, by_label
        self.stack: list[Any] = []

    def run(self, steps: Sequence[Step]) -> Any:
        for step in steps:
            self.stack.append(getattr(self, f"_{step.kind}")(step))
        return self._for_python(self.stack.pop())

    def _pop_operands(self, step: Step) -> tuple[list[Any], dict[str, Any]]:
        """Take the operands of a step from the stack: those by position, and those by name."""
        start = len(self.stack) - step.count
        operands, self.stack[start:] = self.stack[start:], []
        named = len(operands) - len(step.keywords)
        return operands[:named], dict(zip(step.keywords, operands[named:], strict=True))

    def _for_python(self, value: Any) -> Any:
        """Return a vector as a column, or as its one value; a double that is whole as an int."""
        if isinstance(value, Value):
            if len(value) == len(self.data):
                return pd.Series(_array(value), index=self.data.index)
            value = _single(value) if len(value) == 1 else _array(value)
        is_whole = isinstance(value, float) and abs(value) < _WHOLE and value == np.floor(value)
        return int(value) if is_whole else value

    def _from_r(self, value: Any, operands: Iterable[Any]) -> Any:
        """Return a vector, but of single values the one that they give."""
        several = any(isinstance(operand, Value) or np.ndim(operand) for operand in operands)
        return value if several or not isinstance(value, Value) or len(value) != 1 else _single(value)

    def _number(self, step: Step) -> float:
        value = double_of(step.value)
        if self.by_label:
            return double_of(number_text(value))
        return int(value) if is_integer(step.value) else value

    def _string(self, step: Step) -> str:
        return str(step.value)

    def _constant(self, step: Step) -> Any:
        return _CONSTANTS["NA" if step.value in TYPED_NA and self.by_label else step.value]

    def _column(self, step: Step) -> Any:
        return _widen(self.data[step.value])

    def _object(self, step: Step) -> Any:
        return self.objects[step.value]

    def _list(self, step: Step) -> list[Any]:
        return [self._for_python(value) for value in self._pop_operands(step)[0]]

    def _sign(self, step: Step) -> Any:
        operands, _ = self._pop_operands(step)
        if step.value in _OF_TIMES and len(operands) == 2 and any(map(_is_time, operands)):
            return _OF_TIMES[step.value](*map(self._for_python, operands))
        values = map(_vector, operands)
        sign = _IN_PYTHON.get(step.value, step.value)
        return self._from_r(contained(*values) if sign == "%in%" else operate(sign, *values), operands)

    def _call(self, step: Step) -> Any:
        positional, named = self._pop_operands(step)
        result = call_r(step.value, *positional, **{name.replace(".", "_"): value for name, value in named.items()})
        return self._from_r(result, [*positional, *named.values()])

    def _own(self, step: Step) -> Any:
        return self._call_python(wrap_ufunc(self.objects[step.value]), step)

    def _call_python(self, function: Callable[..., Any], step: Step) -> Any:
        positional, named = self._pop_operands(step)
        result = function(
            *map(self._for_python, positional), **{name: self._for_python(value) for name, value in named.items()}
        )
        return result.to_pandas() if isinstance(result, Value) else result

    def _method(self, step: Step) -> Any:
        index = len(self.stack) - step.count - 1
        result = self._call_python(getattr(self._for_python(self.stack[index]), step.value), step)
        self.stack.pop()
        return result

    def _attribute(self, step: Step) -> Any:
        return getattr(self._for_python(self.stack.pop()), step.value)

    def _index(self, step: Step) -> Any:
        return self._for_python(self.stack.pop())[step.value]


def _is_time(value: Any) -> bool:
    return not isinstance(value, Value) and getattr(getattr(value, "dtype", None), "kind", "") in ("m", "M")


def _single(vector: Value) -> Any:
    """Return the one value of a vector, as a bool, int, float or str; a missing one, but for NaN, stays a vector."""
    if vector._kind != "double" and is_missing(vector)[0]:
        return vector
    value = _array(vector)[0]
    return value.item() if isinstance(value, np.generic) else value


def _array(vector: Value) -> Any:
    """Return a vector as functions of Python take it."""
    return quiet(vector._data) if vector._kind == "double" else array_of(vector, np.int64)


def _widen(column: Column) -> Any:
    """Return small integers as 64 bits, where 8 would overflow and R's do not; numbers among objects as a vector."""
    if column.dtype == object and pd.api.types.infer_dtype(column, skipna=True) in _NUMBERS:
        return _vector(column)
    small = isinstance(column.dtype, np.dtype) and column.dtype.kind in "iu" and column.dtype.itemsize < 8
    return column.astype(np.int64) if small else column


# ---- R's functions -------------------------------------------------------------------------------


def call_r(function: str, *positional: Any, **named: Any) -> Any:
    """Return the value of a function of R: a vector without attributes, or a factor as pandas has it."""
    try:
        given = FUNCTIONS[function].bind(*positional, **named)
    except TypeError as error:
        raise TypeError(f"{function}(): {error}") from None
    if function == "I":
        return given.arguments["x"]
    taken = dict(given.arguments)
    for name, value in taken.items():
        given.arguments[name] = tuple(map(_vector, value)) if name == "dots" else _vector(value)
    if function not in ANY_TYPE:
        _check_numbers(function, given.arguments)
    result = own(function)(*given.args, **given.kwargs)
    return _categorical(result, taken) if is_factor(result) else Value(result._kind, result._data)


def _vector(x: Any) -> Value:
    """Return a vector of R; missing values of pandas are NA."""
    if isinstance(x, Value):
        return x
    vector = read(x)
    if vector._kind != "double":
        return vector
    return Value("double", np.where(np.isnan(vector._data), REAL_NA, vector._data))


def _check_numbers(function: str, given: Mapping[str, Any]) -> None:
    values = [given[name] for name in ("x", "y", "base", "digits", "breaks") if name in given]
    for value in [*values, *given.get("dots", ())]:
        if value._kind not in NUMBERS or is_factor(value):
            what = "a factor" if is_factor(value) else "strings"
            raise TypeError(f"{function} of {what}, which takes numbers")
    breaks = given.get("breaks")
    if breaks is not None and len(breaks) == 1 and not breaks._data[0] <= _MOST_BREAKS:
        raise ValueError(f"cut() into more than {_MOST_BREAKS} intervals")


def _categorical(x: Value, given: Mapping[str, Any]) -> pd.Categorical:
    """Return a factor whose levels have the type of their labels, where R has strings."""
    named_by = ("labels",) if "breaks" in given else ("labels", "levels", "x")
    source = next((given[name] for name in named_by if name in given), None)
    levels: list[Any] = factor_levels(x)
    if "labels" not in given and "breaks" not in given and _is_whole(given.get("x")):
        levels = [int(level) if level.lstrip("-").isdecimal() else level for level in levels]
    else:
        named = {label(item): item for item in reversed(_items(source))}
        levels = [named.get(level, level) for level in levels]
    codes = np.where(np.isnan(x._data), 0, x._data).astype(np.int64) - 1
    index: Any = pd.Index(levels)
    made: pd.Categorical = pd.Categorical.from_codes(codes, categories=index, ordered=inherits(x, "ordered"))
    return made


def _is_whole(x: Any) -> bool:
    vector = _vector(x)
    return vector._kind == "integer" and not is_factor(vector)


def _items(x: Any) -> list[Any]:
    """Return the distinct numbers and conditions of a vector, or of the levels of a factor, in order."""
    if not isinstance(x, Value) and isinstance(getattr(x, "dtype", None), pd.CategoricalDtype):
        x = x.dtype.categories
    vector = _vector(x)
    if vector._kind not in NUMBERS:
        return []
    items = np.unique(vector._data[~np.isnan(vector._data)] + 0.0).tolist()
    return [{"logical": bool, "integer": int, "double": float}[vector._kind](item) for item in items]
