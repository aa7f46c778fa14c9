"""Unsupervised mode: components, R's lazily evaluated defaults, synthetic rows, errors."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from tests.refusals import refused

QUIRK = "every synthetic row copies the first row of x, as in R; pass quirks=False"


def mirrored(*args: Any, **named: Any) -> pyrrf.RRFUnsupervised:
    """A fit with CRAN RRF's synthetic rows."""
    with pytest.warns(UserWarning, match=QUIRK):
        fit = pyrrf.RRF(*args, **named)
    assert isinstance(fit, pyrrf.RRFUnsupervised)
    return fit


def test_components_are_r_components(frame: pd.DataFrame) -> None:
    fit = mirrored(frame, ntree=12, importance=True, keep_inbag=True, seed=1)
    assert [getattr(fit, name) for name in ("predicted", "err_rate", "confusion", "y", "forest", "test")] == [None] * 6
    rows = [f"r{i}" for i in range(40)]
    assert (fit.type, fit.classes) == ("unsupervised", ["1", "2"])
    assert (fit.votes.index.tolist(), fit.votes.columns.tolist()) == (rows, ["1", "2"])
    assert fit.importance.columns.tolist() == ["1", "2", "MeanDecreaseAccuracy", "MeanDecreaseGini"]
    assert fit.importanceSD.columns.tolist() == ["1", "2", "MeanDecreaseAccuracy"]
    assert fit.proximity.index.tolist() == fit.proximity.columns.tolist() == rows
    assert fit.inbag.shape == (40, 12)
    np.testing.assert_array_equal(fit.oob_times, (fit.inbag == 0).sum(axis=1))


def test_votes_are_counts_on_request(x: np.ndarray) -> None:
    fit = mirrored(x, ntree=7, norm_votes=False, seed=1)
    np.testing.assert_array_equal(fit.votes.sum(axis=1), fit.oob_times)


@pytest.mark.parametrize(
    ("arguments", "sent_size", "max_nodes"),
    [({}, 80, 161), ({"replace": False}, 51, 103), ({"sampsize": 30}, 30, 61), ({"nodesize": 4}, 80, 41)],
)
def test_bag_is_drawn_from_both_halves(
    x: np.ndarray, sent: dict[str, Any], arguments: dict[str, Any], sent_size: int, max_nodes: int
) -> None:
    mirrored(x, ntree=2, seed=1, **arguments)
    assert sent["sampsize"].tolist() == [sent_size]
    assert sent["max_nodes"] == max_nodes
    assert (sent["mtry"], sent["nodesize"]) == (2, arguments.get("nodesize", 1))
    assert sent["synthetic"]
    np.testing.assert_array_equal(sent["values"], np.vstack([x, x]))
    np.testing.assert_array_equal(sent["response"], np.repeat([0, 1], 40))


@pytest.mark.parametrize(
    ("arguments", "proximity", "oob", "forest"),
    [
        ({}, True, True, False),
        ({"proximity": False}, False, False, False),
        ({"oob_prox": False}, True, False, False),
        ({"keep_forest": True}, True, True, True),
    ],
)
def test_proximity_by_default_and_no_forest(
    x: np.ndarray, sent: dict[str, Any], arguments: dict[str, Any], proximity: bool, oob: bool, forest: bool
) -> None:
    mirrored(x, ntree=2, seed=1, **arguments)
    assert (sent["proximity"], sent["oob_proximity"], sent["keep_forest"]) == (proximity, oob, forest)


def test_synthetic_rows_of_the_product_of_margins_find_dependence() -> None:
    pyrrf.set_seed(1)
    first = pyrrf.rnorm(150)
    x = np.column_stack([first, first + 0.05 * pyrrf.rnorm(150)])
    fit = pyrrf.RRF(x, ntree=60, quirks=False)
    votes = pyrrf.predict(pyrrf.RRF(x, ntree=60, quirks=False, keep_forest=True), type="prob")
    assert (votes["1"] > 0.5).mean() > 0.8
    assert fit.type == "unsupervised"


def test_prints_like_r(x: np.ndarray) -> None:
    assert f"{mirrored(x, ntree=3)}\n" == (
        "\nCall:\n RRF(x, ntree=3) \n"
        "               Type of random forest: unsupervised\n"
        "                     Number of trees: 3\n"
        "No. of variables tried at each split: 2\n\n"
    )


