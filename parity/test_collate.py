"""The order of random strings in a UTF-8 locale and in the locale C, against R's order() and factor(), live."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from parity.function_calls import GENERATORS, make_call
from parity.functions import differences, run_python, run_r
from parity.known_calls import known
from parity.r_side import RSide
from parity.strings import random_strings
from pyrrf.rbase.collate import collating, sorted_strings

GROUPS = range(400)
# Functions whose answers depend on the order of strings.
SORTING = ("as_factor", "compare", "factor", "order", "rank", "sort", "split", "table", "tapply", "unique")


@pytest.fixture(scope="module", params=["C", "en_US"])
def collate(request: pytest.FixtureRequest, rrf: RSide) -> Iterator[str]:
    """R sorts by this order; afterwards again as in C."""
    rrf.ro.r["pyrrf_collate"](request.param)
    yield request.param
    rrf.ro.r["pyrrf_collate"]("C")


@pytest.mark.parametrize("number", GROUPS)
def test_strings_are_sorted_as_in_r(number: int, collate: str, rrf: RSide) -> None:
    strings = random_strings(number)
    given = rrf.ro.StrVector(strings)
    theirs = list(rrf.ro.r["levels"](rrf.ro.r["factor"](given)))
    assert theirs == [strings[i - 1] for i in rrf.ro.r["order"](given)]
    with collating(collate):
        assert sorted_strings(strings, "strings") == theirs


@pytest.mark.parametrize("name", [name for name in SORTING if name in GENERATORS])
def test_functions_sort_as_in_r(name: str, collate: str, rrf: RSide) -> None:
    calls = [make_call(name, number) for number in range(150)]
    for call, theirs in zip(calls, run_r(rrf, [call.r() for call in calls]), strict=True):
        line = call.python()
        found = [said for said in differences(theirs, run_python(line, collate)) if not known(line, said)]
        assert not found, f"{call.r()}\n{line}\n{found[0]}"
