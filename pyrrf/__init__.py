"""Regularized random forests, identical to R's RRF from the same seed.

`RRF` selects features and predicts; `GRRF` does so in R's guided idiom. Argument and component
names are R's, a dot becoming an underscore. Column positions count from 0; trees and nodes from 1.
"""

from importlib.metadata import PackageNotFoundError, version

from pyrrf._charts import Chart, MDSplot, PartialDependence, Scaling, partialPlot, plot, varImpPlot
from pyrrf._combine import combine, grow
from pyrrf._companions import getTree, importance, margin, treesize, varUsed
from pyrrf._fit import RRFClassification, RRFResult, RRFTestSet, RRFUnsupervised
from pyrrf._fit_regression import RRFRegression, RRFRegressionTestSet
from pyrrf._forest import Forest
from pyrrf._impute import na_roughfix, rrfImpute
from pyrrf._news import rrfNews
from pyrrf._predict import Prediction, predict
from pyrrf._proximity import classCenter, outlier
from pyrrf._rrf import GRRF, RRF
from pyrrf._selection import CrossValidation, rrfcv, tuneRRF
from pyrrf.random import rnorm, runif, sample, set_seed

try:
    __version__ = version("pyrrf")
except PackageNotFoundError:  # run from a source tree that was never installed
    __version__ = "unknown"

__all__ = [
    "GRRF",
    "RRF",
    "Chart",
    "CrossValidation",
    "Forest",
    "MDSplot",
    "PartialDependence",
    "Prediction",
    "RRFClassification",
    "RRFRegression",
    "RRFRegressionTestSet",
    "RRFResult",
    "RRFTestSet",
    "RRFUnsupervised",
    "Scaling",
    "classCenter",
    "combine",
    "getTree",
    "grow",
    "importance",
    "margin",
    "na_roughfix",
    "outlier",
    "partialPlot",
    "plot",
    "predict",
    "rnorm",
    "rrfImpute",
    "rrfNews",
    "rrfcv",
    "runif",
    "sample",
    "set_seed",
    "treesize",
    "tuneRRF",
    "varImpPlot",
    "varUsed",
]
