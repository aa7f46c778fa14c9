"""Mutual information of all pairs of columns takes the memory that its docstring names."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

CALL = """
import sys, numpy
from pyrrf.papers import equal_width_bins, mutual_information_matrix
codes = equal_width_bins(numpy.random.default_rng(1).random((int(sys.argv[1]), int(sys.argv[2]))))
def peak():
    return int(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
mutual_information_matrix(codes[:2000, :40])
before = peak()
mutual_information_matrix(codes)
print(1024 * (peak() - before))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read in /proc")
@pytest.mark.parametrize(("n", "p"), [(100, 1_000), (20_000, 200)])
def test_memory_of_all_pairs(n: int, p: int) -> None:
    """All cells of the first table would take 3 GB, the indicators of all labels of the second 320 MB."""
    one_thread = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    call = [sys.executable, "-c", CALL, str(n), str(p)]
    taken = int(subprocess.run(call, capture_output=True, text=True, check=True, env=one_thread).stdout)
    assert taken < 4 * 8 * p * p + 4 * n * p + 30_000_000
