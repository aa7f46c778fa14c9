"""A script translated as a whole: statement by statement, then the file and its account."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from pyrrf.migrate.decide.laziness import look_at_strangers
from pyrrf.migrate.parse import rast
from pyrrf.migrate.parse.parser import bound_words, parse
from pyrrf.migrate.parse.sourcing import Sources
from pyrrf.migrate.write.by_r import give_to_r
from pyrrf.migrate.write.context import Context, LeftOver, draws_chart
from pyrrf.migrate.write.expressions import read, value
from pyrrf.migrate.write.functions import function_value, write_function
from pyrrf.migrate.write.lines import Line, call
from pyrrf.migrate.write.packages import without_attaching
from pyrrf.migrate.write.statements import load_datasets, run, run_to
from pyrrf.migrate.write.targets import held_value
from pyrrf.migrate.write.writer import statement_code, write

_STEPS: dict[str, Callable[..., object]] = {
    "read": read,
    "value": value,
    "held_value": held_value,
    "function": function_value,
    "write_function": write_function,
    "run": run,
    "run_to": run_to,
    "give_to_r": give_to_r,
}


@dataclass(frozen=True)
class Statement:
    """A statement of the script's top level.

    Attributes
    ----------
    first, last : int
        Its lines.
    text : str
        In R.
    code : str
        In Python, without the comments of the script; empty where none is needed.
    left : list of LeftOver
        What of it stays R.
    """

    first: int
    last: int
    text: str
    code: str
    left: list[LeftOver] = field(default_factory=list)


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
        What could not be translated.
    left_lines : int
        How many of `lines` that are.
    names : dict of str to str
        Names of the script, in R and in Python.
    statements : list of Statement
    """

    code: str
    lines: int
    left: list[LeftOver]
    left_lines: int
    names: dict[str, str]
    statements: list[Statement]
    _script: rast.Script
    _lines: list[list[Line]]

    @property
    def summary(self) -> str:
        """Count of translated lines, as text."""
        return f"{self.lines - self.left_lines} of {self.lines} lines translated"

    @property
    def by_r(self) -> list[str]:
        """The statements for R, as line and reason; those that grow forests, which pyrrf should do, come first."""
        return [
            f"line {item.first}: {'R grows a forest: ' if item.grows else ''}{item.reason}"
            for item in sorted(self.left, key=lambda item: not item.grows)
        ]

    def compose(
        self, replacements: Mapping[int, Sequence[Line]], head: Sequence[str], preamble: Sequence[Line] = ()
    ) -> str:
        """Return the file with other lines for some statements, by their number from 0, and another head."""
        parts = [line for number, lines in enumerate(self._lines) for line in replacements.get(number, lines)]
        return write(self._script, parts, head, preamble)


def translate(
    text: str,
    name: str = "script.R",
    folder: str | Path | None = None,
    outside: bool = False,
    with_r: bool = False,
) -> Translation:
    """Turn an R script into Python that calls `pyrrf.r`. The R code is not run.

    Parameters
    ----------
    text : str
        The script.
    name : str, default 'script.R'
        Its name, for the first line of the Python file.
    folder : path_like, optional
        Where the script runs: scripts that it calls by ``source`` are looked for there.
    outside : bool, default False
        Whether scripts outside of that folder are read, too.
    with_r : bool, default False
        Whether R computes what is not translated, when the Python runs; by default it is left as comments.

    Returns
    -------
    Translation

    Raises
    ------
    ImportError
        tree-sitter-language-pack is not installed.
    DisagreementError
        The Python would say something else than was meant.
    RecursionError
        An expression is nested too deeply.

    Examples
    --------
    >>> print(translate("best <- which.max(rnorm(3))").code.splitlines()[-1])
    best = r.which_max(r.rnorm(3))
    """
    script = parse(text)
    where = None if folder is None else Path(folder)
    bound = bound_words(Sources(where, outside).expand_sources(script.body))
    script = parse(text, bound) if bound else script
    ctx, blocks, lefts = _translate_statements(script, Sources(where, outside, bound), with_r)
    charts = with_r and any(draws_chart(node) for node in script.body for left in ctx.left if _holds(node, left))
    fits = _fits_for_r(script, ctx.left) if with_r else frozenset[str]()
    if charts or fits:
        ctx, blocks, lefts = _translate_statements(script, Sources(where, outside, bound), with_r, charts, fits)
    if not (with_r or ctx.search.looked_up):  # R may have to compute calls of any package
        blocks = [without_attaching(ctx, block) for block in blocks]
    statements = [
        Statement(node.first, node.last, node.text, statement_code(block), left)
        for node, block, left in zip(script.body, blocks, lefts, strict=True)
    ]
    gone = {line for item in ctx.left for line in range(item.first, item.last + 1) if line in script.code}
    done = Translation("", len(script.code), ctx.left, len(gone), ctx.names.all(), statements, script, blocks)
    return replace(done, code=done.compose({}, _docstring_lines(done, name, with_r), _rest_by_r() if with_r else ()))


def _translate_statements(
    script: rast.Script,
    sources: Sources,
    with_r: bool,
    charts_by_r: bool = False,
    fits_by_r: frozenset[str] = frozenset(),
) -> tuple[Context, list[list[Line]], list[list[LeftOver]]]:
    """Return the context behind the last statement, the lines of each statement, and its parts that stay R."""
    ctx = Context(script, sources, _STEPS, with_r, charts_by_r, fits_by_r)
    look_at_strangers(ctx.scopes[0], script.body)
    blocks, lefts = [], []
    for node in script.body:
        before, left = len(ctx.lines), len(ctx.left)
        load_datasets(ctx, node)
        run(ctx, node)
        blocks.append(ctx.lines[before:])
        lefts.append(ctx.left[left:])
    return ctx, blocks, lefts


# Functions that only R can apply to a fit of caret's train().
_OF_TRAINED = frozenset("plot save saveRDS".split())


def _fits_for_r(script: rast.Script, left: list[LeftOver]) -> frozenset[str]:
    """Return the names of fits of caret's ``train`` that R needs, which cannot be handed to it."""
    nodes = rast.walk(*script.body)
    texts = {item.code for item in left}
    made = [node for node in nodes if isinstance(node, rast.Assign) and isinstance(node.target, rast.Name)]
    fits = {rast.target_name(node.target) for node in made if rast.bare(rast.function_name(node.value)) == "train"}
    used: set[str] = set()
    for node in nodes:
        if node.text in texts or rast.function_name(node) in _OF_TRAINED:
            used |= rast.names_in(node) - {*rast.assigned_names(node)}
    for node in made:
        if rast.target_name(node.target) in used and rast.function_name(node.value) == "list":
            used |= rast.names_in(node.value)
    return frozenset(fits & used)


def _rest_by_r() -> list[Line]:
    """Return the line by which R computes the statements that fail in Python."""
    return [Line(0, ast.Expr(call("r.rest_by_r")), 0, 0)]


def _holds(node: rast.Node, left: LeftOver) -> bool:
    """Whether a part that stays R stands in a statement."""
    return node.first <= left.first and left.last <= node.last


def _docstring_lines(done: Translation, name: str, with_r: bool) -> list[str]:
    """Return the lines of the docstring."""
    if with_r and done.left:
        first = f"Translated from {name} by pyrrf migrate: {done.summary}, and R computes the others."
        return [first, "By R:", *(f"    {line}" for line in done.by_r)]
    first = f"Translated from {name} by pyrrf migrate: {done.summary}. Nothing was checked; --check does."
    if not done.left:
        return [first]
    return [first, "Left over:", *(f"    line {item.first}: {item.reason}" for item in done.left)]
