"""For suites of those who translated from R: what R answered once, replayed and compared where R is not.

Needs the extra `rds`. `record.R` records the forests of a script:

    Rscript -e 'source("record.R"); pyrrf_record("script.R", "calls.rds")'
"""

from pyrrf.testing.bits import Difference, compare_fits
from pyrrf.testing.recording import RECORDER, RecordedCall, Recording, read_recording
from pyrrf.testing.same import assert_same_as_r

__all__ = [
    "RECORDER",
    "Difference",
    "RecordedCall",
    "Recording",
    "assert_same_as_r",
    "compare_fits",
    "read_recording",
]
