"""EliminationSelector: scikit-learn's checks, sizes, the path, categories and missing values, what is refused."""

from __future__ import annotations

import types
from typing import Any

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.ensemble import IsolationForest
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GroupKFold, PredefinedSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from pyrrf.selectors.rules import choose_by_rule
from pyrrf.sklearn import EliminationSelector, RRFRegressor, sizes
from tests.refusals import refused
from tests.sklearn.drawn import expected_failures

FEW: dict[str, Any] = {"n_estimators": 5, "random_state": 1}
MORE = FEW | {"n_estimators": 15}
WINE, CANCER = load_wine(as_frame=True), load_breast_cancer()
# Of more features so many enter the first round.
POOL = "pyrrf.sklearn.elimination._POOL"


# What scikit-learn draws is mostly noise.
@pytest.mark.filterwarnings(
    "ignore:no subset predicts y significantly better", "ignore:selected feature.* have a negative credit"
)
@parametrize_with_checks(
    [
        EliminationSelector(1, n_estimators=2, step=0.5, random_state=0),
        EliminationSelector(cv=2, n_estimators=2, step=0.5, random_state=0),
    ],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.filterwarnings("ignore:selected feature.* have a negative credit")
def test_sizes_and_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(POOL, 20)
    x = CANCER.data
    selector = EliminationSelector(5, **FEW).fit(x, CANCER.target)
    assert selector.n_features_ == selector.support_.sum() == 5
    assert selector.selected_.tolist() == selector.path_[:5].tolist()
    assert len(selector.path_) == 20
    assert [int(selector.support_at(k).sum()) for k in (1, 5, 20)] == [1, 5, 20]
    assert np.array_equal(selector.support_at(5), selector.support_)
    assert sorted(selector.ranking_.tolist()) == [*[1] * 5, *range(2, 17), *[17] * 10]
    assert selector.ranking_[selector.path_].tolist() == [*[1] * 5, *range(2, 17)]
    table = selector.credits_.merge(selector.weights_, on="n_features", suffixes=("", "_weight"))
    assert np.allclose(table.credit, table.forest * table.forest_weight + table.ridge * table.ridge_weight)
    shares = [EliminationSelector(each, **FEW).fit(x, CANCER.target).n_features_ for each in (0.1, 1.0)]
    assert shares == [3, 30]


@pytest.mark.parametrize(
    ("step", "sizes"), [(4, [13, 9, 5, 1]), (np.int64(4), [13, 9, 5, 1]), (100, [13, 1]), (0.5, [13, 6, 3, 1])]
)
def test_a_round_drops_a_number_or_a_share(step: Any, sizes: list[int]) -> None:
    selector = EliminationSelector(2, step=step, **FEW).fit(WINE.data, WINE.target)
    assert selector.weights_["n_features"].tolist() == sizes
    assert selector.credits_.groupby("round").size().tolist() == sizes


@pytest.mark.parametrize("word", ["best", "1se"])
def test_words_for_the_size_are_rules(word: str) -> None:
    chance = np.random.default_rng(7)
    x = np.column_stack([WINE.data, chance.standard_normal((178, 7))])
    selector = EliminationSelector(word, cv=4, **FEW).fit(x, WINE.target)
    table = selector.cv_results_
    scores = np.array([table[f"split{at}_test_score"] for at in range(4)]).T
    sizes = table["n_features"].tolist()
    assert selector.best_index_ == choose_by_rule(
        scores, sizes, -np.array(sizes, np.float64), word, selector.guess_scores_
    )
    assert selector.n_features_ <= sizes[selector.best_index_]
    assert selector.ranking_[selector.support_].tolist() == [1] * selector.n_features_
    assert selector.ranking_[~selector.support_].min() == 2


def test_the_size_is_chosen_on_folds() -> None:
    noise = np.random.default_rng(3).standard_normal((178, 3))
    x = WINE.data.iloc[:, 6:].assign(**{f"noise {k}": column for k, column in enumerate(noise.T)})
    selector = EliminationSelector(cv=3, **FEW).fit(x, WINE.target)
    results = selector.cv_results_
    assert results["n_features"][0] == 10
    assert results["n_features"][-1] == 1
    assert 0 < selector.n_features_ <= results["n_features"][selector.best_index_] < 10
    best = clone(selector).set_params(n_features="best").fit(x, WINE.target)
    assert selector.n_features_ <= best.n_features_
    scores = best.cv_results_["mean_test_score"]
    assert scores[best.best_index_] == scores.max()
    assert not hasattr(selector, "nested_score_")
    nested = clone(selector).set_params(nested=True).fit(x, WINE.target)
    assert nested.path_.tolist() == selector.path_.tolist()
    assert 0.9 < nested.nested_score_ <= 1
    assert not hasattr(nested.set_params(n_features=2).fit(x, WINE.target), "cv_results_")
    judge = make_pipeline(StandardScaler(), LogisticRegression())
    other = clone(selector).set_params(judge=judge, scoring="neg_log_loss")
    assert (other.fit(x, WINE.target).cv_results_["mean_test_score"] < 0).all()


def test_the_score_of_a_given_size() -> None:
    selector = EliminationSelector(2, nested=True, cv=4, **FEW).fit(WINE.data, WINE.target)
    assert (selector.n_features_, selector.n_splits_, selector.nested_sizes_.tolist()) == (2, 4, [2] * 4)
    assert selector.nested_score_ == pytest.approx(selector.nested_scores_.mean())
    assert not hasattr(selector, "cv_results_")
    chosen = WINE.data.to_numpy()[:, selector.support_]
    assert selector.judge_.score(chosen, WINE.target) > 0.9
    table = selector.credits_of_kept()
    assert set(table["feature"]) == set(selector.get_feature_names_out())
    assert np.allclose(table["credit"], table["forest"] + table["ridge"])


def test_what_y_holds_can_be_told() -> None:
    x = WINE.data.assign(number=WINE.target)
    numbers = EliminationSelector(1, task="regression", cv=3, nested=True, **FEW).fit(x, WINE.target)
    assert numbers.get_feature_names_out().tolist() == ["number"]
    assert isinstance(numbers.judge_, RRFRegressor)
    by_judge = EliminationSelector(cv=3, judge=LinearRegression(), **FEW).fit(x, WINE.target)
    assert by_judge.support_[-1]
    with refused("task", "choice"):
        EliminationSelector(1, task="entropy").fit(x, WINE.target)


def test_jobs_do_not_change_the_answer() -> None:
    x = WINE.data.iloc[:, 6:]
    one, three = (EliminationSelector(cv=3, n_jobs=jobs, **FEW).fit(x, WINE.target) for jobs in (1, 3))
    assert one.path_.tolist() == three.path_.tolist()
    assert one.cv_results_["mean_test_score"].tolist() == three.cv_results_["mean_test_score"].tolist()
    with parallel_config("loky", n_jobs=2):
        other = EliminationSelector(cv=3, n_jobs=2, **FEW).fit(x, WINE.target)
    assert one.cv_results_["mean_test_score"].tolist() == other.cv_results_["mean_test_score"].tolist()
    assert one.path_.tolist() == other.path_.tolist()


def test_groups_and_costs() -> None:
    x, panels = CANCER.data, np.repeat(["mean", "error", "worst"], 10)
    selector = EliminationSelector(1, feature_groups=panels, **FEW).fit(x, CANCER.target)
    assert [int(selector.support_at(k).sum()) for k in (1, 2, 3)] == [10, 20, 30]
    assert selector.support_[20:].all()
    assert all(len(set(selector.ranking_[panels == panel])) == 1 for panel in set(panels))
    assert selector.ranking_[25] == 1
    two = EliminationSelector(2, feature_groups=panels, **FEW).fit(x, CANCER.target)
    assert two.ranking_[two.support_].tolist() == [1] * 20
    assert two.ranking_[~two.support_].tolist() == [2] * 10
    with refused("n_features", "range"):
        EliminationSelector(4, feature_groups=panels, **FEW).fit(x, CANCER.target)
    dear = np.where(np.arange(30) >= 20, 100.0, 1.0)
    frugal, plain = (EliminationSelector(2, feature_cost=cost, **FEW).fit(x, CANCER.target) for cost in (dear, None))
    assert not frugal.support_[20:].any()
    assert plain.support_[20:].any()


def test_substitutes() -> None:
    selector = EliminationSelector(3, **FEW).fit(WINE.data.assign(double=2 * WINE.data["proline"]), WINE.target)
    table = selector.substitutes_
    assert {"proline", "double"} <= {*table["feature"], *table["substitute"]}
    assert table["replaces"].isna().all()
    assert (table["correlation"].abs() >= 0.7).all()


def test_weights() -> None:
    chance = np.random.default_rng(1)
    x = pd.DataFrame(chance.standard_normal((200, 6)), columns=list("abcdef"))
    late = np.arange(200) >= 120
    y = np.where(late, x["b"], x["e"]) > 0
    weight = np.where(late, 2.0, 0.0)
    for how in ({"n_features": 1}, {"cv": 3, "nested": True}):
        plain = EliminationSelector(**how, **FEW).fit(x, y)
        heavy = EliminationSelector(**how, **FEW).fit(x, y, sample_weight=weight)
        assert x.columns[heavy.path_[0]] == "b"
        assert x.columns[plain.path_[0]] == "e"
    assert heavy.nested_score_ > 0.85
    # Rows of weight 0 are as good as not there.
    other = np.where(late, y, ~y)
    assert EliminationSelector(1, **FEW).fit(x, other, weight).path_.tolist() == heavy.path_.tolist()
    custom = EliminationSelector(cv=3, judge=LogisticRegression(), **FEW).fit(x, y, weight)
    assert custom.support_[1]
    with refused("y", "constant"):
        EliminationSelector(1, **FEW).fit(x, y, np.where(y, 1.0, 0.0))


def test_bars(capsys: pytest.CaptureFixture[str]) -> None:
    EliminationSelector(cv=2, verbose=1, **FEW).fit(WINE.data.iloc[:, :5], WINE.target)
    shown = capsys.readouterr().err
    assert "folds: " in shown
    assert "elimination: " in shown
    assert "round/s" in shown
    assert EliminationSelector(2, **FEW).fit(WINE.data, WINE.target).n_features_ == 2
    assert capsys.readouterr().err == ""


def test_numbers() -> None:
    x, y = load_diabetes(return_X_y=True, as_frame=True)
    selector = EliminationSelector(2, **MORE).fit(x, y)
    assert set(selector.get_feature_names_out()) == {"bmi", "s5"}
    assert EliminationSelector(2, **MORE).fit(x, y * 1024.0).path_.tolist() == selector.path_.tolist()
    # Here the response is rounded, and ties between splits fall otherwise.
    assert EliminationSelector(2, **MORE).fit(x, y * 1000.0 + 0.5).support_.tolist() == selector.support_.tolist()


def test_categories_and_missing_values() -> None:
    chance = np.random.default_rng(2)
    group = chance.integers(0, 4, 200)
    x = pd.DataFrame({"a": chance.standard_normal(200), "b": pd.Categorical(np.array(list("wxyz"))[group])})
    x["c"] = np.where(chance.random(200) < 0.2, np.nan, chance.standard_normal(200))
    x["d"] = chance.standard_normal(200)
    x.loc[3, "b"] = np.nan
    y = np.isin(group, [0, 3])
    assert EliminationSelector(1, **FEW).fit(x, y).get_feature_names_out().tolist() == ["b"]
    assert EliminationSelector(cv=2, **FEW).fit(x, y).support_[1]


@pytest.mark.parametrize("how", [{"n_features": 3}, {"cv": 2}])
def test_a_sparse_matrix_gives_what_its_array_does(how: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(POOL, 20)
    chance = np.random.default_rng(4)
    dense = chance.random((80, 150)) * (chance.random((80, 150)) < 0.2)
    words, y = csr_array(dense), dense[:, 5] + dense[:, 9] > 0.1
    found, expected = (EliminationSelector(**how, **FEW).fit(x, y) for x in (words, dense))
    assert found.credits_.equals(expected.credits_)
    assert found.substitutes_.equals(expected.substitutes_)
    assert np.array_equal(found.transform(words).toarray(), expected.transform(dense))


@pytest.mark.parametrize(
    ("how", "argument", "code"),
    [
        ({"n_features": 0}, "n_features", "range"),
        ({"n_features": 1.5}, "n_features", "range"),
        ({"n_features": 14}, "n_features", "range"),
        ({"n_features": 2, "feature_groups": [0] * 13}, "n_features", "range"),
        ({"verbose": "a"}, "verbose", "type"),
        ({"scoring": ["accuracy"]}, "scoring", "type"),
        ({"cv": []}, "cv", "empty"),
        ({"cv": [([0, 1, 100], [])]}, "cv", "range"),
        ({"cv": [([0, 1, 100], [178])]}, "cv", "range"),
        ({"cv": [([0.0, 1.0], [2.0])]}, "cv", "range"),
        ({"nested": True, "cv": PredefinedSplit(np.arange(178) % 3)}, "nested", "conflict"),
        ({"n_features": "few"}, "n_features", "choice"),
        ({"n_features": [2]}, "n_features", "type"),
        ({"feature_cost": {"hue": 0.5}}, "feature_cost", "range"),
        ({"feature_cost": {"hew": 2}}, "feature_cost", "unknown"),
        ({"feature_groups": [1, 2]}, "feature_groups", "length"),
        ({"verbose": -1}, "verbose", "range"),
        ({"step": 1.0}, "step", "range"),
        ({"step": 0}, "step", "range"),
        ({"step": 0.0}, "step", "range"),
        ({"step": True}, "step", "type"),
        ({"n_estimators": 0}, "n_estimators", "range"),
        ({"judge": LogisticRegression}, "judge", "type"),
        ({"judge": IsolationForest()}, "judge", "type"),
        ({"judge": types.SimpleNamespace(fit=None)}, "judge", "type"),
        ({"judge": LogisticRegression(), "task": "regression"}, "task", "conflict"),
        ({"n_features": "2se"}, "n_features", "choice"),
        ({"nested": True, "cv": [([0, 1, 100], [2, 101])]}, "nested", "conflict"),
        ({"random_state": "x"}, "random_state", "choice"),
    ],
)
def test_wrong_arguments(how: Any, argument: str, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sizes, "share_out", None)  # refused before folds are tried
    with refused(argument, code):
        EliminationSelector(**{"cv": 2, "n_estimators": 3, **how}).fit(WINE.data, WINE.target)


@pytest.mark.parametrize(
    ("how", "remedies"),
    [({"n_features": "paired"}, ("a number", "'best'", "None")), ({"step": 2.0}, ("an int", "below 1"))],
)
def test_a_refusal_names_all_that_is_taken(how: Any, remedies: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=next(iter(how))) as info:
        EliminationSelector(**how).fit(WINE.data, WINE.target)
    assert [each for each in remedies if each not in str(info.value)] == []


@pytest.mark.filterwarnings(
    "ignore:no subset predicts y significantly better", "ignore:selected feature.* have a negative credit"
)
def test_features_of_one_value_are_last() -> None:
    chance = np.random.default_rng(5)
    noise = np.concatenate([chance.standard_normal((60, 8)), np.zeros((60, 6)), np.full((60, 2), np.nan)], axis=1)
    y = np.arange(60) % 2
    selector = EliminationSelector(cv=3, n_estimators=10, random_state=1).fit(noise, y)
    assert sorted(selector.path_[:8].tolist()) == list(range(8))
    grouped = EliminationSelector(1, feature_groups=[0] * 4 + [1] * 10 + [2] * 2, **FEW).fit(noise, y)
    assert grouped.ranking_[14:].tolist() == [3, 3]


def test_values_whose_squares_are_too_large() -> None:
    x, y = CANCER.data[:, :5], CANCER.target
    plain = EliminationSelector(2, **FEW).fit(x, y)
    for size in (2.0**600, 2.0**-600):
        assert EliminationSelector(2, **FEW).fit(x * size, y).credits_.equals(plain.credits_)


def test_numbers_of_any_size() -> None:
    x, y = load_diabetes(return_X_y=True)
    plain = EliminationSelector(3, task="regression", **FEW).fit(x, y)
    for size in (2.0**300, 2.0**-300):
        assert EliminationSelector(3, task="regression", **FEW).fit(x, y * size).credits_.equals(plain.credits_)
    # With folds and without, as the forests that judge refuse them; at the last one their sum is infinite.
    for size in (2.0**700, 2.0**-700, 2.0**1015):
        for how in ({}, {"n_features": None}, {"nested": True}, {"judge": LinearRegression(), "nested": True}):
            selector = EliminationSelector(**{"n_features": 3, "task": "regression", **FEW, **how})
            with refused("y", "scale"):
                selector.fit(x, y * size)
    with pytest.raises(ValueError, match=r"y is constant \(1\.5 in all rows\)"):
        EliminationSelector(3, task="regression", **FEW).fit(x, np.full(442, 1.5))


@pytest.mark.filterwarnings("ignore:selected feature.* have a negative credit")
def test_weights_of_any_size() -> None:
    x, y = CANCER.data[:, :5], CANCER.target
    weight = np.random.default_rng(1).random(len(y)) + 0.5
    plain = EliminationSelector(2, **FEW).fit(x, y, weight)
    for size in (2.0**1022, 2.0**-1000):
        assert EliminationSelector(2, **FEW).fit(x, y, weight * size).credits_.equals(plain.credits_)
    # Rows whose weights vanish are left out as those of weight 0 are.
    few = np.where(np.arange(len(y)) % 2, 1.0, 0.0)
    left = EliminationSelector(2, **FEW).fit(x, y, few)
    assert EliminationSelector(2, **FEW).fit(x, y, np.where(few > 0, few, 5e-324)).credits_.equals(left.credits_)


@pytest.mark.parametrize("kind", [np.float32, np.float16, np.int8])
def test_numbers_of_any_type(kind: type) -> None:
    x, y = load_diabetes(return_X_y=True)
    y = (y / 4).astype(kind)
    found, expected = (EliminationSelector(3, task="regression", **FEW).fit(x, one) for one in (y, y.astype(float)))
    assert found.credits_.equals(expected.credits_)


def test_classes_that_are_objects() -> None:
    for y in (CANCER.target, CANCER.target == 1):
        selectors = [EliminationSelector(cv=2, **FEW).fit(CANCER.data[:, :3], one) for one in (y, y.astype(object))]
        assert selectors[0].credits_.equals(selectors[1].credits_)


def test_splits_by_groups_and_splits_of_all_rows() -> None:
    x, y = WINE.data.iloc[:, :6], WINE.target.to_numpy()
    groups = np.arange(178) // 2 % 7
    splits = list(GroupKFold(3).split(x, y, groups))
    by_group = EliminationSelector(cv=GroupKFold(3), **FEW).fit(x, y, groups=groups)
    told = EliminationSelector(cv=splits, **FEW).fit(x, y)
    assert {name: scores.tolist() for name, scores in by_group.cv_results_.items()} == {
        name: scores.tolist() for name, scores in told.cv_results_.items()
    }
    # Splits that are told count all rows, also those of weight 0.
    weight = (np.arange(178) % 5 > 0).astype(float)
    counted = np.flatnonzero(weight)
    place = np.cumsum(weight).astype(int) - 1
    fewer = [tuple(place[part[weight[part] > 0]] for part in split) for split in splits]
    for cv in (splits, PredefinedSplit(np.argmax([np.isin(np.arange(178), test) for _, test in splits], axis=0))):
        found = EliminationSelector(cv=cv, **FEW).fit(x, y, weight)
        expected = EliminationSelector(cv=fewer, **FEW).fit(x.iloc[counted], y[counted], weight[counted])
        assert found.cv_results_["mean_test_score"].tolist() == expected.cv_results_["mean_test_score"].tolist()


def test_sizes_beyond_the_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(POOL, 4)
    selector = EliminationSelector(2, **MORE).fit(WINE.data, WINE.target)
    with pytest.raises(ValueError, match="k must be at most 4"):
        selector.support_at(5)
    # A requested size is held by the pool.
    assert len(clone(selector).set_params(n_features=6).fit(WINE.data, WINE.target).path_) == 6
