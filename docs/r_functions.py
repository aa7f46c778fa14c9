"""The page of pyrrf.r, made of the package itself: each function with its arguments and what it says of itself."""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path
from types import ModuleType

from pyrrf import r
from pyrrf.r.values.functions import facts_of

HEAD = """Functions of pyrrf.r
====================

``from pyrrf import r``: R's functions on R's values, with R's bits. An argument is a value of R, a number, a string, an
array, a list, or a table of pandas; a Python number is a double. Positions count from 1. ``numpy.asarray(value)``,
``float(value)`` and ``value.to_pandas()`` lead back. A form that would not give R's bits raises ``r.NotSupportedError``
with the reason; where R stops, too, the error is ``r.RError``. :doc:`/migrate` says how scripts become calls of these.

{n} functions, by room of ``pyrrf/r`` and module. In a name an underscore stands for R's dot. A default is R's, unless
its text says otherwise, ``absent`` that nothing is given; an argument behind "refused" has only R's default here, else
raises ``r.NotSupportedError``. :doc:`/arguments` says what the arguments of the forests do.

.. py:currentmodule:: pyrrf.r
"""


_EFFECTS = {"draws": "takes random numbers", "prints": "prints", "acts": "has an effect besides its value"}


def page() -> str:
    """Return the page as text."""
    parts, n, room = [], 0, ""
    for home, names in r._HOMES.items():
        module = importlib.import_module(f"pyrrf.r.{home}")
        if home.split(".")[0] != room:
            room = home.split(".")[0]
            parts += [_title(importlib.import_module(f"pyrrf.r.{room}"), "-")]
        functions = [(name, getattr(module, name)) for name in sorted(names.split(), key=str.lower)]
        rows = [_row(name, function) for name, function in functions if inspect.isfunction(function)]
        n += len(rows)
        parts += [_title(module, "~"), *rows] if rows else []
    return "\n".join([HEAD.format(n=n), *parts])


def _title(module: ModuleType, line: str) -> str:
    title = (module.__doc__ or "").split("\n")[0].rstrip(".")
    return f"{title}\n{line * len(title)}\n"


def _row(name: str, function: object) -> str:
    parameters = inspect.signature(function).parameters.values()  # type: ignore[arg-type]
    said, facts = (inspect.getdoc(function) or "").split("\n")[0], facts_of(function)
    more = [f"Refused: {', '.join(f'``{name}``' for name in facts.unsupported.split())}."] if facts.unsupported else []
    more += [f"It {' and '.join(_EFFECTS[word] for word in facts.does.split())}."] if facts.does else []
    head = f".. py:function:: {name}({', '.join(map(_argument, parameters))})\n   :no-contents-entry:"
    return f"{head}\n\n   {' '.join([said, *more])}\n"


def _argument(parameter: inspect.Parameter) -> str:
    mark = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    value = parameter.default
    shown = value.__name__ if inspect.isfunction(value) else repr(value)
    return f"{mark}{parameter.name}{'' if value is parameter.empty else f'={shown}'}"


def write() -> None:
    """Write the page."""
    target, text = Path(__file__).parent / "_generated" / "r-functions.rst", page()
    target.parent.mkdir(exist_ok=True)
    if not target.exists() or target.read_text() != text:
        target.write_text(text)
