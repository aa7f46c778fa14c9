"""R's terms of a formula: its variables, which terms they make, and in which order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from pyrrf.rds.code import parse_code
from pyrrf.rds.language import deparse
from pyrrf.rlang.tokens import Token, scan
from pyrrf.script.looking import dimnames_value
from pyrrf.script.values import NotMovedError, Value, doubles, integers, objects, strings

Term = frozenset[int]
_SIGNS = {"+": 1, "-": 1, ":": 3, "*": 2, "/": 2, "^": 5, "%in%": 4}


class _Algebra:
    """Reads the right side of a formula as a list of terms, each a set of variables."""

    def __init__(self, tokens: Sequence[Token], variables: list[str]) -> None:
        self.tokens, self.at, self.variables = list(tokens), 0, variables

    def read(self) -> list[Term]:
        """Return the terms, the empty one for the intercept."""
        found = self._sum()
        if self.at < len(self.tokens):
            raise NotMovedError(f"'{self.tokens[self.at]}' in a formula")
        return found

    def _peek(self) -> str:
        return self.tokens[self.at].text if self.at < len(self.tokens) else ""

    def _sum(self) -> list[Term]:
        out: list[Term] = []
        first = True
        while True:
            sign = "+"
            if self._peek() in ("+", "-"):
                sign = self._peek()
                self.at += 1
            elif not first:
                return out
            first = False
            part = self._product()
            out = _union(out, part) if sign == "+" else [term for term in out if term not in part]

    def _product(self) -> list[Term]:
        out = self._within()
        while self._peek() in ("*", "/"):
            sign = self._peek()
            self.at += 1
            other = self._within()
            if sign == "*":
                out = _union(_union(out, other), _crossed(out, other))
            else:
                whole = frozenset().union(*out)
                out = _union(out, [whole | term for term in other])
        return out

    def _within(self) -> list[Term]:
        out = self._crossing()
        while self._peek() == "%in%":
            self.at += 1
            out = _crossed(out, self._crossing())
        return out

    def _crossing(self) -> list[Term]:
        out = self._power()
        while self._peek() == ":":
            self.at += 1
            out = _crossed(out, self._power())
        return out

    def _power(self) -> list[Term]:
        base = self._atom()
        if self._peek() != "^":
            return base
        self.at += 1
        out = base
        for _ in range(int(float(self._peek())) - 1):
            out = _union(out, _crossed(out, base))
        self.at += 1
        return out

    def _atom(self) -> list[Term]:
        token = self.tokens[self.at]
        self.at += 1
        if token.text == "(" and token.kind == "operator":
            found = self._sum()
            self.at += 1
            return found
        if token.kind == "number":
            return [frozenset()] if float(token.text.rstrip("L")) == 1 else [frozenset({-1})]
        parts = [token]
        while self._peek() in ("(", "$", "[", "@", "::"):
            self._take_brackets(parts) if self._peek() in ("(", "[") else self._take_part(parts)
        return [frozenset({self._place(parts)})]

    def _take_part(self, parts: list[Token]) -> None:
        parts += self.tokens[self.at : self.at + 2]
        self.at += 2

    def _take_brackets(self, parts: list[Token]) -> None:
        depth = 0
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            parts.append(token)
            self.at += 1
            depth += (token.text in ("(", "[")) - (token.text in (")", "]"))
            if not depth:
                return

    def _place(self, parts: list[Token]) -> int:
        label = _label(parts)
        if label not in self.variables:
            self.variables.append(label)
        return self.variables.index(label)


def _label(parts: Sequence[Token]) -> str:
    return deparse(parse_code(" ".join(map(str, parts))))


def _union(one: list[Term], other: list[Term]) -> list[Term]:
    return list(dict.fromkeys([*one, *other]))


def _crossed(one: list[Term], other: list[Term]) -> list[Term]:
    return list(dict.fromkeys(a | b for a in one for b in other))


def terms_value(shown: str, kinds: dict[str, str], plain: Callable[[str], str]) -> Value:
    """Return terms as R's model frames have them, with an intercept of 0.

    Parameters
    ----------
    shown : str
        The formula, its dots replaced.
    kinds : dict of str to str
        R's class of each variable, by its label.
    plain : callable
        Label of a variable among `kinds`.
    """
    tokens = scan(shown)
    tilde = next(at for at, token in enumerate(tokens) if token.text == "~")
    left, right = tokens[:tilde], tokens[tilde + 1 :]
    variables = [_label(left)] if left else []
    found = _Algebra(right, variables).read()
    removed = any(-1 in term for term in found)
    terms = [term for term in found if term and -1 not in term]
    if left:
        terms = [term for term in terms if term != frozenset({0})]
    terms.sort(key=len)
    labels = [":".join(variables[i] for i in sorted(term)) for term in terms]
    factors = np.zeros((len(variables), len(terms)))
    for j, term in enumerate(terms):
        for i in term:
            rest = term - {i}
            inside = not rest or any(rest <= earlier for earlier in terms[:j])
            factors[i, j] = 1.0 if inside else 2.0
    del removed
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
            "response": integers(1 if left else 0),
            "class": strings(["terms", "formula"]),
            "predvars": listed.copy(),
            "dataClasses": strings(
                [kinds[plain(v)] for v in variables], {"names": strings(list(map(plain, variables)))}
            ),
        },
    )
