"""The pages of the gallery of R scripts, written when the pages are built: R, its Python, and the values of both."""

from __future__ import annotations

import math
import sys
from pathlib import Path

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

`pyrrf migrate {name}.R` translates {translated} of {lines} lines. The tests run the Python: all {values:,} values of
{all} variables are those of R.

| variable | values | the first |
| --- | ---: | --- |
{rows}
"""


def draw() -> None:
    """Write a page for each script, and the rows of the table that lists them."""
    FOLDER.mkdir(exist_ok=True)
    for name in workspace.NAMES:
        (FOLDER / f"{name}.md").write_text(page(name))
    rows = [f"| [{name}](_gallery/{name}.md) | {about(name)} |" for name in sorted(workspace.NAMES)]
    (FOLDER / "list.txt").write_text("\n".join(["| script | what it does |", "| --- | --- |", *rows, ""]))


def about(name: str) -> str:
    """Return the description in a script's first line."""
    first = (workspace.SCRIPTS / f"{name}.R").read_text().splitlines()[0]
    return first.lstrip("# ").replace("|", "\\|")


def page(name: str) -> str:
    """Return the page of a script with R's recorded values; tests/migrate/test_scripts.py compares them."""
    translation = workspace.translated(name)
    values = {variable: found for variable, found in workspace.read(workspace.recorded(name)).items() if found}
    return PAGE.format(
        name=name,
        about=about(name),
        code=translation.code,
        translated=translation.lines - translation.left_lines,
        lines=translation.lines,
        all=len(values),
        values=sum(map(len, values.values())),
        rows="\n".join(
            f"| `{variable}` | {len(values[variable]):,} | {some(values[variable])} |" for variable in sorted(values)
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
