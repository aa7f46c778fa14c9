"""Writer of the terms of a formula as an object of R's terms()."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyrrf.formula.terms import Terms
from pyrrf.rds import build
from pyrrf.rds.code import parse_code
from pyrrf.rlang.deparse import quote_name


def write_terms(terms: Terms) -> Any:
    """Return terms as R's object, whose environment is the global one.

    The predictors are its terms. Variables that the formula mentions only to drop them are appended and subtracted
    again, since R predicts no row that lacks them.
    """
    kept = [_code(expression) for expression in terms.predictors]
    dropped = [code for code in map(_code, terms.variables) if code not in kept]
    response = [] if terms.response is None else [_code(terms.response)]
    variables = response + [code for code in map(_code, terms.variables) if code in kept or code in dropped]
    variables = list(dict.fromkeys(variables))
    called = [("", parse_code(code)) for code in variables]
    labels = list(dict.fromkeys(kept))
    factors = np.zeros((len(variables), len(labels)), dtype=np.int32)
    factors[[variables.index(term) for term in labels], np.arange(len(labels))] = 1
    text = " ".join([*response, "~", " + ".join([*labels, *dropped]), *(f"- {code}" for code in dropped)])
    formula = parse_code(text)
    about = {
        "variables": build.call("list", called),
        "factors": build.integers(factors, build.dimnames(variables, labels)),
        "term.labels": build.texts(labels),
        "order": build.integers(np.ones(len(labels))),
        "intercept": build.integers([0]),
        "response": build.integers([len(response)]),
        "class": build.texts(["terms", "formula"]),
        ".Environment": build.make("GLOBALENV"),
        "predvars": build.call("list", [("", parse_code(code)) for code in variables]),
    }
    formula.attributes = about
    return formula


def _code(expression: Any) -> str:
    return quote_name(expression.label) if expression.bare else str(expression.label)
