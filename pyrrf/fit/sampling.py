"""Sizes of the bag of a tree, and the strata of its rows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pyrrf.checks import array_of, numbers, warn
from pyrrf.data.alignment import numbers_by_name
from pyrrf.data.inputs import Factor, as_factor, check_length
from pyrrf.errors import bad
from pyrrf.types import Ints, PerLabel, VectorLike

# Share of the rows that a bag holds by default when it is drawn without replacement.
_SHARE_WITHOUT_REPLACEMENT = 0.632


@dataclass(frozen=True)
class Sampling:
    """Number of rows drawn for a bag, and their strata."""

    sizes: Ints  # int32, shape (1,) or (nstrata,)
    strata: Ints | None  # int32, shape (n,): stratum of each row from 0; None = one draw from all rows
    total: float  # R's nsum: the size before truncation, summed over strata


def resolve_sampling(
    sampsize: PerLabel | None, strata: VectorLike | None, replace: bool, response: Factor, n: int
) -> Sampling:
    """Return the size of a bag; several sizes mean one per stratum (by default, per class).

    Parameters
    ----------
    sampsize : None, number, vector, dict or Series
        None is n with replacement and ceil(0.632 n) without. Fractions are cut off, as in R.
    strata : None or factor-like, shape (n,)
    replace : bool
    response : Factor
    n : int
        Rows of x.

    Raises
    ------
    TypeError, ValueError
        There are too few rows for a size, or a bag would be too small to split.
    """
    if sampsize is None:
        sampsize = default_size(replace, n)
    groups = None if strata is None else _read_strata(strata, n)
    if _n_sizes(sampsize) == 1:
        if groups is not None:
            warn("strata has no effect with one sampsize, as in R; pass a sampsize for each stratum")
        return _one_size(sampsize, n, minimum=2)
    return _stratified_sampling(sampsize, groups or response)


def resolve_bag_size(
    sampsize: PerLabel | None, replace: bool, n: int, mode: str, *, minimum: int, counted: str = ""
) -> Sampling:
    """Return the size of a bag without strata.

    Parameters
    ----------
    sampsize : None, number, or vector of one number
        None is n with replacement and ceil(0.632 n) without. Fractions are cut off, as in R.
    replace : bool
    n : int
        Rows to draw from.
    mode : str
        Kind of forest, for messages.
    minimum : int
        Smallest size allowed.
    counted : str, default ''
        Text that messages add after the number of rows.

    Raises
    ------
    TypeError, ValueError
        `sampsize` is not one number, or there are too few rows for it.
    """
    if sampsize is None:
        sampsize = default_size(replace, n)
    if _n_sizes(sampsize) > 1:
        in_r = "sampsize should be of length one" if mode == "regression" else ""
        raise bad.shape(f"sampsize must be one number in {mode}, which has no strata", in_r=in_r)
    return _one_size(sampsize, n, minimum, counted)


def _n_sizes(sampsize: PerLabel) -> int:
    return len(sampsize) if isinstance(sampsize, Mapping) else array_of(sampsize, "sampsize").size


def default_size(replace: bool, n: int) -> int:
    """Return R's size of a bag from n rows."""
    return n if replace else math.ceil(_SHARE_WITHOUT_REPLACEMENT * n)


def _read_strata(strata: VectorLike, n: int) -> Factor:
    groups = as_factor(strata, "strata")
    check_length(len(groups.codes), n, "strata", "x")
    return groups


def _one_size(sampsize: PerLabel, n: int, minimum: int, counted: str = "") -> Sampling:
    values = list(sampsize.values()) if isinstance(sampsize, Mapping) else sampsize
    size = float(numbers(values, "sampsize")[0])
    if size > n:
        raise bad.range(
            f"sampsize is {size:.10g}, but x has {n} rows{counted}; pass at most {n}", in_r="sampsize too large"
        )
    if size < minimum:
        rows = "2 rows to split; pass 2" if minimum == 2 else "1 row; pass 1"
        raise bad.range(f"sampsize is {size:.10g}, but a tree needs at least {rows} or more")
    return Sampling(np.array([int(size)], dtype=np.int32), None, size)


def _stratified_sampling(sampsize: PerLabel, groups: Factor) -> Sampling:
    sizes = numbers_by_name(sampsize, "sampsize", groups.levels, "stratum")
    k = len(groups.levels)
    if len(sizes) != k:
        # Of fewer, R reads beyond its arrays.
        in_r = "sampsize has too many elements." if len(sizes) > k else ""
        raise bad.length(f"sampsize has {len(sizes)} values; pass 1, or one for each of {k} strata", in_r=in_r)
    # As in R, a size between 0 and 1 draws no row of its stratum.
    if (sizes <= 0).any() or not (sizes >= 1).any():
        in_r = "Bad sampsize specification" if (sizes < 1).any() else ""
        raise bad.range(f"sampsize must be above 0 in every stratum and draw a row, not {sizes.tolist()}", in_r=in_r)
    available = np.bincount(groups.codes, minlength=k)
    for level, size, most in zip(groups.levels, sizes, available, strict=True):
        if size > most:
            raise bad.range(
                f"sampsize is {size:.10g} for stratum {level!r}, which has {most} rows; pass at most {most}",
                in_r="sampsize can not be larger than class frequency",
            )
    return Sampling(sizes.astype(np.int32), groups.codes, math.fsum(sizes))
