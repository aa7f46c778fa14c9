"""MIFS: its order by hand and by the paper's equation, probes, and what is refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_wine

from pyrrf.papers import MIFSSelector, equal_width_bins, mutual_information
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


# ---- the selector --------------------------------------------------------------------------------

WINE, CANCER = load_wine(), load_breast_cancer()


def test_mifs_takes_the_paper_s_order() -> None:
    x = CANCER.data[:, ::2]
    selector = MIFSSelector(random_state=1, beta=0.3).fit(x, CANCER.target)
    binned = equal_width_bins(x)
    relevance = [mutual_information(column, CANCER.target) for column in binned.T]
    assert selector.relevance_ == pytest.approx(relevance, abs=1e-15)
    taken: list[int] = []
    for feature, score in zip(selector.selected_, selector.scores_, strict=True):
        rest = [f for f in range(15) if f not in taken]
        worth = [relevance[f] - 0.3 * sum(mutual_information(binned[:, f], binned[:, t]) for t in taken) for f in rest]
        assert feature == rest[int(np.argmax(worth))]
        assert score == pytest.approx(max(worth), abs=1e-12)
        taken.append(feature)
    assert 1 < len(taken) < 15


@pytest.mark.parametrize("probe", ["uniform", "normal", "permuted"])
def test_probes_end_the_selection(probe: str) -> None:
    noise = np.random.default_rng(4).random((300, 20))
    y = noise[:, 3] > 0.5
    one, many = (MIFSSelector(n_probes=k, probe=probe, random_state=1).fit(noise, y) for k in (1, 50))
    assert one.selected_[0] == many.selected_[0] == 3
    assert many.n_features_ <= one.n_features_ < 20
    again = MIFSSelector(n_probes=50, probe=probe, random_state=1).fit(noise, y)
    assert (again.selected_ == many.selected_).all()


def test_mifs_of_missing_values_categories_and_numbers() -> None:
    rng = np.random.default_rng(5)
    number = rng.random(300)
    x = pd.DataFrame({"noise": rng.random(300), "half": np.where(number < 0.5, np.nan, 1.0)})
    x["third"] = pd.Categorical(np.digitize(number, [1 / 3, 2 / 3]).astype(str))
    selector = MIFSSelector(n_probes=20, random_state=1, correction="miller-madow").fit(x, number)
    # With 20 bins of the label, noise may beat a probe; it comes last.
    assert x.columns[selector.selected_[:2]].tolist() == ["third", "half"]
    of_polars = clone(selector).fit(polars.from_pandas(x), number)
    assert of_polars.selected_.tolist() == selector.selected_.tolist()


def test_labels_of_another_byte_order() -> None:
    expected = MIFSSelector(random_state=1).fit(WINE.data, WINE.target)
    found = MIFSSelector(random_state=1).fit(WINE.data, WINE.target.astype(">i4"))
    assert (found.relevance_ == expected.relevance_).all()
