"""R's formulas: terms and the model frame."""

from pyrrf.lazy import load_when_asked as _load_when_asked

# The one place where the port asks for R's functions. A formula of columns and their products does not need them.
__all__, __getattr__, __dir__ = _load_when_asked(__name__, {"pyrrf.r.stats.term_values": "compute_steps is_condition"})
