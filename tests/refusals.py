"""Errors of bad input, of which tests ask for the argument and the code: messages may change at any time."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import pyrrf
from pyrrf.errors import CODES

PACKAGE = Path(pyrrf.__file__).parent


@contextmanager
def refused(
    argument: str | None, code: str, kind: type[Exception] | None = None
) -> Iterator[pytest.ExceptionInfo[Exception]]:
    """Expect an error of an argument; its class follows from the code unless another one is named."""
    default = TypeError if code in ("type", "keyword") else ValueError
    with pytest.raises(kind or default) as info:
        yield info
    error = info.value
    assert (getattr(error, "argument", ""), getattr(error, "code", "")) == (argument, code), repr(error)


def lacks_code(error: Exception) -> bool:
    """Whether an error comes from a line of the package, outside of its core, and has no code of the list."""
    places = Path(traceback.extract_tb(error.__traceback__)[-1].filename).parents
    return PACKAGE in places and PACKAGE / "_core" not in places and getattr(error, "code", None) not in CODES
