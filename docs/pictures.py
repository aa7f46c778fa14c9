"""The pictures of the page on plots, drawn by its own code when the pages are built."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("agg")

from matplotlib import pyplot as plt

HERE = Path(__file__).parent
FOLDER = HERE / "_pictures"
# A picture and the code that draws it, or code alone, which makes what later code needs.
BLOCK = re.compile(r"(?:!\[[^\]]*\]\(_pictures/(\w+)\.png\)\s+)?^```python\n(?!>>>)(.*?)^```", re.M | re.S)
# Pictures are smaller than on a screen, so that their words can be read on a telephone: inches of the larger side.
LARGEST = 5.2


def draw() -> None:
    """Run the code of the page, and keep each picture."""
    FOLDER.mkdir(exist_ok=True)
    known: dict[str, Any] = {}
    for name, code in BLOCK.findall((HERE / "plots.md").read_text()):
        plt.close("all")
        exec(code, known)
        if name:
            figure = plt.gcf()
            size = figure.get_size_inches()
            figure.set_size_inches(min(1, LARGEST / max(size)) * size)
            figure.savefig(FOLDER / f"{name}.png", dpi=150, bbox_inches="tight")
    plt.close("all")
