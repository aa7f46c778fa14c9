"""The arguments of a call of RRF() or randomForest(), as given."""

from __future__ import annotations

import reprlib
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from pyrrf.errors import bad
from pyrrf.types import NaAction, PerFeature, PerLabel, TableLike, VectorLike

_DATA = ("x", "y", "xtest", "ytest")
# The column of the table that says who has an argument: with `_RRF` `randomForest` lacks it; `_PRICE` is what makes a
# forest regularized, with its value in an ordinary one. `GRRF` sets those of `_GUIDED` itself.
_RRF = {"random_forest": False}
_PRICE = _RRF | {"ordinary": None}
_GUIDED = _PRICE | {"guided": True}


@dataclass(frozen=True, eq=False, kw_only=True)
class Call:
    """The table of arguments: name, type, default of `RRF`, and who has it. The signatures are held to it by a test.

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
    coefReg: ArrayLike | None = field(default=None, metadata=_GUIDED)
    flagReg: int = field(default=1, metadata=_GUIDED | {"ordinary": 0})
    feaIni: ArrayLike | None = field(default=None, metadata=_RRF)
    seed: int | None = None
    collate: str | None = None
    quirks: bool = field(default=True, metadata=_RRF)
    engine: str = field(default="r", metadata=_RRF)
    n_jobs: int | None = None
    criterion: str | None = field(default=None, metadata=_RRF)
    penalty: str | None = field(default=None, metadata=_RRF)
    candidates: str | None = field(default=None, metadata=_RRF)
    max_depth: int | None = field(default=None, metadata=_RRF)
    usedepth: bool = field(default=False, metadata=_RRF)
    ties: str | None = field(default=None, metadata=_RRF)
    growth: str | None = field(default=None, metadata=_RRF)
    sample_weight: ArrayLike | None = field(default=None, metadata=_RRF)
    feature_cost: PerLabel | None = field(default=None, metadata=_PRICE)
    feature_groups: PerFeature | None = field(default=None, metadata=_PRICE)

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
        defaults = {part.name: part.default for part in fields(self)}
        given = {name: getattr(self, name) for name in self.names if getattr(self, name) is not defaults[name]}
        first = {name: given.pop(name) for name in ("x", "y") if name in given}
        parts = [_argument_text(name, value) for name, value in first.items()]
        parts += [f"{name}={_argument_text(name, value)}" for name, value in (own | given).items()]
        return f"{function or self.function}({', '.join(parts)})"


@dataclass(frozen=True, eq=False, kw_only=True)
class ForestCall(Call):
    """The arguments of `randomForest`, with its defaults: an ordinary forest, with weights of the cases."""

    function: ClassVar[str] = "randomForest"
    random_forest: ClassVar[bool] = True

    flagReg: int = field(default=0, metadata=_RRF)
    weights: ArrayLike | None = None


Call.names = tuple(part.name for part in fields(Call))
ForestCall.names = tuple(part.name for part in fields(ForestCall) if part.metadata.get("random_forest", True))
# What an ordinary forest has in place of the arguments that make it regularized.
ORDINARY = {part.name: part.metadata["ordinary"] for part in fields(Call) if "ordinary" in part.metadata}
# What `GRRF` and `rrf_path` take, after x and y.
OF_GUIDED = tuple(part.name for part in fields(Call)[2:] if "guided" not in part.metadata)


def _argument_text(name: str, value: Any) -> str:
    """Return the repr of a short value, or the name of the argument for data."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, str):
        return repr(value)
    plain = isinstance(value, bool | int | float | list | tuple | dict | None)
    return reprlib.repr(value) if plain and name not in _DATA else name
