"""What stands in the place of an object of R that Python cannot hold."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NoReturn

from numpy.lib.mixins import NDArrayOperatorsMixin

from pyrrf.errors import bad


@dataclass(frozen=True, repr=False)
class NotRead(NDArrayOperatorsMixin):
    """What stands in the place of an R object that has no counterpart: a function, an environment.

    Whoever uses it as data gets an error that says what it is, where it stood and what to do in R.

    Parameters
    ----------
    kind : str
        What it is in R.
    why : str
        Why Python cannot hold it.
    remedy : str
        What can be stored instead.
    place : object, optional
        Where it stood; its text is code that reaches it.
    """

    kind: str
    why: str = field(default="only R has this type", compare=False)
    remedy: str = field(default="in R: leave it out", compare=False)
    place: Any = field(default=None, compare=False)

    @property
    def what(self) -> str:
        """What it is, and why Python cannot hold it."""
        return f"{'an' if self.kind[0] in 'aeo' else 'a'} {self.kind}, which Python cannot hold: {self.why}"

    def __repr__(self) -> str:
        return f"<NotRead{'' if self.place is None else f' {self.place}'}: {self.what}; {self.remedy}>"

    # What messages say that ask for data of another type.
    told_as = __repr__

    def error(self) -> Exception:
        """Return the error that it cannot be used."""
        place = "this part of a file of R" if self.place is None else self.place
        return bad.type(f"{place} is NotRead: {self.what}; {self.remedy}")

    def refusal(self, place: Any = "it") -> str:
        """Say that a file holds nothing else at a place."""
        return f"{place} holds {self.what}; {self.remedy}"

    def _refuse(self, *given: Any, **more: Any) -> NoReturn:
        raise self.error()

    def __getattr__(self, name: str) -> NoReturn:
        # Python and its libraries ask for names of this form to find out what an object can do.
        special = name.startswith("__") and name.endswith("__")
        raise AttributeError(name if special else f"no attribute {name!r}: {self.error()}", name=name, obj=self)

    __array__ = __array_ufunc__ = __call__ = _refuse
    __len__ = __iter__ = __getitem__ = __setitem__ = __contains__ = _refuse
    __int__ = __float__ = __complex__ = __index__ = _refuse
