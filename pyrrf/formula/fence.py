"""What a term of a formula may hold: arithmetic, comparisons, functions, and little else.

A formula is code, and the functions that it names are those of the caller. The fence keeps a term to what terms need,
so that none reaches Python itself, files or other processes, and none fills the memory from a short text.
"""

from __future__ import annotations

import ast
import functools
import inspect
import math
import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.formula.functions import FUNCTIONS

LONGEST_TERM = 4000
_REMEDY = "; compute it as a column of data"

_NODES = (
    *(ast.Expression, ast.Call, ast.keyword, ast.Name, ast.Constant, ast.Attribute, ast.Subscript, ast.Slice),
    *(ast.List, ast.Tuple, ast.BinOp, ast.BoolOp, ast.UnaryOp, ast.Compare, ast.Load, ast.boolop, ast.cmpop),
    *(ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Pow, ast.USub, ast.UAdd, ast.Not),
)
# Of a column, or of what a function gives. None reads or writes a file, takes the name of a method, or makes more
# values than it was given. Patterns are missing because a short one can take years.
_ATTRIBUTES = frozenset(
    "abs clip round fillna isna notna isin between rank shift diff mean median std var min max sum quantile "
    "str lower upper strip lstrip rstrip title capitalize len get slice startswith endswith removeprefix removesuffix "
    "dt year month day hour minute second quarter weekday dayofweek dayofyear cat codes".split()
)
_KEYWORDS = frozenset(
    "base lower upper decimals value inclusive values method ascending pct periods fill_value q ddof start stop "
    "right".split()
)
_MOST_ARGUMENTS = 2
# Functions of NumPy beside its ufuncs, with the most arguments that they take before one names where to write.
_NUMPY = {"where": 3, "clip": 3, "interp": 3, "round": 2, "isin": 2, "digitize": 2, "quantile": 2, "percentile": 2}
_NUMPY |= dict.fromkeys(("nan_to_num", "mean", "median", "std", "var", "min", "max", "sum"), 1)
_MATH = "sqrt log log2 log10 log1p exp expm1 sin cos tan atan fabs floor ceil".split()
_LISTED = {id(getattr(np, name)): most for name, most in _NUMPY.items()}
_LISTED |= {id(getattr(math, name)): _MOST_ARGUMENTS for name in _MATH}
# Of these only what is listed is a function of a term.
_GUARDED = sys.stdlib_module_names | {"builtins", "numpy", "pandas"}


# ---- names of the caller -------------------------------------------------------------------------


def reach(text: str, scope: Mapping[str, Any]) -> Any:
    """Return the object of the caller that a name such as ``limit`` or ``np.sqrt`` stands for.

    Raises
    ------
    ValueError
        It begins with an underscore, a part of it does not exist, or it is no function that a term may call.
    """
    root, *parts = text.split(".")
    if any(part.startswith("_") for part in (root, *parts)):
        raise ValueError(f"the formula uses {text!r}; names that begin with an underscore are refused{_REMEDY}")
    value = scope[root]
    for part in parts:
        if not hasattr(value, part):
            raise ValueError(f"the formula uses {text!r}, but {root!r} has no {part!r}")
        value = getattr(value, part)
    if _is_number(value) or _is_listed(value) or (isinstance(value, str) and not parts):
        return value
    if not callable(value):
        raise ValueError(f"the formula uses {text!r}, which is no column of data; add it to data")
    if parts or isinstance(value, ModuleType) or _home(value) in _GUARDED:
        raise ValueError(
            f"the formula uses {text!r}; of libraries a term may call NumPy's functions of each value only; "
            f"compute it as a column of data, or write a function of your own that calls it"
        )
    return value


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.integer | np.floating | np.bool_)


def _is_listed(value: Any) -> bool:
    return isinstance(value, np.ufunc) or id(value) in _LISTED


def _home(value: Any) -> str:
    """Return the package that a function comes from; for a function around another one, that of the inner one."""
    while isinstance(value, functools.partial | np.vectorize):
        value = value.func if isinstance(value, functools.partial) else value.pyfunc
    named = value if isinstance(value, type) or inspect.isroutine(value) else type(value)
    return (getattr(named, "__module__", None) or "builtins").partition(".")[0]


