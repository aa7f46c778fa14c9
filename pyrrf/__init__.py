"""Regularized random forests, identical to R's RRF from the same seed.

`RRF` selects features and predicts; `GRRF` does so in R's guided idiom. Argument and component
names are R's, a dot becoming an underscore. Column positions count from 0; trees and nodes from 1.
"""

from importlib.metadata import PackageNotFoundError, version

from pyrrf._companions import getTree, importance, margin, treesize, varUsed
from pyrrf._fit import RRFClassification, RRFResult, RRFTestSet, RRFUnsupervised
from pyrrf._fit_regression import RRFRegression, RRFRegressionTestSet
from pyrrf._forest import Forest
from pyrrf._predict import Prediction, predict
from pyrrf._rrf import GRRF, RRF
from pyrrf.random import rnorm, runif, sample, set_seed

try:
    __version__ = version("pyrrf")
except PackageNotFoundError:  # run from a source tree that was never installed
    __version__ = "unknown"

__all__ = [
    "GRRF",
    "RRF",
    "Forest",
    "Prediction",
    "RRFClassification",
    "RRFRegression",
    "RRFRegressionTestSet",
    "RRFResult",
    "RRFTestSet",
    "RRFUnsupervised",
    "getTree",
    "importance",
    "margin",
    "predict",
    "rnorm",
    "runif",
    "sample",
    "set_seed",
    "treesize",
    "varUsed",
]
