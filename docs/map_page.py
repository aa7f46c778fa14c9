"""The page of the map, made by tools/map.py: all files of the project with what each is for."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))
import map as the_map

HEAD = """# The map

Folders and files of the project. Each line is the first sentence of a module's docstring, or of the comment at the
head of a file; `make map` prints the same. [Where a new thing goes](../developing/where.md) says
what else a change touches.
"""


def page() -> str:
    """Return the page as text: a block for each top folder."""
    blocks = ("\n".join(the_map.drawn(the_map.ROOT / top)) for top in the_map.SHOWN)
    return "\n".join([HEAD, *(f"```text\n{block}\n```\n" for block in blocks)])


def write() -> None:
    """Write the page to the folder of generated pages."""
    target = Path(__file__).parent / "_generated" / "map.md"
    target.parent.mkdir(exist_ok=True)
    target.write_text(page())
