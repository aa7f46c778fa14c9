"""What randomForest() returns."""

from __future__ import annotations

from typing import Any

from pyrrf.result.predict import predict as predict_rows
from pyrrf.result.regression import RegressionResult
from pyrrf.result.result import ClassificationResult, ForestResult, UnsupervisedResult
from pyrrf.types import Floats


class RandomForestResult(ForestResult):
    """A forest that `randomForest` has grown (R's object of class ``randomForest``).

    It has the components of all fits (`ForestResult`).
    """

    function = "randomForest"
    predict = predict_rows

    @property
    def ties(self) -> int:
        """How draws decide between classes with equal votes."""
        return 2


class RandomForestClassification(ClassificationResult, RandomForestResult):
    """A forest for classes that `randomForest` has grown."""


class RandomForestUnsupervised(UnsupervisedResult, RandomForestResult):
    """A forest that separates the data from synthetic rows, by `randomForest`."""


class RandomForestRegression(RegressionResult, RandomForestResult):
    """A regression forest that `randomForest` has grown.

    As in R, trees are grown on the distances of the responses from their mean, which is put back at the end: `y` and
    the predictions may differ from sums without this detour in the last bit. Errors and `coefs` are those of the
    distances, so that predictions of new rows by a fit with ``corr_bias=True`` are off
    (docs/differences/random-forest.md).
    """

    def __init__(self, *, centred: Floats, **parts: Any) -> None:
        super().__init__(**parts)
        self.centred = centred

    def _explained_response(self) -> Floats:
        return self.centred
