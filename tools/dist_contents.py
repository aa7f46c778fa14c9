"""Say what an archive to be published lacks, and what it holds that it should not.

Usage: python tools/dist_contents.py SDIST WHEEL...

The source archive holds every file of the last commit. A wheel holds the package and the compiled binding: no sources
of the binding, no header, no C, no tests, no benchmarks.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable
from pathlib import PurePosixPath

# Compiled from .pyx; the binding's declarations (.pxd) serve nobody who has no core to link with.
SOURCES = (".pyx", ".pxd")
# cpython-313-x86_64-linux-gnu.so, cpython-313-darwin.so, cp313-win_amd64.pyd.
COMPILED = re.compile(r"(\.[\w-]+)?\.(so|pyd)$")
# The last is that of the threads that wheels for Windows have linked in.
LICENSES = ("LICENSE", "AUTHORS.md", "tools/LICENSE.winpthreads")
OF_A_WHEEL = ("METADATA", "RECORD", "WHEEL", "entry_points.txt", *(f"licenses/{name}" for name in LICENSES))


def wanted_in_wheel(sources: Iterable[str]) -> set[str]:
    """Return the files of a wheel, with compiled modules named as their sources are, less the ending."""
    package = {name for name in sources if name.startswith("pyrrf/")}
    kept = {name for name in package if not name.endswith(SOURCES)}
    compiled = {name.removesuffix(".pyx") for name in package if name.endswith(".pyx")}
    return kept | compiled | {"pyrrf/CHANGELOG.md"} | {f"dist-info/{name}" for name in OF_A_WHEEL}


def found_in_wheel(names: Iterable[str]) -> set[str]:
    """Return the files of a wheel under the names that `wanted_in_wheel` gives them; dist-info loses its version."""
    plain = (re.sub(r"^pyrrf-[^/]*\.dist-info/", "dist-info/", name) for name in names if not name.endswith("/"))
    # auditwheel adds a list of what it bundled.
    return {COMPILED.sub("", name) for name in plain if not name.startswith("dist-info/sboms/")}


def wanted_in_sdist(committed: Iterable[str]) -> set[str]:
    """Return the files of a source archive: those of the commit, and the metadata."""
    return {*committed, "PKG-INFO"}


def complaints(archive: str, wanted: set[str], found: set[str]) -> list[str]:
    """Return one line for each file that lacks or is too many."""
    lacks = [f"{archive} lacks {name}" for name in sorted(wanted - found)]
    return lacks + [f"{archive} should not hold {name}" for name in sorted(found - wanted)]


def names_in_sdist(path: str) -> set[str]:
    """Return the files of a source archive, without the folder that all are in."""
    with tarfile.open(path) as archive:
        return {str(PurePosixPath(*PurePosixPath(item.name).parts[1:])) for item in archive if item.isfile()}


def names_in_wheel(path: str) -> list[str]:
    """Return the files of a wheel, as they are called in it."""
    with zipfile.ZipFile(path) as archive:
        return archive.namelist()


def committed() -> list[str]:
    """Return the files of the last commit."""
    listing = subprocess.run(
        ["git", "ls-tree", "-rz", "--name-only", "HEAD"], check=True, capture_output=True, text=True
    )
    return listing.stdout.rstrip("\0").split("\0")


def main(sdist: str, *wheels: str) -> int:
    """Print the complaints; 1 if there are any."""
    sources = names_in_sdist(sdist)
    found = complaints(sdist, wanted_in_sdist(committed()), sources)
    for wheel in wheels:
        found += complaints(wheel, wanted_in_wheel(sources), found_in_wheel(names_in_wheel(wheel)))
    sys.stderr.write("".join(f"{line}\n" for line in found))
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
