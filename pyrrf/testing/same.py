"""Whether a fit is the one that R recorded."""

from __future__ import annotations

import os

from pyrrf.result.result import ForestResult
from pyrrf.testing.bits import compare_fits
from pyrrf.testing.causes import compare_settings
from pyrrf.testing.recording import RecordedCall, Recording, read_recording


def assert_same_as_r(
    fit: ForestResult, recording: RecordedCall | Recording | str | os.PathLike[str], call: int = 0
) -> None:
    """Fail unless a fit is R's, bit by bit (R has no such function).

    Parameters
    ----------
    fit : ForestResult
        As `RRF`, `GRRF` or `randomForest` returned it.
    recording : RecordedCall, Recording, str or path
        What R answered: one call, or a recording and the number of the call in it.
    call : int, default 0
        Which call of the recording, from 0.

    Raises
    ------
    AssertionError
        A value differs; the message names it, and both values.
    IndexError
        The recording has no such call.
    ImportError, OSError, ValueError
        As for `read_recording`.

    Examples
    --------
    >>> from pyrrf.testing import assert_same_as_r  # doctest: +SKIP
    >>> assert_same_as_r(fit, "calls.rds")  # doctest: +SKIP
    """
    if not isinstance(recording, RecordedCall):
        calls = recording if isinstance(recording, Recording) else read_recording(recording)
        if not 0 <= call < len(calls):
            raise IndexError(f"call is {call}, but the recording has {len(calls)} calls, from 0")
        recording = calls[call]
    difference = compare_settings(fit, recording.result) or compare_fits(fit, recording.result)
    assert difference is None, f"the fit is not R's: {difference}"
