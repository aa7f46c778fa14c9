"""Functions that run R: code of R, or calls that are not supported here."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

from pyrrf.r.bridge.link import compute, grows, link, remove
from pyrrf.r.bridge.session import RSessionError
from pyrrf.r.values.functions import REST, r_function
from pyrrf.r.values.held import handle_of
from pyrrf.r.values.methods import function_in_r
from pyrrf.r.values.vector import Value
from pyrrf.rbase.collate import ask_for_collate

# Functions that are not passed on to R.
_NOT_ANEW = ("by_r", "by_r_inside")


@r_function(does="draws prints acts", classes="held")
def by_r(code: str, /, *names: str, **variables: Any) -> Any:
    """Let R compute a value.

    One session of R runs for this process, from the first call on. It has the random stream of `pyrrf.r`, the working
    directory, and the packages that `library` has attached. What it prints goes to standard output.

    Parameters
    ----------
    code : str
        Expressions of R.
    *names : str
        Variables of which the values are wanted; by default the value of the last expression, also called ``.value``.
    **variables : value
        Variables for the code, by R's names; ``class_`` is R's ``class``, and None no variable. Arrays, Series and
        DataFrames are converted as everywhere in `pyrrf.r`. R keeps them: what has not changed is not sent again.

    Returns
    -------
    Value, function, or a tuple of them for several names
        Objects that only R can hold, such as a fit of ``lm``, stay there: functions of `pyrrf.r` and operators on them
        let R compute.

    Raises
    ------
    RError
        The code stops, with R's message. A variable that it has not made raises one when it is used.
    RSessionError
        There is no R, or it ended; the variables are as they were.
    NotSupportedError
        A variable has no counterpart in R; or the code changed another one than `names` asks for.

    Examples
    --------
    >>> from pyrrf import r
    >>> y = [1.0, 2.0, 4.0]
    >>> r.by_r("coef(lm(y ~ x))", x=[1.0, 2.0, 3.0], y=y).to_pandas().round(2)  # doctest: +SKIP
    (Intercept)   -0.67
    x              1.50
    dtype: float64
    """
    return compute(_check_code(code), names, variables)


@r_function(does="draws prints acts", classes="held")
def by_r_inside(code: str, /, *names: str, **variables: Any) -> Any:
    """Let R compute a value as `by_r`, with the local variables of a function."""
    return compute(_check_code(code), names, variables, inside=True)


@r_function(classes="held")
def forget_by_r(*names: str) -> None:
    """Let R, if it runs, remove variables that a script has removed."""
    remove(names)


@r_function(classes="held")
def rest_by_r() -> None:
    """Let R compute, from now on, each call of a function of `pyrrf.r` that is not supported here; but no forest."""
    REST[:] = [_call_anew]
    ask_for_collate(_ask_for_order)


def _ask_for_order() -> None:
    """Adopt R's collation order with its first answer, if R is installed."""
    with contextlib.suppress(RSessionError):
        compute("NULL", inside=True)


def _check_code(code: object) -> str:
    if not isinstance(code, str):
        raise TypeError(f"code must be a text of R, not {type(code).__name__}")
    return code


def _call_anew(name: str, args: tuple[Any, ...], named: Mapping[str, Any], error: Exception) -> Any:
    """Let R compute a call; raise Python's error if the arguments cannot be sent to R."""
    of_python = any(map(_is_of_python, (*args, *named.values())))
    if isinstance(error, RSessionError) or name in _NOT_ANEW or of_python or grows(name, args, named):
        raise error
    if name == "found":
        return link().find(*args)
    if name == "load":
        return link().load(*args)
    return link().call(name, args, named)


def _is_of_python(x: Any) -> bool:
    """Whether a value cannot be sent to R: a function of the script, or a list that holds one."""
    if isinstance(x, Value):
        return x._kind == "list" and any(map(_is_of_python, x._data))
    return callable(x) and handle_of(x) is None and not function_in_r(x)
