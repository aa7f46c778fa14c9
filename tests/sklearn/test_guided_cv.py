"""GRRFSelectorCV: scikit-learn's checks, every fold made again by hand, the nested score, metadata, what is refused."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LinearRegression
from sklearn.metrics import recall_score
from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from pyrrf.selectors.rules import choose_by_rule
from pyrrf.sklearn import GRRFSelector, GRRFSelectorCV, RRFClassifier, RRFRegressor, grrf_path
from pyrrf.sklearn.fold_scoring import Trial
from pyrrf.sklearn.parameters import r_seed
from tests.refusals import refused
from tests.sklearn.backends import at_work
from tests.sklearn.drawn import expected_failures

WINE, WINE_Y = load_wine(return_X_y=True, as_frame=True)
X = WINE.to_numpy()
CLASSES = np.array(["barolo", "grignolino", "barbera"])[WINE_Y]
FOREST: dict[str, Any] = {"guide": 15, "n_estimators": 15, "random_state": 5}
GAMMAS = [0.1, 0.5, 0.9]
SMALL: dict[str, Any] = {"gammas": GAMMAS, "cv": StratifiedKFold(3), "judge": GaussianNB(), **FOREST}


@parametrize_with_checks(
    [GRRFSelectorCV(gammas=2, cv=2, nested=False, guide=3, n_estimators=3)],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.fixture(scope="module")
def chosen() -> GRRFSelectorCV:
    return GRRFSelectorCV(**SMALL).fit(WINE, CLASSES)


def judged(train: np.ndarray, test: np.ndarray) -> tuple[list[float], list[int]]:
    """Scores and sizes by gamma on one split: guide, forests and judge see the training rows alone."""
    path = grrf_path(X[train], CLASSES[train], gammas=GAMMAS, **FOREST)
    scores = [
        GaussianNB().fit(X[np.ix_(train, kept)], CLASSES[train]).score(X[np.ix_(test, kept)], CLASSES[test])
        for kept in map(np.flatnonzero, path.supports)
    ]
    return scores, path.n_features.tolist()


# ---- every fold by hand --------------------------------------------------------------------------


def test_scores_of_the_folds(chosen: GRRFSelectorCV) -> None:
    table = chosen.cv_results_
    found = [judged(*split) for split in StratifiedKFold(3).split(X, CLASSES)]
    for at, (scores, sizes) in enumerate(found):
        assert table[f"split{at}_test_score"].tolist() == scores
        assert table[f"split{at}_n_features"].tolist() == sizes
    means = np.mean([scores for scores, _ in found], axis=0)
    assert table["mean_test_score"].tolist() == means.tolist()
    assert table["std_test_score"].tolist() == np.std([scores for scores, _ in found], axis=0).tolist()
    assert table["n_features"].tolist() == np.mean([sizes for _, sizes in found], axis=0).tolist()
    assert table["param_gamma"].tolist() == [params["gamma"] for params in table["params"]] == GAMMAS
    assert chosen.n_splits_ == 3


def test_the_rule_takes_a_gamma(chosen: GRRFSelectorCV) -> None:
    table = chosen.cv_results_
    scores = np.array([table[f"split{at}_test_score"] for at in range(3)]).T
    mean = scores.mean(axis=1)
    error = scores[mean.argmax()].std(ddof=1) / np.sqrt(3)
    enough = np.flatnonzero(mean >= mean.max() - error)
    assert chosen.best_index_ == min(enough, key=lambda at: table["n_features"][at])
    assert chosen.gamma_ == GAMMAS[chosen.best_index_]


@pytest.mark.parametrize(("rule", "gamma"), [("best", None), (1.0, 0.9), (0.0, None)])
def test_other_rules(chosen: GRRFSelectorCV, rule: Any, gamma: float | None) -> None:
    other = GRRFSelectorCV(rule=rule, nested=False, **SMALL).fit(WINE, CLASSES)
    best = GAMMAS[int(chosen.cv_results_["mean_test_score"].argmax())]
    assert other.gamma_ == (gamma or best)
    assert not hasattr(other, "nested_score_")


def test_the_features_are_those_of_all_rows(chosen: GRRFSelectorCV) -> None:
    alone = GRRFSelector(gamma=chosen.gamma_, **FOREST).fit(WINE, CLASSES)
    assert chosen.result_ == alone.result_
    for name in ("support_", "coef_reg_", "guide_importances_", "feature_importances_"):
        np.testing.assert_array_equal(getattr(chosen, name), getattr(alone, name))
    kept = WINE[chosen.get_feature_names_out()]
    assert chosen.judge_.score(chosen.transform(WINE), CLASSES) == GaussianNB().fit(kept, CLASSES).score(kept, CLASSES)


def test_the_nested_score(chosen: GRRFSelectorCV) -> None:
    scores, gammas = [], []
    for train, test in StratifiedKFold(3).split(X, CLASSES):
        inner = [judged(train[a], train[b]) for a, b in StratifiedKFold(3).split(X[train], CLASSES[train])]
        sizes = np.mean([found[1] for found in inner], axis=0)
        at = choose_by_rule(np.array([found[0] for found in inner]).T, sizes, GAMMAS)
        scores.append(judged(train, test)[0][at])
        gammas.append(GAMMAS[at])
    assert chosen.nested_scores_.tolist() == scores
    assert chosen.nested_gammas_.tolist() == gammas
    assert chosen.nested_score_ == np.mean(scores)
    assert chosen.nested_std_ == np.std(scores, ddof=1)


def test_the_nested_score_is_that_of_the_whole_selector(chosen: GRRFSelectorCV) -> None:
    # What scikit-learn measures when it chooses and fits inside each fold.
    steps = make_pipeline(GRRFSelectorCV(nested=False, **SMALL), GaussianNB())
    assert cross_val_score(steps, X, CLASSES, cv=StratifiedKFold(3)).tolist() == chosen.nested_scores_.tolist()


def test_other_folds_split_a_training_part() -> None:
    splits = list(StratifiedKFold(4).split(X, CLASSES))
    found = GRRFSelectorCV(**SMALL | {"cv": StratifiedKFold(4)}).fit(WINE, CLASSES)
    scores, gammas = [], []
    for at, (train, test) in enumerate(splits):
        # The rows that judge have no part in the choice.
        inner = [judged(np.setdiff1d(train, other), other) for to, (_, other) in enumerate(splits) if to != at]
        sizes = np.mean([sizes for _, sizes in inner], axis=0)
        taken = choose_by_rule(np.array([scores for scores, _ in inner]).T, sizes, GAMMAS)
        scores.append(judged(train, test)[0][taken])
        gammas.append(GAMMAS[taken])
    assert found.nested_scores_.tolist() == scores
    assert found.nested_gammas_.tolist() == gammas
    # So splits that were made before are folds of each other's training parts, too.
    listed = GRRFSelectorCV(**SMALL | {"cv": splits}).fit(WINE, CLASSES)
    assert listed.nested_scores_.tolist() == scores


def test_the_guide_of_a_fold_has_fewer_trees() -> None:
    few = {"n_estimators": 10, "random_state": 5}
    options: dict[str, Any] = {"gammas": GAMMAS, "cv": StratifiedKFold(3), "judge": GaussianNB(), "nested": False}
    found = GRRFSelectorCV(**options, **few).fit(WINE, CLASSES)
    for at, (train, _) in enumerate(StratifiedKFold(3).split(X, CLASSES)):
        path = grrf_path(X[train], CLASSES[train], gammas=GAMMAS, guide=10, **few)
        assert found.cv_results_[f"split{at}_n_features"].tolist() == path.n_features.tolist()
    assert found.result_ == GRRFSelector(gamma=found.gamma_, guide=100, **few).fit(WINE, CLASSES).result_


def test_noise_is_not_praised() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.standard_normal((60, 300)), rng.permutation(np.arange(60) % 2)
    options: dict[str, Any] = {"gammas": 3, "guide": 40, "n_estimators": 20, "random_state": 1}
    selector = GRRFSelectorCV(cv=3, judge=GaussianNB(), **options).fit(x, y)
    out_of_bag = 1 - selector.result_.outcome.err_rate[-1, 0]
    assert selector.nested_score_ < 0.65 < out_of_bag


def test_pickles_and_pictures(chosen: GRRFSelectorCV) -> None:
    again = pickle.loads(pickle.dumps(chosen))
    assert again.result_ == chosen.result_
    np.testing.assert_array_equal(again.transform(WINE), chosen.transform(WINE))
    np.testing.assert_array_equal(again.nested_scores_, chosen.nested_scores_)
    # A notebook shows the judge inside the selector.
    assert "judge: GaussianNB" in chosen._repr_html_()


# ---- judges, kinds of y --------------------------------------------------------------------------


def test_the_default_judge_is_an_ordinary_forest() -> None:
    options = SMALL | {"judge": None, "nested": False}
    found = GRRFSelectorCV(forest=RRFClassifier(class_weight="balanced"), **options).fit(WINE, CLASSES)
    forest = RRFClassifier(15, coef_reg=None, class_weight="balanced", random_state=5)
    asked = GRRFSelectorCV(forest=RRFClassifier(class_weight="balanced"), **options | {"judge": forest}).fit(
        WINE, CLASSES
    )
    assert found.cv_results_["mean_test_score"].tolist() == asked.cv_results_["mean_test_score"].tolist()
    assert found.judge_.result_ == asked.judge_.result_
    assert isinstance(GRRFSelectorCV(**options | {"cv": 2}).fit(WINE, WINE["hue"]).judge_, RRFRegressor)


def test_the_judge_says_what_y_holds() -> None:
    # 0, 1 and 2 may be classes or numbers.
    options = SMALL | {"nested": False, "cv": KFold(3, shuffle=True, random_state=1)}
    assert GRRFSelectorCV(**options).fit(WINE, WINE_Y).result_.type == "classification"
    line = GRRFSelectorCV(**options | {"judge": LinearRegression()}).fit(WINE, WINE_Y)
    assert line.result_.type == "regression"
    # Without features the score is that of a guess, so that R squared is at most 0.
    assert line.cv_results_["mean_test_score"].max() > 0.5


def test_where_nothing_is_kept_a_guess_is_judged() -> None:
    # The guide takes the constant for important. At gamma 1 the gain of the other column counts nothing.
    x = np.column_stack([np.ones(40), np.arange(40.0) % 2])
    y = np.arange(40) % 2
    options: dict[str, Any] = {"cv": 2, "judge": GaussianNB(), "forest": RRFClassifier(penalty="gain")}
    options |= FOREST | {"guide": [1.0, 0.0]}
    selector = GRRFSelectorCV(gammas=[0.9, 1.0], **options).fit(x, y)
    table = selector.cv_results_
    assert table["n_features"].tolist() == [1.0, 0.0]
    assert table["mean_test_score"].tolist() == [1.0, 0.5]
    nothing = clone(selector).set_params(gammas=[1.0]).fit(x, y)
    assert nothing.n_features_ == 0
    assert isinstance(nothing.judge_, DummyClassifier)
    assert nothing.nested_score_ == 0.5


def test_scoring(chosen: GRRFSelectorCV) -> None:
    def recall(estimator: Any, x: Any, y: Any) -> float:
        return float(recall_score(y, estimator.predict(x), average="macro"))

    found = GRRFSelectorCV(**SMALL | {"scoring": recall, "nested": False}).fit(WINE, CLASSES)
    named = GRRFSelectorCV(**SMALL | {"scoring": "recall_macro", "nested": False}).fit(WINE, CLASSES)
    assert found.cv_results_["mean_test_score"].tolist() == named.cv_results_["mean_test_score"].tolist()
    assert found.cv_results_["mean_test_score"].tolist() != chosen.cv_results_["mean_test_score"].tolist()


def test_a_guide_sees_the_training_rows_alone() -> None:
    sizes = []

    def guide(x: Any, y: Any) -> Any:
        sizes.append((len(x), len(y)))
        return np.arange(1.0, 14.0)

    GRRFSelectorCV(**SMALL | {"guide": guide, "nested": False}).fit(WINE, CLASSES)
    assert sorted(sizes) == [(118, 118), (119, 119), (119, 119), (178, 178)]


def test_categories_and_missing_values() -> None:
    frame = WINE.assign(colour=pd.Categorical(np.where(CLASSES == "barbera", "dark", "light")))
    frame.iloc[::7, :3] = np.nan
    found = GRRFSelectorCV(**SMALL | {"judge": None, "nested": False}).fit(frame, CLASSES)
    assert found.support_[-1]
    assert found.cv_results_["mean_test_score"].max() > 0.9


# ---- the same answer -----------------------------------------------------------------------------


@pytest.mark.parametrize("backend", ["threading", "pickles"])
@pytest.mark.parametrize("engine", ["r", "parallel"])
def test_backends_agree(backend: str, engine: str) -> None:
    options = SMALL | {"judge": None, "forest": RRFClassifier(engine=engine), "cv": 2}
    alone = GRRFSelectorCV(**options).fit(WINE, CLASSES)
    with at_work(backend):
        other = GRRFSelectorCV(**options).fit(WINE, CLASSES)
    assert other.result_ == alone.result_
    for at in range(2):
        name = f"split{at}_test_score"
        assert other.cv_results_[name].tolist() == alone.cv_results_[name].tolist()
    assert other.nested_scores_.tolist() == alone.nested_scores_.tolist()
    assert GRRFSelectorCV(n_jobs=2, **options).fit(WINE, CLASSES).result_ == alone.result_


def test_a_seed_is_drawn_once() -> None:
    options = SMALL | {"nested": False, "random_state": np.random.default_rng(3)}
    found = GRRFSelectorCV(**options).fit(WINE, CLASSES)
    seed = r_seed(np.random.default_rng(3))
    same = GRRFSelectorCV(**options | {"random_state": seed}).fit(WINE, CLASSES)
    assert found.result_ == same.result_
    assert found.cv_results_["mean_test_score"].tolist() == same.cv_results_["mean_test_score"].tolist()


# ---- metadata ------------------------------------------------------------------------------------


def test_groups_are_those_of_scikit_learn() -> None:
    groups = np.arange(len(WINE)) % 7
    options = SMALL | {"cv": GroupKFold(2)}
    found = GRRFSelectorCV(**options).fit(WINE, CLASSES, groups=groups)
    splits = list(GroupKFold(2).split(X, CLASSES, groups))
    for at, split in enumerate(splits):
        assert found.cv_results_[f"split{at}_test_score"].tolist() == judged(*split)[0]
    with sklearn.config_context(enable_metadata_routing=True):
        routed = GRRFSelectorCV(**options).fit(WINE, CLASSES, groups=groups)
    assert routed.nested_scores_.tolist() == found.nested_scores_.tolist()
    with refused("groups", "absent"):
        GRRFSelectorCV(**options).fit(WINE, CLASSES)


def test_weights_go_to_the_forests_and_where_they_are_asked_for() -> None:
    weight = np.where(CLASSES == "barbera", 9.0, 1.0)
    options = SMALL | {"nested": False}
    plain = GRRFSelectorCV(**options).fit(WINE, CLASSES, sample_weight=weight)
    assert plain.result_ == GRRFSelector(gamma=plain.gamma_, **FOREST).fit(WINE, CLASSES, weight).result_
    with sklearn.config_context(enable_metadata_routing=True):
        judge = GaussianNB().set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        selector = GRRFSelectorCV(**options | {"judge": judge}).set_fit_request(sample_weight=True)
        routed = selector.fit(WINE, CLASSES, sample_weight=weight)
    train, test = next(StratifiedKFold(3).split(X, CLASSES))
    path = grrf_path(X[train], CLASSES[train], gammas=GAMMAS, sample_weight=weight[train], **FOREST)
    scores = [
        GaussianNB()
        .fit(X[np.ix_(train, kept)], CLASSES[train], weight[train])
        .score(X[np.ix_(test, kept)], CLASSES[test], weight[test])
        for kept in map(np.flatnonzero, path.supports)
    ]
    assert routed.cv_results_["split0_test_score"].tolist() == scores
    assert plain.cv_results_["split0_test_score"].tolist() != scores


def test_weights_go_to_the_default_judge() -> None:
    weight = np.where(CLASSES == "barbera", 9.0, 1.0)
    options = SMALL | {"judge": None, "nested": False}
    found = GRRFSelectorCV(**options).fit(WINE, CLASSES, sample_weight=weight)
    forest = RRFClassifier(15, coef_reg=None, random_state=5).fit(X[:, found.support_], CLASSES, weight)
    assert found.judge_.result_ == forest.result_


# ---- refusals ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "argument", "code"),
    [
        ({"cv": list(StratifiedKFold(3).split(X, CLASSES))}, "nested", "conflict"),
        ({"rule": "2se"}, "rule", "choice"),
        ({"gammas": [0.5, 2.0]}, "gammas", "range"),
        ({"judge": GaussianNB}, "judge", "type"),
        ({"nested": "yes"}, "nested", "type"),
    ],
    ids=["splits", "rule", "gammas", "judge", "nested"],
)
def test_what_is_refused(arguments: dict[str, Any], argument: str, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Trial, "on", None)  # refused before folds are tried
    with refused(argument, code):
        GRRFSelectorCV(**SMALL | arguments).fit(WINE, CLASSES)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"cv": KFold(3), "gammas": [0.5]}, ValueError, "in all 119 training rows of a fold; pass a cv that shuffles"),
        ({"scoring": "roc_auc", "judge": GaussianNB()}, ValueError, "multi_class must be in"),
        ({"scoring": lambda *_: np.nan}, ValueError, "scoring returns nan on the 60 test rows of split 0"),
        ({"judge": DecisionTreeClassifier(max_depth=-1)}, ValueError, "max_depth"),
        ({"guide": 0}, ValueError, "guide must be"),
        ({"lambda0": 2.0}, ValueError, "lambda0"),
        ({"n_estimators": 0}, ValueError, "n_estimators must be"),
    ],
    ids=["class", "scorer", "nan", "judge", "guide", "lambda0", "trees"],
)
def test_what_would_end_a_long_run_ends_it_at_once(
    arguments: dict[str, Any], error: Any, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Trial, "on", None)
    # Two of three blocks of rows hold the first class alone.
    y = np.repeat(["a", "b"], [119, 59]) if "gammas" in arguments else CLASSES
    with pytest.raises(error, match=message):
        GRRFSelectorCV(**SMALL | arguments).fit(WINE, y)


def test_a_guide_without_a_word_keeps_nothing_in_a_fold() -> None:
    def guide(x: Any, y: Any) -> Any:
        return np.full(13, float(len(x) != 119))

    options = SMALL | {"guide": guide, "nested": False}
    found = GRRFSelectorCV(**options).fit(WINE, CLASSES)
    assert found.cv_results_["split0_n_features"].all()
    assert not found.cv_results_["split1_n_features"].any()


def test_unknown_metadata_are_refused() -> None:
    with refused("group", "keyword"):
        GRRFSelectorCV(**SMALL).fit(WINE, CLASSES, group=np.arange(len(WINE)))


def test_splits_of_all_rows_without_the_nested_score(chosen: GRRFSelectorCV) -> None:
    splits = list(StratifiedKFold(3).split(X, CLASSES))
    found = GRRFSelectorCV(**SMALL | {"cv": splits, "nested": False}).fit(WINE, CLASSES)
    assert found.gamma_ == chosen.gamma_


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_verbose_counts_the_paths(capsys: pytest.CaptureFixture[str], n_jobs: int | None) -> None:
    quiet, loud = (GRRFSelectorCV(**SMALL | {"cv": 2}, n_jobs=n_jobs, verbose=verbose) for verbose in (0, 1))
    quiet.fit(WINE, CLASSES)
    assert capsys.readouterr().err == ""
    loud.fit(WINE, CLASSES)
    assert "folds: " in capsys.readouterr().err
    np.testing.assert_array_equal(quiet.support_, loud.support_)


@pytest.mark.parametrize("numbers", [False, True])
def test_where_the_rows_of_a_fold_have_only_constant_columns_nothing_is_kept(numbers: bool) -> None:
    rare = np.zeros((60, 2))
    rare[50:] = 1  # all of them in the rows that the last fold judges
    y = (rare[:, 0] + np.arange(60) % 3) if numbers else np.where(np.arange(60) % 3, "a", "b")
    judge = LinearRegression() if numbers else GaussianNB()
    forest = (RRFRegressor if numbers else RRFClassifier)(min_node_size=1)
    fit = GRRFSelectorCV(**SMALL | {"cv": KFold(3), "judge": judge}, nested=False, forest=forest).fit(rare, y)
    train, test = np.arange(40), np.arange(40, 60)
    guess = (DummyRegressor() if numbers else DummyClassifier()).fit(rare[train], y[train]).score(rare[test], y[test])
    assert (fit.cv_results_["split2_test_score"] == guess).all()


def test_routing_knows_the_forest_of_numbers() -> None:
    selector = GRRFSelectorCV(gammas=2, cv=2, nested=False, forest=RRFRegressor(), **FOREST)
    with sklearn.config_context(enable_metadata_routing=True):
        assert {"splitter", "scorer"} <= set(vars(selector.get_metadata_routing())["_route_mappings"])
        routed = clone(selector).fit(WINE, WINE["hue"])
    assert routed.result_ == selector.fit(WINE, WINE["hue"]).result_


@pytest.mark.parametrize("scoring", [None, "balanced_accuracy"])
def test_weights_with_routing_are_those_without(scoring: Any) -> None:
    x, y = load_wine(return_X_y=True)
    selector = GRRFSelectorCV(gammas=2, cv=2, nested=False, scoring=scoring, **FOREST)
    weight = np.linspace(1.0, 9.0, len(y))
    plain = clone(selector).fit(x, y, sample_weight=weight)
    with sklearn.config_context(enable_metadata_routing=True):
        routed = clone(selector).fit(x, y, sample_weight=weight)
    assert routed.result_ == plain.result_
    assert routed.cv_results_["mean_test_score"].tolist() == plain.cv_results_["mean_test_score"].tolist()
