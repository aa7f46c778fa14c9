"""The order of random strings in a UTF-8 locale and in the locale C, against R's order() and factor(), live."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from parity.r_side import RSide
from parity.strings import random_strings
from pyrrf.rbase.collate import collating, sorted_strings

GROUPS = range(400)


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
