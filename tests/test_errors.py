"""Errors of bad input: each has a code of the list, and tests seldom quote a message."""

from __future__ import annotations

import ast
import copy
import pickle
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pyrrf.errors import CODES, bad

ROOT = Path(__file__).parent.parent
# What R's emulation refuses are R's errors; the core has arguments of its own, and a reader of damaged files says
# where it stopped, which becomes an error of the path.
OTHERS = ("r/", "migrate/", "_core/", "rds/reader.py", "rds/decoders.py", "rds/altrep.py")


@pytest.fixture(scope="module")
def trees() -> dict[str, ast.Module]:
    """Modules of the package and of the tests, by their paths."""
    return {
        str(file.relative_to(ROOT)): ast.parse(file.read_text())
        for folder in ("pyrrf", "tests")
        for file in sorted((ROOT / folder).rglob("*.py"))
    }


@pytest.fixture(scope="module")
def ours(trees: dict[str, ast.Module]) -> list[tuple[str, ast.Module]]:
    """Modules of the package that are not among the others."""
    known = {name.removeprefix("pyrrf/"): tree for name, tree in trees.items() if name.startswith("pyrrf/")}
    return [(name, tree) for name, tree in known.items() if not name.startswith(OTHERS)]


def calls(tree: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    """Yield each call with the text of its function."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func), node


def test_bad_input_is_refused_by_errors_with_a_code(ours: list[tuple[str, ast.Module]]) -> None:
    raised = {(name, node.lineno, text) for name, tree in ours for text, node in calls(tree)}
    assert [one for one in raised if one[2] in ("ValueError", "TypeError")] == []


def test_each_code_is_documented_and_raised(ours: list[tuple[str, ast.Module]]) -> None:
    page = (ROOT / "docs" / "input.md").read_text().partition("## Errors")[2]
    assert tuple(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)) == CODES
    raised = {text.removeprefix("bad.") for _, tree in ours for text, _ in calls(tree) if text.startswith("bad.")}
    assert raised == set(CODES)


@pytest.mark.parametrize(
    ("message", "argument"),
    [
        ("ntree must be 1", "ntree"),
        ("columns 1 and 2 of X have one name", "X"),
        ("column 'a of b' of newdata holds dates", "newdata"),
        ('column "it\'s" of x holds dates', "x"),
        ("column ('a', 1) of x holds dates", "x"),
        ("a column name of X holds half of a letter", "X"),
        ("gamma=2 is too large", "gamma"),
        ("2 rows are missing", None),
    ],
)
def test_messages_begin_with_the_argument(message: str, argument: str | None) -> None:
    assert vars(bad.range(message)) == {"argument": argument, "code": "range"}


@pytest.mark.parametrize("kind", [None, TypeError, KeyError])
def test_copies_and_pickles_keep_what_programs_read(kind: type[Exception] | None) -> None:
    error = bad.levels("y has class(es) without rows: 'c'", kind=kind, in_r="Can't have empty classes in y.")
    for other in (copy.copy(error), copy.deepcopy(error), pickle.loads(pickle.dumps(error))):
        assert type(other) is (kind or ValueError)
        assert vars(other) == {"argument": "y", "code": "levels", "in_r": "Can't have empty classes in y."}


def test_a_code_that_is_not_in_the_list_is_an_error() -> None:
    with pytest.raises(AttributeError, match="ranges"):
        bad.ranges("ntree must be 1")


# ---- how often tests quote messages ---------------------------------------------------------------


def pieces(node: ast.AST) -> list[str]:
    """Return the fixed parts of a string; empty for other code."""
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    return [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]


def is_sentence(text: str) -> bool:
    """Whether a text has 15 characters and three words."""
    return len(text) >= 15 and len(re.findall("[A-Za-z]{2,}", text)) >= 3


def messages(trees: dict[str, ast.Module]) -> Iterator[tuple[str, re.Pattern[str]]]:
    """Yield the longest fixed part of each text of an error or a warning, and a pattern of the whole."""
    for name, tree in trees.items():
        for node in ast.walk(tree) if name.startswith("pyrrf/") else ():
            said = isinstance(node, ast.Call) and re.search(r"(?:Error|warn\w*|bad\.\w+)$", ast.unparse(node.func))
            for string in ast.walk(node) if said else ():
                parts = pieces(string) if isinstance(string, ast.Constant | ast.JoinedStr) else []
                if is_sentence("".join(parts)):
                    yield max(parts, key=len).strip(), re.compile(".+?".join(re.escape(part.strip()) for part in parts))


def test_few_literals_quote_a_whole_message(trees: dict[str, ast.Module]) -> None:
    known = dict.fromkeys(messages(trees))
    quoting = [
        f"{name}:{node.lineno}"
        for name, tree in trees.items()
        for node in (ast.walk(tree) if name.startswith("tests/") else ())
        if isinstance(node, ast.Constant | ast.JoinedStr) and is_sentence(text := " ".join(pieces(node)))
        for plain in [re.sub(r"\\([^\w\s])", r"\1", text)]
        if any(part in plain and pattern.search(plain) for part, pattern in known)
    ]
    assert len(quoting) <= 150, quoting


def test_few_patterns_of_messages_are_long(trees: dict[str, ast.Module]) -> None:
    patterns = [
        "".join(pieces(keyword.value))
        for name, tree in trees.items()
        for _, call in (calls(tree) if name.startswith("tests/") else ())
        for keyword in call.keywords
        if keyword.arg == "match"
    ]
    assert len([text for text in patterns if len(text) > 40]) <= 20
