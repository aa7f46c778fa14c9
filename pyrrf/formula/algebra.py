"""The algebra of a formula's right side: supported operators, the number of products, and the expanded terms.

``a*b*c`` of k columns expands to 2^k terms and ``(a + b)^k`` to as many products, so the number is limited.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyrrf.errors import bad
from pyrrf.rlang.tree import Node, fold

_MOST_TERMS = 200_000
_SUMS, _PRODUCTS = ("+", "-"), ("*", "/", ":", "%in%")
SIGNS = (*_SUMS, *_PRODUCTS, "^")
"""Operators that join terms; any other, such as ``$``, is part of a variable."""


def is_dot(node: Node) -> bool:
    """Return whether this is the ``.`` for all other columns."""
    return (node.kind, node.text) == ("name", ".")


def is_operand(node: Node) -> bool:
    """Return whether this is a variable: a name with its calls, indices and attributes."""
    while node.kind in ("call", "index", "attribute"):
        node = node.parts[0]
    return node.kind in ("name", "quoted") and not is_dot(node)


def operands(node: Node) -> Sequence[Node]:
    """Return the operands of a sum, a product or brackets; a variable has none."""
    return node.parts if node.kind in ("sign", "(") else ()


def check_terms(formula: str, tree: Node, n_others: int) -> None:
    """Raise ValueError if a right side has operators that R does not support, or too many interactions.

    Parameters
    ----------
    formula : str
        The formula, for messages.
    tree : Node
        The right side.
    n_others : int
        Number of columns that ``.`` stands for.
    """
    shown = formula if len(formula) < 80 else formula[:77] + "..."

    def count(node: Node, parts: list[float]) -> float:
        if not _is_supported(node):
            raise bad.formula(f"formula {shown!r} cannot be read; join terms by + - : * / ^")
        if not parts:
            return float(n_others if is_dot(node) else 1)
        return parts[0] if node.kind == "(" else _products(node, parts)

    if fold(tree, count, operands) > _MOST_TERMS:
        raise bad.formula(
            f"formula {shown!r} makes more than {_MOST_TERMS} interactions; join the columns by '+', for "
            "an interaction adds no more than its columns to a forest"
        )


def _is_supported(node: Node) -> bool:
    if node.kind != "sign":
        return node.kind in ("(", "number") or is_dot(node) or is_operand(node)
    if node.text == "%in%" and not is_operand(node.parts[1]):
        raise bad.formula("%in% takes one column on its right here; write the interactions with ':'")
    numbers = {operand.text for operand in node.parts if operand.kind == "number"}
    if node.text in _SUMS:
        return numbers <= {"0", "1"}
    if node.text == "^":
        return len(node.parts) == 2 and _exponent(node.parts[1]) >= 1
    return len(node.parts) == 2 and node.text in _PRODUCTS and not numbers


def _products(node: Node, parts: list[float]) -> float:
    """Return the number of products that the algebra forms."""
    if node.text in _SUMS:
        return sum(parts)
    if node.text == "^":
        exponent = _exponent(node.parts[1])
        # The products of a sum with itself are tuples of that length.
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
"""Terms in order, each the set of variables that it multiplies."""


def combine_products(node: Node, parts: list[Products]) -> Products:
    """Return the terms of brackets, a sum or a product; the terms of its operands are modified."""
    if node.kind == "(":
        return parts[0]
    if node.text in _SUMS:
        left, right = parts if len(parts) == 2 else ({}, parts[0])
        if node.text == "+":
            # In place, so that a long sum is not copied at each of its operators.
            left |= right
        else:
            for term in right:
                left.pop(term, None)
        return left
    left, right = parts
    if node.text == "^":
        return _power(left, int(_exponent(node.parts[1])))
    if node.text in ("*", "/") and not left:
        return left  # R drops the right side if the left one has no terms
    if node.text == "/":
        return left | _cross(dict.fromkeys([frozenset().union(*left)]), right)
    return left | right | _cross(left, right) if node.text == "*" else _cross(left, right)


def _cross(left: Products, right: Products) -> Products:
    return {a | b: None for a in left for b in right}


def _power(terms: Products, exponent: int) -> Products:
    products = terms
    for _ in range(exponent - 1):
        previous, products = products, _cross(products, terms)
        if list(previous) == list(products):
            break
    return products
