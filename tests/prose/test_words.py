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
# Names of these modules are R's, or words of what `pyrrf migrate` writes: r.found, r.taken, r.named, r.left.
PUBLIC = [f"r/{module}.py" for module in ("base/packages", "files/recorded", "indexing/subscripts", "values/arguments")]
PLAIN = [file for file in (ROOT / "pyrrf").rglob("*") if not str(file).endswith(tuple(PUBLIC))]
PLAIN += [file for room in ("src_c", "tests/migrate", "parity") for file in (ROOT / room).rglob("*")]
PARTICIPLES = """aligned asked built centred changed checked chosen coded counted crossed decoded described drawn
eliminated expanded filled found given gone grown guarded held inlined installed joined kept known labelled left listed
lost made marked moved named packed paid predicted regularized resolved said sent shown taken told tried unpacked used
weighed written"""
NEVER = {
    r"""(?:#|/\*+|""\") ?(?:(?:Return|Yield)s? )?(?:by )?(?:what|those|how|which)\b""": "begin with a noun or a verb",
    rf"^\s*c?p?def (?:[\w\[\]:*]+ )*(?!predicted\(self\))\**_?(?:{'|'.join(PARTICIPLES.split())})\(": (
        "functions are verbs or nouns"
    ),
    r"^\s*(?:cdef [\w\[\]:]+ )?(?:for )?(?:\w+, )*(?:at|found|part)\b(?:, \w+)*(?:: [^=]+)? (?:[-+|&]?=|in) [^;]*$": (
        "variables say what they hold"
    ),
}


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


@functools.cache
def code_lines() -> list[tuple[str, str]]:
    """Return each line of the modules, Cython and C files, with its place."""
    return [
        (f"{file.relative_to(ROOT)}:{number}", line)
        for file in PLAIN
        if file.suffix in (".py", ".pyx", ".pyi", ".pxd", ".c", ".h")
        for number, line in enumerate(file.read_text().splitlines(), 1)
    ]


@pytest.mark.parametrize("pattern", NEVER)
def test_first_words_and_names(pattern: str) -> None:
    matches = [f"{place}: {line.strip()}" for place, line in code_lines() if re.search(pattern, line, re.I)]
    assert matches == [], NEVER[pattern]
