"""A page as it is read: what stands in it, and what is wrong with it."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

# Elements that have no end, and attributes that fetch something or lead somewhere.
VOID = {"meta", "link", "br", "img", "input", "hr"}
LEADING = ("href", "src", "srcset", "action", "data", "poster", "xlink:href", "background")
ELSEWHERE = re.compile(r"url\((?!#)|@import|https?:|//[a-z]", re.I)


class Read(HTMLParser):
    """A page: its texts by element, its names, where it leads, and complaints."""

    def __init__(self, path: Path) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.texts: dict[str, list[str]] = {}
        self.names: list[str] = []
        self.leads: list[str] = []
        self.pointed: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.complaints: list[str] = []
        self.source = path.read_text(encoding="utf-8")
        self.feed(self.source)
        self.close()
        self.complaints += [f"not closed: {tag}" for tag in self.open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._noted(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)
            self.texts.setdefault(tag, []).append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._noted(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.complaints.append(f"closed out of turn: {tag}")

    def handle_data(self, data: str) -> None:
        for tag in {*self.open}:
            self.texts[tag][-1] += data

    def _noted(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.elements.append((tag, found))
        if len(found) < len(attrs):
            self.complaints.append(f"an attribute twice: {tag} {attrs}")
        self.names += [found["id"] or ""] if "id" in found else []
        self.leads += [value or "" for name, value in attrs if name in LEADING]
        self.pointed += (found.get("aria-labelledby") or "").split()
        self.pointed += re.findall(r"url\(#([^)]+)\)", " ".join(value or "" for value in found.values()))
        if any(name.startswith("on") for name in found):
            self.complaints.append(f"a script: {tag} {attrs}")
        # A name space is a name, not an address.
        values = [value for name, value in attrs if value and not name.startswith("xmlns") and name not in LABELS]
        self.complaints += [f"leads elsewhere: {value}" for value in values if ELSEWHERE.search(value)]


# What is read aloud may hold anything.
LABELS = ("aria-label", "content")


def faults(page: Read) -> list[str]:
    """What is wrong with a page: names twice, links into nothing, pictures without words, headings out of order."""
    found = list(page.complaints)
    found += [f"a name twice: {name}" for name in {*page.names} if page.names.count(name) > 1]
    found += [f"leads elsewhere: {at}" for at in page.leads if not at.startswith(("#", "data:"))]
    known = {*page.names}
    found += [f"leads into nothing: {at}" for at in page.leads if at.startswith("#") and at[1:] not in known]
    found += [f"points to nothing: {at}" for at in page.pointed if at not in known]
    for tag, attributes in page.elements:
        if tag == "svg" and not (attributes.get("role") == "img" and attributes.get("aria-label")):
            found.append("a picture without words")
        if tag in ("script", "iframe", "object", "embed"):
            found.append(f"a {tag}")
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch(r"h[1-6]", tag)]
    if levels[:1] != [1] or levels.count(1) != 1 or any(b > a + 1 for a, b in pairwise(levels)):
        found.append(f"headings: {levels}")
    found += [] if ("html", {"lang": "en"}) in page.elements else ["no language"]
    styles = " ".join(page.texts["style"])
    return found + [f"a style from elsewhere: {at[0]}" for at in ELSEWHERE.finditer(styles)]
