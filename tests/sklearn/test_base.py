"""What the estimators share, on the shortest estimators that grow trees."""

from __future__ import annotations

import inspect
import pickle
from importlib import reload
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

import pyrrf.sklearn
from pyrrf.papers import MaxDependencySelector, RBoostSelector
from pyrrf.result.forest import join_trees
from pyrrf.selectors.growing import TreeData, TreeMaker, TreeRequest, TreeRule
from pyrrf.sklearn.base import TreeClassifier, TreeEstimator, TreeRegressor
from pyrrf.sklearn.parameters import resolve_max_features
from tests.estimators import ESTIMATORS
from tests.refusals import refused


class Plain(TreeEstimator):
    """Ten bagged trees."""

    def __init__(
        self,
        *,
        categorical_features: Any = "from_dtype",
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: Any, y: Any) -> Any:
        data: TreeData = self._read_training(X, y)[1]
        maker = TreeMaker(data, TreeRule(mtry=max(1, data.shape[1] // 2)), self._threads())
        seed = self._new_seed()
        requests = [TreeRequest(seed=seed, stream=tree) for tree in range(10)]
        grown = self._with_progress(maker.grow_all(requests), len(requests))
        self._trees = join_trees([each.tree for each in grown])
        return self


class PlainClassifier(TreeClassifier, Plain):
    pass


class PlainRegressor(TreeRegressor, Plain):
    pass


@parametrize_with_checks([PlainClassifier(), PlainRegressor()])
def test_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)


def colours(n: int = 60) -> tuple[pd.DataFrame, np.ndarray]:
    """Classes that follow from the colour alone, whose order says nothing."""
    rng = np.random.default_rng(1)
    colour = rng.choice(["red", "green", "blue", "grey"], n)
    frame = pd.DataFrame({"noise": rng.random(n), "colour": pd.Categorical(colour)})
    return frame, np.where(np.isin(colour, ["red", "blue"]), "warm", "cold")


def test_categories_are_read_from_the_dtype() -> None:
    frame, y = colours()
    fit = PlainClassifier(random_state=1).fit(frame, y)
    assert (fit.predict(frame) == y).all()
    assert fit.feature_names_in_.tolist() == ["noise", "colour"]
    turned = frame.assign(colour=frame["colour"].cat.reorder_categories(["red", "grey", "green", "blue"]))
    assert (fit.predict(turned) == y).all()


@pytest.mark.parametrize("chosen", [[1], ["colour"], [False, True]])
def test_categories_can_be_named(chosen: Any) -> None:
    frame, y = colours()
    numbers = frame.assign(colour=frame["colour"].cat.codes * 1.5)
    fit = PlainClassifier(categorical_features=chosen, random_state=1).fit(numbers, y)
    same = PlainClassifier(random_state=1).fit(frame, y)
    assert (fit.predict_proba(numbers) == same.predict_proba(frame)).all()
    if chosen != ["colour"]:
        array = PlainClassifier(categorical_features=chosen, random_state=1).fit(numbers.to_numpy(), y)
        assert (array.predict_proba(numbers.to_numpy()) == same.predict_proba(frame)).all()


@pytest.mark.parametrize(
    ("categorical", "argument", "code"),
    [
        ("dtype", "categorical_features", "choice"),
        ([2], "categorical_features", "range"),
        (["size"], "categorical_features", "unknown"),
        ([True], "categorical_features", "length"),
        ([[1]], "categorical_features", "shape"),
    ],
)
def test_wrong_categorical_features(categorical: Any, argument: str, code: str) -> None:
    frame, y = colours()
    with refused(argument, code):
        PlainClassifier(categorical_features=categorical).fit(frame, y)


def test_one_class_is_refused() -> None:
    with pytest.raises(ValueError, match=r"y has only one class, .*'a'"):
        PlainClassifier().fit(np.eye(4, 2), list("aaaa"))


@pytest.mark.parametrize("kind", [PlainClassifier, PlainRegressor])
def test_one_seed_one_answer(kind: Any) -> None:
    rng = np.random.default_rng(3)
    x = rng.standard_normal((80, 6))
    x[rng.random(x.shape) < 0.1] = np.nan
    y = np.nan_to_num(x[:, 0]) if kind is PlainRegressor else np.where(np.nan_to_num(x[:, 0]) > 0, "b", "a")
    first = kind(random_state=5).fit(x, y).predict(x)
    for n_jobs in (2, 3, -1):
        assert (kind(random_state=5, n_jobs=n_jobs).fit(x, y).predict(x) == first).all()
    generator = kind(random_state=np.random.default_rng(2)).fit(x, y)
    again = clone(generator).set_params(random_state=np.random.default_rng(2)).fit(x, y)
    assert (pickle.loads(pickle.dumps(generator)).predict(x) == again.predict(x)).all()


def test_polars_and_arrow_keep_their_names() -> None:
    import polars

    frame, y = colours()
    table = polars.from_pandas(frame)
    fit = PlainClassifier(random_state=1).fit(table, y)
    assert (fit.predict(table) == PlainClassifier(random_state=1).fit(frame, y).predict(frame)).all()
    assert fit.feature_names_in_.tolist() == ["noise", "colour"]


@pytest.mark.parametrize("value", [0, 11, 0.0, 1.5, "third", True])
def test_wrong_max_features(value: Any) -> None:
    with pytest.raises(ValueError, match="max_features must be an int from 1 to 10"):
        resolve_max_features(value, 10)


# ---- odd tables ----------------------------------------------------------------------------------


def test_new_rows_need_not_be_of_the_kind_of_table_that_was_fitted() -> None:
    frame, y = colours()
    nullable = frame.assign(noise=frame["noise"].astype("Float64"), colour=frame["colour"].cat.codes.astype("Int64"))
    fit = PlainClassifier(random_state=1).fit(nullable, y)
    expected = fit.predict_proba(nullable)
    assert (fit.predict_proba(nullable.astype(np.float64)) == expected).all()
    with pytest.warns(UserWarning, match="X does not have valid feature names"):
        assert (fit.predict_proba(nullable.to_numpy(np.float64)) == expected).all()


def test_new_rows_without_categories_are_refused_by_name() -> None:
    frame, y = colours()
    fit = PlainClassifier(random_state=1).fit(frame, y)
    with pytest.raises(TypeError, match="column 'colour' of X must be categorical"):
        fit.predict(frame.assign(colour=frame["colour"].cat.codes))
    codes = frame.assign(colour=frame["colour"].cat.codes + 1.0).to_numpy()
    with (
        pytest.warns(UserWarning, match="X does not have valid feature names"),
        refused("X", "type"),
    ):
        fit.predict(codes)


def test_masked_values_are_missing() -> None:
    frame, y = colours()
    x = np.column_stack([frame["noise"], frame["colour"].cat.codes])
    hidden = np.ma.masked_array(np.where(x > 2.5, 1e6, x), x > 2.5)
    expected = PlainClassifier(random_state=1).fit(np.where(x > 2.5, np.nan, x), y)
    fit = PlainClassifier(random_state=1).fit(hidden, y)
    for rows in (hidden, hidden.filled(np.nan)):
        assert (fit.predict_proba(rows) == expected.predict_proba(np.where(x > 2.5, np.nan, x))).all()


# ---- odd responses -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "y",
    [
        ["a", None, "b", "a"],
        pd.Series(["a", None, "b", "a"], dtype="string"),
        pd.Series([1, None, 2, 1], dtype="Int64"),
        np.ma.masked_array([1, 2, 1, 2], [False, True, False, False]),
    ],
)
def test_missing_labels_are_refused(y: Any) -> None:
    with refused("y", "missing"):
        PlainClassifier().fit(np.arange(8.0).reshape(4, 2), y)


def test_words_are_no_numbers() -> None:
    with refused("y", "type"):
        PlainRegressor().fit(np.arange(8.0).reshape(4, 2), ["1", "2", "1", "2"])


@pytest.mark.parametrize(("size", "remedy"), [(1e-99, "multiply"), (1e99, "divide")])
def test_numbers_of_any_size_are_told_apart_or_refused(size: float, remedy: str) -> None:
    x, y = np.arange(40.0)[:, None], np.repeat([0.0, 1.0], 20)
    expected = PlainRegressor(random_state=1).fit(x, y).predict(x)
    assert np.allclose(PlainRegressor(random_state=1).fit(x, y * size).predict(x) / size, expected)
    with refused("y", "scale"):
        PlainRegressor().fit(x, y * size**2)


# ---- parameters of all ---------------------------------------------------------------------------


@pytest.mark.parametrize("value", ["first", -1, 2.5, 2**32, [1]])
def test_wrong_random_state(value: Any) -> None:
    with refused("random_state", "choice"):
        PlainClassifier(random_state=value).fit(np.arange(8.0).reshape(4, 2), [0, 0, 1, 1])


@pytest.mark.parametrize("value", ["yes", -1, float("nan"), None])
def test_wrong_verbose(value: Any) -> None:
    with pytest.raises((TypeError, ValueError), match="verbose must be"):
        PlainClassifier(verbose=value).fit(np.arange(8.0).reshape(4, 2), [0, 0, 1, 1])


def test_n_jobs_of_no_number() -> None:
    with refused("n_jobs", "type"):
        PlainClassifier(n_jobs=np.array([1, 2])).fit(np.arange(8.0).reshape(4, 2), [0, 0, 1, 1])


@pytest.mark.parametrize("selector", [RBoostSelector(2, random_state=1), MaxDependencySelector()])
def test_a_selector_forgets_the_names_of_an_earlier_fit(selector: Any) -> None:
    frame, y = colours()
    selector.fit(frame, y)
    selector.fit(frame[["noise"]].to_numpy(), y)
    assert selector.get_feature_names_out().tolist() == ["x0"]
    assert not hasattr(selector, "feature_names_in_")


def test_an_older_scikit_learn_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("sklearn.utils.validation.validate_data")
    with pytest.raises(ImportError, match=r"needs scikit-learn 1\.6 or newer; pip"):
        reload(pyrrf.sklearn)


@pytest.mark.parametrize("name", ["EliminationSelector", "GRRFSelector", "GRRFSelectorCV"])
def test_selectors_have_few_parameters(name: str) -> None:
    assert len(inspect.signature(ESTIMATORS[name]).parameters) <= 15


@pytest.mark.parametrize("name", ESTIMATORS)
def test_parameters_are_kept_as_they_are_given(name: str) -> None:
    kind = ESTIMATORS[name]
    given = {name: f"given as {name}" for name in inspect.signature(kind).parameters}
    assert vars(kind(**given)) == given
