"""What a term of a formula may hold: arithmetic, comparisons, functions, and little else.

A formula is code, and the functions that it names are those of the caller. The fence keeps a term to what terms need,
so that none reaches Python itself, files or other processes, and none fills the memory from a short text.
"""

from __future__ import annotations

import functools
import inspect
import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FunctionType, MethodType
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import _PACKAGE
from pyrrf.errors import bad
from pyrrf.formula.grammar import SIGNS, Step
from pyrrf.rlang.tree import Node, postorder

LONGEST_TERM = 4000
REMEDY = "; compute it as a column of data"

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
# Functions of NumPy other than its ufuncs, with the most arguments that they take before one names where to write.
_NUMPY = {"where": 3, "clip": 3, "interp": 3, "round": 2, "isin": 2, "digitize": 2, "quantile": 2, "percentile": 2}
_NUMPY |= dict.fromkeys(("nan_to_num", "mean", "median", "std", "var", "min", "max", "sum"), 1)
_MATH = "sqrt log log2 log10 log1p exp expm1 sin cos tan atan fabs floor ceil".split()
_LISTED = {id(getattr(np, name)): most for name, most in _NUMPY.items()}
_LISTED |= {id(getattr(math, name)): _MOST_ARGUMENTS for name in _MATH}
# Functions of pyrrf.r and pyrrf.random that give numbers for numbers, or draw them, and do nothing else.
_OURS = frozenset(
    "cummax cummin cumprod cumsum max mean min pmax pmin prod range sum weighted_mean cor cov sd var IQR mad median "
    "quantile qnorm rank rev sort duplicated in_ match droplevels findInterval relevel as_factor as_integer as_numeric "
    "as_character cut factor ifelse rep cos exp expm1 log log1p log2 log10 power sin sqrt tan tanh round signif rbeta "
    "rbinom rcauchy rchisq rexp rf rgamma rgeom rlnorm rlogis rnbinom rnorm rt runif rweibull sample".split()
)
# Of these only what is listed is a function of a term.
_GUARDED = sys.stdlib_module_names | {"builtins", "numpy", "pandas"}
_DEEPEST = 1000
_INSTALLED = frozenset(("site-packages", "dist-packages"))


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
        raise bad.formula(f"the formula uses {text!r}; names that begin with an underscore are refused{REMEDY}")
    value = scope[root]
    for part in parts:
        if not hasattr(value, part):
            raise bad.formula(f"the formula uses {text!r}, but {root!r} has no {part!r}")
        value = getattr(value, part)
    if _is_number(value) or _is_listed(value) or (isinstance(value, str) and not parts):
        return value
    if not callable(value):
        raise bad.unknown(f"the formula uses {text!r}, which is not a column of data; add it to data", "formula")
    if parts or not (_is_ours(value) or _is_written_by(value, str(scope.get("__name__", "__main__")))):
        raise bad.formula(
            f"the formula uses {text!r}; of libraries a term may call NumPy's functions of each value only; "
            f"compute it as a column of data, or write a function of your own that calls it"
        )
    return value


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.integer | np.floating | np.bool_)


def _is_listed(value: Any) -> bool:
    if isinstance(value, np.ufunc):
        # One of objects alone is a function of Python that np.frompyfunc hides.
        return any(set(types) - set("O->") for types in value.types)
    return id(value) in _LISTED


def _is_ours(value: Any) -> bool:
    return _home(value) == __name__.partition(".")[0] and getattr(value, "__name__", "") in _OURS


