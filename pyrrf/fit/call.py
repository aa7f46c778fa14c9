"""The arguments of a call of RRF() or randomForest(), as given."""

from __future__ import annotations

import reprlib
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from pyrrf.types import NaAction, PerFeature, PerLabel, TableLike, VectorLike

_DATA = ("x", "y", "xtest", "ytest")


@dataclass(frozen=True, eq=False, kw_only=True)
class Call:
    """The arguments of `RRF`, with its defaults.

    Nothing is checked here: `read` reads the data, and `resolve` the rest.
    """

    # The function that is called, the names of its arguments in their order, and whether the forest is randomForest's.
    function: ClassVar[str] = "RRF"
    names: ClassVar[tuple[str, ...]]
    random_forest: ClassVar[bool] = False

    x: TableLike | None = None
    y: VectorLike | pd.DataFrame | None = None
    xtest: TableLike | None = None
    ytest: VectorLike | None = None
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
    coefReg: ArrayLike | None = None
    flagReg: int = 1
    feaIni: ArrayLike | None = None
    seed: int | None = None
    collate: str | None = None
    quirks: bool = True
    engine: str = "r"
    n_jobs: int | None = None
    criterion: str | None = None
    penalty: str | None = None
    candidates: str | None = None
    max_depth: int | None = None
    usedepth: bool = False
    sample_weight: ArrayLike | None = None
    feature_cost: PerLabel | None = None
    feature_groups: PerFeature | None = None

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
                raise TypeError(f"formula must be a string such as 'y ~ .', not {self.formula!r}")
            if isinstance(x, str):
                raise TypeError("formula is given twice, as x and as formula; pass it once")
            # f(data, formula=...) and f(formula=..., data=...)
            x, y = self.formula, x if y is None else y
        elif not isinstance(x, str):
            self._refuse_without_formula()
            return self
        if y is not None and self.data is not None:
            raise TypeError("y is given beside a formula and data; the left side of the formula is the response")
        data: Any = y if self.data is None else self.data
        return replace(self, formula=None, x=x, y=None, data=data)

    def _refuse_without_formula(self) -> None:
        extra = [name for name, value in (("data", self.data), ("subset", self.subset)) if value is not None]
        if not isinstance(self.na_action, str) or self.na_action != "na_fail":
            extra.append("na_action")
        if extra:
            formula = f"a formula, as in {self.function}('y ~ .', data=data)"
            raise TypeError(f"{extra[0]} goes with {formula}; x is an array here")

    def text(self, function: str | None = None, **own: Any) -> str:
        """Return the call as Python text: arguments that differ from their defaults; data as argument names.

        Parameters
        ----------
        function : str, optional
            The function that was called by the user; `function` by default.
        **own
            Further arguments of the function, which come after x and y.
        """
        defaults = {part.name: part.default for part in fields(self)}
        given = {name: getattr(self, name) for name in self.names if getattr(self, name) is not defaults[name]}
        first = {name: given.pop(name) for name in ("x", "y") if name in given}
        parts = [_argument_text(name, value) for name, value in first.items()]
        parts += [f"{name}={_argument_text(name, value)}" for name, value in (own | given).items()]
        return f"{function or self.function}({', '.join(parts)})"


Call.names = NAMES = tuple(field.name for field in fields(Call))


@dataclass(frozen=True, eq=False, kw_only=True)
class ForestCall(Call):
    """The arguments of `randomForest`, with its defaults: an ordinary forest, with weights of the cases."""

    function: ClassVar[str] = "randomForest"
    random_forest: ClassVar[bool] = True

    flagReg: int = 0
    weights: ArrayLike | None = None


_OF_RRF = {"coefReg", "flagReg", "feaIni", "quirks", "engine", "criterion", "penalty", "candidates"}
_OF_RRF |= {"max_depth", "usedepth", "sample_weight", "feature_cost", "feature_groups"}
ForestCall.names = tuple(name for name in (*NAMES, "weights") if name not in _OF_RRF)


def _argument_text(name: str, value: Any) -> str:
    """Return the repr of a short value, or the name of the argument for data."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, str):
        return repr(value)
    plain = isinstance(value, bool | int | float | list | tuple | dict | None)
    return reprlib.repr(value) if plain and name not in _DATA else name
