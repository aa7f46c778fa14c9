"""Words that pages, docstrings and messages do not use, because a reader stops at them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
INSTEAD = {
    r"\bmoved\b": "translated",
    r"\bbeside\b": "compared with, next to, as well as",
    r"\btells?\b": "shows, says, distinguishes, informative",
    r"\bwhat (?:is|are) (?:no|none)\b": "name the thing",
    r"\b(?:is|are) none of\b": "is not one of",
    r"\b(?:classes|classification) (?:and|or|as) numbers\b|\bnumbers (?:and|or) classes\b": "regression",
    r"\bfor numbers\b": "for regression",
    r"\b[Nn]umbers(?: are| mean| is)? (?:a )?regression\b": "numeric y means regression",
}
PAGES = [ROOT / name for name in ("README.md", "DIFFERENCES.md", "CONTRIBUTING.md")]
PAGES += [page for page in (ROOT / "docs").rglob("*") if page.suffix in (".md", ".rst") and "/_" not in str(page)]
MODULES = [*(ROOT / "pyrrf").rglob("*.py")]


def texts(file: Path) -> Iterator[tuple[int, str]]:
    """Yield lines of a page, and of the strings of a module: docstrings, messages, help."""
    if file.suffix != ".py":
        prose = re.sub(r"`[^`\n]*`", "", file.read_text())
        yield from enumerate(prose.splitlines(), 1)
        return
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            prose = re.sub(r"`[^`\n]*`", "", node.value)
            yield from enumerate(prose.splitlines(), node.lineno)


@pytest.mark.parametrize("pattern", INSTEAD)
def test_words_that_are_not_used(pattern: str) -> None:
    found = [
        f"{file.relative_to(ROOT)}:{number}: {line.strip()}"
        for file in PAGES + MODULES
        for number, line in texts(file)
        if re.search(pattern, line)
    ]
    assert found == [], f"rather: {INSTEAD[pattern]}"
