"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import uuid
from pathlib import Path


def write_whole(path: str | os.PathLike[str], text: str) -> Path:
    """Write a text as UTF-8. A file of this name is replaced when the new one is complete, or else stays as it is.

    Parameters
    ----------
    path : str or path
    text : str

    Returns
    -------
    Path

    Raises
    ------
    OSError
        The folder does not exist, the name is that of a folder or a device, or the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from pyrrf.files import write_whole
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_whole(f"{folder}/a.txt", "whole").read_text()
    'whole'
    """
    path = writable_file(path)
    # A link stays one: what it leads to is replaced.
    target = path.resolve()
    part = target.with_name(f".{uuid.uuid4().hex}.part")
    try:
        part.write_text(text, encoding="utf-8", newline="\n")
        os.replace(part, target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return path


def writable_file(path: str | os.PathLike[str]) -> Path:
    """Return a path at which a file can be, before it is worked for.

    Raises
    ------
    FileNotFoundError
        The folder does not exist.
    OSError
        The name is that of something else than a file.
    """
    found = Path(path)
    if not found.parent.is_dir():
        raise FileNotFoundError(f"folder {str(found.parent)!r} does not exist; make it first")
    if found.exists() and not found.is_file():
        raise OSError(f"{str(found)!r} is no file but a folder or a device; pass the name of a file")
    return found
