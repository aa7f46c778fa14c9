"""Random choices of what is compared, the same on every platform for the same number."""

from __future__ import annotations

from typing import Any

from parity.bits import Bits

LEVELS = (2, 3, 5, 8, 10, 11, 13, 20, 31, 32)


class Chooser:
    """Random choices from `Bits`; `levels` are the sizes of factors."""

    def __init__(self, number: int, levels: tuple[int, ...] = LEVELS) -> None:
        self.bits, self.levels = Bits(10_000 + number), levels

    def chance(self, share: float) -> bool:
        return bool(self.bits.uniform(1)[0] < share)

    def between(self, low: int, high: int) -> int:
        """Integer from low to high, both included."""
        return low + int(self.bits.integers(high - low + 1, 1)[0])

    def one_of(self, *items: Any) -> Any:
        return items[self.between(0, len(items) - 1)]

    def vector(self, length: int, low: float, high: float) -> list[float]:
        return (low + (high - low) * self.bits.uniform(length)).tolist()
