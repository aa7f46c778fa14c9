"""Fits of a numeric response: regression."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from pyrrf._core.records import RegressionOutcome, RegressionTest
from pyrrf.rbase import numbers
from pyrrf.rbase.arithmetic import variance
from pyrrf.rbase.numbers import format_number
from pyrrf.result.overview import percent
from pyrrf.result.record import one_based
from pyrrf.result.result import ForestResult, TestSet
from pyrrf.types import Column, Floats


def explained_variance(errors: Floats, response: Floats, n: int) -> Floats:
    """Return R's rsq: 1 minus mean squared errors over the variance with divisor n."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(1 - errors / np.float64(variance(response) * (n - 1) / n))


def _by_tree(values: Floats | None) -> Column | None:
    """Return a Series with trees counted from 1."""
    return None if values is None else pd.Series(values, index=one_based(len(values)))


@dataclass(eq=False, repr=False)
class RRFRegressionTestSet(TestSet):
    """Results of a regression on the test set (R's ``fit$test``).

    Attributes
    ----------
    predicted : Series of float64
    mse : Series of float64 or None
        Mean squared error after each tree; None without `ytest`.
    rsq : Series of float64 or None
        1 minus `mse` over the variance of `ytest`. As in R the variance has the number of training
        rows as divisor, unless the fit was made with ``quirks=False``.
    proximity : DataFrame or None
        Shape (ntest, ntest + n): to the test rows, then to the training rows. As in R they are divided
        by the number of trees twice, and 0 on the diagonal, unless ``quirks=False``.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_mtcars
    >>> cars = load_mtcars()
    >>> x, mpg = cars.drop(columns="mpg"), cars["mpg"]
    >>> fit = pyrrf.RRF(x[::2], mpg[::2], x[1::2], mpg[1::2], ntree=50, seed=1)
    >>> float(fit.test.mse.iloc[-1].round(1))
    16.0
    >>> fit.test.predicted.head(2).round(1)
    Mazda RX4 Wag     21.9
    Hornet 4 Drive    19.3
    dtype: float64
    """

    outcome: RegressionTest
    observed: Floats | None
    # The number of rows by which R divides the variance.
    divisor: int

    @cached_property
    def predicted(self) -> Column:
        """Prediction of each test row."""
        return pd.Series(self.outcome.predicted, index=self.rows)

    @cached_property
    def mse(self) -> Column | None:
        """Mean squared error after each tree."""
        return _by_tree(self.outcome.mse)

    @cached_property
    def rsq(self) -> Column | None:
        """Share of the variance that is explained after each tree."""
        if self.outcome.mse is None or self.observed is None:
            return None
        return _by_tree(explained_variance(self.outcome.mse, self.observed, self.divisor))


class RegressionResult(ForestResult):
    """A regression forest.

    Attributes
    ----------
    predicted : Series of float64
        Out-of-bag prediction of each row; NaN for a row that was in every bag.
    mse : Series of float64 or None
        Out-of-bag mean squared error after each tree. None if forests were combined.
    rsq : Series of float64 or None
        1 minus `mse` over the variance of y with divisor n. None if forests were combined.
    importance : DataFrame, shape (p, 1) or (p, 2)
        "%IncMSE", the increase of the out-of-bag error when the feature is permuted (with
        ``importance=True``), and "IncNodePurity", the decrease of the sum of squares.
    importanceSD : Series of float64 or None
        Standard error of "%IncMSE", shape (p,).
    coefs : ndarray of float64, shape (2,), or None
        Intercept and slope of the bias correction, with ``corr_bias=True``.
    y : Series of float64
    test : RRFRegressionTestSet or None

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_mtcars
    >>> cars = load_mtcars()
    >>> x, mpg = cars.drop(columns="mpg"), cars["mpg"]
    >>> fit = pyrrf.RRF(x, mpg, ntree=50, seed=1)
    >>> float(fit.mse.iloc[-1].round(2)), float(fit.rsq.iloc[-1].round(2))
    (5.74, 0.84)
    >>> fit.predicted.head(2).round(1)
    Mazda RX4        20.6
    Mazda RX4 Wag    20.8
    dtype: float64
    """

    type = "regression"

    outcome: RegressionOutcome

    def __init__(self, *, response: Floats, test: RRFRegressionTestSet | None, **parts: Any) -> None:
        super().__init__(**parts)
        self.response = response
        self.test = test

    @property
    def coefs(self) -> Floats | None:
        """Intercept and slope of the bias correction."""
        return self.outcome.coef

    @cached_property
    def y(self) -> Column:
        """Response of each row as given."""
        return pd.Series(self.response, index=self.rows)

    @cached_property
    def predicted(self) -> Column:
        """Out-of-bag prediction of each row."""
        return pd.Series(self.outcome.predicted, index=self.rows)

    @cached_property
    def mse(self) -> Column | None:
        """Out-of-bag mean squared error after each tree."""
        return _by_tree(self.outcome.mse)

    @cached_property
    def rsq(self) -> Column | None:
        """Share of the variance that is explained out of bag after each tree."""
        if self.outcome.mse is None:
            return None
        return _by_tree(explained_variance(self.outcome.mse, self._explained_response(), len(self.response)))

    def _explained_response(self) -> Floats:
        """Return the numbers whose variance `rsq` compares with."""
        return self.response

    def _measures(self) -> list[Any]:
        return ["%IncMSE", "IncNodePurity"]

    @cached_property
    def importanceSD(self) -> Column | None:
        """Standard error of the permutation importance."""
        values = self.outcome.importance_sd
        return None if values is None else pd.Series(values, index=self.columns)

    def _error(self) -> str | None:
        if self.mse is None or self.rsq is None:
            return None
        squared = format_number(self.mse.iloc[-1])
        return f"Squared error out of bag: {squared}, {percent(self.rsq.iloc[-1])} of the variance explained."

    def _performance(self) -> list[str]:
        out = []
        if self.mse is not None and self.rsq is not None:
            out += [
                "          Mean of squared residuals: " + format_number(self.mse.iloc[-1]),
                "                    % Var explained: " + _percent(self.rsq.iloc[-1]),
            ]
            if self.test is not None and self.test.mse is not None and self.test.rsq is not None:
                mse = self.test.mse.iloc[-1]
                # In R the variance of one response is NA; NaN divided by NA is NaN.
                unknown = len(self.test.rows) == 1 and not np.isnan(mse)
                out += [
                    "                       Test set MSE: " + _format_rounded(mse),
                    "                    % Var explained: " + ("NA" if unknown else _percent(self.test.rsq.iloc[-1])),
                ]
        if self.coefs is not None:
            intercept, slope = map(format_number, self.coefs)
            out += ["  Bias correction applied:", f"  Intercept:  {intercept} ", f"      Slope:  {slope} "]
        return out


def _format_rounded(value: float) -> str:
    return format_number(float(numbers.round(value, 2)))


def _percent(share: float) -> str:
    return _format_rounded(100 * share)
