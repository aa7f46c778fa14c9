"""Test sets of engine parallel, and the companions on its fits."""

from __future__ import annotations

import tracemalloc
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

import pyrrf
from pyrrf.fit.test_proximity import proximity_to_all
from tests.parallel.problems import KINDS, data, fit

mpl.use("Agg")

# ---- test sets -----------------------------------------------------------------------------------


def running(individual: np.ndarray, observed: np.ndarray, kind: str) -> list[float]:
    """Error after each tree, written out."""
    errors = []
    for k in range(1, individual.shape[1] + 1):
        part = individual[:, :k]
        if kind == "numbers":
            errors.append(float(np.mean((observed - part.astype(float).mean(axis=1)) ** 2)))
        else:
            high = (part == "high").sum(axis=1)
            wrong = np.where(2 * high == k, np.nan, (2 * high > k) != (observed == "high"))
            errors.append(np.nan if np.isnan(wrong).any() else float(np.mean(wrong)))
    return errors


@pytest.mark.parametrize("kind", KINDS)
def test_test_set_is_what_predict_says(kind: str) -> None:
    x, y = data(kind)
    new, truth = data(kind, n=50, seed=5)
    result = fit(x, y, xtest=new, ytest=truth, keep_forest=True, n_jobs=2)
    prediction = pyrrf.predict(result, new, predict_all=True)
    assert result.test.predicted.tolist() == prediction.predicted.tolist()
    individual = prediction.individual.to_numpy()
    expected = running(individual, truth, kind)
    if kind == "numbers":
        np.testing.assert_allclose(result.test.mse, expected)
        np.testing.assert_allclose(result.test.rsq, 1 - result.test.mse / np.var(truth))
        return
    found = result.test.err_rate["Test"].to_numpy()
    clear = ~np.isnan(expected)
    assert clear.sum() > 5
    np.testing.assert_allclose(found[clear], np.asarray(expected)[clear])
    assert found[-1] == np.mean(prediction.predicted.to_numpy() != truth)
    votes = pyrrf.predict(result, new, type="prob")
    np.testing.assert_array_equal(result.test.votes, votes)
    assert result.test.confusion.to_numpy()[:, :2].sum() == 50
    assert fit(x, y, xtest=new, ytest=truth, keep_forest=True, n_jobs=1) == result


@pytest.mark.parametrize("kind", KINDS)
def test_test_set_without_responses(kind: str) -> None:
    x, y = data(kind)
    result = fit(x, y, xtest=data(kind, n=50, seed=5)[0])
    errors = result.test.mse if kind == "numbers" else result.test.err_rate
    assert errors is None
    assert len(result.test.predicted) == 50
    assert result.forest is None


@pytest.mark.parametrize("kind", KINDS)
def test_proximities_of_the_test_set(kind: str) -> None:
    x, y = data(kind)
    new = data(kind, n=50, seed=5)[0]
    result = fit(x, y, xtest=new, proximity=True, keep_forest=True)
    leaves = [pyrrf.predict(result, rows, nodes=True).nodes.to_numpy() for rows in (new, x)]
    everyone = np.vstack(leaves)
    np.testing.assert_allclose(result.test.proximity, (leaves[0][:, np.newaxis] == everyone).mean(axis=2))


def test_unsupervised_test_set() -> None:
    x, _ = data("classes")
    result = fit(x, None, xtest=x[:9], ytest=["1"] * 9)
    assert result.test.proximity.shape == (9, 129)
    np.testing.assert_allclose(result.test.proximity.to_numpy()[:, :9], result.test.proximity.to_numpy()[:, 9:18])
    assert result.test.err_rate.shape == (25, 3)
    assert result.forest is None


@pytest.mark.parametrize("kind", KINDS)
def test_each_line_of_test_errors_is_that_of_the_trees_so_far(kind: str) -> None:
    """Ties of running votes are those of `predict`."""
    x, y = data(kind)
    new, truth = data(kind, n=300, seed=5)
    told = {"xtest": new, "ytest": truth, "mtry": 1}
    whole = fit(x, y, **told, ntree=6)
    for ntree in range(1, 7):
        part = fit(x, y, **told, ntree=ntree, keep_forest=True)
        found = pyrrf.predict(part, new)
        np.testing.assert_array_equal(found, part.test.predicted)
        if kind == "numbers":
            assert whole.test.mse.iloc[ntree - 1] == pytest.approx(np.mean((np.asarray(found) - truth) ** 2))
        else:
            assert whole.test.err_rate.iloc[ntree - 1, 0] == pytest.approx(np.mean(np.asarray(found) != truth))


