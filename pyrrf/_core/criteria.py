"""The criteria of splits: the one table of their names, of what each is for, and of what a penalty multiplies."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Penalty(IntEnum):
    """What a coefficient of regularization multiplies: `rrf_penalty` of rrf.h."""

    CRITERION = 0
    GAIN = 1

    @property
    def word(self) -> str:
        """Its name in arguments."""
        return self.name.lower()


class Criterion(IntEnum):
    """What a split is judged by: `rrf_criterion` of rrf.h. Its facts are in `CRITERIA`."""

    OF_R = 0  # the Gini index for classes, the variance for regression
    GINI = 1
    ENTROPY = 2
    VARIANCE = 3

    @property
    def word(self) -> str:
        """Its name in arguments."""
        return self.name.lower()


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What goes with a criterion."""

    regression: bool  # whether it is for regression; for classes otherwise
    of_r: bool  # whether engine r has it, with the first of the penalties
    penalties: tuple[Penalty, ...]  # the first one is the default


CRITERIA = {
    Criterion.GINI: Facts(regression=False, of_r=True, penalties=(Penalty.CRITERION, Penalty.GAIN)),
    Criterion.ENTROPY: Facts(regression=False, of_r=False, penalties=(Penalty.GAIN,)),
    Criterion.VARIANCE: Facts(regression=True, of_r=True, penalties=(Penalty.GAIN,)),
}

# What the arguments `criterion` and `penalty` may be.
CRITERION_WORDS = tuple(criterion.word for criterion in CRITERIA)
PENALTY_WORDS = tuple(penalty.word for penalty in Penalty)


def criteria_for(regression: bool) -> dict[str, Criterion]:
    """Return the criteria for regression, or for classes, by their words; the first one is the default.

    Examples
    --------
    >>> from pyrrf._core.criteria import criteria_for
    >>> list(criteria_for(regression=False))
    ['gini', 'entropy']
    """
    return {criterion.word: criterion for criterion, facts in CRITERIA.items() if facts.regression == regression}


def default_criterion(regression: bool) -> str:
    """Return the word of the criterion for regression, or for classes, where none is asked for: that of engine r."""
    return next(iter(criteria_for(regression)))
