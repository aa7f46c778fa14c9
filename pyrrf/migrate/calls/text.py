"""Strings, and what a script prints."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from pyrrf.migrate import python as py
from pyrrf.migrate.calls.registry import Args, done_by, is_true, text_of, value_of
from pyrrf.migrate.calls.vectors import as_vector, constant_text
from pyrrf.migrate.context import Context, UnmovedError, Value, counted
from pyrrf.migrate.operators import as_array
from pyrrf.migrate.tree import Constant
from pyrrf.migrate.types import POSITIONS, STR, STRS, Type

# %d, %5.2f, %-10s, %%
_FORMAT = re.compile(r"%(?:(%)|([-+ 0#]*)(\d*)(?:\.(\d+))?([dfgeEsi]))")


def f_string(parts: list[str | tuple[ast.expr, str]]) -> ast.expr:
    """Return an f-string, or a plain string where nothing is filled in."""
    values: list[ast.expr] = []
    for part in parts:
        if isinstance(part, str):
            if part:
                values.append(ast.Constant(part))
        else:
            spec = ast.JoinedStr([ast.Constant(part[1])]) if part[1] else None
            values.append(ast.FormattedValue(part[0], -1, spec))
    if all(isinstance(value, ast.Constant) for value in values):
        return ast.Constant("".join(str(v.value) for v in values if isinstance(v, ast.Constant)))
    return ast.JoinedStr(values)


def _is_plain(found: Value) -> bool:
    """Whether Python writes a value as R does: strings, and whole numbers."""
    if isinstance(found.py, ast.Call) and "\\n" in ast.unparse(found.py):
        return False
    return found.type.single and (found.type.elem == "str" or (found.type.elem == "int" and not found.type.missing))


def _written(found: Value) -> Value:
    """Return a number that stands in the script as R writes it: 1e+05 for 100000, but not for 100000L."""
    known = found.type.constant
    if known is None or not isinstance(found.py, ast.Constant) or found.type.what == "integer":
        return found
    return Value(py.constant(constant_text(found.type)), STR)


@value_of("paste", "paste0")
def _paste(ctx: Context, args: Args) -> Value:
    named = {arg.name: arg.value for arg in args.given if arg.name in ("sep", "collapse")}
    values = [_written(ctx.value(a.value)) for a in args.given if a.name not in ("sep", "collapse") and a.value]
    separator = "" if args.name == "paste0" else text_of(named.get("sep")) if "sep" in named else " "
    if separator is not None and "collapse" not in named and all(_is_plain(v) for v in values):
        parts: list[str | tuple[ast.expr, str]] = []
        for value in values:
            parts += [separator] if parts else []
            fixed = isinstance(value.py, ast.Constant)
            parts.append(str(value.py.value) if isinstance(value.py, ast.Constant) and fixed else (value.py, ""))
        return Value(f_string(parts), STR)
    if any(v.type.kind in ("list", "dict", "frame", "matrix", "fit") for v in values):
        raise UnmovedError(f"{args.name}() of a list or table")
    options = {name: ctx.value(node).py for name, node in named.items() if name and node}
    if args.name == "paste" and separator == "":
        options.pop("sep", None)
    function = "r.paste0" if args.name == "paste0" or separator == "" else "r.paste"
    single = "collapse" in named or all(v.type.single for v in values)
    tree = py.call(function, *(v.py for v in values), **options)
    return Value(tree, STR if single else replace(STRS, full=any(v.type.full for v in values)))


@value_of("sprintf")
def _sprintf(ctx: Context, args: Args) -> Value:
    nodes = args.plain()
    values = [ctx.value(node) for node in nodes[1:]]
    form = text_of(nodes[0])
    if form is not None and all(v.type.single for v in values):
        parts = _format_parts(form, values)
        if parts is not None:
            return Value(f_string(parts), STR)
    values = [as_vector(v) for v in values]
    if any(v.type.kind not in ("scalar", "vector") for v in values):
        raise UnmovedError("sprintf() of something else than vectors")
    tree = py.call("r.sprintf", ctx.value(nodes[0]).py, *(v.py for v in values))
    return Value(tree, STR if all(v.type.single for v in values) else STRS)


def _format_parts(form: str, values: list[Value]) -> list[str | tuple[ast.expr, str]] | None:
    """Return text and fields of a format, None where R's and Python's fields differ."""
    parts: list[str | tuple[ast.expr, str]] = []
    place = 0
    waiting = list(values)
    for match in _FORMAT.finditer(form):
        parts.append(form[place : match.start()])
        place = match.end()
        if match[1]:
            parts.append("%")
            continue
        if not waiting:
            return None
        value = waiting.pop(0)
        field = _field(match, _written(value) if match[5] == "s" else value)
        if field is None:
            return None
        parts.append(field)
    parts.append(form[place:])
    if waiting or "%" in _FORMAT.sub("", form):
        return None
    return parts


def _field(match: re.Match[str], value: Value) -> tuple[ast.expr, str] | None:
    flags, width, precision, letter = match[2], match[3], match[4], match[5]
    elem = value.type.elem
    if letter in "di":
        if elem not in ("int", "float") or flags.strip("0-+"):
            return None
        if elem == "float":  # R takes whole numbers alone
            return value.py, f"{'<' if '-' in flags else ''}{'0' if '0' in flags else ''}{width}.0f"
        align = "<" if "-" in flags else ""
        spec = ("+" if "+" in flags else "") + ("0" if "0" in flags and not align else "") + width
        return value.py, f"{align}{spec}d" if width or flags else ""
    if letter == "s":
        if elem not in ("str", "int") or precision:
            return None
        align = "<" if "-" in flags else ">"
        return value.py, f"{align}{width}" if width else ""
    if elem not in ("float", "int") or flags.strip("0-+ "):
        return None
    align = "<" if "-" in flags else ""
    sign = "+" if "+" in flags else " " if " " in flags else ""
    digits = f".{precision}" if precision else ""
    return value.py, f"{align}{sign}{'0' if '0' in flags and not align else ''}{width}{digits}{letter}"


# Where `fill` is not given.
_NO_FILL = Constant(0, 0, "FALSE", "FALSE")


@done_by("cat")
def _cat(ctx: Context, args: Args) -> None:
    """Write print(), or r.cat() where numbers are written with R's seven digits."""
    named = {arg.name: arg.value for arg in args.given if arg.name}
    if named.keys() - {"sep", "fill"}:
        raise UnmovedError(f"the argument {min(named.keys() - {'sep', 'fill'})} of cat()")
    values = [_written(ctx.value(arg.value)) for arg in args.given if arg.name is None and arg.value]
    separator = text_of(named.get("sep")) if "sep" in named else " "
    text = _whole_text(values, separator)
    if text is not None and "fill" not in named:
        ctx.emit(text)
        return
    values = [as_vector(value) for value in values]
    for value in values:
        if value.type.kind in ("list", "dict", "frame", "fit", "matrix"):
            raise UnmovedError(f"cat() of a {value.type.kind}")
    options = {name: ctx.value(node).py for name, node in named.items() if name and node}
    simple = isinstance(named.get("fill", _NO_FILL), Constant)
    if simple and len(values) == 1 and values[0].type.single and values[0].type.elem == "str":
        ends = {} if is_true(named.get("fill"), False) else {"end": py.constant("")}
        ctx.emit(py.call("print", values[0].py, **ends))
        return
    ctx.emit(py.call("r.cat", *(v.py for v in values), **options))


