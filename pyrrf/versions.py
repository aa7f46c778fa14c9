"""show_versions: versions for bug reports."""

from __future__ import annotations

import os
import platform
import re
import sys
from importlib.metadata import PackageNotFoundError, requires, version

# Extras for the development of pyrrf, which bug reports do not need.
OF_DEVELOPERS = {"bench", "dist", "docs", "lint", "parity", "slow", "test"}


def packages() -> list[str]:
    """Return the packages that pyrrf requires, alone or with an extra that users install."""
    names = set()
    for requirement in requires("pyrrf") or []:
        extra = re.search(r"extra == ['\"](\w+)['\"]", requirement)
        if not extra or extra[1] not in OF_DEVELOPERS:
            names.add(re.split(r"[^\w.-]", requirement, maxsplit=1)[0])
    # Optional types of input.
    return sorted(names | {"polars", "scipy"}, key=str.lower)


def package_version(package: str) -> str:
    """Return the version of a package, or "not installed"."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def show_versions() -> None:
    """Print the versions of pyrrf, of Python, of the system and of the packages used; for bug reports.

    R has no such function; `sessionInfo()` is nearest.

    Raises
    ------
    importlib.metadata.PackageNotFoundError
        pyrrf runs from a folder and was never installed.

    Examples
    --------
    >>> import contextlib, io
    >>> import pyrrf
    >>> with contextlib.redirect_stdout(io.StringIO()) as shown:
    ...     pyrrf.show_versions()
    >>> shown.getvalue().splitlines()[0].split()[0]
    'pyrrf'
    """
    lines = {
        "pyrrf": version("pyrrf"),
        "Python": f"{platform.python_version()} ({platform.python_implementation()})",
        "system": platform.platform(),
        "processor": f"{platform.machine()}, {os.cpu_count()} cores",
        "C library": " ".join(platform.libc_ver()).strip() or "unknown",
        **{name: package_version(name) for name in packages()},
    }
    width = max(map(len, lines)) + 2
    sys.stdout.write("".join(f"{name:{width}}{value}\n" for name, value in lines.items()))
