"""How much work the algebra of a formula's right side is, before anybody does it.

``a*b*c`` of k columns makes 2^k terms and ``(a + b)^k`` as many products, so that a short text may ask for any number.
"""

from __future__ import annotations

from collections.abc import Sequence

_MOST_TERMS = 200_000


def check_terms(formula: str, parts: Sequence[str], n_others: int) -> None:
    """Raise ValueError where a formula has too many interactions.

    Parameters
    ----------
    formula : str
        What messages show.
    parts : sequence of str
        Operands, numbers and operators of the right side.
    n_others : int
        Columns that ``.`` stands for.
    """
    try:
        most = _Counter(parts, n_others).sum()
    except RecursionError:
        raise ValueError("the formula has too many brackets in brackets; take some away") from None
    if most > _MOST_TERMS:
        shown = formula if len(formula) < 80 else formula[:77] + "..."
        raise ValueError(
            f"formula {shown!r} makes more than {_MOST_TERMS} interactions; join the columns by '+', for "
            "an interaction adds no more than its columns to a forest"
        )


class _Counter:
    """Counts products as the algebra forms them; what it cannot read counts as one term and is refused elsewhere."""

    def __init__(self, parts: Sequence[str], n_others: int) -> None:
        self.parts, self.at, self.n_others = parts, 0, n_others

    def _next_is(self, *operators: str) -> bool:
        found = self.at < len(self.parts) and self.parts[self.at] in operators
        self.at += found
        return found

    def sum(self) -> float:
        total = self._product()
        while self.at < len(self.parts) and self.parts[self.at] != ")":
            self._next_is("+", "-")
            total += self._product()
        return total

    def _product(self) -> float:
        total = self._interaction()
        while self._next_is("*", "/"):
            total = _bounded((total + 1) * (self._interaction() + 1))
        return total

    def _interaction(self) -> float:
        total = self._power()
        while self._next_is(":"):
            total = _bounded(total * self._power())
        return total

    def _power(self) -> float:
        total = self._operand()
        while self._next_is("^", "**"):
            exponent = self._operand(as_number=True)
            # The products of one term with itself are tuples of that length.
            total = _bounded(max(total, 1) ** min(exponent, 64) + exponent)
        return total

    def _operand(self, as_number: bool = False) -> float:
        while self._next_is("+", "-"):
            pass
        if self._next_is("("):
            total = self._operand(True) if as_number else self.sum()
            self._next_is(")")
            return total
        part = self.parts[self.at] if self.at < len(self.parts) else ""
        self.at += 1
        if as_number:
            return _bounded(float(part)) if part.isdecimal() and len(part) < 9 else float(_MOST_TERMS + 1)
        return float(self.n_others) if part == "." else 1.0


def _bounded(count: float) -> float:
    return min(count, 1e18)
