"""Statements that only attach packages, and tests whether R has a package."""

from __future__ import annotations

import ast
from dataclasses import replace

from pyrrf.migrate.parse import rast
from pyrrf.migrate.scopes.library import DROPPED
from pyrrf.migrate.scopes.search import ATTACHING, named_packages, packages_in, strings_of
from pyrrf.migrate.write.context import Context
from pyrrf.migrate.write.lines import Comment, Line, call, constant, dotted_name
from pyrrf.migrate.write.lookup import may_call_own
from pyrrf.r.values.packages import INSTALLED

_AROUND = ("suppressPackageStartupMessages", "suppressMessages", "suppressWarnings", "invisible")
_TESTS = frozenset(
    """require requireNamespace installed.packages rownames row.names is.element nzchar system.file ! && || %in% [
    suppressPackageStartupMessages suppressMessages suppressWarnings setdiff length ( > == != any all""".split()
)
_ENDS = ("stop", "quit", "q")


def only_prepares(ctx: Context, node: rast.Node | None) -> bool:
    """Whether code does nothing but install and attach packages, or has no counterpart here."""
    if isinstance(node, rast.Block):
        return bool(node.body) and all(only_prepares(ctx, statement) for statement in node.body)
    if isinstance(node, rast.If):
        sides = [node.then] if node.otherwise is None else [node.then, node.otherwise]
        if _asks(node.condition):
            return all(only_prepares(ctx, side) or _ends(side) for side in sides)
        return _words(node.condition) <= _TESTS and all(map(_installs, sides))
    if isinstance(node, rast.Assign):
        return _notes_lacking(ctx, node)
    if isinstance(node, rast.For):
        return not isinstance(node.sequence, rast.Call | rast.Binary) and only_prepares(ctx, node.body)
    name = rast.function_name(node)
    if not isinstance(node, rast.Call) or may_call_own(ctx, name):
        return False
    values = rast.values(node.args)
    if name in _AROUND and values:
        return all(only_prepares(ctx, value) or (name == "invisible" and _applies(value)) for value in values)
    return rast.bare(name) in DROPPED and not _is_odd(node)


def _is_odd(node: rast.Call) -> bool:
    """Whether a package is attached in part, or elsewhere than first."""
    return any(arg.name in ("pos", "include.only", "exclude", "logical.return") for arg in node.args)


def _installs(node: rast.Node) -> bool:
    """Whether code does nothing but install packages."""
    inner = node.body[0] if isinstance(node, rast.Block) and len(node.body) == 1 else node
    return rast.bare(rast.function_name(inner)) == "install.packages"


def _notes_lacking(ctx: Context, node: rast.Assign) -> bool:
    """Whether an assignment looks for packages that are not installed, and nothing but their installation reads it."""
    looks = _asks(node.value) and "installed.packages" in _words(node.value)
    if not (ctx.at_top and isinstance(node.target, rast.Name) and looks):
        return False
    others = [other for other in ctx.script.body if other is not node and node.target.name in rast.names_in(other)]
    return all(isinstance(other, rast.If | rast.Call) and only_prepares(ctx, other) for other in others)


def _ends(node: rast.Node) -> bool:
    """Whether code ends the script, where a package is not there."""
    inner = node.body[0] if isinstance(node, rast.Block) and len(node.body) == 1 else node
    return rast.function_name(inner) in _ENDS


def _applies(node: rast.Node) -> bool:
    """Whether a call does nothing but `library` for some names."""
    if rast.function_name(node) not in ("lapply", "sapply") or not isinstance(node, rast.Call):
        return False
    return isinstance(node.args[-1].value, rast.Node) and any(
        isinstance(value, rast.Name) and value.name in ATTACHING for value in rast.values(node.args)
    )


def _asks(node: rast.Node) -> bool:
    """Whether a condition asks for nothing but whether packages are there."""
    names = _words(node)
    return names <= _TESTS and not {"require", "requireNamespace", "installed.packages"}.isdisjoint(names)


