"""One expression of a formula: its name in R's spelling, and its values on a table.

The text is R's, with a little of Python's: ``log(zn + 1)``, ``I(rm^2)``, ``np.log(price)``, ``price.mean()``.
"""

from __future__ import annotations

import keyword
import operator
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import _PACKAGE
from pyrrf.formula.fence import REMEDY, check_length, check_steps, guarded, hides, reach
from pyrrf.formula.functions import FUNCTIONS
from pyrrf.formula.grammar import REFUSED, Step, steps_of
from pyrrf.rbase.numbers import number_text
from pyrrf.rbase.typed import operate
from pyrrf.rbase.vectors import Vector, read
from pyrrf.rlang.deparse import TYPED_NA, deparse
from pyrrf.rlang.tokens import Token, double_of, is_integer, scan
from pyrrf.rlang.tree import Node, parse
from pyrrf.types import Column, Labels

# What R has as variables, which those of the caller hide; its words stand for nothing else.
_VARIABLES = {"T": True, "F": False, "pi": np.pi}
CONSTANTS: dict[str, Any] = {
    **{"TRUE": True, "FALSE": False, "True": True, "False": False, "NaN": np.nan, "Inf": np.inf},
    "NA": Vector("logical", np.array([np.nan])),
    "NA_integer_": Vector("integer", np.array([np.nan])),
    "NA_real_": Vector("double", np.array([np.nan])),
    "NA_character_": Vector("character", np.array([None], dtype=object)),
    **_VARIABLES,
}
# What pandas does for points in time, of which R's types have none here.
_OF_TIMES: dict[str, Callable[[Any, Any], Any]] = {
    **{"+": operator.add, "-": operator.sub, "==": operator.eq, "!=": operator.ne},
    **{"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge},
}
_NUMBERS = ("integer", "floating", "mixed-integer-float", "boolean")
# Doubles from here on are not all whole numbers that Python has as such.
_WHOLE = 2.0**53


@dataclass(frozen=True)
class Expression:
    """An expression that can be evaluated on a table.

    Parameters
    ----------
    label : str
        R's name of the column that it gives.
    steps : tuple of Step
        What is computed, operands first.
    columns : tuple of str
        Columns of the data, in order of appearance.
    objects : dict of str to object
        Functions and numbers of the caller, by their names.
    """

    label: str
    steps: tuple[Step, ...]
    columns: tuple[str, ...]
    objects: Mapping[str, Any] = field(default_factory=dict)

    @property
    def bare(self) -> bool:
        """Whether this is a plain column."""
        return len(self.steps) == 1 and self.steps[0].kind == "column" and self.label == self.steps[0].value

    def evaluate(self, data: pd.DataFrame, by_label: bool = False) -> Column:
        """Return the values, labelled with the rows of `data`.

        Parameters
        ----------
        data : DataFrame
        by_label : bool, default False
            Whether numbers are read from `label`, as R does for predictors: of 15 digits, and none an integer.

        Raises
        ------
        ValueError
            It cannot be evaluated, or does not give one value per row.
        """
        if self.bare:
            return data[self.columns[0]]
        try:
            value = _Machine(data, self.objects, by_label).run(self.steps)
        except Exception as error:
            shown = f"{type(error).__name__}: {error}"
            raise ValueError(f"{self.label!r} of the formula cannot be computed ({shown}){REMEDY}") from error
        return _as_column(value, data.index, self.label)


class _Machine:
    """Computes steps on a table, with a stack of values: R's vectors, and what functions of Python take and give."""

    def __init__(self, data: pd.DataFrame, objects: Mapping[str, Any], by_label: bool) -> None:
        self.data, self.objects, self.by_label = data, objects, by_label
        self.stack: list[Any] = []

    def run(self, steps: Sequence[Step]) -> Any:
        for step in steps:
            self.stack.append(getattr(self, f"_{step.kind}")(step))
        return self._for_python(self.stack.pop())

    def _taken(self, step: Step) -> tuple[list[Any], dict[str, Any]]:
        """Take the operands of a step from the stack: those by position, and those by name."""
        start = len(self.stack) - step.count
        found, self.stack[start:] = self.stack[start:], []
        named = len(found) - len(step.keywords)
        return found[:named], dict(zip(step.keywords, found[named:], strict=True))

    def _for_python(self, value: Any) -> Any:
        """Return a vector as a column, or as its one value; a double that is whole as an int."""
        if isinstance(value, Vector):
            if len(value) == len(self.data):
                return pd.Series(value.native(), index=self.data.index)
            value = _single(value) if len(value) == 1 else value.native()
        is_whole = isinstance(value, float) and abs(value) < _WHOLE and value == np.floor(value)
        return int(value) if is_whole else value

    def _from_r(self, value: Any, operands: Sequence[Any]) -> Any:
        """Return a vector, but of single values the one that they give."""
        several = any(isinstance(part, Vector) or np.ndim(part) for part in operands)
        return value if several or not isinstance(value, Vector) or len(value) != 1 else _single(value)

    def _number(self, step: Step) -> float:
        value = double_of(step.value)
        if self.by_label:
            return double_of(number_text(value))
        return int(value) if is_integer(step.value) else value

    def _string(self, step: Step) -> str:
        return str(step.value)

    def _constant(self, step: Step) -> Any:
        return CONSTANTS["NA" if step.value in TYPED_NA and self.by_label else step.value]

    def _column(self, step: Step) -> Any:
        return _widened(self.data[step.value])

    def _object(self, step: Step) -> Any:
        return self.objects[step.value]

    def _list(self, step: Step) -> list[Any]:
        return [self._for_python(value) for value in self._taken(step)[0]]

    def _sign(self, step: Step) -> Any:
        operands, _ = self._taken(step)
        if step.value in _OF_TIMES and len(operands) == 2 and any(map(_is_time, operands)):
            return _OF_TIMES[step.value](*map(self._for_python, operands))
        return self._from_r(operate(step.value, *operands), operands)

    def _call(self, step: Step) -> Any:
        positional, named = self._taken(step)
        value = FUNCTIONS[step.value](*positional, **{name.replace(".", "_"): value for name, value in named.items()})
        return self._from_r(value, [*positional, *named.values()])

    def _own(self, step: Step) -> Any:
        return self._called(guarded(self.objects[step.value]), step)

    def _called(self, function: Callable[..., Any], step: Step) -> Any:
        positional, named = self._taken(step)
        return function(
            *map(self._for_python, positional), **{name: self._for_python(value) for name, value in named.items()}
        )

    def _method(self, step: Step) -> Any:
        at = len(self.stack) - step.count - 1
        found = self._called(getattr(self._for_python(self.stack[at]), step.value), step)
        self.stack.pop()
        return found

    def _attribute(self, step: Step) -> Any:
        return getattr(self._for_python(self.stack.pop()), step.value)

    def _index(self, step: Step) -> Any:
        return self._for_python(self.stack.pop())[step.value]


def _is_time(value: Any) -> bool:
    return not isinstance(value, Vector) and getattr(getattr(value, "dtype", None), "kind", "") in ("m", "M")


def _single(vector: Vector) -> Any:
    """Return the one value of a vector, as a bool, int, float or str; a factor and what is missing stay vectors."""
    if vector.kind == "factor" or (vector.missing[0] and vector.kind != "double"):
        return vector
    value = vector.native()[0]
    return value.item() if isinstance(value, np.generic) else value


def _widened(column: Column) -> Any:
    """Return small integers as 64 bits, where 8 would overflow and R's do not; numbers among objects as a vector."""
    if column.dtype == object and pd.api.types.infer_dtype(column, skipna=True) in _NUMBERS:
        return read(column)
    small = isinstance(column.dtype, np.dtype) and column.dtype.kind in "iu" and column.dtype.itemsize < 8
    return column.astype(np.int64) if small else column


def _as_column(value: Any, rows: Labels, label: str) -> Column:
    if np.ndim(value) == 0 and len(rows) == 1:
        return pd.Series([value], index=rows, name=label)
    if isinstance(value, pd.DataFrame) or np.ndim(value) != 1:
        raise ValueError(f"{label!r} of the formula gives shape {np.shape(value)}, not one value per row{REMEDY}")
    if len(value) != len(rows):
        raise ValueError(f"{label!r} of the formula gives {len(value)} values for {len(rows)} rows{REMEDY}")
    if not isinstance(value, pd.Series):
        return pd.Series(value, index=rows, name=label)
    if not value.index.equals(rows):
        raise ValueError(f"{label!r} of the formula gives other row labels than data has{REMEDY}")
    return value.rename(label)


# ---- from text to expression ---------------------------------------------------------------------


class Compiler:
    """Turns trees into expressions on given columns.

    Parameters
    ----------
    columns : sequence of str
        Columns of the data.
    """

    def __init__(self, columns: Sequence[str]) -> None:
        self.places = {column: f"_c{at}" for at, column in enumerate(columns)}
        self.scope = caller_scope()

    def column(self, name: str) -> Expression:
        """Return the expression of one column."""
        return Expression(name, (Step("column", name),), (name,))

    def compile(self, tree: Node, integers: bool = False) -> Expression:
        """Return the expression of a tree.

        Parameters
        ----------
        tree : Node
        integers : bool, default False
            Whether the label shows which numbers are integers.

        Raises
        ------
        ValueError
            A name is unknown, or it holds what terms do not take.
        """
        check_length(tree)
        label = deparse(tree, integers)
        objects: dict[str, Any] = {}
        try:
            steps = steps_of(tree, lambda node, called: self._leaf(node, called, objects))
        except _UnknownError as error:
            raise ValueError(str(error)) from None
        except ValueError as error:
            raise ValueError(f"{label!r} of the formula cannot be computed: {error}{REMEDY}") from None
        check_steps(label, steps, objects)
        if tree.kind in ("name", "quoted") and len(steps) == 1 and steps[0].kind == "column":
            return self.column(steps[0].value)
        columns = dict.fromkeys(step.value for step in steps if step.kind == "column")
        return Expression(label, steps, tuple(columns), objects)

    def _leaf(self, node: Node, called: bool, objects: dict[str, Any]) -> list[Step]:
        """Return what a name stands for: a column with attributes, a function, a constant, or what the caller has."""
        text = node.text
        if called and node.kind == "name" and (function := self._function(text, objects)):
            return [function]
        column = text if node.kind == "quoted" else self._split(text)
        if column in self.places:
            rest = text.removeprefix(column)
            return [Step("column", column), *(Step("attribute", part) for part in rest.split(".")[1:])]
        hidden = text in _VARIABLES and text in self.scope
        if node.kind == "name" and text in CONSTANTS and not hidden:
            return [Step("constant", text)]
        objects[text] = self._outside(node)
        return [Step("own" if called else "object", text)]

    def _function(self, text: str, objects: dict[str, Any]) -> Step | None:
        """Return the function of that name: the caller's own before R's, as in R; None where there is none."""
        plain = text.replace(".", "_")
        if plain not in FUNCTIONS:
            return None
        if hides(self.scope.get(text)):
            objects[text] = self._reached(text)
            return Step("own", text)
        return Step("call", plain)

    def _split(self, text: str) -> str:
        """Return the longest part of ``a.b.c`` that is a column, or ''."""
        while text and text not in self.places:
            text = text.rpartition(".")[0]
        return text

    def _outside(self, node: Node) -> Any:
        """Return an object of the caller."""
        text = node.text
        if node.kind == "quoted" or text.partition(".")[0] not in self.scope:
            raise _UnknownError(f"the formula uses {text!r}, which is not a column of data{self._hint(text)}")
        return self._reached(text)

    def _reached(self, text: str) -> Any:
        try:
            return reach(text, self.scope)
        except ValueError as error:
            raise _UnknownError(str(error)) from None

    def _hint(self, text: str) -> str:
        if text in keyword.kwlist:
            return f"; {text!r} is a keyword of Python; rename the column"
        return f" and no function; the columns are {_shown(self.places)}, the functions {', '.join(FUNCTIONS)}"


def read_code(text: str, code: Sequence[Token] | None = None) -> Node:
    """Return the tree of a text, or of a part of it, of which messages show the whole.

    Raises
    ------
    ValueError
        It is no expression.
    """
    try:
        return parse(scan(text) if code is None else code, REFUSED)
    except ValueError as error:
        shown = text if len(text) < 80 else text[:77] + "..."
        raise ValueError(f"formula {shown!r} cannot be computed: {error}{REMEDY}") from None


class _UnknownError(ValueError):
    """A name that stands for nothing that a term may use; the message is complete."""


def _shown(names: Mapping[str, Any]) -> str:
    first = [repr(name) for name in list(names)[:10]]
    return ", ".join(first) + (", ..." if len(names) > len(first) else "")


def caller_scope() -> Mapping[str, Any]:
    """Return the names of the first frame outside this package."""
    frame = sys._getframe(0)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    return {**frame.f_globals, **frame.f_locals}
