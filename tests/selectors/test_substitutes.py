"""Rank correlations against scipy's and pandas' own, and for columns without an order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from pyrrf.selectors import substitutes as module
from pyrrf.selectors.substitutes import rank_correlations


@pytest.mark.parametrize("block", [2, 1024])
def test_correlations_of_pandas(block: int, monkeypatch: Any) -> None:
    monkeypatch.setattr(module, "_BLOCK", block)
    x = np.random.default_rng(1).integers(0, 6, size=(30, 7)).astype(float)  # with ties
    x[:, 3] = -(x[:, 0] ** 3)
    found = rank_correlations(x, np.array([3, 1]))
    np.testing.assert_allclose(found, pd.DataFrame(x).corr(method="spearman").to_numpy()[[3, 1]], atol=1e-12)
    assert found[0, 0] == pytest.approx(-1, abs=1e-12)
    sparse = pytest.importorskip("scipy.sparse")
    np.testing.assert_allclose(rank_correlations(sparse.csc_array(x), np.array([3, 1])), found)


def test_columns_of_all_kinds() -> None:
    frame = pd.DataFrame(
        {
            "number": [1.0, 2.0, 3.0, 4.0],
            "constant": [5.0] * 4,
            "colour": pd.Categorical(["a", "b", "c", "d"]),
            "size": pd.Categorical(["L", "M", "M", "S"], ["S", "M", "L"], ordered=True),
            "nullable": pd.array([1, None, 3, 4], dtype="Int64"),
            "flag": [False, False, True, True],
            "text": ["a", "b", "c", "d"],
        }
    )
    (found,) = rank_correlations(frame, np.array([0]))
    # Ranks of sizes: 4, 2.5, 2.5, 1; of the nullable numbers: 1, 2 in place of the missing one, 2, 3.
    root = np.sqrt(5 * np.array([4.5, 2.0, 4.0]))
    np.testing.assert_allclose(found, [1, 0, 0, -4.5 / root[0], 3 / root[1], 4 / root[2], 0], atol=1e-12)


def test_none_asked_for() -> None:
    assert rank_correlations(pd.DataFrame({"a": [1.0, 2.0]}), np.array([], np.int64)).shape == (0, 1)
