"""R's terms of a formula: its variables, which terms they make, and in which order."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pyrrf.formula.algebra import SIGNS, Products, combine_products, operands
from pyrrf.r.values.labels import dimnames_value
from pyrrf.r.values.vector import Value, doubles, integers, objects, strings
from pyrrf.rlang.deparse import deparse
from pyrrf.rlang.tokens import scan
from pyrrf.rlang.tree import Node, fold, parse


def _terms(tree: Node, variables: dict[str, None]) -> Products:
    """Return the terms of a right side, and add its variables."""

    def make(node: Node, parts: list[Products]) -> Products:
        if parts:
            return combine_products(node, parts)
        if node.kind == "number":
            return {}
        label = deparse(node)
        variables.setdefault(label)
        return {frozenset((label,)): None}

    return fold(tree, make, lambda node: operands(node) if node.kind == "(" or node.text in SIGNS else ())


def terms_value(shown: str, kinds: dict[str, str], plain: Callable[[str], str]) -> Value:
    """Return terms as R's model frames have them, with an intercept of 0.

    `kinds` are R's classes of variables by label, `plain` finds the label of a variable among them.
    """
    tokens = scan(shown)
    tilde = next(index for index, token in enumerate(tokens) if token.text == "~")
    response = [deparse(parse(tokens[:tilde]))] if tilde else []
    place = dict.fromkeys(response)
    unordered = _terms(parse(tokens[tilde + 1 :]), place)
    variables = list(place)
    terms = sorted(unordered, key=len)
    labels = [":".join(name for name in variables if name in term) for term in terms]
    factors = np.zeros((len(variables), len(terms)))
    for j, term in enumerate(terms):
        for i, name in enumerate(variables):
            if name in term:
                rest = term - {name}
                factors[i, j] = 1.0 if not rest or any(rest <= earlier for earlier in terms[:j]) else 2.0
    listed = Value("language", objects([f"list({', '.join(variables)})"]))
    return Value(
        "language",
        objects([shown]),
        {
            "variables": listed,
            "factors": integers(
                factors.ravel(order="F"),
                {"dim": integers(factors.shape), "dimnames": dimnames_value([[*variables], [*labels]])},
            ),
            "term.labels": strings(labels),
            "order": integers([len(term) for term in terms]),
            "intercept": doubles(0.0),
            "response": integers(len(response)),
            "class": strings(["terms", "formula"]),
            "predvars": listed.copy(),
            "dataClasses": strings(
                [kinds[plain(v)] for v in variables], {"names": strings(list(map(plain, variables)))}
            ),
        },
    )
