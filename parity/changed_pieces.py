"""Pieces of ``parity/pieces``, each changed at random: an argument more or less, another value, another function.

The pieces hold calls as people write them; what stands beside them is what nobody thought of.
"""

from __future__ import annotations

import functools
import random
import re
import subprocess

from parity.pieces import AREAS, pieces
from parity.script_templates import LITERALS
from pyrrf.migrate.parse import rast
from pyrrf.migrate.parse.parser import parse
from pyrrf.migrate.scopes.library import has_function

_AREAS = [area for area in AREAS if area not in ("train", "caret", "forests", "files", "tidy", "scripts", "strangers")]
_VALUES = ("TRUE", "FALSE", "NA", "NULL", "0", "1", "2", "-1", "2.5", '"a"', '""', "c(1, 2)", 'c("a", "b")', "1:3")
_AROUND = (
    "rev", "as.character", "as.numeric", "unlist", "sort", "factor", "is.na", "length", "names", "unique", "as.integer",
    "list", "t", "as.matrix", "data.frame", "head", "sum", "table", "-", "!", "as.logical", "c", "unname", "str",
    "summary", "print", "as.vector", "na.omit", "as.data.frame", "order", "which", "cumsum", "toString", "format",
)  # fmt: skip
# The clock, names of files, and texts of errors are not R's.
_UNSURE = re.compile(r"Sys\.|tempfile|tempdir|conditionMessage|geterrmessage|getwd|proc\.time|system\.time")
_FORMALS = """
for (f in scan(file("stdin"), "", quiet = TRUE)) {
    made <- tryCatch(get(f, mode = "function"), error = function(e) NULL)
    if (is.null(made)) next
    names <- names(formals(args(made)))
    for (class in c("default", "data.frame", "matrix", "factor", "numeric", "Date")) {
        method <- getS3method(f, class, optional = TRUE)
        if (!is.null(method)) names <- union(names, names(formals(method)))
    }
    cat(f, setdiff(names, "..."), "\\n")
}
"""


@functools.cache
def _sources() -> list[list[str]]:
    """Return the pieces as statements, those of which each begins a line."""
    sources = []
    for area in _AREAS:
        for text in pieces(area):
            if _UNSURE.search(text):
                continue
            lines = text.split("\n")
            body = parse(text).body
            ends = [node.last for node in body]
            if all(node.first > end for node, end in zip(body[1:], ends, strict=False)):
                sources.append(["\n".join(lines[node.first - 1 : node.last]) for node in body])
    return sources


@functools.cache
def _formals() -> dict[str, list[str]]:
    """Return the names of arguments that R's functions in the pieces have."""
    calls = {rast.function_name(n) for s in _sources() for text in s for b in parse(text).body for n in rast.walk(b)}
    names = sorted(name for name in calls if name and has_function(name))
    done = subprocess.run(
        ["Rscript", "-e", _FORMALS], input="\n".join(names), capture_output=True, text=True, check=True
    )
    return {line.split()[0]: line.split()[1:] for line in done.stdout.splitlines()}


def change_piece(number: int) -> list[str]:
    """Return the statements of a piece, one or two of them changed."""
    chance = random.Random(number)
    script = list(chance.choice(_sources()))
    for _ in range(chance.choice((1, 1, 2))):
        index = chance.randrange(len(script))
        text = _change_text(script[index], chance)
        if len(parse(text).body) == 1:
            script[index] = text
    return script


def _change_text(text: str, chance: random.Random) -> str:
    nodes = [node for part in parse(text).body for node in rast.walk(part)]
    calls = [node for node in nodes if isinstance(node, rast.Call) and rast.function_name(node) in _formals()]
    leaves = [node for node in nodes if isinstance(node, rast.Number | rast.Text | rast.Constant)]
    heads = {id(node.function) for node in nodes if isinstance(node, rast.Call)}
    values = [n for n in nodes if isinstance(n, rast.Name | rast.Call) and n.text != text and id(n) not in heads]
    kind = chance.choice(("more", "more", "fewer", "literal", "literal", "around", "other", "value"))
    if kind == "more" and calls:
        return _replaced(text, node := chance.choice(calls), _with_argument(node, chance), chance)
    if kind == "fewer" and calls:
        node = chance.choice(calls)
        return _replaced(text, node, _without_argument(node, chance), chance)
    if kind == "literal" and leaves:
        node = chance.choice(leaves)
        return _replaced(text, node, chance.choice(_VALUES), chance)
    if kind == "around" and values:
        node = chance.choice(values)
        return _replaced(text, node, f"{chance.choice(_AROUND)}({node.text})", chance)
    if kind == "other" and calls:
        node = chance.choice(calls)
        other = chance.choice([name for name in _formals() if re.fullmatch(r"[\w.]+", name)])
        return _replaced(text, node, other + node.text.removeprefix(rast.function_name(node)), chance)
    if kind == "value" and values:
        literals = LITERALS[chance.choice(sorted(LITERALS))]
        return _replaced(text, chance.choice(values), chance.choice(literals), chance)
    return text


def _replaced(text: str, node: rast.Node, new: str, chance: random.Random) -> str:
    """Return the text with one of the places where a node's text stands replaced."""
    places = [match.start() for match in re.finditer(re.escape(node.text), text)]
    if not places or not node.text:
        return text
    start = chance.choice(places)
    return text[:start] + new + text[start + len(node.text) :]


def _with_argument(node: rast.Call, chance: random.Random) -> str:
    used = {arg.name for arg in node.args}
    by_place = sum(arg.name is None for arg in node.args)
    names = [name for name in _formals()[rast.function_name(node)][by_place:] if name not in used]
    if not names:
        return node.text
    comma = ", " if node.args else ""
    return f"{node.text.removesuffix(')')}{comma}{chance.choice(names)} = {chance.choice(_VALUES)})"


def _without_argument(node: rast.Call, chance: random.Random) -> str:
    if not node.args:
        return node.text
    gone = chance.randrange(len(node.args))
    texts = [
        ("" if arg.name is None else f"{arg.name} = ") + ("" if arg.value is None else arg.value.text)
        for i, arg in enumerate(node.args)
        if i != gone
    ]
    return f"{rast.function_name(node)}({', '.join(texts)})"
