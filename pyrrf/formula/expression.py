"""Expressions of a formula: their labels in R's spelling, and their values on a table.

The syntax is R's, with some of Python's: ``log(zn + 1)``, ``I(rm^2)``, ``np.log(price)``, ``price.mean()``.
"""

from __future__ import annotations

import keyword
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from pyrrf import formula
from pyrrf.checks import _PACKAGE
from pyrrf.errors import bad
from pyrrf.formula.functions import FUNCTIONS
from pyrrf.formula.grammar import REFUSED, Step, compile_steps
from pyrrf.formula.restrictions import REMEDY, check_length, check_steps, look_up, overrides_r
from pyrrf.rlang.deparse import TYPED_NA, deparse
from pyrrf.rlang.tokens import Token, scan
from pyrrf.rlang.tree import Node, parse
from pyrrf.types import Column, Labels

# Variables of R, which variables of the caller override; the other constants are reserved words.
_VARIABLES = {"T", "F", "pi"}
CONSTANTS = {"TRUE", "FALSE", "True", "False", "NaN", "Inf", "NA", *TYPED_NA, *_VARIABLES}


@dataclass(frozen=True)
class Expression:
    """An expression that can be evaluated on a table.

    Parameters
    ----------
    label : str
        R's name of the resulting column.
    steps : tuple of Step
        Steps of the computation, operands first.
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
        """Whether the expression is a plain column."""
        return len(self.steps) == 1 and self.steps[0].kind == "column" and self.label == self.steps[0].value

    def evaluate(self, data: pd.DataFrame, by_label: bool = False) -> Column:
        """Return the values, labelled with the rows of `data`.

        Parameters
        ----------
        data : DataFrame
        by_label : bool, default False
            Whether numbers are read from `label`, as R does for predictors: with 15 digits, and always as doubles.

        Raises
        ------
        ValueError
            The evaluation fails, or does not return one value per row.
        """
        if self.bare:
            return data[self.columns[0]]
        try:
            value = formula.compute_steps(self.steps, data, self.objects, by_label)
        except Exception as error:
            shown = f"{type(error).__name__}: {error}"
            raise bad.formula(f"{self.label!r} of the formula cannot be computed ({shown}){REMEDY}") from error
        return _as_column(value, data.index, self.label)


def _as_column(value: Any, rows: Labels, label: str) -> Column:
    if np.ndim(value) == 0 and len(rows) == 1:
        return pd.Series([value], index=rows, name=label)
    if isinstance(value, pd.DataFrame) or np.ndim(value) != 1:
        raise bad.formula(f"{label!r} of the formula gives shape {np.shape(value)}, not one value per row{REMEDY}")
    if len(value) != len(rows):
        raise bad.formula(f"{label!r} of the formula gives {len(value)} values for {len(rows)} rows{REMEDY}")
    if not isinstance(value, pd.Series):
        return pd.Series(value, index=rows, name=label)
    if not value.index.equals(rows):
        raise bad.formula(f"{label!r} of the formula gives other row labels than data has{REMEDY}")
    return value.rename(label)


# ---- from text to expression ---------------------------------------------------------------------


class Compiler:
    """Compiler of syntax trees into expressions on given columns.

    Parameters
    ----------
    columns : sequence of str
        Columns of the data.
    """

    def __init__(self, columns: Sequence[str]) -> None:
        self.places = {column: f"_c{position}" for position, column in enumerate(columns)}
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
            Whether integers have an L in the label.

        Raises
        ------
        ValueError
            A name is unknown, or the tree has syntax that terms do not support.
        """
        check_length(tree)
        label = deparse(tree, integers)
        objects: dict[str, Any] = {}
        try:
            steps = compile_steps(tree, lambda node, called: self._leaf(node, called, objects))
        except _UnknownError as error:
            raise bad.formula(str(error)) from None
        except ValueError as error:
            raise bad.formula(f"{label!r} of the formula cannot be computed: {error}{REMEDY}") from None
        check_steps(label, steps, objects)
        if tree.kind in ("name", "quoted") and len(steps) == 1 and steps[0].kind == "column":
            return self.column(steps[0].value)
        columns = dict.fromkeys(step.value for step in steps if step.kind == "column")
        return Expression(label, steps, tuple(columns), objects)

    def _leaf(self, node: Node, called: bool, objects: dict[str, Any]) -> list[Step]:
        """Return the steps of a name: a column with attributes, a function, a constant, or an object of the caller."""
        text = node.text
        if called and node.kind == "name" and (function := self._function(text, objects)):
            return [function]
        column = text if node.kind == "quoted" else self._split(text)
        if column in self.places:
            rest = text.removeprefix(column)
            return [Step("column", column), *(Step("attribute", attribute) for attribute in rest.split(".")[1:])]
        hidden = text in _VARIABLES and text in self.scope
        if node.kind == "name" and text in CONSTANTS and not hidden:
            return [Step("constant", text)]
        objects[text] = self._outside(node)
        return [Step("own" if called else "object", text)]

    def _function(self, text: str, objects: dict[str, Any]) -> Step | None:
        """Return the function of that name, the caller's before R's as in R; None without one."""
        plain = text.replace(".", "_")
        if plain not in FUNCTIONS:
            return None
        if overrides_r(self.scope.get(text)):
            objects[text] = self._look_up(text)
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
        return self._look_up(text)

    def _look_up(self, text: str) -> Any:
        try:
            return look_up(text, self.scope)
        except ValueError as error:
            raise _UnknownError(str(error)) from None

    def _hint(self, text: str) -> str:
        if text in keyword.kwlist:
            return f"; {text!r} is a keyword of Python; rename the column"
        return f" and no function; the columns are {_first_names(self.places)}, the functions {', '.join(FUNCTIONS)}"


def read_code(text: str, code: Sequence[Token] | None = None) -> Node:
    """Return the syntax tree of a text, or of its tokens `code`; messages show the text.

    ValueError if the text is not an expression.
    """
    try:
        return parse(scan(text) if code is None else code, REFUSED)
    except ValueError as error:
        shown = text if len(text) < 80 else text[:77] + "..."
        raise bad.formula(f"formula {shown!r} cannot be computed: {error}{REMEDY}") from None


class _UnknownError(ValueError):
    """An unknown name; the message needs no addition."""


def _first_names(names: Mapping[str, Any]) -> str:
    first = [repr(name) for name in list(names)[:10]]
    return ", ".join(first) + (", ..." if len(names) > len(first) else "")


def caller_scope() -> Mapping[str, Any]:
    """Return the variables of the innermost frame outside this package."""
    frame = sys._getframe(0)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    return {**frame.f_globals, **frame.f_locals}
