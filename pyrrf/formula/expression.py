"""One expression of a formula: its name in R's spelling, and its values on a table.

The text is R's or Python's: ``log(zn + 1)``, ``I(rm^2)``, ``np.log(price)``, ``as.factor(class)``.
"""

from __future__ import annotations

import ast
import functools
import keyword
import math
import operator
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import _PACKAGE
from pyrrf.formula.fence import guarded, parse_term, reach, times
from pyrrf.formula.functions import FUNCTIONS, compare
from pyrrf.r.elementary import power
from pyrrf.types import Column, Labels

_TOKEN = re.compile(
    r"""(?P<space>\s+)
    |(?P<string>"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)
    |`(?P<quoted>[^`]+)`
    |(?P<number>0[xX][0-9a-fA-F]+L?|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?L?)
    |(?P<name>(?:[^\W\d]|\.(?=[^\W\d]))[\w.]*)
    |(?P<operator>%[^%\s]*%|\*\*|<=|>=|==|!=|&&|\|\||//|.)""",
    re.VERBOSE,
)
_SPACED = ("+", "-", "*", "==", "!=", "<", ">", "<=", ">=", "&", "|", "=", "//")
_CONSTANTS = {"TRUE": "True", "FALSE": "False", "True": "True", "False": "False"}
# Python's words bind less tightly than comparisons, as R's signs do; Python's signs bind more tightly.
_OPERATORS = {"^": "**", "&": "and", "|": "or", "!": "not"}
_NOT_PYTHON = {"&&": "&", "||": "|", "$": "the name of the column"}


@dataclass(frozen=True)
class Token:
    """A piece of a formula: a name, a quoted name, a number, a string or an operator."""

    kind: str
    text: str

    def __str__(self) -> str:
        return f"`{self.text}`" if self.kind == "quoted" else self.text


def scan(text: str) -> list[Token]:
    """Split a text into tokens, without spaces; dots belong to names, as in R.

    Raises
    ------
    ValueError
        A quote is not closed.
    """
    found = [Token(str(m.lastgroup), m[str(m.lastgroup)]) for m in _TOKEN.finditer(text)]
    if any(t.kind == "string" and (len(t.text) == 1 or t.text[-1] != t.text[0]) for t in found):
        raise ValueError("the formula has a quote that is not closed; close it")
    return [token for token in found if token.kind != "space"]


# ---- names in R's spelling -----------------------------------------------------------------------


def r_label(tokens: Sequence[Token]) -> str:
    """Return the expression as R's deparse() writes it."""
    out, before = "", Token("operator", "(")
    for token in tokens:
        out += _r_text(token, before)
        before = token
    return out.strip()


def _r_text(token: Token, before: Token) -> str:
    text = token.text
    if token.kind == "number":
        return _r_number(text)
    if token.kind == "string":
        return '"' + text[1:-1].replace("\\'", "'").replace('\\"', '"').replace('"', '\\"') + '"'
    if token.kind == "quoted":
        return text if re.fullmatch(r"[^\W\d][\w.]*", text) else str(token)
    if token.kind == "name":
        return text
    unary = before.kind == "operator" and before.text not in (")", "]")
    if text == ",":
        return ", "
    if text in _SPACED and not unary:
        return f" {text} "
    return "^" if text == "**" else text


def _r_number(text: str) -> str:
    """Return a number with 15 digits, in fixed or scientific notation, whichever is shorter."""
    if text.endswith("L"):
        return text
    try:
        value = float(int(text, 16)) if text[:2] in ("0x", "0X") else float(text)
    except OverflowError:
        value = math.inf
    if math.isinf(value):
        raise ValueError(f"the formula holds the number {text[:20]}..., which is too large; write a smaller one")
    mantissa, _, exponent = f"{value:.14e}".partition("e")
    digits = mantissa.rstrip("0").rstrip(".")
    scientific = f"{digits}e{int(exponent):+03d}"
    decimals = max(0, len(digits.replace(".", "")) - 1 - int(exponent))
    fixed = f"{value:.{decimals}f}"
    return fixed if len(fixed) <= len(scientific) else scientific


