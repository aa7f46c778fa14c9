"""Alignment of an edited Python file with its script: the code that stands for each statement."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pyrrf.migrate.check.job import Block
from pyrrf.migrate.translation import Statement

_MARK = re.compile(r"^# line (\d+)\b")


@dataclass(frozen=True)
class Edited:
    """A Python file, block by block.

    Attributes
    ----------
    blocks : list of Block
    intact : list of bool
        Whether the code of a block is as it was written.
    preamble : str
        What comes before the first block.
    """

    blocks: list[Block]
    intact: list[bool]
    preamble: str


@dataclass(frozen=True)
class _Span:
    """Statements of R, the pieces of Python that stand for them, and whether these are as they were written."""

    first: int
    end: int
    start: int
    to: int
    intact: bool


@dataclass(frozen=True)
class _Piece:
    """A statement of Python: its syntax tree as a key, its text, its lines."""

    key: str
    text: str
    line: int
    last: int
    is_import: bool


def align(code: str, statements: Sequence[Statement], written: Sequence[str | None], preamble: str) -> Edited:
    """Find the statements of a script in a Python file that was edited.

    What stands between code that is still as it was written is for the statements between; comments ``# line 12``, as
    frozen statements have them, part it further.

    Parameters
    ----------
    code : str
        The file.
    statements : sequence of Statement
    written : sequence of str or None
        The Python that was written for each; None for a statement that was not there.
    preamble : str
        What was written before them.

    Raises
    ------
    SyntaxError
        The file is not Python.
    """
    pieces = _pieces(code)
    begin = _end_of_preamble(pieces, set(_keys(preamble)))
    places = _places(pieces, begin, written)
    spans: list[_Span] = []
    waiting: list[int] = []
    reached = begin
    for number in range(len(statements) + 1):
        last = number == len(statements)
        place = (len(pieces), len(pieces)) if last else places[number]
        if place is None:
            waiting.append(number)
            continue
        spans += _between(code, pieces, (reached, place[0]), waiting, statements)
        waiting = []
        if place[0] > reached and not spans:
            begin = place[0]
        elif spans and place[0] > spans[-1].to:
            # Added code belongs to the statement before it.
            spans[-1] = replace(spans[-1], to=place[0], intact=False)
        reached = place[1]
        if not last:
            spans.append(_Span(number, number + 1, *place, True))
    blocks = [_block(pieces[span.start : span.to], span, statements) for span in spans]
    return Edited(blocks, [span.intact for span in spans], _join_pieces(pieces[:begin]))


def _pieces(code: str) -> list[_Piece]:
    lines = [line.encode() for line in code.split("\n")]
    out = []
    for node in ast.parse(code).body:
        begins = [(node.lineno, node.col_offset)]
        begins += [(decorator.lineno, decorator.col_offset - 1) for decorator in getattr(node, "decorator_list", [])]
        (first, start), last = min(begins), node.end_lineno or node.lineno
        text = lines[first - 1 : last]
        text[-1] = text[-1][: node.end_col_offset]
        text[0] = text[0][start:]
        is_import = isinstance(node, ast.Import | ast.ImportFrom)
        out.append(_Piece(ast.dump(node), b"\n".join(text).decode(), first, last, is_import))
    return out


def _keys(code: str) -> list[str]:
    return [ast.dump(node) for node in ast.parse(code).body]


def _end_of_preamble(pieces: Sequence[_Piece], known: set[str]) -> int:
    """Return the number of Python statements before those of the script."""
    for count, piece in enumerate(pieces):
        docstring = count == 0 and piece.key.startswith("Expr(value=Constant(")
        if not (docstring or piece.is_import or piece.key in known):
            return count
    return len(pieces)


def _places(pieces: Sequence[_Piece], begin: int, written: Sequence[str | None]) -> list[tuple[int, int] | None]:
    """Return the slice of pieces written for each statement; None where the code was edited.

    A statement without code stands where the one before it ends, if that is there.
    """
    keys = [None if code is None else _keys(code) for code in written]
    flat = [key for statement_keys in keys for key in statement_keys or []]
    to = {a: begin + b for a, b in _match_items(flat, [piece.key for piece in pieces[begin:]])}
    out: list[tuple[int, int] | None] = []
    offset = 0
    for statement_keys in keys:
        if statement_keys is None:
            out.append(None)
        elif not statement_keys:
            before = out[-1] if out else (begin, begin)
            out.append(None if before is None else (before[1], before[1]))
        else:
            indices = [to.get(offset + i, -1) for i in range(len(statement_keys))]
            whole = indices[0] >= 0 and indices == list(range(indices[0], indices[0] + len(indices)))
            out.append((indices[0], indices[0] + len(indices)) if whole else None)
        offset += len(statement_keys or [])
    return out


def _match_items(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the places of equal items: first at both ends, since the same line may stand there several times."""
    shorter = min(len(old), len(new))
    start = next((i for i in range(shorter) if old[i] != new[i]), shorter)
    tail = next((i for i in range(shorter - start) if old[-1 - i] != new[-1 - i]), shorter - start)
    yield from ((i, i) for i in range(start))
    inner = old[start : len(old) - tail], new[start : len(new) - tail]
    for a, b, size in difflib.SequenceMatcher(None, *inner, autojunk=False).get_matching_blocks():
        yield from ((start + a + i, start + b + i) for i in range(size))
    yield from ((len(old) - 1 - i, len(new) - 1 - i) for i in range(tail))


def _block(pieces: Sequence[_Piece], span: _Span, statements: Sequence[Statement]) -> Block:
    mine = statements[span.first : span.end]
    text = "\n".join(statement.text for statement in mine)
    return Block(span.first, span.end, mine[0].first, _join_pieces(pieces), pieces[0].line if pieces else 0, text)


def _join_pieces(pieces: Sequence[_Piece]) -> str:
    """Return code with its statements on the lines where they stood, as seen from the first."""
    out = ""
    for piece in pieces:
        out += "\n" * max(0, piece.line - pieces[0].line - out.count("\n")) + piece.text + "\n"
    return out


def _between(
    code: str, pieces: Sequence[_Piece], place: tuple[int, int], waiting: Sequence[int], statements: Sequence[Statement]
) -> list[_Span]:
    """Return the spans of edited code, split where comments name a line of the script."""
    if not waiting:
        return []
    lines = [statements[i].first for i in waiting]
    bounds = [(0, place[0]), *_marks(code, pieces, place, lines), (len(waiting), place[1])]
    out = []
    for (first, start), (to, stop) in pairwise(bounds):
        out.append(_Span(waiting[first], waiting[to - 1] + 1, start, stop, False))
    return out


def _marks(code: str, pieces: Sequence[_Piece], place: tuple[int, int], lines: Sequence[int]) -> list[tuple[int, int]]:
    """Return pairs of a waiting statement, not the first, and the piece before which its comment stands, in order."""
    marks = [(0, place[0])]
    inside = {line for piece in pieces[slice(*place)] for line in range(piece.line, piece.last + 1)}
    for number, text in enumerate(code.split("\n"), 1):
        mark = _MARK.match(text)
        if mark is None or int(mark[1]) not in lines or number in inside:
            continue
        index = lines.index(int(mark[1]))
        piece = next((i for i in range(*place) if pieces[i].line > number), place[1])
        if index > marks[-1][0] and piece >= marks[-1][1]:
            marks.append((index, piece))
    return marks[1:]
