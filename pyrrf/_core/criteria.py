"""The criteria of splits: their names, whether they are for regression, and their penalties."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Penalty(IntEnum):
    """The number that a coefficient of regularization multiplies: `rrf_penalty` of rrf.h."""

    CRITERION = 0
    GAIN = 1

    @property
    def word(self) -> str:
        """Name in arguments."""
        return self.name.lower()


class Criterion(IntEnum):
    """The criterion of a split: `rrf_criterion` of rrf.h. `CRITERIA` has their properties."""

    OF_R = 0  # the Gini index for classes, the variance for regression
    GINI = 1
    ENTROPY = 2
    VARIANCE = 3

    @property
    def word(self) -> str:
        """Name in arguments."""
        return self.name.lower()


@dataclass(frozen=True, kw_only=True)
class CriterionSpec:
    """Properties of a criterion."""

    regression: bool  # whether it is for regression, or else for classification
    of_r: bool  # whether engine r supports it, with the first of the penalties
    penalties: tuple[Penalty, ...]  # the first one is the default


CRITERIA = {
    Criterion.GINI: CriterionSpec(regression=False, of_r=True, penalties=(Penalty.CRITERION, Penalty.GAIN)),
    Criterion.ENTROPY: CriterionSpec(regression=False, of_r=False, penalties=(Penalty.GAIN,)),
    Criterion.VARIANCE: CriterionSpec(regression=True, of_r=True, penalties=(Penalty.GAIN,)),
}

# Values of the arguments `criterion` and `penalty`.
CRITERION_WORDS = tuple(criterion.word for criterion in CRITERIA)
PENALTY_WORDS = tuple(penalty.word for penalty in Penalty)


def criteria_for(regression: bool) -> dict[str, Criterion]:
    """Return the criteria for regression or for classification by name; the first one is the default.

    Examples
    --------
    >>> from pyrrf._core.criteria import criteria_for
    >>> list(criteria_for(regression=False))
    ['gini', 'entropy']
    """
    return {criterion.word: criterion for criterion, spec in CRITERIA.items() if spec.regression == regression}


def default_criterion(regression: bool) -> str:
    """Return the name of the default criterion for regression or for classification; engine r uses it."""
    return next(iter(criteria_for(regression)))