# ---- expressions ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Expression:
    """An expression that can be evaluated on a table.

    Parameters
    ----------
    label : str
        R's name of the column that it gives.
    code : str
        Python code, in which columns and objects have the names given below.
    columns : dict of str to str
        Columns of the data, by their name in `code`.
    objects : dict of str to object
        Functions and numbers of the caller, by their name in `code`.
    """

    label: str
    code: str
    columns: Mapping[str, str]
    objects: Mapping[str, Any] = field(default_factory=dict)

    @property
    def bare(self) -> bool:
        """Whether this is a plain column."""
        return self.code in self.columns

    def evaluate(self, data: pd.DataFrame) -> Column:
        """Return the values, labelled with the rows of `data`.

        Raises
        ------
        ValueError
            Python cannot evaluate it, or it does not give one value per row.
        """
        if self.bare:
            return data[self.label]
        tree = parse_term(self.label, self.code, self.columns, self.objects)
        functions = {name: guarded(value) for name, value in {**FUNCTIONS, **self.objects}.items()}
        try:
            columns = {name: _widened(data[column]) for name, column in self.columns.items()}
            value = eval(_compiled(tree), {**functions, **_OPERATIONS, **columns, "__builtins__": {}})
        except Exception as error:
            shown = f"{type(error).__name__}: {error}"
            raise ValueError(f"{self.label!r} of the formula cannot be computed ({shown}){_HINT}") from error
        return _as_column(value, data.index, self.label)


_OPERATIONS = {"_compare": compare, "_power": power, "_times": times, "_operator": operator}
_NUMBERS = ("integer", "floating", "mixed-integer-float")
_HINT = "; compute it as a column of data"


class _RArithmetic(ast.NodeTransformer):
    """Makes Python code compute as R does: powers, missing values in comparisons, `and`, `or`, `not` by value."""

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """Turn ``a < b`` into ``_compare(_operator.lt, a, b)``."""
        self.generic_visit(node)
        if len(node.ops) != 1:
            raise ValueError("two comparisons in a row; write (a < b) & (b < c)")
        name = {"NotEq": "ne", "LtE": "le", "GtE": "ge"}.get(kind := type(node.ops[0]).__name__, kind.lower())
        return _call("_compare", _from_operator(name), node.left, node.comparators[0])

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """Turn ``a and b`` into ``_operator.and_(a, b)``."""
        self.generic_visit(node)
        function = _from_operator("and_" if isinstance(node.op, ast.And) else "or_")
        return functools.reduce(lambda left, right: ast.Call(function, [left, right], []), node.values)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        """Turn ``not a`` into ``_operator.invert(a)``."""
        self.generic_visit(node)
        return ast.Call(_from_operator("invert"), [node.operand], []) if isinstance(node.op, ast.Not) else node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """Turn ``a ** b`` into ``_power(a, b)``, and ``a * b`` into ``_times(a, b)``."""
        self.generic_visit(node)
        if not isinstance(node.op, ast.Pow | ast.Mult):
            return node
        return _call("_power" if isinstance(node.op, ast.Pow) else "_times", node.left, node.right)


def _from_operator(name: str) -> ast.expr:
    return ast.Attribute(ast.Name("_operator", ast.Load()), name, ast.Load())


def _call(function: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(function, ast.Load()), list(arguments), [])


def _compiled(tree: ast.Expression) -> Any:
    return compile(ast.fix_missing_locations(_RArithmetic().visit(tree)), "<formula>", "eval")


def _widened(column: Column) -> Column:
    """Return small integers as 64 bits, where 8 would overflow and R's do not, and numbers among objects as float64."""
    if column.dtype == object and pd.api.types.infer_dtype(column, skipna=True) in _NUMBERS:
        return pd.Series(column.to_numpy(dtype=np.float64, na_value=np.nan), index=column.index)
    small = isinstance(column.dtype, np.dtype) and column.dtype.kind in "iu"
    return column.astype(np.int64) if small else column


