"""Regularized random forests, identical to R's RRF from the same seed.

`RRF` selects features and predicts; `GRRF` does so in R's guided idiom. `randomForest` grows the forest of R's package
of that name. Argument and component names are R's, a dot becoming an underscore. Column positions count from 0;
trees and nodes from 1.
"""

from importlib.metadata import PackageNotFoundError, version

from pyrrf import datasets as datasets
from pyrrf.checks import explain_unknown as _explain_unknown
from pyrrf.companions.changelog import rfNews, rrfNews
from pyrrf.companions.combine import combine, grow
from pyrrf.companions.impute import rfImpute, rrfImpute
from pyrrf.companions.proximity import classCenter, outlier
from pyrrf.companions.tuning import tuneRF, tuneRRF
from pyrrf.companions.validation import CrossValidation, rfcv, rrfcv
from pyrrf.data.roughfix import na_roughfix
from pyrrf.fit.path import RRFPath, rrf_path
from pyrrf.fit.random_forest import randomForest
from pyrrf.fit.rrf import GRRF, RRF
from pyrrf.plots.charts import Chart, MDSplot, PartialDependence, Scaling, partialPlot, plot, varImpPlot
from pyrrf.r.collate import LabelOrderWarning, set_collate
from pyrrf.random import rnorm, runif, sample, set_seed
from pyrrf.rds.files import read_rds, write_rds
from pyrrf.reports.page import report
from pyrrf.result.forest import Forest
from pyrrf.result.overview import Summary
from pyrrf.result.predict import Prediction, predict
from pyrrf.result.random_forest import (
    RandomForestClassification,
    RandomForestRegression,
    RandomForestResult,
    RandomForestUnsupervised,
)
from pyrrf.result.regression import RegressionResult, RRFRegressionTestSet
from pyrrf.result.result import ClassificationResult, ForestResult, RRFTestSet, UnsupervisedResult
from pyrrf.result.rrf import RRFClassification, RRFRegression, RRFResult, RRFUnsupervised
from pyrrf.result.summaries import getTree, importance, margin, summary, treesize, varUsed

try:
    __version__ = version("pyrrf")
except PackageNotFoundError:  # run from a source tree that was never installed
    __version__ = "unknown"

__all__ = [
    "GRRF",
    "RRF",
    "Chart",
    "ClassificationResult",
    "CrossValidation",
    "Forest",
    "ForestResult",
    "LabelOrderWarning",
    "MDSplot",
    "PartialDependence",
    "Prediction",
    "RRFClassification",
    "RRFPath",
    "RRFRegression",
    "RRFRegressionTestSet",
    "RRFResult",
    "RRFTestSet",
    "RRFUnsupervised",
    "RandomForestClassification",
    "RandomForestRegression",
    "RandomForestResult",
    "RandomForestUnsupervised",
    "RegressionResult",
    "Scaling",
    "Summary",
    "UnsupervisedResult",
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
    "randomForest",
    "read_rds",
    "report",
    "rfImpute",
    "rfNews",
    "rfcv",
    "rnorm",
    "rrfImpute",
    "rrfNews",
    "rrf_path",
    "rrfcv",
    "runif",
    "sample",
    "set_collate",
    "set_seed",
    "summary",
    "treesize",
    "tuneRF",
    "tuneRRF",
    "varImpPlot",
    "varUsed",
    "write_rds",
]

_explain_unknown(globals())
