"""ChowLiuSelector: scikit-learn's checks, the paper's counts, real data, the picture, and what is refused."""

from __future__ import annotations

import gzip
import os
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config
from matplotlib import pyplot as plt
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from pyrrf.papers.chow_liu.search import forward_evaluations
from pyrrf.selectors import equal_width_bins, mutual_information
from pyrrf.sklearn import ChowLiuSelector

CANCER = load_breast_cancer()
# Every other feature: a search tries fewer sets.
X, P = CANCER.data[:, ::2], 15
DATA = Path(os.environ.get("PYRRF_DATA", Path(__file__).parents[3] / "shared" / "data"))


@parametrize_with_checks(
    [
        ChowLiuSelector(DecisionTreeClassifier(max_depth=2, random_state=0), cv=2, empty_score=-np.inf),
        ChowLiuSelector(),
    ]
)
def test_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.fixture(scope="module")
def cancer() -> ChowLiuSelector:
    return ChowLiuSelector(GaussianNB(), epsilon=0.002, cv=3).fit(X, CANCER.target)


def test_attributes_agree(cancer: ChowLiuSelector) -> None:
    assert np.flatnonzero(cancer.support_).tolist() == sorted(cancer.selected_)
    assert sorted((*cancer.selected_, *cancer.redundant_)) == list(range(P))
    assert cancer.n_features_ == len(cancer.selected_)
    assert cancer.tree_.root == P
    assert cancer.transform(X).shape == (569, cancer.n_features_)
    binned = equal_width_bins(X)
    assert cancer.mutual_information_[3, P] == mutual_information(binned[:, 3], CANCER.target)
    tables = [each.mutual_information_ for each in (cancer, pickle.loads(pickle.dumps(cancer)))]
    assert (tables[0] == tables[1]).all()


def test_evaluations_are_counted_as_in_the_paper(cancer: ChowLiuSelector) -> None:
    history = cancer.history_
    stays = (history["outcome"] == "open").sum()
    assert cancer.n_evaluations_ == len(history) == P + stays
    assert stays > 0
    assert (history["outcome"] == "taken").sum() == cancer.n_features_
    assert cancer.n_evaluations_ < forward_evaluations(P, cancer.n_features_) / 2


def test_score_is_that_of_the_features_kept(cancer: ChowLiuSelector) -> None:
    kept = X[:, cancer.support_]
    again = cross_val_score(GaussianNB(), kept, CANCER.target, scoring="balanced_accuracy", cv=3)
    assert cancer.score_ == pytest.approx(again.mean(), abs=1e-15)
    taken = cancer.history_.query("outcome == 'taken'")
    assert taken["feature"].tolist() == cancer.selected_.tolist()
    assert taken["score"].iloc[-1] == cancer.score_
    assert (np.diff([0.5, *taken["score"]]) > 0.002).all()


def test_floating_goes_on_from_the_result(cancer: ChowLiuSelector) -> None:
    floating = clone(cancer).set_params(floating=True).fit(X, CANCER.target)
    first = cancer.n_evaluations_
    pd.testing.assert_frame_equal(floating.history_[:first], cancer.history_)
    assert set(floating.history_["direction"][first:]) >= {"backward"}
    assert floating.score_ - 0.002 * floating.n_features_ >= cancer.score_ - 0.002 * cancer.n_features_
    assert sorted((*floating.selected_, *floating.redundant_)) == list(range(P))


def test_without_an_estimator_the_children_of_the_label_are_kept(cancer: ChowLiuSelector) -> None:
    alone = ChowLiuSelector().fit(X, CANCER.target)
    assert alone.selected_.tolist() == cancer.tree_.children(P).tolist()
    assert alone.n_evaluations_ == len(alone.history_) == 0
    assert sorted((*alone.selected_, *alone.redundant_)) == list(range(P))


@pytest.mark.parametrize("n_jobs", [2, 3, -1])
def test_one_answer_on_any_number_of_threads(n_jobs: int) -> None:
    x, y = CANCER.data[::4, :6], CANCER.target[::4]
    folds = StratifiedKFold(3, shuffle=True, random_state=1)
    one = ChowLiuSelector(DecisionTreeClassifier(random_state=1), cv=folds, floating=True).fit(x, y)
    with parallel_config("threading"):
        many = clone(one).set_params(n_jobs=n_jobs).fit(x, y)
    pd.testing.assert_frame_equal(one.history_, many.history_)
    assert one.selected_.tolist() == many.selected_.tolist()


def test_redundant_copies_are_found() -> None:
    rng = np.random.default_rng(1)
    x = rng.random((300, 4))
    y = x[:, 0] + x[:, 1] > 1
    x = np.column_stack([x, x[:, :2] * 2 + 1])
    selector = ChowLiuSelector(GaussianNB(), epsilon=0.05).fit(x, y)
    assert selector.n_features_ == 2
    assert {f % 4 for f in selector.selected_} == {0, 1}


