"""The placeholder of an object of R that Python cannot hold."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NoReturn

from numpy.lib.mixins import NDArrayOperatorsMixin

from pyrrf.errors import bad


@dataclass(frozen=True, repr=False)
class UnsupportedObject(NDArrayOperatorsMixin):
    """A placeholder for an R object without a counterpart, such as a function or an environment.

    Any use as data raises an error that names the object, its place and a remedy in R.

    Parameters
    ----------
    kind : str
        Type of the object in R.
    why : str
        Reason why Python cannot hold it.
    remedy : str
        Code of R that makes an object which can be stored.
    place : object, optional
        Place in the file; its text is Python code.
    """

    kind: str
    why: str = field(default="only R has this type", compare=False)
    remedy: str = field(default="in R: leave it out", compare=False)
    place: Any = field(default=None, compare=False)

    @property
    def description(self) -> str:
        """Type of the object, and the reason why Python cannot hold it."""
        return f"{'an' if self.kind[0] in 'aeo' else 'a'} {self.kind}, which Python cannot hold: {self.why}"

    def __repr__(self) -> str:
        return f"<UnsupportedObject{'' if self.place is None else f' {self.place}'}: {self.description}; {self.remedy}>"

    # The type that messages about data of a wrong type show.
    type_in_messages = __repr__

    def error(self) -> Exception:
        """Return the error for any use."""
        place = "this part of a file of R" if self.place is None else self.place
        return bad.type(f"{place} is UnsupportedObject: {self.description}; {self.remedy}")

    def refusal(self, place: Any = "it") -> str:
        """Return the message for a file that holds only this object."""
        return f"{place} holds {self.description}; {self.remedy}"

    def _refuse(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise self.error()

    def __getattr__(self, name: str) -> NoReturn:
        # Python and its libraries look up special names to test the abilities of an object.
        special = name.startswith("__") and name.endswith("__")
        raise AttributeError(name if special else f"no attribute {name!r}: {self.error()}", name=name, obj=self)

    __array__ = __array_ufunc__ = __call__ = _refuse
    __len__ = __iter__ = __getitem__ = __setitem__ = __contains__ = _refuse
    __int__ = __float__ = __complex__ = __index__ = _refuse
