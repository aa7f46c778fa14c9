"""What results answer to names of other packages: fits predict; for the others the error says what to write."""

from __future__ import annotations

import copy
import inspect
import pickle
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import matplotlib.pyplot
import numpy as np
import pandas as pd
import pytest
import sklearn.base
import sklearn.metrics
from sklearn.utils.validation import check_is_fitted

import pyrrf
import pyrrf.sklearn
from pyrrf.result.remedies import REMEDIES, Answering

SETTINGS = {"ntree": 15, "importance": True, "proximity": True, "seed": 1}
X = pd.DataFrame(np.random.default_rng(36).normal(size=(60, 4)), columns=list("abcd"))
CLASSES = pd.Series(np.where(X["a"] + X["b"] > 0, "high", "low"))
NUMBERS = X["a"] - X["b"]
FITS = {
    "RRF": pyrrf.RRF(X, CLASSES, **SETTINGS),
    "GRRF": pyrrf.GRRF(X, CLASSES, **SETTINGS),
    "numbers": pyrrf.RRF(X, NUMBERS, **SETTINGS),
    "randomForest": pyrrf.randomForest(X, CLASSES, **SETTINGS),
    "numbers of randomForest": pyrrf.randomForest(X, NUMBERS, **SETTINGS),
    "parallel": pyrrf.RRF(X, CLASSES, engine="parallel", **SETTINGS),
}


