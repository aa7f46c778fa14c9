"""Restrictions of the terms of a formula to arithmetic, comparisons, functions and a few attributes.

A formula is code, which can name functions of the caller. With these restrictions a term cannot reach the interpreter,
files or other processes, and a short text cannot exhaust the memory.
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

# Attributes of a column or of a result. None of these methods accesses a file, takes the name of a method, or returns
# more values than its input. Regular expressions are excluded because a short one can take years.
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
# Functions of NumPy other than ufuncs, with the number of positional arguments before the one for output.
_NUMPY = {"where": 3, "clip": 3, "interp": 3, "round": 2, "isin": 2, "digitize": 2, "quantile": 2, "percentile": 2}
_NUMPY |= dict.fromkeys(("nan_to_num", "mean", "median", "std", "var", "min", "max", "sum"), 1)
_MATH = "sqrt log log2 log10 log1p exp expm1 sin cos tan atan fabs floor ceil".split()
_ALLOWED = {id(getattr(np, name)): most for name, most in _NUMPY.items()}
_ALLOWED |= {id(getattr(math, name)): _MOST_ARGUMENTS for name in _MATH}
# Functions of pyrrf.r and pyrrf.random that compute or draw numbers without side effects.
_OURS = frozenset(
    "cummax cummin cumprod cumsum max mean min pmax pmin prod range sum weighted_mean cor cov sd var IQR mad median "
    "quantile qnorm rank rev sort duplicated in_ match droplevels findInterval relevel as_factor as_integer as_numeric "
    "as_character cut factor ifelse rep cos exp expm1 log log1p log2 log10 power sin sqrt tan tanh round signif rbeta "
    "rbinom rcauchy rchisq rexp rf rgamma rgeom rlnorm rlogis rnbinom rnorm rt runif rweibull sample".split()
)
# Modules of which only the functions above are allowed.
_RESTRICTED_MODULES = sys.stdlib_module_names | {"builtins", "numpy", "pandas"}
_DEEPEST = 1000
_INSTALLED = frozenset(("site-packages", "dist-packages"))


# ---- names of the caller -------------------------------------------------------------------------


def look_up(text: str, scope: Mapping[str, Any]) -> Any:
    """Return the object of the caller with a name such as ``limit`` or ``np.sqrt``.

    ValueError if the name begins with an underscore, an attribute does not exist, or a term may not use the object.
    """
    root, *attributes = text.split(".")
    if any(attribute.startswith("_") for attribute in (root, *attributes)):
        raise bad.formula(f"the formula uses {text!r}; names that begin with an underscore are refused{REMEDY}")
    value = scope[root]
    for attribute in attributes:
        if not hasattr(value, attribute):
            raise bad.formula(f"the formula uses {text!r}, but {root!r} has no {attribute!r}")
        value = getattr(value, attribute)
    if _is_number(value) or _is_allowed(value) or (isinstance(value, str) and not attributes):
        return value
    if not callable(value):
        raise bad.unknown(f"the formula uses {text!r}, which is not a column of data; add it to data", "formula")
    if attributes or not (_is_ours(value) or _is_written_by(value, str(scope.get("__name__", "__main__")))):
        raise bad.formula(
            f"the formula uses {text!r}; of libraries a term may call NumPy's functions of each value only; "
            f"compute it as a column of data, or write a function of your own that calls it"
        )
    return value


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.integer | np.floating | np.bool_)


def _is_allowed(value: Any) -> bool:
    if isinstance(value, np.ufunc):
        # A ufunc of objects only is a Python function behind np.frompyfunc.
        return any(set(types) - set("O->") for types in value.types)
    return id(value) in _ALLOWED


def _is_ours(value: Any) -> bool:
    return _home(value) == __name__.partition(".")[0] and getattr(value, "__name__", "") in _OURS


def _is_written_by(value: Any, caller: str) -> bool:
    """Return whether a call runs code of the caller, or other code that is not in an installed library."""
    inner = _inner(value)
    if isinstance(inner, type):
        module, file = inner.__module__, getattr(sys.modules.get(inner.__module__), "__file__", None) or ""
    else:
        code = inner if isinstance(inner, FunctionType) else inspect.getattr_static(type(inner), "__call__", None)
        if not isinstance(code, FunctionType):
            return False
        module, file = str(code.__globals__.get("__name__", "")), code.__code__.co_filename
        if file.startswith("<"):  # code that was compiled from a string
            file = getattr(sys.modules.get(module), "__file__", None) or ""
    package = module.partition(".")[0]
    if package in _RESTRICTED_MODULES or file.startswith(_PACKAGE):
        return False
    return package == caller.partition(".")[0] or not _INSTALLED.intersection(Path(file).parts)


def _inner(value: Any) -> Any:
    """Return the innermost wrapped function; of an endless chain, one of its links."""
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
    """Return the package of a function; of a wrapper, the package of the wrapped function."""
    value = _inner(value)
    owner = value if isinstance(value, type) or inspect.isroutine(value) else type(value)
    return (getattr(owner, "__module__", None) or "builtins").partition(".")[0]


def overrides_r(value: Any) -> bool:
    """Return whether an object is a function of the caller, which overrides R's function of the same name."""
    return callable(value) and _home(value) not in (*_RESTRICTED_MODULES, __name__.partition(".")[0])


