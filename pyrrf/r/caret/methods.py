"""caret's methods of forests: their parameters, the grids of these, one fit and its out-of-bag error."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pyrrf.r.arithmetic.mathematics import floor, log, sqrt
from pyrrf.r.base.frames import data_frame, expand_grid
from pyrrf.r.base.sets import duplicated, unique
from pyrrf.r.base.sums import max as largest
from pyrrf.r.base.sums import min as smallest
from pyrrf.r.base.sums import sum as total
from pyrrf.r.base.vectors import c, seq
from pyrrf.r.forests.answers import importance
from pyrrf.r.forests.forests import RRF, randomForest
from pyrrf.r.indexing.subscripts import ALL, taken
from pyrrf.r.printing.printing import cat
from pyrrf.r.values.arguments import Named
from pyrrf.r.values.errors import stop_if
from pyrrf.r.values.kinds import is_factor
from pyrrf.r.values.labels import dim_of
from pyrrf.r.values.vector import Value, doubles, strings

Dots = Mapping[str, object]


@dataclass(frozen=True)
class Method:
    """A method of train().

    Attributes
    ----------
    label : str
        Its name in print().
    parameters : tuple of str
    grow : callable
        Returns a fit for x, y, a row of parameters, further arguments, and the text of the call or None.
    first : str
        The parameter by which fits are put in order before the best is chosen.
    """

    label: str
    parameters: tuple[str, ...]
    grow: Callable[[Value, Value, Value, Dots, str | None], Value]
    first: str

    def grid(self, x: Value, y: Value, length: int) -> Value:
        """Return the usual parameters to try: `length` of each."""
        columns = {"mtry": _mtry((dim_of(x) or (0, 0))[1], is_factor(y), length)}
        steps = {"coefReg": seq(0.01, 1, length_out=length), "coefImp": seq(0, 1, length_out=length)}
        columns |= {name: steps[name] for name in self.parameters if name != "mtry"}
        named = [Named(name, column) for name, column in columns.items()]
        return data_frame(*named) if len(named) == 1 else expand_grid(*named)


def _mtry(p: int, classes: bool, length: int) -> Value:
    if length == 1:
        return floor(sqrt(doubles(p))) if classes else largest(floor(doubles(p) / 3), 1)
    if p <= length:
        candidates = floor(seq(2, p, length_out=p))
    elif p < 500:
        candidates = floor(seq(2, p, length_out=length))
    else:
        candidates = floor(2 ** seq(1, log(doubles(p), 2), length_out=length))
    if duplicated(candidates)._data.any():
        candidates = unique(candidates)
        n = len(candidates)
        cat("note: only", n, "unique complexity parameters in default grid.", "Truncating the grid to", n, ".\n\n")
    return candidates


# ---- one fit -------------------------------------------------------------------------------------


def _narrow(x: Value, row: Value) -> Value:
    return smallest(row[["mtry"]], (dim_of(x) or (0, 0))[1])


def _grow_forest(x: Value, y: Value, row: Value, dots: Dots, call: str | None) -> Value:
    return randomForest(x, y, mtry=row[["mtry"]], call=_call(call, "randomForest(x, y, mtry = param$mtry"), **dots)


def _grow_guided(x: Value, y: Value, row: Value, dots: Dots, call: str | None) -> Value:
    """Return a guided forest: the importances of an ordinary one are the coefficients."""
    plain = importance(randomForest(x, y, mtry=_narrow(x, row), **{**dots, "importance": True}))
    column = taken(plain, ALL, strings("MeanDecreaseGini" if is_factor(y) else "%IncMSE"))
    share = column / largest(column)
    guide = ((1 - row[["coefImp"]]) * row[["coefReg"]]) + (row[["coefImp"]] * share)
    text = _call(call, "RRF(x, y, mtry = min(param$mtry, ncol(x)), coefReg = firstImp")
    return RRF(x, y, mtry=_narrow(x, row), coefReg=guide, call=text, **dots)


def _grow_regularized(x: Value, y: Value, row: Value, dots: Dots, call: str | None) -> Value:
    text = _call(call, "RRF(x, y, mtry = param$mtry, coefReg = param$coefReg")
    return RRF(x, y, mtry=row[["mtry"]], coefReg=row[["coefReg"]], call=text, **dots)


def _call(rest: str | None, begin: str) -> str | None:
    return None if rest is None else f"{begin}{rest})"


METHODS = {
    "rf": Method("Random Forest", ("mtry",), _grow_forest, "mtry"),
    "RRF": Method("Regularized Random Forest", ("mtry", "coefReg", "coefImp"), _grow_guided, "coefReg"),
    "RRFglobal": Method("Regularized Random Forest", ("mtry", "coefReg"), _grow_regularized, "coefReg"),
}


# ---- out of bag ----------------------------------------------------------------------------------


def out_of_bag(fit: Value) -> Value:
    """Return the out-of-bag error of a forest by R's randomForest: accuracy and kappa, or RMSE and R squared."""
    if str(fit[["type"]]._data[0]) == "regression":
        last = [fit[[name]][len(fit[[name]])] for name in ("mse", "rsq")]
        errors = c(sqrt(largest(last[0], 0)), last[1])
        return Value("double", errors._data, {"names": strings(["RMSE", "Rsquared"])})
    error = taken(fit[["err.rate"]], fit[["ntree"]], strings("OOB"))
    errors = c(1 - Value("double", error._data), _kappa(fit[["confusion"]]))
    return Value("double", errors._data, {"names": strings(["Accuracy", "Kappa"])})


def _kappa(confusion: Value) -> Value:
    """Return kappa as e1071's classAgreement() has it."""
    rows, columns = dim_of(confusion) or (0, 0)
    stop_if(rows != columns - 1, "confusion is no table of errors")
    grid = confusion._data[: rows * rows].reshape((rows, rows), order="F")
    n = total(doubles(grid.ravel(order="F")))
    sides = [c(*[total(doubles(line)) for line in side]) for side in (grid, grid.T)]
    agreed = total(doubles(grid.diagonal().copy())) / n
    chance = total((sides[0] / n) * (sides[1] / n))
    return (agreed - chance) / (1 - chance)