def _is_written_by(value: Any, caller: str) -> bool:
    """Whether the caller, or anybody but the authors of installed libraries, wrote what a call of this runs."""
    inner = _inner(value)
    if isinstance(inner, type):
        module, file = inner.__module__, getattr(sys.modules.get(inner.__module__), "__file__", None) or ""
    else:
        code = inner if isinstance(inner, FunctionType) else inspect.getattr_static(type(inner), "__call__", None)
        if not isinstance(code, FunctionType):
            return False
        module, file = str(code.__globals__.get("__name__", "")), code.__code__.co_filename
        if file.startswith("<"):  # of code that the module made of a text
            file = getattr(sys.modules.get(module), "__file__", None) or ""
    package = module.partition(".")[0]
    if package in _GUARDED or file.startswith(_PACKAGE):
        return False
    return package == caller.partition(".")[0] or not _INSTALLED.intersection(Path(file).parts)


def _inner(value: Any) -> Any:
    """Return the function that others are wrapped around; of an endless chain, one of its links."""
    for _ in range(_DEEPEST):
        if isinstance(value, functools.partial):
            value = value.func
        elif isinstance(value, np.vectorize):
            value = value.pyfunc
        elif isinstance(value, MethodType):
            value = value.__func__
        elif hasattr(value, "__wrapped__") and not isinstance(value, type):
            value = value.__wrapped__
        else:
            break
    return value


def _home(value: Any) -> str:
    """Return the package that a function comes from; for a function around another one, that of the inner one."""
    value = _inner(value)
    named = value if isinstance(value, type) or inspect.isroutine(value) else type(value)
    return (getattr(named, "__module__", None) or "builtins").partition(".")[0]


def hides(value: Any) -> bool:
    """Whether a function of this name is the caller's choice, before R's of the same name."""
    return callable(value) and _home(value) not in (*_GUARDED, __name__.partition(".")[0])


def guarded(value: Any) -> Any:
    """Return a ufunc as a function of numbers alone: no text grows, and no argument is written to."""
    if not isinstance(value, np.ufunc):
        return value

    def function(*arguments: Any) -> Any:
        if len(arguments) > value.nin or not all(map(is_numeric, arguments)):
            raise bad.type(f"np.{value.__name__} takes {value.nin} argument(s) that hold numbers", None)
        return value(*arguments)

    return function


def is_numeric(value: Any) -> bool:
    """Whether this is a number of at most 64 bits, or holds such numbers or points in time."""
    if isinstance(value, pd.Series) and isinstance(value.dtype, pd.api.extensions.ExtensionDtype):
        return bool(pd.api.types.is_numeric_dtype(value.dtype))
    return np.asarray(value).dtype.kind in "biufmM"


# ---- what is written -----------------------------------------------------------------------------


def check_length(tree: Node) -> None:
    """Raise ValueError where a term is too long."""
    length = sum(len(node.text) + 2 * bool(node.parts) + sum(map(len, node.names)) for node in postorder(tree))
    if length > LONGEST_TERM:
        raise bad.formula(f"a term of the formula has {length} characters, more than {LONGEST_TERM}{REMEDY}")


def check_steps(label: str, steps: Sequence[Step], objects: Mapping[str, Any]) -> None:
    """Raise ValueError if terms do not need a step."""
    for step in steps:
        found = _outside(step, objects)
        if found:
            raise bad.formula(f"{label!r} of the formula uses {found}, which terms do not take{REMEDY}")


def _outside(step: Step, objects: Mapping[str, Any]) -> str | None:
    """Describe what a term may not contain; None if the step is allowed."""
    if step.kind in ("attribute", "method") and step.value not in _ATTRIBUTES:
        return f"the attribute {step.value!r}"
    if step.kind == "sign" and step.value not in SIGNS:
        return f"the operator {step.value!r}"
    if step.kind not in ("own", "method"):
        return None
    function = objects[step.value] if step.kind == "own" else None
    own = step.kind == "own" and not _is_listed(function)
    most = _MOST_ARGUMENTS if step.kind == "method" else _LISTED.get(id(function))
    if most is not None and step.count - len(step.keywords) > most:
        return f"more than {most} argument(s) by position in one call"
    for name in step.keywords:
        if name.startswith("_") or not (own or name in _KEYWORDS):
            return f"the argument {name!r}"
    return None
