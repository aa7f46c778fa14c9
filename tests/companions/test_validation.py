"""rrfcv and tuneRRF."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from pyrrf.companions.validation import _draw_folds, _fifths, _places_in_fives, _sizes
from tests.refusals import refused


@pytest.fixture
def noisy(x: np.ndarray) -> np.ndarray:
    """Classes that no forest tells apart without error."""
    return np.where(x[:, 0] + x[:, 1] + x[:, 2] > 1.5, "high", "low")


# ---- rrfcv: sizes and folds ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("p", "scale", "step", "sizes"),
    [
        (4, "log", 0.5, [4, 2, 1]),
        (5, "log", 0.5, [5, 2, 1]),  # 2.5 is rounded to the even neighbour
        (7, "log", 0.5, [7, 4, 1]),
        (60, "log", 0.5, [60, 30, 15, 8, 4, 1]),
        (2, "log", 0.5, [2, 1]),
        (10, "log", 0.9, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]),
        (100, "log", 0.1, [100, 10, 1]),
        (6, "step", -2, [6, 4, 2]),
        (6, "linear", -1.5, [6, 4.5, 3, 1.5]),
        (3, "linear", -5, [3]),
    ],
)
def test_sizes(p: int, scale: str, step: float, sizes: list[float]) -> None:
    assert _sizes(p, scale, step).tolist() == sizes


def test_folds_are_stratified() -> None:
    pyrrf.set_seed(1)
    y = pd.Categorical(np.repeat(["a", "b"], [23, 12]))
    codes = y.codes
    fold = _draw_folds(codes, 5)
    for code, size in ((0, 23), (1, 12)):
        counts = np.bincount(fold[codes == code], minlength=6)[1:]
        assert counts.sum() == size
        assert counts.max() - counts.min() <= 1
    assert not np.array_equal(fold[:5], [1, 2, 3, 4, 5])


def test_folds_may_be_empty(x: np.ndarray) -> None:
    pyrrf.set_seed(1)
    fold = _draw_folds(_fifths(x[:12, 0]), 5)
    assert set(fold.tolist()) == {1, 2, 3}
    cv = pyrrf.rrfcv(x[:12], x[:12, 0], ntree=5, seed=1)
    assert cv.predicted.notna().all(axis=None)


def test_rows_that_are_all_in_one_fold(x: np.ndarray) -> None:
    with refused("trainy", "rows"):
        pyrrf.rrfcv(x[:5], x[:5, 0], ntree=5)


@pytest.mark.filterwarnings("ignore:y has a largest absolute value")
def test_errors_beyond_the_largest_double_are_infinite(x: np.ndarray) -> None:
    assert (pyrrf.rrfcv(x, x[:, 0] * 1e200, ntree=3, cv_fold=2, seed=1).error_cv == np.inf).all()


def test_folds_of_numbers_are_stratified_by_fifths() -> None:
    pyrrf.set_seed(1)
    values = pyrrf.runif(50)
    fold = _draw_folds(_fifths(values), 5)
    order = np.argsort(values)
    for at in range(5):
        assert sorted(fold[order[at * 10 : at * 10 + 10]]) == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]


# ---- rrfcv: answers ------------------------------------------------------------------------------


def by_hand(
    x: np.ndarray, y: Any, fold: np.ndarray, sizes: list[int], column: int, *, recursive: bool, **more: Any
) -> Any:
    """Predictions of each size, in plain steps; ranks go on from those that are left."""
    out = np.empty((len(sizes), len(y)), dtype=object)
    for i in range(1, fold.max() + 1):
        held, columns = fold == i, np.arange(x.shape[1])
        ranked = columns
        for j, size in enumerate(sizes):
            columns = ranked[:size]
            mtry = max(1, int(size**0.5))
            measured = j == 0 or recursive
            part = x[:, columns]
            fit: Any = pyrrf.RRF(part[~held], y[~held], part[held], y[held], mtry=mtry, importance=measured, **more)
            out[j, held] = fit.test.predicted.to_numpy()
            if measured:
                ranked = columns[np.argsort(-fit.importance.iloc[:, column].to_numpy(), kind="stable")]
    return out


@pytest.mark.parametrize(("quirks", "column"), [(True, 0), (False, -2)])
def test_ranks_of_the_whole_decide(x: np.ndarray, noisy: np.ndarray, quirks: bool, column: int) -> None:
    y = pd.Categorical(noisy)
    arguments: dict[str, Any] = {"ntree": 6, "quirks": quirks, "coefReg": 1}
    cv = pyrrf.rrfcv(x, y, cv_fold=4, seed=3, **arguments)
    pyrrf.set_seed(3)
    fold = _draw_folds(y.codes, 4)
    expected = by_hand(x, y, fold, [5, 2, 1], column, recursive=False, **arguments)
    assert cv.predicted.to_numpy().T.tolist() == expected.tolist()
    assert cv.error_cv.tolist() == [(row != noisy).mean() for row in expected]
    assert cv.n_var.tolist() == cv.error_cv.index.tolist() == cv.predicted.columns.tolist() == [5, 2, 1]


def test_ranks_of_the_part_without_quirks(x: np.ndarray, noisy: np.ndarray) -> None:
    y = pd.Categorical(noisy)
    arguments: dict[str, Any] = {"ntree": 6, "flagReg": 0}
    cv = pyrrf.rrfcv(x, y, 3, "linear", -1, recursive=True, seed=2, quirks=False, **arguments)
    pyrrf.set_seed(2)
    fold = _draw_folds(y.codes, 3)
    expected = by_hand(x, y, fold, [5, 4, 3, 2, 1], -2, recursive=True, quirks=False, **arguments)
    assert cv.predicted.to_numpy().T.tolist() == expected.tolist()
    # CRAN RRF takes the ranks among the part for positions among all.
    other = pyrrf.rrfcv(x, y, 3, "linear", -1, recursive=True, seed=2, **arguments)
    assert other.predicted.to_numpy().T.tolist() != expected.tolist()


def test_numbers_and_labels(frame: pd.DataFrame) -> None:
    price = frame["number"] * 3 + frame["count"]
    cv = pyrrf.rrfcv(frame, price, cv_fold=3, ntree=5, seed=1)
    assert cv.predicted.index.tolist() == frame.index.tolist()
    expected = ((cv.predicted.sub(price, axis=0)) ** 2).mean()
    np.testing.assert_allclose(cv.error_cv, expected, rtol=1e-14)  # pandas adds up in another order


def test_mtry_is_a_function_of_the_size(x: np.ndarray, noisy: np.ndarray, sent: dict[str, Any]) -> None:
    seen = []

    def mtry(p: float) -> float:
        seen.append(p)
        return p

    pyrrf.rrfcv(x, noisy, cv_fold=2, mtry=mtry, ntree=3)
    assert seen == [5, 2, 1] * 2
    assert sent["mtry"] == 1


@pytest.mark.parametrize(
    ("arguments", "argument", "code"),
    [
        ({"trainx": np.ones((40, 1))}, "trainx", "shape"),
        ({"trainx": np.ones(40)}, "trainx", "shape"),
        ({"trainy": None}, "trainy", "absent"),
        ({"trainy": ["a", "b"]}, "trainy", "length"),
        ({"cv_fold": 1}, "cv_fold", "range"),
        ({"scale": 2}, "scale", "type"),
        ({"step": 1.5}, "step", "range"),
        ({"step": 1e-320}, "step", "range"),
        ({"mtry": 0}, "mtry", "type"),
        ({"step": 0.1}, "step", "range"),
        ({"scale": "linear", "step": 1}, "step", "range"),
        ({"recursive": 2}, "recursive", "type"),
        ({"importance": True}, "importance", "keyword"),
        ({"ntrees": 5}, "ntrees", "keyword"),
    ],
)
def test_rrfcv_errors(x: np.ndarray, y: np.ndarray, arguments: dict[str, Any], argument: str, code: str) -> None:
    with refused(argument, code):
        pyrrf.rrfcv(**{"trainx": x, "trainy": y, "ntree": 2, **arguments})


def test_fifths_need_distinct_values(x: np.ndarray) -> None:
    with refused("trainy", "levels"):
        pyrrf.rrfcv(x, np.repeat([0.0, 1.0], [30, 10]), ntree=2)


# ---- tuneRRF -------------------------------------------------------------------------------------


def test_search_is_printed_as_r_does(x: np.ndarray, noisy: np.ndarray, capsys: Any) -> None:
    tried = pyrrf.tuneRRF(x, noisy, ntreeTry=5, plot=False, seed=1)
    lines = capsys.readouterr().out.splitlines()
    errors = dict(zip(tried["mtry"], tried["OOBError"], strict=True))
    assert lines[0] == f"mtry = 2  OOB error = {round(100 * errors[2], 2):g}% "
    assert lines[1] == "Searching left ..."
    assert lines[2] == f"mtry = 1 \tOOB error = {round(100 * errors[1], 2):g}% "
    assert lines[3] == f"{1 - errors[1] / errors[2]:.7g} 0.05 "
    assert "Searching right ..." in lines
    assert tried.index.tolist() == tried["mtry"].tolist() == sorted(errors)


def test_each_forest_is_a_fit_on_the_stream(x: np.ndarray, noisy: np.ndarray, capsys: Any) -> None:
    tried = pyrrf.tuneRRF(x, noisy, mtryStart=5, ntreeTry=6, stepFactor=10, plot=False, seed=1, coefReg=1)
    pyrrf.set_seed(1)
    fits: Any = [pyrrf.RRF(x, noisy, ntree=6, mtry=m, coefReg=1) for m in (5, 1)]
    assert tried["OOBError"].tolist() == [fits[1].err_rate.iloc[-1, 0], fits[0].err_rate.iloc[-1, 0]]


def test_an_error_that_is_unknown_prints_as_in_r(capsys: pytest.CaptureFixture[str]) -> None:
    pyrrf.set_seed(6)
    pyrrf.tuneRRF(np.array([[0.0], [1.0]]), ["yes", "no"], ntreeTry=1, plot=False)
    assert "OOB error = NaN% " in capsys.readouterr().out


def test_improvements_are_always_printed_as_in_r(x: np.ndarray, noisy: np.ndarray, capsys: Any) -> None:
    pyrrf.tuneRRF(x, noisy, ntreeTry=5, trace=False, plot=False)
    lines = capsys.readouterr().out.splitlines()
    assert lines
    assert all(line.endswith(" 0.05 ") for line in lines)
    pyrrf.tuneRRF(x, noisy, ntreeTry=5, trace=False, plot=False, quirks=False)
    assert capsys.readouterr().out == ""


def test_best_forest(x: np.ndarray, noisy: np.ndarray, capsys: Any) -> None:
    fit = pyrrf.tuneRRF(x, noisy, ntreeTry=5, plot=False, doBest=True, seed=1)
    tried = pyrrf.tuneRRF(x, noisy, ntreeTry=5, plot=False, seed=1)
    again = pyrrf.RRF(x, noisy, mtry=tried["mtry"].iloc[int(np.argmin(tried["OOBError"]))])
    assert fit == again
    assert fit.ntree == 500


def test_regression_starts_at_a_third(x: np.ndarray, capsys: Any) -> None:
    tried = pyrrf.tuneRRF(x, x[:, 0] * 2 + x[:, 1], ntreeTry=5, plot=False, seed=1)
    first = capsys.readouterr().out.splitlines()[0]
    assert first == f"mtry = 1  OOB error = {tried['OOBError'].iloc[0]:.7g} "


def test_error_of_zero(capsys: Any) -> None:
    easy, classes = np.repeat([[0.0] * 3, [1.0] * 3], 20, axis=0), np.repeat(["a", "b"], 20)
    with refused(None, "undefined"):
        pyrrf.tuneRRF(easy, classes, plot=False)
    with refused(None, "undefined"):
        pyrrf.tuneRF(easy, classes, plot=False)
    tried = pyrrf.tuneRRF(easy, classes, plot=False, quirks=False)
    assert tried["OOBError"].tolist() == [0, 0]


def test_error_of_no_row() -> None:
    # R: if (errorOld < 0) of randomForest's tuneRF; RRF's tuneRRF goes on.
    with refused("ntreeTry", "range"):
        pyrrf.tuneRF([[0.0], [1.0]], ["a", "b"], ntreeTry=1, plot=False, trace=False, seed=838375)


def test_error_that_rises_from_zero(capsys: Any) -> None:
    # Three columns tell the classes apart only together with the first: with one candidate trees can miss it.
    easy = np.column_stack([np.repeat([0.0, 1.0], 20), np.tile([0.0, 1.0], 20), np.tile([1.0, 0.0, 2.0, 3.0], 10)])
    pyrrf.tuneRRF(easy, np.repeat(["a", "b"], 20), mtryStart=3, ntreeTry=1, plot=False, seed=1, coefReg=1, maxnodes=2)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "mtry = 3  OOB error = 0% "
    assert "-Inf 0.05 " in lines


@pytest.mark.parametrize(
    ("arguments", "argument", "code"),
    [
        ({"improve": -0.1}, "improve", "range"),
        ({"stepFactor": -0.5}, "stepFactor", "range"),
        ({"ntreeTry": 0}, "ntreeTry", "range"),
        ({"mtryStart": "two"}, "mtryStart", "type"),
        ({"trace": "yes"}, "trace", "type"),
        ({"plot": 3}, "plot", "type"),
        ({"doBest": None}, "doBest", "type"),
        ({"x": np.ones(40)}, "x", "shape"),
        ({"y": None}, "y", "absent"),
        ({"y": ["a", "b"]}, "y", "length"),
        ({"ntree": 5}, "ntree", "keyword"),
        ({"mtry": 5}, "mtry", "keyword"),
        ({"dobest": True}, "dobest", "keyword"),
        ({"seed": "a"}, "seed", "type"),
    ],
)
def test_tune_errors(x: np.ndarray, y: np.ndarray, arguments: dict[str, Any], argument: str, code: str) -> None:
    with refused(argument, code):
        pyrrf.tuneRRF(**{"x": x, "y": y, "plot": False, **arguments})


def test_rows_are_counted_off_by_their_rank() -> None:
    assert _places_in_fives(np.array([3.0, 1.0, 2.0, 2.0, 9.0, 8.0])).tolist() == [3, 0, 1, 2, 0, 4]
