"""R's plotting symbols (pch) as markers of matplotlib."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyrrf.errors import bad
from pyrrf.plots.library import matplotlib

# Symbols with one marker: the marker, its size in points, whether it is filled.
_PLAIN: dict[int, tuple[Any, float, bool]] = {
    0: ("s", 6, False),
    1: ("o", 6, False),
    2: ("^", 6, False),
    3: ("+", 7, True),
    4: ("x", 6, True),
    5: ("D", 5, False),
    6: ("v", 6, False),
    15: ("s", 6, True),
    16: ("o", 6, True),
    17: ("^", 6, True),
    18: ("D", 5, True),
    19: ("o", 6, True),
    20: ("o", 4, True),
    21: ("o", 6, False),
    22: ("s", 6, False),
    23: ("D", 5, False),
    24: ("^", 6, False),
    25: ("v", 6, False),
}
_SQUARE, _DIAMOND = ((-1, -1), (1, -1), (1, 1), (-1, 1)), ((-1, 0), (0, -1), (1, 0), (0, 1))
_UP, _DOWN = ((-1, -0.6), (1, -0.6), (0, 1)), ((-1, 0.6), (1, 0.6), (0, -1))
_PLUS, _TIMES = (((-1, 0), (1, 0)), ((0, -1), (0, 1))), (((-1, -1), (1, 1)), ((-1, 1), (1, -1)))
_INNER = tuple(tuple((0.7 * x, 0.7 * y) for x, y in line) for line in _TIMES)
_CIRCLE = tuple((float(np.cos(angle)), float(np.sin(angle))) for angle in np.linspace(0, 2 * np.pi, 33)[:-1])
# Composed symbols: closed shapes, then open lines.
_JOINT: dict[int, tuple[tuple[Any, ...], tuple[Any, ...]]] = {
    7: ((_SQUARE,), _TIMES),
    8: ((), (*_PLUS, *_INNER)),
    9: ((_DIAMOND,), _PLUS),
    10: ((_CIRCLE,), _PLUS),
    11: ((_UP, _DOWN), ()),
    12: ((_SQUARE,), _PLUS),
    13: ((_CIRCLE,), _INNER),
    14: ((_SQUARE, ((-1, -1), (1, -1), (0, 1))), ()),
}
# Symbols with the fill colour bg.
_FILLED_BY_BG = range(21, 26)
# Size in points of a composed symbol, and of a letter.
_JOINT_SIZE, _LETTER_SIZE = 7, 8


def check_symbol(pch: Any) -> Any:
    """Return R's number of a symbol as int, a letter or marker unchanged."""
    if isinstance(pch, str):
        if _is_marker(pch) or len(pch) == 1:
            return pch
    elif isinstance(pch, int | float | np.number) and not isinstance(pch, bool) and 0 <= pch <= 25 and pch == int(pch):
        return int(pch)
    raise bad.choice(f"pch must be one of R's symbols 0 to 25, a letter, or a matplotlib marker, not {pch!r}")


def symbol(pch: Any, bg: Any = None) -> dict[str, Any]:
    r"""Return marker settings for one of R's plotting symbols, a letter, or a matplotlib marker.

    `bg` fills the symbols 21 to 25.

    Examples
    --------
    >>> from pyrrf.plots.symbols import symbol
    >>> symbol(19), symbol("a")
    ({'marker': 'o', 'markersize': 6}, {'marker': '$\\mathrm{a}$', 'markersize': 8})
    """
    if isinstance(pch, str):
        if _is_marker(pch):
            return {"marker": pch, "markersize": 6}
        return {"marker": _letter(pch), "markersize": _LETTER_SIZE}
    if pch in _JOINT:
        return {"marker": _path(*_JOINT[pch]), "markersize": _JOINT_SIZE, "markerfacecolor": "none"}
    marker, size, filled = _PLAIN[pch]
    face = {} if filled else {"markerfacecolor": "none" if bg is None or pch not in _FILLED_BY_BG else bg}
    return {"marker": marker, "markersize": size} | face


def _is_marker(text: str) -> bool:
    return text in matplotlib("lines").Line2D.markers or (len(text) > 2 and text[0] == text[-1] == "$")


def _letter(text: str) -> str:
    escaped = f"\\{text}" if text in "$%#&_{}" else text
    return rf"$\mathrm{{{escaped}}}$"


def _path(closed: tuple[Any, ...], lines: tuple[Any, ...]) -> Any:
    """Return shapes and lines as one path."""
    path = matplotlib("path").Path
    shapes = [path([*shape, shape[0]], closed=True) for shape in closed]
    return path.make_compound_path(*shapes, *(path(line) for line in lines))
