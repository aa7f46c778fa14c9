"""Checks of single values, and warnings that point at the user's line."""

from __future__ import annotations

import difflib
import functools
import inspect
import math
import os
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pyrrf.errors import bad, input_error

if TYPE_CHECKING:  # without pandas, as `pyrrf._core.records`
    from pyrrf.types import Floats

_PACKAGE = str(Path(__file__).parent) + os.sep

# Argument names of scikit-learn and ranger, with R's names.
_ALIASES = {
    "n_estimators": "ntree",
    "num_trees": "ntree",
    "max_features": "mtry",
    "min_samples_leaf": "nodesize",
    "min_node_size": "nodesize",
    "max_leaf_nodes": "maxnodes",
    "class_weight": "classwt",
    "bootstrap": "replace",
    "random_state": "seed",
    "regularization_factor": "coefReg",
    "verbose": "do_trace",
    "class": "class_",
    "cls": "class_",
}

# Arguments of other functions, which R accepts without a message.
_ELSEWHERE = {
    "type": "the type follows from y, and importance(fit, type=1), varImpPlot() and predict() have such an argument",
    "class_": "it is an argument of importance(fit, type=1, class_=...) and varImpPlot()",
    "newdata": "predict(fit, newdata) takes it",
    "scale": "it is an argument of importance() and varImpPlot()",
}

# Arguments of RRF() that a function sets itself, and what to do instead.
_OWN = {"GRRF": (("coefReg", "flagReg"), "use gamma and lambda0, or call RRF()")}

# The largest whole number of R, and of the core.
MOST_COUNT = 2**31 - 1

# Limits of the largest absolute value within which sums of squares are neither infinite nor 0.
_LEAST, _MOST = 1e-100, 1e100


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn, and point at the first line outside this package."""
    level, frame = 1, sys._getframe(0)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)


@contextmanager
def whole_letters(name: str, kind: type[Exception] = ValueError) -> Iterator[None]:
    """Refuse text that UTF-8 cannot hold, in which pandas and files of R store it."""
    try:
        yield
    except UnicodeEncodeError as error:
        raise bad.text(
            f"{name} holds text with {error.object[error.start]!a}, a lone surrogate, which is half of a letter; "
            "replace it, or read the text anew as UTF-8",
            kind=kind,
        ) from None


def check_text(values: Iterable[Any], name: str, kind: type[Exception] = ValueError) -> None:
    """Raise an error if a text among some values holds a lone surrogate (half of a letter)."""
    with whole_letters(name, kind):
        "".join(value for value in values if isinstance(value, str)).encode()


def type_name(value: Any) -> str:
    """Return the name of a value's type for messages; a type may provide its own in `type_in_messages`."""
    name: str = getattr(type(value), "type_in_messages", lambda _: type(value).__name__)(value)
    return name


def quote(values: Sequence[Any], most: int = 5) -> str:
    """Return the first values as messages list them."""
    return ", ".join(map(repr, values[:most])) + (", ..." if len(values) > most else "")


def scale_trouble(y: np.ndarray) -> str | None:
    """Return the problem of numbers whose squares are infinite or 0, so that no best split exists; otherwise None."""
    largest = np.abs(y).max(initial=0.0)
    if largest == 0 or _LEAST < largest < _MOST:
        return None
    remedy = "divide" if largest > 1 else "multiply"
    return f"y has a largest absolute value of {largest:.3g}; {remedy} y by a power of ten, to be near 1"


def check_scale(y: np.ndarray) -> None:
    """Raise ValueError if numbers are too large or too small, by `scale_trouble`."""
    if trouble := scale_trouble(y):
        raise bad.scale(trouble)


def reject_unknown(function: str, unknown: Mapping[str, object], known: Iterable[str]) -> None:
    """Raise TypeError for the first unknown argument and name the nearest real one.

    Parameters
    ----------
    function : str
        Name that the message shows.
    unknown : mapping
        Arguments that the function does not have.
    known : iterable of str
        The real arguments.

    Raises
    ------
    TypeError
        `unknown` is not empty.
    """
    if not unknown:
        return
    own, remedy = _OWN.get(function, ((), ""))
    for name in filter(unknown.__contains__, own):
        raise bad.keyword(f"{function}() sets {name} itself; {remedy}", name)
    name, names = next(iter(unknown)), list(known)
    near = _ALIASES.get(name.replace(".", "_"))
    hint = f"did you mean {near!r}?" if near in names else _nearest(name, names)
    if name not in _ALIASES and name in _ELSEWHERE:
        hint = _ELSEWHERE[name]
    raise bad.keyword(f"{function}() has no argument {name!r}; {hint}", name)


def _nearest(name: str, names: list[str]) -> str:
    """Return a hint with the arguments that begin with a name, or else with the most similar one."""
    plain = name.replace(".", "_").replace("_", "").lower()
    lowered = {real.replace("_", "").lower(): real for real in names}
    if plain in lowered:
        return f"did you mean {lowered[plain]!r}?"
    longer = [real for short, real in lowered.items() if plain and short.startswith(plain)]
    if longer:
        return f"did you mean {' or '.join(map(repr, longer))}? Argument names cannot be abbreviated, unlike in R"
    matches = difflib.get_close_matches(plain, lowered, n=1, cutoff=0.5)
    if matches:
        return f"did you mean {lowered[matches[0]]!r}?"
    return f"its arguments are {', '.join(names)}" if names else "it takes none by name"


