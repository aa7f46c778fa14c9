"""rrfImpute and rfImpute: missing predictors filled in by proximities."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import count
from pyrrf.companions.forwarded import Companion, companion_of, read_matrix, read_quirks, twin_of
from pyrrf.data.inputs import Factor, check_length, read_labels
from pyrrf.data.roughfix import na_roughfix
from pyrrf.data.tables import as_table
from pyrrf.errors import bad
from pyrrf.fit.call import Call
from pyrrf.fit.random_forest import randomForest
from pyrrf.fit.rrf import RRF
from pyrrf.formula.terms import model_frame, parse, read_data
from pyrrf.random import call_stream
from pyrrf.rbase.arithmetic import matrix_product, mean, row_sums
from pyrrf.rbase.collate import collating
from pyrrf.result.result import ForestResult
from pyrrf.types import Column, Labels

# Number that rfImpute adds to the sum of the weights.
_ADDED = 1e-8
_OWN_ARGUMENTS = ("formula", "na_action", "do_trace", "proximity")


@companion_of(Call)
def rrfImpute(
    companion: Companion,
    /,
    x: Any,
    y: Any = None,
    iter: int = 5,
    ntree: int = 300,
    data: Any = None,
    subset: Any = None,
    **arguments: Any,
) -> Any:
    """Impute missing predictors by proximities (R's ``rrfImpute``).

    The data are filled by `na_roughfix`. Then, `iter` times, a forest is grown on them and each
    missing value becomes the mean of the known values weighted by proximity, or the category whose
    rows are nearest on average. The error of each forest is printed, as R does.

    Parameters
    ----------
    x : DataFrame or array_like, shape (n, p), or str
        Predictors with missing values, or a formula.
    y : array_like, shape (n,), optional
        Response without missing values; needed unless `x` is a formula.
    iter : int, default 5
        Number of forests.
    ntree : int, default 300
        Trees of each forest.
    data : DataFrame, optional
        With a formula, the table that holds its columns; it may also be passed as `y`.
    subset : str, array_like of bool or of int, optional
        With a formula, the rows to use, as in `RRF`.
    **arguments
        Further arguments of `RRF`; `seed` is the seed of the whole call. `do_trace` and
        `proximity` are set here.

    Returns
    -------
    DataFrame or ndarray, shape (n, p + 1)
        The response, then the completed predictors. The first column has the name of the Series
        `y`, or "y", or the text of the formula's left side. For an array, classes become numbers
        from 1 in the order of their levels.

    Raises
    ------
    TypeError
        As for `na_roughfix` and `RRF`, or an argument is one that this function sets.
    ValueError
        `x` has no missing value, `y` has one, or as for `RRF`.

    See Also
    --------
    na_roughfix : Medians and most frequent values.
    rfImpute : The same by `randomForest`.

    Examples
    --------
    >>> import numpy as np
    >>> import pyrrf
    >>> pyrrf.set_seed(1)
    >>> x = pyrrf.runif(80).reshape(40, 2, order="F")
    >>> y = np.where(x[:, 0] > 0.5, "high", "low")
    >>> x[3, 0] = np.nan
    >>> full = pyrrf.rrfImpute(x, y, iter=1, ntree=20)
    ntree      OOB      1      2
       20:   2.50%  5.26%  0.00%
    >>> full.shape
    (40, 3)
    """
    rounds = count(iter, "iter")
    companion.check_arguments(arguments, _OWN_ARGUMENTS)
    with call_stream(arguments.pop("seed", None)), collating(arguments.get("collate")):
        if isinstance(x, str):
            x, y = _read_formula(x, y if data is None else data, subset, read_quirks(arguments))
        elif data is not None or subset is not None:
            raise bad.conflict(
                f"data and subset go with a formula, as in {companion.name}('y ~ .', data=data)", "data", kind=TypeError
            )
        passed = {**arguments, "ntree": ntree, "do_trace": ntree, "proximity": True}
        return _impute(x, y, rounds, companion.kind.random_forest, passed)


rfImpute = twin_of(
    rrfImpute,
    "rfImpute",
    """Impute missing predictors by proximities of `randomForest` (R's ``rfImpute``).

    As `rrfImpute`, but a row that shares no leaf with a row whose value is known gets nearly 0: R adds
    1e-8 to the sum of the weights.
    """,
    """
    Examples
    --------
    >>> import numpy as np
    >>> import pyrrf
    >>> pyrrf.set_seed(1)
    >>> x = pyrrf.runif(80).reshape(40, 2, order="F")
    >>> x[3, 0] = np.nan
    >>> full = pyrrf.rfImpute(x, x[:, 1], iter=1, ntree=20)  # doctest: +ELLIPSIS
         |      Out-of-bag   |
    Tree |      MSE  %Var(y) |
      20 | ...
    >>> full.shape
    (40, 3)
    """,
)


def _impute(x: Any, y: Any, rounds: int, random_forest: bool, arguments: Mapping[str, Any]) -> Any:
    """Fill the missing values of x, forest after forest."""
    if y is None:
        raise bad.absent("y is missing; imputation needs a response", in_r='argument "y" is missing, with no default')
    response = read_labels(y, "y")
    x = as_table(x, "x")
    table = x if isinstance(x, pd.DataFrame) else pd.DataFrame(read_matrix(x))
    check_length(len(response.codes if isinstance(response, Factor) else response), len(table), "y", "x")
    missing = table.isna().to_numpy()
    if not missing.any():
        raise bad.missing("x has no missing values; there is nothing to impute", in_r="No NAs found in x")
    label = _response_label(y, table.columns)
    filled = na_roughfix(table)
    for _ in range(rounds):
        _check_imputed(filled)
        given = filled if isinstance(x, pd.DataFrame) else filled.to_numpy()
        fit: ForestResult = (randomForest if random_forest else RRF)(given, y, **arguments)
        near = np.asarray(fit.outcome.proximity)
        _update(filled, missing, near, _ADDED if random_forest else 0.0)
    if isinstance(x, pd.DataFrame):
        column = response.series(filled.index) if isinstance(response, Factor) else response
        filled.insert(0, label, column, allow_duplicates=True)
        return filled
    first = response.codes + 1.0 if isinstance(response, Factor) else response
    return np.column_stack([first, filled.to_numpy()])


def _response_label(y: Any, columns: Labels) -> Any:
    """Return the label of the response's column; where columns have several levels, "" fills the others."""
    name = y.name if isinstance(y, pd.Series) and y.name is not None else "y"
    if columns.nlevels == 1:
        return name
    parts = name if isinstance(name, tuple) else (name,)
    if len(parts) > columns.nlevels:
        raise bad.columns(f"y has the name {name!r}, but the columns of x have {columns.nlevels} levels; rename y")
    return (*parts, *[""] * (columns.nlevels - len(parts)))


def _read_formula(formula: str, data: Any, subset: Any, quirks: bool) -> tuple[pd.DataFrame, Column]:
    """Return predictors and response of a formula, with their missing values.

    An ordered factor in the first column becomes a number; R's loop over the columns ends there.
    """
    table = read_data(data, "data")
    terms = parse(formula, list(table.columns), quirks)
    if terms.response is None:
        raise bad.formula(f"formula {formula!r} has no left side; imputation needs a response")
    frame = model_frame(terms, table, subset, "na_pass")
    predictors = frame.drop(columns=terms.response.label)
    for position in range(1 if quirks else predictors.shape[1]):
        column = predictors.iloc[:, position]
        if isinstance(column.dtype, pd.CategoricalDtype) and column.dtype.ordered:
            codes = column.cat.codes.to_numpy(dtype=np.float64)
            predictors.isetitem(position, np.where(codes < 0, np.nan, codes + 1))
    return predictors, frame[terms.response.label]


def _check_imputed(filled: pd.DataFrame) -> None:
    """Raise ValueError if values are still missing."""
    left = filled.columns[np.flatnonzero(filled.isna().to_numpy().any(axis=0))].tolist()
    if left:
        raise bad.missing(
            f"column(s) {left} of x could not be imputed: no value is known, or a row shares no leaf with a "
            "row whose value is known; drop the column(s), or pass a larger ntree",
            "x",
        )


def _update(filled: pd.DataFrame, missing: np.ndarray, near: np.ndarray, added: float) -> None:
    """Replace the imputed values; `added` to the sum of the weights."""
    gaps, doubles = missing.any(axis=0), (filled.dtypes == np.float64).to_numpy()
    together = np.flatnonzero(gaps & doubles)
    if len(together):
        table = filled.iloc[:, together].to_numpy(copy=True)
        for column, gone in zip(table.T, missing[:, together].T, strict=True):
            column[gone] = _mean_of_near(column, gone, near, added)
        filled.iloc[:, together] = table
    for position in np.flatnonzero(gaps & ~doubles).tolist():
        filled.isetitem(position, _replace_missing(filled.iloc[:, position], missing[:, position], near, added))


def _replace_missing(column: Column, missing: np.ndarray, near: np.ndarray, added: float) -> Any:
    """Return a column that does not hold doubles with its imputed values replaced."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        codes = column.cat.codes.to_numpy().copy()
        codes[missing] = [_nearest(row, codes[~missing]) for row in near[np.ix_(~missing, missing)].T]
        return pd.Categorical.from_codes(codes, dtype=column.dtype)
    values = column.to_numpy(dtype=np.float64).copy()
    values[missing] = _mean_of_near(values, missing, near, added)
    return values


def _mean_of_near(values: np.ndarray, missing: np.ndarray, near: np.ndarray, added: float) -> np.ndarray:
    """Return the mean of the known values for each row that lacks one, weighted by its proximities."""
    gone, known = np.flatnonzero(missing), np.flatnonzero(~missing)
    product = matrix_product(near[gone].take(known, axis=1), values[known, None])[:, 0]
    with np.errstate(invalid="ignore"):
        return np.asarray(product / (added + row_sums(near[:, gone].take(known, axis=0).T)))


def _nearest(proximity: np.ndarray, codes: np.ndarray) -> int:
    """Return the category with the largest mean proximity; of equal ones the first."""
    present = np.unique(codes)
    means = np.array([mean(proximity[codes == code]) for code in present.tolist()])
    return int(present[means.argmax()])
