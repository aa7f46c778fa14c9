"""Stand-in in a translated script for a value that was not translated."""

from __future__ import annotations

from typing import Any, NoReturn

from pyrrf.r.values.errors import NotSupportedError, RError


class Placeholder:
    """A value that is not there: whatever is done with it, or a call of it, raises the reason."""

    def __init__(self, name: str, reason: str) -> None:
        vars(self).update(_name=name, _reason=reason)

    def _refuse(self, *_: Any) -> NoReturn:
        raise NotSupportedError(f"{self._name} has no value: {self._reason}")

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        self._refuse()

    def __repr__(self) -> str:
        return f"<{self._name} has no value: {self._reason}>"


for _operation in (
    "add radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv mod rmod pow rpow matmul rmatmul and rand or ror "
    "lt le gt ge eq ne neg pos invert bool len iter call getitem setitem float int index setattr array"
).split():
    setattr(Placeholder, f"__{_operation}__", lambda self, *_, **__: self._refuse())


Placeholder.__hash__ = None  # type: ignore[assignment]


class _Absent(Placeholder):
    """An argument that is not given, and has no default."""

    def _refuse(self, *_: Any) -> NoReturn:
        raise RError("argument is missing, with no default")

    def __repr__(self) -> str:
        return "<an argument that is not given>"


absent = _Absent("", "")


def not_translated(name: str, reason: str) -> Any:
    """Return a stand-in for a variable that a statement would have made, had it been translated."""
    return Placeholder(name, reason)
