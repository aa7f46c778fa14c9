"""The algebra of a formula's right side: what it joins, how much work that is, and the terms that it makes.

``a*b*c`` of k columns makes 2^k terms and ``(a + b)^k`` as many products, so that a short text may ask for any number.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyrrf.errors import bad
from pyrrf.rlang.tree import Node, fold

_MOST_TERMS = 200_000
_SUMS, _PRODUCTS = ("+", "-"), ("*", "/", ":", "%in%")
SIGNS = (*_SUMS, *_PRODUCTS, "^")
"""What joins terms; any other sign is part of a variable, such as ``$``."""


def is_dot(node: Node) -> bool:
    """Whether this is the ``.`` for all other columns."""
    return (node.kind, node.text) == ("name", ".")


def is_operand(node: Node) -> bool:
    """Whether this is a name with its calls, indices and attributes."""
    while node.kind in ("call", "index", "attribute"):
        node = node.parts[0]
    return node.kind in ("name", "quoted") and not is_dot(node)


def inside(node: Node) -> Sequence[Node]:
    """Return what a sum, a product or brackets join; an operand is whole."""
    return node.parts if node.kind in ("sign", "(") else ()


def check_terms(formula: str, tree: Node, n_others: int) -> None:
    """Raise ValueError where a right side joins what R does not join, or has too many interactions.

    Parameters
    ----------
    formula : str
        What messages show.
    tree : Node
        The right side.
    n_others : int
        Columns that ``.`` stands for.
    """
    shown = formula if len(formula) < 80 else formula[:77] + "..."

    def count(node: Node, parts: list[float]) -> float:
        if not _is_joined(node):
            raise bad.formula(f"formula {shown!r} cannot be read; join terms by + - : * / ^")
        if not parts:
            return float(n_others if is_dot(node) else 1)
        return parts[0] if node.kind == "(" else _products(node, parts)

    if fold(tree, count, inside) > _MOST_TERMS:
        raise bad.formula(
            f"formula {shown!r} makes more than {_MOST_TERMS} interactions; join the columns by '+', for "
            "an interaction adds no more than its columns to a forest"
        )


def _is_joined(node: Node) -> bool:
    if node.kind != "sign":
        return node.kind in ("(", "number") or is_dot(node) or is_operand(node)
    if node.text == "%in%" and not is_operand(node.parts[1]):
        raise bad.formula("%in% takes one column on its right here; write the interactions with ':'")
    numbers = {part.text for part in node.parts if part.kind == "number"}
    if node.text in _SUMS:
        return numbers <= {"0", "1"}
    if node.text == "^":
        return len(node.parts) == 2 and _exponent(node.parts[1]) >= 1
    return len(node.parts) == 2 and node.text in _PRODUCTS and not numbers


def _products(node: Node, parts: list[float]) -> float:
    """Count products as the algebra forms them."""
    if node.text in _SUMS:
        return sum(parts)
    if node.text == "^":
        exponent = _exponent(node.parts[1])
        # The products of one term with itself are tuples of that length.
        power: float = min(max(parts[0], 1), _MOST_TERMS + 1) ** min(exponent, 20)
        return min(power + exponent, 1e18)
    more = node.text in ("*", "/")
    return min((parts[0] + more) * (parts[1] + more), 1e18)


def _exponent(node: Node) -> float:
    while node.kind == "(" or (node.kind == "sign" and len(node.parts) == 1):
        node = node.parts[0]
    small = node.kind == "number" and node.text.isdecimal() and len(node.text) < 9
    return float(node.text) if small else float(_MOST_TERMS + 1)


# ---- terms ---------------------------------------------------------------------------------------

Products = dict[frozenset[str], None]
"""Terms in order, each the variables that it multiplies."""


def joined(node: Node, parts: list[Products]) -> Products:
    """Return the terms of brackets, a sum or a product from those of its parts, which may be changed."""
    if node.kind == "(":
        return parts[0]
    if node.text in _SUMS:
        left, right = parts if len(parts) == 2 else ({}, parts[0])
        if node.text == "+":
            # Into the left one, so that a long sum is not copied at each of its signs.
            left |= right
        else:
            for term in right:
                left.pop(term, None)
        return left
    left, right = parts
    if node.text == "^":
        return _power(left, int(_exponent(node.parts[1])))
    if node.text in ("*", "/") and not left:
        return left  # R appends to the left side, and drops the right one where nothing is there
    if node.text == "/":
        return left | _crossed(dict.fromkeys([frozenset().union(*left)]), right)
    return left | right | _crossed(left, right) if node.text == "*" else _crossed(left, right)


def _crossed(left: Products, right: Products) -> Products:
    return {a | b: None for a in left for b in right}


def _power(terms: Products, exponent: int) -> Products:
    found = terms
    for _ in range(exponent - 1):
        before, found = found, _crossed(found, terms)
        if list(before) == list(found):
            break
    return found
