"""Redirection of imports from the source folder of a checkout to the installed package.

Python searches the current folder first. In a checkout it finds the sources, which have no compiled core.
"""

from __future__ import annotations

import filecmp
import sys
import warnings
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path


def redirect_to_installed(source: Path) -> None:
    """Import the installed package in place of the one in a source folder.

    The whole package is replaced, so that Python code and the compiled core are of the same version.

    Raises
    ------
    ImportError
        The package is not installed.

    Warns
    -----
    UserWarning
        The installed package was built from other sources.
    """
    installed = next(
        (folder for folder in (Path(each, "pyrrf").resolve() for each in sys.path) if _is_compiled(folder)), None
    )
    if installed is None:
        raise ImportError(
            f"pyrrf was imported from its source folder {str(source.parent)!r}, without a compiled core, and is not "
            "installed: pip install . (to work on the source: CONTRIBUTING.md)"
        )
    differ = [file for file in source.rglob("*.py") if not _is_same(file, installed / file.relative_to(source))]
    if differ:
        warnings.warn(
            f"pyrrf is imported as it was installed in {str(installed)!r}, which differs from {str(source)!r} in "
            f"{len(differ)} files, {differ[0].relative_to(source)} among them; to use these, pip install . again",
            stacklevel=2,
        )
    for name in [name for name in sys.modules if name.split(".")[0] == "pyrrf"]:
        del sys.modules[name]
    spec = spec_from_file_location("pyrrf", installed / "__init__.py")
    assert spec is not None
    assert spec.loader is not None
    # The import statement returns this entry when it ends.
    sys.modules["pyrrf"] = module_from_spec(spec)
    spec.loader.exec_module(sys.modules["pyrrf"])


def _is_compiled(folder: Path) -> bool:
    return any((folder / "_core" / f"fit{suffix}").is_file() for suffix in EXTENSION_SUFFIXES)


def _is_same(file: Path, other: Path) -> bool:
    return other.is_file() and filecmp.cmp(file, other, shallow=False)
