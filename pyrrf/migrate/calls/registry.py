"""Functions of R by name: those with a value, and those that are called for what they do."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from pyrrf.migrate import python as py
from pyrrf.migrate.context import Context, UnmovedError, Value, counted
from pyrrf.migrate.functions import counts_from_one, learn_call, parameter_names
from pyrrf.migrate.tree import Arg, Call, Constant, Function, Index, Member, Name, Node, Number, Text
from pyrrf.migrate.types import UNKNOWN, Type

Maker: TypeAlias = "Callable[[Context, Args], Value]"
Doer: TypeAlias = "Callable[[Context, Args], None]"
VALUES: dict[str, Maker] = {}
DONE: dict[str, Doer] = {}


@dataclass(frozen=True)
class Args:
    """The arguments of a call.

    Parameters
    ----------
    name : str
        The function.
    given : list of Arg
    ctx : Context
    """

    name: str
    given: list[Arg]
    ctx: Context

    def bound(self, *params: str) -> dict[str, Node]:
        """Return the arguments by the parameters of R, matched by name, by its beginning, and by place.

        Raises
        ------
        UnmovedError
            An argument belongs to no parameter.
        """
        found: dict[str, Node] = {}
        rest: list[Node] = []
        for arg in self.given:
            if arg.value is None or (isinstance(arg.value, Name) and arg.value.name == "..."):
                raise UnmovedError(f"an argument of {self.name}() is empty or ...")
            if arg.name is None:
                rest.append(arg.value)
                continue
            names = [p for p in params if p == arg.name] or [p for p in params if p.startswith(arg.name)]
            if len(names) != 1:
                raise UnmovedError(f"the argument {arg.name} of {self.name}() is not moved")
            found[names[0]] = arg.value
        free = [p for p in params if p not in found]
        if len(rest) > len(free):
            raise UnmovedError(f"{self.name}() has more arguments than are moved")
        return found | dict(zip(free, rest, strict=False))

    def plain(self) -> list[Node]:
        """Return the arguments without names.

        Raises
        ------
        UnmovedError
            An argument has a name.
        """
        if any(arg.name is not None or arg.value is None for arg in self.given):
            named = next((arg.name for arg in self.given if arg.name), "...")
            raise UnmovedError(f"the argument {named} of {self.name}() is not moved")
        return [arg.value for arg in self.given if arg.value is not None]

    def one(self) -> Value:
        """Return the only argument, in R's numbers."""
        return counted(self.one_raw())

    def one_raw(self) -> Value:
        """Return the only argument; positions stay positions."""
        values = [arg.value for arg in self.given]
        if len(values) != 1 or values[0] is None:
            raise UnmovedError(f"{self.name}() with these arguments")
        return self.ctx.raw(values[0])


def value_of(*names: str) -> Callable[[Maker], Maker]:
    """Register what makes the value of functions of R."""

    def register(maker: Maker) -> Maker:
        VALUES.update(dict.fromkeys(names, maker))
        return maker

    return register


def done_by(*names: str) -> Callable[[Doer], Doer]:
    """Register what writes the lines of functions of R that are called for what they do."""

    def register(doer: Doer) -> Doer:
        DONE.update(dict.fromkeys(names, doer))
        return doer

    return register


def function_name(node: Call) -> str:
    """Return the name of the function that is called; empty if it is no name."""
    return node.function.name if isinstance(node.function, Name) else ""


def call_value(ctx: Context, node: Call) -> Value:
    """Return what a call becomes."""
    name = function_name(node)
    own = ctx.find(name)
    if own is not None and own.kind == "function":
        return own_call(ctx, name, own, node.args)
    if isinstance(node.function, Function | Call | Index | Member):
        return _unnamed_call(ctx, node)
    maker = VALUES.get(name)
    if maker is None and name in DONE:
        raise UnmovedError(f"the value of {name}() is used")
    if maker is None:
        where = f" (line {ctx.lost[name]})" if name in ctx.lost else ""
        raise UnmovedError(f"{name or node.function.text}() is not known{where}")
    return maker(ctx, Args(name, node.args, ctx))


def _unnamed_call(ctx: Context, node: Call) -> Value:
    """Return a call of a function that has no name of its own: written there, returned, or held by a list."""
    function = ctx.raw(node.function)
    if function.type.kind != "function" or any(arg.name or arg.value is None for arg in node.args):
        raise UnmovedError(f"{node.function.text}() is not known")
    values = [ctx.value(arg.value) for arg in node.args if arg.value is not None]
    params = parameter_names(ctx, function.type)
    learn_call(ctx, function.type, {name: value.type for name, value in zip(params, values, strict=False)})
    return Value(ast.Call(function.py, [value.py for value in values], []), function.type.item or UNKNOWN)


