"""Entropy and mutual information of labels, in bits.

Probabilities are shares of rows. Numbers are put into bins first (`equal_width_bins`). A sum over cells is a sum of
whole numbers, c log2(c) in units of 2^-k, so it is the same in any order: measures are symmetric to the last bit, and
a column with its levels renamed is worth as much as before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from pyrrf.checks import choice, count
from pyrrf.data.alignment import check_rows, row_labels
from pyrrf.errors import bad
from pyrrf.types import Floats, Ints, Positions

if TYPE_CHECKING:  # scikit-learn is not needed
    from pyrrf.sklearn.sample import Sample

# A block of columns has about this many levels in all, and is counted over so many rows at a time: two tables of
# indicators of 10 MB and their product of 3 MB, with which a core multiplies at nearly its full speed.
_BLOCK_LEVELS = 640
_BLOCK_ROWS = 4096
# Of columns with so many labels that the cells of two blocks are more than this, only the cells that occur are counted.
_MOST_CELLS = 1 << 22
_LN2 = float(np.log(2))
# More bins than this would take memory, and tell no more numbers apart than the numbers themselves.
_MOST_BINS = 1_000_000


# ---- bins ----------------------------------------------------------------------------------------


def equal_width_bins(x: ArrayLike, bins: int = 20) -> Ints:
    """Put numbers into bins of equal width between the least and the greatest value of their column.

    Parameters
    ----------
    x : array_like of numbers, shape (n,) or (n, p)
        NaN is a missing value, and so is what is masked.
    bins : int, default 20
        Paper 002 names no number; of 2 to 100 bins only 20 give the tree that section 4 describes for Spambase.

    Returns
    -------
    ndarray of int32, shape of `x`
        Bins from 0 to ``bins - 1``, closed on the left, the last one on both sides; ``bins`` for missing values. What
        misses an edge by no more than rounding lies on it: 0.4, of numbers from -1 to 1, begins bin 14 of 20.

    Raises
    ------
    TypeError, ValueError
        `x` does not hold numbers, is empty or infinite somewhere; `bins` is not a whole number from 1 to 1,000,000.

    Examples
    --------
    >>> from pyrrf.papers.information import equal_width_bins
    >>> equal_width_bins([0.0, 0.9, 1.0, 2.0, float("nan")], bins=2)
    array([0, 0, 1, 1, 2], dtype=int32)
    """
    bins = count(bins, "bins")
    if bins > _MOST_BINS:
        raise bad.range(f"bins must be at most {_MOST_BINS}, not {bins}")
    values = np.ma.filled(x.astype(np.float64), np.nan) if np.ma.isMaskedArray(x) else np.asarray(x)
    if values.dtype.kind not in "biuf":
        raise bad.type(f"x must hold numbers, not dtype {values.dtype}; code its categories first")
    if values.ndim not in (1, 2) or values.size == 0:
        raise bad.shape(f"x must be a vector or a matrix that is not empty, not shape {values.shape}")
    if np.isinf(values).any():
        raise bad.infinite(
            "x holds infinite values, which fit in no bin of finite width; replace them by finite numbers"
        )
    columns = values[:, None] if values.ndim == 1 else values
    codes = np.empty(columns.shape, np.int32)
    for j in range(columns.shape[1]):
        codes[:, j] = _column_bins(columns[:, j].astype(np.float64), bins)
    return codes.reshape(values.shape)


def _column_bins(values: Floats, bins: int) -> Positions:
    missing = np.isnan(values)
    if missing.all():
        return np.full(len(values), bins)
    # Halves, because the range of finite numbers may be infinite.
    halves = values / 2
    low, high = np.nanmin(halves), np.nanmax(halves)
    edges = np.linspace(low, high, bins + 1)
    # Edges are rounded, and so is a decimal that is meant to lie on one.
    slack = min(8 * np.spacing(max(abs(low), abs(high))), 1e-6 * (high - low) / bins)
    return np.where(missing, bins, np.searchsorted(edges[1:-1] - slack, halves, side="right"))


def sample_bins(sample: Sample, bins: int) -> Ints:
    """Return the columns of a sample as labels, int32 of shape (n, p): numbers in bins, categories as they are."""
    codes, categorical = equal_width_bins(sample.values, bins), sample.ncat > 1
    codes[:, categorical] = np.nan_to_num(sample.values[:, categorical]).astype(np.int32)
    return codes


def response_bins(sample: Sample, bins: int, numeric: bool) -> Ints:
    """Return the response of a sample as labels, int32 of shape (n,): numbers in bins, classes as they are."""
    return equal_width_bins(sample.y, bins) if numeric else pd.factorize(sample.y)[0].astype(np.int32)


# ---- one pair ------------------------------------------------------------------------------------


def entropy(a: ArrayLike, *, correction: str | None = None) -> float:
    """Return H(A) = -sum p log2 p, in bits (paper 000, section 2).

    Parameters
    ----------
    a : array_like, shape (n,)
        Labels of any type; missing values are a label of their own.
    correction : "miller-madow" or None, default None
        Adds (K - 1) / (2 n ln 2), K the number of labels that occur: what the estimate is too low by, to first order
        (Miller, 1955).

    Returns
    -------
    float
        From 0 to log2 K; with a correction, it may be above.

    Raises
    ------
    ValueError
        `a` is not a vector or is empty, or there is no such correction.

    Examples
    --------
    >>> from pyrrf.papers.information import entropy
    >>> entropy(["x", "x", "y", "z"])
    1.5
    """
    labels = _labels(a, "a")
    return _shared_information([labels, labels], np.zeros_like(labels), correction)


def mutual_information(a: ArrayLike, b: ArrayLike, *, correction: str | None = None) -> float:
    """Return I(A;B) = H(A) + H(B) - H(A,B), in bits (paper 002, eq 2; paper 000, eq 1).

    Parameters
    ----------
    a, b : array_like, shape (n,)
        Labels of any type; missing values are a label of their own.
    correction : "miller-madow" or None, default None
        Corrects each of the three entropies, as `entropy` does: the estimate is mostly too high without. The answer
        may be below 0 then.

    Returns
    -------
    float
        From 0 to the lesser of the two entropies.

    Raises
    ------
    ValueError
        The vectors are not of one length, or are empty; or there is no such correction.

    Examples
    --------
    >>> from pyrrf.papers.information import mutual_information
    >>> mutual_information([0, 0, 1, 1], [5, 5, 6, 6]), mutual_information([0, 0, 1, 1], [5, 6, 5, 6])
    (1.0, 0.0)
    """
    pair = [_labels(a, "a"), _labels(b, "b")]
    check_rows(b, "b", row_labels(a), "a")
    return _shared_information(pair, np.zeros_like(pair[0]), correction)


def conditional_mutual_information(
    a: ArrayLike, b: ArrayLike, given: ArrayLike, *, correction: str | None = None
) -> float:
    """Return I(A;B|C) = sum over c of P(c) I(A;B|C=c), in bits (paper 000, eq 2).

    Parameters
    ----------
    a, b : array_like, shape (n,)
        Labels of any type; missing values are a label of their own.
    given : array_like, shape (n,) or (n, q)
        Labels of C, of any type; of several columns c is what a row holds in all of them.
    correction : "miller-madow" or None, default None
        Corrects each of the four entropies of H(A,C) + H(B,C) - H(A,B,C) - H(C), as `entropy` does.

    Returns
    -------
    float
        At least 0 without a correction.

    Raises
    ------
    TypeError, ValueError
        The variables do not have as many rows, are sparse or empty; or there is no such correction.

    Examples
    --------
    >>> from pyrrf.papers.information import conditional_mutual_information
    >>> a, b = [0, 0, 1, 1], [0, 1, 0, 1]
    >>> conditional_mutual_information(a, b, [0, 1, 1, 0])
    1.0
    >>> conditional_mutual_information(a, b, [["u", 0], ["u", 1], ["u", 1], ["v", 0]])
    0.5
    """
    labels = [_labels(a, "a"), _labels(b, "b")], _conditions(given)
    check_rows(b, "b", row_labels(a), "a")
    check_rows(given, "given", row_labels(a, b), "a")
    return _shared_information(*labels, correction)


def symmetrical_uncertainty(a: ArrayLike, b: ArrayLike, *, correction: str | None = None) -> float:
    """Return SU(A,B) = 2 I(A;B) / (H(A) + H(B)) (paper 000, section 2).

    Parameters
    ----------
    a, b : array_like, shape (n,)
        Labels of any type; missing values are a label of their own.
    correction : "miller-madow" or None, default None
        Corrects the entropies, as `entropy` does.

    Returns
    -------
    float
        From 0 to 1; 0 where both vectors are constant.

    Raises
    ------
    ValueError
        The vectors are not of one length, or are empty; or there is no such correction.

    Examples
    --------
    >>> from pyrrf.papers.information import symmetrical_uncertainty
    >>> symmetrical_uncertainty([0, 0, 1, 1], [0, 0, 1, 2])
    0.8
    """
    shared = mutual_information(a, b, correction=correction)
    total = entropy(a, correction=correction) + entropy(b, correction=correction)
    return 2 * shared / total if total > 0 else 0.0


def _labels(values: ArrayLike, name: str) -> Positions:
    """Return the number of each value's label, from 0."""
    array = values if isinstance(values, pd.Series | pd.Categorical) else _plain(values)
    if array.ndim != 1 or len(array) == 0:
        raise bad.shape(f"{name} must be a vector that is not empty, not shape {array.shape}")
    codes, _ = pd.factorize(array, use_na_sentinel=False)
    return codes.astype(np.int64)


