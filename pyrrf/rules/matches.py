"""Rows that a rule matches: one bit for each row; the masks of pieces are computed once and joined by and."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from pyrrf.rules.columns import Columns
from pyrrf.rules.conditions import pieces, read_piece
from pyrrf.types import Positions

Words = NDArray[np.uint64]
# Bytes that one step may take at most, so that a long list of rules on many rows is worked on in parts.
_MOST = 1 << 26


def pack(flags: np.ndarray) -> Words:
    """Return flags, shape (k, n), as bits, shape (k, words); the bits behind the last row are 0."""
    packed = np.packbits(flags, axis=1, bitorder="little")
    spare = -packed.shape[1] % 8
    return np.ascontiguousarray(np.pad(packed, ((0, 0), (0, spare)))).view(np.uint64)


def unpack(words: Words, n: int) -> np.ndarray:
    """Return bits, shape (k, words), as flags, shape (k, n)."""
    return np.unpackbits(words.view(np.uint8), axis=1, count=n, bitorder="little").astype(bool)


def counts(words: Words) -> Positions:
    """Return the number of set bits in each row, shape (k,)."""
    return np.asarray(np.bitwise_count(words).sum(axis=1, dtype=np.int64))


class Matches:
    """Rules as lists of pieces, and the rows that each piece matches."""

    def __init__(self, conditions: Sequence[str], columns: Columns) -> None:
        self.n = columns.n
        self.texts = [pieces(condition) for condition in conditions]  # the pieces of each rule
        self.lengths = np.array([len(texts) for texts in self.texts], dtype=np.int64)
        # Where the pieces of each rule begin in `piece`, which has the mask of each piece.
        self.start = np.concatenate([[0], np.cumsum(self.lengths)])
        place: dict[str, int] = {}
        listed = [place.setdefault(text, len(place)) for texts in self.texts for text in texts]
        self.piece = np.array(listed, dtype=np.int64)
        self.masks = self._masks(list(place), columns)

    def _masks(self, distinct: list[str], columns: Columns) -> Words:
        masks = np.empty((len(distinct), -(-self.n // 64)), dtype=np.uint64)
        step = max(1, _MOST // max(self.n, 1))
        for first in range(0, len(distinct), step):
            flags = [columns.holds(read_piece(text)) for text in distinct[first : first + step]]
            masks[first : first + len(flags)] = pack(np.array(flags))
        return masks

    def parts(self, copies: int = 1) -> Iterator[slice]:
        """Yield slices of rules whose masks, with the copies of each piece, fit into the memory of one step."""
        width = 8 * self.masks.shape[1] * copies
        longest = int(self.lengths.max(initial=1))
        step = max(1, _MOST // (width * longest))
        for first in range(0, len(self.lengths), step):
            yield slice(first, min(first + step, len(self.lengths)))

    def of(self, part: slice) -> Words:
        """Return the rows that each rule of a run matches, shape (rules, words)."""
        first, last = int(self.start[part.start]), int(self.start[part.stop])
        if first == last:
            return np.empty((0, self.masks.shape[1]), dtype=np.uint64)
        joined = np.bitwise_and.reduceat(self.masks[self.piece[first:last]], self.start[part] - first, axis=0)
        return np.asarray(joined)

    def all(self) -> Words:
        """Return the rows that each rule matches, shape (rules, words)."""
        masks = [self.of(rules) for rules in self.parts()]
        return np.concatenate(masks) if masks else np.empty((0, self.masks.shape[1]), dtype=np.uint64)