def test_numbers_and_categories() -> None:
    rng = np.random.default_rng(2)
    number = rng.random(200)
    colour = pd.Categorical(rng.choice(["red", "green", "blue"], 200))
    numeric = ChowLiuSelector(LinearRegression(), scoring="r2").fit(rng.random((200, 3)) + number[:, None], number)
    assert numeric.mutual_information_[3, 3] > 3, "the label lies in 20 bins"
    frame = pd.DataFrame({"noise": rng.random(200), "colour": colour})
    selector = ChowLiuSelector().fit(frame, colour == "red")
    assert selector.get_feature_names_out().tolist() == ["colour"]
    assert selector.mutual_information_[1, 2] == mutual_information(colour, colour == "red")


def test_score_without_features() -> None:
    noise = np.random.default_rng(3).random((60, 2))
    y = [0, 1] * 30
    assert ChowLiuSelector(GaussianNB(), empty_score=1).fit(noise, y).n_features_ == 0
    assert ChowLiuSelector(GaussianNB(), empty_score=-np.inf).fit(noise, y).n_features_ >= 1


@pytest.mark.parametrize(
    ("how", "error", "message"),
    [
        ({"bins": 0}, ValueError, "bins must be a whole number"),
        ({"epsilon": -0.1}, ValueError, "epsilon must be at least 0"),
        ({"epsilon": "no"}, TypeError, "epsilon must be a number"),
        ({"empty_score": "none"}, ValueError, "empty_score must be 'majority' or a number, not 'none'"),
        ({"empty_score": None}, ValueError, "empty_score must be 'majority' or a number, not None"),
        ({"empty_score": True}, ValueError, "empty_score must be 'majority' or a number, not True"),
        ({"cv": []}, ValueError, "cv has no splits"),
        ({"empty_score": np.nan}, ValueError, "empty_score must be 'majority' or a number, not nan"),
        ({"floating": "yes"}, TypeError, "floating must be True or False"),
        ({"correction": "none"}, ValueError, "correction must be one of 'miller-madow'"),
        ({"estimator": GaussianNB}, TypeError, "estimator must be a classifier or a regressor"),
        ({"estimator": LinearRegression()}, ValueError, "pass scoring='r2'"),
    ],
)
def test_wrong_arguments(how: Any, error: type[Exception], message: str) -> None:
    selector = ChowLiuSelector(**{"estimator": GaussianNB(), **how})
    with pytest.raises(error, match=message):
        selector.fit(CANCER.data[::6, :3], CANCER.target[::6])


# ---- real data -----------------------------------------------------------------------------------


@pytest.mark.skipif(not (DATA / "spambase.csv.gz").exists(), reason="needs spambase.csv.gz of the data folder")
def test_tree_of_spambase_is_the_paper_s() -> None:
    with gzip.open(DATA / "spambase.csv.gz") as file:
        table = pd.read_csv(file)
    tree = ChowLiuSelector().fit(table.drop(columns="class"), table["class"]).tree_
    children = np.bincount(tree.parents[:-1], minlength=58)
    children = children[children > 0]
    assert round(children.mean(), 2) == 2.48
    assert round(children.var(ddof=1), 2) == 5.72


# ---- picture -------------------------------------------------------------------------------------


@pytest.fixture
def _closed() -> Iterator[None]:
    mpl.use("agg")
    yield
    plt.close("all")


@pytest.mark.usefixtures("_closed")
def test_picture_shows_the_tree(cancer: ChowLiuSelector) -> None:
    axes = cancer.plot_tree()
    root, kept, others = (np.asarray(each.get_offsets()) for each in axes.collections)
    assert (len(root), len(kept), len(others)) == (1, cancer.n_features_, P - cancer.n_features_)
    depths = cancer.tree_.depths()
    assert kept[:, 0].tolist() == depths[np.flatnonzero(cancer.support_)].tolist()
    assert len({tuple(place) for place in np.concatenate([root, kept, others]).tolist()}) == P + 1
    assert [each.get_text() for each in axes.texts] == [*(f"x{j}" for j in range(P)), "label"]
    widths = [line.get_linewidth() for line in axes.lines]
    assert np.argmax(widths) == np.argmax(cancer.tree_.weights)


@pytest.mark.usefixtures("_closed")
def test_picture_has_the_names_of_a_table() -> None:
    frame = pd.DataFrame(CANCER.data[:, :3], columns=["a", "b", "c"])
    _, given = plt.subplots()
    axes = ChowLiuSelector().fit(frame, CANCER.target).plot_tree(given)
    assert axes is given
    assert [each.get_text() for each in axes.texts] == ["a", "b", "c", "label"]