def _conditions(given: ArrayLike) -> Positions:
    """Return the number of each row's label; of several columns, of the labels that a row has in all of them."""
    if np.ndim(given) != 2:
        return _labels(given, "given")
    return reduce(_joint, _read_columns(given, "given").codes.T.astype(np.int64))


def _plain(values: ArrayLike) -> np.ndarray:
    """Return an array that pandas numbers rightly: None where masked, no number turned into a word."""
    array = np.asarray(values)
    if np.ma.isMaskedArray(values):
        array = array.astype(object)
        array[np.ma.getmaskarray(values)] = None
        return array
    if array.dtype.kind in "US" and not hasattr(values, "dtype"):
        return np.asarray(values, dtype=object)  # of a list, where 1 and "1" are two labels, and so are NaN and "nan"
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def _shared_information(pair: Sequence[Positions], given: Positions, correction: str | None) -> float:
    """Return I(A;B|C) of numbered labels; a constant C changes nothing, and I(A;A) is H(A)."""
    a, b = pair
    n = len(a)
    if not len(b) == len(given) == n:
        raise bad.length(f"the vectors must have one length, not {n}, {len(b)} and {len(given)}", None)
    with_a, with_b = _joint(a, given), _joint(b, given)
    counts = [np.bincount(labels) for labels in (_joint(with_a, b), given, with_a, with_b)]
    counts = [cells[cells > 0] for cells in counts]
    sums = [_terms(cells, n).sum() for cells in counts]
    plain = max(0.0, float(sums[0] + sums[1] - sums[2] - sums[3]) * _unit(n) / n)
    if not _is_corrected(correction):
        return plain
    return plain + (len(counts[2]) + len(counts[3]) - len(counts[0]) - len(counts[1])) / (2 * n * _LN2)


