"""What every peer in Python shares: reading the data, measuring calls, answering the program that asks for them.

A peer is a process that loads the data of the folder it is given, makes one call for each line of its standard input,
and answers each with a line that begins with REPORT.
"""

from __future__ import annotations

import contextlib
import gc
import json
import platform
import re
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

Job = dict[str, Any]


@dataclass
class Data:
    """The arrays of the folder: x is float64 in Fortran order, or a memory map of float32 in C order."""

    x: np.ndarray
    y: np.ndarray
    x_test: np.ndarray
    y_test: np.ndarray
    numbers: bool
    levels: list[int]
    mapped: bool

    def error(self, predicted: Any) -> float:
        """Return the share of wrong classes, or the mean square over the variance, on the rows set aside."""
        if self.numbers:
            return float(np.mean((np.asarray(predicted) - self.y_test) ** 2) / self.y_test.var())
        return float(np.mean(np.asarray(predicted).astype(float) != self.y_test))


def read_data(folder: Path) -> Data:
    """Return the data."""
    facts = json.loads((folder / "data.json").read_text())
    size, columns = facts["rows"], facts["columns"]
    if facts["mapped"]:
        x = np.memmap(folder / "x.bin", np.float32, "r", shape=(size, columns))
    else:
        x = np.fromfile(folder / "x.bin").reshape((size, columns), order="F")
    x_test = np.fromfile(folder / "x_test.bin").reshape((facts["test_rows"], columns), order="F")
    y, y_test = (np.fromfile(folder / name) for name in ("y.bin", "y_test.bin"))
    return Data(x, y, x_test, y_test, facts["numbers"], facts["levels"], facts["mapped"])


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


@contextlib.contextmanager
def _anonymous(found: Job, wanted: bool) -> Iterator[None]:
    """Note the most memory that is no file's, which Linux keeps no peak of: look every hundredth of a second."""
    done = threading.Event()
    most = [_memory("RssAnon")]

    def watch() -> None:
        while not done.wait(0.01):
            most.append(_memory("RssAnon"))

    watcher = threading.Thread(target=watch)
    if wanted:
        watcher.start()
    yield
    if wanted:
        done.set()
        watcher.join()
        found["anonymous"] = max(most) - most[0]


def measured(call: Callable[[], Any], mapped: bool = False) -> tuple[Any, Job]:
    """Make the call; return its answer, and its time, memory and warnings."""
    gc.collect()
    found: Job = {"before": _memory("VmRSS")}
    _forget_peak()
    with warnings.catch_warnings(record=True) as caught, _anonymous(found, mapped):
        warnings.simplefilter("always")
        start = time.perf_counter()
        answer = call()
        found["seconds"] = time.perf_counter() - start
        found["peak"] = _memory("VmHWM")
    found["warnings"] = sorted({str(warning.message) for warning in caught})
    return answer, found


def write_answer(parts: Sequence[Any], path: str) -> None:
    """Write numbers that are compared bit by bit with those of other calls."""
    numbers = np.concatenate([np.ravel(part, order="F") for part in parts]).astype(float)
    # A case that was never out of bag has NA in R and NaN here: one mark for both.
    np.nan_to_num(numbers, nan=np.inf).tofile(path)


def serve(package: str, call: Callable[[Job, Data], Job]) -> None:
    """Load the data; make a call for each line of standard input, and print its report."""
    data = read_data(Path(sys.argv[1]))
    language = f"Python {platform.python_version()}, NumPy {np.__version__}"
    for line in sys.stdin:
        found = call(json.loads(line), data) | {"package": f"{package} {version(package)} ({language})"}
        print("REPORT", json.dumps(found), flush=True)
