"""One check of many names: a single test that lists all for which it fails."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any


def offenders(check: Callable[[Any], None], names: Iterable[Any]) -> list[str]:
    """The names for which a check fails, each with its reason."""
    found = []
    for name in names:
        try:
            check(name)
        except AssertionError as error:
            found.append(f"{name}: {error}")
    return found
