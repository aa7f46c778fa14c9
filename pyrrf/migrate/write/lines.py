"""Lines of a Python file: pieces of Python's syntax tree, and comments. Neither is text that may be run."""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pyrrf.escapes import escape_control_chars


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
        return self.mark + escape_control_chars(self.text)


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
    behind : Comment, optional
        What stands behind it.
    """

    depth: int
    code: Code
    first: int
    last: int
    behind: Comment | None = None

    @property
    def is_header(self) -> bool:
        """Whether other lines stand under it."""
        return isinstance(self.code, Otherwise) or (
            isinstance(self.code, ast.If | ast.For | ast.While | ast.FunctionDef) and not self.code.body
        )


# ---- pieces of Python ----------------------------------------------------------------------------


def constant(value: object) -> ast.expr:
    """Return a constant; whole numbers without a point, negative ones with a sign before them."""
    if isinstance(value, float) and value == value and abs(value) < 2**53 and value == int(value):
        value = int(value)
    return ast.Constant(value)  # type: ignore[arg-type]


def dotted_name(name: str) -> ast.expr:
    """Return ``a.b`` or ``a``."""
    first, *rest = name.split(".")
    tree: ast.expr = ast.Name(first, ast.Load())
    for word in rest:
        tree = ast.Attribute(tree, word, ast.Load())
    return tree


def call(function: str, *args: ast.expr, **keywords: ast.expr) -> ast.Call:
    """Return a call of a function, which may have dots in its name."""
    made = [ast.keyword(name, value) for name, value in keywords.items()]
    return ast.Call(dotted_name(function), list(args), made)


def arguments(*names: str) -> ast.arguments:
    """Return the parameters of a function, without defaults."""
    return ast.arguments([], list(map(ast.arg, names)), None, [], [], None, [])


def lambda_of(value: ast.expr, *names: str) -> ast.expr:
    """Return a function of some parameters that gives a value."""
    return ast.Lambda(arguments(*names), value)


def assignment(name: str, value: ast.expr) -> ast.stmt:
    """Return the assignment of a value to a name."""
    return ast.Assign([ast.Name(name, ast.Store())], value, lineno=0)


def is_in(name: str, place: str) -> ast.expr:
    """Return whether ``globals`` or ``locals`` have a name."""
    return ast.Compare(constant(name), [ast.In()], [call(place)])


def is_same(left: ast.expr, right: ast.expr, same: bool = True) -> ast.expr:
    """Return ``left is right``, or ``left is not right``."""
    return ast.Compare(left, [ast.Is() if same else ast.IsNot()], [right])


def all_of(tests: list[ast.expr], word: ast.boolop | None = None) -> ast.expr:
    """Return conditions as one, joined by ``and`` or by another word."""
    return tests[0] if len(tests) == 1 else ast.BoolOp(word or ast.And(), tests)


def define(name: str, parameters: ast.arguments) -> ast.stmt:
    """Return the header of a function."""
    return ast.FunctionDef(name, parameters, [], [], None)


def when(test: ast.expr) -> ast.stmt:
    """Return the header of a choice."""
    return ast.If(test, [], [])


# ---- lines as a tree -----------------------------------------------------------------------------


def tree_of(lines: Sequence[Line]) -> list[ast.stmt]:
    """Return the statements of lines, each with the statements under it.

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
