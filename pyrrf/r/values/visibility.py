"""Which value R would not print."""

from __future__ import annotations

from typing import Any

from pyrrf.r.values.functions import r_function
from pyrrf.r.values.vector import Value, as_value

# The value that invisible() gave last: R holds one mark, too, not one for each value.
_unseen: list[Any] = [None]


@r_function(quiet=True, keeps=True, same=True, classes="any tables")
def invisible(x: Any = None) -> Any:
    """Return a value that is not printed when it stands alone on its line."""
    value = as_value(x)
    _unseen[0] = value.copy() if isinstance(value, Value) else value
    return _unseen[0]


def is_invisible(value: Any) -> bool:
    """Whether a value is the one that invisible() gave last; a copy of it is not."""
    return value is None or value is _unseen[0]
