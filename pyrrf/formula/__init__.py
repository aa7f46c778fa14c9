"""R's formulas: terms and the model frame."""

from pyrrf.lazy import load_when_asked as _load_when_asked

# The only place where the port uses functions of pyrrf.r; a formula of columns and their products does not need them.
__all__, __getattr__, __dir__ = _load_when_asked(__name__, {"pyrrf.r.stats.term_values": "compute_steps is_condition"})
