"""A tree of variables, drawn from its root on the left to the right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pyrrf.plots.colours import AGAINST, DROPPED, KEPT
from pyrrf.plots.library import matplotlib, pyplot
from pyrrf.types import Floats, Positions

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WIDEST = 4.0
# Inches of height for each leaf, and the least and the greatest height.
_LEAF, _LOWEST, _HIGHEST = 0.2, 3.0, 24.0
# Inches between a name and the next node, and for each of its letters.
_GAP, _LETTER = 0.4, 0.07
_NAME: dict[str, Any] = {"va": "center", "fontsize": "small", "zorder": 3}
_BEHIND = {"edgecolor": "none", "alpha": 0.8, "pad": 0.5}
# Names are left out where more leaves than this stand below each other.
_MOST_NAMES = 150


def lay_out(parents: Positions) -> tuple[Positions, Floats]:
    """Return how deep each node of a tree lies, and how high it stands, parents at the middle of their children.

    The parent of the root is -1; leaves stand at 0, 1, 2, ..., from the bottom to the top.

    Examples
    --------
    >>> import numpy as np
    >>> from pyrrf.plots.trees import lay_out
    >>> lay_out(np.array([-1, 0, 0]))
    (array([0, 1, 1]), array([0.5, 0. , 1. ]))
    """
    m = len(parents)
    children = [np.flatnonzero(parents == node).tolist() for node in range(m)]
    depths, heights = np.zeros(m, np.int64), np.zeros(m)
    order = np.flatnonzero(parents < 0).tolist()
    stack, leaves, walked = order.copy(), 0, []
    while stack:
        node = stack.pop()
        walked.append(node)
        depths[children[node]] = depths[node] + 1
        stack += reversed(children[node])
        if not children[node]:
            heights[node], leaves = leaves, leaves + 1
    for node in reversed(walked):
        if children[node]:
            heights[node] = heights[children[node]].mean()
    return depths, heights


def draw_tree(parents: Positions, weights: Floats, names: Sequence[str], kept: np.ndarray, ax: Any = None) -> Axes:
    """Draw a tree of features over a label.

    The root is the last node and its parent -1. Weights are those of the edges to the parents, in bits; edges are as
    wide.
    """
    depths, heights = lay_out(parents)
    # The text colour of the current style, which may be dark.
    ink = matplotlib("pyplot").rcParams["text.color"]
    leaves = int(heights.max()) + 1
    if ax is None:
        height = min(max(_LOWEST, _LEAF * leaves), _HIGHEST)
        level = _GAP + _LETTER * max(len(name) for name in names)
        _, ax = pyplot().subplots(figsize=(level * (depths.max() + 2), height), layout="constrained")
    below = np.flatnonzero(parents >= 0)
    most = max(float(weights[below].max(initial=0.0)), np.finfo(float).tiny)
    for node in below.tolist():
        x, y = depths[[parents[node], node]], heights[[parents[node], node]]
        width = max(0.3, _WIDEST * max(0.0, float(weights[node])) / most)
        ax.plot(x, y, color=DROPPED, linewidth=width, solid_capstyle="round", zorder=1)
    for nodes, colour, word in _groups(parents, kept, ax.get_facecolor()):
        ax.scatter(depths[nodes], heights[nodes], s=40, color=colour, edgecolor=ink, label=word, zorder=2)
    if leaves <= _MOST_NAMES:
        behind = {"facecolor": ax.get_facecolor(), **_BEHIND}
        for node, name in enumerate(names):
            place = (float(depths[node]), float(heights[node]))
            ax.annotate(name, place, xytext=(6, 0), textcoords="offset points", bbox=behind, **_NAME)
    ax.margins(x=0.15 if leaves <= _MOST_NAMES else 0.04)
    ax.set_axis_off()
    title = f"edge width: mutual information, at most {most:.3g} bits"
    ax.legend(loc="upper left", frameon=False, fontsize="small", title=title)
    return ax  # type: ignore[no-any-return]


def _groups(parents: Positions, kept: np.ndarray, hollow: Any) -> list[tuple[Positions, Any, str]]:
    root = np.flatnonzero(parents < 0)
    return [
        (root, AGAINST, "target"),
        (np.flatnonzero(kept), KEPT, f"selected: {int(kept.sum())}"),
        (np.flatnonzero(~kept), hollow, f"redundant or irrelevant: {int((~kept).sum())}"),
    ]
