"""Regression: components with their labels, R's printed form, arguments, predictions, errors."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from tests.refusals import refused


@pytest.fixture
def z(x: np.ndarray) -> np.ndarray:
    """A response that depends on the first two columns."""
    return 3 * x[:, 0] + x[:, 1] ** 2


@pytest.fixture
def full(frame: pd.DataFrame, z: np.ndarray) -> pyrrf.RRFRegression:
    """A fit with every component, 15 trees."""
    fit = pyrrf.RRF(
        frame,
        z,
        frame[:6],
        z[:6],
        ntree=15,
        localImp=True,
        proximity=True,
        keep_inbag=True,
        keep_forest=True,
        corr_bias=True,
        seed=1,
    )
    assert isinstance(fit, pyrrf.RRFRegression)
    return fit


# ---- components ----------------------------------------------------------------------------------

ROWS = [f"r{i}" for i in range(40)]
COLUMNS = ["number", "colour", "size", "flag", "count"]
TREES = list(range(1, 16))
SERIES = {"predicted": ROWS, "y": ROWS, "oob_times": ROWS, "mse": TREES, "rsq": TREES, "importanceSD": COLUMNS}
TABLES = {
    "importance": (COLUMNS, ["%IncMSE", "IncNodePurity"]),
    "localImportance": (COLUMNS, ROWS),
    "proximity": (ROWS, ROWS),
    "inbag": (ROWS, TREES),
}


@pytest.mark.parametrize("name", SERIES)
def test_series_carry_r_labels(full: pyrrf.RRFRegression, name: str) -> None:
    assert getattr(full, name).index.tolist() == SERIES[name]


@pytest.mark.parametrize("name", TABLES)
def test_tables_carry_r_labels(full: pyrrf.RRFRegression, name: str) -> None:
    table = getattr(full, name)
    assert (table.index.tolist(), table.columns.tolist()) == TABLES[name]


def test_test_set_carries_r_labels(full: pyrrf.RRFRegression) -> None:
    test = full.test
    assert test.predicted.index.tolist() == ROWS[:6]
    assert (test.mse.index.tolist(), test.rsq.index.tolist()) == (TREES, TREES)
    assert (test.proximity.index.tolist(), test.proximity.columns.tolist()) == (ROWS[:6], ROWS[:6] + ROWS)


def test_errors_follow_from_the_predictions(full: pyrrf.RRFRegression, z: np.ndarray) -> None:
    error = np.mean((z - full.predicted) ** 2)
    np.testing.assert_allclose(full.mse.iloc[-1], error)
    np.testing.assert_allclose(full.rsq.iloc[-1], 1 - error / np.var(z))
    test_error = np.mean((z[:6] - full.test.predicted) ** 2)
    np.testing.assert_allclose(full.test.mse.iloc[-1], test_error)


def test_bias_correction_is_the_least_squares_line(x: np.ndarray, z: np.ndarray) -> None:
    plain = pyrrf.RRF(x, z, ntree=30, seed=1)
    fit = pyrrf.RRF(x, z, ntree=30, corr_bias=True, seed=1)
    slope, intercept = np.polyfit(plain.predicted, z, 1)
    np.testing.assert_allclose(fit.coefs, [intercept, slope])
    np.testing.assert_allclose(fit.predicted, intercept + slope * plain.predicted)
    assert plain.coefs is None


def test_trees_are_r_shaped(full: pyrrf.RRFRegression) -> None:
    forest = full.forest
    leaf, split = forest.nodestatus == -1, forest.nodestatus == -3
    assert (leaf.sum(axis=0) == split.sum(axis=0) + 1).all()
    assert ((forest.leftDaughter > 0) == split).all()
    np.testing.assert_array_equal(forest.rightDaughter[split], forest.leftDaughter[split] + 1)
    assert (forest.nodepred[split] != 0).all()
    assert (forest.nclass, forest.pid, forest.cutoff) == (None, None, None)


def test_components_that_were_not_asked_for_are_none(x: np.ndarray, z: np.ndarray) -> None:
    fit = pyrrf.RRF(x, z, ntree=3, keep_forest=False, seed=1)
    absent = ["importanceSD", "localImportance", "proximity", "inbag", "forest", "test", "ordinary", "coefs"]
    assert [getattr(fit, name) for name in absent] == [None] * len(absent)
    assert fit.importance.columns.tolist() == ["IncNodePurity"]


def test_test_set_without_responses_has_no_errors(x: np.ndarray, z: np.ndarray) -> None:
    test = pyrrf.RRF(x, z, x[:4], ntree=3, seed=1).test
    assert (test.mse, test.rsq, test.proximity) == (None, None, None)
    assert len(test.predicted) == 4


def test_row_that_was_never_out_of_bag_is_missing(x: np.ndarray, z: np.ndarray) -> None:
    fit = pyrrf.RRF(x, z, ntree=1, seed=1)
    never = fit.oob_times == 0
    assert never.any()
    np.testing.assert_array_equal(fit.predicted.isna(), never)


def test_response_of_the_fit_is_its_own(x: np.ndarray, z: np.ndarray) -> None:
    fit = pyrrf.RRF(x, z, ntree=2, seed=1)
    before = fit.y.copy()
    z[:] = 0
    pd.testing.assert_series_equal(fit.y, before)


def test_strided_and_integer_responses_are_read(x: np.ndarray) -> None:
    table = np.column_stack([np.arange(40), np.arange(40)])
    one = pyrrf.RRF(x, table[:, 1], x[:5], table[:5, 1], ntree=3, seed=1)
    two = pyrrf.RRF(x, np.arange(40.0), x[:5], np.arange(5.0), ntree=3, seed=1)
    assert one == two


# ---- pickling, copies, comparison ----------------------------------------------------------------


@pytest.mark.parametrize("copier", [lambda f: pickle.loads(pickle.dumps(f)), copy.copy, copy.deepcopy])
def test_copies_are_equal_and_work(full: pyrrf.RRFRegression, frame: pd.DataFrame, copier: Any) -> None:
    other = copier(full)
    assert other == full
    assert repr(other) == repr(full)
    pd.testing.assert_series_equal(pyrrf.predict(other, frame), pyrrf.predict(full, frame))


@pytest.mark.parametrize("change", [{"ntree": 6}, {"seed": 4}, {"coefReg": 0.7}, {"corr_bias": True}])
def test_other_fits_differ(x: np.ndarray, z: np.ndarray, change: dict[str, Any]) -> None:
    base: dict[str, Any] = {"ntree": 5, "seed": 3}
    assert pyrrf.RRF(x, z, **base) != pyrrf.RRF(x, z, **(base | change))


def test_fits_of_two_types_differ(x: np.ndarray, z: np.ndarray, y: np.ndarray) -> None:
    assert pyrrf.RRF(x, z, ntree=2, seed=1) != pyrrf.RRF(x, y, ntree=2, seed=1)


# ---- printing ------------------------------------------------------------------------------------

# Printed by R 4.2.2 and RRF 1.9.4.1 with X <- matrix(runif(40*5), 40) after set.seed(1) and
# y <- 3 * X[, 1] + X[, 2]^2, but for the third line, which quotes the call.
PRINTED = """
Call:
 RRF(x, y, xtest=xtest, ytest=ytest, ntree=12, do_trace=4, keep_forest=True, corr_bias=True)\x20
               Type of random forest: regression
                     Number of trees: 12
