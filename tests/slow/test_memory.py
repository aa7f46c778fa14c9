"""Memory of a fit of engine parallel by its number of threads."""

from __future__ import annotations

import subprocess
import sys

import pytest

FIT = """
import sys, numpy, pyrrf, pyrrf.threads
pyrrf.threads._own_cores = lambda: 16
x = numpy.random.default_rng(1).random((300_000, 20))
total = x[:, 0] + x[:, 1] + numpy.random.default_rng(2).random(len(x))
y = total if sys.argv[1] == "numbers" else numpy.where(total > 1.5, "a", "b")
pyrrf.RRF(x, y, ntree=32, maxnodes=5000, seed=1, engine="parallel", n_jobs=int(sys.argv[2]), flagReg=int(sys.argv[3]))
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


def peak(kind: str, n_jobs: int, regularized: int) -> int:
    """Most memory of a process that fits, in KiB."""
    call = [sys.executable, "-c", FIT, kind, str(n_jobs), str(regularized)]
    return int(subprocess.run(call, capture_output=True, text=True, check=True).stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read in /proc")
@pytest.mark.parametrize("regularized", [1, 0])
@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_sixteen_threads_take_little_more_than_one(kind: str, regularized: int) -> None:
    one, many = peak(kind, 1, regularized), peak(kind, 16, regularized)
    assert many <= 1.5 * one
