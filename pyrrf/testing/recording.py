"""Recordings by `record.R`: the forests that a script of R grew, call by call."""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import pyrrf
from pyrrf.errors import bad
from pyrrf.fit.callbacks import GrownForest, watching
from pyrrf.random import call_stream, set_random_seed
from pyrrf.rds.files import read_rds
from pyrrf.result.result import ForestResult
from pyrrf.types import Ints
from pyrrf.unsupported_object import UnsupportedObject

RECORDER = Path(__file__).with_name("record.R")
_VERSION = 1
_FUNCTIONS = ("RRF", "randomForest")
_DATA = ("x", "y", "xtest", "ytest")
_SILENT = ("do.trace",)
_WARNINGS = threading.RLock()


@dataclass(frozen=True, eq=False)
class RecordedCall:
    """One forest that R grew.

    Attributes
    ----------
    name : str
        "RRF" or "randomForest".
    arguments : dict
        Arguments of the call, with pyrrf's names.
    before, after : ndarray of int32, shape (626,), or None
        R's ``.Random.seed``; None before R had a stream.
    result : ForestResult
        R's fit.

    Examples
    --------
    `read_recording` returns such objects; here it is made by hand.

    >>> from pyrrf.testing import RecordedCall
    >>> import pyrrf
    >>> from pyrrf.random import get_random_seed
    >>> pyrrf.set_seed(1)
    >>> before = get_random_seed()
    >>> x, y = [[1.0], [2.0], [3.0], [4.0]], ["a", "a", "b", "b"]
    >>> fit = pyrrf.RRF(x, y, ntree=5)
    >>> call = RecordedCall("RRF", {"x": x, "y": y, "ntree": 5}, before, get_random_seed(), fit)
    >>> call.replay() == fit
    True
    """

    name: str
    arguments: dict[str, Any]
    before: Ints | None
    after: Ints
    result: ForestResult

    def replay(self) -> ForestResult:
        """Return the fit that pyrrf grows from the same arguments and the same stream.

        Raises
        ------
        ValueError
            R had no stream before the call.
        """
        return self.replay_forest().result

    def replay_forest(self) -> GrownForest:
        """Return the replayed fit together with its task."""
        if self.before is None:
            raise bad.absent("R had no random stream before this call; call set.seed() in the script", "seed")
        forests: list[GrownForest] = []
        thread = threading.get_ident()

        def append(forest: GrownForest) -> None:
            if threading.get_ident() == thread:
                forests.append(forest)

        # As with a seed, the process continues with the stream of the call. Filters of warnings are global.
        with _WARNINGS, call_stream(0), watching(append), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            set_random_seed(self.before)
            getattr(pyrrf, self.name)(**self.arguments)
        return forests[-1]


@dataclass(frozen=True, eq=False)
class Recording:
    """The forests that an R script grew.

    Attributes
    ----------
    calls : list of RecordedCall
    r : str
        Version of R.
    packages : dict
        Versions of RRF and randomForest.

    Examples
    --------
    `read_recording` returns such objects; here it is made by hand.

    >>> from pyrrf.testing import RecordedCall, Recording
    >>> import pyrrf
    >>> from pyrrf.random import get_random_seed
    >>> pyrrf.set_seed(1)
    >>> before = get_random_seed()
    >>> x, y = [[1.0], [2.0], [3.0], [4.0]], ["a", "a", "b", "b"]
    >>> fit = pyrrf.RRF(x, y, ntree=5)
    >>> call = RecordedCall("RRF", {"x": x, "y": y, "ntree": 5}, before, get_random_seed(), fit)
    >>> recording = Recording([call], "4.2.2", {"RRF": "1.9.4.1"})
    >>> [call.name for call in recording], recording[0].result == fit
    (['RRF'], True)
    """

    calls: list[RecordedCall]
    r: str
    packages: dict[str, str]

    def __len__(self) -> int:
        return len(self.calls)

    def __iter__(self) -> Iterator[RecordedCall]:
        return iter(self.calls)

    def __getitem__(self, index: int) -> RecordedCall:
        return self.calls[index]


def read_recording(path: str | os.PathLike[str]) -> Recording:
    """Read a recording of `record.R`.

    Parameters
    ----------
    path : str or path
        The .rds file.

    Returns
    -------
    Recording

    Raises
    ------
    OSError, ValueError
        The file cannot be read, is damaged, or holds something else.

    Examples
    --------
    The function of `record.R` writes such a file in R; here it is written by hand.

    >>> import tempfile
    >>> import pyrrf
    >>> from pyrrf.testing import read_recording
    >>> x, y = [[1.0], [2.0], [3.0], [4.0]], ["a", "a", "b", "b"]
    >>> fit = pyrrf.RRF(x, y, ntree=5, seed=1)
    >>> call = {"name": "RRF", "arguments": {"x": 1, "y": 2, "ntree": 5}, "after": [0], "result": fit}
    >>> whole = {"recorder": 1, "r": "4.2.2", "packages": None, "data": [x, y], "calls": [call]}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     pyrrf.write_rds(whole, folder + "/calls.rds")
    ...     recording = read_recording(folder + "/calls.rds")
    >>> len(recording), recording[0].name, recording[0].result == fit
    (1, 'RRF', True)
    """
    content = read_rds(path)
    if not isinstance(content, dict) or "recorder" not in content:
        raise bad.format(f"{path}: no recording; make one by pyrrf_record() of {RECORDER}", "path")
    if np.ravel(content["recorder"]).tolist() != [_VERSION]:
        raise bad.format(f"{path}: recorded by another version of pyrrf; record it again", "path")
    try:
        return _read(content)
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        raise bad.damaged(f"{path}: the recording is damaged ({error}); record it again", "path") from None
    except ValueError as error:
        raise bad.format(f"{path}: {error}", "path") from None


def _read(content: dict[str, Any]) -> Recording:
    shared = list(content["data"] or [])
    calls = [_read_call(call, shared) for call in content["calls"] or []]
    versions = content["packages"]
    packages = {str(name): str(value) for name, value in versions.items()} if isinstance(versions, pd.Series) else {}
    return Recording(calls, str(np.ravel(content["r"])[0]), packages)


def _read_call(call: dict[str, Any], shared: list[Any]) -> RecordedCall:
    r_arguments = call["arguments"] or {}
    arguments = {
        name.replace(".", "_"): _argument(name, value, shared)
        for name, value in r_arguments.items()
        if name not in _SILENT and value is not None
    }
    before = call.get("before")
    name = str(np.ravel(call["name"])[0])
    if name not in _FUNCTIONS or not isinstance(call["result"], ForestResult):
        raise bad.damaged(f"a call of {name} without a fit", None, kind=TypeError)
    return RecordedCall(
        name, arguments, None if before is None else np.asarray(before), np.asarray(call["after"]), call["result"]
    )


def _argument(name: str, value: Any, shared: list[Any]) -> Any:
    if name in _DATA:
        value = shared[int(np.ravel(value)[0]) - 1]
    if isinstance(value, UnsupportedObject):
        raise bad.unsupported(f"the argument {name} is a {value.kind} of R, which cannot be replayed", "path")
    if isinstance(value, np.ma.MaskedArray):
        value = np.ma.filled(value.astype(np.float64), np.nan)
    if name == "feaIni":
        return np.asarray(value, dtype=np.int64) - 1
    is_single = isinstance(value, np.ndarray) and value.shape == (1,) and name not in _DATA
    return value.item() if is_single else value
