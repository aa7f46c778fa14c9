"""Mutual information of all pairs of 2,000 columns: seconds of one core, and memory."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

CALL = """
import sys, time, numpy
from pyrrf.selectors import equal_width_bins, mutual_information_matrix
codes = equal_width_bins(numpy.random.default_rng(1).random((int(sys.argv[1]), 2000)))
def peak():
    return int(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
before, begun = peak(), time.process_time()
mutual_information_matrix(codes)
print(time.process_time() - begun, peak() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read in /proc")
@pytest.mark.parametrize("n", [500, 2000])
def test_two_thousand_columns_take_less_than_a_minute(n: int) -> None:
    one_thread = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    call = [sys.executable, "-c", CALL, str(n)]
    out = subprocess.run(call, capture_output=True, text=True, check=True, env=one_thread).stdout
    seconds, kib = map(float, out.split())
    assert seconds < 60
    # The answer is 32 MB.
    assert kib < 6 * 32_000
