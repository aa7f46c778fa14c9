"""What R's RRF() refuses is refused by pyrrf.r in R's words, which stand where the argument is checked."""

from __future__ import annotations

from typing import Any

import pytest

from pyrrf import r
from pyrrf.r.values.errors import RError
from pyrrf.r.values.vector import null

LARGE, CUTOFF = "sampsize too large", "Incorrect cutoff specified."
REFUSED: dict[str, tuple[str, dict[str, Any], str]] = {
    "coefReg above 1": ("classes", {"coefReg": 1.5}, "coefReg can not be greater than 1"),
    "no coefReg above 0": ("numbers", {"coefReg": 0.0}, "There should be a least one entry in coefReg greater than 0"),
    "coefReg for some": (
        "classes",
        {"coefReg": r.c(0.5, 0.6)},
        "the length of coefReg must be 1 or the number of predictor variables",
    ),
    "flagReg": ("classes", {"flagReg": 2.0}, "flagReg must be 0 or 1"),
    "cutoff": ("classes", {"cutoff": r.c(0.7, 0.4)}, CUTOFF),
    "cutoff of 0": ("classes", {"cutoff": r.c(0.0, 0.4)}, CUTOFF),
    "cutoffs": ("classes", {"cutoff": r.c(0.1, 0.2, 0.4)}, CUTOFF),
    "cutoff without a response": ("nothing", {"cutoff": r.c(0.7, 0.4)}, CUTOFF),
    "sampsize": ("classes", {"sampsize": 13.0}, LARGE),
    "sampsize of numbers": ("numbers", {"sampsize": 13.0}, LARGE),
    "sampsizes of numbers": ("numbers", {"sampsize": r.c(3.0, 4.0)}, "sampsize should be of length one"),
    "sampsize without a response": ("nothing", {"sampsize": 25.0}, LARGE),
}
X = r.matrix(r.c(*(float(value) for value in (*range(12), *range(20, 44, 2), *range(7, -5, -1)))), ncol=3.0)
RESPONSES = {"classes": r.factor(r.c(*"aabbabababab")), "numbers": r.c(*map(float, range(12))), "nothing": null()}


@pytest.mark.parametrize(("response", "given", "words"), REFUSED.values(), ids=REFUSED)
def test_refused_in_the_words_of_r(response: str, given: dict[str, Any], words: str) -> None:
    with pytest.raises(RError) as refused:
        r.RRF(X, RESPONSES[response], ntree=3.0, **given)
    assert str(refused.value) == words


def test_without_a_response_a_bag_counts_the_synthetic_rows() -> None:
    # Twelve rows of the data, and as many synthetic ones.
    fit = r.RRF(X, RESPONSES["nothing"], ntree=3.0, sampsize=20.0)
    assert r.inherits(fit, "RRF")


def test_boxes_by_two_variables_are_refused() -> None:
    table = r.data_frame(y=r.c(1, 2, 3, 4), a=r.c(0, 1, 0, 1), b=r.c("u", "u", "v", "v"))
    with pytest.raises(r.NotSupportedError, match="formula of a picture"):
        r.boxplot(r.formula("d$y ~ d$a * d$b"), scope={"d": table}, plot=False)


def test_a_copy_of_what_has_no_value_is_refused() -> None:
    with pytest.raises(r.NotSupportedError, match="b has no value"):
        r.copy(r.not_translated("b", "nosuch() is not known here"))
