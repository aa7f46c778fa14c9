"""Regularized random forests, identical to R's RRF from the same seed.

`RRF` selects features and predicts; `GRRF` does so in R's guided idiom. `randomForest` grows the forest of R's package
of that name. Argument and component names are R's, a dot becoming an underscore. Column positions count from 0;
trees and nodes from 1.
"""

from typing import TYPE_CHECKING, Any

# Imported early, so that without a compiled core the import fails with a clear message.
from pyrrf import _core as _core
from pyrrf.lazy import load_when_asked as _load_when_asked

if TYPE_CHECKING:
    from pyrrf import datasets as datasets
    from pyrrf.companions.changelog import rfNews as rfNews
    from pyrrf.companions.changelog import rrfNews as rrfNews
    from pyrrf.companions.combine import combine as combine
    from pyrrf.companions.combine import grow as grow
    from pyrrf.companions.impute import rfImpute as rfImpute
    from pyrrf.companions.impute import rrfImpute as rrfImpute
    from pyrrf.companions.proximity import classCenter as classCenter
    from pyrrf.companions.proximity import outlier as outlier
    from pyrrf.companions.tuning import tuneRF as tuneRF
    from pyrrf.companions.tuning import tuneRRF as tuneRRF
    from pyrrf.companions.validation import CrossValidation as CrossValidation
    from pyrrf.companions.validation import rfcv as rfcv
    from pyrrf.companions.validation import rrfcv as rrfcv
    from pyrrf.data.roughfix import na_roughfix as na_roughfix
    from pyrrf.fit.path import RRFPath as RRFPath
    from pyrrf.fit.path import rrf_path as rrf_path
    from pyrrf.fit.random_forest import randomForest as randomForest
    from pyrrf.fit.rrf import GRRF as GRRF
    from pyrrf.fit.rrf import RRF as RRF
    from pyrrf.plots.charts import Chart as Chart
    from pyrrf.plots.charts import MDSplot as MDSplot
    from pyrrf.plots.charts import PartialDependence as PartialDependence
    from pyrrf.plots.charts import Scaling as Scaling
    from pyrrf.plots.charts import partialPlot as partialPlot
    from pyrrf.plots.charts import plot as plot
    from pyrrf.plots.charts import varImpPlot as varImpPlot
    from pyrrf.random import rnorm as rnorm
    from pyrrf.random import runif as runif
    from pyrrf.random import sample as sample
    from pyrrf.random import set_seed as set_seed
    from pyrrf.rbase.collate import LabelOrderWarning as LabelOrderWarning
    from pyrrf.rbase.collate import set_collate as set_collate
    from pyrrf.rds.files import read_rds as read_rds
    from pyrrf.rds.files import write_rds as write_rds
    from pyrrf.reports.page import report as report
    from pyrrf.result.forest import Forest as Forest
    from pyrrf.result.overview import Summary as Summary
    from pyrrf.result.predict import Prediction as Prediction
    from pyrrf.result.predict import predict as predict
    from pyrrf.result.random_forest import RandomForestClassification as RandomForestClassification
    from pyrrf.result.random_forest import RandomForestRegression as RandomForestRegression
    from pyrrf.result.random_forest import RandomForestResult as RandomForestResult
    from pyrrf.result.random_forest import RandomForestUnsupervised as RandomForestUnsupervised
    from pyrrf.result.regression import RegressionResult as RegressionResult
    from pyrrf.result.regression import RRFRegressionTestSet as RRFRegressionTestSet
    from pyrrf.result.result import ClassificationResult as ClassificationResult
    from pyrrf.result.result import ForestResult as ForestResult
    from pyrrf.result.result import RRFTestSet as RRFTestSet
    from pyrrf.result.result import UnsupervisedResult as UnsupervisedResult
    from pyrrf.result.rrf import RRFClassification as RRFClassification
    from pyrrf.result.rrf import RRFRegression as RRFRegression
    from pyrrf.result.rrf import RRFResult as RRFResult
    from pyrrf.result.rrf import RRFUnsupervised as RRFUnsupervised
    from pyrrf.result.summaries import getTree as getTree
    from pyrrf.result.summaries import importance as importance
    from pyrrf.result.summaries import margin as margin
    from pyrrf.result.summaries import summary as summary
    from pyrrf.result.summaries import treesize as treesize
    from pyrrf.result.summaries import varUsed as varUsed
    from pyrrf.versions import show_versions as show_versions

    __version__: str

# The same names for run time; a module is loaded when one of its names is first used.
_HOMES = {
    "companions.changelog": "rfNews rrfNews",
    "companions.combine": "combine grow",
    "companions.impute": "rfImpute rrfImpute",
    "companions.proximity": "classCenter outlier",
    "companions.tuning": "tuneRF tuneRRF",
    "companions.validation": "CrossValidation rfcv rrfcv",
    "data.roughfix": "na_roughfix",
    "fit.path": "RRFPath rrf_path",
    "fit.random_forest": "randomForest",
    "fit.rrf": "GRRF RRF",
    "plots.charts": "Chart MDSplot PartialDependence Scaling partialPlot plot varImpPlot",
    "rbase.collate": "LabelOrderWarning set_collate",
    "random": "rnorm runif sample set_seed",
    "rds.files": "read_rds write_rds",
    "reports.page": "report",
    "result.forest": "Forest",
    "result.overview": "Summary",
    "result.predict": "Prediction predict",
    "result.random_forest": "RandomForestClassification RandomForestRegression RandomForestResult "
    "RandomForestUnsupervised",
    "result.regression": "RegressionResult RRFRegressionTestSet",
    "result.result": "ClassificationResult ForestResult RRFTestSet UnsupervisedResult",
    "result.rrf": "RRFClassification RRFRegression RRFResult RRFUnsupervised",
    "result.summaries": "getTree importance margin summary treesize varUsed",
    "versions": "show_versions",
}
__all__, _load, __dir__ = _load_when_asked(__name__, _HOMES, "__version__ datasets r random")

if not TYPE_CHECKING:  # a type checker would accept any name with it

    def __getattr__(name: str) -> Any:
        if name != "__version__":
            return _load(name)
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("pyrrf")
        except PackageNotFoundError:  # run from a source tree that was never installed
            return "unknown"
