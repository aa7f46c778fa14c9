"""Names of a package that are loaded when they are first asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def load_when_asked(
    package: str, homes: Mapping[str, str], rooms: str = ""
) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__all__``, ``__getattr__`` and ``__dir__`` of a package whose names live in other modules.

    Parameters
    ----------
    package : str
        Its ``__name__``.
    homes : mapping of str to str
        Names, with blanks between them, by the module that has them: one of the package, or any by its full name.
    rooms : str, default ''
        What `dir` shows besides: modules of the package, which are loaded too, and what the package has itself.
    """
    home = {
        name: module if module.startswith("pyrrf.") else f"{package}.{module}"
        for module, names in homes.items()
        for name in names.split()
    }
    modules = rooms.split()

    def load(name: str) -> Any:
        if name in modules:
            return import_module(f"{package}.{name}")
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        # Not at the top: it takes NumPy and pandas.
        from pyrrf.checks import explained

        value = explained(getattr(import_module(home[name]), name), package)
        # Threads that load a name at the same time must get one object, or it could not be pickled.
        return vars(sys.modules[package]).setdefault(name, value)

    return sorted(home), load, lambda: sorted([*home, *modules, "__doc__", "__name__"])
