"""GRRFSelector and grrf_path: scikit-learn's checks, GRRF()'s answers, guides of all kinds, and what is refused."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_wine, make_friedman1
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import pyrrf
from pyrrf.sklearn import GRRFSelector, GRRFSelectorCV, RRFClassifier, RRFRegressor, grrf_path
from tests.refusals import refused
from tests.sklearn.backends import at_work
from tests.sklearn.drawn import expected_failures

WINE, WINE_Y = load_wine(return_X_y=True, as_frame=True)
CLASSES = np.array(["barolo", "grignolino", "barbera"])[WINE_Y]
DIABETES, PROGRESS = load_diabetes(return_X_y=True, as_frame=True)
FEW: dict[str, Any] = {"n_estimators": 20, "random_state": 5}
SMALL: dict[str, Any] = {"guide": 20, **FEW}


@parametrize_with_checks(
    [
        GRRFSelector(5, n_estimators=5, forest=None if engine == "parallel" else RRFClassifier(engine=engine))
        for engine in ("parallel", "r")
    ],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)


# ---- the same forests as GRRF() ------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["r", "parallel"])
@pytest.mark.parametrize(
    "more",
    [{}, {"feature_cost": {"proline": 4.0}, "feature_groups": {"ash": 1, "hue": 1}}, {"initial_features": ["ash"]}],
    ids=str,
)
def test_the_forest_of_grrf(engine: str, more: dict[str, Any]) -> None:
    forest = RRFClassifier(engine=engine, **more)
    selector = GRRFSelector(gamma=0.7, lambda0=0.9, forest=forest, **SMALL).fit(WINE, CLASSES)
    of_r = {"feaIni": [2]} if "initial_features" in more else more
    same = pyrrf.GRRF(WINE, CLASSES, 0.7, 0.9, ntree=20, seed=5, engine=engine, **of_r)
    assert same.ordinary is not None
    importances = same.ordinary.outcome.importance[:, -1]
    np.testing.assert_array_equal(selector.guide_importances_, importances / importances.max())
    np.testing.assert_array_equal(selector.coef_reg_, same.coefReg)
    same.ordinary = None
    assert selector.result_ == same


def test_the_forest_of_grrf_for_numbers() -> None:
    forest = RRFRegressor(engine="r", candidates="mtry")
    selector = GRRFSelector(gamma=0.5, forest=forest, **SMALL).fit(DIABETES, PROGRESS + 0.5)
    same = pyrrf.GRRF(DIABETES, PROGRESS + 0.5, ntree=20, seed=5)
    same.ordinary = None
    assert selector.result_ == same


@pytest.mark.parametrize(("kind", "gamma"), [("classes", 0.5), ("numbers", 0.9)])
def test_gamma_by_default(kind: str, gamma: float) -> None:
    y = CLASSES if kind == "classes" else WINE["hue"]
    selector = GRRFSelector(**SMALL).fit(WINE, y)
    assert selector.gamma_ == gamma
    same = GRRFSelector(gamma=gamma, **SMALL).fit(WINE, y)
    assert (selector.result_, same.gamma_) == (same.result_, gamma)


def test_the_default_for_numbers_selects() -> None:
    x, y = make_friedman1(300, 60, noise=1.0, random_state=1)  # y is made of the first five
    kept = GRRFSelector(random_state=1, guide=500).fit(x, y).get_support(indices=True)
    assert set(range(5)) <= set(kept)
    assert len(kept) < 15


def test_few_trees_of_the_guide_are_other_importances() -> None:
    small = GRRFSelector(**SMALL).fit(WINE, CLASSES)
    large = GRRFSelector(**SMALL | {"guide": 60}).fit(WINE, CLASSES)
    assert large.result_.ntree == small.result_.ntree == 20
    ordinary = pyrrf.RRF(WINE, CLASSES, ntree=60, flagReg=0, seed=5, engine="parallel").outcome.importance[:, -1]
    np.testing.assert_array_equal(large.guide_importances_, ordinary / ordinary.max())


def test_a_number_of_trees_guides() -> None:
    usual = GRRFSelector(**FEW).fit(WINE, CLASSES)
    assert usual.result_ == GRRFSelector(200, **FEW).fit(WINE, CLASSES).result_
    assert usual.result_ == GRRFSelector(np.int64(200), **FEW).fit(WINE, CLASSES).result_
    assert usual.result_ != GRRFSelector(199, **FEW).fit(WINE, CLASSES).result_


def test_the_forest_says_how_trees_grow() -> None:
    forest = RRFClassifier(20, max_depth=2, coef_reg=0.1, random_state=8, n_jobs=2, oob_score=True, verbose=1)
    before = repr(forest.get_params())
    found = GRRFSelector(20, forest=forest, random_state=5).fit(WINE, CLASSES)
    # Without `n_estimators` its own; what the selector sets has no effect.
    assert found.result_ == GRRFSelector(forest=RRFClassifier(max_depth=2), **SMALL).fit(WINE, CLASSES).result_
    assert found.result_ != GRRFSelector(**SMALL).fit(WINE, CLASSES).result_
    assert GRRFSelector(20, forest=forest, n_estimators=3, random_state=5).fit(WINE, CLASSES).result_.ntree == 3
    assert repr(forest.get_params()) == before
    assert not hasattr(forest, "result_")


def test_the_stream_of_the_process_stays() -> None:
    pyrrf.set_seed(3)
    wanted = pyrrf.runif(4)
    pyrrf.set_seed(3)
    GRRFSelector(forest=RRFClassifier(engine="r"), **SMALL).fit(WINE, CLASSES)
    np.testing.assert_array_equal(pyrrf.runif(4), wanted)


# ---- classes or numbers --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("y", "forest", "kind"),
    [
        (CLASSES, None, "classification"),
        (WINE_Y, None, "classification"),
        (WINE_Y.astype(float), None, "classification"),
        (WINE_Y, RRFClassifier(criterion="entropy"), "classification"),
        (WINE_Y, RRFRegressor(), "regression"),
        (WINE["hue"], None, "regression"),
    ],
)
def test_classes_or_numbers(y: Any, forest: Any, kind: str) -> None:
    assert GRRFSelector(forest=forest, **SMALL).fit(WINE, y).result_.type == kind


def test_defaults_follow_the_response() -> None:
    forest = GRRFSelector(**SMALL).fit(WINE, CLASSES).result_
    classes = RRFClassifier(max_features=3, min_node_size=1, penalty="criterion", criterion="gini")
    assert forest.mtry == 3
    assert forest == GRRFSelector(forest=classes, **SMALL).fit(WINE, CLASSES).result_
    numbers = GRRFSelector(**SMALL).fit(WINE, WINE["hue"]).result_
    asked = RRFRegressor(max_features=4, min_node_size=5, penalty="gain", criterion="variance")
    assert numbers.mtry == 4
    assert numbers == GRRFSelector(forest=asked, **SMALL).fit(WINE, WINE["hue"]).result_


# ---- guides --------------------------------------------------------------------------------------


def test_importances_are_divided_by_the_largest() -> None:
    given = np.arange(13.0) - 2
    selector = GRRFSelector(given, gamma=0.8, **FEW).fit(WINE, CLASSES)
    np.testing.assert_array_equal(selector.guide_importances_, np.maximum(given, 0) / 10)
    assert selector.coef_reg_ == pytest.approx(0.2 + 0.8 * selector.guide_importances_)
    # Nothing was drawn before the regularized forest.
    same = pyrrf.RRF(WINE, CLASSES, ntree=20, coefReg=selector.coef_reg_, seed=5, engine="parallel")
    assert selector.result_ == same


def test_importances_by_name() -> None:
    series = pd.Series({"proline": 4.0, "hue": 2.0})
    for guide in (series, series.to_dict()):
        selector = GRRFSelector(guide, **FEW).fit(WINE, CLASSES)
        assert selector.guide_importances_.tolist() == [0.0] * 10 + [0.5, 0.0, 1.0]


def test_an_estimator_guides() -> None:
    forest = RandomForestClassifier(10, random_state=1)
    selector = GRRFSelector(forest, **FEW).fit(WINE, CLASSES)
    importances = clone(forest).fit(WINE.to_numpy(), CLASSES).feature_importances_
    np.testing.assert_array_equal(selector.guide_importances_, importances / importances.max())
    assert not hasattr(forest, "classes_")


def test_coefficients_guide_by_their_size() -> None:
    line = make_pipeline(StandardScaler(), LogisticRegression(max_iter=200, solver="newton-cg"))
    selector = GRRFSelector(line, **FEW).fit(WINE, CLASSES)
    size = np.abs(clone(line).fit(WINE.to_numpy(), CLASSES)[-1].coef_).sum(axis=0)
    np.testing.assert_array_equal(selector.guide_importances_, size / size.max())


def test_what_is_refused_is_refused_before_the_guide_is_asked() -> None:
    with pytest.raises(ValueError, match="feature_cost names 'colour'"):
        GRRFSelector(lambda x, y: 1 / 0, forest=RRFClassifier(feature_cost={"colour": 2.0}), **FEW).fit(WINE, CLASSES)


def test_a_function_guides() -> None:
    def spread(x: Any, y: Any) -> Any:
        assert x.shape == WINE.shape
        assert set(y) == set(CLASSES)
        return x.std(axis=0)

    spreads = WINE.to_numpy().std(axis=0)
    selector = GRRFSelector(spread, **FEW).fit(WINE, CLASSES)
    np.testing.assert_array_equal(selector.guide_importances_, spreads / spreads.max())


@pytest.mark.parametrize(
    ("guide", "error", "argument", "code"),
    [
        ([1.0, 2.0], ValueError, "guide", "length"),
        (np.zeros(13), ValueError, "guide", "undefined"),
        (np.full(13, np.nan), ValueError, "guide", "missing"),
        ({"colour": 1.0}, ValueError, "guide", "unknown"),
        (GaussianNB(), TypeError, "guide", "fit"),
        (GaussianNB, TypeError, "guide", "type"),
        ("forest", TypeError, "guide", "type"),
    ],
    ids=str,
)
def test_no_guide(guide: Any, error: Any, argument: str, code: str) -> None:
    with refused(argument, code, error):
        GRRFSelector(guide, **FEW).fit(WINE, CLASSES)


# ---- as a selector -------------------------------------------------------------------------------


def test_what_is_kept() -> None:
    selector = GRRFSelector(gamma=0.9, **SMALL).fit(WINE, CLASSES)
    split = selector.result_.forest.trees.split_var
    assert np.flatnonzero(selector.support_).tolist() == (np.unique(split[split > 0]) - 1).tolist()
    assert 0 < selector.n_features_ == selector.support_.sum() < 13
    assert selector.result_.call == "GRRFSelector(gamma=0.9, guide=20, n_estimators=20, random_state=5)"
    assert (pickle.loads(pickle.dumps(selector)).transform(WINE) == selector.transform(WINE)).all()


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_tables_go_in_and_out(library: str) -> None:
    polars = pytest.importorskip("polars")
    selector = GRRFSelector(gamma=0.9, **SMALL).set_output(transform=library)
    table = selector.fit(polars.from_pandas(WINE), CLASSES).transform(polars.from_pandas(WINE))
    assert type(table).__module__.startswith(library)
    kept = selector.get_feature_names_out().tolist()
    assert list(table.columns) == kept == WINE.columns[selector.support_].tolist()
    np.testing.assert_array_equal(table.to_numpy(), WINE[kept].to_numpy())


def test_pictured_in_a_notebook() -> None:
    assert "GRRFSelector" in GRRFSelector(**SMALL).fit(WINE, CLASSES)._repr_html_()


def test_responses_of_polars() -> None:
    polars = pytest.importorskip("polars")
    table = polars.from_pandas(WINE)
    numbers = GRRFSelector(**SMALL).fit(table, table["hue"])
    assert numbers.result_.type == "regression"
    classes = GRRFSelector(**SMALL).fit(table, polars.Series(CLASSES))
    assert classes.result_ == GRRFSelector(**SMALL).fit(WINE, CLASSES).result_


def test_categories_stay_in_the_table() -> None:
    frame = WINE.assign(colour=pd.Categorical(np.where(CLASSES == "barbera", "dark", "light")))
    selector = GRRFSelector(gamma=1.0, **SMALL).set_output(transform="pandas").fit(frame, CLASSES)
    assert selector.support_[-1]
    assert selector.transform(frame)["colour"].dtype == "category"


def test_a_search_over_gamma_in_a_pipeline() -> None:
    steps = make_pipeline(StandardScaler(), GRRFSelector(**SMALL), GaussianNB())
    search = GridSearchCV(steps, {"grrfselector__gamma": [0.1, 0.9]}, cv=3).fit(WINE, CLASSES)
    assert search.best_score_ > 0.8
    few, many = (clone(steps).set_params(grrfselector__gamma=gamma).fit(WINE, CLASSES)[1] for gamma in (0.9, 0.1))
    assert few.n_features_ < many.n_features_


def test_a_search_over_parameters_of_the_forest() -> None:
    selector = GRRFSelector(forest=RRFClassifier(max_depth=1), **SMALL)
    assert clone(selector).get_params()["forest__max_depth"] == 1
    assert clone(selector).forest is not selector.forest
    deeper = clone(selector).set_params(forest__max_depth=4).fit(WINE, CLASSES)
    assert deeper.result_ == GRRFSelector(forest=RRFClassifier(max_depth=4), **SMALL).fit(WINE, CLASSES).result_
    assert selector.forest.max_depth == 1
    steps = make_pipeline(selector, GaussianNB())
    search = GridSearchCV(steps, {"grrfselector__forest__max_depth": [1, 4]}, cv=3).fit(WINE, CLASSES)
    for at, depth in enumerate((1, 4)):
        alone = clone(steps).set_params(grrfselector__forest__max_depth=depth)
        assert search.cv_results_["mean_test_score"][at] == cross_val_score(alone, WINE, CLASSES, cv=3).mean()
    assert search.best_estimator_[0].forest.max_depth == search.best_params_["grrfselector__forest__max_depth"]


def test_weights_are_passed_on_by_routing() -> None:
    import sklearn

    weight = np.where(CLASSES == "barbera", 9.0, 1.0)
    with sklearn.config_context(enable_metadata_routing=True):
        selector = GRRFSelector(**SMALL).set_fit_request(sample_weight=True)
        steps = make_pipeline(selector, GaussianNB().set_fit_request(sample_weight=False))
        routed = steps.fit(WINE, CLASSES, sample_weight=weight)[0]
    direct = GRRFSelector(**SMALL).fit(WINE, CLASSES, weight)
    assert routed.result_ == direct.result_
    assert direct.result_ != GRRFSelector(**SMALL).fit(WINE, CLASSES).result_


# ---- paths ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["r", "parallel"])
@pytest.mark.parametrize("numeric", [False, True])
def test_a_path_equals_independent_fits(engine: str, numeric: bool) -> None:
    y = WINE["hue"] if numeric else CLASSES
    forest = (RRFRegressor if numeric else RRFClassifier)(
        engine=engine, feature_cost={"proline": 2.0}, feature_groups={"ash": 1, "hue": 1}
    )
    if numeric and engine == "r":
        forest.set_params(candidates="mtry")
    more: dict[str, Any] = {"lambda0": 0.9, "forest": forest, **SMALL}
    path = grrf_path(WINE, y, gammas=[0.9, 0.2, 0.5], **more)
    for at, gamma in enumerate(path.gammas.tolist()):
        alone = GRRFSelector(gamma=gamma, **more).fit(WINE, y)
        assert path.fits[at] == alone.result_
        assert path.fits[at].call == alone.result_.call
        np.testing.assert_array_equal(path.supports[at], alone.support_)
        np.testing.assert_array_equal(path.feature_importances[at], alone.feature_importances_)
        np.testing.assert_array_equal(path.guide_importances, alone.guide_importances_)
    assert path.n_features.tolist() == path.supports.sum(axis=1).tolist()
    assert path.feature_names is not None
    assert path.feature_names.tolist() == WINE.columns.tolist()


@pytest.mark.parametrize("engine", ["r", "parallel"])
@pytest.mark.parametrize("backend", ["sequential", "threading", "pickles"])
def test_backends_agree(engine: str, backend: str) -> None:
    alone = grrf_path(WINE, CLASSES, gammas=3, forest=RRFClassifier(engine=engine), **SMALL)
    with at_work(backend):
        other = grrf_path(WINE, CLASSES, gammas=3, forest=RRFClassifier(engine=engine), **SMALL)
    assert other.fits == alone.fits
    assert grrf_path(WINE, CLASSES, gammas=3, forest=RRFClassifier(engine=engine), n_jobs=2, **SMALL).fits == alone.fits


def test_gammas_of_a_path() -> None:
    path = grrf_path(WINE.to_numpy(), CLASSES, **SMALL)
    np.testing.assert_allclose(path.gammas, np.arange(10) / 9)
    assert path.feature_names is None
    assert path.n_features[0] > path.n_features[-1]


@pytest.mark.parametrize(
    ("arguments", "argument", "code"),
    [
        ({"gammas": 1}, "gammas", "range"),
        ({"gammas": [0.5, 1.5]}, "gammas", "range"),
        ({"gammas": [0.5, 0.5]}, "gammas", "duplicate"),
        ({"gammas": 0.5}, "gammas", "range"),
        ({"gamma": 0.5}, "gamma", "keyword"),
        ({"n_tree": 5}, "n_tree", "keyword"),
        ({"gammas": [0.0, 1.0], "lambda0": 0}, "gamma", "range"),
    ],
    ids=str,
)
def test_no_path(arguments: dict[str, Any], argument: str, code: str) -> None:
    with refused(argument, code):
        grrf_path(WINE, CLASSES, **SMALL | arguments)


@pytest.mark.parametrize(
    ("arguments", "argument", "code"),
    [
        ({"gamma": 1.5}, "gamma", "range"),
        ({"gamma": "best"}, "gamma", "range"),
        ({"lambda0": -1}, "lambda0", "range"),
        ({"guide": 0}, "guide", "range"),
        ({"guide": True}, "guide", "type"),
        ({"guide": 20.0}, "guide", "type"),
        ({"guide": b"forest"}, "guide", "type"),
        ({"forest": RRFClassifier(criterion="mse")}, "criterion", "choice"),
        ({"forest": RRFClassifier(engine="q")}, "engine", "choice"),
        ({"forest": RRFRegressor(), "task": "classification"}, "task", "conflict"),
        ({"forest": RRFClassifier(), "task": "regression"}, "task", "conflict"),
        ({"forest": RRFClassifier}, "forest", "type"),
        ({"forest": RandomForestClassifier()}, "forest", "type"),
        ({"forest": 500}, "forest", "type"),
        ({"n_estimators": 0}, "n_estimators", "range"),
    ],
    ids=str,
)
def test_what_is_refused(arguments: dict[str, Any], argument: str, code: str) -> None:
    with refused(argument, code):
        GRRFSelector(**SMALL | arguments).fit(WINE, WINE_Y)


@pytest.mark.parametrize("selector", [GRRFSelector(**SMALL), GRRFSelectorCV(gammas=2, **SMALL)], ids=str)
def test_weights_that_leave_one_class_are_refused(selector: Any) -> None:
    for y, weight in ((WINE_Y, WINE_Y == 1), (WINE_Y * 1.5, WINE_Y == 1), (CLASSES, np.arange(len(WINE)) == 0)):
        with refused("y", "constant"):
            clone(selector).fit(WINE, y, weight.astype(np.float64))


def test_a_table_without_columns_is_refused() -> None:
    with refused("X", "empty"):
        GRRFSelector(**SMALL).fit(WINE[[]], WINE_Y)