def test_pickle_is_equal(x: np.ndarray) -> None:
    fit = mirrored(x, ntree=3, keep_forest=True, seed=1)
    assert pickle.loads(pickle.dumps(fit)) == fit
    assert fit != pyrrf.RRF(x, ntree=3, keep_forest=True, seed=1, quirks=False)


def test_test_set_is_judged(x: np.ndarray) -> None:
    fit = mirrored(x, None, x[:6], list("121212"), ntree=5, proximity=False, seed=1)
    assert fit.test.predicted.cat.categories.tolist() == ["1", "2"]
    assert fit.test.err_rate.columns.tolist() == ["Test", "1", "2"]
    assert fit.test.confusion[["1", "2"]].to_numpy().sum() == 6


@pytest.mark.parametrize("arguments", [{"localImp": True}, {"xtest": np.zeros((3, 5))}])
def test_what_crashes_r_is_answered_without_quirks(x: np.ndarray, arguments: dict[str, Any]) -> None:
    fit = pyrrf.RRF(x, ntree=4, quirks=False, seed=1, **arguments)
    if "localImp" in arguments:
        assert fit.localImportance.shape == (5, 40)
    else:
        np.testing.assert_array_equal(np.diag(fit.test.proximity), 1.0)
        assert fit.test.proximity.shape == (3, 43)


def test_out_of_bag_answers(x: np.ndarray) -> None:
    fit = mirrored(x, ntree=6, keep_forest=True, seed=1)
    assert pyrrf.predict(fit) is None
    assert pyrrf.predict(fit, type="prob").equals(fit.votes)
    assert pyrrf.predict(fit, type="prob", proximity=True).proximity is fit.proximity


def test_companions_work(x: np.ndarray) -> None:
    fit = mirrored(x, ntree=4, keep_forest=True, importance=True, seed=1)
    assert pyrrf.importance(fit, type=1, class_="2").columns.tolist() == ["2"]
    assert pyrrf.getTree(fit, 2, labelVar=True)["prediction"].isin([0, 1, 2]).all()
    assert len(pyrrf.treesize(fit)) == 4
    with refused("x", "fit", TypeError):
        pyrrf.margin(fit)


def test_guided_mode_works(x: np.ndarray) -> None:
    fit = pyrrf.GRRF(x, None, ntree=3, quirks=False, seed=1)
    assert (fit.type, fit.ordinary.type) == ("unsupervised", "unsupervised")


def test_strata_are_named_as_ignored(x: np.ndarray) -> None:
    with pytest.warns(UserWarning, match="strata has no effect in unsupervised"):
        pyrrf.RRF(x, ntree=2, strata=np.resize(["a", "b"], 40), quirks=False, seed=1)


# name: (arguments; message)
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "localImp": ({"localImp": True}, "localImp", "unsupported"),
    "xtest": ({"xtest": np.zeros((2, 5))}, "xtest", "unsupported"),
    "sampsize by class": ({"sampsize": [5, 5]}, "sampsize", "shape"),
    "sampsize above 2n": ({"sampsize": 81}, "sampsize", "range"),
    "sampsize one": ({"sampsize": 1}, "sampsize", "range"),
    "classwt": ({"classwt": [1, 2, 3]}, "classwt", "length"),
    "classwt labels": ({"classwt": {"a": 1, "b": 2}}, "classwt", "unknown"),
    "cutoff": ({"cutoff": [0.6, 0.6]}, "cutoff", "range"),
    "ytest alone": ({"ytest": ["1"] * 40}, "ytest", "conflict"),
    "ytest labels": ({"xtest": np.zeros((2, 5)), "ytest": ["a", "b"], "proximity": False}, "ytest", "levels"),
    "constant": ({"x": np.ones((40, 2))}, "x", "constant"),
    "one row": ({"x": np.ones((1, 2))}, "x", "constant"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_rrf_refuses(x: np.ndarray, name: str) -> None:
    changed, argument, code = REFUSED[name]
    before = pyrrf.random.process_stream().get_state()
    with refused(argument, code):
        pyrrf.RRF(**({"x": x, "ntree": 2} | changed))
    for old, new in zip(before, pyrrf.random.process_stream().get_state(), strict=True):
        np.testing.assert_array_equal(old, new)


def test_predict_refuses(x: np.ndarray) -> None:
    fit = mirrored(x, ntree=2, keep_forest=True, seed=1)
    with refused("object", "fit"):
        pyrrf.predict(fit, x)
    bare = mirrored(x, ntree=2, seed=1)
    with refused("object", "fit"):
        pyrrf.predict(bare)
