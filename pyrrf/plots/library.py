"""Import of matplotlib on first use."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def matplotlib(part: str) -> Any:
    """Return a module of matplotlib."""
    try:
        return import_module(f"matplotlib.{part}")
    except ImportError:
        raise ImportError("plots need matplotlib; install it with: pip install 'pyrrf[plot]'") from None


def pyplot() -> Any:
    """Return matplotlib.pyplot; raise ImportError with the command that installs it."""
    return matplotlib("pyplot")
