"""Numbers for simulated data that are the same on every platform and NumPy version.

They use the raw bits of PCG64, whose stream NumPy guarantees, and arithmetic that IEEE fixes; R's
stream takes no part.
"""

from __future__ import annotations

import numpy as np


class Bits:
    """Deterministic draws.

    Parameters
    ----------
    seed : int
        Seed of PCG64.
    """

    def __init__(self, seed: int) -> None:
        self._generator = np.random.PCG64(seed)

    def uniform(self, *shape: int) -> np.ndarray:
        """Uniform on [0, 1), 53 bits, of the given shape."""
        raw = self._generator.random_raw(int(np.prod(shape)))
        return ((raw >> np.uint64(11)).astype(np.float64) * 2.0**-53).reshape(shape)

    def normal(self, *shape: int) -> np.ndarray:
        """Sum of twelve uniforms minus 6: near normal, and no library function in it."""
        return sum((self.uniform(*shape) for _ in range(12)), start=np.full(shape, -6.0))

    def integers(self, below: int, *shape: int) -> np.ndarray:
        """Integers 0 to below - 1."""
        return np.floor(self.uniform(*shape) * below).astype(np.int64)

    def order(self, n: int) -> np.ndarray:
        """A permutation of 0 to n - 1."""
        return np.argsort(self.uniform(n), kind="stable")
