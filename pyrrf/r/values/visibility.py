"""Values that R would not print."""

from __future__ import annotations

from collections import deque
from typing import Any

from pyrrf.r.values.functions import r_function
from pyrrf.r.values.vector import Value, as_value

# The values that invisible() gave last, since a statement printed something: R marks an evaluation, not a value.
_UNSEEN: deque[Any] = deque(maxlen=8)


@r_function(quiet=True, keeps=True, hands_on=True, classes="any formula")
def invisible(x: Any = None) -> Any:
    """Return a value that is not printed when it stands alone on its line."""
    value = as_value(x)
    _UNSEEN.append(value.copy() if isinstance(value, Value) else value)
    return _UNSEEN[-1]


def is_invisible(value: Any) -> bool:
    """Return whether a value is one that invisible() gave; a copy of it is not."""
    return value is None or any(value is unseen for unseen in _UNSEEN)


def forget_invisible() -> None:
    """Begin another statement: values that it reads are printed."""
    _UNSEEN.clear()
