"""to_sklearn(): the trees of a fit as a forest of scikit-learn, with the same predictions to the last bit."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.inspection import partial_dependence, permutation_importance
from sklearn.metrics import get_scorer
from sklearn.tree import export_text, plot_tree

import pyrrf
from pyrrf.datasets import load_iris
from pyrrf.sklearn import RRFClassifier, RRFRegressor
from tests.refusals import refused

IRIS = load_iris()
IRIS_X, SPECIES = IRIS.drop(columns="Species"), IRIS["Species"]
DIABETES, PROGRESS = load_diabetes(return_X_y=True, as_frame=True)
CANCER, MALIGNANT = load_breast_cancer(return_X_y=True, as_frame=True)


def assert_same(model: Any, fit: Any, rows: Any) -> None:
    """The predictions of both, bit by bit; where votes tie, scikit-learn takes the first class."""
    if fit.type == "regression":
        np.testing.assert_array_equal(model.predict(rows), fit.predict(rows))
        return
    shares = fit.predict(rows, type="prob")[list(model.classes_)].to_numpy()
    np.testing.assert_array_equal(model.predict_proba(rows), shares)
    np.testing.assert_array_equal(model.predict(rows), model.classes_[shares.argmax(axis=1)])
    alone = (shares == shares.max(axis=1, keepdims=True)).sum(axis=1) == 1
    np.testing.assert_array_equal(model.predict(rows)[alone], fit.predict(rows).to_numpy()[alone])


# ---- random fits ---------------------------------------------------------------------------------


def draw_rows(random: np.random.Generator, shape: tuple[int, int], kind: str) -> np.ndarray:
    numbers = random.normal(size=shape)
    if kind == "decimals":
        return numbers.round(1)
    if kind == "whole":
        return random.integers(-5, 6, shape).astype(np.float64)
    single = (numbers * 10.0 ** random.integers(-30, 30, shape[1])).astype(np.float32)
    return single if kind == "float32" else single.astype(np.float64)


def draw_response(random: np.random.Generator, score: np.ndarray, regression: bool) -> Any:
    score = score / (np.nanstd(score) or 1) + random.normal(size=len(score)) / 2
    if regression:
        return np.nan_to_num(score) * 10.0 ** random.integers(-5, 5)
    nclass = int(random.integers(2, 6))
    codes = np.resize(np.arange(nclass), len(score))[np.argsort(np.argsort(score)) * nclass // len(score)]
    labels = random.permutation(["d", "B", "a", "C", "e"])[:nclass]
    return pd.Categorical.from_codes(codes, labels)


def draw_arguments(random: np.random.Generator, engine: str, n: int, nclass: int) -> dict[str, Any]:
    drawn: dict[str, Any] = {"ntree": int(random.choice([1, 2, 10, 30])), "seed": int(random.integers(1000))}
    if random.random() < 0.3:
        drawn["maxnodes"] = int(random.integers(2, 9))
    if nclass and random.random() < 0.3:
        drawn["classwt"] = random.random(nclass) + 0.1
    if engine == "parallel" and random.random() < 0.4:
        drawn["sample_weight"] = random.random(n) + 0.05
    return drawn


@pytest.mark.parametrize("kind", ["float32", "float64", "whole", "decimals"])
@pytest.mark.parametrize("engine", ["r", "parallel", "randomForest"])
@pytest.mark.parametrize("regression", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_random_fits(kind: str, engine: str, regression: bool, seed: int) -> None:
    random = np.random.default_rng([seed, regression, len(engine), len(kind)])
    n, p = int(random.integers(10, 200)), int(random.integers(1, 8))
    x, new = np.split(draw_rows(random, (n + 300, p), kind), [n])
    if engine == "parallel" and seed % 2:
        x[random.random(x.shape) < 0.15] = new[random.random(new.shape) < 0.2] = np.nan
    y = draw_response(random, x[:, 0].astype(np.float64), regression)
    arguments = draw_arguments(random, engine, n, 0 if regression else len(y.categories))
    if engine == "randomForest":
        fit: Any = pyrrf.randomForest(x, y, **arguments)
    else:
        fit = pyrrf.RRF(x, y, engine=engine, **arguments)
    model = fit.to_sklearn(x)
    assert_same(model, fit, x)
    assert_same(model, fit, new)
    if kind != "decimals":
        assert_same(fit.to_sklearn(), fit, new)


# For classes engine r draws another bag until the root can be split, as R does.
@pytest.mark.parametrize(
    ("engine", "y"), [("parallel", SPECIES), ("parallel", IRIS_X["Sepal.Width"]), ("r", IRIS_X["Sepal.Width"])]
)
def test_trees_of_one_node(engine: str, y: Any) -> None:
    x = np.ones((150, 2), np.float32)
    x[0] = 2
    fit = pyrrf.RRF(x, y, engine=engine, ntree=3, sampsize=5, seed=1)
    model = fit.to_sklearn(x)
    assert [tree.tree_.node_count for tree in model.estimators_] == [1, 1, 1]
    assert [tree.get_depth() for tree in model.estimators_] == [0, 0, 0]
    assert_same(model, fit, x)


# ---- float32 -------------------------------------------------------------------------------------


def test_rows_of_decimals_go_as_in_the_fit() -> None:
    fit = pyrrf.RRF(IRIS_X, SPECIES, ntree=50, seed=1)
    assert_same(fit.to_sklearn(IRIS_X), fit, IRIS_X)
    # Without rows, thresholds are exact for float32 and not for decimals.
    model, single = fit.to_sklearn(), IRIS_X.astype(np.float32)
    assert_same(model, fit, single)
    assert (model.predict_proba(IRIS_X) != fit.predict(IRIS_X, type="prob")).to_numpy().any()


# Of these the first stands at the mean of its neighbours and above its float32, the second above the mean, which stands
# above its float32.
@pytest.mark.parametrize(("below", "middle", "above", "side"), [(0.6, 0.7, 0.8, "a"), (1.2, 1.3, 1.4, "b")])
def test_rows_that_a_tool_does_not_round(below: float, middle: float, above: float, side: str) -> None:
    fit = pyrrf.RRF(np.repeat([[below], [above]], 20, axis=0), np.repeat(["a", "b"], 20), ntree=5, seed=1)
    rows = np.array([[below], [middle], [above]])
    assert fit.predict(rows).tolist() == ["a", side, "b"]
    # shap compares the rows of a background with thresholds as they are.
    for tree in fit.to_sklearn(rows).estimators_:
        assert np.where(rows[:, 0] <= tree.tree_.threshold[0], "a", "b").tolist() == ["a", side, "b"]
    assert fit.to_sklearn(rows).predict(rows).tolist() == ["a", side, "b"]


def test_decimals_between_those_of_the_rows() -> None:
    x = np.repeat([[1.1], [1.3]], 20, axis=0)
    fit = pyrrf.RRF(x, np.repeat(["a", "b"], 20), ntree=5, seed=1)
    # The threshold is the mean of both, which stands above 1.2, and the float32 of 1.2 above it.
    between = np.array([[1.2]])
    assert 1.2 <= (1.1 + 1.3) / 2 < float(np.float32(1.2))
    assert_same(fit.to_sklearn(x), fit, between)
    assert fit.to_sklearn().predict(between) != fit.to_sklearn(x).predict(between)


def test_values_with_the_same_float32() -> None:
    x = np.repeat([[1.0], [1.0 + 1e-12]], 20, axis=0)
    y = np.repeat(["a", "b"], 20)
    fit = pyrrf.RRF(x, y, ntree=5, seed=1)
    assert (fit.predict(x).to_numpy() == y).all()
    assert set(fit.to_sklearn(x).predict(x)) == {"a"}


# ---- what the forest holds -----------------------------------------------------------------------


def test_attributes() -> None:
    model = pyrrf.RRF(IRIS_X, SPECIES, ntree=5, seed=1).to_sklearn(IRIS_X)
    assert isinstance(model, RandomForestClassifier)
    assert (model.n_estimators, model.n_features_in_, model.n_classes_, len(model)) == (5, 4, 3, 5)
    assert model.feature_names_in_.tolist() == list(IRIS_X)
    assert model.classes_.tolist() == ["setosa", "versicolor", "virginica"]
    assert [tree.n_classes_ for tree in model.estimators_] == [3] * 5
    other = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(other.predict_proba(IRIS_X), model.predict_proba(IRIS_X))
    assert not hasattr(pyrrf.RRF(IRIS_X.to_numpy(), SPECIES, ntree=2, seed=1).to_sklearn(), "feature_names_in_")


def test_leaves_are_those_of_the_fit() -> None:
    fit = pyrrf.RRF(IRIS_X, SPECIES, ntree=5, seed=1)
    nodes = fit.predict(IRIS_X, nodes=True).nodes.to_numpy()
    np.testing.assert_array_equal(fit.to_sklearn(IRIS_X).apply(IRIS_X), nodes - 1)


@pytest.mark.parametrize("y", [SPECIES, IRIS_X["Sepal.Width"]], ids=["classes", "regression"])
def test_nodes_count_the_rows(y: Any) -> None:
    # Fewer leaves than rows, so that some hold several classes.
    fit = pyrrf.RRF(IRIS_X, y, ntree=5, maxnodes=6, seed=1)
    model = fit.to_sklearn(IRIS_X)
    for tree in (one.tree_ for one in model.estimators_):
        reached = tree.decision_path(IRIS_X.to_numpy(np.float32)).toarray().astype(bool)
        answers = tree.value[tree.apply(IRIS_X.to_numpy(np.float32)), 0]
        np.testing.assert_array_equal(tree.n_node_samples, reached.sum(axis=0))
        np.testing.assert_array_equal(tree.weighted_n_node_samples, reached.sum(axis=0))
        for node in range(tree.node_count):
            own = answers[reached[:, node]]
            np.testing.assert_allclose(tree.value[node, 0], own.mean(axis=0))
            spread = own.var() if fit.type == "regression" else 1 - (own.mean(axis=0) ** 2).sum()
            assert tree.impurity[node] == pytest.approx(spread, abs=1e-12)
        assert tree.max_depth == reached.sum(axis=1).max() - 1
    assert model.feature_importances_.sum() == pytest.approx(1)
    assert np.flatnonzero(model.feature_importances_).tolist() == fit.feaSet.tolist()


def test_without_rows_nodes_count_none() -> None:
    model = pyrrf.RRF(IRIS_X, SPECIES, ntree=5, seed=1).to_sklearn()
    assert not any(tree.tree_.n_node_samples.any() for tree in model.estimators_)
    assert np.isnan(model.feature_importances_).all()


def test_classes_are_sorted() -> None:
    high = np.where(MALIGNANT == 1, "big", "a little")
    y = pd.Categorical(high, ["big", "a little"])
    fit = pyrrf.RRF(CANCER, y, ntree=5, seed=1)
    model = fit.to_sklearn(CANCER)
    assert (fit.classes, model.classes_.tolist()) == (["big", "a little"], ["a little", "big"])
    assert_same(model, fit, CANCER)
    # Scores take the last class for the positive one, and sort the labels themselves.
    assert get_scorer("roc_auc")(model, CANCER, high) > 0.9


@pytest.mark.parametrize("labels", [[False, True], [2, 1], [2.0, 1.0], ["b", "a"]])
def test_types_of_labels(labels: list[Any]) -> None:
    y = np.array(labels)[(CANCER["mean radius"] > 14).astype(int)]
    fit = pyrrf.RRF(CANCER, pd.Categorical(y), ntree=5, seed=1)
    assert get_scorer("accuracy")(fit.to_sklearn(), CANCER.astype(np.float32), y) > 0.9


def test_bias_correction() -> None:
    fit = pyrrf.RRF(DIABETES, PROGRESS, ntree=20, corr_bias=True, seed=1)
    found, wanted = fit.to_sklearn(DIABETES).predict(DIABETES), fit.predict(DIABETES)
    np.testing.assert_allclose(found, wanted, rtol=1e-13)
    plain = pyrrf.RRF(DIABETES, PROGRESS, ntree=20, seed=1).predict(DIABETES)
    assert not np.allclose(found, plain, rtol=1e-3)


def test_a_formula() -> None:
    fit = pyrrf.RRF("Species ~ log(Sepal.Length) + Petal.Width", IRIS, ntree=10, seed=1)
    model = fit.to_sklearn(IRIS)
    assert model.estimators_[0].tree_.n_node_samples[0] == 150
    terms = pd.DataFrame({"a": np.log(IRIS["Sepal.Length"]), "b": IRIS["Petal.Width"]}).set_axis(fit.columns, axis=1)
    np.testing.assert_array_equal(model.predict_proba(terms), fit.predict(IRIS, type="prob"))


def test_fits_of_other_functions(tmp_path: Path) -> None:
    guided = pyrrf.GRRF(IRIS_X, SPECIES, ntree=10, seed=1)
    plain = pyrrf.randomForest(IRIS_X, SPECIES, ntree=10, seed=1)
    pyrrf.write_rds(plain, tmp_path / "fit.rds")
    read = pyrrf.read_rds(tmp_path / "fit.rds")
    for fit in (guided, guided.ordinary, pyrrf.combine(guided, pyrrf.GRRF(IRIS_X, SPECIES, ntree=5, seed=2)), read):
        assert_same(fit.to_sklearn(IRIS_X), fit, IRIS_X)


def test_the_stream_stays() -> None:
    fit = pyrrf.RRF(IRIS_X, SPECIES, ntree=2, seed=1)
    pyrrf.set_seed(3)
    wanted = pyrrf.runif(4)
    pyrrf.set_seed(3)
    fit.to_sklearn(IRIS_X)
    np.testing.assert_array_equal(pyrrf.runif(4), wanted)


# ---- estimators ----------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["r", "parallel"])
@pytest.mark.parametrize("n_estimators", [2, 25])
def test_classifier(engine: str, n_estimators: int) -> None:
    forest = RRFClassifier(n_estimators, engine=engine, random_state=1).fit(CANCER, MALIGNANT)
    model = forest.to_sklearn(CANCER)
    np.testing.assert_array_equal(model.predict_proba(CANCER), forest.predict_proba(CANCER))
    np.testing.assert_array_equal(model.predict(CANCER), forest.predict(CANCER))
    assert model.classes_.dtype == forest.classes_.dtype
    assert model.feature_names_in_.tolist() == forest.feature_names_in_.tolist()


@pytest.mark.parametrize("engine", ["r", "parallel"])
def test_regressor(engine: str) -> None:
    forest = RRFRegressor(20, engine=engine, candidates="mtry", random_state=1).fit(DIABETES, PROGRESS)
    model = forest.to_sklearn(DIABETES)
    assert isinstance(model, RandomForestRegressor)
    np.testing.assert_array_equal(model.predict(DIABETES), forest.predict(DIABETES))


def test_sparse_rows() -> None:
    random = np.random.default_rng(1)
    x = scipy.sparse.csr_array(np.where(random.random((200, 30)) < 0.2, random.random((200, 30)).round(2), 0))
    y = np.asarray(x.sum(axis=1)) > np.median(x.sum(axis=1))
    forest = RRFClassifier(20, random_state=1).fit(x, y)
    model = forest.to_sklearn(x)
    np.testing.assert_array_equal(model.predict_proba(x), forest.predict_proba(x))
    assert model.estimators_[0].tree_.n_node_samples[0] == 200


def test_missing_values_and_an_estimator_that_is_not_fitted() -> None:
    x = CANCER.mask(np.random.default_rng(1).random(CANCER.shape) < 0.2)
    forest = RRFClassifier(20, random_state=1).fit(x, MALIGNANT)
    np.testing.assert_array_equal(forest.to_sklearn(x).predict_proba(x), forest.predict_proba(x))
    with pytest.raises(ValueError, match="not fitted"):
        RRFClassifier().to_sklearn()


# ---- categories ----------------------------------------------------------------------------------


def codes_of(table: pd.DataFrame) -> pd.DataFrame:
    """Codes from 1 in place of categories; NaN where one is missing."""
    return table.apply(lambda one: one.cat.codes.where(one.notna()) + 1.0 if one.dtype == "category" else one)


@pytest.mark.parametrize("engine", ["r", "parallel"])
@pytest.mark.parametrize("y", [SPECIES, IRIS_X["Petal.Width"]], ids=["classes", "regression"])
def test_factors_of_two_levels_and_ordered_ones(engine: str, y: Any) -> None:
    size = pd.cut(IRIS_X["Sepal.Length"], 4, labels=["XS", "S", "L", "XL"])
    table = pd.DataFrame({"short": pd.Categorical(IRIS_X["Petal.Length"] < 4.8), "size": size})
    fit = pyrrf.RRF(table, y, engine=engine, ntree=20, seed=1)
    model = fit.to_sklearn(table)
    assert {*fit.forest.trees.split_var} == {0, 1, 2}
    trees = [tree.tree_ for tree in model.estimators_]
    if fit.type == "regression":
        np.testing.assert_array_equal(model.predict(codes_of(table)), fit.predict(table))
        # The set of the second level alone: the daughters change places.
        assert any((tree.children_left > tree.children_right).any() for tree in trees)
    else:
        np.testing.assert_array_equal(model.predict_proba(codes_of(table)), fit.predict(table, type="prob"))
    assert all(tree.n_node_samples[tree.children_left[0]] < 150 for tree in trees)


@pytest.mark.parametrize("missing", [False, True])
def test_missing_categories(missing: bool) -> None:
    whole = pd.DataFrame({"short": pd.Categorical(np.where(IRIS_X["Petal.Length"] < 4.8, "yes", "no"))})
    holed = whole.where(np.random.default_rng(1).random((150, 1)) < 0.7)
    # Where rows of the fit lack it, it is one more level; otherwise rows that lack it go where most rows went.
    x = pd.concat([holed if missing else whole, IRIS_X[["Sepal.Width"]]], axis=1)
    new = pd.concat([holed, IRIS_X[["Sepal.Width"]]], axis=1)
    forest = RRFClassifier(30, coef_reg=None, random_state=1).fit(x, SPECIES)
    model = forest.to_sklearn(x)
    np.testing.assert_array_equal(model.predict_proba(codes_of(new)), forest.predict_proba(new))


@pytest.mark.parametrize("engine", ["r", "parallel"])
def test_sets_of_levels_are_refused(engine: str) -> None:
    middle = np.resize(["a", "b", "c"], 150)
    table = pd.DataFrame({"letter": pd.Categorical(middle), "width": IRIS_X["Sepal.Width"]})
    fit = pyrrf.RRF(table, np.where(middle == "b", "in", "out"), engine=engine, ntree=5, seed=1)
    with refused("object", "unsupported") as error:
        fit.to_sklearn()
    assert "'letter'" in str(error.value)
    dummies = pd.get_dummies(table, dtype=float)
    again = pyrrf.RRF(dummies, np.where(middle == "b", "in", "out"), engine=engine, ntree=5, seed=1)
    assert_same(again.to_sklearn(dummies), again, dummies)


def test_factors_of_many_levels_are_refused() -> None:
    level = np.resize(np.arange(40), 800)
    many = pd.DataFrame({"many": pd.Categorical(level), "odd": level % 2})
    fit = pyrrf.RRF(many, (level * 7) % 40, engine="parallel", ntree=5, seed=1)
    with refused("object", "unsupported"):
        fit.to_sklearn()


# ---- refusals ------------------------------------------------------------------------------------


def test_refusals() -> None:
    arguments: dict[str, Any] = {"ntree": 2, "seed": 1}
    with refused("object", "fit"):
        pyrrf.RRF(IRIS_X, ntree=2, seed=1, quirks=False).to_sklearn()
    with refused("object", "fit"):
        pyrrf.RRF(IRIS_X, SPECIES, keep_forest=False, **arguments).to_sklearn()
    with refused("object", "unsupported"):
        pyrrf.RRF(IRIS_X, SPECIES, cutoff=[0.5, 0.25, 0.25], **arguments).to_sklearn()
    with refused("X", "columns"):
        pyrrf.RRF(IRIS_X, SPECIES, **arguments).to_sklearn(IRIS_X.iloc[:, 1:])
    with refused("X", "missing"):
        pyrrf.RRF(IRIS_X, SPECIES, **arguments).to_sklearn(IRIS_X.mask(IRIS_X > 6))


def test_infinite_thresholds_are_refused() -> None:
    x = np.repeat([[1.5e308], [1.7e308]], 20, axis=0)
    fit = pyrrf.RRF(x, np.repeat(["a", "b"], 20), ntree=2, seed=1)
    with refused("object", "scale"):
        fit.to_sklearn()


def test_without_scikit_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    fit = pyrrf.RRF(IRIS_X, SPECIES, ntree=2, seed=1)
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(ImportError, match=r'pip install "pyrrf\[sklearn\]"'):
        fit.to_sklearn()


# ---- tools ---------------------------------------------------------------------------------------


def test_tools_of_scikit_learn() -> None:
    forest = RRFRegressor(10, random_state=1).fit(DIABETES, PROGRESS)
    model = forest.to_sklearn(DIABETES)
    most = np.argsort(-model.feature_importances_)[:2]
    for feature in most:
        curve = partial_dependence(model, DIABETES, [feature], method="recursion", grid_resolution=20)["average"]
        brute = partial_dependence(model, DIABETES, [feature], method="brute", grid_resolution=20)["average"]
        assert np.corrcoef(curve, brute)[0, 1] > 0.95
    shuffled = permutation_importance(model, DIABETES, PROGRESS, n_repeats=2, random_state=1).importances_mean
    assert set(np.argsort(-shuffled)[:2]) == set(most)
    text = export_text(model.estimators_[0], feature_names=list(DIABETES), max_depth=2)
    assert text.startswith(f"|--- {DIABETES.columns[model.estimators_[0].tree_.feature[0]]} <= ")
    assert len(plot_tree(model.estimators_[0], max_depth=2, feature_names=list(DIABETES))) > 3


@pytest.mark.parametrize("regression", [False, True])
def test_shap(regression: bool) -> None:
    shap = pytest.importorskip("shap")
    five = CANCER.iloc[:, :5]
    x, y = (DIABETES, PROGRESS) if regression else (five, np.where(MALIGNANT, "benign", "malignant"))
    fit = pyrrf.RRF(x, y, ntree=20, coefReg=1, seed=1)
    model = fit.to_sklearn(x)
    explainer = shap.TreeExplainer(model)
    answers = model.predict(x) if regression else model.predict_proba(x)
    np.testing.assert_allclose(explainer.expected_value, np.atleast_1d(answers.mean(axis=0)))
    found = explainer.shap_values(x)
    # Sums in another order.
    np.testing.assert_allclose(found.sum(axis=1) + explainer.expected_value, answers, rtol=1e-9, atol=1e-9)
    # Rows of float64 are compared with thresholds, too: of the background.
    background = shap.TreeExplainer(model, x.iloc[:40])
    np.testing.assert_allclose(background.expected_value, np.atleast_1d(answers[:40].mean(axis=0)))
