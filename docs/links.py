"""The pages and the API: links from names to their pages, and on the page of a class what its bases document."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from numpydoc.docscrape_sphinx import SphinxDocString
from numpydoc.xref import DEFAULT_LINKS
from sphinx.addnodes import pending_xref

from pyrrf import ForestResult

# The modules that the page of the API lists.
ROOMS = sorted({*re.findall(r"^\.\. currentmodule:: (\S+)", (Path(__file__).parent / "api.rst").read_text(), re.M)})
# A name, alone or called, with the package before it or without.
MENTION = re.compile(r"((?:\w+\.)*)(\w+)(\(.*\))?", re.S)
# The section of attributes of a docstring, up to the next one.
ATTRIBUTES = re.compile(r"^Attributes\n-+\n(.*?)(?=\n\n[A-Z][^\n]*\n-+\n|\Z)", re.M | re.S)
# What is a link already, or stands above what it names.
ELSEWHERE = (nodes.reference, nodes.title, nodes.rubric, pending_xref)


def _public() -> dict[str, Any]:
    """Return functions and classes by their full names."""
    found = {}
    for room in ROOMS:
        module = importlib.import_module(room)
        values = {f"{room}.{name}": getattr(module, name) for name in module.__all__}
        found.update({name: value for name, value in values.items() if callable(value)})
    return found


def _inner(value: Any) -> set[str]:
    """Return the names within a class, or the arguments of a function."""
    return set(dir(value)) if inspect.isclass(value) else set(inspect.signature(value).parameters)


PUBLIC = _public()
TARGETS = {name.rpartition(".")[2]: name for name in PUBLIC}
CLASSES = {name: target for name, target in TARGETS.items() if inspect.isclass(PUBLIC[target])}
# `importance` alone may be an argument, `predict` a method, `report` an extra; `pyrrf.predict` and `predict(fit)` are
# functions.
DOUBTFUL = {"report"} | {name for value in PUBLIC.values() for name in _inner(value)}


def target_of(text: str) -> str | None:
    """Return the full name of what a text in the type of code mentions; None if it is no public name."""
    found = MENTION.fullmatch(text)
    if found and found[1] == "r.":
        return f"pyrrf.r.{found[2]}"
    target = TARGETS.get(found[2]) if found else None
    if not found or not target:
        return None
    if found[1]:
        return target if f"pyrrf.{target}".endswith(f".{found[1]}{found[2]}") else None
    return target if found[3] or found[2] not in DOUBTFUL else None


def link_names(app: Any, doctree: nodes.document) -> None:
    """Let the first mention of each public name on a page point to the page of it."""
    page = app.env.docname
    seen = {page.rpartition("/")[2]}
    for literal in list(doctree.findall(nodes.literal)):
        target = target_of(literal.astext())
        if target and target not in seen and not any(isinstance(node, ELSEWHERE) for node in _above(literal)):
            seen.add(target)
            link = pending_xref(refdomain="py", reftype="obj", reftarget=target, refdoc=page, refexplicit=True)
            literal.replace_self(link)
            link += literal


def _above(node: nodes.Node) -> Iterator[nodes.Node]:
    while node.parent is not None:
        node = node.parent
        yield node


def add_attributes(app: Any, what: str, name: str, cls: Any, options: Any, lines: list[str]) -> None:
    """Add to the attributes of a class those that its bases document."""
    if what != "class":
        return
    found = ATTRIBUTES.search(text := "\n".join(lines).rstrip())
    known, more = set(_entries(text)), []
    for base in cls.__mro__[1:]:
        entries = _entries(inspect.cleandoc(base.__doc__ or "")) if base.__module__.startswith("pyrrf") else {}
        more += [entry for names, entry in entries.items() if names not in known]
        known.update(entries)
    if more:
        head, end = ("", found.end()) if found else ("\n\nAttributes\n----------", len(text))
        lines[:] = "\n".join([text[:end] + head, *more, text[end:]]).splitlines()


def _entries(text: str) -> dict[str, str]:
    """Return the attributes that a docstring lists, each with all that it says of it, by name."""
    found = ATTRIBUTES.search(text)
    entries = re.split(r"\n(?=\S)", found[1]) if found else []
    return {entry.partition(" :")[0]: entry for entry in entries}


def hide_signature(app: Any, what: str, name: str, cls: Any, *rest: Any) -> tuple[str, None] | None:
    """Leave the arguments of results away: functions make them."""
    return ("", None) if what == "class" and issubclass(cls, ForestResult) else None


def connect(app: Any) -> None:
    """Let Sphinx call what is here; attributes are added before numpydoc reads a docstring."""
    # Types of other packages are no links: their glossaries would be read from the network.
    DEFAULT_LINKS.clear()
    # numpydoc would show the first sentence of a property in place of what the class says of it.
    describe = SphinxDocString._process_param
    SphinxDocString._process_param = lambda self, name, text, _: describe(self, name, text, False)
    app.connect("doctree-read", link_names)
    app.connect("autodoc-process-docstring", add_attributes, priority=400)
    app.connect("autodoc-process-signature", hide_signature)