def _whole_text(values: list[Value], separator: str | None) -> ast.expr | None:
    """Return print(f"...") for strings and whole numbers, with the blanks that R's cat writes."""
    if separator is None or not values or not all(_is_plain(v) for v in values):
        return None
    parts: list[str | tuple[ast.expr, str]] = []
    for i, value in enumerate(values):
        parts += [separator] if i else []
        tree = value.py
        if isinstance(tree, ast.JoinedStr):
            parts += [_piece(piece) for piece in tree.values]
        elif isinstance(tree, ast.Constant):
            parts.append(str(tree.value))
        else:
            parts.append((tree, ""))
    last = parts[-1]
    if isinstance(last, str) and last.endswith("\n"):
        return py.call("print", f_string([*parts[:-1], last[:-1]]))
    return py.call("print", f_string(parts), end=py.constant(""))


def _piece(piece: ast.expr) -> str | tuple[ast.expr, str]:
    if isinstance(piece, ast.Constant):
        return str(piece.value)
    assert isinstance(piece, ast.FormattedValue)
    spec = piece.format_spec
    return piece.value, str(spec.values[0].value) if isinstance(spec, ast.JoinedStr) else ""  # type: ignore[attr-defined]


@done_by("print", "show", "View")
def _print(ctx: Context, args: Args) -> None:
    first = args.given[0].value if args.given else None
    if first is None:
        raise UnmovedError("print() of nothing")
    found = ctx.raw(first)
    if found.type.kind in ("list", "dict") and found.type.item and found.type.item.zero:
        raise UnmovedError("a list of positions is printed")
    ctx.emit(py.call("print", counted(found).py))


@done_by("message", "writeLines")
def _message(ctx: Context, args: Args) -> None:
    values = [ctx.value(arg.value) for arg in args.given if arg.name is None and arg.value]
    text = _whole_text(values, "") if all(_is_plain(v) for v in values) else None
    plain = text.args[0] if isinstance(text, ast.Call) else py.call("r.paste0", *(v.py for v in values))
    if args.name == "message":
        ctx.emit(py.call("print", plain, file=py.fill("sys.stderr")))
    else:
        ctx.emit(py.call("print", plain))


