"""What every call from Python shares: reading the data, measuring, reporting."""

from __future__ import annotations

import contextlib
import gc
import json
import platform
import re
import time
import warnings
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np


def read_job(folder: Path) -> dict[str, Any]:
    """Return what is to be grown."""
    job: dict[str, Any] = json.loads((folder / "job.json").read_text())
    return job


def read_data(folder: Path, job: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """Return x, float64 in Fortran order, and y, float64."""
    x = np.fromfile(folder / "x.bin").reshape((job["rows"], job["columns"]), order="F")
    return x, np.fromfile(folder / "y.bin")


def _memory(name: str) -> float:
    """Return a size from /proc/self/status in MiB."""
    status = Path("/proc/self/status").read_text()
    return int(re.search(rf"{name}:\s+(\d+)", status)[1]) / 1024


def _forget_peak() -> None:
    """Let the peak begin anew, so that loading the data does not hide the call.

    VmHWM can do so; getrusage's ru_maxrss starts with the peak of the process that started this one.
    """
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def measured(call: Callable[[], Any]) -> tuple[Any, dict[str, Any]]:
    """Make the call; return its answer, and its time, memory and warnings."""
    gc.collect()
    before = _memory("VmRSS")
    _forget_peak()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        start = time.perf_counter()
        answer = call()
        seconds = time.perf_counter() - start
    said = sorted({str(warning.message) for warning in caught})
    return answer, {"seconds": seconds, "peak": _memory("VmHWM"), "before": before, "warnings": said}


def write_answer(parts: Sequence[Any], path: str) -> None:
    """Write numbers that are compared bit by bit with those of other calls."""
    numbers = np.concatenate([np.ravel(part, order="F") for part in parts]).astype(float)
    # A case that was never out of bag has NA in R and NaN here: one mark for both.
    np.nan_to_num(numbers, nan=np.inf).tofile(path)


def report(package: str, found: dict[str, Any]) -> None:
    """Print the report, as the last line."""
    language = f"Python {platform.python_version()}, NumPy {np.__version__}"
    print(json.dumps(found | {"package": f"{package} {version(package)} ({language})"}))
