"""What is carried along while a script is moved: types of names, lines written, what could not be moved."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from pyrrf.migrate import python
from pyrrf.migrate.tree import Assign, Call, For, Function, Index, Member, Name, Node, walk
from pyrrf.migrate.types import UNKNOWN, Type, join
from pyrrf.migrate.usage import Usage


class UnmovedError(Exception):
    """A piece of R that has no Python here; the message is the reason."""


@dataclass(frozen=True)
class Value:
    """An expression in Python and what is known of it."""

    py: ast.expr
    type: Type = UNKNOWN

    def typed(self, **changed: object) -> Value:
        """Return the same expression with another type."""
        return Value(self.py, replace(self.type, **changed))  # type: ignore[arg-type]


def counted(found: Value) -> Value:
    """Return a value with positions counted from 1, as R does."""
    if found.type.mixed:
        raise UnmovedError("positions, counted from 0 here, in some cases and numbers in others")
    if not found.type.zero:
        return found
    if found.type.kind not in ("scalar", "vector"):
        raise UnmovedError("positions in a list are used as numbers")
    return Value(python.shifted(found.py, 1), replace(found.type, zero=False, positive=True))


@dataclass
class Line:
    """A line to be written: how deep, and the statement, or a comment alone."""

    depth: int
    code: ast.stmt | str
    first: int
    last: int


@dataclass
class Left:
    """A statement that stays R."""

    node: Node
    reason: str


@dataclass
class Facts:
    """What one pass over the script teaches the next one.

    Attributes
    ----------
    params, results : dict
        Types of parameters and results of functions, by node.
    loops : dict
        Types of names at the end of a loop's body, by node.
    numbers : set of str
        Names that must hold numbers as R counts, because they do so somewhere.
    doubles : set of str
        Names whose whole numbers must be stored as doubles, because other numbers are assigned to items of them.
    keyed : set of str
        Lists whose items are assigned by name.
    outside : dict of str to Type
        What functions assign to names outside of them, by ``<<-``.
    top : dict of str to Type
        What the names of the script's top level hold, whenever a function may look at them.
    """

    params: dict[int, dict[str, Type]] = field(default_factory=dict)
    results: dict[int, Type] = field(default_factory=dict)
    loops: dict[int, dict[str, Type]] = field(default_factory=dict)
    numbers: set[str] = field(default_factory=set)
    doubles: set[str] = field(default_factory=set)
    keyed: set[str] = field(default_factory=set)
    outside: dict[str, Type] = field(default_factory=dict)
    top: dict[str, Type] = field(default_factory=dict)


# What takes numbers from R's stream.
DRAWS = {
    "set.seed", "sample", "sample.int", "runif", "rnorm", "rexp", "rgamma", "rbeta", "rpois", "rbinom", "RRF", "GRRF",
    "randomForest", "rrfcv", "rfcv", "tuneRRF", "tuneRF", "train", "createFolds", "createDataPartition", "rrfImpute",
}  # fmt: skip


def assigned_names(node: Node) -> set[str]:
    """Return the name that an assignment or a loop changes, if this is one."""
    target = node.target if isinstance(node, Assign) else None
    while isinstance(target, Index | Member | Call):
        target = target.of if not isinstance(target, Call) else target.args[0].value if target.args else None
    if isinstance(node, For):
        return {node.variable}
    return {target.name} if isinstance(target, Name) else set()


Reader: TypeAlias = "Callable[[Context, Node], Value]"
Runner: TypeAlias = "Callable[[Context, Node], None]"


class Context:
    """One pass over a script.

    Parameters
    ----------
    usage : Usage
    facts : Facts
        What the pass before has found out.
    reader : callable
        Turns an expression into Python.
    runner : callable
        Moves a statement, or those in braces.
    """

    def __init__(self, usage: Usage, facts: Facts, reader: Reader, runner: Runner) -> None:
        self.reader = reader
        self.runner = runner
        self.usage = usage
        self.facts = facts
        self.learned = Facts(numbers=facts.numbers, doubles=facts.doubles, keyed=facts.keyed)
        self.functions: dict[str, Function] = {}
        self.loop_names: set[str] = set()
        self.names: dict[str, Type] = {}
        self.lines: list[Line] = []
        self.left: list[Left] = []
        self.lost: dict[str, int] = {}
        self.outer: list[dict[str, Type]] = []
        self.borrowed: list[set[str]] = []
        self.declared: list[set[str]] = []
        self.inside: list[str] = []
        self.files: dict[str, Type] = {}
        self.start = 0
        self.loaded: list[int] = []
        self.members: list[tuple[Value, set[str]]] = []
        self.depth = 0
        self.device = False
        self.folder: Path | None = None
        self.place = (0, 0)
        self._rows = 0
        self._made = 0
        self.results: list[Type | None] = []

    def raw(self, node: Node) -> Value:
        """Return what an expression becomes; positions stay positions."""
        return self.reader(self, node)

    def value(self, node: Node) -> Value:
        """Return what an expression becomes; positions are turned into R's numbers."""
        return counted(self.raw(node))

    def run(self, node: Node) -> None:
        """Move a statement, or those in braces."""
        self.runner(self, node)

    def attempt(self, node: Node, work: Callable[[], None]) -> None:
        """Move a statement; where that cannot be done, leave it as R with the reason."""
        before, place, loaded = len(self.lines), self.place, len(self.loaded)
        self.place = (node.first, node.last)
        try:
            work()
        except UnmovedError as error:
            del self.lines[before + len(self.loaded) - loaded :]
            self.leave(node, str(error))
        except (AssertionError, AttributeError, IndexError, KeyError, TypeError, ValueError):
            # No statement may stop the rest; whatever has no rule stays R.
            del self.lines[before + len(self.loaded) - loaded :]
            self.leave(node, "a form of this statement that is not known")
        finally:
            self.place = place

    def leave(self, node: Node, reason: str) -> None:
        """Keep a statement as a comment."""
        if any(isinstance(inner, Call) and inner.function.text in DRAWS for inner in walk(node)):
            reason += "; it draws random numbers, so what follows draws others than in R"
        self.left.append(Left(node, reason))
        self.place = (node.first, node.last)
        self.emit(f"# not moved: {reason}")
        for line in node.text.splitlines():
            self.emit(f"#R {line.strip()}")
        for name in {name for inner in walk(node) for name in assigned_names(inner)}:
            self.names.pop(name, None)
            self.lost[name] = node.first

    def give(self, found: Value) -> None:
        """Write what a function returns."""
        if not self.results:
            raise UnmovedError("return outside of a function")
        found = counted(found)
        self.results[-1] = found.type if self.results[-1] is None else join(self.results[-1], found.type)
        self.emit(ast.Return(found.py))

    def fresh_rows(self) -> int:
        """Return a number for rows that are like no others."""
        self._rows += 1
        return self._rows

    def fresh_name(self, stem: str) -> str:
        """Return a name that the script does not use."""
        self._made += 1
        return f"{stem}_{self._made}"

    def find(self, name: str) -> Type | None:
        """Return the type of a name, None if it was not assigned."""
        if name in self.names:
            return self.names[name]
        found = next((scope[name] for scope in reversed(self.outer[1:]) if name in scope), None)
        if found is None and self.outer:
            found = self._at_top(name)
        if found is not None and self.borrowed and found.kind != "function":
            self.borrowed[-1].add(name)
        return found

    def _at_top(self, name: str) -> Type | None:
        """Return what a function finds under a name of the top level, which may be assigned later, or again."""
        now, ever = self.outer[0].get(name), self.facts.top.get(name)
        if now is None and (name in self.usage.varying or name in self.lost):
            return None
        if now is not None and (ever is None or now.kind == "function" or name not in self.usage.varying):
            return now
        return None if ever is None else replace(join(now, ever), constant=None)

    def is_declared(self, name: str) -> bool:
        """Whether a name of this function is one outside of it."""
        return bool(self.declared) and name in self.declared[-1]

    def own(self, name: str) -> None:
        """Make sure that a name can be assigned in a function: Python would look for it there from the start.

        Raises
        ------
        UnmovedError
            The function has read a name of this kind from outside.
        """
        if self.borrowed and name not in self.names and name in self.borrowed[-1] and not self.is_declared(name):
            raise UnmovedError(f"{name} is read from outside of the function, then a copy is changed in it; rename one")

    def wants_positions(self, name: str) -> bool:
        """Whether a name is to hold positions from 0 where it can."""
        return name in self.usage.indices and name not in self.facts.numbers

    def assign(self, name: str, type_: Type) -> None:
        """Note what a name holds from here on."""
        self.own(name)
        if not self.outer and name in self.facts.outside:
            type_ = join(type_, self.facts.outside[name])
        self.names[name] = type_
        self.lost.pop(name, None)
        if not self.outer:
            self.learned.top[name] = join(self.learned.top.get(name), type_)

    def emit(self, code: ast.stmt | ast.expr | str) -> None:
        """Write a line."""
        statement = ast.Expr(code) if isinstance(code, ast.expr) else code
        self.lines.append(Line(self.depth, statement, *self.place))

    def set(self, name: str, value: ast.expr) -> None:
        """Write an assignment to a name of R."""
        target = ast.Name(python.python_name(name), ast.Store())
        self.emit(ast.Assign([target], value, lineno=0))

    @contextmanager
    def inner(self) -> Iterator[None]:
        """Write lines one step deeper."""
        self.depth += 1
        before = len(self.lines)
        try:
            yield
            if all(isinstance(line.code, str) for line in self.lines[before:]):
                self.emit(ast.Pass())
        finally:
            self.depth -= 1

    @contextmanager
    def branch(self) -> Iterator[dict[str, Type]]:
        """Keep what a branch assigns apart; the names at its end are put into the dict that is given."""
        before = dict(self.names)
        ends: dict[str, Type] = {}
        try:
            yield ends
        finally:
            ends.update(self.names)
            self.names = before

    @contextmanager
    def function(self) -> Iterator[None]:
        """Keep the names of a function apart."""
        self.outer.append(self.names)
        self.borrowed.append(set())
        self.declared.append(set())
        self.names = {}
        try:
            yield
        finally:
            self.names = self.outer.pop()
            self.declared.pop()
            gone = self.borrowed.pop()
            if self.borrowed:  # a name of the function around both, or one that it reads from outside, too
                self.borrowed[-1] |= gone - self.names.keys()

    def merge(self, *ends: dict[str, Type]) -> None:
        """Join what branches assigned."""
        for name in {name for end in ends for name in end} - self.lost.keys():
            types = [end[name] for end in ends if name in end]
            joined = types[0]
            for other in types[1:]:
                if (
                    {joined.kind, other.kind} != {"none"}
                    and joined.zero != other.zero
                    and "none"
                    not in (
                        joined.kind,
                        other.kind,
                    )
                ):
                    self.learned.numbers.add(name)
                joined = join(joined, other)
            self.names[name] = joined
