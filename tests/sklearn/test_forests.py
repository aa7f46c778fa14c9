"""RRFClassifier and RRFRegressor: scikit-learn's checks, RRF()'s answers, what parameters mean, and what is refused."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_wine
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.model_selection import cross_val_score
from sklearn.utils._test_common.instance_generator import _get_expected_failed_checks
from sklearn.utils.estimator_checks import parametrize_with_checks

import pyrrf
from pyrrf.fit.progress import Progress
from pyrrf.sklearn import RRFClassifier, RRFRegressor
from pyrrf.sklearn.parameters import r_seed
from tests.refusals import refused
from tests.sklearn.backends import at_work
from tests.sklearn.drawn import DRAWN, expected_failures

WINE, WINE_Y = load_wine(return_X_y=True, as_frame=True)
CLASSES = np.array(["barolo", "grignolino", "barbera"])[WINE_Y]
DIABETES, PROGRESS = load_diabetes(return_X_y=True, as_frame=True)


@parametrize_with_checks(
    [RRFClassifier(5), RRFRegressor(5), RRFClassifier(5, engine="r"), RRFRegressor(5, engine="r", candidates="mtry")],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)


def test_expected_failures_are_those_of_other_forests() -> None:
    assert _get_expected_failed_checks(RandomForestRegressor()).keys() == DRAWN.keys()
    # Theirs for classes may fail one more, on one label, which ours pass.
    assert _get_expected_failed_checks(RandomForestClassifier()).keys() >= DRAWN.keys()


# ---- the same forests as RRF() -------------------------------------------------------------------

CASES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "defaults": ({}, {}),
    "coef_reg": ({"coef_reg": 0.4}, {"coefReg": 0.4}),
    "ordinary": ({"coef_reg": None}, {"flagReg": 0}),
    "each": ({"coef_reg": np.linspace(0.2, 1, 13)}, {"coefReg": np.linspace(0.2, 1, 13)}),
    "max_features": ({"max_features": 5}, {"mtry": 5}),
    "leaves": ({"max_leaf_nodes": 4, "min_node_size": 3}, {"maxnodes": 4, "nodesize": 3}),
    "without": ({"bootstrap": False}, {"replace": False}),
    "samples": ({"max_samples": 0.25, "bootstrap": False}, {"sampsize": 44, "replace": False}),
    "initial": ({"initial_features": ["ash", "hue"]}, {"feaIni": [2, 10]}),
    "cost": ({"feature_cost": {"proline": 3.0}}, {"feature_cost": [1.0] * 12 + [3.0]}),
    "groups": ({"feature_groups": {"ash": "a", "hue": "a"}}, {"feature_groups": {"ash": "a", "hue": "a"}}),
    "weights": ({"class_weight": "balanced"}, {"classwt": [1.0, 1.0, 1.0]}),
}


def test_the_criteria_of_scikit_learn() -> None:
    gain = RRFClassifier(10, criterion="entropy", penalty="gain", random_state=7).fit(WINE, CLASSES)
    for name in ("entropy", "log_loss"):
        assert RRFClassifier(10, criterion=name, random_state=7).fit(WINE, CLASSES).result_ == gain.result_
    assert gain.result_ != RRFClassifier(10, random_state=7).fit(WINE, CLASSES).result_
    gini = RRFClassifier(10, criterion="gini", penalty="criterion", random_state=7).fit(WINE, CLASSES)
    assert gini.result_ == RRFClassifier(10, random_state=7).fit(WINE, CLASSES).result_
    squares, variance = (
        RRFRegressor(10, criterion=name, random_state=7).fit(DIABETES, PROGRESS).result_
        for name in ("squared_error", "variance")
    )
    assert squares == variance == RRFRegressor(10, random_state=7).fit(DIABETES, PROGRESS).result_
    for forest, y in (
        (RRFClassifier(criterion="squared_error"), CLASSES),
        (RRFRegressor(criterion="log_loss"), PROGRESS),
    ):
        with refused("criterion", "choice"):
            forest.fit(WINE if y is CLASSES else DIABETES, y)


@pytest.mark.parametrize("engine", ["r", "parallel"])
@pytest.mark.parametrize("case", CASES)
def test_the_forest_of_rrf(case: str, engine: str) -> None:
    ours, of_rrf = CASES[case]
    forest = RRFClassifier(20, engine=engine, random_state=7, **ours).fit(WINE, CLASSES)
    same = pyrrf.RRF(WINE, CLASSES, ntree=20, engine=engine, seed=7, **of_rrf)
    assert forest.result_ == same
    assert forest.classes_.tolist() == same.classes
    assert (forest.coef_reg_ == same.coefReg).all()


@pytest.mark.parametrize("array", [False, True])
def test_the_forest_of_rrf_for_numbers(array: bool) -> None:
    x = DIABETES.to_numpy() if array else DIABETES
    forest = RRFRegressor(10, candidates="mtry", engine="r", random_state=7).fit(x, PROGRESS)
    assert forest.result_ == pyrrf.RRF(x, PROGRESS, ntree=10, seed=7)
    np.testing.assert_array_equal(forest.predict(x), pyrrf.predict(forest.result_, x))
    parallel = RRFRegressor(10, random_state=7, max_depth=4, n_jobs=2).fit(x, PROGRESS)
    rule = {"penalty": "gain", "candidates": "selected"}
    assert parallel.result_ == pyrrf.RRF(x, PROGRESS, ntree=10, seed=7, engine="parallel", max_depth=4, **rule)


@pytest.mark.parametrize("engine", ["r", "parallel"])
def test_the_stream_of_the_process_stays(engine: str) -> None:
    pyrrf.set_seed(3)
    wanted = pyrrf.runif(4)
    pyrrf.set_seed(3)
    forest = RRFClassifier(3, engine=engine, random_state=7).fit(WINE, CLASSES)
    forest.predict(WINE)
    np.testing.assert_array_equal(pyrrf.runif(4), wanted)


def test_weights_of_rows() -> None:
    weight = np.where(CLASSES == "barbera", 5.0, 1.0)
    forest = RRFClassifier(10, random_state=7).fit(WINE, CLASSES, weight)
    same = pyrrf.RRF(WINE, CLASSES, ntree=10, seed=7, engine="parallel", sample_weight=weight)
    assert forest.result_ == same
    with refused("sample_weight", "unsupported"):
        RRFClassifier(10, engine="r").fit(WINE, CLASSES, weight)


def test_weights_of_classes_are_those_of_their_rows() -> None:
    # What a row of each class counts in a node, as the core has it.
    weight = {"barbera": 2.0, "barolo": 1.0, "grignolino": 4.0}
    counted = RRFClassifier(2, class_weight=weight, random_state=1).fit(WINE, CLASSES).result_.forest.pid
    np.testing.assert_allclose(counted / counted[1], [2.0, 1.0, 4.0])
    equal = RRFClassifier(2, class_weight="balanced", random_state=1).fit(WINE, CLASSES).result_.forest.pid
    sizes = np.unique(CLASSES, return_counts=True)[1]
    np.testing.assert_allclose(equal / equal[0], sizes[0] / sizes)


# ---- attributes ----------------------------------------------------------------------------------


def test_attributes() -> None:
    forest = RRFClassifier(40, coef_reg=0.6, initial_features=["ash"], oob_score=True, random_state=3)
    forest.fit(WINE, CLASSES)
    trees = forest.result_.forest.trees
    split = np.unique(trees.split_var[trees.split_var > 0]) - 1
    assert np.flatnonzero(forest.support_).tolist() == split.tolist()
    assert forest.n_features_ == len(split) < 13
    # An initial feature is in F, whether or not a tree splits by it.
    assert {*forest.result_.feaSet} == {*split, WINE.columns.get_loc("ash")}
    assert ((forest.feature_importances_ > 0) == forest.support_).all()
    assert forest.feature_importances_.sum() == pytest.approx(1)
    known = forest.result_.oob_times > 0
    assert forest.oob_score_ == (forest.result_.predicted[known] == CLASSES[known]).mean()
    assert forest.result_.call.startswith("RRFClassifier(coef_reg=0.6,")
    assert forest.result_.arguments == {}


def test_support_holds_what_is_split_by_and_not_the_rest_of_a_group() -> None:
    groups = {name: "panel" for name in WINE if name != "ash"}
    forest = RRFClassifier(2, coef_reg=0.5, max_depth=1, feature_groups=groups, random_state=3).fit(WINE, CLASSES)
    assert len(forest.result_.feaSet) >= 12 > 2 >= forest.n_features_


def test_score_out_of_bag_of_numbers() -> None:
    forest = RRFRegressor(60, oob_score=True, random_state=3).fit(DIABETES, PROGRESS)
    assert forest.oob_score_ == pytest.approx(forest.result_.rsq.iloc[-1])


@pytest.mark.parametrize("kind", [RRFClassifier, RRFRegressor])
@pytest.mark.parametrize("engine", ["r", "parallel"])
@pytest.mark.parametrize("drawn", [1.0, 0.9999, len(WINE)])
def test_bags_of_all_rows_have_no_score(kind: Any, engine: str, drawn: Any) -> None:
    rule = {"candidates": "mtry"} if kind is RRFRegressor else {}
    how = {"bootstrap": False, "max_samples": drawn, "engine": engine, **rule}
    y = PROGRESS[: len(WINE)] if kind is RRFRegressor else CLASSES
    with refused("oob_score", "conflict"):
        kind(2, oob_score=True, **how).fit(WINE, y)
    # Without the score, with fewer rows, or by default rows are left out, or nobody asks for them.
    kind(2, **how).fit(WINE, y)
    kind(40, oob_score=True, **{**how, "max_samples": len(WINE) - 60}, random_state=1).fit(WINE, y)
    kind(40, oob_score=True, **{**how, "max_samples": None}, random_state=1).fit(WINE, y)


@pytest.mark.parametrize("kind", [RRFClassifier, RRFRegressor])
def test_rows_in_every_bag_are_told(kind: Any) -> None:
    y = PROGRESS[: len(WINE)] if kind is RRFRegressor else CLASSES
    with pytest.warns(UserWarning, match="of 178 rows were drawn for every"):
        few = kind(2, oob_score=True, random_state=1).fit(WINE, y)
    assert few.oob_score_ == few.oob_score_
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kind(60, oob_score=True, random_state=1).fit(WINE, y)


def test_a_score_of_no_row_is_told() -> None:
    x, y = np.array([[0.0], [1.0]]), np.array([0.0, 1.0])
    for seed in range(20):
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            score = RRFRegressor(1, oob_score=True, random_state=seed).fit(x, y).oob_score_
        assert not np.isnan(score) or any("oob_score_ is NaN" in str(one.message) for one in heard)


def test_a_constant_response_has_the_score_of_scikit_learn() -> None:
    assert RRFRegressor(30, oob_score=True, random_state=1).fit(WINE, np.full(len(WINE), 3.0)).oob_score_ == 1.0


def test_the_first_of_equal_votes_wins() -> None:
    x, y = np.array([[0.0], [1.0]] * 8), np.array(["b", "a"] * 8)
    forest = RRFClassifier(2, random_state=1).fit(x, y)
    assert forest.predict([[0.0], [1.0]]).tolist() == ["b", "a"]
    votes = forest.predict_proba([[0.5], [0.2]])
    assert forest.predict([[0.5], [0.2]]).tolist() == forest.classes_[votes.argmax(axis=1)].tolist()


@pytest.mark.parametrize("kind", [RRFClassifier, RRFRegressor])
@pytest.mark.parametrize("engine", ["r", "parallel"])
def test_pickles_and_clones_answer_alike(kind: Any, engine: str) -> None:
    rule = {"candidates": "mtry"} if kind is RRFRegressor else {}
    forest = kind(5, engine=engine, random_state=np.random.RandomState(4), **rule)
    y = PROGRESS[: len(WINE)] if kind is RRFRegressor else CLASSES
    other = clone(forest).fit(WINE, y)
    predicted = forest.fit(WINE, y).predict(WINE)
    assert (other.predict(WINE) == predicted).all()
    again = pickle.loads(pickle.dumps(forest))
    assert (again.predict(WINE) == predicted).all()
    assert again.result_ == forest.result_


def test_the_training_data_are_not_pickled() -> None:
    wide = np.random.default_rng(1).random((40, 3_000))
    stored = pickle.dumps(RRFClassifier(3, coef_reg=0.5, random_state=1).fit(wide, np.arange(40) % 2))
    assert len(stored) < wide.nbytes / 4


# ---- random numbers, tables ----------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 5, np.int64(2**31 - 1)])
def test_small_whole_numbers_are_seeds(seed: Any) -> None:
    assert r_seed(seed) == seed


@pytest.mark.parametrize("make", [lambda: np.random.RandomState(1), lambda: np.random.default_rng(1), lambda: 2**31])
def test_other_states_are_drawn_from(make: Any) -> None:
    state = make()
    first = r_seed(state)
    assert 0 <= first < 2**31
    assert first == r_seed(make())
    if not isinstance(state, int):
        assert r_seed(state) != first


def test_no_state_is_a_new_seed() -> None:
    assert len({r_seed(None) for _ in range(8)}) == 8


@pytest.mark.parametrize("engine", ["r", "parallel"])
def test_categories(engine: str) -> None:
    rng = np.random.default_rng(1)
    colour = rng.choice(["red", "green", "blue", "grey"], 60)
    frame = pd.DataFrame({"noise": rng.random(60), "colour": pd.Categorical(colour)})
    y = np.where(np.isin(colour, ["red", "blue"]), "warm", "cold")
    forest = RRFClassifier(10, engine=engine, random_state=1).fit(frame, y)
    assert forest.result_ == pyrrf.RRF(frame, y, ntree=10, engine=engine, seed=1)
    turned = frame.assign(colour=frame["colour"].cat.reorder_categories(["red", "grey", "green", "blue"]))
    assert (forest.predict(turned) == y).all()
    frame.loc[3, "colour"] = None
    if engine == "r":
        with refused("X", "missing"):
            RRFClassifier(10, engine=engine).fit(frame, y)
    else:
        assert RRFClassifier(10, random_state=1).fit(frame, y).score(frame, y) > 0.9


def test_many_categories_are_refused_by_engine_r() -> None:
    frame = pd.DataFrame({"town": pd.Categorical(np.arange(400) % 40)})
    with refused("X", "levels"):
        RRFClassifier(2, engine="r").fit(frame, np.arange(400) % 2)


def test_missing_numbers() -> None:
    x = np.where(np.random.default_rng(1).random(WINE.shape) < 0.1, np.nan, WINE)
    assert RRFClassifier(20, random_state=1).fit(x, CLASSES).score(x, CLASSES) > 0.95
    with refused("X", "missing"):
        RRFClassifier(20, engine="r").fit(x, CLASSES)
    forest = RRFClassifier(2, engine="r").fit(WINE.to_numpy(), CLASSES)
    with refused("X", "missing"):
        forest.predict(x)


def test_tables_of_polars() -> None:
    import polars

    table = polars.from_pandas(WINE)
    forest = RRFClassifier(5, random_state=1).fit(table, CLASSES)
    assert forest.feature_names_in_.tolist() == WINE.columns.tolist()
    assert forest.result_ == RRFClassifier(5, random_state=1).fit(WINE, CLASSES).result_
    assert (forest.predict(table) == forest.predict(WINE)).all()


def test_responses_of_few_values_are_numbers_without_a_warning() -> None:
    forest = RRFRegressor(5, random_state=1).fit(WINE, np.arange(len(WINE)) % 2)
    assert set(np.unique(forest.predict(WINE)) <= 1) == {True}


@pytest.mark.parametrize("backend", ["threading", "pickles"])
def test_backends_agree(backend: str) -> None:
    forest = RRFClassifier(5, random_state=1)
    alone = cross_val_score(forest, WINE, CLASSES, cv=3)
    with at_work(backend):
        assert (cross_val_score(forest, WINE, CLASSES, cv=3) == alone).all()


def test_a_bar_is_shown_only_if_asked_for(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setattr(Progress.__init__, "__defaults__", (0.0, "tree", ""))
    pyrrf.RRF(WINE, CLASSES, ntree=5, seed=1)
    assert "trees: " in capsys.readouterr().err
    RRFClassifier(5, random_state=1).fit(WINE, CLASSES)
    assert "trees: " not in capsys.readouterr().err
    RRFClassifier(5, random_state=1, verbose=1).fit(WINE, CLASSES)
    assert "trees: " in capsys.readouterr().err


# ---- refusals ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "argument", "code"),
    [
        ({"n_estimators": 0}, "n_estimators", "range"),
        ({"coef_reg": 1.5}, "coef_reg", "range"),
        ({"coef_reg": 0.0}, "coef_reg", "range"),
        ({"coef_reg": [0.5, 0.5]}, "coef_reg", "length"),
        ({"max_features": 14}, "max_features", "range"),
        ({"criterion": "variance"}, "criterion", "choice"),
        ({"criterion": "entropy", "penalty": "criterion"}, "penalty", "conflict"),
        ({"engine": "r", "penalty": "gain"}, "penalty", "unsupported"),
        ({"engine": "r", "max_depth": 3}, "max_depth", "unsupported"),
        ({"engine": "R"}, "engine", "choice"),
        ({"max_leaf_nodes": 1}, "max_leaf_nodes", "range"),
        ({"min_node_size": 0}, "min_node_size", "range"),
        ({"min_node_size": 60, "max_samples": 50}, "min_node_size", "range"),
        ({"max_samples": 1}, "max_samples", "range"),
        ({"max_samples": 1.5}, "max_samples", "range"),
        ({"class_weight": {"barolo": 0.0}}, "class_weight", "range"),
        ({"initial_features": ["colour"]}, "initial_features", "unknown"),
        ({"feature_cost": {"colour": 2}}, "feature_cost", "unknown"),
        ({"feature_cost": {"ash": 2}, "coef_reg": None}, "feature_cost", "conflict"),
        ({"feature_groups": {"ash": 2}, "coef_reg": None}, "feature_groups", "conflict"),
    ],
)
def test_what_is_refused(arguments: dict[str, Any], argument: str, code: str) -> None:
    with refused(argument, code):
        RRFClassifier(**{"n_estimators": 2, **arguments}).fit(WINE, CLASSES)


@pytest.mark.parametrize(
    ("arguments", "argument", "code"),
    [
        ({"engine": "r"}, "candidates", "unsupported"),
        ({"engine": "r", "candidates": "mtry", "initial_features": [0]}, "initial_features", "unsupported"),
        ({"penalty": "criterion"}, "penalty", "conflict"),
        ({"min_node_size": -1}, "min_node_size", "range"),
    ],
)
def test_what_is_refused_for_numbers(arguments: dict[str, Any], argument: str, code: str) -> None:
    with refused(argument, code):
        RRFRegressor(2, **arguments).fit(DIABETES, PROGRESS)


def test_a_matrix_of_one_number_with_steps_of_0() -> None:
    """Its memory holds one number only."""
    x = np.random.default_rng(1).normal(size=(60, 5))
    same = np.broadcast_to(0.25, (2_000, 5))
    for model, y in ((RRFRegressor(n_estimators=3), x[:, 0]), (RRFClassifier(n_estimators=3), x[:, 0] > 0)):
        model.set_params(random_state=1).fit(x, y)
        assert (model.predict(same) == model.predict(np.full((1, 5), 0.25))).all()
    flat = pyrrf.RRF(same[:60], x[:, 0], ntree=3, engine="parallel", seed=1)
    assert (flat.importance.to_numpy() == 0).all()
