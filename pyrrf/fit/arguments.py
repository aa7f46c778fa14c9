"""Arguments of RRF() resolved against the data, with R's defaults and rules."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import count, flag, number, numbers, warn
from pyrrf.data.inputs import Factor, as_factor, check_length
from pyrrf.data.labelled import named_vector

# Share of the rows that a bag holds by default when it is drawn without replacement.
_SHARE_WITHOUT_REPLACEMENT = 0.632


@dataclass(frozen=True)
class Sampling:
    """How many rows a bag draws, from where.

    Parameters
    ----------
    sizes : ndarray of int32, shape (1,) or (nstrata,)
    strata : ndarray of int32, shape (n,), or None
        Stratum of each row from 0; None = one draw from all rows.
    total : float
        R's nsum: the size before truncation, summed over strata.
    """

    sizes: np.ndarray
    strata: np.ndarray | None
    total: float


def resolve_mtry(mtry: Any, p: int, default: int) -> int:
    """Return the candidates a node draws: rounded and held within 1 to p, with R's warning."""
    if mtry is None:
        return max(1, min(p, default))
    wanted = number(mtry, "mtry")
    if wanted < 1 or wanted > p:
        warn(f"invalid mtry: {mtry!r} reset to within the valid range 1 to {p}")
    return max(1, min(p, round(wanted)))


def resolve_coef_reg(coefReg: Any, flagReg: int, columns: pd.Index[Any]) -> np.ndarray:
    """Return one coefficient a column, float64, shape (p,); R's default is 0.8, or 1 if flagReg=0.

    Raises
    ------
    TypeError
        The values are not numbers.
    ValueError
        R's rules: 1 or p values, none above 1, at least one above 0. A Series that orders the
        columns of x differently is refused too.
    """
    p = len(columns)
    if coefReg is None:
        return np.full(p, 0.8 if flagReg == 1 else 1.0)
    labels = getattr(coefReg, "index", None) if hasattr(coefReg, "dtype") else None
    labels = coefReg.index if isinstance(coefReg, pd.DataFrame) else labels
    coefficients = numbers(coefReg, "coefReg")
    if len(coefficients) not in (1, p):
        raise ValueError(f"coefReg has {len(coefficients)} values; pass 1, or one a column of x ({p})")
    if coefficients.max() > 1:
        raise ValueError(f"coefReg must not exceed 1, but holds {coefficients.max():.6g}")
    if coefficients.max() <= 0:
        raise ValueError("coefReg must have at least one value above 0")
    if len(coefficients) == p > 1 and isinstance(labels, pd.Index):
        _check_order(labels, columns)
    return np.full(p, coefficients[0]) if len(coefficients) == 1 else coefficients


def _check_order(labels: pd.Index[Any], columns: pd.Index[Any]) -> None:
    """Refuse coefficients that carry the names of the columns in another order."""
    if not labels.equals(columns) and set(labels) == set(columns):
        raise ValueError(
            "coefReg is labelled with the columns of x in another order; "
            "pass coefReg.loc[x.columns], or .to_numpy() to match by position"
        )


def resolve_fea_ini(feaIni: Any, p: int) -> np.ndarray:
    """Return the marks of the initial feature set, int32, shape (p,); feaIni counts from 0.

    Raises
    ------
    TypeError, ValueError
        feaIni holds something else than whole numbers from 0 to p - 1.
    """
    used = np.zeros(p, dtype=np.int32)
    if feaIni is None or np.size(feaIni) == 0:
        return used
    positions = numbers(feaIni, "feaIni")
    if (positions != np.floor(positions)).any() or positions.min() < 0 or positions.max() >= p:
        raise ValueError(
            f"feaIni must hold column positions from 0 to {p - 1} (R counts from 1), not {positions.tolist()}"
        )
    used[positions.astype(np.int64)] = 1
    return used


def resolve_sampling(sampsize: Any, strata: Any, replace: bool, response: Factor, n: int) -> Sampling:
    """Return the size of a bag; more than one size means one a stratum (by default, a class).

    Parameters
    ----------
    sampsize : None, number, vector, dict or Series
        None is n with replacement and ceil(0.632 n) without. Fractions are cut off, as in R.
    strata : None or factor-like, shape (n,)
    replace : bool
    response : Factor
    n : int
        Rows of x.

    Returns
    -------
    Sampling

    Raises
    ------
    TypeError, ValueError
        Sizes that the rows cannot give, or that make a bag which no split can divide.
    """
    if sampsize is None:
        sampsize = _default_size(replace, n)
    groups = None if strata is None else _read_strata(strata, n)
    if np.size(list(sampsize) if isinstance(sampsize, Mapping) else sampsize) == 1:
        if groups is not None:
            warn("strata has no effect with one sampsize, as in R; pass a sampsize for each stratum")
        return _one_size(sampsize, n, minimum=2)
    return _stratified(sampsize, groups or response)


