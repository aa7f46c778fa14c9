"""The arguments of RRF(), GRRF() and randomForest(), and calls of these functions."""

from __future__ import annotations

import reprlib
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from functools import wraps
from inspect import signature
from typing import Any, ClassVar, ParamSpec, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from pyrrf.errors import bad
from pyrrf.types import NaAction, PerFeature, PerLabel, TableLike, VectorLike

_DATA = ("x", "y", "xtest", "ytest")
_P = ParamSpec("_P")
_Table = TypeVar("_Table")
_Result = TypeVar("_Result")


# ---- the table of arguments: name, type and default, by who has them -----------------------------
# The signatures of RRF, GRRF and randomForest are made from it, for Python and for type checkers.


@dataclass(frozen=True, eq=False, kw_only=True, init=False, repr=False)
class ArgumentsOfR:
    """The arguments of R's RRF and randomForest, and those of its formulas."""

    x: TableLike | None = field(default=None, kw_only=False)
    y: VectorLike | pd.DataFrame | None = field(default=None, kw_only=False)
    xtest: TableLike | None = field(default=None, kw_only=False)
    ytest: VectorLike | None = field(default=None, kw_only=False)
    formula: str | None = None
    data: pd.DataFrame | None = None
    subset: VectorLike | None = None
    na_action: NaAction = "na_fail"
    ntree: int = 500
    mtry: float | None = None
    replace: bool = True
    classwt: PerLabel | None = None
    cutoff: PerLabel | None = None
    strata: VectorLike | None = None
    sampsize: PerLabel | None = None
    nodesize: float | None = None
    maxnodes: int | None = None
    importance: bool = False
    localImp: bool = False
    nPerm: int = 1
    proximity: bool | None = None
    oob_prox: bool | None = None
    norm_votes: bool = True
    do_trace: bool | int = False
    keep_forest: bool | None = None
    corr_bias: bool = False
    keep_inbag: bool = False


@dataclass(frozen=True, eq=False, kw_only=True, init=False, repr=False)
class _OfProcess:
    """Arguments that all three functions have, and R's do not."""

    seed: int | None = None
    collate: str | None = None
    n_jobs: int | None = None


@dataclass(frozen=True, eq=False, kw_only=True, init=False, repr=False)
class _Regularized:
    """Arguments of RRF and GRRF."""

    feaIni: ArrayLike | None = None
    quirks: bool = True
    engine: str = "r"
    criterion: str | None = None
    penalty: str | None = None
    candidates: str | None = None
    max_depth: int | None = None
    usedepth: bool = False
    ties: str | None = None
    growth: str | None = None
    sample_weight: ArrayLike | None = None
    feature_cost: PerLabel | None = None
    feature_groups: PerFeature | None = None