def guarded(value: Any) -> Any:
    """Return a ufunc as a function of numbers alone: no text grows, and no argument is written to."""
    if not isinstance(value, np.ufunc):
        return value

    def function(*arguments: Any) -> Any:
        if len(arguments) > value.nin or not all(map(is_numeric, arguments)):
            raise TypeError(f"np.{value.__name__} takes {value.nin} argument(s) that hold numbers")
        return value(*arguments)

    return function


def is_numeric(value: Any) -> bool:
    """Whether this is a number of at most 64 bits, or holds such numbers or points in time."""
    if isinstance(value, pd.Series) and isinstance(value.dtype, pd.api.extensions.ExtensionDtype):
        return bool(pd.api.types.is_numeric_dtype(value.dtype))
    return np.asarray(value).dtype.kind in "biufmM"


# ---- what is written -----------------------------------------------------------------------------


def parse_term(label: str, code: str, columns: Mapping[str, str], objects: Mapping[str, Any]) -> ast.Expression:
    """Return the code of a term, when it holds nothing but what terms need.

    Raises
    ------
    ValueError
        It cannot be read, is too long, or holds something else.
    """
    if len(code) > LONGEST_TERM:
        raise ValueError(f"a term of the formula has {len(code)} characters, more than {LONGEST_TERM}{_REMEDY}")
    try:
        tree = ast.parse(code, mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise ValueError(f"{label!r} of the formula cannot be computed ({type(error).__name__}){_REMEDY}") from error
    names = {*FUNCTIONS, *columns, *objects}
    for node in ast.walk(tree):
        found = _outside(node, names, objects)
        if found:
            raise ValueError(f"{label!r} of the formula uses {found}, which terms do not take{_REMEDY}")
    return tree


def _outside(node: ast.AST, names: set[str], objects: Mapping[str, Any]) -> str | None:
    """Return in words what a term may not hold; None where the node is one of a term."""
    if not isinstance(node, _NODES):
        return f"Python's {type(node).__name__}"
    if isinstance(node, ast.Name) and node.id not in names:
        return f"the name {node.id!r}"
    if isinstance(node, ast.Constant) and not isinstance(node.value, bool | int | float | str):
        return f"the constant {node.value!r}"
    if isinstance(node, ast.Attribute) and node.attr not in _ATTRIBUTES:
        return f"the attribute {node.attr!r}"
    if isinstance(node, ast.Subscript):
        return _bad_index(node)
    return _bad_call(node, objects) if isinstance(node, ast.Call) else None


def _bad_index(node: ast.Subscript) -> str | None:
    of_text = isinstance(node.value, ast.Attribute) and node.value.attr == "str"
    parts = [node.slice]
    if of_text and isinstance(node.slice, ast.Slice):
        parts = [part for part in (node.slice.lower, node.slice.upper, node.slice.step) if part]
    plain = all(isinstance(p.operand if isinstance(p, ast.UnaryOp) else p, ast.Constant) for p in parts)
    return None if plain else "an index that is not one number or one text"


def _bad_call(node: ast.Call, objects: Mapping[str, Any]) -> str | None:
    if not isinstance(node.func, ast.Name | ast.Attribute):
        return "a call of what is not named"
    function = objects.get(node.func.id) if isinstance(node.func, ast.Name) else None
    own = function is not None and not _is_listed(function)
    most = _MOST_ARGUMENTS if isinstance(node.func, ast.Attribute) else _LISTED.get(id(function))
    if most is not None and len(node.args) > most:
        return f"more than {most} argument(s) by position in one call"
    for argument in node.keywords:
        name = argument.arg or "**"
        if name.startswith(("_", "*")) or not (own or name in _KEYWORDS):
            return f"the argument {name!r}"
    return None


# ---- what is computed ----------------------------------------------------------------------------


def times(x: Any, y: Any) -> Any:
    """Multiply numbers; a text or a list times a number would be as long as that number is large."""
    if not (_multiplies(x) and _multiplies(y)):
        raise TypeError("only numbers can be multiplied")
    return x * y


def _multiplies(value: Any) -> bool:
    return isinstance(value, int) or (not isinstance(value, list | tuple) and is_numeric(value))