def resolve_bag_size(sampsize: Any, replace: bool, n: int, mode: str, *, minimum: int, counted: str = "") -> Sampling:
    """Return the size of a bag where there are no strata.

    Parameters
    ----------
    sampsize : None, number, or vector of one number
        None is n with replacement and ceil(0.632 n) without. Fractions are cut off, as in R.
    replace : bool
    n : int
        Rows to draw from.
    mode : str
        What messages call a forest of this kind.
    minimum : int
        Rows that a bag must have.
    counted : str, default ''
        What messages say of the rows in `n`.

    Returns
    -------
    Sampling

    Raises
    ------
    TypeError, ValueError
        It is no number, more than one, or the rows cannot give it.
    """
    if sampsize is None:
        sampsize = _default_size(replace, n)
    if np.size(list(sampsize) if isinstance(sampsize, Mapping) else sampsize) > 1:
        raise ValueError(f"sampsize must be one number in {mode}, which has no strata")
    return _one_size(sampsize, n, minimum, counted)


def _default_size(replace: bool, n: int) -> int:
    return n if replace else math.ceil(_SHARE_WITHOUT_REPLACEMENT * n)


def _read_strata(strata: Any, n: int) -> Factor:
    groups = as_factor(strata, "strata")
    check_length(len(groups.codes), n, "strata", "x")
    return groups


def _one_size(sampsize: Any, n: int, minimum: int, counted: str = "") -> Sampling:
    values = list(sampsize.values()) if isinstance(sampsize, Mapping) else sampsize
    size = float(numbers(values, "sampsize")[0])
    if size > n:
        raise ValueError(f"sampsize is {size:.10g}, but x has {n} rows{counted}; pass at most {n}")
    if size < minimum:
        rows = "2 rows to split; pass 2" if minimum == 2 else "1 row; pass 1"
        raise ValueError(f"sampsize is {size:.10g}, but a tree needs at least {rows} or more")
    return Sampling(np.array([int(size)], dtype=np.int32), None, size)


def _stratified(sampsize: Any, groups: Factor) -> Sampling:
    sizes = named_vector(sampsize, groups.levels, "sampsize", "stratum")
    k = len(groups.levels)
    if len(sizes) != k:
        raise ValueError(f"sampsize has {len(sizes)} values; pass 1, or one for each of {k} strata")
    if (sizes < 1).any():
        raise ValueError(f"sampsize must be at least 1 in every stratum, not {sizes.tolist()}")
    available = np.bincount(groups.codes, minlength=k)
    for level, size, most in zip(groups.levels, sizes, available, strict=True):
        if size > most:
            raise ValueError(
                f"sampsize is {size:.10g} for stratum {level!r}, which has {most} rows; pass at most {most}"
            )
    return Sampling(sizes.astype(np.int32), groups.codes, math.fsum(sizes))


def resolve_nodesize(nodesize: Any, total: float) -> float:
    """Return the largest size of a node that is not split, 1 by default; at most the rows in a bag."""
    size = 1.0 if nodesize is None else number(nodesize, "nodesize")
    if size < 1:
        raise ValueError(f"nodesize must be at least 1, not {nodesize!r}")
    if size > total:
        raise ValueError(
            f"nodesize is {size:.10g}, more than the {total:.10g} rows drawn for a tree (sampsize), "
            "so no tree can split; pass a smaller nodesize"
        )
    return size


def resolve_regression_nodesize(nodesize: Any) -> float:
    """Return the largest size of a node that is not split, 5 by default; the root is tried at any size."""
    size = 5.0 if nodesize is None else number(nodesize, "nodesize")
    if size < 0:
        raise ValueError(f"nodesize must be at least 0, not {nodesize!r}")
    return size


def resolve_max_nodes(maxnodes: Any, largest: int, least: int = 2) -> int:
    """Return R's nrnodes, all nodes of the largest tree allowed; maxnodes counts leaves, at least `least`."""
    if maxnodes is None:
        return largest
    leaves = count(maxnodes, "maxnodes")
    if leaves < least:
        raise ValueError("maxnodes is 1, so no tree can split; pass 2 or more")
    if 2 * leaves - 1 > largest:
        warn(f"maxnodes exceeds its max value: at most {(largest + 1) // 2} leaves are possible")
    return min(largest, 2 * leaves - 1)


def resolve_sample_weight(sample_weight: Any, n: int) -> np.ndarray | None:
    """Return what each row counts for, float64, shape (n,); 0 or more, not all 0.

    Raises
    ------
    TypeError
        The values are not numbers.
    ValueError
        There is not one a row, one is negative or not finite, or all are 0.
    """
    if sample_weight is None:
        return None
    weights = numbers(sample_weight, "sample_weight")
    check_length(len(weights), n, "sample_weight", "x")
    if (weights < 0).any():
        raise ValueError(f"sample_weight must be 0 or more, but holds {weights.min():.6g}")
    if not weights.any():
        raise ValueError("sample_weight is 0 for every row, so no tree can split; pass weights above 0")
    return weights


def resolve_flag_reg(flagReg: Any) -> int:
    """Return 1 (regularized) or 0."""
    value = number(int(flagReg) if isinstance(flagReg, bool | np.bool_) else flagReg, "flagReg")
    if value not in (0, 1):
        raise ValueError(f"flagReg must be 0 (ordinary forest) or 1 (regularized), not {flagReg!r}")
    return int(value)


def resolve_trace(do_trace: Any) -> int:
    """Return the number of trees between two printed lines; 0 = none."""
    if isinstance(do_trace, bool | np.bool_):
        return int(do_trace)
    return count(do_trace, "do_trace", minimum=0)


def resolve_flags(**flags: Any) -> dict[str, bool]:
    """Check True/False arguments by name."""
    return {name: flag(value, name) for name, value in flags.items()}
