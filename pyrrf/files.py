"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import stat
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

_CALLS = itertools.count()


def resolved(path: str | os.PathLike[str]) -> Path:
    """Return where a path leads; of links in a loop, which `Path.resolve` may refuse, the path of one."""
    return Path(os.path.realpath(path))


def check_target(path: str | os.PathLike[str]) -> None:
    """See, before any work is done, that a file can be written.

    Raises
    ------
    OSError
        Its folder is not there or takes no new file, or what has its name is no file.
    """
    target = resolved(path)
    if not target.parent.is_dir():
        raise FileNotFoundError(f"{path}: there is no folder {str(target.parent)!r}")
    # Tried, because the system refuses long names, and files in folders that are open to writing by their modes.
    beside = _beside(target, path)
    try:
        no_file = _is_no_file(target)
        if not no_file:
            beside.touch()
            beside.unlink()
    except OSError as error:
        raise OSError(f"{path}: no file can be made in {str(target.parent)!r}: {error.strerror or error}") from None
    if no_file:
        raise OSError(f"{path}: this path exists and is not a file")
    # To put another in its place, the system asks for the folder's permission alone.
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(f"{path}: this file is read-only")


def _is_no_file(path: Path) -> bool:
    """Whether something has this name that is no file; a name that is too long is an OSError."""
    try:
        return not stat.S_ISREG(path.stat().st_mode)
    except FileNotFoundError:
        return False


def write_all(files: Mapping[str, Callable[[Path], object]]) -> None:
    """Write some files next to their places, then put all of them there; a pipe or a device is written to directly.

    Parameters
    ----------
    files : dict of str to callable
        A function for each path, which writes to the path that it is given.

    Raises
    ------
    OSError
        One cannot be written; then none is.

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
    # A link stays one: what it leads to is replaced.
    targets = {path: resolved(path) for path in files}
    beside = {path: at if _is_no_file(at) else _beside(at, path) for path, at in targets.items()}
    made = {path: at for path, at in beside.items() if at != targets[path]}
    try:
        for path, write in files.items():
            with _named(path, beside[path]):
                write(beside[path])
        for path, temporary in made.items():
            with _named(path, temporary):
                if targets[path].exists():
                    shutil.copymode(targets[path], temporary)
                temporary.replace(targets[path])
    finally:
        for temporary in made.values():
            temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def _named(path: str, beside: Path) -> Iterator[None]:
    """Let an OSError name the requested path instead of the temporary one."""
    try:
        yield
    except OSError as error:
        reason = (error.strerror or str(error)).replace(str(beside), path)
        named = OSError(f"{path}: {reason}")
        # Callers print this alone; they asked for another path, and wrote to a temporary one next to it.
        named.strerror = reason
        raise named from None


def _beside(target: Path, path: str | os.PathLike[str]) -> Path:
    """Return where a file is written before it is put in its place: a name that no other call has.

    Its extension is that of the requested path, by which libraries choose the format; of a link, the target may have
    another.
    """
    return target.with_name(f".{os.getpid()}-{next(_CALLS)}{Path(path).suffix}")
