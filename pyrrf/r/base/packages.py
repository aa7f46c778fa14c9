"""Packages: library(), require(), and functions that are looked up when they are called, as R does."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from pyrrf.r.base.conditions import errors_are_handled
from pyrrf.r.values import packages
from pyrrf.r.values.errors import NotSupportedError, RError, refuse_if, refuse_none, stop_if
from pyrrf.r.values.functions import Flag, Text, r_function
from pyrrf.r.values.kinds import classes
from pyrrf.r.values.methods import doubt, search
from pyrrf.r.values.partial import Absent
from pyrrf.r.values.vector import Value, logicals
from pyrrf.r.values.visibility import invisible


@r_function(does="acts", quiet=True)
def library(package: Text, *dots: object, character_only: Flag = False, **named: object) -> Value:
    """Attach a package: its functions are found from now on, before those of packages attached earlier.

    A package that is not known here is taken to be there: nothing of it is.
    """
    stop_if(not re.fullmatch(r"[A-Za-z][A-Za-z0-9.]+", package), f"there is no package called \u2018{package}\u2019")
    if package not in packages.INSTALLED and errors_are_handled():
        raise NotSupportedError(f"library({package}) in tryCatch(): whether R has the package is not known here")
    packages.SEARCH[:] = packages.attach(packages.SEARCH, package)
    return invisible(Absent("the value of library()"))


@r_function(does="acts", quiet=True, certain=True)
def require(package: Text, *dots: object, character_only: Flag = False, **named: object) -> Value:
    """Attach a package that is known, and return whether R has it."""
    _check_known(package, "require")
    library(package)
    return invisible(logicals(True))


@r_function(quiet=True, certain=True)
def requireNamespace(package: Text, *dots: object, quietly: Flag = False) -> Value:
    """Return whether R has a package that is known."""
    _check_known(package, "requireNamespace")
    return invisible(logicals(True))


def _check_known(package: str, function: str) -> None:
    refuse_if(package not in packages.INSTALLED, f"{function}({package}): whether R has the package is not known here")


@r_function(does="acts", quiet=True)
def detach(package: Text) -> Value:
    """Take a package from the search path."""
    stop_if(package not in packages.SEARCH, "invalid 'name' argument")
    packages.SEARCH.remove(package)
    return invisible()


def unsure(package: str) -> None:
    """Note that R may have attached a package: names that it may change are refused from now on."""
    packages.UNSURE.insert(0, package)


def found(name: str, package: str = "") -> Callable[..., Any]:
    """Return the function that R finds by a name when it is called: in a package, or along the search path."""
    if name == _PIPE:
        return _pipe()
    path = [package] if package else packages.SEARCH
    if not package and (doubtful := doubt(name, path)):
        raise NotSupportedError(f"{name}(): whether R has attached {doubtful} is not known here")
    function, home = search(name, path)
    stop_if(function is None and not home, f'could not find function "{name}"')
    function = refuse_none(function, f"{name}() of {home} is not known here")
    return _of_fits(name, home, function) if name in REFUSALS else function


_PIPE = "%>%"


def _pipe() -> Callable[..., Any]:
    """Return ``%>%``, where a package that is attached may have it."""
    if packages.WITHOUT_PIPE.issuperset(packages.SEARCH):
        if not packages.WITHOUT_PIPE.issuperset(packages.UNSURE):
            raise NotSupportedError(f"{_PIPE}: whether R has attached {', '.join(packages.UNSURE)} is not known here")
        raise RError(f'could not find function "{_PIPE}"')
    return lambda value, function: function(value)


# Messages of RRF and randomForest for a fit of the other: each of them has functions of these names.
_NO_METHOD = "no applicable method for '{name}' applied to an object of class \"{classes}\""
_NO_FIT = "This function only works for objects of class `{home}'"
REFUSALS = {
    "combine": ("Argument must be a list of {home} objects",) * 2,
    "grow": ("grow has not been implemented for this class of object", _NO_METHOD),
    "importance": ("No method implemented for this class of object", _NO_METHOD),
    "margin": ('argument "observed" is missing, with no default', _NO_METHOD),
    "MDSplot": ("fit must be a {home} object",) * 2,
    "outlier": ("argument is of length zero",) * 2,
    "partialPlot": ("partial dependence plot not implemented for this class of objects.\n", _NO_METHOD),
    "treesize": (_NO_FIT,) * 2,
    "varImpPlot": (_NO_FIT,) * 2,
    "varUsed": ("x is not a {home} object",) * 2,
}


def _of_fits(name: str, home: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that stops for a fit of the other package."""

    def check_fit(*args: object, **named: object) -> Any:
        for value in (*args, *named.values()):
            kinds = classes(value) if isinstance(value, Value) else []
            if home not in kinds and not {"RRF", "randomForest"}.isdisjoint(kinds):
                listed = ", ".join(f"'{kind}'" for kind in kinds)
                text = REFUSALS[name][home == "randomForest"]
                shown = f"c({listed})" if len(kinds) > 1 else kinds[0]
                raise RError(text.format(name=name, home=home, classes=shown))
        return function(*args, **named)

    return check_fit