@pytest.mark.parametrize("kind", KINDS)
def test_n_jobs_do_not_change_a_test_set(kind: str) -> None:
    x, y = data(kind, p=30)
    new, truth = data(kind, n=300, p=30, seed=5)
    results = [fit(x, y, xtest=new, ytest=truth, coefReg=1.0, n_jobs=n_jobs).test for n_jobs in (1, 2, 5)]
    errors = [result.mse if kind == "numbers" else result.err_rate for result in results]
    for result, error in zip(results[1:], errors[1:], strict=True):
        np.testing.assert_array_equal(result.predicted, results[0].predicted)
        np.testing.assert_array_equal(error, errors[0])


@pytest.mark.parametrize("kind", KINDS)
def test_do_trace_shows_the_test_set(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    x, y = data(kind)
    result = fit(x, y, xtest=x, ytest=y, ntree=4, do_trace=2)
    lines = capsys.readouterr().out.splitlines()
    assert "Test" in lines[0]
    last = result.test.mse.iloc[3] if kind == "numbers" else 100 * result.test.err_rate.iloc[3, 0]
    shown = lines[-1].split("|")[2 if kind == "numbers" else 1].replace("%", " ").split()[0]
    assert float(shown) == pytest.approx(last, rel=1e-2, abs=0.006)


@pytest.mark.parametrize("kind", KINDS)
def test_a_test_set_takes_little_memory(kind: str) -> None:
    """Of the rows a few arrays, whatever the number of trees: one array of rows by trees is 16 megabytes."""
    x, y = data(kind, n=40)
    new, truth = data(kind, n=20_000, seed=5)
    pyrrf.RRF(x, y, engine="parallel", ntree=2, seed=1, xtest=new, ytest=truth)
    tracemalloc.start()
    pyrrf.RRF(x, y, engine="parallel", ntree=100, seed=1, xtest=new, ytest=truth)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 6e6


def test_proximity_to_all_by_hand() -> None:
    assert proximity_to_all(np.array([[3, 5]]), np.array([[3, 4], [3, 5], [2, 2]])).tolist() == [[1.0, 0.5, 1.0, 0.0]]
    assert proximity_to_all(np.array([[1], [2]]), np.array([[2]])).tolist() == [[1, 0, 0], [0, 1, 1]]


# ---- grow and combine ----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_grow_goes_on_with_the_feature_set(kind: str) -> None:
    x, y = data(kind, p=30)
    result = fit(x, y, coefReg=0.5)
    pyrrf.set_seed(8)
    grown = pyrrf.grow(result, 40)
    pyrrf.set_seed(8)
    new = fit(x, y, coefReg=0.5, ntree=40, seed=None, feaIni=result.feaSet)
    assert grown == pyrrf.combine(result, new)
    assert grown.engine == "parallel"
    assert grown.forest.ntree == 65
    assert grown.feaSet.tolist() == new.feaSet.tolist()
    assert set(result.feaSet) <= set(grown.feaSet)


@pytest.mark.parametrize("kind", KINDS)
def test_combined_trees_predict_as_they_did(kind: str) -> None:
    x, y = data(kind)
    fits = [fit(x, y, seed=s) for s in (1, 2)]
    both = pyrrf.combine(*fits)
    new = data(kind, seed=5)[0]
    parts = [pyrrf.predict(f, new, predict_all=True).individual.to_numpy() for f in fits]
    found = pyrrf.predict(both, new, predict_all=True).individual.to_numpy()
    np.testing.assert_array_equal(found, np.hstack(parts))
    assert both.outcome.oob_times.tolist() == sum(f.outcome.oob_times for f in fits).tolist()
    if kind == "classes":
        counts = sum(pyrrf.predict(f, new, type="vote", norm_votes=False).to_numpy() for f in fits)
        np.testing.assert_array_equal(pyrrf.predict(both, new, type="vote", norm_votes=False), counts)


# ---- what fits tell ------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_trees(kind: str) -> None:
    x, y = data(kind)
    result = fit(x, y)
    tree = pyrrf.getTree(result, 3, labelVar=True)
    assert pyrrf.treesize(result)[2] == (tree["left daughter"] == 0).sum()
    assert set(tree["split var"].dropna()) <= set(result.feature_names)
    assert pyrrf.varUsed(result).sum() == (pyrrf.treesize(result, terminal=False) - pyrrf.treesize(result)).sum()
    assert result.forest.nodestatus.shape == (pyrrf.treesize(result, terminal=False).max(), 25)


def test_margin_and_plot() -> None:
    x, y = data("classes")
    result = fit(x, y)
    margins = pyrrf.margin(result)
    assert ((margins > 0).to_numpy() == (result.predicted.to_numpy() == y))[margins != 0].all()
    assert len(pyrrf.plot(result).axes.lines) == 3
    assert len(pyrrf.varImpPlot(result).data) == 8
    assert len(pyrrf.plot(fit(*data("numbers"))).axes.lines) == 1


def test_proximity_companions() -> None:
    x, y = data("classes")
    result = fit(x, y, proximity=True)
    assert pyrrf.outlier(result).shape == (120,)
    assert pyrrf.MDSplot(result, y).points.shape == (120, 2)
    assert pyrrf.classCenter(x, y, result.proximity).shape == (2, 8)


@pytest.mark.parametrize("kind", KINDS)
def test_partial_dependence(kind: str) -> None:
    x, y = data(kind)
    result = fit(x, y, ntree=60)
    curve = pyrrf.partialPlot(result, x, 0, which_class="high" if kind == "classes" else None)
    assert curve.y[-1] > curve.y[0]
    assert np.ptp(curve.y) > 0


@pytest.mark.filterwarnings("ignore:column 'f' of x has 60 categories")
@pytest.mark.parametrize("levels", [5, 60])
def test_partial_dependence_with_holes_and_levels(levels: int) -> None:
    generator = np.random.default_rng(4)
    codes = generator.integers(0, levels, 400)
    x = pd.DataFrame(
        {"f": pd.Categorical.from_codes(codes, [f"v{i:02d}" for i in range(levels)]), "u": generator.random(400)}
    )
    x.loc[::9, "u"] = np.nan
    result = fit(x, codes + generator.random(400), ntree=50)
    curve = pyrrf.partialPlot(result, x, "f")
    assert np.corrcoef(curve.y, np.arange(levels))[0, 1] > 0.9


# ---- functions that fit forests --------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_rrfcv(kind: str) -> None:
    x, y = data(kind)
    found = pyrrf.rrfcv(x, y, cv_fold=3, seed=1, engine="parallel", n_jobs=2, ntree=20)
    again = pyrrf.rrfcv(x, y, cv_fold=3, seed=1, engine="parallel", n_jobs=1, ntree=20)
    assert found.error_cv.equals(again.error_cv)
    assert found.error_cv.iloc[0] < (0.4 if kind == "classes" else np.var(y))


def test_tune_rrf() -> None:
    x, y = data("classes")
    table = pyrrf.tuneRRF(x, y, ntreeTry=20, trace=False, plot=False, seed=1, engine="parallel", n_jobs=2)
    assert len(table) >= 2


def test_rrf_impute(capsys: pytest.CaptureFixture[str]) -> None:
    x, y = data("classes")
    x[::7, 0] = np.nan
    full = pyrrf.rrfImpute(x, y, iter=1, ntree=20, seed=1, engine="parallel", n_jobs=2)
    assert np.isfinite(full).all()
    assert capsys.readouterr().out.count("ntree") == 1


def test_formula() -> None:
    x, y = data("numbers", p=3)
    table = pd.DataFrame(x, columns=list("abc")).assign(y=y)
    result: Any = fit("y ~ .", table, n_jobs=2)
    np.testing.assert_array_equal(pyrrf.predict(result, table, n_jobs=2), pyrrf.predict(fit(x, y), x))
    assert pyrrf.grow(result, 5).forest.ntree == 30