def wrap_ufunc(value: Any) -> Any:
    """Return a ufunc as a function of numbers only, without an argument for output; other objects unchanged."""
    if not isinstance(value, np.ufunc):
        return value

    def function(*arguments: Any) -> Any:
        if len(arguments) > value.nin or not all(map(is_numeric, arguments)):
            raise bad.type(f"np.{value.__name__} takes {value.nin} argument(s) that hold numbers", None)
        return value(*arguments)

    return function


def is_numeric(value: Any) -> bool:
    """Return whether a value is or holds numbers of at most 64 bits, or times."""
    if isinstance(value, pd.Series) and isinstance(value.dtype, pd.api.extensions.ExtensionDtype):
        return bool(pd.api.types.is_numeric_dtype(value.dtype))
    return np.asarray(value).dtype.kind in "biufmM"


# ---- syntax --------------------------------------------------------------------------------------


def check_length(tree: Node) -> None:
    """Raise ValueError if a term is too long."""
    length = sum(len(node.text) + 2 * bool(node.parts) + sum(map(len, node.names)) for node in postorder(tree))
    if length > LONGEST_TERM:
        raise bad.formula(f"a term of the formula has {length} characters, more than {LONGEST_TERM}{REMEDY}")


def check_steps(label: str, steps: Sequence[Step], objects: Mapping[str, Any]) -> None:
    """Raise ValueError if a step is not allowed in terms."""
    for step in steps:
        use = _refused_use(step, objects)
        if use:
            raise bad.formula(f"{label!r} of the formula uses {use}, which terms do not take{REMEDY}")


def _refused_use(step: Step, objects: Mapping[str, Any]) -> str | None:
    """Return a description of the forbidden element of a step; None if the step is allowed."""
    if step.kind in ("attribute", "method") and step.value not in _ATTRIBUTES:
        return f"the attribute {step.value!r}"
    if step.kind == "sign" and step.value not in SIGNS:
        return f"the operator {step.value!r}"
    if step.kind not in ("own", "method"):
        return None
    function = objects[step.value] if step.kind == "own" else None
    own = step.kind == "own" and not _is_allowed(function)
    most = _MOST_ARGUMENTS if step.kind == "method" else _ALLOWED.get(id(function))
    if most is not None and step.count - len(step.keywords) > most:
        return f"more than {most} argument(s) by position in one call"
    for name in step.keywords:
        if name.startswith("_") or not (own or name in _KEYWORDS):
            return f"the argument {name!r}"
    return None