def _words(node: rast.Node) -> set[str]:
    """Return the functions and the signs in code."""
    calls = [inner for inner in rast.walk(node) if isinstance(inner, rast.Call | rast.Unary | rast.Binary | rast.Index)]
    return {_word(inner) for inner in calls}


def _word(node: rast.Node) -> str:
    if isinstance(node, rast.Unary | rast.Binary):
        return node.operator
    return "[" if isinstance(node, rast.Index) else rast.bare(rast.function_name(node))


def write_attached(ctx: Context, node: rast.Node) -> None:
    """Write the packages that a statement attaches for sure, one a line."""
    if isinstance(node, rast.If):
        write_attached(ctx, node.condition)
    elif isinstance(node, rast.For):
        _write_loop(ctx, node)
    elif isinstance(node, rast.Call) and _applies(node):
        strings = strings_of(rast.values(node.args)[0], ctx.search.texts)
        if strings is None:
            ctx.emit(call("r.lapply", ctx.read(rast.values(node.args)[0]), dotted_name("r.library")))
        for package in strings or []:
            ctx.emit(call("r.library", constant(package)))
    elif isinstance(node, rast.Call) and rast.bare(rast.function_name(node)) in ATTACHING:
        for text in named_packages(node, ctx.search.texts):
            arguments = package_arguments(ctx, node) if text is None else [constant(text)]
            ctx.emit(call("r.library", *arguments))
    elif not isinstance(node, rast.Function):
        for child in rast.children(node):
            write_attached(ctx, child)


def _write_loop(ctx: Context, node: rast.For) -> None:
    strings = strings_of(node.sequence, ctx.search.texts)
    if strings is None and packages_in(node, ctx.search.texts):
        ctx.emit(ast.For(ast.Name(ctx.names[node.variable], ast.Store()), ctx.value(node.sequence), [], []))
        with ctx.inner():
            write_attached(ctx, node.body)
        return
    for package in packages_in(node, ctx.search.texts):
        if package:
            ctx.emit(call("r.library", constant(package)))


def without_attaching(ctx: Context, lines: list[Line]) -> list[Line]:
    """Return lines without those that attach packages: the remaining lines look up no function."""
    others = [line for line in lines if not _only_attaches(ctx, line)]
    out: list[Line] = []
    for index, line in enumerate(others):
        out.append(line)
        behind = next((other for other in others[index + 1 :] if not isinstance(other.code, Comment)), None)
        if line.is_header and (behind is None or behind.depth <= line.depth):
            out.append(replace(line, depth=line.depth + 1, code=ast.Pass(), behind=None))
    return out


def _only_attaches(ctx: Context, line: Line) -> bool:
    """Whether a line attaches a package; one that may not be there is kept where the script would catch the error."""
    made = line.code.value if isinstance(line.code, ast.Expr) else None
    if not (isinstance(made, ast.Call) and isinstance(made.func, ast.Attribute)):
        return False
    if made.func.attr not in ("library", "detach", "unsure"):
        return False
    package = made.args[0].value if isinstance(made.args[0], ast.Constant) else None
    return package is not None and (package in INSTALLED or line.depth == 0 or not ctx.search.catches)


def package_arguments(ctx: Context, node: rast.Call) -> list[ast.expr]:
    """Return the package of a call: its name, or the expression that computes it."""
    packages = named_packages(node, ctx.search.texts)
    if _is_odd(node):
        raise rast.UntranslatedError(f"{rast.function_name(node)}() with these arguments")
    if packages and packages[0]:
        return [constant(packages[0])]
    value = rast.first_value(node)
    if value is None:
        raise rast.UntranslatedError(f"{rast.function_name(node)}() with these arguments")
    return [ctx.read(value)]


def check_installed(ctx: Context, node: rast.Node, name: str) -> None:
    """Refuse code whose way depends on whether R has a package that is not known here."""
    for package in packages_in(node, ctx.search.texts):
        if package and package not in INSTALLED:
            raise rast.UntranslatedError(f"{name}(), which depends on whether R has the package {package}")
