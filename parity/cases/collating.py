"""Labels that are strings, in the order of the locale C and in that of a UTF-8 locale with ICU."""

from __future__ import annotations

from typing import Any

from parity.steps import Bare, Case, Part, Step, case, fit, grrf, predict, printed, runif, seed


def _formula(name: str, formula: str, **args: Any) -> Step:
    return Step("RRF", {"formula": Bare(formula), "data": Part("data"), **args}, name)


def _cases(collate: str) -> list[Case]:
    return [
        case(
            f"words_in_{collate}",
            "tumours",
            seed(51),
            fit(ntree=6, importance=True),
            printed(),
            predict(newdata=Part("x"), type="prob"),
            grrf(gamma=0.5, ntree=4),
            fit("weighted", ntree=5, classwt=[3.0, 1.0, 2.0], sampsize=[6, 9, 4]),
            fit("strata", ntree=4, strata=Part("strata"), sampsize=[3, 5, 4, 6]),
            Step("rrfcv", {"trainx": Part("x"), "trainy": Part("y"), "cv_fold": 3, "ntree": 3}, "folds"),
            runif(1),
            collate=collate,
        ),
        case(f"mixed_words_in_{collate}", "mixed_words", seed(52), fit(ntree=5), printed(), runif(1), collate=collate),
        case(
            f"formulas_in_{collate}",
            "tumours",
            seed(53),
            _formula("fit", "factor(kind) ~ a + b + c", ntree=5),
            _formula("codes", "as.numeric(factor(site)) ~ a + b", ntree=5),
            runif(1),
            collate=collate,
        ),
    ]


CASES = [*_cases("C"), *_cases("en_US")]
