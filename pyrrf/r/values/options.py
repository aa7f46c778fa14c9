"""The options of R that change results here: options("digits") and others."""

from __future__ import annotations

from typing import Any

from pyrrf.r.values.vector import doubles, integers, logicals, strings

OPTIONS: dict[str, Any] = {
    "digits": integers(7), "scipen": doubles(0), "stringsAsFactors": logicals(False), "warn": integers(0),
    "width": integers(80), "OutDec": strings("."), "max.print": integers(99999), "encoding": strings("native.enc"),
}  # fmt: skip


def option(name: str, otherwise: float) -> float:
    """Return an option that is a number; `otherwise` where the script removed it."""
    value = OPTIONS.get(name)
    return otherwise if value is None else float(value._data[0])
