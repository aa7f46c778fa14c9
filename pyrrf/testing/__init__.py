"""Tools for tests of code translated from R: recorded forests of R, replayed and compared without R.

Needs the extra `rds`. `record.R` records the forests of a script:

    Rscript -e 'source("record.R"); pyrrf_record("script.R", "calls.rds")'
"""

from pyrrf.testing.assertion import assert_same_as_r
from pyrrf.testing.comparer import Difference, compare_fits
from pyrrf.testing.recording import RECORDER, RecordedCall, Recording, read_recording

__all__ = [
    "RECORDER",
    "Difference",
    "RecordedCall",
    "Recording",
    "assert_same_as_r",
    "compare_fits",
    "read_recording",
]
