"""Print the map of the project: its folders, and what each file in them is for, by its first sentence about itself.

``make map``, or for some folders ``make map ARGS="pyrrf/fit src_c/tree"``.
"""

from __future__ import annotations

import ast
import itertools
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
SHOWN = ("src_c", "pyrrf", "tests", "parity", "benchmarks", "docs", "tools")
WIDTH = 30
CODE = (".h", ".c", ".py", ".pyx", ".R", ".sh")
LICENCE = re.compile(r"^\W*SPDX-License-Identifier: \S+", re.M)
# Folders without a file that speaks for them.
FOLDERS = {
    "src_c/threads": "work on threads",
    "src_c/data": "columns before any tree",
    "src_c/random": "streams, and what is drawn from them",
    "src_c/tree": "one tree, for both engines",
    "src_c/answers": "results of a forest",
    "src_c/engine_r": "engine r, draw by draw as CRAN RRF",
    "src_c/engine_parallel": "engine parallel: trees grown ahead and taken in order",
    "src_c/filters": "what makes the search fast; the core gives the same answers without this folder",
    "src_c/filters/columns": "other forms of ranked columns",
    "src_c/filters/counts": "cases of classes counted in whole numbers, responses in sums by value",
    "src_c/filters/lanes": "F counted at once, its features side by side",
    "src_c/filters/regression": "rough ratios before R's sums",
    "src_c/filters/simd": "hot loops, plain and for AVX2",
}


def first_sentence(file: Path) -> str:
    """Return the first sentence of a module's docstring, or of the comment at the head of a file."""
    text = LICENCE.sub("", file.read_text(encoding="utf-8"))
    if file.suffix == ".py":
        said = ast.get_docstring(ast.parse(text)) or ""
    elif file.suffix in (".c", ".h", ".pyx"):
        head = re.search(r'/\*+(.*?)\*/|"""(.*?)"""', text, re.S)
        said = (head[1] or head[2]) if head else ""
    else:
        said = text
    lines = [line.lstrip("#* ").rstrip() for line in said.strip().splitlines() if not line.startswith("#!")]
    paragraph = " ".join(itertools.takewhile(bool, lines))
    return paragraph.partition(". ")[0].rstrip(".")


def modules(folder: Path) -> dict[str, Path]:
    """Return the modules of a folder by name, each with the file that speaks for it: a header before its .c file."""
    files = (file for suffix in CODE for file in folder.glob(f"*{suffix}") if file.stem != "__init__")
    found: dict[str, Path] = {}
    for file in files:
        found.setdefault(file.stem, file)
    return dict(sorted(found.items()))


def speaker(folder: Path) -> str:
    """Return what a folder is for, in the words of its package or its README, or from the table above."""
    spoken = (first_sentence(folder / name) for name in ("__init__.py", "README.md") if (folder / name).exists())
    return FOLDERS.get(folder.relative_to(ROOT).as_posix()) or next(spoken, "")


def drawn(folder: Path, indent: str = "") -> Iterator[str]:
    """Yield the lines of a folder: itself, its modules, and the folders in it."""
    yield f"{indent}{folder.name + '/':{WIDTH - len(indent)}} {speaker(folder)}".rstrip()
    for name, file in modules(folder).items():
        yield f"{indent}  {name:{WIDTH - len(indent) - 2}} {first_sentence(file)}"
    for inner in sorted(path for path in folder.iterdir() if path.is_dir()):
        if any(file.suffix in CODE for file in inner.rglob("*")) and not inner.name.startswith((".", "_")):
            yield from drawn(inner, indent + "  ")


if __name__ == "__main__":
    for shown in sys.argv[1:] or SHOWN:
        sys.stdout.writelines(f"{line}\n" for line in drawn(ROOT / shown))
