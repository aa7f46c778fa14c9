"""rrfNews and rfNews: what changed from version to version."""

from __future__ import annotations

from importlib.resources import files


def rrfNews() -> str:
    """Print the changelog of pyrrf (R's ``rrfNews``).

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
    ...     news = pyrrf.rrfNews()
    >>> news.splitlines()[0]
    '# Changelog'
    """
    text = (files("pyrrf") / "CHANGELOG.md").read_text(encoding="utf-8")
    print(text)  # noqa: T201
    return text


def rfNews() -> str:
    """Print the changelog of pyrrf (R's ``rfNews``).

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
    ...     news = pyrrf.rfNews()
    >>> news.splitlines()[0]
    '# Changelog'
    """
    return rrfNews()
