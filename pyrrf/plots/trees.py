"""Drawing of a tree of variables, with the root on the left."""

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
# Inches of height for each leaf; the smallest and the largest height.
_LEAF, _LOWEST, _HIGHEST = 0.2, 3.0, 24.0
# Inches between a name and the next node, and for each letter.
_GAP, _LETTER = 0.4, 0.07
_NAME: dict[str, Any] = {"va": "center", "fontsize": "small", "zorder": 3}
_BEHIND = {"edgecolor": "none", "alpha": 0.8, "pad": 0.5}
# Largest number of leaves for which names are drawn.
_MOST_NAMES = 150


def lay_out(parents: Positions) -> tuple[Positions, Floats]:
    """Return depth and vertical position of each node of a tree, with parents centred on their children.

    The parent of the root is -1; leaves are at 0, 1, 2, ..., from the bottom to the top.

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
    """Draw the tree of features below a target.

    The root is the last node and its parent -1. Weights are those of the edges to the parents, in bits; the width of an
    edge is proportional to its weight.
    """
    depths, heights = lay_out(parents)
    # The text colour of the current style, which may be dark.
    ink = matplotlib("pyplot").rcParams["text.color"]
    leaves = int(heights.max()) + 1
    if ax is None:
        height = min(max(_LOWEST, _LEAF * leaves), _HIGHEST)
        level = _GAP + _LETTER * max(len(name) for name in names)
        _, ax = pyplot().subplots(figsize=(level * (depths.max() + 2), height), layout="constrained")
    children = np.flatnonzero(parents >= 0)
    largest = max(float(weights[children].max(initial=0.0)), np.finfo(float).tiny)
    for node in children.tolist():
        x, y = depths[[parents[node], node]], heights[[parents[node], node]]
        width = max(0.3, _WIDEST * max(0.0, float(weights[node])) / largest)
        ax.plot(x, y, color=DROPPED, linewidth=width, solid_capstyle="round", zorder=1)
    for nodes, colour, word in _groups(parents, kept, ax.get_facecolor()):
        ax.scatter(depths[nodes], heights[nodes], s=40, color=colour, edgecolor=ink, label=word, zorder=2)
    if leaves <= _MOST_NAMES:
        box = {"facecolor": ax.get_facecolor(), **_BEHIND}
        for node, name in enumerate(names):
            position = (float(depths[node]), float(heights[node]))
            ax.annotate(name, position, xytext=(6, 0), textcoords="offset points", bbox=box, **_NAME)
    ax.margins(x=0.15 if leaves <= _MOST_NAMES else 0.04)
    ax.set_axis_off()
    title = f"edge width: mutual information, at most {largest:.3g} bits"
    ax.legend(loc="upper left", frameon=False, fontsize="small", title=title)
    return ax  # type: ignore[no-any-return]


def _groups(parents: Positions, kept: np.ndarray, hollow: Any) -> list[tuple[Positions, Any, str]]:
    root = np.flatnonzero(parents < 0)
    return [
        (root, AGAINST, "target"),
        (np.flatnonzero(kept), KEPT, f"selected: {int(kept.sum())}"),
        (np.flatnonzero(~kept), hollow, f"redundant or irrelevant: {int((~kept).sum())}"),
    ]
