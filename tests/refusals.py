"""Errors of bad input, of which tests ask for the argument and the code: messages may change at any time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest


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
