"""Estimators and selectors for scikit-learn, which is an extra: ``pip install "pyrrf[sklearn]"``."""

try:
    from sklearn.utils.validation import validate_data  # noqa: F401, which 1.6 brought
except ImportError as error:
    raise ImportError('pyrrf.sklearn needs scikit-learn 1.6 or newer; pip install "pyrrf[sklearn]"') from error

from pyrrf.sklearn.boosting import RBoostClassifier, RBoostSelector
from pyrrf.sklearn.chow_liu import ChowLiuSelector
from pyrrf.sklearn.complexity import ComplexityForestClassifier
from pyrrf.sklearn.displays.forest_error import ForestErrorDisplay
from pyrrf.sklearn.displays.importance import ImportanceDisplay
from pyrrf.sklearn.displays.path import PathDisplay
from pyrrf.sklearn.displays.redundancy import RedundancyDisplay
from pyrrf.sklearn.displays.stability import StabilityDisplay
from pyrrf.sklearn.elimination import EliminationSelector
from pyrrf.sklearn.forests import RRFClassifier, RRFRegressor
from pyrrf.sklearn.guided import GRRFSelector
from pyrrf.sklearn.guided_cv import GRRFSelectorCV
from pyrrf.sklearn.less import LESSClassifier, LESSRegressor
from pyrrf.sklearn.max_dependency import MaxDependencyClassifier, MaxDependencySelector
from pyrrf.sklearn.mifs import MIFSSelector
from pyrrf.sklearn.path import grrf_path
from pyrrf.sklearn.search import ForwardSelector
from pyrrf.sklearn.stability import StabilitySelector

__all__ = [
    "ChowLiuSelector",
    "ComplexityForestClassifier",
    "EliminationSelector",
    "ForestErrorDisplay",
    "ForwardSelector",
    "GRRFSelector",
    "GRRFSelectorCV",
    "ImportanceDisplay",
    "LESSClassifier",
    "LESSRegressor",
    "MIFSSelector",
    "MaxDependencyClassifier",
    "MaxDependencySelector",
    "PathDisplay",
    "RBoostClassifier",
    "RBoostSelector",
    "RRFClassifier",
    "RRFRegressor",
    "RedundancyDisplay",
    "StabilityDisplay",
    "StabilitySelector",
    "grrf_path",
]
