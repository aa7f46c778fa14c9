"""rrfNews and rfNews: changes from version to version."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files


def _reader(name: str) -> Callable[[], str]:
    """Return one of R's functions that print a changelog."""

    def print_news() -> str:
        text = (files("pyrrf") / "CHANGELOG.md").read_text(encoding="utf-8")
        print(text)  # noqa: T201
        return text

    print_news.__name__ = print_news.__qualname__ = name
    print_news.__doc__ = f"""Print the changelog of pyrrf (R's ``{name}``).

    Returns
    -------
    str
        The text that was printed.

    Raises
    ------
    FileNotFoundError
        The changelog was not installed.

    Examples
    --------
    >>> import contextlib, io
    >>> import pyrrf
    >>> with contextlib.redirect_stdout(io.StringIO()):
    ...     news = pyrrf.{name}()
    >>> news.splitlines()[0]
    '# Changelog'
    """
    return print_news


rrfNews = _reader("rrfNews")
rfNews = _reader("rfNews")
