"""What a Python file is made of: pieces of Python's syntax tree, and comments. Neither is text that may be run."""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pyrrf.visible import visible


@dataclass(frozen=True)
class Comment:
    """A text that stands in a comment of one line, whatever it holds.

    Attributes
    ----------
    text : str
    mark : str
        What the line begins with.
    """

    text: str
    mark: Literal["#", "# ", "#R "] = "# "

    def __str__(self) -> str:
        return self.mark + visible(self.text)


def code_of_r(text: str) -> list[Comment]:
    """Return code of R as comments, one for each of its lines."""
    return [Comment(line.rstrip(), "#R ") for line in text.split("\n")]


@dataclass(frozen=True)
class Otherwise:
    """The second branch of the ``if`` above; with a condition, an ``elif``."""

    test: ast.expr | None = None


Code: TypeAlias = ast.stmt | Otherwise | Comment


@dataclass
class Line:
    """A line to be written.

    Attributes
    ----------
    depth : int
    code : statement of Python, Otherwise or Comment
        A statement with an empty body is a header: what is deeper, and follows, is its body.
    first, last : int
        The lines of R that it stands for.
    beside : Comment, optional
        What stands behind it.
    """

    depth: int
    code: Code
    first: int
    last: int
    beside: Comment | None = None

    @property
    def is_header(self) -> bool:
        """Whether other lines stand under it."""
        return isinstance(self.code, Otherwise) or (
            isinstance(self.code, ast.If | ast.For | ast.While | ast.FunctionDef) and not self.code.body
        )


def define(name: str, arguments: ast.arguments) -> ast.stmt:
    """Return the header of a function."""
    return ast.FunctionDef(name, arguments, [], [], None)


def when(test: ast.expr) -> ast.stmt:
    """Return the header of a choice."""
    return ast.If(test, [], [])


def tree_of(lines: Sequence[Line]) -> list[ast.stmt]:
    """Return the statements that lines say, each with those under it.

    Examples
    --------
    >>> lines = [Line(0, when(ast.Name("a")), 1, 1), Line(1, ast.Pass(), 1, 1), Line(0, ast.Break(), 2, 2)]
    >>> print(ast.unparse(tree_of(lines)))
    if a:
        pass
    break
    """
    bodies: list[list[ast.stmt]] = [[]]
    choices: dict[int, ast.If] = {}
    for line in lines:
        if isinstance(line.code, Comment):
            continue
        del bodies[line.depth + 1 :]
        if isinstance(line.code, Otherwise):
            bodies.append(_other_branch(choices, line.depth, line.code.test))
            continue
        node = copy.copy(line.code)
        bodies[line.depth].append(node)
        if line.is_header and isinstance(node, ast.If | ast.For | ast.While | ast.FunctionDef):
            node.body = []
            bodies.append(node.body)
        if isinstance(node, ast.If):
            node.orelse = []
            choices[line.depth] = node
    return bodies[0]


def _other_branch(choices: dict[int, ast.If], depth: int, test: ast.expr | None) -> list[ast.stmt]:
    """Add a branch to the choice at a depth, and return where its statements go."""
    above = choices[depth]
    if test is None:
        return above.orelse
    choices[depth] = ast.If(test, [], [])
    above.orelse.append(choices[depth])
    return choices[depth].body