def _as_column(value: Any, rows: Labels, label: str) -> Column:
    if isinstance(value, pd.DataFrame) or np.ndim(value) != 1:
        raise ValueError(f"{label!r} of the formula gives shape {np.shape(value)}, not one value per row{_HINT}")
    if len(value) != len(rows):
        raise ValueError(f"{label!r} of the formula gives {len(value)} values for {len(rows)} rows{_HINT}")
    if not isinstance(value, pd.Series):
        return pd.Series(value, index=rows, name=label)
    if not value.index.equals(rows):
        raise ValueError(f"{label!r} of the formula gives other row labels than data has{_HINT}")
    return value.rename(label)


# ---- from text to expression ---------------------------------------------------------------------


class Compiler:
    """Turns tokens into expressions on given columns.

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
        place = self.places[name]
        return Expression(name, place, {place: name})

    def compile(self, tokens: Sequence[Token]) -> Expression:
        """Return the expression that the tokens spell.

        Raises
        ------
        ValueError
            A name is unknown, or an operator is not supported.
        """
        label = r_label(tokens)
        if len(tokens) == 1 and tokens[0].text in self.places and tokens[0].kind in ("name", "quoted"):
            return self.column(tokens[0].text)
        columns: dict[str, str] = {}
        objects: dict[str, Any] = {}
        code = []
        for at, token in enumerate(tokens):
            after = tokens[at + 1].text if at + 1 < len(tokens) else ""
            code.append(self._code(token, after, columns, objects))
        return Expression(label, " ".join(code), columns, objects)

    def _code(self, token: Token, after: str, columns: dict[str, str], objects: dict[str, Any]) -> str:
        text = token.text
        if token.kind == "number":
            return text.rstrip("L")
        if token.kind == "operator":
            if text in _NOT_PYTHON or text.startswith("%"):
                other = _NOT_PYTHON.get(text, "a Python function")
                raise ValueError(f"{text!r} is not understood inside a term; use {other}")
            return _OPERATORS.get(text, text)
        if token.kind == "string" or (token.kind == "name" and after == "="):
            return text
        if token.kind == "name" and text in _CONSTANTS:
            return _CONSTANTS[text]
        found = self._split(text)
        if found in self.places:
            columns[self.places[found]] = found
            return self.places[found] + text[len(found) :]
        # A name that starts with a dot is an attribute of the token before it.
        return text if text.startswith(".") else self._outside(token, objects)

    def _split(self, text: str) -> str:
        """Return the longest part of ``a.b.c`` that is a column, or ''."""
        while text and text not in self.places:
            text = text.rpartition(".")[0]
        return text

    def _outside(self, token: Token, objects: dict[str, Any]) -> str:
        """Return code for a function of this package, or for an object of the caller."""
        text = token.text
        plain = text.replace(".", "_")
        if token.kind == "name" and plain in FUNCTIONS:
            return plain
        if token.kind == "quoted" or text.partition(".")[0] not in self.scope:
            raise ValueError(f"the formula uses {text!r}, which is no column of data{self._hint(text)}")
        value = reach(text, self.scope)
        objects[name := f"_o{len(objects)}"] = value
        return name

    def _hint(self, text: str) -> str:
        if text in keyword.kwlist:
            return f"; {text!r} is a keyword of Python; rename the column"
        return f" and no function; the columns are {_shown(self.places)}, the functions {', '.join(FUNCTIONS)}"


def _shown(names: Mapping[str, Any]) -> str:
    first = [repr(name) for name in list(names)[:10]]
    return ", ".join(first) + (", ..." if len(names) > len(first) else "")


def caller_scope() -> Mapping[str, Any]:
    """Return the names of the first frame outside this package."""
    frame = sys._getframe(0)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    return {**frame.f_globals, **frame.f_locals}
