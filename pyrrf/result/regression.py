"""What RRF() returns for regression."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.r.format import format_number, round_half_even
from pyrrf.result.result import Record, RRFResult, class_index, one_based


def _by_tree(values: np.ndarray | None) -> pd.Series[Any] | None:
    """Return a Series with trees counted from 1."""
    return None if values is None else pd.Series(values, index=one_based(len(values)))


class RRFRegressionTestSet(Record):
    """Results of a regression on the test set (R's ``fit$test``).

    Attributes
    ----------
    predicted : Series of float64
    mse : Series of float64 or None
        Mean squared error after each tree; None without `ytest`.
    rsq : Series of float64 or None
        1 minus `mse` over the variance of `ytest`; as in R the divisor of the variance is the
        number of training rows unless the fit was made with ``quirks=False``.
    proximity : DataFrame or None
        Shape (ntest, ntest + n): to the test rows, then to the training rows. As in R divided by
        the number of trees twice, with 0 on the diagonal, unless ``quirks=False``.
    """

    # Not a test case for pytest, whatever its name.
    __test__ = False

    def __init__(self, raw: Mapping[str, Any], rows: pd.Index[Any], training_rows: pd.Index[Any]) -> None:
        self.raw = dict(raw)
        self.rows = rows
        self.training_rows = training_rows

    @cached_property
    def predicted(self) -> pd.Series[Any]:
        """Prediction of each test row."""
        return pd.Series(self.raw["predicted"], index=self.rows)

    @cached_property
    def mse(self) -> pd.Series[Any] | None:
        """Mean squared error after each tree."""
        return _by_tree(self.raw.get("mse"))

    @cached_property
    def rsq(self) -> pd.Series[Any] | None:
        """Share of the variance that is explained after each tree."""
        return _by_tree(self.raw.get("rsq"))

    @cached_property
    def proximity(self) -> pd.DataFrame | None:
        """Proximity to the test rows, then to the training rows."""
        values = self.raw.get("proximity")
        if values is None:
            return None
        return pd.DataFrame(values, index=self.rows, columns=class_index(*self.rows, *self.training_rows))


class RRFRegression(RRFResult):
    """A forest for numbers.

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
    """

    type = "regression"

    def __init__(
        self,
        *,
        response: np.ndarray,
        coefs: np.ndarray | None,
        test: RRFRegressionTestSet | None,
        **common: Any,
    ) -> None:
        super().__init__(**common)
        self.response = response
        self.coefs = coefs
        self.test = test

    @cached_property
    def y(self) -> pd.Series[Any]:
        """Response of each row as given."""
        return pd.Series(self.response, index=self.rows)

    @cached_property
    def predicted(self) -> pd.Series[Any]:
        """Out-of-bag prediction of each row."""
        return pd.Series(self.raw["predicted"], index=self.rows)

    @cached_property
    def mse(self) -> pd.Series[Any] | None:
        """Out-of-bag mean squared error after each tree."""
        return _by_tree(self.raw["mse"])

    @cached_property
    def rsq(self) -> pd.Series[Any] | None:
        """Share of the variance that is explained out of bag after each tree."""
        return _by_tree(self.raw["rsq"])

    def _measures(self) -> list[Any]:
        return ["%IncMSE", "IncNodePurity"]

    @cached_property
    def importanceSD(self) -> pd.Series[Any] | None:
        """Standard error of the permutation importance."""
        values = self.raw["importance_sd"]
        return None if values is None else pd.Series(values, index=self.columns)

    def _performance(self) -> list[str]:
        out = []
        if self.raw["mse"] is not None:
            out += [
                "          Mean of squared residuals: " + format_number(self.raw["mse"][-1]),
                "                    % Var explained: " + _percent(self.raw["rsq"][-1]),
            ]
            if self.test is not None and self.test.raw["mse"] is not None:
                out += [
                    "                       Test set MSE: " + _rounded(self.test.raw["mse"][-1]),
                    # The variance of one response is R's NA.
                    "                    % Var explained: "
                    + ("NA" if len(self.test.rows) == 1 else _percent(self.test.raw["rsq"][-1])),
                ]
        if self.coefs is not None:
            intercept, slope = map(format_number, self.coefs)
            out += ["  Bias correction applied:", f"  Intercept:  {intercept} ", f"      Slope:  {slope} "]
        return out


def _rounded(value: float) -> str:
    return format_number(round_half_even(value, 2))


def _percent(share: float) -> str:
    return _rounded(100 * share)