@pytest.fixture(scope="module")
def scope(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the remedies name, for classes."""
    fit, path = FITS["RRF"], tmp_path_factory.mktemp("files") / "written"
    return {
        "pyrrf": pyrrf, "matplotlib": matplotlib, "fit": fit, "other": fit, "X": X, "y": CLASSES,
        "path": path, "cv": pyrrf.rrfcv(X, CLASSES, ntree=5), "answer": fit.predict(X, nodes=True),
        "curve": pyrrf.partialPlot(fit, X, "a"), "scaling": pyrrf.MDSplot(fit, CLASSES), "chart": pyrrf.plot(fit),
    }  # fmt: skip


# The objects of the classes in the table, by the name that the remedies give them.
OWNERS = {
    "ForestResult": "fit", "RRFResult": "fit", "ClassificationResult": "fit", "RegressionResult": "fit",
    "Prediction": "answer", "CrossValidation": "cv", "RRFPath": "path", "PartialDependence": "curve",
    "Scaling": "scaling", "Chart": "chart",
}  # fmt: skip


@pytest.mark.parametrize(("owner", "name"), [(owner, name) for owner in REMEDIES for name in REMEDIES[owner]])
def test_each_remedy_is_named_and_runs(owner: str, name: str, scope: dict[str, Any]) -> None:
    if owner == "RegressionResult":
        scope = scope | {"fit": FITS["numbers"], "y": NUMBERS}
    if owner == "RRFPath":
        scope = scope | {"path": pyrrf.rrf_path(X, CLASSES, gammas=[0, 0.5], ntree=5)}
    asked, remedy = scope[OWNERS[owner]], REMEDIES[owner][name]
    with pytest.raises(AttributeError) as caught:
        getattr(asked, name)
    assert f"{type(asked).__name__} has no attribute {name!r}; " in str(caught.value)
    assert f"write {remedy}" in str(caught.value)
    eval(remedy, dict(scope))  # it raises where the remedy is none


@pytest.mark.parametrize("name", FITS)
def test_predict_of_a_fit_is_that_of_the_package(name: str) -> None:
    fit = FITS[name]
    kinds = ["response"] if fit.type == "regression" else ["response", "prob", "vote"]
    for kind in kinds:
        pyrrf.set_seed(3)
        expected = pyrrf.predict(fit, X.head(9), kind)
        pyrrf.set_seed(3)
        assert fit.predict(X.head(9), kind).equals(expected)
        assert fit.predict(type=kind).equals(pyrrf.predict(fit, type=kind))
    assert fit.predict(X, nodes=True, n_jobs=2).nodes.equals(pyrrf.predict(fit, X, nodes=True).nodes)
    with pytest.raises(TypeError, match=r"no argument 'nodez'.*'nodes'"):
        fit.predict(X, nodez=True)
    names = list(inspect.signature(pyrrf.predict).parameters)
    assert list(inspect.signature(type(fit).predict).parameters) == names


def test_predict_of_a_fit_that_was_stored_or_read(tmp_path: Path) -> None:
    fit = FITS["RRF"]
    pyrrf.write_rds(fit, tmp_path / "fit.rds")
    for other in (pyrrf.read_rds(tmp_path / "fit.rds"), pickle.loads(pickle.dumps(fit)), copy.deepcopy(fit)):
        assert other.predict(X, "prob").equals(fit.predict(X, "prob"))


@pytest.mark.parametrize(
    ("name", "meant"), [("err", "err_rate"), ("oob", "oob_times"), ("norm", "norm_votes"), ("feature", "feature_names")]
)
def test_a_dot_of_r_is_an_underscore(name: str, meant: str) -> None:
    with pytest.raises(AttributeError, match=f"a dot of R is an underscore here: {meant}$"):
        getattr(FITS["RRF"], name)


@pytest.mark.parametrize("fit", FITS.values(), ids=FITS)
def test_no_fit_passes_for_an_estimator(fit: Any) -> None:
    foreign = {name for names in REMEDIES.values() for name in names}
    assert [name for name in foreign if hasattr(fit, name)] == []
    assert foreign.isdisjoint(dir(fit))
    assert not hasattr(fit, "_ipython_canary_method_should_not_exist_")
    assert not hasattr(fit, "__sklearn_tags__")
    assert not hasattr(fit, "__array__")
    with pytest.raises(TypeError, match="Cannot clone"):
        sklearn.base.clone(fit)
    with pytest.raises(TypeError, match="not an estimator"):
        check_is_fitted(fit)


def test_other_names_have_the_error_of_python() -> None:
    with pytest.raises(AttributeError, match=r"^'RRFClassification' object has no attribute 'votez'$") as caught:
        FITS["RRF"].votez  # type: ignore[attr-defined]  # noqa: B018
    # From these Python finds the nearest name.
    assert (caught.value.name, caught.value.obj) == ("votez", FITS["RRF"])


def test_an_error_inside_a_component_is_shown() -> None:
    damaged = copy.copy(FITS["RRF"])
    damaged.outcome = SimpleNamespace()  # type: ignore[assignment]
    with pytest.raises(AttributeError, match=r"SimpleNamespace.* no attribute 'votes'"):
        damaged.votes  # noqa: B018


@pytest.mark.parametrize("name", ["score", "oob", "feature"])
def test_an_error_inside_a_property_is_shown(name: str) -> None:
    # Of a name with a remedy, of the beginning of others, and of one with neither.
    damaged = copy.copy(FITS["RRF"])
    damaged.__class__ = type("Damaged", (type(damaged),), {name: property(lambda fit: fit.ntree.inner)})
    with pytest.raises(AttributeError, match="'int' object has no attribute 'inner'"):
        getattr(damaged, name)


def test_the_score_is_that_of_scikit_learn() -> None:
    fit, text = FITS["numbers"], REMEDIES["RegressionResult"]["score"]
    found = eval(text, {"fit": fit, "X": X, "y": NUMBERS})
    assert found == pytest.approx(sklearn.metrics.r2_score(NUMBERS, fit.predict(X)), rel=1e-12)


def test_remedies_say_what_to_import() -> None:
    path = pyrrf.rrf_path(X, CLASSES, gammas=[0.5], ntree=5)
    with pytest.raises(AttributeError, match=r"import pyrrf\.sklearn, and write pyrrf\.sklearn\.PathDisplay"):
        path.plot  # type: ignore[attr-defined]  # noqa: B018
    with pytest.raises(AttributeError, match=r"no attribute 'margin'$"):
        FITS["numbers"].margin  # type: ignore[attr-defined]  # noqa: B018


def test_an_object_without_parts_can_be_asked() -> None:
    empty = object.__new__(type(FITS["RRF"]))
    assert not hasattr(empty, "outcome")
    with pytest.raises(AttributeError, match=r"write pyrrf\.plot\(fit\)"):
        empty.plot  # type: ignore[attr-defined]  # noqa: B018


def test_the_table_names_classes_that_there_are() -> None:
    for name in REMEDIES:
        assert issubclass(getattr(pyrrf, name), Answering)
