"""Default arguments: R evaluates one when the function first uses it, among the function's own variables."""

from __future__ import annotations

import ast

from pyrrf.migrate.context import Context, call, constant
from pyrrf.migrate.effects import has_effect, names_read, names_written
from pyrrf.migrate.flow import flow
from pyrrf.migrate.library import UnmovedError
from pyrrf.migrate.lines import when
from pyrrf.migrate.tree import Arg, Assign, Block, Constant, Function, Name, Node, Number, Text, Unary, walk
from pyrrf.migrate.uses import Uses


class Param:
    """A parameter: its name, its default, and whether this can stand in the header."""

    def __init__(self, arg: Arg) -> None:
        self.name, self.default = arg.name or "", arg.value
        inner = arg.value.operand if isinstance(arg.value, Unary) else arg.value
        plain = isinstance(inner, Number | Text) or (isinstance(inner, Constant) and inner.name != "NULL")
        self.default_is_computed = arg.value is not None and not plain


def write_body(ctx: Context, body: Node, later: list[Param]) -> None:
    """Write the statements of a function, each default before the first statement that may use it."""
    statements = body.body if isinstance(body, Block) and body.body else [body]
    waiting = {param.name: param for param in later}
    for at, statement in enumerate(statements):
        for name in _used_here(ctx, statement, waiting):
            _Filling(ctx, statements, at, waiting).fill(name)
            del waiting[name]
        if at < len(statements) - 1:
            ctx.run(statement)
        else:
            ctx.run_to(statement, "return")


def _used_here(ctx: Context, statement: Node, waiting: dict[str, Param]) -> list[str]:
    """Return the parameters that a statement names, those first that it surely uses."""
    named = [name for name in waiting if name in _mentioned(statement)]
    uses = Uses(tuple(ctx.scopes), set(named))
    uses.walk(statement)
    return [*uses.found, *(name for name in named if name not in uses.found)]


def _mentioned(node: Node) -> set[str]:
    """Return the names in a piece of code; a string may be one, too."""
    inner = walk(node)
    return {n.name for n in inner if isinstance(n, Name)} | {n.value for n in inner if isinstance(n, Text)}


class _Filling:
    """Writes the default of a parameter before a statement.

    Parameters
    ----------
    ctx : Context
    statements : list of Node
        Those of the function.
    at : int
        The place of the one that follows.
    waiting : dict of str to Param
        Parameters whose default is not written yet.
    """

    def __init__(self, ctx: Context, statements: list[Node], at: int, waiting: dict[str, Param]) -> None:
        self.ctx, self.before, self.statement, self.waiting = ctx, statements[:at], statements[at], waiting
        self.rest = statements[at:]
        self.scopes = tuple(ctx.scopes)
        self.path: list[str] = []

    def fill(self, name: str) -> None:
        """Write that a parameter that is not given has its default."""
        param = self.waiting[name]
        assert param.default is not None
        self.ctx.emit(when(ast.Compare(self.ctx.name(name), [ast.Is()], [constant(None)])))
        self.path.append(name)
        with self.ctx.inner():
            reason = self._refused(param.default)
            lines = len(self.ctx.lines)
            if not reason:
                try:
                    for other in sorted(_mentioned(param.default) & self.waiting.keys()):
                        self.fill(other)
                    self.ctx.put(name, self.ctx.kept(param.default, name))
                except UnmovedError as error:
                    reason = str(error)
            if reason:
                del self.ctx.lines[lines:]
                text = " ".join(param.default.text.split())
                self.ctx.refused.add((id(self.ctx.scope), name))
                self.ctx.put(name, call("r.not_moved", constant(name), constant(f"its default, {text}, {reason}")))
        self.path.pop()

    def _refused(self, default: Node) -> str:
        """Return why the default may have another value, or effect, before the statement than where R uses it."""
        named = _mentioned(default)
        if named & set(self.path):
            return "uses itself"
        uses = Uses(self.scopes, {self.path[0]})
        uses.walk(self.statement)
        sure = bool(uses.found)
        if self._acts(default, frozenset(self.path)) and not (sure and self._leads_here(default)):
            return "draws or prints when it is used"
        if any(isinstance(inner, Assign) for inner in walk(default)):
            return "assigns"
        scope = self.ctx.scope
        unset = [
            name
            for name in named & scope.assigned.keys() - set(scope.params)
            if flow(_block(self.before), name) != "set"
        ]
        read = names_read(self.scopes, default, self.ctx.outer)
        return "uses what the function computes later" if unset or read & self._written(sure) else ""

    def _acts(self, default: Node, path: frozenset[str]) -> bool:
        others = _mentioned(default) & self.waiting.keys() - path
        return has_effect(self.scopes, default) or any(
            self._acts(self.waiting[name].default or default, path | {name}) for name in others
        )

    def _leads_here(self, default: Node) -> bool:
        """Whether the default above this one, if there is one, surely uses it first."""
        if has_effect(self.scopes, default) and any(name in self.waiting for name in _mentioned(default)):
            return False
        if len(self.path) < 2:
            return True
        above = self.waiting[self.path[-2]].default
        uses = Uses(self.scopes, {self.path[-1]})
        return above is not None and (uses.walk(above), uses.found)[1] == [self.path[-1]]

    def _written(self, sure: bool) -> set[str]:
        """Return the names that may be assigned before the parameter is used."""
        statement = self.statement
        inside = [n for n in walk(statement) if isinstance(n, Function) and self.path[0] in _mentioned(n)]
        outer = set() if sure else self.ctx.outer
        if inside:
            names = {name for part in self.rest for name in names_written(self.scopes, part, self.ctx.outer)}
            return names | (self.ctx.changing & {*self.ctx.scope.params, *self.ctx.scope.assigned, *self.ctx.outer})
        if isinstance(statement, Assign) and isinstance(statement.target, Name) and not statement.outer:
            statement = statement.value
        return names_written(self.scopes, statement, outer) - ({self.path[0]} if sure else set())


def _block(statements: list[Node]) -> Block:
    return Block(0, 0, "", statements)
