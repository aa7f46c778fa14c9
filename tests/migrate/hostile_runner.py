"""Runs Python files one by one, each in a child and an empty folder; prints what they leave, and try to, as JSON."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any

from pyrrf import r

_ACTS = ("os.system", "os.exec", "os.posix_spawn", "os.fork", "subprocess.Popen", "socket.connect", "os.remove")


def _watch(kind: str, about: tuple[Any, ...], tell: int, place: str) -> None:
    """Note the commands that a file runs, and the files that it makes."""
    writes = kind == "open" and isinstance(about[2], int) and about[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
    inner = kind == "open" and str(about[0]).startswith(place)
    if kind in _ACTS or (writes and inner) or (kind == "import" and about[0] == "TAKEN"):
        os.write(tell, f"{kind} {about[0]!r}\n".encode(errors="replace"))


def _run(file: str, limit: float, place: str, tell: int) -> None:
    """Run a file as Python does: from its bytes."""
    os.chdir(place)
    signal.setitimer(signal.ITIMER_REAL, limit)
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    content = Path(file).read_bytes()
    sys.addaudithook(lambda kind, about: _watch(kind, about, tell, place))
    with contextlib.suppress(BaseException):
        exec(compile(content, file, "exec"), {"__name__": "__main__", "__file__": file})


def acts_of_file(file: str, limit: float) -> list[str]:
    """Return the files that a file leaves, and its attempts."""
    with tempfile.TemporaryDirectory() as place:
        hear, tell = os.pipe()
        child = os.fork()
        if not child:
            os.close(hear)
            try:
                _run(file, limit, place, tell)
            finally:
                os._exit(0)
        os.close(tell)
        with os.fdopen(hear, "rb") as stream:
            acts = stream.read().decode().splitlines()
        os.waitpid(child, 0)
        return acts + [f"left {path.name!r}" for path in Path(place).iterdir()]


def main() -> None:
    """Run the files that standard input names."""
    limit, *files = json.load(sys.stdin)
    for name in r.__all__:
        getattr(r, name)
    acts_by_file = {file: acts for file in files if (acts := acts_of_file(file, limit))}
    sys.stdout.write(json.dumps(acts_by_file) + "\n")


if __name__ == "__main__":
    main()
