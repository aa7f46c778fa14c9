"""Fits that fail leave the estimator as it was."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

Method = TypeVar("Method", bound=Callable[..., Any])


def rollback_on_error(method: Method) -> Method:
    """Return a method that leaves the attributes of its object as they were if it raises.

    Otherwise an estimator whose fit failed would seem fitted, or have the classes of one fit and the trees of another.
    The method assigns attributes, and changes none in place.

    Examples
    --------
    >>> from pyrrf.sklearn.rollback import rollback_on_error
    >>> class Counter:
    ...     n = 0
    ...
    ...     @rollback_on_error
    ...     def take(self, item):
    ...         self.n += 1
    ...         return [1, 2, 3][item]
    >>> counter = Counter()
    >>> try:
    ...     counter.take(3)
    ... except IndexError:
    ...     print(counter.n)
    0
    """

    @wraps(method)
    def call(self: Any, *given: Any, **named: Any) -> Any:
        before = dict(vars(self))
        try:
            return method(self, *given, **named)
        except BaseException:
            vars(self).clear()
            vars(self).update(before)
            raise

    return cast(Method, call)
