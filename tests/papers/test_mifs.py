"""MIFSSelector: scikit-learn's checks, the paper's order, probes, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.utils.estimator_checks import parametrize_with_checks

from pyrrf.selectors import equal_width_bins, mutual_information
from pyrrf.sklearn import MIFSSelector

WINE, CANCER = load_wine(), load_breast_cancer()


@parametrize_with_checks([MIFSSelector(random_state=0)])
def test_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)


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


@pytest.mark.parametrize(
    ("how", "error", "message"),
    [
        ({"beta": "much"}, TypeError, "beta must be a number"),
        ({"n_probes": 0}, ValueError, "n_probes must be a whole number of at least 1"),
        ({"probe": "cauchy"}, ValueError, "probe must be one of 'uniform', 'normal', 'permuted'"),
        ({"bins": 1.5}, ValueError, "bins must be a whole number"),
        ({"correction": "none"}, ValueError, "correction must be one of 'miller-madow'"),
    ],
)
def test_wrong_arguments(how: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        MIFSSelector(**how).fit(WINE.data, WINE.target)


@pytest.mark.parametrize("y", [["a"] * 10, np.ones(10)])
def test_one_class_is_refused(y: Any) -> None:
    with pytest.raises(ValueError, match=r"y holds one class, .*; pass rows of at least two classes"):
        MIFSSelector(random_state=1).fit(WINE.data[:10], y)


def test_labels_of_another_byte_order() -> None:
    expected = MIFSSelector(random_state=1).fit(WINE.data, WINE.target)
    found = MIFSSelector(random_state=1).fit(WINE.data, WINE.target.astype(">i4"))
    assert (found.relevance_ == expected.relevance_).all()
