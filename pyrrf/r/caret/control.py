"""caret's trainControl(), and the rows that it resamples."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyrrf.checks import warn
from pyrrf.r.base.chance import sample_int, set_seed
from pyrrf.r.caret.confusion import createDataPartition, createFolds, createMultiFolds, createResample, defaultSummary
from pyrrf.r.values.arguments import number, text
from pyrrf.r.values.attributes import is_list, known_names, names_of
from pyrrf.r.values.coercion import coerced
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.vector import (
    NotMovedError,
    RError,
    Value,
    as_value,
    doubles,
    integers,
    is_null,
    listed,
    logicals,
    null,
    objects,
    strings,
)
from pyrrf.random import get_random_seed, set_random_seed

_RESAMPLING = ("cv", "repeatedcv", "boot", "LGOCV", "LOOCV", "oob", "none")


@r_function(called=("summaryFunction",))
def trainControl(
    method: Any = "boot",
    number: Any = None,
    repeats: Any = None,
    p: Any = 0.75,
    search: Any = "grid",
    initialWindow: Any = None,
    horizon: Any = 1,
    fixedWindow: Any = True,
    skip: Any = 0,
    verboseIter: Any = False,
    returnData: Any = True,
    returnResamp: Any = "final",
    savePredictions: Any = False,
    classProbs: Any = False,
    summaryFunction: Any = None,
    selectionFunction: Any = "best",
    preProcOptions: Any = None,
    sampling: Any = None,
    index: Any = None,
    indexOut: Any = None,
    indexFinal: Any = None,
    timingSamps: Any = 0,
    predictionBounds: Any = None,
    seeds: Any = np.nan,
    adaptive: Any = None,
    trim: Any = False,
    allowParallel: Any = True,
) -> Value:
    """Return how train() resamples: caret's ``trainControl``, a list."""
    given = dict(locals())
    how = text(method)
    known: dict[str, Any] = {
        "number": doubles(10 if "cv" in how else 25),
        "repeats": doubles(1) if how.endswith(("dcv", "_cv")) else logicals(np.nan),
        "preProcOptions": listed(
            [doubles(v) for v in (0.95, 3, 5, 95 / 5, 10, 0.9)],
            ["thresh", "ICAcomp", "k", "freqCut", "uniqueCut", "cutoff"],
        ),
        "predictionBounds": logicals([0.0, 0.0]),
        "adaptive": listed(
            [doubles(5), doubles(0.05), strings("gls"), logicals(1.0)], ["min", "alpha", "method", "complete"]
        ),
        "summaryFunction": defaultSummary,
    }
    parts = {name: known.get(name) if part is None else part for name, part in given.items()}
    parts = {name: parts[name] for name in ("method", "number", "repeats", "search", *parts)}
    if text(returnResamp) not in ("all", "final", "none"):
        raise RError("incorrect value of returnResamp")
    if text(search) not in ("grid", "random"):
        raise RError("`search` should be either 'grid' or 'random'")
    if repeats is not None and how not in ("repeatedcv", "adaptive_cv") and not np.isnan(_first(repeats)):
        warn("`repeats` has no meaning for this resampling method.")
    items = [part if callable(part) else _plain(part) for part in parts.values()]
    return Value("list", objects(items), {"names": strings(parts)})


def _plain(part: Any) -> Value:
    return logicals(np.nan) if isinstance(part, float) and part != part else null() if part is None else as_value(part)


def _first(x: Any) -> float:
    return float(coerced(x, "double")._data[0])


# ---- rows ----------------------------------------------------------------------------------------


def changed(control: Value, **parts: Any) -> Value:
    """Return a list with other parts, new ones at its end."""
    found = dict(zip(known_names(control), control._data, strict=True)) | parts
    return Value("list", objects(found.values()), control._attributes | {"names": strings(found)})


def resampled(control: Value, y: Value, seed: Value) -> Value:
    """Return a control with the rows of each resample and of its test, drawn by a seed of their own."""
    how = text(control[["method"]])
    if how not in _RESAMPLING:
        raise NotMovedError(f"train() with the resampling {how}")
    before = get_random_seed()
    set_seed(seed)
    rows = control[["index"]] if not is_null(control[["index"]]) else _rows(how, control, y)
    set_random_seed(before)
    if how == "oob":
        left = {name: part for name, part in _parts(control).items() if name != "index"}
        return Value("list", objects(left.values()), control._attributes | {"names": strings(left)})
    if not is_list(rows) or any(part._kind != "integer" for part in rows._data):
        raise RError("`index` should be lists of integers.")
    others = control[["indexOut"]]
    if is_null(others):
        every = np.arange(1, len(y) + 1)
        tests = [integers(every[~np.isin(every, part._data)]) for part in rows._data]
        others = listed(tests, _numbered(len(tests)))
    if names_of(rows) is None:
        rows = listed([*rows._data], _numbered(len(rows)))
    if names_of(others) is None:
        others = listed([*others._data], _numbered(len(others)))
    return changed(control, index=rows, indexOut=others)


def _parts(x: Value) -> dict[str, Any]:
    return dict(zip(known_names(x), x._data, strict=True))


def _rows(how: str, control: Value, y: Value) -> Value:
    times, share = control[["number"]], control[["p"]]
    if how == "cv":
        return createFolds(y, times, returnTrain=True)
    if how == "repeatedcv":
        return createMultiFolds(y, times, control[["repeats"]])
    if how == "LOOCV":
        return createFolds(y, len(y), returnTrain=True)
    if how == "boot":
        return createResample(y, times)
    if how == "LGOCV":
        return createDataPartition(y, times, share)
    return null() if how == "oob" else Value("list", objects([integers(np.arange(1, len(y) + 1))]))


def _numbered(n: int) -> list[str]:
    width = len(str(n))
    return [f"Resample{at:0{width}d}" for at in range(1, n + 1)]


def seeds_of(control: Value, resamples: int, fits: int) -> Value:
    """Return a seed for each fit and for the last one: those given, or drawn."""
    given = control[["seeds"]]
    flat = given if not is_list(given) else None
    if is_null(given) or (flat is not None and np.isnan(coerced(flat, "double")._data).all()):
        drawn = sample_int(1000000, resamples * fits + 1)._data
        parts = [integers(drawn[at : at + fits]) for at in range(0, resamples * fits, fits)]
        return Value("list", objects([*parts, integers(drawn[-1:])]))
    sizes = [] if flat is not None else [len(part) for part in given._data]
    if len(sizes) < resamples + 1 or any(size < fits for size in sizes[:-1]) or sizes[-1] < 1:
        raise RError("Bad seeds: the seed object should be a list with a seed for each fit and one for the last")
    return given


def seed_stream(seeds: Value, at: int, which: int) -> None:
    """Seed the stream with one of the seeds."""
    set_seed(doubles(number(integers(coerced(seeds._data[at], "double")._data[which]))))