@dataclass(frozen=True, eq=False, kw_only=True, init=False, repr=False)
class _Penalty:
    """Arguments of RRF that GRRF sets."""

    coefReg: ArrayLike | None = None
    flagReg: int = 1


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class GuidedArguments(_Regularized, _OfProcess, ArgumentsOfR):
    """The arguments of GRRF."""

    gamma: float = field(default=0.5, kw_only=False)
    lambda0: float = field(default=1.0, kw_only=False)
    guide: Any = None
    normalize: str | float = "max"
    xtest: TableLike | None = None
    ytest: VectorLike | None = None


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ForestArguments(_OfProcess, ArgumentsOfR):
    """The arguments of randomForest."""

    weights: ArrayLike | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Call(_Regularized, _OfProcess, _Penalty, ArgumentsOfR):
    """A call of RRF, with its arguments as given.

    Nothing is checked here: `read` reads the data, and `resolve` the rest.
    """

    # The function that is called, the names of its arguments in their order, and whether the forest is randomForest's.
    function: ClassVar[str] = "RRF"
    names: ClassVar[tuple[str, ...]]
    random_forest: ClassVar[bool] = False

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments by name, without the seed, for another call of the function."""
        return {name: getattr(self, name) for name in self.names if name not in ("formula", "seed")}

    def tidy(self) -> Call:
        """Return the call with the formula in `x` and its data in `data`.

        As in R the formula and the data may be the first two arguments, or be given by name.

        Raises
        ------
        TypeError
            An argument that needs a formula is given without one, or an argument is given twice.
        """
        x, y = self.x, self.y
        if self.formula is not None:
            if not isinstance(self.formula, str):
                raise bad.type(f"formula must be a string such as 'y ~ .', not {self.formula!r}")
            if isinstance(x, str):
                raise bad.conflict("formula is given twice, as x and as formula; pass it once", kind=TypeError)
            # f(data, formula=...) and f(formula=..., data=...)
            x, y = self.formula, x if y is None else y
        elif not isinstance(x, str):
            self._refuse_without_formula()
            return self
        if y is not None and self.data is not None:
            raise bad.conflict(
                "y is given together with a formula and data; the left side of the formula is the response",
                kind=TypeError,
            )
        data: Any = y if self.data is None else self.data
        return replace(self, formula=None, x=x, y=None, data=data)

    def _refuse_without_formula(self) -> None:
        extra = [name for name, value in (("data", self.data), ("subset", self.subset)) if value is not None]
        if not isinstance(self.na_action, str) or self.na_action != "na_fail":
            extra.append("na_action")
        if extra:
            formula = f"a formula, as in {self.function}('y ~ .', data=data)"
            raise bad.conflict(f"{extra[0]} needs {formula}; x is an array here", extra[0], kind=TypeError)

    def text(self, function: str | None = None, **own: Any) -> str:
        """Return the call as Python text: arguments that differ from their defaults; data as argument names.

        Parameters
        ----------
        function : str, optional
            The function that was called by the user; `function` by default.
        **own
            Further arguments of the function, which come after x and y.
        """
        defaults = {field.name: field.default for field in fields(self)}
        given = {name: getattr(self, name) for name in self.names if getattr(self, name) is not defaults[name]}
        first = {name: given.pop(name) for name in ("x", "y") if name in given}
        parts = [_argument_text(name, value) for name, value in first.items()]
        parts += [f"{name}={_argument_text(name, value)}" for name, value in (own | given).items()]
        return f"{function or self.function}({', '.join(parts)})"


@dataclass(frozen=True, eq=False, kw_only=True)
class ForestCall(Call):
    """A call of randomForest: an ordinary forest, with weights of the cases."""

    function: ClassVar[str] = "randomForest"
    random_forest: ClassVar[bool] = True

    flagReg: int = 0
    weights: ArrayLike | None = None


Call.names = tuple(field.name for field in fields(Call))
ForestCall.names = tuple(field.name for field in fields(ForestArguments))
# Arguments that make a forest regularized, with their values for an ordinary forest.
ORDINARY: dict[str, Any] = {"coefReg": None, "flagReg": 0, "feature_cost": None, "feature_groups": None}
# Arguments of `GRRF` and `rrf_path` after x and y.
OF_GUIDED = tuple(name for name in Call.names[2:] if name not in ("coefReg", "flagReg"))


def takes(table: Callable[_P, _Table]) -> Callable[[Callable[[_Table], _Result]], Callable[_P, _Result]]:
    """Give a function the arguments of a table, in place of the table itself."""
    parameters = signature(table)
    places = sum(each.kind is each.POSITIONAL_OR_KEYWORD for each in parameters.parameters.values())

    def decorate(function: Callable[[_Table], _Result]) -> Callable[_P, _Result]:
        @wraps(function)
        def call(*args: _P.args, **arguments: _P.kwargs) -> _Result:
            if len(args) > places:
                name = function.__name__
                raise bad.keyword(
                    f"{name}() takes at most {places} arguments without a name, but {len(args)} were given"
                )
            return function(table(*args, **arguments))

        returned = signature(function).return_annotation
        call.__signature__ = parameters.replace(return_annotation=returned)  # type: ignore[attr-defined]
        return call

    return decorate


def _argument_text(name: str, value: Any) -> str:
    """Return the repr of a short value, or the name of the argument for data."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, str):
        return repr(value)
    plain = isinstance(value, bool | int | float | list | tuple | dict | None)
    return reprlib.repr(value) if plain and name not in _DATA else name
