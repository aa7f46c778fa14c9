"""Seeds, kinds and the state of the stream: R's set.seed, RNGkind, RNGversion and .Random.seed."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyrrf._core import Stream
from pyrrf.checks import warn
from pyrrf.errors import bad
from pyrrf.random.stream import call_stream, drawing, go_on_with, new_stream
from pyrrf.types import Ints

# In R's order, which .Random.seed[1] counts from 0: kind + 100 * normal kind + 10000 * sample kind.
_KINDS = (
    "Wichmann-Hill",
    "Marsaglia-Multicarry",
    "Super-Duper",
    "Mersenne-Twister",
    "Knuth-TAOCP",
    "user-supplied",
    "Knuth-TAOCP-2002",
    "L'Ecuyer-CMRG",
)
_NORMAL_KINDS = (
    "Buggy Kinderman-Ramage",
    "Ahrens-Dieter",
    "Box-Muller",
    "user-supplied",
    "Inversion",
    "Kinderman-Ramage",
)
_SAMPLE_KINDS = ("Rounding", "Rejection")
_KIND, _NORMAL_KIND = "Mersenne-Twister", "Inversion"
_STATE_LENGTH = 626


def set_seed(
    seed: float, kind: str | None = None, normal_kind: str | None = None, sample_kind: str | None = None
) -> None:
    """Seed the stream (R's ``set.seed``).

    Parameters
    ----------
    seed : int or float
        -2147483647 to 2147483647; as in R a fraction is cut off.
    kind : str, optional
        The generator; "Mersenne-Twister" or "default".
    normal_kind : str, optional
        How normal numbers are made; "Inversion" or "default".
    sample_kind : str, optional
        How items are sampled: "Rejection", R's default since 3.6, or "Rounding", which scripts of an older
        R need, with R's warning. Without it the kind stays.

    Raises
    ------
    TypeError
        `seed` is not a number, or a kind is no string.
    ValueError
        `seed` is not an R integer, or a kind is not among those above.

    Examples
    --------
    >>> import pyrrf
    >>> pyrrf.set_seed(1)
    >>> pyrrf.runif(2)
    array([0.26550866, 0.3721239 ])
    """
    stream = new_stream(seed)
    _check_kinds(kind, normal_kind)
    _take_sample_kind(stream, sample_kind)
    go_on_with(stream)


def RNGkind(
    kind: str | None = None, normal_kind: str | None = None, sample_kind: str | None = None
) -> tuple[str, str, str]:
    """Say or choose the kinds of the stream (R's ``RNGkind``).

    Parameters
    ----------
    kind, normal_kind, sample_kind : str, optional
        As for `set_seed`. As in R, `kind` seeds the stream anew, by a number drawn from it.

    Returns
    -------
    tuple of str
        The three kinds before the call.

    Raises
    ------
    TypeError, ValueError
        A kind is no string, or not among those of `set_seed`.

    Examples
    --------
    >>> from pyrrf.random import RNGkind
    >>> RNGkind()
    ('Mersenne-Twister', 'Inversion', 'Rejection')
    """
    _check_kinds(kind, normal_kind)
    with drawing() as stream:
        before = (_KIND, _NORMAL_KIND, _SAMPLE_KINDS[not stream.rounding])
        if kind is not None:
            _seed_from_itself(stream)
        _take_sample_kind(stream, sample_kind)
    return before


def RNGversion(vstr: str | float) -> tuple[str, str, str]:
    """Choose the kinds that a version of R had (R's ``RNGversion``).

    Parameters
    ----------
    vstr : str
        Version such as "3.5.0"; 1.7 or newer.

    Returns
    -------
    tuple of str
        The three kinds before the call.

    Raises
    ------
    ValueError
        The version is malformed, or R had another generator then.

    Examples
    --------
    >>> from pyrrf.random import RNGversion
    >>> RNGversion("4.2.2")
    ('Mersenne-Twister', 'Inversion', 'Rejection')
    """
    try:
        major, minor = (int(number) for number in str(vstr).split(".")[:2])
    except ValueError:
        raise bad.choice(f"vstr must be a version such as '3.5.0', not {vstr!r}") from None
    if (major, minor) < (1, 7):
        raise bad.unsupported(
            f"vstr: R {vstr} had a generator that pyrrf does not have; 1.7 is the oldest version here"
        )
    return RNGkind(_KIND, _NORMAL_KIND, "Rounding" if (major, minor) < (3, 6) else "Rejection")


def get_random_seed() -> Ints:
    """Return the state of the stream (R's ``.Random.seed``).

    Returns
    -------
    ndarray of int32, shape (626,)
        The code of the kinds, the position in the block, and 624 words, as R shows them.

    Raises
    ------
    MemoryError
        There is no memory for it.

    Examples
    --------
    >>> from pyrrf.random import get_random_seed, set_seed
    >>> set_seed(1)
    >>> get_random_seed()[:3].tolist()
    [10403, 624, -169270483]
    """
    with call_stream() as stream:
        return np.concatenate([[_code(stream.rounding)], stream.get_state()[0]], dtype=np.int32)


def set_random_seed(words: Any) -> None:
    """Put the stream into a state (assigns R's ``.Random.seed``).

    Parameters
    ----------
    words : array_like of int, shape (626,)
        As `get_random_seed` or R gave it.

    Raises
    ------
    TypeError
        `words` does not hold integers.
    ValueError
        `words` is no state of a Mersenne-Twister with normal numbers by inversion.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.random import get_random_seed, set_random_seed
    >>> state = get_random_seed()
    >>> before = pyrrf.runif(2)
    >>> set_random_seed(state)
    >>> (pyrrf.runif(2) == before).all()
    np.True_
    """
    state = np.asarray(words)
    if state.dtype.kind not in "iu" or state.ndim != 1:
        raise bad.type("words must be a vector of integers, as R shows .Random.seed")
    if len(state) == 0 or int(state[0]) not in (_code(True), _code(False)):
        raise bad.unsupported(f"words: {_kinds_of(state)}; in R, call RNGkind('default', 'default', 'default') first")
    if len(state) != _STATE_LENGTH:
        raise bad.length(f"words has {len(state)} integers; pass all {_STATE_LENGTH} of .Random.seed")
    stream = Stream()
    stream.set_state(state[1:], state[1:])
    stream.rounding = int(state[0]) == _code(True)
    go_on_with(stream)


# ---- kinds ---------------------------------------------------------------------------------------


def _code(rounding: bool) -> int:
    """Return the code that .Random.seed begins with."""
    sampling = _SAMPLE_KINDS.index("Rounding" if rounding else "Rejection")
    return _KINDS.index(_KIND) + 100 * _NORMAL_KINDS.index(_NORMAL_KIND) + 10000 * sampling


def _kinds_of(state: np.ndarray) -> str:
    """Name the kinds of a state that pyrrf cannot take."""
    code = int(state[0]) if len(state) else -1
    kind, normal = code % 100, code % 10000 // 100
    if code < 0 or kind >= len(_KINDS) or normal >= len(_NORMAL_KINDS) or code >= 20000:
        return "this is no .Random.seed"
    return f"its kinds are {_KINDS[kind]} and {_NORMAL_KINDS[normal]}, which pyrrf does not have"


def _choose(name: str, value: Any, choices: tuple[str, ...]) -> str:
    """Return the choice that begins with a string, as R does where only one begins so."""
    if not isinstance(value, str):
        raise bad.type(f"{name} must be a string, not {value!r}")
    matches = [choice for choice in choices if choice.startswith(value)]
    matches = [value] if value in choices else matches
    if len(matches) != 1:
        raise bad.choice(f"{name} must be one of {', '.join(map(repr, choices))}, not {value!r}")
    return matches[0]


def _check_kinds(kind: Any, normal_kind: Any) -> None:
    """Refuse generators other than R's defaults."""
    pairs = (("kind", kind, _KINDS, _KIND), ("normal_kind", normal_kind, _NORMAL_KINDS, _NORMAL_KIND))
    for name, value, choices, ours in pairs:
        if value is None or _choose(name, value, (*choices, "default")) in ("default", ours):
            continue
        raise bad.unsupported(
            f"{name} {value!r} is one that pyrrf does not have; pass {ours!r}, R's default, in R as well"
        )


def _take_sample_kind(stream: Stream, sample_kind: Any) -> None:
    if sample_kind is None:
        return
    chosen = _choose("sample_kind", sample_kind, (*_SAMPLE_KINDS, "default"))
    stream.rounding = chosen == "Rounding"
    if stream.rounding:
        warn("non-uniform 'Rounding' sampler used")


def _seed_from_itself(stream: Stream) -> None:
    """Seed a stream by a number that it draws, in place."""
    word = int(stream.runif(1)[0] * (2**32 - 1))
    stream.set_seed(word if word < 2**31 else word - 2**32)
