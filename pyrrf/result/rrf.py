"""What RRF() and GRRF() return."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from pyrrf._core.records import Outcome
from pyrrf.result.forest import Forest
from pyrrf.result.overview import CAVEAT
from pyrrf.result.predict import predict as predict_rows
from pyrrf.result.record import About
from pyrrf.result.regression import RegressionResult
from pyrrf.result.result import ClassificationResult, ForestResult, UnsupervisedResult
from pyrrf.types import Ints


class RRFResult(ForestResult):
    """A forest that `RRF` or `GRRF` has grown (R's object of class ``RRF``).

    It has the components of all fits (`ForestResult`), and these.

    Attributes
    ----------
    feaSet : ndarray of int64
        Positions of the selected features, from 0.
    feature_names : list
        Their labels.
    selected : DataFrame, shape (k, 4)
        The selected features, the most important first: feature, position from 0, importance (the decrease in
        impurity), coefficient.
    coefReg : ndarray of float64, shape (p,)
        Coefficient of each feature, divided by its cost.
    ordinary : RRFResult or None
        The ordinary forest that guided this one, in a fit by `GRRF`.
    """

    function = "RRF"
    predict = predict_rows

    def __init__(self, *, about: About, outcome: Outcome, forest: Forest | None) -> None:
        super().__init__(about=about, outcome=outcome, forest=forest)
        self.coefReg = about.coefReg
        self.ordinary: RRFResult | None = None

    @property
    def ties(self) -> int:
        """How draws decide between classes with equal votes."""
        return int(self.quirks)

    @cached_property
    def feaSet(self) -> np.ndarray:
        """Positions of the selected features, from 0."""
        return np.flatnonzero(self.outcome.used)

    @property
    def selected(self) -> pd.DataFrame:
        """The selected features, the most important first."""
        return self._kept()

    def _kept(self) -> pd.DataFrame:
        table = super()._kept()
        return table.assign(coefficient=self.coefReg[table["position"].to_numpy()])

    def _caveat(self) -> str | None:
        """Return the limits of the error if features outside F had a penalty."""
        return CAVEAT if self.type != "unsupervised" and bool((self.coefReg < 1).any()) else None

    @property
    def feature_names(self) -> list[Any]:
        """Labels of the selected features."""
        return self.columns[self.feaSet].tolist()

    def _bags(self) -> Ints | None:
        bags = self.outcome.inbag
        return None if bags is None else np.asarray(bags > 0, dtype=np.int32)


class RRFClassification(ClassificationResult, RRFResult):
    """A forest for classes that `RRF` or `GRRF` has grown: a `ClassificationResult` and an `RRFResult`."""


class RRFUnsupervised(UnsupervisedResult, RRFResult):
    """A forest that separates the data from synthetic rows, by `RRF`: an `UnsupervisedResult` and an `RRFResult`."""


class RRFRegression(RegressionResult, RRFResult):
    """A regression forest that `RRF` or `GRRF` has grown: a `RegressionResult` and an `RRFResult`."""
