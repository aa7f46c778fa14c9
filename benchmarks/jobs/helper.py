"""A process that answers tasks: one line to its input, fields parted by tabs, one line from its output."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence


class Helper:
    """A program that serves until it is closed; it says "ok", or "error", a tab, and its answer."""

    def __init__(self, name: str, command: Sequence[str]) -> None:
        self.name = name
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    def close(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.communicate()

    def ask(self, *task: str) -> str:
        """Return the answer to a task.

        Raises
        ------
        RuntimeError
            The task failed.
        ChildProcessError
            The process has ended, which says nothing about the task.
        """
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write("\t".join(task) + "\n")
        stdin.flush()
        state, _, answer = stdout.readline().rstrip("\n").partition("\t")
        if not state:
            raise ChildProcessError(f"{self.name} has ended; are its packages installed?")
        if state != "ok":
            raise RuntimeError(f"{self.name} failed: {answer}")
        return answer
