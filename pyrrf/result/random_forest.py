"""What randomForest() returns."""

from __future__ import annotations

from pyrrf.result.regression import RegressionResult
from pyrrf.result.result import ClassificationResult, ForestResult, UnsupervisedResult


class RandomForestResult(ForestResult):
    """A forest that `randomForest` has grown (R's object of class ``randomForest``).

    It has the components of all fits (`ForestResult`).
    """

    function = "randomForest"

    @property
    def ties(self) -> int:
        """How draws decide between classes with equal votes."""
        return 2


class RandomForestClassification(ClassificationResult, RandomForestResult):
    """A forest for classes that `randomForest` has grown."""


class RandomForestUnsupervised(UnsupervisedResult, RandomForestResult):
    """A forest that tells the data from synthetic rows, by `randomForest`."""


class RandomForestRegression(RegressionResult, RandomForestResult):
    """A forest for numbers that `randomForest` has grown."""
