"""StabilitySelector: scikit-learn's checks, frequencies by hand, backends, substitutes, and what is refused."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.base import BaseEstimator, clone
from sklearn.datasets import load_diabetes, load_wine
from sklearn.feature_selection import RFE, SelectFromModel, SelectKBest, SelectorMixin, f_classif, f_regression
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from pyrrf.selectors import false_selection_bound
from pyrrf.sklearn import EliminationSelector, GRRFSelector, RRFClassifier, StabilitySelector
from pyrrf.sklearn.stability import set_seeds, with_one_value, with_shuffled
from tests.refusals import refused
from tests.sklearn.backends import at_work
from tests.sklearn.drawn import expected_failures

WINE, WINE_Y = load_wine(return_X_y=True, as_frame=True)
CLASSES = np.array(["barolo", "grignolino", "barbera"])[WINE_Y]
DIABETES, PROGRESS = load_diabetes(return_X_y=True, as_frame=True)
GRRF = GRRFSelector(gamma=0.9, guide=10, n_estimators=5)
SMALL: dict[str, Any] = {"n_pairs": 5, "random_state": 5, "threshold": 0.6, "n_removals": 2}


@parametrize_with_checks(
    [StabilitySelector(GRRF, n_pairs=4, threshold=0.01, n_removals=1)], expected_failed_checks=expected_failures
)
def test_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)


class Recorder(SelectorMixin, BaseEstimator):  # type: ignore[misc]
    """Keeps what a draw says, and notes what it was fitted to."""

    def __init__(self, seen: Any = None, chances: Any = (1.0, 0.5, 0.0, 0.0), random_state: Any = None) -> None:
        self.seen, self.chances, self.random_state = seen, chances, random_state

    def __sklearn_clone__(self) -> Recorder:
        return Recorder(self.seen, self.chances, self.random_state)

    def fit(self, X: Any, y: Any) -> Recorder:
        self.seen.append((np.asarray(X)[:, 0].astype(int), y, self.random_state))
        draws = np.random.default_rng(self.random_state).random(len(self.chances))
        self.support_ = draws < self.chances
        return self

    def _get_support_mask(self) -> Any:
        return self.support_


class Counter(SelectorMixin, BaseEstimator):  # type: ignore[misc]
    """Keeps the first feature as often as it is told."""

    def __init__(self, left: int) -> None:
        self.left = left

    def __sklearn_clone__(self) -> Counter:
        return self

    def fit(self, X: Any, y: Any) -> Counter:
        self.left -= 1
        self.support_ = np.array([self.left >= 0, False])
        return self

    def _get_support_mask(self) -> Any:
        return self.support_


# ---- halves and frequencies ------------------------------------------------------------------------


def test_halves_frequencies_and_the_bound() -> None:
    seen: list[Any] = []
    x = np.column_stack([np.arange(30), np.ones((30, 3))])
    y = np.repeat(["a", "b"], [20, 10])
    stable = StabilitySelector(Recorder(seen), n_pairs=20, threshold=0.9, n_removals=0, random_state=1).fit(x, y)
    assert len(seen) == 80
    own, shuffled = seen[:40], seen[40:]
    for (first, y_first, _), (second, _, _) in zip(own[::2], own[1::2], strict=True):
        assert sorted([*first, *second]) == list(range(30))
        assert (y_first == "b").sum() == 5
        assert (y[first] == y_first).all()
    # Each fit has a seed of its own.
    assert len({seed for _, _, seed in seen}) == 80
    kept = np.array([np.random.default_rng(seed).random(4) < [1, 0.5, 0, 0] for _, _, seed in own])
    np.testing.assert_array_equal(stable.selection_frequencies_, kept.mean(axis=0))
    assert stable.support_.tolist() == [True, False, False, False]
    assert stable.n_features_half_ == pytest.approx(kept.sum() / 40)
    assert stable.threshold_ == 0.9
    # Each feature is shuffled in a quarter of the other fits, to the same halves.
    moved = [
        (sorted(first) == sorted(half), first.tolist() != half.tolist())
        for (first, *_), (half, *_) in zip(shuffled, own, strict=True)
    ]
    assert all(same for same, _ in moved)
    assert [sum(changed for _, changed in moved[at : at + 4]) for at in range(0, 40, 4)] == [1] * 10
    assert stable.noise_frequencies_[[0, 2, 3]].tolist() == [1, 0, 0]
    often = round(stable.noise_frequencies_[1] * 10)
    q = (4 * (1 + often * (often - 1) / 90)) ** 0.5
    assert stable.pfer_bound_ == pytest.approx(false_selection_bound(q, 4, 0.9, 20))


def test_a_threshold_that_is_reached_exactly() -> None:
    # 7 of 10 is less than .7 * 10 in floating point, and so is 6 of 20 than .3 * 20.
    for n_pairs, kept in ((5, 7), (10, 6), (15, 22)):
        chance = Counter(kept)
        threshold = kept / (2 * n_pairs)
        for asked, wanted in ((threshold, True), (threshold + 1e-6, False)):
            chance.left = kept
            stable = StabilitySelector(chance, n_pairs=n_pairs, threshold=asked, n_removals=0)
            assert stable.fit(np.arange(80).reshape(40, 2), [0, 1] * 20).support_.tolist() == [wanted, False]


@pytest.mark.parametrize("assumption", ["none", "unimodal"])
def test_the_threshold_keeps_the_bound(assumption: str) -> None:
    best = SelectKBest(f_classif, k=2)
    stable = StabilitySelector(best, n_pairs=20, pfer=0.6, assumption=assumption, random_state=1).fit(WINE, CLASSES)
    assert stable.n_features_half_ == 2
    assert stable.pfer_bound_ <= 0.6
    np.testing.assert_array_equal(stable.support_, stable.selection_frequencies_ >= stable.threshold_ - 1e-9)
    lower = clone(stable).set_params(threshold=stable.threshold_ - 1 / 40).fit(WINE, CLASSES)
    assert lower.pfer_bound_ > 0.6


def test_a_selector_that_keeps_nothing() -> None:
    stable = StabilitySelector(Recorder([], (0.0, 0.0)), n_pairs=2, random_state=1).fit(np.eye(8)[:, :2], [0, 1] * 4)
    assert (stable.n_features_, stable.pfer_bound_, stable.threshold_, len(stable.substitutes_)) == (0, 0.0, 1.0, 0)


def test_numbers() -> None:
    stable = StabilitySelector(SelectKBest(f_regression, k=2), pfer=0.5, random_state=1).fit(DIABETES, PROGRESS)
    assert stable.get_feature_names_out().tolist() == ["bmi", "s5"]
    forest = StabilitySelector(clone(GRRF).set_params(task="regression"), **SMALL).fit(DIABETES, PROGRESS)
    assert forest.support_[[2, 8]].all()


# ---- the same answer everywhere --------------------------------------------------------------------


def test_the_seed_decides() -> None:
    one, same, other = (
        StabilitySelector(GRRF, **SMALL | {"random_state": seed}).fit(WINE, CLASSES) for seed in (5, 5, 6)
    )
    np.testing.assert_array_equal(one.selection_frequencies_, same.selection_frequencies_)
    pd.testing.assert_frame_equal(one.substitutes_, same.substitutes_)
    assert (one.selection_frequencies_ != other.selection_frequencies_).any()
    assert clone(one).get_params()["selector"].get_params() == GRRF.get_params()


@pytest.mark.parametrize("backend", ["sequential", "threading", "pickles"])
def test_backends_agree(backend: str) -> None:
    alone = StabilitySelector(GRRF, **SMALL).fit(WINE, CLASSES)
    with at_work(backend):
        other = StabilitySelector(GRRF, **SMALL).fit(WINE, CLASSES)
    np.testing.assert_array_equal(other.selection_frequencies_, alone.selection_frequencies_)
    pd.testing.assert_frame_equal(other.substitutes_, alone.substitutes_)
    two = StabilitySelector(GRRF, **SMALL, n_jobs=2).fit(WINE, CLASSES)
    np.testing.assert_array_equal(two.selection_frequencies_, alone.selection_frequencies_)


def test_pickles() -> None:
    stable = StabilitySelector(GRRF, **SMALL).fit(WINE, CLASSES)
    again = pickle.loads(pickle.dumps(stable))
    np.testing.assert_array_equal(again.transform(WINE), stable.transform(WINE))
    # A notebook shows the selector inside.
    assert "selector: GRRFSelector" in stable._repr_html_()


# ---- data and selectors of all kinds ---------------------------------------------------------------


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_tables_go_in_and_out(library: str) -> None:
    polars = pytest.importorskip("polars")
    stable = StabilitySelector(clone(GRRF).set_params(forest=RRFClassifier(feature_cost={"proline": 2.0})), **SMALL)
    table = (
        stable.set_output(transform=library).fit(polars.from_pandas(WINE), CLASSES).transform(polars.from_pandas(WINE))
    )
    assert type(table).__module__.startswith(library)
    assert list(table.columns) == stable.get_feature_names_out().tolist() == WINE.columns[stable.support_].tolist()


def test_categories_reach_the_selector() -> None:
    colour = pd.Categorical(np.where(CLASSES == "barbera", "dark", "light"))
    frame = WINE.assign(colour=colour)
    stable = StabilitySelector(clone(GRRF).set_params(gamma=1.0, forest=RRFClassifier(max_features=None)), **SMALL).fit(
        frame, CLASSES == "barbera"
    )
    assert stable.selection_frequencies_[-1] > 0.5


def test_selectors_of_all_kinds() -> None:
    plain = StabilitySelector(SelectKBest(f_classif, k=3), **SMALL).fit(WINE, CLASSES)
    scaled = StabilitySelector(make_pipeline(StandardScaler(), SelectKBest(f_classif, k=3)), **SMALL).fit(WINE, CLASSES)
    np.testing.assert_array_equal(plain.selection_frequencies_, scaled.selection_frequencies_)
    forest = StabilitySelector(RRFClassifier(5, coef_reg=0.3), **SMALL).fit(WINE, CLASSES)
    assert 0 < forest.n_features_half_ < 13


def test_missing_values_are_for_the_selector() -> None:
    holes = WINE.copy()
    holes.iloc[::7, 0] = np.nan
    assert StabilitySelector(GRRF, **SMALL).fit(holes, CLASSES).n_features_
    with pytest.raises(ValueError, match="NaN"):
        StabilitySelector(SelectKBest(f_classif, k=3), **SMALL).fit(holes.to_numpy(), CLASSES)


def test_a_search_in_a_pipeline() -> None:
    steps = make_pipeline(StabilitySelector(GRRF, **SMALL), GaussianNB())
    grid = {"stabilityselector__threshold": [0.1, 0.3], "stabilityselector__selector__gamma": [0.5]}
    assert GridSearchCV(steps, grid, cv=2).fit(WINE, CLASSES).best_score_ > 0.8


# ---- weights ---------------------------------------------------------------------------------------


class Weighed(Recorder):
    """Notes the weights of the rows, too."""

    def __sklearn_clone__(self) -> Weighed:
        return Weighed(self.seen, self.chances, self.random_state)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Weighed:
        super().fit(X, y)
        self.seen.append((self.seen.pop()[0], sample_weight))
        return self


@pytest.mark.parametrize("steps", [[], [StandardScaler(with_mean=False, with_std=False)]], ids=len)
def test_each_half_has_its_weights(steps: list[Any]) -> None:
    seen: list[Any] = []
    x, weight = np.column_stack([np.arange(30), np.ones((30, 3))]), np.arange(30.0) % 4
    selector = make_pipeline(*steps, Weighed(seen)) if steps else Weighed(seen)
    StabilitySelector(selector, n_pairs=3, threshold=0.9, n_removals=0).fit(x, np.arange(30) // 3 % 2, weight)
    for rows, own in seen[:6]:  # without shuffled columns
        assert own.tolist() == weight[rows].tolist()
    # Rows of weight 0 are in no half; the first fits are to two halves of the others.
    assert sorted([*seen[0][0], *seen[1][0]]) == np.flatnonzero(weight).tolist()


@pytest.mark.parametrize("selector", [GRRF, RRFClassifier(5, coef_reg=0.3)], ids=str)
def test_weights_of_1_change_nothing(selector: Any) -> None:
    plain = StabilitySelector(selector, **SMALL).fit(WINE, CLASSES)
    same = StabilitySelector(selector, **SMALL).fit(WINE, CLASSES, np.ones(len(WINE)))
    np.testing.assert_array_equal(plain.selection_frequencies_, same.selection_frequencies_)
    pd.testing.assert_frame_equal(plain.substitutes_, same.substitutes_)


@pytest.mark.parametrize("selector", [GRRF, EliminationSelector(3, n_estimators=2)], ids=str)
def test_rows_of_weight_0_are_left_out(selector: Any) -> None:
    weight = np.where(np.arange(len(WINE)) % 3, 1.0 + np.arange(len(WINE)) % 2, 0.0)
    counted = np.flatnonzero(weight)
    heavy = StabilitySelector(selector, **SMALL).fit(WINE, CLASSES, pd.Series(weight))
    fewer = StabilitySelector(selector, **SMALL).fit(WINE.iloc[counted], CLASSES[counted], weight[counted])
    np.testing.assert_array_equal(heavy.selection_frequencies_, fewer.selection_frequencies_)
    unweighted = StabilitySelector(selector, **SMALL).fit(WINE.iloc[counted], CLASSES[counted])
    assert (unweighted.selection_frequencies_ != fewer.selection_frequencies_).any()


def test_weights_that_no_selector_takes_are_refused_before_the_halves() -> None:
    seen: list[Any] = []
    for selector in (Recorder(seen), make_pipeline(StandardScaler(), Recorder(seen))):
        with refused("sample_weight", "unsupported"):
            StabilitySelector(selector, **SMALL).fit(WINE, CLASSES, np.ones(len(WINE)))
    assert seen == []
    for weight in (np.zeros(len(WINE)), np.full(len(WINE), -1.0), [1.0, 2.0]):
        with refused("sample_weight", "range"):
            StabilitySelector(GRRF, **SMALL).fit(WINE, CLASSES, weight)


@pytest.mark.parametrize("kind", [SelectFromModel, RFE])
def test_weights_reach_the_estimator_of_a_selector(kind: Any) -> None:
    selector, weight = kind(DecisionTreeClassifier(max_depth=2)), np.where(np.arange(len(WINE)) % 2, 1.0, 0.01)
    plain, weighed = (StabilitySelector(selector, **SMALL).fit(WINE, CLASSES, each) for each in (None, weight))
    assert (plain.selection_frequencies_ != weighed.selection_frequencies_).any()
    with refused("sample_weight", "unsupported"):
        StabilitySelector(kind(KNeighborsClassifier()), **SMALL).fit(WINE, CLASSES, weight)


def test_the_seed_of_a_forest_that_has_no_effect_is_not_drawn() -> None:
    told = clone(GRRF).set_params(forest=RRFClassifier())
    for one, other in ((GRRF, told), (make_pipeline(GRRF), make_pipeline(told))):
        found = [StabilitySelector(each, **SMALL).fit(WINE, CLASSES).selection_frequencies_ for each in (one, other)]
        np.testing.assert_array_equal(*found)
    # A step of a pipeline may have that name, and its seed counts.
    named = set_seeds(Pipeline([("forest", RRFClassifier())]), 3)
    assert isinstance(named["forest"].random_state, int)


# ---- features of noise -----------------------------------------------------------------------------


def seven_columns(seed: int, tells: bool = True) -> tuple[pd.DataFrame, np.ndarray]:
    """Three columns that tell, if any does, and four of noise: numbers of many values beside factors of few."""
    draw, n = np.random.default_rng(seed), 240
    frame = pd.DataFrame(
        {
            "age": draw.normal(45, 12, n).round(),
            "smoker": draw.integers(2, size=n),
            "city": pd.Categorical.from_codes(draw.integers(5, size=n), list("abcde")),
            "income": draw.lognormal(10, 1, n).round(2),
            "score": draw.standard_normal(n),
            "active": draw.integers(2, size=n),
            "plan": pd.Categorical.from_codes(draw.integers(3, size=n), list("xyz")),
        }
    )
    told = (frame["age"] - 45) / 6 + 3 * frame["smoker"] + frame["city"].cat.codes - 3.5
    return frame, np.where(told * tells + draw.logistic(size=n) > 0, "yes", "no")


@pytest.mark.parametrize("tells", [True, False])
def test_noise_of_many_values_is_not_kept(tells: bool) -> None:
    forest, false, bounds = GRRFSelector(n_estimators=30), [], []
    for seed in range(4):
        frame, y = seven_columns(seed, tells)
        stable = StabilitySelector(forest, n_pairs=15, n_removals=0, random_state=seed).fit(frame, y)
        assert stable.pfer_bound_ <= 1 + 1e-9
        # GRRF selects a number almost always; more important than its own noise it is on few halves.
        assert stable.noise_frequencies_.max() <= 0.25
        assert not tells or stable.support_[0]
        false.append(stable.support_[3 * tells :].sum())
        bounds.append(stable.pfer_bound_)
    assert np.mean(false) <= np.mean(bounds)


@pytest.mark.parametrize("kind", ["array", "frame", "sparse", "mixed"])
def test_some_columns_are_shuffled_together(kind: str) -> None:
    convert: dict[str, Any] = {
        "array": lambda x: x.to_numpy(), "frame": lambda x: x, "sparse": lambda x: scipy.sparse.csr_array(x.to_numpy()),
        "mixed": lambda x: x.assign(hue=pd.Categorical(CLASSES)),
    }  # fmt: skip
    rows, order = convert[kind](WINE), np.random.default_rng(1).permutation(len(WINE))
    dense = (lambda x: x.toarray()) if kind == "sparse" else np.asarray
    before, found = dense(rows).copy(), with_shuffled(rows, np.array([2, 10]), order)
    assert type(found) is type(rows)
    assert kind != "mixed" or found.dtypes.equals(rows.dtypes)
    expected = before.copy()
    expected[:, [2, 10]] = before[order][:, [2, 10]]
    np.testing.assert_array_equal(dense(found), expected)
    np.testing.assert_array_equal(dense(rows), before)


# ---- substitutes -----------------------------------------------------------------------------------


def twins() -> tuple[pd.DataFrame, np.ndarray]:
    """Two columns that tell the classes, one of them twice; noise otherwise."""
    random = np.random.default_rng(1)
    y = np.repeat([0, 1], 60)
    frame = pd.DataFrame(random.normal(size=(120, 8)), columns=[*"abcdefgh"])
    frame["a"] += 6 * y
    frame["twin"] = np.exp(frame["a"] + 0.05 * random.normal(size=120))
    frame["other"] = random.normal(size=120) - 3 * y
    return frame, y


def test_what_takes_the_place_of_a_feature() -> None:
    frame, y = twins()
    best = SelectKBest(lambda x, y: f_classif(np.asarray(x), y)[0], k=1)
    stable = StabilitySelector(best, n_pairs=10, threshold=0.9, random_state=1)
    # f_classif warns of columns of one value; that is not the user's affair.
    found = stable.fit(frame, y).substitutes_
    assert stable.get_feature_names_out().tolist() == ["a"]
    found = found.set_index("substitute")
    # Of the untransformed values, `other` is the next best; the order of the rows is that of the twin.
    assert found.loc["other", "replaces"] == 1.0
    assert found.loc["twin", "replaces"] == 0.0
    assert found.loc["twin", "correlation"] == pytest.approx(
        frame["a"].corr(frame["twin"], method="spearman"), rel=1e-9
    )
    assert found.index[0] == "other"
    assert set(found["feature"]) == {"a"}


def test_the_twin_of_a_forest() -> None:
    frame, y = twins()
    forest = clone(GRRF).set_params(n_estimators=10, forest=RRFClassifier(max_features=None), gamma=1.0)
    stable = StabilitySelector(forest, n_pairs=10, threshold=0.5, random_state=1).fit(frame.drop(columns="other"), y)
    (kept,) = stable.get_feature_names_out()
    (other,) = {"a", "twin"} - {kept}
    found = stable.substitutes_.iloc[0]
    assert (found["feature"], found["substitute"]) == (kept, other)
    assert found["replaces"] > 0.5
    assert found["correlation"] > 0.95


def test_positions_where_there_are_no_names() -> None:
    frame, y = twins()
    stable = StabilitySelector(GRRF, n_pairs=5, threshold=0.5, random_state=1, n_removals=0).fit(frame.to_numpy(), y)
    found = stable.substitutes_
    assert list(found.columns) == ["feature", "substitute", "correlation", "replaces"]
    assert set(found["feature"]) <= set(np.flatnonzero(stable.support_))
    assert (found["replaces"] == 0).all()


@pytest.mark.parametrize("kind", ["array", "frame", "sparse", "holes"])
def test_a_removed_feature_has_one_value(kind: str) -> None:
    convert: dict[str, Any] = {
        "array": np.asarray,
        "frame": lambda x: x.assign(ash=pd.Categorical(x["ash"])),
        "sparse": scipy.sparse.csr_array,
        "holes": lambda x: x.assign(ash=x["ash"].where(np.arange(len(x)) > 3)),
    }
    rows = convert[kind](WINE)
    as_array = (lambda x: x.toarray()) if kind == "sparse" else np.asarray
    before = as_array(rows).copy()
    part = as_array(with_one_value(rows, 2))
    assert len(set(part[:, 2])) == 1
    assert pd.notna(part[0, 2])
    others = np.delete(np.arange(13), 2)
    np.testing.assert_array_equal(part[:, others], before[:, others])
    # The caller's data stay.
    np.testing.assert_array_equal(as_array(rows).astype(float), before.astype(float))


# ---- what is refused -------------------------------------------------------------------------------


def test_where_no_threshold_keeps_the_limit_the_frequencies_are_kept() -> None:
    chance = Recorder([], (1.0, 1.0, 0.9, 0.9))
    stable = StabilitySelector(chance, n_pairs=10, pfer=0.5, n_removals=0, random_state=1)
    with pytest.warns(
        UserWarning,
        match=r"of 4 features of noise .*pass pfer=.* or more\. Only features that were selected on all half",
    ):
        stable.fit(np.arange(120).reshape(30, 4), np.arange(30) % 2)
    assert stable.threshold_ == 1.0
    assert stable.support_.tolist() == (stable.selection_frequencies_ == 1.0).tolist() == [True, True, False, False]
    assert 0.5 < stable.pfer_bound_ <= 4


@pytest.mark.parametrize("arguments", [{"threshold": 2.0}, {"threshold": None, "pfer": 0}, {"pfer": 1e-9}], ids=str)
def test_a_limit_that_nothing_keeps_is_refused_before_a_half_is_selected_from(arguments: dict[str, Any]) -> None:
    seen: list[Any] = []
    stable = StabilitySelector(Recorder(seen), n_pairs=2, assumption="none").set_params(**arguments)
    with pytest.raises(ValueError, match=r"threshold must|pfer must|pass a larger pfer, or a threshold"):
        stable.fit(np.arange(120).reshape(30, 4), np.arange(30) % 2)
    assert seen == []


def test_halves_are_those_of_whole_forests() -> None:
    plain = GRRFSelector(n_estimators=30)
    stable = StabilitySelector(plain, n_pairs=2, threshold=0.5, n_removals=0, random_state=1).fit(WINE, CLASSES)
    # A pipeline fits the selector; its last step is asked for its support.
    asked = make_pipeline(plain)
    other = StabilitySelector(asked, n_pairs=2, threshold=0.5, n_removals=0, random_state=1).fit(WINE, CLASSES)
    np.testing.assert_array_equal(stable.selection_frequencies_, other.selection_frequencies_)
    short = clone(plain).set_params(guide=30)
    said = StabilitySelector(short, n_pairs=2, threshold=0.5, n_removals=0, random_state=1).fit(WINE, CLASSES)
    np.testing.assert_array_equal(stable.selection_frequencies_, said.selection_frequencies_)


def test_verbose_counts_the_fits(capsys: pytest.CaptureFixture[str]) -> None:
    StabilitySelector(GRRF, **SMALL).fit(WINE, CLASSES)
    assert capsys.readouterr().err == ""
    StabilitySelector(GRRF, **SMALL, verbose=1).fit(WINE, CLASSES)
    shown = capsys.readouterr().err
    assert "half-samples: " in shown
    assert "/10 " in shown  # of the halves, and of those in which features are shuffled
    assert "/8 " in shown


@pytest.mark.parametrize(
    ("arguments", "argument", "code"),
    [
        ({"n_pairs": 0}, "n_pairs", "range"),
        ({"threshold": 0}, "threshold", "range"),
        ({"threshold": 1.5}, "threshold", "range"),
        ({"threshold": None, "pfer": 0}, "pfer", "range"),
        ({"assumption": "convex"}, "assumption", "choice"),
        ({"n_removals": -1}, "n_removals", "range"),
    ],
    ids=str,
)
def test_what_is_refused(arguments: dict[str, Any], argument: str, code: str) -> None:
    with refused(argument, code):
        StabilitySelector(SelectKBest(f_classif, k=2), **SMALL | arguments).fit(WINE, CLASSES)


@pytest.mark.parametrize("selector", [None, GRRFSelector, "grrf", GaussianNB()], ids=str)
def test_no_selector(selector: Any) -> None:
    with refused("selector", "type"):
        StabilitySelector(selector, **SMALL).fit(WINE, CLASSES)


def test_too_few_rows() -> None:
    with pytest.raises(ValueError, match="class 'barolo' has only one row"):
        StabilitySelector(GRRF, **SMALL).fit(WINE.iloc[58:80], CLASSES[58:80])
    with refused("X", "rows"):
        StabilitySelector(GRRF, **SMALL).fit(WINE.iloc[58:61], CLASSES[58:61])
