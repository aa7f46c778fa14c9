"""Results of randomForest()."""

from __future__ import annotations

from typing import Any

from pyrrf.result.predict import predict as predict_rows
from pyrrf.result.regression import RegressionResult
from pyrrf.result.result import ClassificationResult, ForestResult, UnsupervisedResult
from pyrrf.result.to_sklearn import to_sklearn as make_sklearn
from pyrrf.types import Floats


class RandomForestResult(ForestResult):
    """A forest that `randomForest` has grown (R's object of class ``randomForest``).

    It has the components of all fits (`ForestResult`).

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_iris
    >>> iris = load_iris()
    >>> x, species = iris.drop(columns="Species"), iris["Species"]
    >>> fit = pyrrf.randomForest(x, species, ntree=50, seed=1)
    >>> isinstance(fit, pyrrf.RandomForestResult), fit.ntree, fit.mtry
    (True, 50, 2)
    """

    function = "randomForest"
    predict = predict_rows
    to_sklearn = make_sklearn

    @property
    def ties(self) -> int:
        """Rule of draws between classes with equal votes, as the core codes it."""
        return 2


class RandomForestClassification(ClassificationResult, RandomForestResult):
    """A forest for classes that `randomForest` has grown.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_iris
    >>> iris = load_iris()
    >>> x, species = iris.drop(columns="Species"), iris["Species"]
    >>> fit = pyrrf.randomForest(x, species, ntree=50, seed=1)
    >>> fit.confusion
                setosa  versicolor  virginica  class.error
    setosa          50           0          0         0.00
    versicolor       0          47          3         0.06
    virginica        0           3         47         0.06
    """


class RandomForestUnsupervised(UnsupervisedResult, RandomForestResult):
    """A forest that separates the data from synthetic rows, by `randomForest`.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_iris
    >>> iris = load_iris()
    >>> x, species = iris.drop(columns="Species"), iris["Species"]
    >>> fit = pyrrf.randomForest(x, ntree=50, seed=1)
    >>> fit.proximity.iloc[:2, :3].round(2)
         0    1     2
    0  1.0  0.5  0.29
    1  0.5  1.0  1.00
    """


class RandomForestRegression(RegressionResult, RandomForestResult):
    """A regression forest that `randomForest` has grown.

    As in R, trees are grown on the distances of the responses from their mean, which is put back at the end: `y` and
    the predictions may differ from sums without this detour in the last bit. Errors and `coefs` are those of the
    distances, so that predictions of new rows by a fit with ``corr_bias=True`` are off
    (docs/differences/random-forest.md).

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_mtcars
    >>> cars = load_mtcars()
    >>> x, mpg = cars.drop(columns="mpg"), cars["mpg"]
    >>> fit = pyrrf.randomForest(x, mpg, ntree=50, seed=1)
    >>> float(fit.mse.iloc[-1].round(2)), float(fit.rsq.iloc[-1].round(2))
    (5.92, 0.83)
    """

    def __init__(self, *, centred: Floats, **parts: Any) -> None:
        super().__init__(**parts)
        self.centred = centred

    def _explained_response(self) -> Floats:
        return self.centred
