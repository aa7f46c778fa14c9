"""Code and versions that repeat a fit."""

from __future__ import annotations

import inspect
import math
import platform
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

# Longest code of a value; longer values are omitted.
_LONGEST = 1000
# Longest line of names.
_WIDTH = 76
_PACKAGES = ("pyrrf", "numpy", "pandas", "scikit-learn")

# Names of classes by module.
Imports: TypeAlias = dict[str, set[str]]


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that a fit depends on, by name."""
    versions_by_name = {"Python": platform.python_version(), "machine": platform.machine()}
    for name in _PACKAGES:
        try:
            versions_by_name[name] = version(name)
        except PackageNotFoundError:
            continue
    return versions_by_name


def estimator_code(estimator: Any) -> str:
    """Return Python code that makes and fits an estimator with the same settings.

    A value without short code becomes an ellipsis with a comment.

    Examples
    --------
    >>> from pyrrf.reports.settings import estimator_code
    >>> from pyrrf.sklearn import GRRFSelector
    >>> print(estimator_code(GRRFSelector(gamma=0.9)))
    from pyrrf.sklearn import GRRFSelector
    <BLANKLINE>
    selector = GRRFSelector(
        gamma=0.9,
    )
    selector.fit(X, y)
    """
    imports: dict[str, set[str]] = {}
    code = _construct(estimator, imports, "")
    lines = [f"from {module} import {', '.join(sorted(names))}" for module, names in sorted(imports.items())]
    return "\n".join([*lines, "", f"selector = {code}", "selector.fit(X, y)"])


def _construct(estimator: Any, imports: Imports, indent: str) -> str:
    """Return the call of a constructor, with a line for each parameter that is not the default."""
    cls = type(estimator)
    imports.setdefault(_public_module(cls), set()).add(cls.__name__)
    inner = indent + "    "
    lines = []
    for name, value in _non_default_parameters(estimator).items():
        code, comment = _value(value, imports, inner)
        lines.append(f"{inner}{name}={code}," + (f"  # {comment}" if comment else ""))
    return f"{cls.__name__}()" if not lines else "\n".join([f"{cls.__name__}(", *lines, f"{indent})"])


def _non_default_parameters(estimator: Any) -> dict[str, Any]:
    """Return the parameters that are not the defaults of the signature, in its order."""
    defaults = {name: parameter.default for name, parameter in inspect.signature(type(estimator)).parameters.items()}
    parameters = estimator.get_params(deep=False)
    ordered = [name for name in defaults if name in parameters]
    return {name: parameters[name] for name in ordered if not _same(parameters[name], defaults[name])}


def _same(value: Any, default: Any) -> bool:
    plain = isinstance(default, str | int | float | tuple) and type(value) is type(default)
    return value is default or (plain and bool(value == default))


def _value(value: Any, imports: Imports, indent: str) -> tuple[str, str]:
    """Return the code of a value, or an ellipsis and a comment."""
    code = _code(value, imports, indent)
    if code is not None and (len(code) <= _LONGEST or hasattr(value, "get_params")):
        return code, ""
    return "...", f"{_describe_value(value)}: fill in, not shown here"


def _code(value: Any, imports: Imports, indent: str) -> str | None:
    """Return a value as code; None if there is none."""
    if isinstance(value, np.generic | np.ndarray):
        value = value.tolist()
    if isinstance(value, pd.Series):
        value = value.to_dict()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if value is None or isinstance(value, str | int | float):
        return repr(value)
    if isinstance(value, dict):
        items = [_code(item, imports, indent) for pair in value.items() for item in pair]
        pairs = [f"{key}: {item}" for key, item in zip(items[::2], items[1::2], strict=True)]
        return None if None in items else f"{{{', '.join(pairs)}}}"
    if isinstance(value, list | tuple):
        items = [_code(item, imports, indent) for item in value]
        inside = ", ".join(item or "" for item in items) + "," * (isinstance(value, tuple) and len(items) == 1)
        return None if None in items else f"[{inside}]" if isinstance(value, list) else f"({inside})"
    return _construct(value, imports, indent) if hasattr(value, "get_params") and not isinstance(value, type) else None


def _describe_value(value: Any) -> str:
    """Return the type and the size of a value as text."""
    name = getattr(value, "__name__", None)
    if callable(value) and name:
        return f"function {name}"
    size = f" of {len(value)}" if hasattr(value, "__len__") else ""
    return f"{type(value).__name__}{size}"


def _public_module(cls: type) -> str:
    """Return the module to import a class from: the outermost package that has it."""
    parts = cls.__module__.split(".")
    for outer in (".".join(parts[:end]) for end in range(1, len(parts))):
        if getattr(sys.modules.get(outer), cls.__name__, None) is cls:
            return outer
    return cls.__module__


def list_code(name: str, values: Sequence[Any]) -> str:
    """Return the assignment of a list of strings and numbers, with line breaks.

    Examples
    --------
    >>> from pyrrf.reports.settings import list_code
    >>> print(list_code("kept", ["a", 1]))
    kept = [
        'a', 1,
    ]
    """
    lines = [""]
    for value in values:
        item = f"{value!r},"
        if lines[-1] and len(lines[-1]) + len(item) > _WIDTH:
            lines.append("")
        lines[-1] += f" {item}" if lines[-1] else item
    if not values:
        return f"{name} = []"
    return "\n".join([f"{name} = [", *(f"    {line}" for line in lines if line), "]"])


def describe_seed(estimator: Any) -> str:
    """Return a sentence on the seed of the fit; empty without a parameter `random_state`."""
    if not hasattr(estimator, "random_state"):
        return ""
    state = estimator.random_state
    if isinstance(state, int | np.integer):
        return f"With random_state={state}, the same data and the same versions it selects the same features."
    return "random_state was not an integer, so another fit may select other features."
