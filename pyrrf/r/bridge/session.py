"""The session of R of this process: started when it is first needed, ended with the process."""

from __future__ import annotations

import atexit
import contextlib
import os
import secrets
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from pyrrf.r.values.errors import NotSupportedError

_SCRIPT = Path(__file__).with_name("session.R")
VALUES = _SCRIPT.with_name("values.R")
"""Functions for values of R."""
_OPTIONS = ("--no-echo", "--no-save", "--no-restore", "--no-site-file", "--no-init-file", "-f")
_LENGTH = struct.Struct(">d")
_SECONDS_TO_START = 60.0
_PATIENCE = 5.0
_PIECE = 1 << 20


class RSessionError(NotSupportedError):
    """There is no R, or it ended before it answered; the variables of Python are as they were."""


class Session:
    """A process of R that answers requests.

    Parameters
    ----------
    classes : str
        Classes of values that come back, with blanks between; R keeps those of others.

    Raises
    ------
    RSessionError
        R is not there, or does not start.
    """

    def __init__(self, classes: str) -> None:
        self.pid = os.getpid()
        self._folder = tempfile.mkdtemp(prefix="pyrrf-r-")  # a fork of this process must not remove it
        paths = [Path(self._folder, name) for name in ("stdout", "stderr")]
        for path in paths:
            path.touch()
        self._outputs = [path.open("rb") for path in paths]
        try:
            self._connection, self._process = self._start(classes)
        except BaseException:
            self._discard()
            raise

    def _start(self, classes: str) -> tuple[socket.socket, subprocess.Popen[bytes]]:
        token = secrets.token_hex(16)
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.settimeout(0.1)
            variables = {"PYRRF_PORT": str(server.getsockname()[1]), "PYRRF_TOKEN": token, "PYRRF_CLASSES": classes}
            # Opened anew, so that reading has file positions of its own.
            with open(self._outputs[0].name, "ab") as stdout, open(self._outputs[1].name, "ab") as stderr:
                process = begin(_SCRIPT, variables, stdout, stderr, words=sys.argv[1:])
            last = time.monotonic() + _SECONDS_TO_START
            while time.monotonic() < last and process.poll() is None:
                try:
                    connection, _ = server.accept()
                except TimeoutError:
                    continue
                connection.settimeout(_PATIENCE)
                if _receive(connection, len(token)) == token.encode():
                    connection.settimeout(None)
                    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    return connection, process
                connection.close()
        end(process)
        raise RSessionError(f"R does not start: {self._complaint() or 'it does not answer'}")

    def ask(self, request: bytes) -> bytes:
        """Return R's answer; its printed text goes to standard output and error.

        Raises
        ------
        RSessionError
            R ended.
        SystemExit
            The code ended R by ``quit()``.
        KeyboardInterrupt
            The user interrupted; R goes on with its next request.
        """
        sys.stdout.flush()
        answer, interrupted = None, False
        try:
            with contextlib.suppress(OSError):
                self._connection.sendall(request)
                interrupted = self._wait()
                answer = self._answer()
        except BaseException:  # in the middle of a request, or of an answer
            self._show()
            self.close(patience=0)
            raise
        self._show()
        if answer is None:
            code = self._process.wait()
            complaint = self._complaint()
            self.close()
            raise RSessionError(f"{ending(code)}{': ' if complaint else ''}{complaint}; what it held is gone")
        if interrupted:
            raise KeyboardInterrupt
        return answer

    def _wait(self) -> bool:
        """Wait until an answer begins; return whether the user interrupted R."""
        try:
            self._connection.recv(1, socket.MSG_PEEK)
            return False
        except KeyboardInterrupt:
            self._process.send_signal(signal.SIGINT)
            self._connection.settimeout(_PATIENCE)
            try:
                self._connection.recv(1, socket.MSG_PEEK)
            except TimeoutError:
                raise KeyboardInterrupt from None
            self._connection.settimeout(None)
            return True

    def _answer(self) -> bytes | None:
        head = _receive(self._connection, _LENGTH.size)
        return None if head is None else _receive(self._connection, int(_LENGTH.unpack(head)[0]))

    def _show(self) -> None:
        """Write R's new output."""
        for file, stream in zip(self._outputs, (sys.stdout, sys.stderr), strict=True):
            if text := _new_text(file):
                stream.write(text)

    def _complaint(self) -> str:
        return last_line(Path(self._outputs[1].name))

    def quit(self) -> int:
        """Wait for R to exit by itself; return its status."""
        code = self._process.wait()
        self._show()
        self.close()
        return code

    @property
    def is_alive(self) -> bool:
        """Whether the session accepts requests of this process."""
        return self.pid == os.getpid() and self._connection.fileno() >= 0 and self._process.poll() is None

    def close(self, patience: float = _PATIENCE) -> None:
        """End R; if it is computing, after a timeout in seconds."""
        if self.pid != os.getpid():  # of the process that forked this one
            return
        self._connection.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(patience)
        end(self._process)
        self._discard()

    def _discard(self) -> None:
        for file in self._outputs:
            file.close()
        shutil.rmtree(self._folder, ignore_errors=True)


def _receive(connection: socket.socket, size: int) -> bytes | None:
    """Return `size` bytes; None if the connection ends before."""
    content = bytearray()
    while len(content) < size:
        piece = connection.recv(min(size - len(content), _PIECE))
        if not piece:
            return None
        content += piece
    return bytes(content)


def _new_text(file: object) -> str:
    """Return the text appended to a file since it was last read."""
    content: bytes = file.read()  # type: ignore[attr-defined]
    return content.decode("utf-8", errors="replace")


def begin(
    script: Path,
    variables: dict[str, str],
    stdout: IO[bytes],
    stderr: IO[bytes],
    folder: Path | None = None,
    words: Sequence[str] = (),
) -> subprocess.Popen[bytes]:
    """Start R with a script of this package, its arguments, and the path of values.R.

    The words are those that `commandArgs` gives there.

    Raises
    ------
    RSessionError
        R is not there.
    """
    program = shutil.which("R")
    if program is None:
        raise RSessionError("R is needed, and R is not to be found; install R, or put its folder into PATH")
    return subprocess.Popen(
        [program, *_OPTIONS, str(script), "--args", *words],
        stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, cwd=folder,
        env=os.environ | variables | {"PYRRF_VALUES": str(VALUES), "LANGUAGE": "en"}, start_new_session=True,
    )  # fmt: skip


def ending(status: int) -> str:
    """Describe the exit status of R."""
    return f"R ended by signal {-status}" if status < 0 else f"R ended with status {status}"


def end(process: subprocess.Popen[bytes]) -> None:
    """End the process of a session, and its child processes."""
    if process.poll() is None:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
        process.wait()


def last_line(file: Path) -> str:
    """Return the last line of a file, such as R's last error message."""
    lines = file.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return lines[-1].strip() if lines else ""


_RUNNING: list[Session] = []


def session(classes: str) -> Session:
    """Return the session of this process, a new one where there is none."""
    if not _RUNNING or not _RUNNING[0].is_alive:
        for old in _RUNNING:
            old.close()
        _RUNNING[:] = [Session(classes)]
    return _RUNNING[0]


@atexit.register
def _close() -> None:
    for running in _RUNNING:
        if running.is_alive:
            running.close()