def _joint(a: Positions, b: Positions) -> Positions:
    """Return numbers for the pairs of labels that occur."""
    return _labels(a * (int(b.max()) + 1) + b, "pairs")


def _is_corrected(correction: str | None) -> bool:
    return correction is not None and bool(choice(correction, "correction", ["miller-madow"]))


def _unit(n: int) -> float:
    """Return the power of 2 in which c log2(c), c up to n, is a whole number below 2^52."""
    return float(2.0 ** (np.frexp(n * np.log2(n))[1] - 52))


def _terms(counts: Positions, n: int) -> Positions:
    """Return c log2(c) of each count, in units; 0 log2(0) is 0."""
    numbers = np.maximum(counts, 1).astype(np.float64)
    return np.rint(numbers * np.log2(numbers) / _unit(n)).astype(np.int64)


# ---- all pairs -----------------------------------------------------------------------------------


def mutual_information_matrix(
    columns: ArrayLike, others: ArrayLike | None = None, *, correction: str | None = None
) -> Floats:
    """Return the mutual information of all pairs of columns, in bits (paper 002, algorithm 1).

    The counts of all pairs are one matrix product of indicators, made block by block: 2,000 columns of 20 bins and
    2,000 rows take 30 to 40 seconds of one core. Whatever the threads of the product, the answer is the same.

    Parameters
    ----------
    columns : array_like, shape (n, p)
        Labels of any type, one column a variable; put numbers into bins first (`equal_width_bins`).
    others : array_like, shape (n, q), optional
        Pairs are a column of `columns` and one of these; `columns` by default.
    correction : "miller-madow" or None, default None
        As in `mutual_information`.

    Returns
    -------
    ndarray of float64, shape (p, q)
        Without `others` it is symmetric, with the entropies on its diagonal.

    Raises
    ------
    TypeError, ValueError
        The tables are not matrices with as many rows, are sparse or empty; or there is no such correction.

    Notes
    -----
    Beside the answer and three tables of its size it takes 4 bytes for each label and about 30 MB, where no column has
    more than 640 labels; with more, up to about 100 MB, and of columns of very many labels the rows are sorted.

    Examples
    --------
    >>> from pyrrf.papers.information import mutual_information_matrix
    >>> mutual_information_matrix([[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]])
    array([[1., 1., 0.],
           [1., 1., 0.],
           [0., 0., 1.]])
    """
    left = _read_columns(columns, "columns")
    right = left if others is None else _read_columns(others, "others")
    n = len(left.codes)
    if len(right.codes) != n:
        raise bad.length(f"others has {len(right.codes)} rows; pass as many as columns has, {n}")
    check_rows(others, "others", row_labels(columns), "columns")
    table = _terms(np.arange(n + 1), n)
    corrected = _is_corrected(correction)
    joint = _all_pairs(left, right, table)
    shared = np.maximum(0, table[n] + joint - left.sums(table)[:, None] - right.sums(table)) * _unit(n) / n
    if corrected:
        cells = _all_pairs(left, right, (np.arange(n + 1) > 0).astype(np.int64))
        shared += (left.widths[:, None] + right.widths - cells - 1) / (2 * n * _LN2)
    return np.asarray(shared)


