"""The order of strings. In full it is compared with R's, recorded and live; here: what holds when, and the warning."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
import pyrrf.r as r
from pyrrf.rbase.collate import collating, icu_key, sorted_strings
from tests.refusals import refused

X = np.arange(80.0).reshape(20, 4) % 7
Y = np.array(["Tumor", "normal"] * 10)
FRAME = pd.DataFrame(X).add_prefix("x").assign(y=Y)


@pytest.fixture(autouse=True)
def undecided() -> Iterator[None]:
    """Nobody has chosen an order."""
    before = pyrrf.set_collate(None)
    yield
    pyrrf.set_collate(before)


# Sorted by R 4.2.2 in C.UTF-8, with ICU 72.
@pytest.mark.parametrize(
    "labels",
    [
        "_x -x 10 9 a A b B e \u00e9 f normal Tumor x1 X1 x10 x2 z Z".split(),
        "ab \u00e1b \u00c1b \u00e4b Ab\u00e9 abf \u00e6b afb".split(),
        ["a b", "a_b", "a-b", "a.b", "a1", "ab"],
        ["ssz", "\u00dfa", "ssb"],
    ],
    ids=["all kinds", "accents", "punctuation", "sharp s"],
)
def test_letters_then_accents_then_case(labels: list[str]) -> None:
    expected = sorted(labels, key=icu_key)
    with collating("en_US"):
        assert sorted_strings(labels[::-1], "y") == expected
    if labels[0] != "ab" and labels[0] != "ssz":
        assert expected == labels


def test_what_icu_finds_equal_keeps_its_order() -> None:
    with collating("en_US"):
        assert sorted_strings(["\u00e9", "e\u0301"], "y") == ["\u00e9", "e\u0301"]
        assert sorted_strings(["e\u0301", "\u00e9"], "y") == ["e\u0301", "\u00e9"]


def test_a_warning_names_the_labels_and_what_decides() -> None:
    message = (
        "y: the order of its labels depends on the locale that R runs in: in C it is 'Tumor', 'normal', as here, in "
        "en_US and C.UTF-8 'normal', 'Tumor'; pass a pd.Categorical with the categories in your order, such as "
        r"\['normal', 'Tumor'\], or collate='C' or 'en_US' to the call, or call pyrrf.set_collate\(\)"
    )
    with pytest.warns(pyrrf.LabelOrderWarning, match=message):
        fit = pyrrf.RRF(X, Y, ntree=2, seed=1)
    assert fit.classes == ["Tumor", "normal"]


def test_letters_without_a_known_order_are_a_warning_and_refused_in_en_us() -> None:
    with pytest.warns(pyrrf.LabelOrderWarning, match="in others it may have another; pass a"):
        assert sorted_strings(["\u0434", "\u0430"], "y") == ["\u0430", "\u0434"]
    with collating("en_US"), refused("y", "text"):
        sorted_strings(["\u0434", "\u0430"], "y")


@pytest.mark.parametrize("labels", [["b", "a", "c1"], ["10", "9"], ["A", "B"], ["Tumor"], [], ["x.1", "x.2"]])
def test_no_warning_where_no_locale_differs(labels: list[str]) -> None:
    assert sorted_strings(labels, "y") == sorted(labels)


CALLS: dict[str, Callable[[str | None], list[Any]]] = {
    "RRF": lambda c: pyrrf.RRF(X, Y, ntree=2, seed=1, collate=c).classes,
    "GRRF": lambda c: pyrrf.GRRF(X, Y, ntree=2, seed=1, collate=c).classes,
    "randomForest": lambda c: pyrrf.randomForest(X, Y, ntree=2, seed=1, collate=c).classes,
    "formula": lambda c: pyrrf.RRF("factor(y) ~ .", FRAME, ntree=2, collate=c).classes,
    "rrfcv": lambda c: pyrrf.rrfcv(X, Y, cv_fold=2, ntree=2, collate=c).predicted.iloc[:, 0].cat.categories.tolist(),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_call_chooses(name: str) -> None:
    assert CALLS[name]("en_US") == ["normal", "Tumor"]
    assert CALLS[name]("C") == ["Tumor", "normal"]


@pytest.mark.parametrize("name", CALLS)
def test_the_process_chooses(name: str) -> None:
    pyrrf.set_collate("en_US")
    assert CALLS[name](None) == ["normal", "Tumor"]
    assert CALLS[name]("C") == ["Tumor", "normal"]


def test_strings_of_new_data_have_the_order_of_the_call() -> None:
    frame = pd.DataFrame({"a": X[:, 0], "s": Y})
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "string column")
        fit = pyrrf.RRF(frame, np.where(Y == "Tumor", "t", "n"), ntree=9, seed=1, collate="en_US")
        assert (pyrrf.predict(fit, frame) == np.where(Y == "Tumor", "t", "n")).all()


def test_other_threads_do_not_see_the_order_of_a_call() -> None:
    found: list[list[str]] = []
    pyrrf.set_collate("C")
    with collating("en_US"):
        thread = threading.Thread(target=lambda: found.append(sorted_strings(["b", "A", "a"], "y")))
        thread.start()
        thread.join()
    assert found == [["A", "a", "b"]]


def test_an_unknown_order_is_refused() -> None:
    with refused("collate", "choice"):
        pyrrf.set_collate("de_DE")
    with refused("collate", "choice"):
        pyrrf.RRF(X, Y, collate="de_DE")
    assert pyrrf.set_collate(None) is None


@pytest.mark.parametrize(("collate", "smaller"), [("C", [True, False]), ("en_US", [False, True])])
def test_functions_follow(collate: str, smaller: list[bool]) -> None:
    with collating(collate):
        assert np.asarray(r.c("B", "a") < r.c("a", "B")).tolist() == smaller
        assert np.asarray(r.c("B", "a") == "B").tolist() == [True, False]
        assert np.asarray(r.sort(["B", "a"])).tolist() == (["B", "a"] if smaller[0] else ["a", "B"])
        assert np.asarray(r.order(["B", "a"], method="radix")).tolist() == [1, 2]
        assert r.factor(["B", "a"]).to_pandas().categories.tolist() == (["B", "a"] if smaller[0] else ["a", "B"])
