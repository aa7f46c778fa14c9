"""R's formulas: terms and the model frame."""

from pyrrf.lazy import load_when_asked as _load_when_asked

# What computes takes the functions of `pyrrf.r`, which a forest of plain columns does not need.
__all__, __getattr__, __dir__ = _load_when_asked(__name__, {"evaluation": "computed is_condition"})
