"""The algebra of terms: R's answers, kept from `terms(reformulate(attr(terms(f), "term.labels")))`, and its cost."""

from __future__ import annotations

import time

import numpy as np
import pandas as pd
import pytest

import pyrrf
from pyrrf.formula.terms import parse

COLUMNS = ["y", "a", "b", "c", "d e", "g"]
OF_R = {
    "y ~ a*b*c": "a|b|c",
    "y ~ (a + b + c)^2 - a:b": "a|b|c",
    "y ~ (a + b + c)^3": "a|b|c",
    "y ~ . - a": "b|c|d e|g",
    "y ~ a - -g": "a",
    "y ~ g*offset(c)": "g",
    "y ~ offset(c)*(a)": "a",
    "y ~ b + c/offset(c)": "b|c",
    "a ~ g + offset(c):a*c": "g|c",
    "a ~ (b/offset(c))": "b",
    "y ~ g*-c - a": "g",
    " ~ (g/c) + c + log(a)*+`d e`": "g|c|log(a)|d e",
    "y ~ b*a*-a*c": "b|a|c",
    "y ~ c:a:+c": "c|a",
    "y ~ a + g/(b)/-a*(c)": "a|g|c|b",
    "a ~ b:c/./offset(c) - a": "b|c|y|d e|g",
    "y ~ ((a - a)/c:b + c)^2": "c",
    "y ~ (a/b):+(I(a+b))": "a|I(a + b)|b",
    "y ~ log(a)/(1)": "log(a)",
    " ~ a + (-b/g)": "a",
    " ~ -1*c:(g) + b": "b",
    "a ~ -.*g + log(a)*g": "log(a)|g",
    "y ~ (1) %in% a": "",
    "y ~ +1/g": "",
    "y ~ -a/c": "",
    "y ~ a^0": "",
}


@pytest.mark.filterwarnings("ignore:offset")
@pytest.mark.parametrize("formula", OF_R)
def test_terms_are_those_of_r(formula: str) -> None:
    if OF_R[formula]:
        assert "|".join(parse(formula, COLUMNS).names) == OF_R[formula]
    else:
        with pytest.raises(ValueError, match=r"no predictors|cannot be read"):
            parse(formula, COLUMNS)


def _seconds(formula: str, columns: list[str]) -> float:
    start = time.process_time()
    assert parse(formula, columns).names
    return time.process_time() - start


@pytest.mark.parametrize("sign", [" + ", " - x0 + ", " + log(x1) + "])
def test_a_long_sum_takes_time_by_its_length(sign: str) -> None:
    columns = [f"x{i}" for i in range(16_000)]
    _seconds("y ~ a", ["y", "a"])
    few, many = ("y ~ " + sign.join(columns[:n]) for n in (2_000, 16_000))
    assert _seconds(many, ["y", *columns]) < 24 * _seconds(few, ["y", *columns])


@pytest.mark.filterwarnings("error")
def test_many_computed_terms_are_put_in_at_once() -> None:
    n = 300
    data = pd.DataFrame(np.random.default_rng(1).random((12, n)), columns=[f"x{i}" for i in range(n)])
    formula = "x0 ~ " + " + ".join(f"log(x{i})" for i in range(1, n))
    fit = pyrrf.RRF(formula, data, ntree=2, seed=1)
    assert len(pyrrf.predict(fit, data.head(2))) == 2


@pytest.mark.parametrize(
    "formula", ["y ~ (((((a + b)^9)^9)^9)^9)^9", "y ~ (a + b + c + g)^10", "y ~ " + "(" * 999 + "a" + ")" * 999]
)
def test_too_much_is_an_error_that_names_the_remedy(formula: str) -> None:
    with pytest.raises(ValueError, match=r"join the columns by|brackets"):
        parse(formula, COLUMNS)
