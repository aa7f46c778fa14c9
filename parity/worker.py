"""R in a child process with a limit of time: where R hangs or crashes, there is a new child and the answer says so.

A process loads R and forks; the fork answers. When it ends, whatever the reason, the process forks again.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection, Pipe
from typing import Any

from parity.answers import Answer
from parity.steps import Case

LOST = ("R hung", "R crashed")
CRASHED = "R crashed"


def within(limit: float, call: Callable[[], Any]) -> Any:
    """Answer of a call in a fork of this process: what it returns, or "R hung" after so many seconds, or "R crashed".

    R in this process is never stopped: no signal ends the loops of a package's C.

    Raises
    ------
    RuntimeError
        The call raised; the message is that of its error.
    """
    pipe, other = Pipe(duplex=False)
    child = os.fork()
    if child == 0:
        try:
            other.send(("answer", call()))
        except BaseException as error:
            other.send(("error", f"{type(error).__name__}: {error}"))
        finally:
            os._exit(0)
    other.close()
    try:
        kind, value = pipe.recv() if pipe.poll(limit) else ("answer", LOST[0])
    except EOFError:
        kind, value = "answer", CRASHED
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        pipe.close()
    if kind == "error":
        raise RuntimeError(value)
    return value


class Worker:
    """R with RRF and randomForest, in a child process."""

    def __init__(self) -> None:
        self.pipe, other = Pipe()
        code = f"from parity.worker import serve; serve({other.fileno()})"
        handles = [other.fileno()]
        self.server = subprocess.Popen([sys.executable, "-c", code], pass_fds=handles, stderr=subprocess.DEVNULL)
        other.close()
        self.child: int = self.pipe.recv()

    def begin(self, item: Case, parts: dict[str, Any]) -> None:
        """Tell R the data and the steps of a program."""
        self.pipe.send((item, parts))

    def answer(self, limit: float) -> Answer | str:
        """Answer of R to the next step; "R hung", after so many seconds, or "R crashed" if there is none."""
        self.pipe.send("next")
        reply = self.pipe.recv() if self.pipe.poll(limit) else LOST[0]
        if reply == LOST[0]:
            self.restart()
        elif reply == CRASHED:
            self.child = self.pipe.recv()
        return reply

    def restart(self) -> None:
        """Go on with a new R."""
        os.kill(self.child, signal.SIGKILL)
        while self.pipe.recv() != CRASHED:
            pass
        self.child = self.pipe.recv()

    def close(self) -> None:
        self.server.kill()
        os.kill(self.child, signal.SIGKILL)
        self.server.wait()
        self.pipe.close()


def serve(handle: int) -> None:
    """Load R once; fork one that answers, again and again."""
    # Imported in the child alone.
    from parity.r_side import RSide

    pipe: Any = Connection(handle)
    r = RSide(("RRF", "randomForest"))
    while True:
        child = os.fork()
        if child == 0:
            _answer(pipe, r)
            os._exit(0)
        pipe.send(child)
        os.waitpid(child, 0)
        pipe.send(CRASHED)


def _answer(pipe: Any, r: Any) -> None:
    """Answer step by step, for as long as someone asks."""
    answers: Any = None
    with contextlib.suppress(EOFError):
        while True:
            asked = pipe.recv()
            if asked == "next":
                pipe.send(next(answers))
                continue
            if answers is not None:
                # A program that was left half-way gives back what it attached.
                answers.close()
            answers = r.answers(*asked)