def explained(value: Any, package: str) -> Any:
    """Wrap a function so that its error for an unknown argument suggests the right one; return other objects as is.

    A function with `**arguments` checks these itself, if all required arguments are given.

    Parameters
    ----------
    value : object
    package : str
        The name of the package from which users import it.
    """
    if not inspect.isfunction(value):
        return value
    function = value
    parameters = [p for p in inspect.signature(function).parameters.values() if p.kind is not p.VAR_KEYWORD]
    open_ended = len(parameters) < len(inspect.signature(function).parameters)
    needed = [p.name for p in parameters if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD]
    if open_ended and not needed:
        return function
    names = [p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    known = frozenset(names)

    @functools.wraps(function)
    def call(*args: Any, **arguments: Any) -> Any:
        if not known.issuperset(arguments):
            unknown = {name: value for name, value in arguments.items() if name not in known}
            missing = [name for name in needed[len(args) :] if name not in arguments]
            if missing or not open_ended:
                reject_unknown(function.__name__, unknown, names)
        return function(*args, **arguments)

    # pickle looks the function up in this module.
    call.__module__ = package
    return call


def number(
    value: object,
    name: str,
    *,
    least: float | None = None,
    above: float | None = None,
    most: float | None = None,
    below: float | None = None,
) -> float:
    """Return a finite number as float; TypeError for another type, ValueError for one outside of the limits."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.number):
        raise bad.type(f"{name} must be a number, not {value!r}")
    if np.iscomplexobj(value) or not _is_finite(value):
        raise bad.range(f"{name} must be a finite number, not {value!r}")
    size = float(value)
    limits = {"at least": least, "above": above, "at most": most, "below": below}
    inside = (least is None or size >= least, above is None or size > above)
    if not (all(inside) and (most is None or size <= most) and (below is None or size < below)):
        needed = " and ".join(f"{word} {limit:.10g}" for word, limit in limits.items() if limit is not None)
        raise bad.range(f"{name} must be {needed}, not {value!r}")
    return size


def _is_finite(value: float | np.number) -> bool:
    """Whether a number is finite as float64; Python's whole numbers may be beyond it."""
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def share(value: object, name: str) -> float:
    """Return a number from 0 to 1 as float."""
    return number(value, name, least=0, most=1)


def inner_share(value: object, name: str) -> float:
    """Return a number above 0 and below 1 as float."""
    return number(value, name, above=0, below=1)


def count(value: object, name: str, minimum: int = 1, maximum: int = MOST_COUNT) -> int:
    """Return a whole number from `minimum` to `maximum` as int; 500.0 counts as 500, as in R."""
    as_float = number(value, name)
    if as_float != math.floor(as_float) or as_float < minimum:
        raise bad.range(f"{name} must be a whole number of at least {minimum}, not {value!r}")
    if as_float > maximum:
        raise bad.range(f"{name} must be at most {maximum}, not {value!r}")
    return int(as_float)


def flag(value: object, name: str) -> bool:
    """Return True or False; 0 and 1 are accepted, as in R."""
    if isinstance(value, bool | np.bool_) or (isinstance(value, int) and value in (0, 1)):
        return bool(value)
    raise bad.type(f"{name} must be True or False, not {value!r}")


def verbosity(value: object) -> bool:
    """Return whether bars are shown: True or False, or a whole number from 0."""
    return bool(value if isinstance(value, bool | np.bool_) else count(value, "verbose", 0))


def choice(value: object, name: str, choices: Iterable[str]) -> str:
    """Return one of some words."""
    if not isinstance(value, str) or value not in choices:
        raise bad.choice(f"{name} must be one of {', '.join(repr(word) for word in choices)}, not {value!r}")
    return value


def beginning(value: object, name: str, choices: Iterable[str]) -> str:
    """Return the one of some words that begins so (R's ``pmatch``)."""
    words = list(choices)
    matches = [word for word in words if isinstance(value, str) and value and word.startswith(value)]
    return choice(value if len(matches) != 1 else matches[0], name, words)


def array_of(values: object, name: str) -> np.ndarray:
    """Return an array; raise ValueError, by the name of the argument, for lists of several lengths."""
    try:
        return np.asarray(values)
    except ValueError as error:
        raise bad.shape(f"{name} is no array of values ({error}); pass a list of single values") from None


def numbers(values: object, name: str) -> Floats:
    """Return finite numbers as float64, shape (k,); one column or one value counts as a vector.

    Raises
    ------
    TypeError
        The values are not numbers.
    ValueError
        They are not a vector, there are none, or one of them is NaN or infinite.
    """
    array = array_of(values, name)
    if array.dtype == object:
        try:
            array = array.astype(np.float64)
        except (TypeError, ValueError):
            raise bad.type(f"{name} must hold numbers, not {values!r}") from None
        except OverflowError:
            raise bad.scale(f"{name} holds a whole number that is too large for float64") from None
    if array.dtype.kind not in "iuf":
        raise bad.type(f"{name} must hold numbers, not dtype {array.dtype}")
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim > 1 or array.size == 0:
        raise bad.shape(f"{name} must be one number, a vector or a one-column matrix, not shape {array.shape}")
    array = np.atleast_1d(array).astype(np.float64)
    check_finite(array, name)
    return array


def check_finite(values: np.ndarray, name: str, remedy: str = "replace them by finite numbers") -> None:
    """Raise ValueError if one of the numbers is NaN or infinite."""
    if not np.isfinite(values).all():
        code = "missing" if np.isnan(values).any() else "infinite"
        raise input_error(code, f"{name} holds NaN or infinite values; {remedy}")
