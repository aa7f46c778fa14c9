"""Packages, lists, returns, and what R does beside computing."""

from __future__ import annotations

import ast
from dataclasses import replace

from pyrrf.migrate import python as py
from pyrrf.migrate.calls.registry import Args, done_by, is_true, text_of, value_of
from pyrrf.migrate.context import Context, UnmovedError, Value, counted
from pyrrf.migrate.tree import Block, Call, Constant, Name
from pyrrf.migrate.types import FLOAT, STR, Type, join

_PACKAGES = {
    "RRF", "randomForest", "inTrees", "caret", "stats", "utils", "graphics", "grDevices", "methods", "datasets",
    "MASS", "mlbench", "lattice", "ggplot2",
}  # fmt: skip


@done_by(
    "library", "require", "requireNamespace", "suppressPackageStartupMessages", "suppressMessages", "suppressWarnings"
)
def _library(ctx: Context, args: Args) -> None:
    """Drop a line that loads a package whose functions are here."""
    first = args.given[0].value if args.given else None
    if isinstance(first, Call | Block):
        if args.name.startswith("suppress"):
            ctx.run(first)
            return
        raise UnmovedError(f"{args.name}() of something computed")
    name = first.name if isinstance(first, Name) else getattr(first, "value", "")
    if name not in _PACKAGES:
        raise UnmovedError(f"the package {name} has no counterpart here")


_SETTINGS = ("rm", "gc", "invisible", "flush.console", "graphics.off", "dev.new", "par", "layout", "library.dynam")
# options() that change what is printed alone, or nothing any more.
_OPTIONS = {"digits", "warn", "width", "mc.cores", "max.print", "expressions", "java.parameters", "repos", "timeout"}


@done_by("options")
def _options(ctx: Context, args: Args) -> None:
    for arg in args.given:
        old = arg.name == "stringsAsFactors" and not is_true(arg.value, True)
        if arg.name not in _OPTIONS and not old:
            raise UnmovedError(f"options({arg.name}) changes how R works")


@done_by("Sys.setlocale")
def _locale(ctx: Context, args: Args) -> None:
    """Move the order of strings; other categories change no numbers."""
    bound = args.bound("category", "locale")
    category, locale = (text_of(bound.get(name)) for name in ("category", "locale"))
    if category not in ("LC_COLLATE", "LC_ALL") and category is not None:
        return
    known = {
        "C": "C",
        "POSIX": "C",
        "en_US.UTF-8": "en_US",
        "en_US.utf8": "en_US",
        "en_US": "en_US",
        "English": "en_US",
    }
    if locale not in known:
        raise UnmovedError("Sys.setlocale() to an unsupported locale; pyrrf.set_collate() takes C and en_US")
    ctx.emit(py.call("pyrrf.set_collate", py.constant(known[locale])))


@done_by(*_SETTINGS)
def _dropped(ctx: Context, args: Args) -> None:
    """Drop what has no effect on the numbers; other settings stay as comments."""
    if args.name == "invisible":
        if args.given and not isinstance(args.given[0].value, Constant | Name | None):
            ctx.run(args.given[0].value)
        return
    if args.name in ("par", "layout", "dev.new"):
        ctx.emit(f"# without {args.name}(): how R draws it")


@value_of("list")
def _list(ctx: Context, args: Args) -> Value:
    named = [arg for arg in args.given if arg.name is not None]
    if any(arg.value is None for arg in args.given) or (named and len(named) != len(args.given)):
        raise UnmovedError("list() with names for some of its items")
    values = [_own(ctx, arg.value) for arg in args.given if arg.value is not None]
    alike = all(value.type.kind == "vector" and value.type.elem == "int" for value in values)
    if (alike or not named) and not all(value.type.zero for value in values):
        values = [counted(value) if value.type.kind in ("scalar", "vector") else value for value in values]
    item = None
    for value in values:
        item = join(item, value.type)
    if named:
        parts = tuple((arg.name or "", value.type) for arg, value in zip(named, values, strict=True))
        keys: list[ast.expr | None] = [py.constant(arg.name) for arg in named]
        return Value(ast.Dict(keys, [v.py for v in values]), Type("dict", item=item, parts=parts, full=True))
    return Value(py.listing([v.py for v in values]), Type("list", item=item, full=bool(values)))


def _own(ctx: Context, node: object) -> Value:
    """Return an item of a list; a name whose items are assigned elsewhere is copied, as R does."""
    assert node is not None
    found = ctx.raw(node)  # type: ignore[arg-type]
    if isinstance(node, Name) and node.name in ctx.usage.changed and not found.type.single:
        return Value(py.fill("_0.copy()", found.py), found.type)
    return found


@done_by("return")
def _return(ctx: Context, args: Args) -> None:
    if not args.given:
        ctx.emit(ast.Return(None))
        return
    first = args.given[0].value
    assert first is not None
    ctx.give(ctx.raw(first))


