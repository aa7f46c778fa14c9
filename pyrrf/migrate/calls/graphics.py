"""R's plots as matplotlib's; plots of fits as pyrrf's."""

from __future__ import annotations

import ast

from pyrrf.migrate import python as py
from pyrrf.migrate.calls.forests import drawn
from pyrrf.migrate.calls.registry import Args, done_by, text_of
from pyrrf.migrate.context import Context, UnmovedError, Value
from pyrrf.migrate.tree import Node, Number

_TITLES = {"main": "title", "xlab": "xlabel", "ylab": "ylabel", "xlim": "xlim", "ylim": "ylim"}
_STYLES = {"col": "color", "lwd": "linewidth", "cex": "markersize", "lty": "linestyle", "pch": "marker"}
_MARKERS = {0: "s", 1: "o", 2: "^", 3: "+", 4: "x", 8: "*", 15: "s", 16: "o", 17: "^", 18: "D", 19: "o", 20: "."}
_LINES = {1: "-", 2: "--", 3: ":", 4: "-.", 5: "--"}
_COLOURS = {1: "black", 2: "red", 3: "green", 4: "blue", 5: "cyan", 6: "magenta", 7: "gold", 8: "gray"}
_IGNORED = {"las", "cex.axis", "cex.lab", "cex.main", "bty", "xaxt", "yaxt", "axes", "ann", "asp", "panel.first"}


@done_by("plot")
def _plot(ctx: Context, args: Args) -> None:
    first = next((a.value for a in args.given if a.name in (None, "x")), None)
    if first is None:
        raise UnmovedError("plot() of nothing")
    found = ctx.value(first)
    if found.type.kind == "fit" or found.type.what == "margin":
        ctx.emit(drawn(ctx, args, args.given))
        return
    ctx.emit(py.call("plt.figure"))
    _curve(ctx, args, _form(args, "p"))


def _form(args: Args, usual: str) -> str:
    given = next((text_of(a.value) for a in args.given if a.name == "type"), usual)
    return given or usual


@done_by("lines", "points")
def _more(ctx: Context, args: Args) -> None:
    _curve(ctx, args, _form(args, "l" if args.name == "lines" else "p"))


def _curve(ctx: Context, args: Args, form: str) -> None:
    """Write plt.plot() and what goes with it."""
    data = [ctx.value(a.value).py for a in args.given if a.name in (None, "x", "y") and a.value]
    apart = (None, "x", "y", "type")
    named: dict[str | None, Node] = {a.name: a.value for a in args.given if a.name not in apart and a.value}
    style = _style(ctx, named, form)
    if len(data) not in (1, 2):
        raise UnmovedError("a plot of more than two vectors")
    ctx.emit(py.call("plt.plot", *data, **style))
    for name, function in _TITLES.items():
        if name in named:
            ctx.emit(py.call(f"plt.{function}", ctx.value(named[name]).py))
    for axis in text_of(named.get("log")) or "":
        ctx.emit(py.call(f"plt.{axis}scale", py.constant("log")))
    unknown = named.keys() - _TITLES.keys() - _STYLES.keys() - _IGNORED - {"log"}
    if unknown:
        raise UnmovedError(f"the argument {min(map(str, unknown))} of {args.name}()")


def _style(ctx: Context, named: dict[str | None, Node], form: str) -> dict[str, ast.expr]:
    style: dict[str, ast.expr] = {}
    if form in ("p", "o", "b"):
        style["marker"] = py.constant(_MARKERS.get(_code(named.get("pch"), 1), "o"))
    if form == "p":
        style["linestyle"] = py.constant("none")
    if form not in ("p", "l", "o", "b"):
        raise UnmovedError(f"a plot of type {form}")
    if "lty" in named and form != "p":
        style["linestyle"] = py.constant(_LINES.get(_code(named["lty"], 1), "-"))
    if "lwd" in named:
        style["linewidth"] = ctx.value(named["lwd"]).py
    if "col" in named:
        style["color"] = _colour(ctx, named["col"])
    return style


def _code(node: Node | None, usual: int) -> int:
    return int(node.value) if isinstance(node, Number) else usual


def _colour(ctx: Context, node: Node) -> ast.expr:
    if isinstance(node, Number):
        return py.constant(_COLOURS.get(int(node.value), "black"))
    if text_of(node) is not None:
        return py.constant(text_of(node))
    raise UnmovedError("colours that are computed")


@done_by("abline")
def _straight(ctx: Context, args: Args) -> None:
    named: dict[str | None, Node] = {a.name: a.value for a in args.given if a.name and a.value}
    style = _style(ctx, {k: v for k, v in named.items() if k in ("col", "lty", "lwd")}, "l")
    for name, function in (("h", "axhline"), ("v", "axvline")):
        if name in named:
            ctx.emit(py.call(f"plt.{function}", ctx.value(named[name]).py, **style))
            return
    raise UnmovedError("abline() without h or v")


@done_by("hist", "barplot", "boxplot")
def _drawn(ctx: Context, args: Args) -> None:
    data = [ctx.value(a.value) for a in args.given if a.name is None and a.value]
    named = {a.name: a.value for a in args.given if a.name and a.value}
    if len(data) != 1 or data[0].type.kind != "vector" or named.keys() - _TITLES.keys() - {"col", "las"}:
        raise UnmovedError(f"{args.name}() with these arguments")
    ctx.emit(py.call("plt.figure"))
    ctx.emit(_one_picture(args.name, data[0]))
    for name, function in _TITLES.items():
        if name in named:
            ctx.emit(py.call(f"plt.{function}", ctx.value(named[name]).py))


def _one_picture(name: str, found: Value) -> ast.expr:
    if name == "barplot":
        labels = py.fill("_0.index", found.py) if found.type.series else py.fill("range(len(_0))", found.py)
        return py.call("plt.bar", labels, found.py)
    return py.call(f"plt.{name}", found.py)


@done_by("pdf", "png", "jpeg", "dev.off", "legend", "text", "axis", "title", "grid")
def _device(ctx: Context, args: Args) -> None:
    if args.name in ("pdf", "png", "jpeg"):
        file = next((a.value for a in args.given if a.name in (None, "file", "filename")), None)
        if file is None:
            raise UnmovedError(f"{args.name}() without a file")
        ctx.set("picture", ctx.value(file).py)
        ctx.device = True
    elif args.name == "dev.off" and ctx.device:
        ctx.emit(py.fill("plt.savefig(picture)"))
        ctx.emit(py.fill("plt.close()"))
    elif args.name == "dev.off":
        ctx.emit(py.fill("plt.close()"))
    else:
        raise UnmovedError(f"{args.name}() adds to a picture; matplotlib has plt.{args.name}()")
