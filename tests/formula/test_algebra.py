"""The algebra of terms: R's answers, kept from `terms(reformulate(attr(terms(f), "term.labels")))`, and its cost."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import pyrrf
from pyrrf.formula.terms import parse
from pyrrf.r.stats.model_terms import terms_value

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
    "y ~ offset(b) + a %in% b": "a|b",
    "log(y) ~ offset(b) + offset(c) + (g:c)": "g|c",
    "y ~ offset(c) + c + b:c": "c|b",
}


@pytest.mark.filterwarnings("ignore:offset")
@pytest.mark.parametrize("formula", OF_R)
def test_terms_are_those_of_r(formula: str) -> None:
    if OF_R[formula]:
        assert "|".join(parse(formula, COLUMNS).names) == OF_R[formula]
    else:
        with pytest.raises(ValueError, match=r"no predictors|cannot be read"):
            parse(formula, COLUMNS)


# R's attr(terms(f), "term.labels"), and its factors by columns.
LABELS_OF_R = {
    "y ~ (1 + a):b": ("a:b", "0,2,2"),
    "y ~ b:a + y": ("y,b:a", "1,0,0,0,2,2"),
    "y ~ (c + g:1) + b": ("c,b", "0,1,0,0,0,0,0,1"),
    "y ~ (a + b):c + a*b": ("a,b,a:c,b:c,a:b", "0,1,0,0,0,0,1,0,0,2,0,1,0,0,1,1,0,1,1,0"),
    "y ~ log(a + 1)/0/b + b": ("log(a + 1),b,log(a + 1):b", "0,1,0,0,0,1,0,1,1"),
    "log(y) ~ `d e`^3 - 1": ("`d e`", "0,1"),
    " ~ a*b - a": ("b,a:b", "0,1,1,2"),
    "y ~ d$a + (b > 2):d$a": ("d$a,d$a:b > 2", "0,1,0,0,2,1"),
}


@pytest.mark.parametrize("formula", LABELS_OF_R)
def test_terms_that_a_script_prints_are_those_of_r(formula: str) -> None:
    about = terms_value(
        formula, dict.fromkeys(["y", "log(y)", *"abcg", "log(a + 1)", "`d e`", "d$a", "b > 2"], "numeric"), str
    )
    labels, factors = about._attributes["term.labels"], about._attributes["factors"]
    found = ",".join(labels._data), ",".join(str(int(value)) for value in factors._data)
    assert found == LABELS_OF_R[formula]


@pytest.mark.parametrize("sign", [" + ", " - x0 + ", " + log(x1) + "])
def test_a_long_sum_is_read(sign: str) -> None:
    # One where each term looks at all earlier ones would take minutes.
    columns = [f"x{i}" for i in range(4_000)]
    found = parse("y ~ " + sign.join(columns), ["y", *columns]).names
    assert [name for name in found if name != "log(x1)"] == (columns[1:] if "x0" in sign else columns)


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
