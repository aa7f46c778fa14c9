"""Ridge regression, and its loss on rows left out without a column or a block of columns."""

from __future__ import annotations

import numpy as np

from pyrrf.selectors.credit import near_one
from pyrrf.threads import raise_if_ended
from pyrrf.types import Floats, Positions

# The penalties, of which the one with the least error on rows left out is taken.
_PENALTIES = np.geomspace(1e-2, 1e4, 13)
# The least share of a row's error that its own fit leaves, so that rounding divides nothing by 0. With more features
# than rows a small penalty leaves some 1e-4 of it.
_LEAST = 1e-9
# The squared t of the m-th best of M features of noise, divided by log(M / m).
_CHANCE = 2.0


class Ridge:
    """A ridge regression on standardised columns, each row left out in turn, from which blocks of columns are dropped.

    Of 13 penalties from .01 to 10,000 the one with the least squared error on the rows left out is taken, and kept. No
    row or column is left out by fitting anew: with Z the columns, G the inverse of ``Z'Z + penalty``, U = Z G and B the
    slopes, the fit without the columns S has the residuals ``r + U_S G_SS^-1 B_S`` and the leverages
    ``h - diag(U_S G_SS^-1 U_S')``.

    Parameters
    ----------
    x : ndarray of float64, shape (n, p)
        Without missing values. A constant column does nothing.
    target : ndarray of float64, shape (n, k)
    block : ndarray of int64, shape (p,), optional
        The block of each column, from 0; by default each is one.
    weight : ndarray of float64, shape (n,), optional
        What each row counts, above 0; 1 by default.
    chosen_from : int, default 0
        M, the number of blocks from which these were chosen by the same rows: see `credit`.

    Examples
    --------
    >>> import numpy as np
    >>> from pyrrf.selectors.ridge import Ridge
    >>> x = np.random.default_rng(1).standard_normal((60, 3))
    >>> ridge = Ridge(x, x[:, [1]] / x[:, 1].std())
    >>> np.round(ridge.credit(), 1) + 0.0
    array([0. , 1.1, 0. ])
    >>> ridge.drop(1)
    >>> ridge.blocks.tolist()
    [0, 2]
    """

    def __init__(
        self,
        x: Floats,
        target: Floats,
        block: Positions | None = None,
        weight: Floats | None = None,
        chosen_from: int = 0,
    ) -> None:
        raise_if_ended()
        self._chosen_from = chosen_from
        n, p = x.shape
        self._share = np.full(n, 1 / n) if weight is None else weight / weight.sum()
        centre, mean = self._share @ x, self._share @ target
        # No rounding where a column is constant.
        centred = near_one(np.where(np.ptp(x, axis=0) > 0, x - centre, 0)) if p else np.zeros((n, 0))
        spread = np.sqrt(self._share @ centred**2)
        # A row of weight w is like w rows: its equation is multiplied by the root of w.
        self._root = np.sqrt(self._share * n)[:, None]
        z, self._target = self._root * centred / np.where(spread > 0, spread, 1), target
        wanted = self._root * (target - mean)
        # Not by the singular values of z, which take ten times as long, in one piece.
        squared, axes = np.linalg.eigh(z.T @ z)
        turned = z @ axes
        errors = [float((self._error_at(turned, squared + penalty, wanted) ** 2).sum()) for penalty in _PENALTIES]
        penalty = float(_PENALTIES[int(np.argmin(errors))])
        self._inverse = (axes / (squared + penalty)) @ axes.T
        self._maker = z @ self._inverse
        self._slopes = self._inverse @ (z.T @ wanted)
        self._residual = wanted - z @ self._slopes
        self._leverage = (self._maker * z).sum(axis=1)
        self._block = np.arange(p) if block is None else block

    def _error_at(self, turned: Floats, penalized: Floats, wanted: Floats) -> Floats:
        """Return the errors of rows that are left out, one after the other.

        Of columns at right angles to each other, with the sums of their squares plus the penalty.
        """
        raise_if_ended()
        leverage = (turned**2 / penalized).sum(axis=1) + self._share
        fitted = turned @ (turned.T @ wanted / penalized[:, None])
        return np.asarray((wanted - fitted) / np.maximum(1 - leverage, _LEAST)[:, None])

    @property
    def blocks(self) -> Positions:
        """The blocks that are not dropped, int64, shape (m,), ascending."""
        return np.unique(self._block)

    @property
    def prediction(self) -> Floats:
        """The prediction of each row by the fit to all others, float64, shape (n, k)."""
        return np.asarray(self._target - self._left_out_errors() / self._root)

    def _left_out_errors(self) -> Floats:
        """Return the error of each row by the fit to all others, times the root of its weight."""
        return np.asarray(self._residual / np.maximum(1 - self._leverage - self._share, _LEAST)[:, None])

    def credit(self) -> Floats:
        """Return the increase of the mean squared error of the rows left out, without each block, less chance.

        A row is left out of the fit, but not of the choice of the blocks. Of M features without bearing the m-th best
        has a squared t statistic of about 2 log(M/m), and selected ones would look useful. Credits are drawn to 0 by
        that, in units of the mean squared error divided by n.

        Returns
        -------
        ndarray of float64, shape (m,)
            For each of `blocks`, summed over the columns of the target; negative where the block misleads.

        Notes
        -----
        2 log(M/m) for each of m features is the penalty of F. Abramovich and others, Adapting to unknown sparsity by
        controlling the false discovery rate, 2006.
        """
        raise_if_ended()
        free = 1 - self._leverage - self._share
        left_out = self._left_out_errors()
        before = float((left_out**2).sum())
        own = np.diag(self._inverse)
        slopes = self._slopes / own[:, None]
        # The squares of residual + maker * slope, summed over the columns of the target.
        squares = (
            (self._residual**2).sum(axis=1)[:, None]
            + 2 * self._maker * (self._residual @ slopes.T)
            + self._maker**2 * (slopes**2).sum(axis=1)
        )
        after = (squares / np.maximum(free[:, None] + self._maker**2 / own, _LEAST) ** 2).sum(axis=0)
        blocks, first, sizes = np.unique(self._block, return_index=True, return_counts=True)
        errors = after[first]
        for index in np.flatnonzero(sizes > 1):
            residual, leverage = self._without(np.flatnonzero(self._block == blocks[index]))
            errors[index] = ((residual / np.maximum(1 - leverage - self._share, _LEAST)[:, None]) ** 2).sum()
        n = len(self._share)
        credit = (errors - before) / n
        # Of rows that count w the squared t of noise has the mean of w^2 times the squared error, not of w times it.
        unit = float(((self._root * left_out) ** 2).sum()) / n**2
        chance = _CHANCE * unit * np.log(max(1.0, self._chosen_from / max(1, len(blocks))))
        return np.asarray(credit - np.clip(credit, -chance, chance))

    def drop(self, block: int) -> None:
        """Leave out the columns of a block from here on."""
        gone = self._block == block
        columns, kept = np.flatnonzero(gone), np.flatnonzero(~gone)
        self._residual, self._leverage = self._without(columns)
        # (m, p) and (m, k): the part that the columns left take over
        share = np.linalg.solve(self._inverse[np.ix_(columns, columns)], self._inverse[np.ix_(columns, kept)])
        self._slopes = self._slopes[kept] - share.T @ self._slopes[columns]
        self._maker = self._maker[:, kept] - self._maker[:, columns] @ share
        self._inverse = self._inverse[np.ix_(kept, kept)] - self._inverse[np.ix_(kept, columns)] @ share
        self._block = self._block[kept]

    def _without(self, columns: Positions) -> tuple[Floats, Floats]:
        """Return the residuals and leverages of the fit without some columns."""
        inner, maker = self._inverse[np.ix_(columns, columns)], self._maker[:, columns]
        residual = self._residual + maker @ np.linalg.solve(inner, self._slopes[columns])
        return residual, self._leverage - (maker.T * np.linalg.solve(inner, maker.T)).sum(axis=0)