@done_by("str", "summary")
def _described(ctx: Context, args: Args) -> None:
    """Write what shows the same: the types of the columns, and the quartiles."""
    found = ctx.value(args.plain()[0])
    if args.name == "str" and found.type.kind == "frame":
        ctx.emit(py.fill("_0.info()", found.py))
    elif args.name == "summary" and found.type.kind in ("frame",):
        ctx.emit(py.fill("print(_0.describe(include='all'))", found.py))
    elif args.name == "summary" and found.type.kind == "vector":
        ctx.emit(py.fill("print(r.summary(_0))", found.py))
    else:
        ctx.emit(py.call("print", found.py))


# Functions of strings: their parameters, and what they return for each item.
_SEARCH = ("pattern", "x", "ignore.case", "perl", "value", "fixed")
_REPLACE = ("pattern", "replacement", "x", "ignore.case", "perl", "fixed")
_STRINGS = {
    "nchar": (("x",), "int"),
    "toupper": (("x",), "str"),
    "tolower": (("x",), "str"),
    "trimws": (("x",), "str"),
    "substr": (("x", "start", "stop"), "str"),
    "substring": (("text", "first", "last"), "str"),
    "startsWith": (("x", "prefix"), "bool"),
    "endsWith": (("x", "suffix"), "bool"),
    "grepl": (("pattern", "x", "ignore.case", "perl", "fixed"), "bool"),
    "sub": (_REPLACE, "str"),
    "gsub": (_REPLACE, "str"),
}


@value_of(*_STRINGS)
def _of_strings(ctx: Context, args: Args) -> Value:
    params, elem = _STRINGS[args.name]
    bound = args.bound(*params)
    found = {name: ctx.value(bound[name]) for name in params if name in bound}
    main = found[next(name for name in ("x", "text") if name in params)]
    if main.type.kind not in ("scalar", "vector", "factor"):
        raise UnmovedError(f"{args.name}() of a {main.type.kind}")
    others = [value for name, value in found.items() if value is not main]
    if any(not value.type.single for value in others):
        raise UnmovedError(f"{args.name}() of several patterns or places")
    plain = main.type.single and main.type.elem == "str"
    if plain and args.name in _METHODS:
        return Value(py.fill(_METHODS[args.name], main.py), Type("scalar", elem, full=True))
    tree = _call_of_strings(args.name, params, found)
    kind = "scalar" if main.type.single else "vector"
    return Value(tree, Type(kind, elem, full=main.type.full, missing=main.type.missing and elem == "str"))


# A single string in Python.
_METHODS = {"nchar": "len(_0)", "toupper": "_0.upper()", "tolower": "_0.lower()"}


def _call_of_strings(name: str, params: tuple[str, ...], found: dict[str, Value]) -> ast.expr:
    """Return a call with the main arguments by place, settings by name."""
    settings = ("ignore.case", "perl", "value", "fixed")
    positional = [as_array(found[p]).py for p in params if p in found and p not in settings]
    keywords = {py.keyword_name(p): found[p].py for p in params if p in found and p in settings}
    return py.call(f"r.{'substr' if name == 'substring' else name}", *positional, **keywords)


@value_of("grep")
def _places_of(ctx: Context, args: Args) -> Value:
    bound = args.bound(*_SEARCH)
    found = {name: ctx.value(node) for name, node in bound.items()}
    if found["x"].type.kind not in ("vector", "factor") or not found["pattern"].type.single:
        raise UnmovedError(f"grep() in a {found['x'].type.kind}")
    strings = is_true(bound.get("value"), False)
    return Value(_call_of_strings("grep", _SEARCH, found), STRS if strings else POSITIONS)


@value_of("strsplit")
def _split(ctx: Context, args: Args) -> Value:
    bound = args.bound("x", "split", "fixed", "perl")
    found = {name: ctx.value(node) for name, node in bound.items()}
    if "split" not in found:
        raise UnmovedError("strsplit() without a separator")
    tree = _call_of_strings("strsplit", ("x", "split", "fixed", "perl"), found)
    return Value(tree, Type("list", item=STRS, full=found["x"].type.full))


@value_of("format", "formatC", "prettyNum", "regmatches", "gregexpr", "regexpr")
def _other_text(ctx: Context, args: Args) -> Value:
    raise UnmovedError(f"{args.name}() is not moved")


@value_of("summary")
def _summary(ctx: Context, args: Args) -> Value:
    found = args.one()
    if found.type.kind != "vector" or not found.type.numeric:
        raise UnmovedError(f"the value of summary() of a {found.type.kind}")
    return Value(py.call("r.summary", found.py), Type("vector", "float", series=True, full=True))
