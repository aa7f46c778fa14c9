"""A Python file before it is written: Python reads in it what was meant, and nothing that no script is moved to."""

from __future__ import annotations

import ast
import builtins
import keyword
import unicodedata
from collections.abc import Sequence

from pyrrf import r

# What moved scripts take of Python's own functions.
_BUILTINS = {"globals", "locals", "SystemExit"}
_NO_BUILTINS = set(dir(builtins)) - _BUILTINS
_STATEMENTS = (
    ast.Expr, ast.Assign, ast.Delete, ast.If, ast.For, ast.While, ast.Break, ast.Continue, ast.Pass, ast.FunctionDef,
    ast.Return, ast.Raise, ast.Global, ast.Nonlocal, ast.Import, ast.ImportFrom,
)  # fmt: skip
_IMPORTS = {"import pyrrf", "from pyrrf import r"}


class DisagreementError(Exception):
    """Python would read something else than what a script was moved to; such code is neither written nor run."""


def agreed(text: str, meant: Sequence[ast.stmt], is_file: bool = False) -> str:
    """Return the text of some Python, if it says what was meant.

    Parameters
    ----------
    text : str
    meant : sequence of statements
    is_file : bool, default False
        Whether it is a whole file, which Python reads as bytes: there a comment can name another encoding.

    Raises
    ------
    DisagreementError
        It says something else, or what was meant is nothing that moves scripts.
    RecursionError
        It is nested too deeply for Python.
    """
    tree = ast.fix_missing_locations(ast.Module(list(meant), []))
    _check_words(tree)
    try:
        found = ast.parse(text.encode() if is_file else text)
        if is_file:
            compile(found, "<moved>", "exec", dont_inherit=True)
    except MemoryError:
        raise RecursionError("nested too deeply for Python") from None
    except (SyntaxError, ValueError) as error:
        if "too many" in str(error):
            raise RecursionError(str(error)) from None
        raise DisagreementError(f"the Python is damaged: {error}") from None
    if ast.dump(found) != ast.dump(ast.parse(ast.unparse(tree))):
        raise DisagreementError("the Python says something else than what was meant")
    return text


def _check_words(tree: ast.Module) -> None:
    """See that a tree has the statements and names that moved scripts have: none of Python's own, nothing hidden."""
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and not isinstance(node, _STATEMENTS):
            raise DisagreementError(f"the statement {type(node).__name__}")
        if isinstance(node, ast.Import | ast.ImportFrom):
            if ast.unparse(node) not in _IMPORTS:
                raise DisagreementError("an import")
        elif isinstance(node, ast.Attribute):
            _check_attribute(node)
        elif isinstance(node, ast.Name) and node.id in _NO_BUILTINS:
            raise DisagreementError(f"the name {node.id}")
        if not isinstance(node, ast.Constant | ast.alias | ast.ImportFrom):
            _check_identifiers(node)


def _check_identifiers(node: ast.AST) -> None:
    """See that the names of a node are names, and those that Python makes of them."""
    for _, value in ast.iter_fields(node):
        for word in value if isinstance(value, list) else [value]:
            if not isinstance(word, str):
                continue
            hidden = word[:2] == word[-2:] == "__" and word.strip("_") and not isinstance(node, ast.keyword)
            plain = word.isidentifier() and not keyword.iskeyword(word) and not hidden
            if not plain or unicodedata.normalize("NFKC", word) != word:
                raise DisagreementError(f"the name {word!a}")


def _check_attribute(node: ast.Attribute) -> None:
    """See that a part of a value is one of R's, and what is called by ``r.`` one of `pyrrf.r`."""
    of_r = isinstance(node.value, ast.Name) and node.value.id == "r"
    if node.attr.startswith("_") or (of_r and node.attr not in r.__all__):
        raise DisagreementError(f"the attribute {node.attr!a}")