def run_call(ctx: Context, node: Call) -> bool:
    """Write the lines of a call that is a statement; False if its value is what counts."""
    name = function_name(node)
    own = ctx.find(name)
    doer = DONE.get(name)
    if doer is None or (own is not None and own.kind == "function"):
        return False
    doer(ctx, Args(name, node.args, ctx))
    return True


def own_call(ctx: Context, name: str, type_: Type, args: list[Arg]) -> Value:
    """Return a call of a function of the script."""
    params = parameter_names(ctx, type_)
    if "..." in params or any(is_dots(arg) for arg in args):
        return _open_call(ctx, name, type_, args)
    bound = Args(name, args, ctx).bound(*params)
    positional: list[ast.expr] = []
    keywords: dict[str, ast.expr] = {}
    given: dict[str, Type] = {}
    order = [arg.value for arg in args]
    for param, node in sorted(bound.items(), key=lambda pair: order.index(pair[1])):
        found = ctx.raw(node)
        if counts_from_one(ctx, type_, param):
            found = counted(found)
        given[param] = found.type
        if not keywords and len(positional) < len(params) and params[len(positional)] == param:
            positional.append(found.py)
        else:
            keywords[py.python_name(param)] = found.py
    learn_call(ctx, type_, given)
    return Value(py.call(py.python_name(name), *positional, **keywords), type_.item or UNKNOWN)


def is_dots(arg: Arg) -> bool:
    """Whether an argument is ``...``, handed on."""
    return isinstance(arg.value, Name) and arg.value.name == "..."


def dots_of(ctx: Context, args: Args) -> list[ast.keyword]:
    """Return ``**options`` if ``...`` is handed on, and nothing else."""
    if not any(is_dots(arg) for arg in args.given):
        return []
    if not any("..." in (param.name for param in ctx.functions[what].params) for what in ctx.inside[-1:]):
        raise UnmovedError("... of a function around this one")
    return [ast.keyword(None, py.name("options"))]


def _open_call(ctx: Context, name: str, type_: Type, args: list[Arg]) -> Value:
    """Return a call of a function of the script that takes ``...``, or is handed them."""
    params = [param for param in parameter_names(ctx, type_) if param != "..."]
    given: dict[str, Type] = {}
    positional: list[ast.expr] = []
    keywords: list[ast.keyword] = []
    for arg in args:
        if is_dots(arg):
            continue
        if arg.value is None or (arg.name is None and keywords):
            raise UnmovedError(f"{name}() with ... and an argument without a name after one with a name")
        found = ctx.raw(arg.value)
        param = arg.name or (params[len(positional)] if len(positional) < len(params) else "...")
        if param not in params or counts_from_one(ctx, type_, param):
            found = counted(found)
        if param in params:
            given[param] = found.type
        if arg.name is None:
            positional.append(found.py)
        else:
            spelt = py.python_name(arg.name) if arg.name in params else py.keyword_name(arg.name)
            keywords.append(py.named(spelt, found.py))
    learn_call(ctx, type_, given)
    tree = ast.Call(py.fill(py.python_name(name)), positional, [*keywords, *dots_of(ctx, Args(name, args, ctx))])
    return Value(tree, type_.item or UNKNOWN)


def forwarded(ctx: Context, function: str, args: Args, known: dict[str, str] | None = None) -> ast.expr:
    """Return a call with the same arguments in Python, names with underscores."""
    positional: list[ast.expr] = []
    keywords: dict[str, ast.expr] = {}
    for arg in args.given:
        if arg.value is None:
            raise UnmovedError(f"an argument of {args.name}() is empty")
        if arg.name is None and keywords:
            raise UnmovedError(f"an argument of {args.name}() without a name after one with a name")
        found = py.unwrapped(ctx.value(arg.value).py)
        if arg.name is None:
            positional.append(found)
        else:
            keywords[(known or {}).get(arg.name, py.keyword_name(arg.name))] = found
    return py.call(function, *positional, **keywords)


def is_true(node: Node | None, usual: bool) -> bool:
    """Return a logical that stands in the script.

    Raises
    ------
    UnmovedError
        It is computed.
    """
    if node is None:
        return usual
    if isinstance(node, Constant) and node.name in ("TRUE", "FALSE"):
        return node.name == "TRUE"
    raise UnmovedError("a choice between two ways is computed")


def number_of(node: Node | None) -> float | None:
    """Return a number that stands in the script."""
    return node.value if isinstance(node, Number) else None


def text_of(node: Node | None) -> str | None:
    """Return a string that stands in the script."""
    return node.value if isinstance(node, Text) else None
