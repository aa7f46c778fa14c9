"""Words that pages, docstrings and messages do not use, because a reader stops at them."""

from __future__ import annotations

import ast
import functools
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
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
CODE = re.compile(r"`[^`\n]*`")


@functools.cache
def lines() -> list[tuple[str, str]]:
    """Return each line of the pages, and of the strings of the modules (docstrings, messages, help), with its place."""
    pages = [ROOT / name for name in ("README.md", "DIFFERENCES.md", "CONTRIBUTING.md")]
    pages += [page for page in (ROOT / "docs").rglob("*") if page.suffix in (".md", ".rst") and "/_" not in str(page)]
    found = [(page, 1, page.read_text()) for page in pages]
    for module in (ROOT / "pyrrf").rglob("*.py"):
        strings = (node for node in ast.walk(ast.parse(module.read_text())) if isinstance(node, ast.Constant))
        found += [(module, node.lineno, node.value) for node in strings if isinstance(node.value, str)]
    return [
        (f"{file.relative_to(ROOT)}:{number}", line)
        for file, first, text in found
        for number, line in enumerate(CODE.sub("", text).splitlines(), first)
    ]


@pytest.mark.parametrize("pattern", INSTEAD)
def test_words_that_are_not_used(pattern: str) -> None:
    found = [f"{place}: {line.strip()}" for place, line in lines() if " " in line and re.search(pattern, line)]
    assert found == [], f"rather: {INSTEAD[pattern]}"
