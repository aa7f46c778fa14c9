"""R's order and rank; positions count from 0, ranks from 1."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from pyrrf import random as _random
from pyrrf.checks import choice
from pyrrf.errors import bad
from pyrrf.rbase.collate import coded_strings, collating

_TIES = ("average", "first", "last", "random", "max", "min")


def codes(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return ranks of the distinct values from 0, and where values are missing; 0 and -0 are equal."""
    gaps = np.isnan(values) if values.dtype.kind == "f" else np.array([text is None for text in values], dtype=bool)
    out = np.full(len(values), -1, dtype=np.int64)
    known = values[~gaps]
    is_number = known.dtype.kind == "f"
    out[~gaps] = np.unique(known, return_inverse=True)[1] if is_number else coded_strings(known, "x")[0]
    return out, gaps


def order(
    *keys: np.ndarray, decreasing: bool | Sequence[bool] = False, na_last: bool | None = True, method: str | None = None
) -> np.ndarray:
    """Return the positions that sort by one key or by several (R's ``order``); ties keep their order."""
    with collating("C" if method == "radix" else None):
        coded = [codes(key) for key in keys]
    if not coded or len({len(c) for c, _ in coded}) > 1:
        raise bad.length(f"order() needs keys of one length, not {[len(c) for c, _ in coded]}", None)
    down = [bool(decreasing)] * len(coded) if np.ndim(decreasing) == 0 else list(decreasing)  # type: ignore[arg-type]
    if len(down) != len(coded):
        raise bad.length(f"decreasing has {len(down)} flags for {len(coded)} keys; pass one for each")
    columns = []
    for (ranks, gaps), falls in zip(coded, down, strict=True):
        ranked = -ranks if falls else ranks
        columns.append(np.where(gaps, math.inf if na_last is not False else -math.inf, ranked))
    places = np.lexsort(columns[::-1])
    if na_last is None:
        places = places[~np.any([gaps for _, gaps in coded], axis=0)[places]]
    return places.astype(np.int64)


def rank(x: np.ndarray, na_last: bool | str | None = True, ties_method: str = "average") -> np.ndarray:
    """Return ranks from 1 (R's ``rank``); None leaves out missing values, "keep" keeps them missing."""
    choice(ties_method, "ties_method", _TIES)
    ranks, gaps = codes(x)
    known = _ranks(ranks[~gaps], ties_method)
    if na_last is None:
        return known
    out = np.empty(len(ranks), dtype=np.float64 if na_last == "keep" and gaps.any() else known.dtype)
    ahead = int(gaps.sum()) if na_last is False else 0
    out[~gaps] = known + ahead
    if na_last == "keep" and gaps.any():
        out[gaps] = math.nan
    else:
        out[gaps] = np.arange(1, gaps.sum() + 1) + (0 if na_last is False else len(known))
    return out


def _ranks(ranks: np.ndarray, ties_method: str) -> np.ndarray:
    """Return the ranks of known values, given by codes that order them."""
    n = len(ranks)
    if ties_method in ("first", "last", "random"):
        turned = ranks[::-1] if ties_method == "last" else ranks
        keys = (_random.runif(n), turned) if ties_method == "random" else (turned,)
        out = np.empty(n, dtype=np.int64)
        out[np.lexsort(keys)] = np.arange(1, n + 1)
        return out[::-1] if ties_method == "last" else out
    ends = np.cumsum(np.bincount(ranks)) if n else np.zeros(0, dtype=np.int64)
    starts = np.concatenate([[0], ends[:-1]])[: len(ends)] + 1
    if ties_method == "average":
        return np.asarray(((starts + ends) / 2)[ranks])
    return np.asarray((starts if ties_method == "min" else ends)[ranks], dtype=np.int64)