@dataclass(frozen=True, eq=False)
class _Columns:
    """Columns of labels numbered from 0, each column by itself, and how many labels each has."""

    codes: Ints
    widths: Positions

    def sums(self, table: Positions) -> Positions:
        """Return the sum over the labels of each column of `table` at their counts."""
        return np.array([table[np.bincount(codes)].sum() for codes in self.codes.T])

    def blocks(self) -> list[slice]:
        """Return runs of columns that have about `_BLOCK_LEVELS` labels in all, one column at least."""
        runs, start, total = [], 0, 0
        for j, width in enumerate(self.widths):
            if j > start and total + width > _BLOCK_LEVELS:
                runs.append(slice(start, j))
                start, total = j, 0
            total += width
        return [*runs, slice(start, len(self.widths))]

    def starts(self, block: slice) -> Positions:
        """Return where the labels of each column of a block begin."""
        return np.cumsum(self.widths[block]) - self.widths[block]

    def indicators(self, block: slice, rows: slice) -> np.ndarray:
        """Return a column of 0 and 1 for each label of a block."""
        codes = self.codes[rows, block] + self.starts(block)
        flags = np.zeros((len(codes), int(self.widths[block].sum())), np.float32)
        np.put_along_axis(flags, codes, 1.0, axis=1)
        return flags


def _read_columns(columns: ArrayLike, name: str) -> _Columns:
    if hasattr(columns, "toarray"):
        raise bad.type(f"{name} is a sparse matrix; pass {name}.toarray()")
    if np.ndim(columns) != 2 or 0 in np.shape(columns):
        raise bad.shape(f"{name} must be a matrix that is not empty, not shape {np.shape(columns)}")
    table = columns if isinstance(columns, pd.DataFrame) else pd.DataFrame(_plain(columns))
    codes = np.empty(table.shape, np.int32, order="F")
    for j in range(table.shape[1]):
        codes[:, j] = _labels(table.iloc[:, j], name)
    return _Columns(codes, codes.max(axis=0).astype(np.int64) + 1)


def _all_pairs(left: _Columns, right: _Columns, table: Positions) -> Positions:
    """Return, for each pair of columns, the sum over the cells of `table` at their counts."""
    sums = np.empty((len(left.widths), len(right.widths)), np.int64)
    for a in left.blocks():
        for b in right.blocks():
            if left is right and b.start < a.start:
                continue
            sums[a, b] = _block_sums(left, a, right, b, table)
            if left is right:
                sums[b, a] = sums[a, b].T
    return sums


def _block_sums(left: _Columns, a: slice, right: _Columns, b: slice, table: Positions) -> Positions:
    """Return the sums of `_all_pairs` for the pairs of two blocks."""
    if int(left.widths[a].sum()) * int(right.widths[b].sum()) > _MOST_CELLS:
        others = list(zip(right.codes.T[b], right.widths[b], strict=True))
        pairs = [[table[_pair_counts(one, *other)].sum() for other in others] for one in left.codes.T[a]]
        return np.array(pairs, np.int64)
    cells = table[_joint_counts(left, a, right, b)]
    by_row = np.add.reduceat(cells, left.starts(a), axis=0)
    return np.asarray(np.add.reduceat(by_row, right.starts(b), axis=1))


def _pair_counts(one: Ints, other: Ints, width: int) -> Positions:
    """Return the number of rows of each pair of labels that occurs; `width`: labels of the other column."""
    counts: Positions = np.unique(one.astype(np.int64) * width + other, return_counts=True)[1]
    return counts


def _joint_counts(left: _Columns, a: slice, right: _Columns, b: slice) -> Positions:
    """Return the number of rows of each pair of labels; single precision is exact for the rows of one product."""
    total = np.zeros((int(left.widths[a].sum()), int(right.widths[b].sum())), np.int64)
    for start in range(0, len(left.codes), _BLOCK_ROWS):
        rows = slice(start, start + _BLOCK_ROWS)
        total += (left.indicators(a, rows).T @ right.indicators(b, rows)).astype(np.int64)
    return total
