"""Data whose classes and categories are strings, which R puts in the order of its locale."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from parity.bits import Bits
from parity.datasets.registry import dataset

MIXED = ["b 1", "B1", "b-2", "\u00e9", "Z", "10", "9", "_x", "\u00c4x", "ae"]


def _worded(seed: int, words: list[str]) -> dict[str, Any]:
    bits = Bits(seed)
    codes = np.concatenate([np.arange(len(words))] * 4 + [bits.integers(len(words), 40)])
    x = bits.normal(len(codes), 5) + 0.8 * (codes[:, None] % 3) * (np.arange(5) < 2)
    return {"x": np.round(x, 2) + 0.0, "y": np.array(words, dtype=object)[codes]}


@dataset
def tumours() -> dict[str, Any]:
    """Classes of which one begins with a capital; strata and a table with a column of strings."""
    parts = _worded(901, ["normal", "Tumor", "benign"])
    sites = np.array(["colon", "Lung", "liver", "Breast"], dtype=object)[Bits(902).integers(4, len(parts["y"]))]
    data = pd.DataFrame(parts["x"], columns=list("abcde")).assign(site=sites, kind=parts["y"])
    return parts | {"data": data, "strata": sites}


@dataset
def mixed_words() -> dict[str, Any]:
    """Classes with digits, spaces, punctuation, accents and both cases."""
    return _worded(903, MIXED)
