"""Atomic writing of files: each is written whole or not at all."""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import stat
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

_CALLS = itertools.count()


def resolve_path(path: str | os.PathLike[str]) -> Path:
    """Return the path behind links; unlike `Path.resolve`, accept links in a loop and return one of them."""
    return Path(os.path.realpath(path))


def check_target(path: str | os.PathLike[str]) -> None:
    """Check that a file can be written, before any work is done.

    Raises
    ------
    OSError
        Its folder does not exist or is read-only, or the path is not a regular file.
    """
    target = resolve_path(path)
    if not target.parent.is_dir():
        raise FileNotFoundError(f"{path}: there is no folder {str(target.parent)!r}")
    # A trial, because the system refuses long names, and files in some folders whose modes allow writing.
    temporary = _temporary_path(target, path)
    try:
        not_regular = _is_not_regular(target)
        if not not_regular:
            temporary.touch()
            temporary.unlink()
    except OSError as error:
        raise OSError(f"{path}: no file can be made in {str(target.parent)!r}: {error.strerror or error}") from None
    if not_regular:
        raise OSError(f"{path}: this path exists and is not a file")
    # Replacing a file needs only permission for the folder, so a read-only file is refused here.
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(f"{path}: this file is read-only")


def _is_not_regular(path: Path) -> bool:
    """Return whether a path exists and is not a regular file; raise OSError if its name is too long."""
    try:
        return not stat.S_ISREG(path.stat().st_mode)
    except FileNotFoundError:
        return False


def write_all(files: Mapping[str, Callable[[Path], object]]) -> None:
    """Write temporary files next to the targets, then rename all of them; write to pipes and devices directly.

    Parameters
    ----------
    files : dict of str to callable
        For each path a function that writes the file, given the temporary path.

    Raises
    ------
    OSError
        A file cannot be written; then no target is changed.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from pyrrf.files import write_all
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_all({f"{folder}/a.txt": lambda at: at.write_text("whole")})
    ...     [path.name for path in Path(folder).iterdir()]
    ['a.txt']
    """
    # A link is preserved; its target is replaced.
    targets = {path: resolve_path(path) for path in files}
    temporaries = {
        path: _temporary_path(target, path) for path, target in targets.items() if not _is_not_regular(target)
    }
    destinations = targets | temporaries
    try:
        for path, write in files.items():
            with _name_requested_path(path, destinations[path]):
                write(destinations[path])
        for path, temporary in temporaries.items():
            with _name_requested_path(path, temporary):
                if targets[path].exists():
                    shutil.copymode(targets[path], temporary)
                temporary.replace(targets[path])
    finally:
        for temporary in temporaries.values():
            temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def _name_requested_path(path: str, temporary: Path) -> Iterator[None]:
    """Let an OSError name the requested path instead of the temporary one."""
    try:
        yield
    except OSError as error:
        reason = (error.strerror or str(error)).replace(str(temporary), path)
        request_error = OSError(f"{path}: {reason}")
        # Callers print this alone, and have requested another path than the temporary one.
        request_error.strerror = reason
        raise request_error from None


def _temporary_path(target: Path, path: str | os.PathLike[str]) -> Path:
    """Return a temporary path next to a target, whose name no other call uses.

    It has the extension of the requested path, by which libraries choose the format; the target of a link may have
    another one.
    """
    return target.with_name(f".{os.getpid()}-{next(_CALLS)}{Path(path).suffix}")
