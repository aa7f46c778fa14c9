"""What repeats a fit: its settings as code, and versions."""

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

# A value whose code is longer is not shown.
_LONGEST = 1000
# Lines of names are not longer.
_WIDTH = 76
_PACKAGES = ("pyrrf", "numpy", "pandas", "scikit-learn")

# Classes by module.
Imports: TypeAlias = dict[str, set[str]]


def versions() -> dict[str, str]:
    """Return the versions of Python and of what a fit depends on, by name."""
    found = {"Python": platform.python_version(), "machine": platform.machine()}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def code_of(estimator: Any) -> str:
    """Return Python code that makes and fits an estimator with the same settings.

    A value that cannot be written in a line is an ellipsis, with a comment.

    Examples
    --------
    >>> from pyrrf.reports.settings import code_of
    >>> from pyrrf.sklearn import GRRFSelector
    >>> print(code_of(GRRFSelector(gamma=0.9)))
    from pyrrf.sklearn import GRRFSelector
    <BLANKLINE>
    selector = GRRFSelector(
        gamma=0.9,
    )
    selector.fit(X, y)
    """
    imports: dict[str, set[str]] = {}
    made = _construct(estimator, imports, "")
    lines = [f"from {module} import {', '.join(sorted(names))}" for module, names in sorted(imports.items())]
    return "\n".join([*lines, "", f"selector = {made}", "selector.fit(X, y)"])


def _construct(estimator: Any, imports: Imports, indent: str) -> str:
    """Return the call of a constructor, a line for each parameter that is not the default."""
    cls = type(estimator)
    imports.setdefault(_public_module(cls), set()).add(cls.__name__)
    inner = indent + "    "
    lines = []
    for name, value in _changed(estimator).items():
        code, comment = _value(value, imports, inner)
        lines.append(f"{inner}{name}={code}," + (f"  # {comment}" if comment else ""))
    return f"{cls.__name__}()" if not lines else "\n".join([f"{cls.__name__}(", *lines, f"{indent})"])


def _changed(estimator: Any) -> dict[str, Any]:
    """Return the parameters that are not the defaults of the signature, in its order."""
    defaults = {name: at.default for name, at in inspect.signature(type(estimator)).parameters.items()}
    found = estimator.get_params(deep=False)
    ordered = [name for name in defaults if name in found]
    return {name: found[name] for name in ordered if not _same(found[name], defaults[name])}


def _same(value: Any, default: Any) -> bool:
    plain = isinstance(default, str | int | float | tuple) and type(value) is type(default)
    return value is default or (plain and bool(value == default))


def _value(value: Any, imports: Imports, indent: str) -> tuple[str, str]:
    """Return the code of a value, and a comment where there is none."""
    code = _code(value, imports, indent)
    if code is not None and (len(code) <= _LONGEST or hasattr(value, "get_params")):
        return code, ""
    return "...", f"{_described(value)}: fill in, not shown here"


def _code(value: Any, imports: Imports, indent: str) -> str | None:
    """Return a value as code; None for one that cannot be written as such."""
    if isinstance(value, np.generic | np.ndarray):
        value = value.tolist()
    if isinstance(value, pd.Series):
        value = value.to_dict()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if value is None or isinstance(value, str | int | float):
        return repr(value)
    if isinstance(value, dict):
        parts = [_code(part, imports, indent) for pair in value.items() for part in pair]
        pairs = [f"{key}: {part}" for key, part in zip(parts[::2], parts[1::2], strict=True)]
        return None if None in parts else f"{{{', '.join(pairs)}}}"
    if isinstance(value, list | tuple):
        parts = [_code(part, imports, indent) for part in value]
        inside = ", ".join(part or "" for part in parts) + "," * (isinstance(value, tuple) and len(parts) == 1)
        return None if None in parts else f"[{inside}]" if isinstance(value, list) else f"({inside})"
    return _construct(value, imports, indent) if hasattr(value, "get_params") and not isinstance(value, type) else None


def _described(value: Any) -> str:
    """Return a kind and a size in words."""
    name = getattr(value, "__name__", None)
    if callable(value) and name:
        return f"function {name}"
    size = f" of {len(value)}" if hasattr(value, "__len__") else ""
    return f"{type(value).__name__}{size}"


def _public_module(cls: type) -> str:
    """Return where a class is imported from: the module without its private and inner parts, if it is there, too."""
    parts = cls.__module__.split(".")
    for outer in (".".join(parts[:end]) for end in range(1, len(parts))):
        if getattr(sys.modules.get(outer), cls.__name__, None) is cls:
            return outer
    return cls.__module__


def code_of_list(name: str, values: Sequence[Any]) -> str:
    """Return the assignment of a list of words and numbers, in lines.

    Examples
    --------
    >>> from pyrrf.reports.settings import code_of_list
    >>> print(code_of_list("kept", ["a", 1]))
    kept = [
        'a', 1,
    ]
    """
    lines = [""]
    for value in values:
        part = f"{value!r},"
        if lines[-1] and len(lines[-1]) + len(part) > _WIDTH:
            lines.append("")
        lines[-1] += f" {part}" if lines[-1] else part
    if not values:
        return f"{name} = []"
    return "\n".join([f"{name} = [", *(f"    {line}" for line in lines if line), "]"])


def seed_of(estimator: Any) -> str:
    """Return a sentence on the seed of the fit; nothing if it has none."""
    if not hasattr(estimator, "random_state"):
        return ""
    state = estimator.random_state
    if isinstance(state, int | np.integer):
        return f"With random_state={state}, the same data and the same versions it selects the same features."
    return "random_state was not an integer, so another fit may select other features."
