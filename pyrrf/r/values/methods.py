"""Methods by class, as R's S3 has them: how a lower room asks a higher one.

`pyrrf.r` says which module has which methods, as the file NAMESPACE of an R package does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from inspect import signature, unwrap
from typing import Any

from pyrrf.r.values.packages import LISTED, SEARCH, UNSURE, Known

Method = Callable[..., Any]
_PLACES: dict[str, tuple[str, str]] = {}
_KNOWN: dict[str, Known] = {}
_LOAD: list[Callable[[str], Any]] = []
_OFFER: list[Callable[[str, Method], Method]] = []


def register(
    package: str,
    methods: Mapping[str, str],
    known: Mapping[str, Known],
    load: Callable[[str], Any],
    offer: Callable[[str, Method], Method],
) -> None:
    """Register the modules of methods, and the functions by R's names.

    Parameters
    ----------
    package : str
    methods : mapping of str to str
        By module ``generic.class`` with blanks between; the function is called so with underscores for dots, or as what
        follows ``=``.
    known : mapping of str to Known
        By R's name.
    load : callable
        Returns what the package has by its own name.
    offer : callable
        Returns a function as scripts call it.
    """
    for module, names in methods.items():
        for item in names.split():
            name, _, function = item.rpartition("=")
            _PLACES[name or item] = f"{package}.{module}", function.replace(".", "_")
    _KNOWN.update(known)
    _LOAD[:], _OFFER[:] = [load], [offer]


@cache
def _load_method(name: str) -> Method | None:
    module, function = _PLACES.get(name, ("", ""))
    return getattr(import_module(module), function) if module else None


def method(generic: str, classes: Iterable[str]) -> Method | None:
    """Return the method of a generic function for the first of some classes that has one; None without."""
    return next((function for name in classes if (function := _load_method(f"{generic}.{name}")) is not None), None)


def classes_with_method(generic: str) -> set[str]:
    """Return the classes for which a generic function has a method."""
    return {name.removeprefix(f"{generic}.") for name in _PLACES if name.startswith(f"{generic}.")}


def search(name: str, path: Sequence[str] | None = None) -> tuple[Any, str]:
    """Return the function or constant that R finds by a name among packages, and the package; None without.

    Where the script has attached nothing by `library`, all packages are searched.
    """
    known = _KNOWN.get(name)
    if known is None:
        return None, ""
    home = known.home(name, path if path is not None else SEARCH or known.homes)
    return (own(known.word) if home in known.homes else None), home


def is_there(name: str, path: Sequence[str]) -> bool | None:
    """Return whether R finds a name among packages; None where that is not known here."""
    known = _KNOWN.get(name)
    if known is None:
        return None
    return True if known.home(name, path) else False if LISTED.issuperset([*path, *UNSURE]) else None


def doubt(name: str, path: Sequence[str]) -> str:
    """Return a package that R may have attached, and that would change the meaning of a name; "" for none."""
    known, here = _KNOWN.get(name), search(name, path)[1]
    for package in UNSURE:
        there = "" if known is None else known.home(name, [package, *path])
        if there != here or (not here and package not in LISTED):
            return package
    return ""


def name_in_r(word: str) -> str:
    """Return R's name of a function by its own one in `pyrrf.r`, or of an operator."""
    return next((name for name, known in _KNOWN.items() if known.word == word), word)


def parameters_of(word: str) -> list[str]:
    """Return the names of the arguments of a function by its own name in `pyrrf.r`; none of an operator."""
    return list(signature(own(word)).parameters) if any(known.word == word for known in _KNOWN.values()) else []


def function_in_r(function: Any) -> str:
    """Return R's name of a function of `pyrrf.r`, behind its package; nothing of another function."""
    word = getattr(function, "__name__", "")
    for name, known in _KNOWN.items():
        if known.word == word and unwrap(function) is unwrap(own(word)):
            return f"{known.homes[0]}::`{name}`"
    return ""


def own(word: str) -> Any:
    """Return an object of `pyrrf.r` by its own name."""
    return _LOAD[0](word)


def default(generic: str) -> Method:
    """Return the default method of a generic function, for values without a class that it knows."""
    function = method(generic, ("default",))
    assert function is not None, generic
    return function


@cache
def operator(generic: str) -> Method:
    """Return the function of an operator of R, such as ``[`` or the group ``Ops``, as a script has it."""
    return _OFFER[0](generic, default(generic))