No. of variables tried at each split: 1

          Mean of squared residuals: 0.2440807
                    % Var explained: 68.44
                       Test set MSE: 0.06
                    % Var explained: 93.6
  Bias correction applied:
  Intercept:  -0.8630587\x20
      Slope:  1.386208\x20"""

TRACED = """     |      Out-of-bag   |       Test set    |
Tree |      MSE  %Var(y) |      MSE  %Var(y) |
   4 |   0.4276    55.30 |   0.1393    18.19 |
   8 |   0.3386    43.79 |   0.1273    16.62 |
  12 |   0.2441    31.56 |  0.05731     7.49 |
"""


def test_prints_and_traces_like_r(x: np.ndarray, z: np.ndarray, capsys: pytest.CaptureFixture[str]) -> None:
    fit = pyrrf.RRF(x, z, x[:6], z[:6], ntree=12, corr_bias=True, do_trace=4, keep_forest=True)
    assert capsys.readouterr().out == TRACED
    assert repr(fit) == PRINTED


def test_share_explained_of_one_test_row_is_na(x: np.ndarray, z: np.ndarray) -> None:
    fit = pyrrf.RRF(x, z, x[:1], z[:1], ntree=3, seed=1)
    assert repr(fit).endswith("% Var explained: NA")
    assert fit.test.rsq.isna().all()


# ---- arguments -----------------------------------------------------------------------------------


@pytest.fixture
def call(x: np.ndarray, z: np.ndarray, sent: dict[str, Any]) -> Callable[..., dict[str, Any]]:
    """What the core is given for a call with these arguments."""

    def run(**arguments: Any) -> dict[str, Any]:
        pyrrf.RRF(**({"x": x, "y": z, "ntree": 2, "seed": 1} | arguments))
        return sent

    return run


@pytest.mark.parametrize(("p", "mtry"), [(1, 1), (2, 1), (5, 1), (6, 2), (12, 4)])
def test_default_mtry_is_a_third_of_p(call: Any, p: int, mtry: int) -> None:
    assert call(x=np.random.default_rng(0).random((40, p)))["mtry"] == mtry


@pytest.mark.parametrize(
    ("arguments", "nodesize", "max_nodes"),
    [
        ({}, 5, 81),
        ({"nodesize": 1}, 1, 81),
        ({"nodesize": 6}, 6, 41),
        ({"nodesize": 6.5}, 6, 33),
        ({"nodesize": 0}, 0, 81),
        ({"nodesize": 500}, 500, 1),
        ({"sampsize": 10}, 5, 21),
        ({"sampsize": [1]}, 5, 3),
        ({"replace": False}, 5, 53),
        ({"maxnodes": 4}, 5, 7),
        ({"maxnodes": 1}, 5, 1),
    ],
)
def test_sizes_of_nodes_and_trees(call: Any, arguments: dict[str, Any], nodesize: int, max_nodes: int) -> None:
    sent = call(**arguments)
    assert (sent["nodesize"], sent["max_nodes"]) == (nodesize, max_nodes)


@pytest.mark.parametrize(("given", "used"), [(1, 1), (3, 3), (2.9, 2), (0, 1), (-2, 1)])
def test_permutations_are_cut_off_and_at_least_one(call: Any, given: float, used: int) -> None:
    assert call(nPerm=given)["n_perm"] == used


@pytest.mark.parametrize(("few", "warned"), [(5, True), (6, False)])
def test_few_values_are_doubted(x: np.ndarray, few: int, warned: bool, recwarn: pytest.WarningsRecorder) -> None:
    pyrrf.RRF(x, np.resize(np.arange(float(few)), 40), ntree=1, seed=1)
    assert [str(w.message) for w in recwarn] == [
        "y holds five or fewer different numbers; as in R they mean regression; for classes pass pd.Categorical(y)"
    ] * warned


IGNORED: dict[str, dict[str, Any]] = {
    "strata has no effect in regression": {"strata": np.resize(["a", "b"], 40)},
    "classwt has no effect in regression": {"classwt": [1, 2]},
    "cutoff has no effect in regression": {"cutoff": [0.5, 0.5]},
    "feaIni has no effect in regression, as in R; pass quirks=False": {"feaIni": [4]},
    "coefReg has no effect in regression with flagReg=0, as in R": {"coefReg": 0.1, "flagReg": 0},
}


@pytest.mark.parametrize("message", IGNORED)
def test_ignored_arguments_are_named(x: np.ndarray, z: np.ndarray, message: str) -> None:
    arguments = IGNORED[message]
    with pytest.warns(UserWarning, match=message):
        fit = pyrrf.RRF(x, z, ntree=4, seed=1, **arguments)
    plain = pyrrf.RRF(x, z, ntree=4, seed=1, flagReg=arguments.get("flagReg", 1))
    np.testing.assert_array_equal(fit.mse, plain.mse)


# ---- quirks=False --------------------------------------------------------------------------------


def test_initial_features_count_without_quirks(x: np.ndarray, z: np.ndarray) -> None:
    fit = pyrrf.RRF(x, z, ntree=1, maxnodes=1, feaIni=[4, 2], quirks=False, seed=1)
    assert fit.feaSet.tolist() == [2, 4]


def test_coefficients_weigh_without_regularization_and_without_quirks(x: np.ndarray, z: np.ndarray) -> None:
    coefficients = [0.01, 0.01, 1, 1, 1]
    fit = pyrrf.RRF(x, z, ntree=5, mtry=5, flagReg=0, coefReg=coefficients, quirks=False, seed=1)
    assert set(fit.forest.bestvar[0]) <= {3, 4, 5}


def test_test_set_is_measured_by_its_own_size_without_quirks(x: np.ndarray, z: np.ndarray) -> None:
    one, two = (
        pyrrf.RRF(x, z, x[:6], z[:6], ntree=5, proximity=True, quirks=quirks, seed=1).test for quirks in (True, False)
    )
    variance = z[:6].var(ddof=1)
    np.testing.assert_allclose(one.rsq, 1 - one.mse / (variance * 39 / 40))
    np.testing.assert_allclose(two.rsq, 1 - two.mse / (variance * 5 / 6))
    assert (np.diag(one.proximity), np.diag(two.proximity)) == (pytest.approx(0), pytest.approx(1))


def test_proximity_of_all_rows_is_answered(x: np.ndarray, z: np.ndarray) -> None:
    # R reads an array that it never made, and crashes.
    fit = pyrrf.RRF(x, z, ntree=8, proximity=True, oob_prox=False, seed=1)
    nodes = pyrrf.predict(fit, x, nodes=True).nodes
    shared = [[(nodes.loc[i] == nodes.loc[j]).mean() for j in range(40)] for i in range(40)]
    np.testing.assert_allclose(fit.proximity, shared)


# ---- predictions ---------------------------------------------------------------------------------


def test_prediction_is_the_mean_of_the_trees(x: np.ndarray, z: np.ndarray) -> None:
    fit = pyrrf.RRF(x, z, ntree=9, seed=1)
    answer = pyrrf.predict(fit, x[:7], predict_all=True, nodes=True, proximity=True)
    np.testing.assert_allclose(answer.predicted, answer.individual.mean(axis=1))
    leaves = pyrrf.getTree(fit, 4).loc[answer.nodes[4], "prediction"]
    np.testing.assert_array_equal(answer.individual[4], leaves)
    pd.testing.assert_series_equal(pyrrf.predict(fit, x[:7]), answer.predicted)


def test_bias_correction_applies_to_the_forest_not_to_the_trees(full: pyrrf.RRFRegression, frame: pd.DataFrame) -> None:
    answer = pyrrf.predict(full, frame, predict_all=True)
    corrected = full.coefs[0] + full.coefs[1] * answer.individual.mean(axis=1)
    np.testing.assert_allclose(answer.predicted, corrected)


def test_prediction_draws_nothing(x: np.ndarray, z: np.ndarray) -> None:
    fit = pyrrf.RRF(x, z, ntree=3, seed=1)
    before = pyrrf.random.process_stream().get_state()
    pyrrf.predict(fit, x)
    for old, new in zip(before, pyrrf.random.process_stream().get_state(), strict=True):
        np.testing.assert_array_equal(old, new)


def test_without_new_data_the_answer_is_out_of_bag(full: pyrrf.RRFRegression) -> None:
    pd.testing.assert_series_equal(pyrrf.predict(full), full.predicted)
    pd.testing.assert_series_equal(pyrrf.predict(full, proximity=True), full.predicted)


def test_columns_are_matched_by_name(full: pyrrf.RRFRegression, frame: pd.DataFrame) -> None:
    shuffled = frame[frame.columns[::-1]].assign(extra=1)
    pd.testing.assert_series_equal(pyrrf.predict(full, shuffled), pyrrf.predict(full, frame))


# ---- companions ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "columns"),
    [({}, ["%IncMSE", "IncNodePurity"]), ({"type": 1}, ["%IncMSE"]), ({"type": 2}, ["IncNodePurity"])],
)
def test_importance_columns(full: pyrrf.RRFRegression, arguments: dict[str, Any], columns: list[str]) -> None:
    assert pyrrf.importance(full, **arguments).columns.tolist() == columns


def test_importance_is_divided_by_its_error_where_there_is_one(full: pyrrf.RRFRegression) -> None:
    scaled = pyrrf.importance(full, type=1)["%IncMSE"]
    error = full.importanceSD.where(full.importanceSD > 1e-15, 1.0)
    np.testing.assert_allclose(scaled, full.importance["%IncMSE"] / error)


def test_class_of_importance_is_ignored_as_in_r(full: pyrrf.RRFRegression) -> None:
    pd.testing.assert_frame_equal(pyrrf.importance(full, type=1, class_="a"), pyrrf.importance(full, type=1))


def test_labelled_tree_keeps_its_predictions(full: pyrrf.RRFRegression) -> None:
    plain, labelled = pyrrf.getTree(full, 3), pyrrf.getTree(full, 3, labelVar=True)
    pd.testing.assert_series_equal(plain["prediction"], labelled["prediction"])
    assert set(labelled["split var"].dropna()) <= set(COLUMNS)
    assert plain.loc[1, "prediction"] == full.forest.nodepred[0, 2]


def test_sizes_and_uses(full: pyrrf.RRFRegression) -> None:
    np.testing.assert_array_equal(pyrrf.treesize(full), (full.forest.nodestatus == -1).sum(axis=0))
    assert pyrrf.varUsed(full).sum() == (full.forest.nodestatus == -3).sum()


def test_guided_regression(x: np.ndarray, z: np.ndarray) -> None:
    fit = pyrrf.GRRF(x, z, gamma=0.5, ntree=5, seed=1)
    purity = fit.ordinary.importance["IncNodePurity"].to_numpy()
    np.testing.assert_array_equal(fit.coefReg, 0.5 * 1.0 + 0.5 * (purity / purity.max()))
    assert (fit.type, fit.ordinary.type) == ("regression", "regression")


# ---- errors --------------------------------------------------------------------------------------

# name: (arguments; error; message)
REFUSED: dict[str, tuple[dict[str, Any], str, str]] = {
    "y infinite": ({"y": np.full(40, np.inf)}, "y", "infinite"),
    "sampsize by stratum": ({"sampsize": [5, 5]}, "sampsize", "shape"),
    "sampsize zero": ({"sampsize": 0}, "sampsize", "range"),
    "sampsize above n": ({"sampsize": 41}, "sampsize", "range"),
    "nodesize negative": ({"nodesize": -1}, "nodesize", "range"),
    "nodesize text": ({"nodesize": "x"}, "nodesize", "type"),
    "maxnodes zero": ({"maxnodes": 0}, "maxnodes", "range"),
    "nPerm beyond C": ({"nPerm": 2**31}, "nPerm", "range"),
    "nPerm text": ({"nPerm": "x"}, "nPerm", "type"),
    "ytest classes": ({"xtest": np.zeros((2, 5)), "ytest": ["a", "b"]}, "ytest", "type"),
    "ytest short": ({"xtest": np.zeros((2, 5)), "ytest": [1.0]}, "ytest", "length"),
    "ytest missing": ({"xtest": np.zeros((2, 5)), "ytest": [1.0, np.nan]}, "ytest", "missing"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_rrf_refuses(x: np.ndarray, z: np.ndarray, name: str) -> None:
    changed, argument, code = REFUSED[name]
    before = pyrrf.random.process_stream().get_state()
    with refused(argument, code):
        pyrrf.RRF(**({"x": x, "y": z, "ntree": 2} | changed))
    for old, new in zip(before, pyrrf.random.process_stream().get_state(), strict=True):
        np.testing.assert_array_equal(old, new)


PREDICT_REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "prob": ({"type": "prob"}, "type", "choice"),
    "vote": ({"type": "vote"}, "type", "choice"),
    "cutoff": ({"cutoff": [0.5, 0.5]}, "cutoff", "conflict"),
    "columns": ({"newdata": [[1.0, 2.0]]}, "newdata", "columns"),
}


@pytest.mark.parametrize("name", PREDICT_REFUSED)
def test_predict_refuses(x: np.ndarray, z: np.ndarray, name: str) -> None:
    fit = pyrrf.RRF(x, z, ntree=2, seed=1)
    changed, argument, code = PREDICT_REFUSED[name]
    with refused(argument, code):
        pyrrf.predict(fit, **({"newdata": x} | changed))


def test_companions_refuse(x: np.ndarray, z: np.ndarray) -> None:
    fit = pyrrf.RRF(x, z, ntree=2, quirks=False, seed=1)
    with refused("x", "fit", TypeError):
        pyrrf.margin(fit)
    with refused("x", "fit"):
        pyrrf.importance(fit, type=1)
    with refused("class_", "fit"):
        pyrrf.importance(fit, class_="a")
