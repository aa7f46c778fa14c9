"""Formulas behind the estimators of `pyrrf.sklearn`, as functions of arrays: the bounds of stability selection."""

from typing import TYPE_CHECKING, Any

from pyrrf.lazy import load_when_asked as _load_when_asked

if TYPE_CHECKING:
    from pyrrf.selectors.stability import false_selection_bound as false_selection_bound
    from pyrrf.selectors.stability import largest_selection as largest_selection
    from pyrrf.selectors.stability import stability_threshold as stability_threshold

# The same names, for Python, which loads none before it is asked for.
_HOMES = {"stability": "false_selection_bound largest_selection stability_threshold"}
__all__, _load, __dir__ = _load_when_asked(__name__, _HOMES)

if not TYPE_CHECKING:  # with it, type checkers would take any name

    def __getattr__(name: str) -> Any:
        return _load(name)
