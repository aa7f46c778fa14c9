"""Errors of bad input that programs can read: the argument that must change, and a word for what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

# The codes, in the order of the table in docs/input.md, which explains each.
CODES = (
    "type", "absent", "keyword", "conflict", "unsupported", "range", "choice", "shape", "length", "empty", "missing",
    "infinite", "scale", "constant", "rows", "levels", "columns", "unknown", "duplicate", "order", "text", "formula",
    "fit", "format", "damaged", "undefined",
)  # fmt: skip
_KINDS: dict[str, type[Exception]] = {"type": TypeError, "keyword": TypeError}
# Messages begin with the argument, or with a column of it.
_ARGUMENT = re.compile(
    r"(?:a column name of |columns? (?:(['\"])(?:\\.|(?!\1).)*\1|\(.*?\)|[^'\"(]*?) of )?([A-Za-z_]\w*)", re.DOTALL
)


def input_error(
    code: str, message: str, argument: str | None = "", *, kind: type[Exception] | None = None, in_r: str = ""
) -> Exception:
    """Return the error of an argument that must change.

    Parameters
    ----------
    code : str
        One of `CODES`.
    message : str
    argument : str or None, default ""
        Name of the argument; by default the name with which the message begins, or "formula" for the code "formula".
        None if no single argument is wrong.
    kind : type, optional
        Class of the error; by default TypeError for the codes "type" and "keyword", and ValueError for others.
    in_r : str, default ""
        The message of R's function, if it refuses the value as well.
    """
    error = (kind or _KINDS.get(code, ValueError))(message)
    if argument == "":
        named = _ARGUMENT.match(message)
        argument = "formula" if code == "formula" else named and named[2]
    vars(error).update(argument=argument, code=code, **({"in_r": in_r} if in_r else {}))
    return error


class _Bad:
    """The function of each code: `raise bad.shape(message)`."""

    def __getattr__(self, code: str) -> Callable[..., Exception]:
        if code not in CODES:
            raise AttributeError(code)
        return partial(input_error, code)


bad = _Bad()
