"""The table of criteria against the header of the core and the argument's description."""

from __future__ import annotations

import re
from enum import IntEnum
from pathlib import Path

import numpy as np
import pytest

import pyrrf
from pyrrf._core import TreeGrower
from pyrrf._core.criteria import CRITERIA, CRITERION_WORDS, PENALTY_WORDS, Criterion, Penalty, criteria_for

HEADER = (Path(pyrrf.__file__).parents[1] / "src_c/rrf.h").read_text()
X = np.asfortranarray(np.arange(12.0).reshape(6, 2))
RESPONSES = {True: (np.arange(6.0), 1), False: (np.array([0, 0, 0, 1, 1, 1], np.int32), 2)}


@pytest.mark.parametrize(("enum", "prefix"), [(Criterion, "RRF_"), (Penalty, "RRF_PENALIZE_")])
def test_values_are_those_of_the_header(enum: type[IntEnum], prefix: str) -> None:
    body = re.search(rf"typedef enum rrf_{enum.__name__.lower()} {{(.*?)}}", HEADER, re.DOTALL)
    assert body is not None
    names = re.findall(r"\bRRF_\w+", re.sub(r"/\*.*?\*/", "", body[1], flags=re.DOTALL))
    mine = [(prefix + one.name).replace("RRF_OF_R", "RRF_CRITERION_OF_R") for one in sorted(enum)]
    assert names[:-1] == mine
    assert names[-1].startswith("RRF_N_")
    assert [one.value for one in sorted(enum)] == list(range(len(enum)))


def test_each_criterion_has_its_facts() -> None:
    assert set(CRITERIA) == set(Criterion) - {Criterion.OF_R}
    assert [facts.of_r for facts in CRITERIA.values()].count(True) == 2
    for numbers in RESPONSES:
        first = next(iter(criteria_for(numbers).values()))
        assert CRITERIA[first].of_r, "the default is R's"


@pytest.mark.parametrize("word", CRITERION_WORDS)
@pytest.mark.parametrize("numbers", [False, True])
def test_the_core_takes_a_criterion_for_its_response_only(word: str, numbers: bool) -> None:
    criterion, (y, nclass) = Criterion[word.upper()], RESPONSES[numbers]

    def make() -> TreeGrower:
        return TreeGrower(X, np.ones(2, np.int32), y, nclass, mtry=2, coef_reg=np.ones(2), criterion=criterion)

    if CRITERIA[criterion].regression != numbers:
        with pytest.raises(ValueError, match="argument"):
            make()
        return
    grown = make().grow(np.zeros(2, np.int32), count=np.ones(6, np.int32), seed=1)
    assert grown.tree.left.size > 1


@pytest.mark.parametrize(("name", "words"), [("criterion", CRITERION_WORDS), ("penalty", PENALTY_WORDS)])
def test_the_description_lists_the_words(name: str, words: tuple[str, ...]) -> None:
    listed = re.search(rf"^    {name} : {{(.*?)}}", str(pyrrf.RRF.__doc__), re.MULTILINE)
    assert listed is not None
    assert re.findall(r"'(\w+)'", listed[1]) == list(words)
