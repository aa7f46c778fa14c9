"""One forest to be grown, with its data read and its arguments resolved."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import TypeVar

from pyrrf._core import Ranks
from pyrrf._core.records import (
    CoreResult,
    Growing,
    ParallelRule,
    TrainingArrays,
)
from pyrrf.fit.arguments import resolve_multipliers
from pyrrf.fit.call import ORDINARY, Call
from pyrrf.fit.engine import Engine
from pyrrf.fit.feature_costs import resolve_groups
from pyrrf.fit.progress import OnTree
from pyrrf.fit.reading import Data
from pyrrf.result.record import FitMetadata
from pyrrf.result.result import ForestResult

T = TypeVar("T", bound="Task")


@dataclass(frozen=True, eq=False, kw_only=True)
class Task(ABC):
    """A call that was read, as one kind of forest."""

    call: Call  # the arguments as given, with the formula in `x` if there is one
    engine: Engine
    data: Data
    rows: TrainingArrays  # the data as the core reads them
    growing: Growing  # settings of the core for growing trees
    trace: int  # trees between two lines of R's table of errors; 0 = no table
    # Ranks of the columns that other forests on the same rows share; None = the core ranks them
    ranks: Ranks | None = None

    @property
    def rule(self) -> ParallelRule:
        """Rule of engine parallel for drawing candidates and judging splits."""
        return self.engine.rule(self.rows.numbers, self.data.row_weight)

    def to_regularized(self: T, call: Call) -> T:
        """Return the task of a regularized forest on the same data.

        The coefficients, costs and groups are those of the given call, all else is as in this task.
        """
        call = replace(self.call, **{name: getattr(call, name) for name in ORDINARY} | {"flagReg": 1})
        columns = self.data.x.columns
        growing = replace(
            self.growing,
            flag_reg=1,
            coef_reg=resolve_multipliers(call, 1, columns, self.engine),
            feature_group=resolve_groups(call.feature_groups, 1, columns),
        )
        return replace(self, call=call, growing=growing)

    def about(self) -> FitMetadata:
        """Return the parts that fits of all kinds have."""
        return FitMetadata(
            call=self.call.text(),
            ntree=self.growing.ntree,
            mtry=self.growing.mtry,
            coefReg=self.growing.coef_reg,
            quirks=self.engine.quirks,
            engine=self.engine.name,
            rows=self.data.x.rows,
            columns=self.data.x.columns,
            named=self.data.x.named,
            terms=self.data.terms,
            arguments=self.call.arguments,
        )

    @abstractmethod
    def printer(self) -> OnTree:
        """Return the function that prints a line of R's table of errors."""

    @abstractmethod
    def result(self, grown: CoreResult) -> ForestResult:
        """Return the fit of a forest that the core has grown."""
