"""R in a child process with a limit of time: where R hangs or crashes, the child is started anew and the answer says so."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from multiprocessing.connection import Connection, Pipe
from typing import Any

from parity.answers import Answer
from parity.steps import Case

LOST = ("R hung", "R crashed")


class Worker:
    """R with RRF and randomForest, in a child process.

    Parameters
    ----------
    limit : float, default 4
        Seconds that R has for one step.
    """

    def __init__(self, limit: float = 4.0) -> None:
        self.limit = limit
        self.start()

    def start(self) -> None:
        self.pipe, other = Pipe()
        code = f"from parity.worker import serve; serve({other.fileno()})"
        self.child = subprocess.Popen([sys.executable, "-c", code], pass_fds=[other.fileno()], stderr=subprocess.DEVNULL)
        other.close()
        self.pipe.recv()

    def answers(self, item: Case, parts: dict[str, Any]) -> Iterator[Answer | str]:
        """Yield R's answers; "R hung" or "R crashed" in the place of the one that does not come, and then no more."""
        self.pipe.send((item, parts))
        for _ in item.steps:
            self.pipe.send("next")
            try:
                found = self.pipe.recv() if self.pipe.poll(self.limit) else "R hung"
            except (EOFError, ConnectionResetError):
                found = "R crashed"
            if found in LOST:
                self.close()
                self.start()
                yield found
                return
            yield found

    def close(self) -> None:
        self.child.kill()
        self.child.wait()
        self.pipe.close()


def serve(handle: int) -> None:
    """Answer step by step, for as long as someone asks."""
    # Imported in the child alone.
    from parity.r_side import RSide

    pipe: Any = Connection(handle)
    r = RSide(("RRF", "randomForest"))
    pipe.send("ready")
    answers: Iterator[Answer] = iter(())
    with contextlib.suppress(EOFError):
        while True:
            asked = pipe.recv()
            if asked == "next":
                pipe.send(next(answers))
            else:
                # A program that was left half-way gives back what it attached.
                close = getattr(answers, "close", None)
                if close is not None:
                    close()
                answers = r.answers(*asked)
