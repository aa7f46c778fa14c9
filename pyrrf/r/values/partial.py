"""Values of which some or all items were not computed: any use of such an item is refused."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyrrf.r.values.errors import NotSupportedError
from pyrrf.r.values.vector import Value, as_value, strings


class Absent(Value):
    """A value that was not computed, with the reason."""

    __slots__ = ("_reason",)
    _reason: str

    def __init__(self, reason: str) -> None:
        self._put("opaque", {}, reason)

    def _put(self, kind: str, about: dict[str, Value], reason: str) -> None:
        for name, value in {"_kind": kind, "_attributes": about, "_hidden": None, "_reason": reason}.items():
            object.__setattr__(self, name, value)

    @property
    def _data(self) -> np.ndarray:  # type: ignore[override]
        raise NotSupportedError(self._reason)

    def __len__(self) -> int:
        raise NotSupportedError(self._reason)

    def copy(self) -> Value:
        """Return the same value: it cannot be changed."""
        return self

    def __getitem__(self, subscripts: Any) -> Any:
        """Refuse to give an item."""
        raise NotSupportedError(self._reason)


class Partial(Absent):
    """Doubles with names, of which some are known, and the reason why the others are not."""

    __slots__ = ("_known",)
    _known: dict[str, float]

    def __init__(self, names: list[str], known: dict[str, float], reason: str) -> None:
        self._put("double", {"names": strings(names)}, reason)
        object.__setattr__(self, "_known", known)

    def __len__(self) -> int:
        return len(self._attributes["names"])

    def __getitem__(self, subscripts: Any) -> Any:
        """Return items that are known."""
        names = self._attributes["names"]
        single = isinstance(subscripts, list)
        wanted = as_value(subscripts[0] if single else subscripts)
        labels = wanted._data if wanted._kind == "character" else names[wanted]._data
        if not all(label in self._known for label in labels):
            raise NotSupportedError(self._reason)
        values = np.array([self._known[label] for label in labels])
        return Value("double", values, {} if single else {"names": strings(labels)})

    def known_names(self) -> Value:
        """Return the names of the known items."""
        return strings(self._known)

    def known_items(self) -> Value:
        """Return the known items."""
        items: Value = self[self.known_names()]
        return items
