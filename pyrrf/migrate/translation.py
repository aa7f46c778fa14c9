"""A script moved as a whole: passes until the types settle, then the file and its account."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pyrrf.migrate.calls import (
    chance,
    factors,
    files,
    forests,
    frames,
    functional,
    graphics,
    language,
    numbers,
    packages,
    text,
    vectors,
)
from pyrrf.migrate.context import Context, Facts, Left
from pyrrf.migrate.expressions import raw
from pyrrf.migrate.parser import parse
from pyrrf.migrate.python import python_name
from pyrrf.migrate.statements import run
from pyrrf.migrate.tree import Script
from pyrrf.migrate.types import Type
from pyrrf.migrate.usage import usage
from pyrrf.migrate.writer import write

# Their functions are registered when they are imported.
CALLS = (chance, factors, files, forests, frames, functional, graphics, language, numbers, packages, text, vectors)
# First the functions learn from their calls what they get; then loops, what their bodies make of each name.
_SETTLING, _PASSES = 3, 9


@dataclass(frozen=True)
class LeftOver:
    """A piece of the script that stays R.

    Attributes
    ----------
    first, last : int
        Its lines.
    reason : str
    code : str
    """

    first: int
    last: int
    reason: str
    code: str


@dataclass(frozen=True)
class Translation:
    """A script in Python.

    Attributes
    ----------
    code : str
        The Python file.
    lines : int
        Lines of the script that hold code.
    left : list of LeftOver
        What could not be moved.
    left_lines : int
        How many of `lines` that are.
    names : dict of str to str
        Names of the script's top level, in R and in Python.
    positions : set of str
        Those, in R, whose Python value counts from 0 what R counts from 1.
    """

    code: str
    lines: int
    left: list[LeftOver]
    left_lines: int
    names: dict[str, str]
    positions: set[str]

    @property
    def summary(self) -> str:
        """How many lines of how many were moved."""
        return f"{self.lines - self.left_lines} of {self.lines} lines moved"


def translate(text: str, name: str = "script.R", folder: str | Path | None = None) -> Translation:
    """Turn an R script into Python that calls pyrrf. The R code is not run.

    Parameters
    ----------
    text : str
        The script.
    name : str, default 'script.R'
        Its name, for the first line of the Python file.
    folder : path_like, optional
        Where the script runs. Data files that it reads by name are looked at there, for the kinds of their columns.

    Returns
    -------
    Translation

    Raises
    ------
    ImportError
        tree-sitter-language-pack is not installed.

    Examples
    --------
    >>> print(translate("best <- which.max(rnorm(3))").code.splitlines()[-1])
    best = r.which_max(pyrrf.rnorm(3))
    """
    script = parse(text)
    known = usage(script.body)
    facts = Facts()
    for number in range(_SETTLING + _PASSES):
        if number < _SETTLING:
            facts.loops.clear()
        before = _sizes(facts)
        ctx = Context(known, facts, raw, run)
        ctx.folder = None if folder is None else Path(folder)
        for statement in script.body:
            run(ctx, statement)
        if number >= _SETTLING and ctx.learned == facts and before == _sizes(facts):
            break
        facts = ctx.learned
    left = [LeftOver(item.node.first, item.node.last, item.reason, item.node.text) for item in ctx.left]
    gone = _lines(script, ctx.left)
    names = {found: python_name(found) for found in ctx.names}
    positions = {found for found, type_ in ctx.names.items() if _counts_from_zero(type_)}
    done = Translation("", len(script.code), left, len(gone), names, positions)
    code = write(script, ctx.lines, _account(done, name))
    return Translation(code, done.lines, left, len(gone), names, positions)


def _sizes(facts: Facts) -> tuple[int, int, int]:
    """Return how many names are known to be special: the passes share these sets."""
    return len(facts.numbers), len(facts.doubles), len(facts.keyed)


def _lines(script: Script, left: list[Left]) -> set[int]:
    """Return the lines that hold what was left over."""
    return {line for item in left for line in range(item.node.first, item.node.last + 1) if line in script.code}


def _counts_from_zero(type_: Type) -> bool:
    return type_.zero or bool(type_.kind in ("list", "dict") and type_.item and type_.item.zero)


def _account(done: Translation, name: str) -> list[str]:
    """Return the lines of the docstring."""
    first = f"Moved from {name} by pyrrf migrate: {done.summary}."
    if not done.left:
        return [first]
    return [first, "Left over:", *(f"    line {item.first}: {item.reason}" for item in done.left)]
