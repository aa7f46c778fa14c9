"""Supervision of the checking process: a block that hangs or crashes is left to R, and the others run again."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

from pyrrf.migrate.check.job import Job, Outcome
from pyrrf.migrate.check.recording import CheckError
from pyrrf.r.bridge.session import end, last_line

_GRACE = 20.0
_START = 120.0


def step(job: Job, records: Path, folder: Path) -> list[Outcome]:
    """Run a job; return the outcomes of its blocks.

    Parameters
    ----------
    job : Job
    records : Path
        What R wrote.
    folder : Path
        For files of its own.

    Raises
    ------
    CheckError
        The process does not begin.
    """
    job = replace(job, blocks=list(job.blocks), records=str(records))
    while True:
        outcomes, stuck, why = _once(job, folder)
        if stuck is None:
            return outcomes + [Outcome(i, "unreached") for i in range(len(outcomes), len(job.blocks))]
        if stuck < 0 or job.blocks[stuck].skip:
            raise CheckError(f"Python does not begin: {why}")
        job.blocks[stuck] = replace(job.blocks[stuck], skip=why)


def _once(job: Job, folder: Path) -> tuple[list[Outcome], int | None, str]:
    """Return the outcomes, the block at which the process hangs or crashes, and the reason."""
    file = folder / "job.json"
    job.write(file)
    with (
        (folder / "python-stderr").open("wb") as stderr,
        subprocess.Popen(
            [sys.executable, "-m", "pyrrf.migrate.check.stepper", str(file)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=stderr,
            cwd=folder,  # where no module of the script's is found instead of Python's
            env=os.environ | {"MPLBACKEND": "Agg"},
            start_new_session=True,
        ) as process,
    ):
        try:
            outcomes, block, done, hangs = _listen(process)
        finally:
            end(process)
    if done:
        return outcomes, None, ""
    complaint = last_line(folder / "python-stderr")[:200]
    crash = f"Python ends with status {process.returncode}{': ' if complaint else ''}{complaint}"
    return outcomes, block, hangs or crash


def _listen(process: subprocess.Popen[bytes]) -> tuple[list[Outcome], int, bool, str]:
    """Return outcomes, the block that began last, whether the end was reached, and why not if it hangs."""
    lines: queue.Queue[bytes | None] = queue.Queue()
    threading.Thread(target=_read, args=(process, lines), daemon=True).start()
    outcomes: list[Outcome] = []
    block, limit = -1, 0.0
    while True:
        try:
            line = lines.get(timeout=limit + _GRACE if limit else _START)
        except queue.Empty:
            return outcomes, block, False, f"it takes longer than {limit or _START:.0f} s"
        if line is None:
            return outcomes, block, False, ""
        message: dict[str, Any] = json.loads(line)
        if "done" in message:
            return outcomes, block, True, ""
        if "outcome" in message:
            outcomes.append(Outcome(**message["outcome"]))
            limit = 0.0
        else:
            block, limit = message["begins"], message["limit"]


def _read(process: subprocess.Popen[bytes], lines: queue.Queue[bytes | None]) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        lines.put(line)
    lines.put(None)
