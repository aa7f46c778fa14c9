"""What is carried along while a script is moved: its names, the lines written, what could not be moved."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from pyrrf.migrate.library import CALM, UnmovedError, has_function
from pyrrf.migrate.lines import Code, Comment, Line, code_of_r
from pyrrf.migrate.names import Names
from pyrrf.migrate.scopes import (
    Scope,
    assigned_outside,
    changed_anywhere,
    changing_names,
    formula_names,
    read_outside_loops,
    script_scope,
    shown_names,
    target_name,
)
from pyrrf.migrate.sourcing import Sources
from pyrrf.migrate.tree import Assign, Call, For, Function, Jump, Name, Node, Script, While, children, walk


@dataclass
class Left:
    """A statement that stays R."""

    node: Node
    reason: str


@dataclass(frozen=True)
class Steps:
    """The functions that move each kind of piece: modules below know them by the context alone."""

    read: Callable[[Context, Node], ast.expr]
    value: Callable[[Context, Node], ast.expr]
    kept: Callable[[Context, Node, str], ast.expr]
    function: Callable[[Context, Function], ast.expr]
    write_function: Callable[[Context, str, Function], None]
    run: Callable[[Context, Node], None]
    run_to: Callable[[Context, Node, str], None]


class Context:
    """A script that is being moved.

    Parameters
    ----------
    script : Script
    sources : Sources
        Where the files are that it sources.
    steps : Steps
        How pieces of R are moved.
    """

    def __init__(self, script: Script, sources: Sources, steps: Steps) -> None:
        self._steps = steps
        self.script = script
        self.names = Names()
        self.scopes: list[Scope] = [script_scope(script.body)]
        self.changed = changed_anywhere(script.body)
        self.outer = assigned_outside(script.body)
        self.changing = changing_names(script.body)
        self.formulas = formula_names(script.body)
        self.read_outside_loops = read_outside_loops(script.body)
        self.sources = sources
        self.lines: list[Line] = []
        self.left: list[Left] = []
        self.depth = 0
        self.place = (0, 0)
        self.fixed_place: tuple[int, int] | None = None
        self.masks: list[str] = []
        self.done: set[str] = set()
        self.attached: list[str] = []
        self.datasets: set[str] = set()
        self.shown = shown_names(script.body)
        self.loads = False
        self.methods: dict[str, set[str]] = {}
        self.whole: Node | None = None
        self.target = ""
        self.in_lambda = 0
        self.blocks = 0
        self.loops: list[int] = []  # in each, how many pieces that are evaluated later are around it
        self.missing: dict[tuple[int, str], str] = {}
        self._entered: list[Scope] = []
        self.unsure: set[tuple[int, str]] = set()
        self.refused: set[tuple[int, str]] = set()
        self.given_later: dict[tuple[int, str], str] = {}
        self.defaults: dict[tuple[int, str], Node] = {}
        # The statements up to this line may begin with rm(list = ls()).
        self.first_work = script.body[min(3, len(script.body) - 1)].last if script.body else 0

    # ---- names -----------------------------------------------------------------------------------

    @property
    def scope(self) -> Scope:
        """The innermost scope."""
        return self.scopes[-1]

    @property
    def at_top(self) -> bool:
        """Whether this is the top level of the script."""
        return len(self.scopes) == 1

    def enter(self, scope: Scope) -> None:
        """Go into the scope of a function. It is kept: what is noted of it goes by its identity."""
        self._entered.append(scope)
        self.scopes.append(scope)

    def owner(self, name: str) -> Scope | None:
        """Return the scope that a name belongs to."""
        return next((scope for scope in reversed(self.scopes) if scope.has(name)), None)

    def waits(self, name: str) -> bool:
        """Whether a name belongs to the script, which has not assigned it where this statement stands."""
        return self.owner(name) is self.scopes[0] and name not in self.done

    def name(self, name: str) -> ast.expr:
        """Return a name of the script."""
        return ast.Name(self.names[name], ast.Load())

    # ---- expressions and lines -------------------------------------------------------------------

    def read(self, node: Node) -> ast.expr:
        """Return an expression, which may be a literal of Python."""
        return self._steps.read(self, node)

    def value(self, node: Node) -> ast.expr:
        """Return an expression whose value is one of R, no literal."""
        return self._steps.value(self, node)

    def kept(self, node: Node, name: str = "") -> ast.expr:
        """Return a value that a name is to hold: a copy where that matters."""
        return self._steps.kept(self, node, name)

    def function(self, node: Function) -> ast.expr:
        """Return a function without a name."""
        return self._steps.function(self, node)

    def write_function(self, name: str, node: Function) -> None:
        """Write a function under a name of Python."""
        self._steps.write_function(self, name, node)

    def run(self, node: Node) -> None:
        """Move a statement, or those in braces."""
        self._steps.run(self, node)

    def run_to(self, node: Node, to: str) -> None:
        """Move statements whose value is returned, shown, dropped or assigned."""
        self._steps.run_to(self, node, to)

    def emit(self, code: Code | ast.expr) -> None:
        """Write a line."""
        statement = ast.Expr(code) if isinstance(code, ast.expr) else code
        self.lines.append(Line(self.depth, statement, *self.place))

    def set(self, name: str, value: ast.expr) -> None:
        """Write an assignment to a name of R."""
        self.put(name, value)
        self.note_given(name)

    def put(self, name: str, value: ast.expr) -> None:
        """Write what a name holds, where the script assigns nothing."""
        self.emit(ast.Assign([ast.Name(self.names[name], ast.Store())], value, lineno=0))
        self.done |= {name} if self.at_top and not self.depth else set()

    def note_given(self, name: str) -> None:
        """Write that a parameter that was assigned is not missing, where ``missing()`` asks for that later."""
        noted = self.given_later.get((id(self.scope), name))
        if noted is not None:
            self.emit(ast.Assign([ast.Name(noted, ast.Store())], constant(False), lineno=0))

    @contextmanager
    def inner(self) -> Iterator[None]:
        """Write lines one step deeper."""
        self.depth += 1
        before = len(self.lines)
        try:
            yield
            if all(isinstance(line.code, Comment) for line in self.lines[before:]):
                self.emit(ast.Pass())
        finally:
            self.depth -= 1

    def attempt(self, node: Node, work: Callable[[], None], also: str = "") -> None:
        """Move a statement; where that cannot be done, leave it as R with the reason.

        Parameters
        ----------
        node : Node
        work : callable
        also : str, default ''
            A name that gets the value of the statement.
        """
        before, place, depth, scopes = len(self.lines), self.place, self.depth, len(self.scopes)
        left, masks, lambdas, loops = len(self.left), len(self.masks), self.in_lambda, list(self.loops)
        self.place = self.fixed_place or (node.first, node.last)
        try:
            work()
        except UnmovedError as error:
            reason = str(error)
        except RecursionError:
            reason = "it is nested too deeply"
        else:
            self.place = place
            return
        del self.lines[before:], self.left[left:], self.scopes[scopes:], self.masks[masks:]
        self.depth, self.in_lambda, self.loops, self.place = depth, lambdas, loops, place
        if self.at_top and self.loops and leaves_loop(node):
            raise UnmovedError(reason)  # a loop that is not left, or not gone on with, is another one
        self.place = self.fixed_place or (node.first, node.last)
        self.leave(node, reason, also)
        self.place = place

    def leave(self, node: Node, reason: str, also: str = "") -> None:
        """Keep a statement as a comment; what it would have assigned tells why it is not there."""
        self.left.append(Left(node, reason))
        more = "; if it draws random numbers, what follows draws others than in R" if _may_draw(node) else ""
        self.emit(Comment(f"not moved: {reason}{more}"))
        for comment in code_of_r(node.text):
            self.emit(comment)
        for name in dict.fromkeys([*assigned_by(node), *([also] if also else [])]):
            if self.at_top or name in self.outer:  # Python wants to see that a name is there
                self.set(name, call("r.not_moved", constant(name), constant(f"line {node.first}: {reason}")))
        if not self.at_top:
            self.emit(ast.Raise(call("r.NotMovedError", constant(f"line {node.first}: {reason}")), None))


def leaves_loop(node: Node) -> bool:
    """Whether a piece of code has a ``break`` or ``next`` of a loop around it."""
    return isinstance(node, Jump) or (
        not isinstance(node, For | While | Function) and any(map(leaves_loop, children(node)))
    )


def assigned_by(node: Node) -> list[str]:
    """Return the names that a statement gives a value, in order; those inside of its functions are not among them."""
    found: dict[str, None] = {}
    _assigned(node, found)
    found.pop("", None)
    return list(found)


def _assigned(node: Node, found: dict[str, None]) -> None:
    if isinstance(node, Function):
        return
    if isinstance(node, Assign):
        found.setdefault(target_name(node.target) or "")
    elif isinstance(node, For):
        found.setdefault(node.variable)
    for child in children(node):
        _assigned(child, found)


def _may_draw(node: Node) -> bool:
    """Whether a function that is called, and not known here, may take numbers from R's stream."""
    called = [n.function.name for n in walk(node) if isinstance(n, Call) and isinstance(n.function, Name)]
    return any(not (name in CALM or has_function(name) or _is_layer(name)) for name in called)


def _is_layer(name: str) -> bool:
    return name.startswith(("geom_", "scale_", "theme")) and name != "geom_jitter"


# ---- pieces of Python ----------------------------------------------------------------------------


def constant(value: object) -> ast.expr:
    """Return a constant; whole numbers without a point, negative ones with a sign before them."""
    if isinstance(value, float) and value == value and abs(value) < 2**53 and value == int(value):
        value = int(value)
    return ast.Constant(value)  # type: ignore[arg-type]


def call(function: str, *args: ast.expr, **keywords: ast.expr) -> ast.expr:
    """Return a call of a function, which may have dots in its name."""
    made = [ast.keyword(name, value) for name, value in keywords.items()]
    return ast.Call(dotted(function), list(args), made)


def dotted(name: str) -> ast.expr:
    """Return ``a.b`` or ``a``."""
    first, *rest = name.split(".")
    tree: ast.expr = ast.Name(first, ast.Load())
    for part in rest:
        tree = ast.Attribute(tree, part, ast.Load())
    return tree
