"""The two engines: the arguments of each, and how they judge splits."""

from __future__ import annotations

from dataclasses import dataclass

from pyrrf._core.criteria import (
    CRITERIA,
    CRITERION_WORDS,
    PENALTY_WORDS,
    Criterion,
    Penalty,
    criteria_for,
    default_criterion,
)
from pyrrf._core.records import ParallelRule
from pyrrf.checks import choice, count, flag
from pyrrf.errors import bad
from pyrrf.fit.call import Call
from pyrrf.threads import resolve_jobs
from pyrrf.types import Floats

ENGINES = ("r", "parallel")
TIES = ("random", "first")
# Choices of arguments that are a word or None.
_WORDS = {
    "criterion": CRITERION_WORDS,
    "penalty": PENALTY_WORDS,
    "candidates": ("selected", "mtry"),
    "ties": TIES,
    "growth": ("breadth", "depth"),
}


@dataclass(frozen=True)
class Engine:
    """The engine of a call, and how it judges splits."""

    name: str  # {"r", "parallel"}
    n_jobs: int  # threads
    max_depth: int  # largest depth of a tree; 0 = no bound
    use_depth: bool  # whether coefficients of regularization are raised to the depth of the node
    # criterion, penalty, candidates, ties, growth: as given
    criterion: str | None
    penalty: str | None
    candidates: str | None
    ties: str | None
    growth: str | None
    quirks: bool  # whether the quirks of CRAN RRF are mirrored; False for engine parallel, which has none

    @property
    def parallel(self) -> bool:
        """Whether this is engine parallel."""
        return self.name == "parallel"

    def rule(self, numbers: bool, row_weight: Floats | None = None) -> ParallelRule:
        """Return the rule for drawing candidates and judging splits; R's rule for engine r.

        Parameters
        ----------
        numbers : bool
            Whether the forest is for regression.
        row_weight : ndarray of float64, shape (n,), optional

        Raises
        ------
        ValueError
            `criterion`, `penalty` or `candidates` does not go with the response or with the engine.
        """
        criterion = self._criterion(numbers)
        penalty = self._penalty(criterion)
        if not self.parallel:
            _refuse_what_r_lacks(criterion, penalty)
        return ParallelRule(
            criterion=criterion,
            penalty=penalty,
            draw_from_all=self._draws_from_all(numbers),
            max_depth=self.max_depth,
            use_depth=self.use_depth,
            ties_first=self.ties == "first",
            depth_first=self.growth == "depth",
            row_weight=row_weight,
        )

    def _draws_from_all(self, numbers: bool) -> bool:
        """Whether a node draws mtry of all features; otherwise it takes all of F and mtry others."""
        of_r = "mtry" if numbers else "selected"
        candidates = self.candidates or of_r
        if not self.parallel and candidates != of_r:
            kind = "regression" if numbers else "classification"
            raise bad.unsupported(
                f"candidates={candidates!r} is not available for {kind} with engine='r'; pass candidates={of_r!r}, or "
                "engine='parallel'"
            )
        return candidates == "mtry"

    def _criterion(self, numbers: bool) -> Criterion:
        known, word = criteria_for(numbers), self.criterion or default_criterion(numbers)
        if word not in known:
            kind = "regression" if numbers else "classification"
            raise bad.choice(f"criterion must be {' or '.join(map(repr, known))} for {kind}, not {word!r}")
        return known[word]

    def _penalty(self, criterion: Criterion) -> Penalty:
        known = CRITERIA[criterion].penalties
        penalty = Penalty[self.penalty.upper()] if self.penalty else known[0]
        if penalty not in known:
            what = "regression" if CRITERIA[criterion].regression else f"criterion={criterion.word!r}"
            remedy = f"pass penalty={known[0].word!r} or leave it out"
            raise bad.conflict(f"penalty={penalty.word!r} cannot be combined with {what}; {remedy}")
        return penalty


def _refuse_what_r_lacks(criterion: Criterion, penalty: Penalty) -> None:
    facts = CRITERIA[criterion]
    if not facts.of_r or penalty != facts.penalties[0]:
        name = f"penalty={penalty.word!r}" if facts.of_r else f"criterion={criterion.word!r}"
        raise bad.unsupported(f"{name} is not available with engine='r'; pass engine='parallel'")


def read_engine(call: Call) -> Engine:
    """Return the engine of a call.

    Raises
    ------
    TypeError
        An argument has a wrong type.
    ValueError
        There is no such engine, or an argument does not go with it.
    """
    name = call.engine
    if not isinstance(name, str) or name not in ENGINES:
        raise bad.choice(f"engine must be 'r' or 'parallel', not {name!r}")
    given = {name: getattr(call, name) for name in _WORDS}
    words = {name: None if word is None else choice(word, name, _WORDS[name]) for name, word in given.items()}
    engine = Engine(
        name=name,
        n_jobs=resolve_jobs(call.n_jobs),
        max_depth=0 if call.max_depth is None else count(call.max_depth, "max_depth"),
        use_depth=flag(call.usedepth, "usedepth"),
        quirks=flag(call.quirks, "quirks") and name == "r",
        **words,
    )
    if name == "r":
        _refuse_parallel_arguments(engine, call)
    elif call.corr_bias is not False and flag(call.corr_bias, "corr_bias"):
        raise bad.unsupported("corr_bias is not available with engine='parallel'; pass engine='r' or corr_bias=False")
    return engine


def _refuse_parallel_arguments(engine: Engine, call: Call) -> None:
    """Refuse arguments that R's RRF does not have."""
    asked = {"max_depth": engine.max_depth > 0, "usedepth": engine.use_depth}
    asked |= {"ties": engine.ties == "first", "growth": engine.growth == "depth"}
    asked["sample_weight"] = call.sample_weight is not None
    for name, wanted in asked.items():
        if wanted:
            raise bad.unsupported(f"{name} is not available with engine='r'; pass engine='parallel'")
