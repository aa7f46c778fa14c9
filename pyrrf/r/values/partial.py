"""A vector of which some items were not computed: whatever needs one of them is refused."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyrrf.r.values.vector import NotSupportedError, Value, as_value, strings


class Partial(Value):
    """Doubles with names, of which some are known.

    Parameters
    ----------
    names : list of str
    known : dict of str to float
    reason : str
        Why the others are not.
    """

    __slots__ = ("_known", "_reason")
    _known: dict[str, float]
    _reason: str

    def __init__(self, names: list[str], known: dict[str, float], reason: str) -> None:
        put = object.__setattr__
        put(self, "_kind", "double")
        put(self, "_attributes", {"names": strings(names)})
        put(self, "_hidden", None)
        put(self, "_known", known)
        put(self, "_reason", reason)

    @property
    def _data(self) -> np.ndarray:  # type: ignore[override]
        raise NotSupportedError(self._reason)

    def __len__(self) -> int:
        return len(self._attributes["names"])

    def copy(self) -> Value:
        """Return the same value: it cannot be changed."""
        return self

    def __getitem__(self, subscripts: Any) -> Any:
        """Return items that are known."""
        names = self._attributes["names"]
        single = isinstance(subscripts, list)
        wanted = as_value(subscripts[0] if single else subscripts)
        labels = wanted._data if wanted._kind == "character" else names[wanted]._data
        if not all(label in self._known for label in labels):
            raise NotSupportedError(self._reason)
        found = np.array([self._known[label] for label in labels])
        return Value("double", found, {} if single else {"names": strings(labels)})

    def known_names(self) -> Value:
        """Return the names of what is known."""
        return strings(self._known)

    def known(self) -> Value:
        """Return what is known."""
        found: Value = self[self.known_names()]
        return found


class Absent(Value):
    """A value that was not computed: whatever needs it is refused.

    Parameters
    ----------
    reason : str
        Why it was not.
    """

    __slots__ = ("_reason",)
    _reason: str

    def __init__(self, reason: str) -> None:
        put = object.__setattr__
        put(self, "_kind", "opaque")
        put(self, "_attributes", {})
        put(self, "_hidden", None)
        put(self, "_reason", reason)

    @property
    def _data(self) -> np.ndarray:  # type: ignore[override]
        raise NotSupportedError(self._reason)

    def __len__(self) -> int:
        raise NotSupportedError(self._reason)

    def copy(self) -> Value:
        """Return the same value: it cannot be changed."""
        return self

    def __getitem__(self, subscripts: Any) -> Any:
        """Refuse."""
        raise NotSupportedError(self._reason)
