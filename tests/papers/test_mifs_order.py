"""The order of MIFS, by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pyrrf.papers.mifs import mifs_order


def test_mifs_by_hand() -> None:
    shared = np.array([[1.0, 0.6, 0.0], [0.6, 1.0, 0.4], [0.0, 0.4, 1.0]])
    order, scores = mifs_order([0.5, 0.45, 0.3], lambda f: shared[f], beta=0.5)
    # 0 first; then .45 - .3 = .15 against .3; then .45 - .5 (.6 + .4).
    assert order == [0, 2, 1]
    assert scores == pytest.approx([0.5, 0.3, -0.05])


def test_beta_0_ranks_by_relevance_and_ties_go_to_the_first() -> None:
    order, _ = mifs_order([0.1, 0.3, 0.3, 0.2], lambda _: np.ones(4), beta=0.0)
    assert order == [1, 2, 3, 0]


@pytest.mark.parametrize(("probe", "taken"), [(0.4, [0]), (0.6, []), (0.1, [0, 1])])
def test_mifs_ends_before_a_probe(probe: float, taken: list[int]) -> None:
    assert mifs_order([0.5, 0.3, probe], lambda _: np.zeros(3), n_probes=1)[0] == taken


def test_mifs_refuses_a_matrix() -> None:
    with pytest.raises(ValueError, match="relevance must be a vector"):
        mifs_order([[0.1]], lambda _: np.zeros(1))


@pytest.mark.parametrize(("beta", "n_probes"), [(np.nan, 0), (0.1, -1), (0.1, 4), (0.1, 0.5)])
def test_mifs_refuses_numbers_that_mean_nothing(beta: float, n_probes: Any) -> None:
    with pytest.raises(ValueError, match=r"beta: pass finite numbers|n_probes"):
        mifs_order([0.5, 0.3, 0.1], lambda _: np.zeros(3), beta, n_probes)


def test_mifs_refuses_nan() -> None:
    with pytest.raises(ValueError, match="relevance and beta: pass finite numbers"):
        mifs_order([0.5, np.nan], lambda _: np.zeros(2))