@done_by("stop", "stopifnot", "warning")
def _stop(ctx: Context, args: Args) -> None:
    given = [arg.value for arg in args.given if arg.name is None and arg.value]
    if args.name == "stopifnot" and all(
        isinstance(n, Call) and n.function.text in ("require", "library") for n in given
    ):
        for node in given:
            ctx.run(node)
        return
    values = [ctx.value(node) for node in given]
    if args.name == "stopifnot":
        for value in values:
            tree = value.py if value.type.single else py.call("np.all", value.py)
            ctx.emit(ast.Assert(tree))
        return
    text = values[0].py if len(values) == 1 else py.call("r.paste0", *(value.py for value in values))
    if args.name == "warning":
        ctx.emit(py.call("warnings.warn", text))
    else:
        ctx.emit(ast.Raise(py.call("RuntimeError", text)))


@done_by("switch")
def _switch(ctx: Context, args: Args) -> None:
    """Write a choice by a string as if, elif and else."""
    first, *rest = args.given
    assert first.value is not None
    found = ctx.value(first.value)
    if found.type.elem != "str":
        raise UnmovedError("switch() by something else than a string")
    word = "if"
    waiting: list[str] = []
    ends = []
    for arg in rest:
        if arg.name is not None:
            waiting.append(arg.name)
            if arg.value is None:
                continue
            labels = [py.constant(label) for label in waiting]
            test = (
                ast.Compare(found.py, [ast.Eq()], labels)
                if len(labels) == 1
                else ast.Compare(found.py, [ast.In()], [ast.Tuple(labels, ast.Load())])
            )
            ctx.emit(f"{word} {ast.unparse(test)}:")
        else:
            ctx.emit("else:")
        waiting, word = [], "elif"
        with ctx.branch() as end, ctx.inner():
            if arg.value is not None:
                ctx.run(arg.value)
        ends.append(end)
    ctx.merge(dict(ctx.names), *ends)


@value_of("switch")
def _choice(ctx: Context, args: Args) -> Value:
    """Return a choice among values by a string as a look-up."""
    first, *rest = args.given
    key = None if first.value is None else ctx.value(first.value)
    named = [arg for arg in rest if arg.name is not None]
    values = [ctx.value(arg.value) for arg in rest if arg.value is not None]
    plain = len(values) == len(rest) and all(isinstance(v.py, ast.Constant | ast.Name) for v in values)
    last = len(rest) - len(named) == 1 and rest[-1].name is None
    if key is None or key.type.elem not in ("str", "unknown") or not plain or not last:
        raise UnmovedError("switch() of computed values, or without a last one for the rest")
    type_ = None
    for value in values:
        type_ = join(type_, value.type)
    table = ast.Dict([py.constant(arg.name) for arg in named], [value.py for value in values[:-1]])
    return Value(py.fill("_0.get(_1, _2)", table, key.py, values[-1].py), replace(type_ or FLOAT, constant=None))


@value_of("Sys.time", "proc.time", "system.time", "Sys.Date", "file.path", "Sys.getenv")
def _machine(ctx: Context, args: Args) -> Value:
    if args.name in ("Sys.time", "proc.time"):
        return Value(py.call("time.perf_counter"), FLOAT)
    if args.name == "file.path":
        return Value(
            py.call("os.path.join", *(ctx.value(node).py for node in args.plain())), Type("scalar", "str", full=True)
        )
    raise UnmovedError(f"{args.name}() asks the machine")


@value_of("match.arg")
def _chosen(ctx: Context, args: Args) -> Value:
    """Return the first of the words of a default, or the one that was given."""
    node = args.given[0].value if len(args.given) == 1 else None
    if not isinstance(node, Name):
        raise UnmovedError("match.arg() with a list of its own")
    name = py.python_name(node.name)
    return Value(py.fill("_0 if isinstance(_0, str) else _0[0]", py.name(name)), STR)


@value_of("identity", "invisible", "suppressWarnings", "suppressMessages")
def _same(ctx: Context, args: Args) -> Value:
    return args.one_raw()


@value_of(
    "eval",
    "parse",
    "assign",
    "get",
    "exists",
    "source",
    "load",
    "save",
    "train",
    "trainControl",
)
def _refused(ctx: Context, args: Args) -> Value:
    reasons = {
        "train": "caret's train() draws from the stream in ways of its own; a loop over createFolds() is exact",
        "trainControl": "caret's train() draws from the stream in ways of its own",
        "load": "R's .RData; write .rds with saveRDS() and read it with pyrrf.read_rds",
        "source": "another script; move it, too, and import it",
    }
    raise UnmovedError(reasons.get(args.name, f"{args.name}() runs code, or keeps R's objects"))
