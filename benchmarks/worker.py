"""The processes that make the calls."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from pathlib import Path
from typing import Any

from benchmarks.origin import ROOT
from benchmarks.peers import FAMILIES

LONGEST_CALL = 600.0  # seconds; a call that takes longer is stopped and counts as failed
# The forests are told their number of threads; nothing else may start any.
LIMITS = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class CallError(Exception):
    """A peer ended, or was stopped, without a report."""


class Workers:
    """One process for each script, which has loaded the data and makes call after call; `fresh`: one for each call."""

    def __init__(self, folder: Path, fresh: bool) -> None:
        self.folder = folder
        self.fresh = fresh
        self.running: dict[str, subprocess.Popen[str]] = {}

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        for script in list(self.running):
            self._end(script)

    def ask(self, family: str, job: dict[str, Any]) -> dict[str, Any]:
        """Let a family make one call; return its report."""
        script = FAMILIES[family].script
        worker = self.running.get(script) or self._start(family)
        stopper = threading.Timer(LONGEST_CALL, worker.kill)
        stopper.start()
        try:
            return self._talk(worker, job)
        except (OSError, CallError) as error:
            self._end(script)
            raise CallError(f"{script} gave no report") from error
        finally:
            stopper.cancel()
            if self.fresh:
                self._end(script)

    def _talk(self, worker: subprocess.Popen[str], job: dict[str, Any]) -> dict[str, Any]:
        worker.stdin.write(json.dumps(job) + "\n")
        worker.stdin.flush()
        for line in worker.stdout:  # packages print there too
            mark, _, report = line.partition(" ")
            if mark == "REPORT":
                found: dict[str, Any] = json.loads(report)
                return found
        raise CallError

    def _start(self, family: str) -> subprocess.Popen[str]:
        command = [*FAMILIES[family].command, str(self.folder)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        worker = subprocess.Popen(command, cwd=ROOT, env=os.environ | LIMITS, **pipes)
        self.running[FAMILIES[family].script] = worker
        return worker

    def _end(self, script: str) -> None:
        worker = self.running.pop(script, None)
        if worker is None:
            return
        worker.kill()
        worker.communicate()
