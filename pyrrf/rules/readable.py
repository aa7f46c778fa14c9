"""Rules for people: the pieces of a column joined into one, with the column's name."""

from __future__ import annotations

from collections.abc import Sequence

from pyrrf.rules.conditions import Piece, column_text, pieces, read_piece
from pyrrf.rules.numbers import exact_text


def readable(condition: str, names: Sequence[str]) -> list[str]:
    """Return what a rule asks of each column.

    Columns without a name stay as they are; the rule that always holds asks nothing.

    Examples
    --------
    >>> from pyrrf.rules.readable import readable
    >>> readable("X[,1]>2 & X[,1]<=5 & X[,1]<=4.5 & X[,2] %in% c('a','b')", ["length", "colour"])
    ['2 < length ≤ 4.5', 'colour is a or b']
    """
    asked: dict[int, list[Piece]] = {}
    for text in pieces(condition):
        piece = read_piece(text)
        if piece.sign != "always":
            asked.setdefault(piece.column, []).append(piece)
    return [
        " and ".join(_joined(own, names[at] if at < len(names) else column_text(at), condition))
        for at, own in asked.items()
    ]


def _joined(own: list[Piece], name: str, condition: str) -> list[str]:
    """Return what is asked of one column."""
    plain = [piece for piece in own if piece.sign in ("<=", ">") and not piece.missing]
    texts = _between(plain, name) if plain else []
    for piece in own:
        if piece.sign in ("known", "missing"):
            texts.append(f"{name} is {piece.sign}")
        elif piece.sign == "in":
            texts.append(_among(piece, name, condition))
        elif piece.missing:
            texts.append(f"({_between([piece], name)[0]} or missing)")
    return texts


def _between(plain: list[Piece], name: str) -> list[str]:
    lower = [piece.number for piece in plain if piece.sign == ">"]
    upper = [piece.number for piece in plain if piece.sign == "<="]
    if lower and upper:
        return [f"{exact_text(max(lower))} < {name} ≤ {exact_text(min(upper))}"]
    return [f"{name} > {exact_text(max(lower))}" if lower else f"{name} ≤ {exact_text(min(upper))}"]


def _among(piece: Piece, name: str, condition: str) -> str:
    # The set has no order; the text has that of the levels.
    levels = sorted(piece.levels, key=condition.find) + ["missing"] * piece.missing
    return f"{name} is {' or '.join(levels)}"
