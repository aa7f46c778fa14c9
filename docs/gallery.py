"""The pages of the gallery, written when the pages are built: R, its Python, and what both leave behind."""

from __future__ import annotations

import math
import sys
from pathlib import Path

from matplotlib import pyplot as plt

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from parity import workspace  # noqa: E402 (the repository is no package)

FOLDER = Path(__file__).parent / "_gallery"
SHOWN = 3  # values of a variable

PAGE = """# {name}

{about}

::::{{tab-set}}
:::{{tab-item}} R
```{{literalinclude}} ../../examples/scripts/{name}.R
:language: r
```
:::
:::{{tab-item}} Python
```python
{code}
```
:::
::::

`pyrrf migrate {name}.R` moves {moved} of {lines} lines. What both leave behind: {same} of {all} variables are the same
in each of their {values:,} values.

| variable | values | in R | in Python |
| --- | ---: | --- | --- |
{rows}
"""


def draw() -> None:
    """Write a page for each script, and the rows of the table that lists them."""
    FOLDER.mkdir(exist_ok=True)
    for name in workspace.NAMES:
        (FOLDER / f"{name}.md").write_text(page(name))
        plt.close("all")
    rows = [f"| [{name}](_gallery/{name}.md) | {about(name)} |" for name in sorted(workspace.NAMES)]
    (FOLDER / "list.txt").write_text("\n".join(["| script | what it does |", "| --- | --- |", *rows, ""]))


def about(name: str) -> str:
    """Return what a script says of itself in its first line."""
    first = (workspace.SCRIPTS / f"{name}.R").read_text().splitlines()[0]
    return first.lstrip("# ").replace("|", "\\|")


def page(name: str) -> str:
    """Return the page of a script: it is moved and run now; R's values are those recorded."""
    translation = workspace.moved(name)
    theirs = workspace.read(workspace.recorded(name))
    ours = workspace.run_python(translation, name)
    shared = [variable for variable in theirs if theirs[variable]]
    return PAGE.format(
        name=name,
        about=about(name),
        code=translation.code,
        moved=translation.lines - translation.left_lines,
        lines=translation.lines,
        same=len(shared) - len(workspace.differences(theirs, ours)),
        all=len(shared),
        values=sum(len(theirs[variable]) for variable in shared),
        rows="\n".join(
            f"| `{variable}` | {len(theirs[variable]):,} | {some(theirs[variable])} | {some(ours.get(variable, []))} |"
            for variable in sorted(shared)
        ),
    )


def some(values: list[object]) -> str:
    """Return the first values of a variable as text."""
    shown = [text(value) for value in values[:SHOWN]]
    return " ".join(shown) + (" ..." if len(values) > SHOWN else "")


def text(value: object) -> str:
    """Return a value as it stands in a table of Markdown."""
    if isinstance(value, float):
        return "NA" if math.isnan(value) else f"{value:.7g}"
    return "NA" if value is None else str(value).replace("|", "\\|")
