"""R's classical scaling, which MDSplot shows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import count
from pyrrf.errors import bad


def scale_proximities(near: pd.DataFrame, k: Any) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    """Return the classical scaling of 1 - proximity, R's ``cmdscale(eig = TRUE)``.

    Parameters
    ----------
    near : DataFrame, shape (n, n)
    k : int
        Number of dimensions.

    Returns
    -------
    points : DataFrame, shape (n, k)
    eig : ndarray of float64, shape (n,)
        Eigenvalues, the largest first.
    GOF : ndarray of float64, shape (2,)
        R's two measures of fit.
    """
    n, wanted = len(near), count(k, "k")
    if wanted > n - 1:
        raise bad.range(f"k is {wanted}, but {n} rows have at most {n - 1} dimensions; pass a smaller k")
    square = (1.0 - near.to_numpy()) ** 2
    centred = square - square.mean(axis=1, keepdims=True)
    centred -= centred.mean(axis=0, keepdims=True)
    values, vectors = np.linalg.eigh(-centred / 2)
    eig, vectors = values[::-1].copy(), vectors[:, ::-1]
    first = eig[:wanted]
    if (first <= 0).any():
        raise bad.range(
            f"only {int((first > 0).sum())} of the first {wanted} eigenvalues are > 0; pass a smaller k", "k"
        )
    columns = [f"Dim {j}" for j in range(1, wanted + 1)]
    points = pd.DataFrame(vectors[:, :wanted] * np.sqrt(first), index=near.index, columns=columns)
    fit = first.sum() / np.array([np.abs(eig).sum(), np.maximum(eig, 0).sum()])
    return points, eig, fit
