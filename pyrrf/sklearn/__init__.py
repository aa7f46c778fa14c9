"""Estimators and selectors for scikit-learn, which is an extra: ``pip install "pyrrf[sklearn]"``."""

from typing import TYPE_CHECKING, Any

try:
    from sklearn.utils.validation import validate_data  # noqa: F401, which 1.6 brought
except ImportError as error:
    raise ImportError('pyrrf.sklearn needs scikit-learn 1.6 or newer; pip install "pyrrf[sklearn]"') from error

from pyrrf.lazy import load_when_asked as _load_when_asked

if TYPE_CHECKING:
    from pyrrf.sklearn.boruta import BorutaSelector as BorutaSelector
    from pyrrf.sklearn.displays.forest_error import ForestErrorDisplay as ForestErrorDisplay
    from pyrrf.sklearn.displays.importance import ImportanceDisplay as ImportanceDisplay
    from pyrrf.sklearn.displays.path import PathDisplay as PathDisplay
    from pyrrf.sklearn.displays.redundancy import RedundancyDisplay as RedundancyDisplay
    from pyrrf.sklearn.displays.stability import StabilityDisplay as StabilityDisplay
    from pyrrf.sklearn.elimination import EliminationSelector as EliminationSelector
    from pyrrf.sklearn.forests import RRFClassifier as RRFClassifier
    from pyrrf.sklearn.forests import RRFRegressor as RRFRegressor
    from pyrrf.sklearn.guided import GRRFSelector as GRRFSelector
    from pyrrf.sklearn.guided_cv import GRRFSelectorCV as GRRFSelectorCV
    from pyrrf.sklearn.path import grrf_path as grrf_path
    from pyrrf.sklearn.stability import StabilitySelector as StabilitySelector

# The same names, for Python, which loads none before it is asked for.
_HOMES = {
    "boruta": "BorutaSelector",
    "displays.forest_error": "ForestErrorDisplay",
    "displays.importance": "ImportanceDisplay",
    "displays.path": "PathDisplay",
    "displays.redundancy": "RedundancyDisplay",
    "displays.stability": "StabilityDisplay",
    "elimination": "EliminationSelector",
    "forests": "RRFClassifier RRFRegressor",
    "guided": "GRRFSelector",
    "guided_cv": "GRRFSelectorCV",
    "path": "grrf_path",
    "stability": "StabilitySelector",
}
__all__, _load, __dir__ = _load_when_asked(__name__, _HOMES)

if not TYPE_CHECKING:  # with it, type checkers would take any name

    def __getattr__(name: str) -> Any:
        return _load(name)
