"""Colours by R's functions: rainbow, rgb, gray."""

from __future__ import annotations

import colorsys
from collections.abc import Iterable

import numpy as np

from pyrrf.r.values.coercion import coerce
from pyrrf.r.values.errors import RError
from pyrrf.r.values.functions import Number, Whole, r_function
from pyrrf.r.values.vector import Value, strings
from pyrrf.rbase.numbers import number_text


def _hexadecimal(parts: Iterable[float]) -> str:
    """Return a colour as R writes it; its parts go from 0 to 1."""
    return "#" + "".join(f"{int(255 * float(share) + 0.5):02X}" for share in parts)


@r_function(unsupported="dots named")
def rainbow(n: Whole, *dots: object, **named: object) -> Value:
    """Return colours of the rainbow: R's ``rainbow`` with its defaults."""
    top = max(1, n - 1) / n if n else 0.0
    hues = [top * i / (n - 1) if n > 1 else 0.0 for i in range(n)]
    return strings([_hexadecimal(colorsys.hsv_to_rgb(hue, 1.0, 1.0)) for hue in hues])


@r_function(unsupported="names")
def rgb(
    red: Value, green: Value, blue: Value, alpha: Value | None = None, names: object = None, maxColorValue: Number = 1
) -> Value:
    """Return colours by their parts: R's ``rgb``."""
    parts = [coerce(channel, "double")._data for channel in (red, green, blue, alpha) if channel is not None]
    n = max(map(len, parts))
    for channel in parts:
        _check_shares(channel / maxColorValue, "color intensity {}, not in [0,1]")
    return strings(map(_hexadecimal, zip(*(np.resize(channel, n) / maxColorValue for channel in parts), strict=True)))


@r_function(unsupported="alpha")
def gray(level: Value, alpha: object = None) -> Value:
    """Return grey colours: R's ``gray``."""
    shares = coerce(level, "double")._data
    _check_shares(shares, "invalid gray level, must be in [0,1].")
    return strings([_hexadecimal([share] * 3) for share in shares])


def _check_shares(shares: np.ndarray, message: str) -> None:
    beyond = shares[~((shares >= 0) & (shares <= 1))]
    if len(beyond):
        raise RError(message.format(number_text(beyond[0])))


grey = gray
