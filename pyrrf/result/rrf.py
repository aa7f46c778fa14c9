"""Results of RRF() and GRRF()."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from pyrrf._core.records import Outcome
from pyrrf.result.forest import Forest
from pyrrf.result.overview import CAVEAT
from pyrrf.result.predict import predict as predict_rows
from pyrrf.result.record import FitMetadata
from pyrrf.result.regression import RegressionResult
from pyrrf.result.result import ClassificationResult, ForestResult, UnsupervisedResult
from pyrrf.result.to_sklearn import to_sklearn as make_sklearn
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

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_iris
    >>> iris = load_iris()
    >>> x, species = iris.drop(columns="Species"), iris["Species"]
    >>> fit = pyrrf.RRF(x, species, ntree=50, coefReg=0.5, seed=1)
    >>> fit.feature_names, fit.feaSet.tolist()
    (['Sepal.Length', 'Sepal.Width', 'Petal.Length'], [0, 1, 2])
    """

    function = "RRF"
    predict = predict_rows
    to_sklearn = make_sklearn

    def __init__(self, *, about: FitMetadata, outcome: Outcome, forest: Forest | None) -> None:
        super().__init__(about=about, outcome=outcome, forest=forest)
        self.coefReg = about.coefReg
        self.ordinary: RRFResult | None = None

    @property
    def ties(self) -> int:
        """Rule of draws between classes with equal votes, as the core codes it."""
        return int(self.quirks)

    @cached_property
    def feaSet(self) -> np.ndarray:
        """Positions of the selected features, from 0."""
        return np.flatnonzero(self.outcome.used)

    @property
    def selected(self) -> pd.DataFrame:
        """The selected features, the most important first."""
        return self._table_of_selected()

    def _table_of_selected(self) -> pd.DataFrame:
        table = super()._table_of_selected()
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
    """A forest for classes that `RRF` or `GRRF` has grown: a `ClassificationResult` and an `RRFResult`.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_iris
    >>> iris = load_iris()
    >>> x, species = iris.drop(columns="Species"), iris["Species"]
    >>> fit = pyrrf.RRF(x, species, ntree=50, coefReg=0.5, seed=1)
    >>> fit.feature_names, fit.classes
    (['Sepal.Length', 'Sepal.Width', 'Petal.Length'], ['setosa', 'versicolor', 'virginica'])
    >>> fit.predict(x[:2]).tolist()
    ['setosa', 'setosa']
    """


class RRFUnsupervised(UnsupervisedResult, RRFResult):
    """A forest that separates the data from synthetic rows, by `RRF`: an `UnsupervisedResult` and an `RRFResult`.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_iris
    >>> iris = load_iris()
    >>> x, species = iris.drop(columns="Species"), iris["Species"]
    >>> fit = pyrrf.RRF(x, ntree=50, quirks=False, seed=1)
    >>> fit.feature_names[:2], fit.proximity.shape
    (['Sepal.Length', 'Sepal.Width'], (150, 150))
    """


class RRFRegression(RegressionResult, RRFResult):
    """A regression forest that `RRF` or `GRRF` has grown: a `RegressionResult` and an `RRFResult`.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_mtcars
    >>> cars = load_mtcars()
    >>> x, mpg = cars.drop(columns="mpg"), cars["mpg"]
    >>> fit = pyrrf.RRF(x, mpg, ntree=50, seed=1)
    >>> fit.selected.head(2).round(1)
      feature  position  importance  coefficient
    0      wt         4       295.8          0.8
    1    disp         1       226.3          0.8
    >>> fit.predict(x[:2]).round(1).tolist()
    [20.8, 20.8]
    """
