"""Assertion that a fit equals a recorded one of R."""

from __future__ import annotations

import os

from pyrrf.result.result import ForestResult
from pyrrf.testing.causes import compare_settings
from pyrrf.testing.comparer import compare_fits
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
        R's fit: one call, or a recording with the number of the call.
    call : int, default 0
        Number of the call in the recording, from 0.

    Raises
    ------
    AssertionError
        A value differs; the message has its name and both values.
    IndexError
        The recording has no such call.
    ImportError, OSError, ValueError
        As for `read_recording`.

    Examples
    --------
    A suite passes the path of a recording; here the call was made by hand.

    >>> import pyrrf
    >>> from pyrrf.testing import RecordedCall, assert_same_as_r
    >>> x, y = [[1.0], [2.0], [3.0], [4.0]], ["a", "a", "b", "b"]
    >>> stream = pyrrf.random.get_random_seed()
    >>> call = RecordedCall("RRF", {"x": x, "y": y}, stream, stream, pyrrf.RRF(x, y, ntree=5, seed=1))
    >>> assert_same_as_r(pyrrf.RRF(x, y, ntree=5, seed=1), call)
    >>> assert_same_as_r(pyrrf.RRF(x, y, ntree=6, seed=1), call)
    Traceback (most recent call last):
        ...
    AssertionError: the fit is not R's: ntree: 6 here, 5 in R
      the calls were given other arguments
    """
    if not isinstance(recording, RecordedCall):
        calls = recording if isinstance(recording, Recording) else read_recording(recording)
        if not 0 <= call < len(calls):
            raise IndexError(f"call is {call}, but the recording has {len(calls)} calls, from 0")
        recording = calls[call]
    difference = compare_settings(fit, recording.result) or compare_fits(fit, recording.result)
    assert difference is None, f"the fit is not R's: {difference}"
