"""Numbers of Gini gains that the splits of a node can have: Deng and Runger's theorem 1, and the exact number."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrrf.checks import choice
from pyrrf.errors import bad

_KINDS = ("bound", "splits", "exact")
# Larger nodes would take minutes, and numbers beyond 64 bits.
_MOST_ROWS = 1_000


def distinct_gains(n: ArrayLike, i: ArrayLike | None = None, kind: str = "bound") -> NDArray[np.int64]:
    """Return the number of different Gini gains that the splits of nodes of two classes can have.

    Parameters
    ----------
    n : array_like of int
        Rows of each node, from 2 to 1,000.
    i : array_like of int, optional
        Rows of one of the classes, 0 to `n`; broadcast with `n`. By default the number with the most gains.
    kind : {"bound", "splits", "exact"}, default 'bound'
        "bound" is theorem 1, which does not look at `i`; "splits" counts a split and its mirror image once; "exact"
        counts gains.

    Returns
    -------
    ndarray of int64, shape as `n` and `i` broadcast

    Raises
    ------
    TypeError, ValueError
        `n` or `i` does not hold whole numbers in its range, or `kind` is not one of the three.

    Notes
    -----
    A split sends l1 of the i rows of a class and l2 of the n - i others to the left, l = l1 + l2 from 1 to n - 1. Up to
    a constant its gain is ``-(l1 l2 / l + r1 r2 / r)``. Lemma 1: for a fixed l the product l1 l2 has at most ``ceil((l
    + 1) / 2)`` values. Lemma 2: over all l, l1 l2 / l has at most ``n (n + 2) / 4 - 1`` values, the sum of these.
    Lemma 3 and theorem 1: so has the sum of both sides, and the gain. The paper has even n; for odd n the sum is
    ``(n + 1) ** 2 / 4 - 1``.

    The paper proves lemma 3 by "symmetric" alone, and for a fixed l it does not hold: of 7 rows, 3 of a class, the
    splits with l = 3 have 4 gains, lemma 1 says 2. But of the ``(i + 1) (n - i + 1) - 2`` pairs l1, l2 each has the
    gain of its mirror image i - l1, n - i - l2, so that there are half as many gains ("splits", which for even n and
    i count the pair that is its own mirror image, too). That is less than the bound for every n, or equal, so the
    theorem holds. "exact" is less still: equal classes can be exchanged, and different splits may gain the same by
    chance.

    References
    ----------
    Deng and Runger, Gene selection with guided regularized random forest, section 3: lemmas 1 to 3 and theorem 1.

    Examples
    --------
    >>> from pyrrf.papers import distinct_gains
    >>> [distinct_gains([4, 10, 20], kind=kind).tolist() for kind in ("bound", "splits", "exact")]
    [[5, 29, 109], [4, 17, 60], [3, 15, 57]]
    >>> distinct_gains(10, [1, 5], "exact").tolist()
    [9, 10]
    """
    choice(kind, "kind", _KINDS)
    rows = _whole(n, "n", 2)
    if i is None:
        most = {m: max(_count(m, few, kind) for few in range(1, m // 2 + 1)) for m in np.unique(rows).tolist()}
        return np.array([most[m] for m in rows.ravel().tolist()], np.int64).reshape(rows.shape)
    rows, few = np.broadcast_arrays(rows, _whole(i, "i", 0))
    if (few > rows).any():
        raise bad.range("i: a node has more rows of a class than rows; pass 0 to n")
    counts = [_count(m, k, kind) for m, k in zip(rows.ravel().tolist(), few.ravel().tolist(), strict=True)]
    return np.array(counts, np.int64).reshape(rows.shape)


def _whole(values: ArrayLike, name: str, least: int) -> NDArray[np.int64]:
    array = np.asarray(values)
    if array.dtype.kind not in "biuf":
        raise bad.type(f"{name} must hold numbers of rows, not {values!r}")
    if not ((array >= least) & (array <= _MOST_ROWS) & (array == np.floor(array))).all():
        raise bad.range(f"{name} must hold whole numbers from {least} to {_MOST_ROWS}, not {values!r}")
    return array.astype(np.int64)


def _count(n: int, i: int, kind: str) -> int:
    """Return the number of gains of a node, or a bound of it."""
    if kind == "bound":
        return (n + 1) ** 2 // 4 - 1
    if kind == "splits":
        own_mirror = i % 2 == 0 and n % 2 == 0
        return ((i + 1) * (n - i + 1) - 2 + own_mirror) // 2
    # The gain is 2 (l1 n - l i)^2 / (n^3 l r): whole numbers, so that equal gains are known to be equal.
    first, other = np.arange(i + 1)[:, None], np.arange(n - i + 1)[None, :]
    left = (first + other).ravel()[1:-1]
    above, below = ((first * n - (first + other) * i) ** 2).ravel()[1:-1], left * (n - left)
    factor = np.gcd(above, below)
    return np.unique(above // factor * (n * n) + below // factor).size
