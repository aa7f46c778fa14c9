"""The comparators beside answers found in another way."""

from __future__ import annotations

import shutil

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB

from benchmarks.jobs import r
from benchmarks.jobs.helper import Helper
from benchmarks.jobs.r import has_package
from benchmarks.papers import comparators as methods
from benchmarks.papers import weka

needs_weka = pytest.mark.skipif(weka.weka_jar() is None, reason="Weka and Java are not here")


needs_glmnet = pytest.mark.skipif(not has_package("glmnet"), reason="R's glmnet is not here")


@pytest.fixture(scope="module")
def factors():
    """Two columns that decide the class together, a copy of the first, noise; some values missing."""
    draw = np.random.default_rng(3)
    a, b, noise = draw.integers(3, size=90), draw.integers(2, size=90), draw.integers(4, size=90)
    X = pd.DataFrame({"a": a, "b": b, "copy": a, "noise": noise}).astype(float)
    X.loc[:4, "b"] = np.nan
    X.loc[3:9, "noise"] = np.nan
    return X.astype("category"), pd.Series(np.where(2 * a + b > 2, "high", "low"), dtype="category")


def merit(X: pd.DataFrame, y: pd.Series, subset: list[int]) -> float:
    """Hall's equation: k mean r_cf / sqrt(k + k (k - 1) mean r_ff)."""
    codes = [X.iloc[:, j].cat.codes.to_numpy() for j in range(X.shape[1])]
    to_class = sum(methods.symmetrical_uncertainty(codes[j], y.cat.codes.to_numpy()) for j in subset)
    pairs = sum(methods.symmetrical_uncertainty(codes[i], codes[j]) for i in subset for j in subset if i < j)
    return to_class / np.sqrt(len(subset) + 2 * pairs)


@needs_weka
def test_cfs_has_the_best_merit(factors):
    X, y = factors
    subsets = [[j for j in range(4) if bits >> j & 1] for bits in range(1, 16)]
    best = max(subsets, key=lambda subset: merit(X, y, subset))
    weka.running().load(methods.table(X, y))
    without_local = "weka.attributeSelection.CfsSubsetEval -L"
    assert weka.running().select(without_local, "weka.attributeSelection.BestFirst").tolist() == best == [0]
    # By default Weka then adds what knows more of the class than of any column selected: here b.
    assert methods.cfs(X, y).tolist() == [0, 1]


@needs_weka
def test_cfs_searches_only_columns_that_tell():
    X, y = load_wine(return_X_y=True)
    X = np.column_stack([np.random.default_rng(1).standard_normal((len(y), 20)), X])
    weka.running().load(methods.table(X, y))
    cuts = weka.running().cut_points()
    assert 10 < sum(len(cut) == 0 for cut in cuts) < 21
    every = weka.running().select("weka.attributeSelection.CfsSubsetEval", "weka.attributeSelection.BestFirst")
    np.testing.assert_array_equal(methods.cfs(X, y), np.sort(every))
    assert methods.cfs(X[:, :3], y).tolist() == [0]  # none tells anything: Weka takes the first


def test_symmetrical_uncertainty_by_hand():
    # H(a) = H(b) = 1; the four pairs (0,0) (0,0) (1,1) (1,0) ... : I = .3113, H(b) = .8113
    a, b = np.array([0, 0, 1, 1]), np.array([0, 0, 1, 0])
    assert methods.symmetrical_uncertainty(a, b) == pytest.approx(2 * 0.311278 / (1 + 0.811278), abs=1e-6)
    assert methods.symmetrical_uncertainty(a, a) == 1
    assert methods.symmetrical_uncertainty(a, np.zeros(4, int)) == 0


@needs_weka
def test_symmetrical_uncertainty_is_wekas_with_missing_values(factors):
    X, y = factors
    weka.running().load(methods.table(X, y))
    theirs = weka.running().evaluate("weka.attributeSelection.SymmetricalUncertAttributeEval")
    ours = [methods.symmetrical_uncertainty(X[name].cat.codes.to_numpy(), y.cat.codes.to_numpy()) for name in X]
    np.testing.assert_allclose(ours, theirs, rtol=1e-12)


def test_fcbf_by_hand():
    # The class is 2a + b. SU with it: a 2/3, its copy 2/3, b 2/3; with each other a and its copy 1, a and b 0.
    a, b = np.repeat([0, 0, 1, 1], 2), np.repeat([0, 1, 0, 1], 2)
    constant = np.zeros(8, int)
    codes = np.column_stack([constant, a, a, b])
    assert methods.fcbf_of_codes(codes, 2 * a + b).tolist() == [1, 3]
    assert methods.fcbf_of_codes(codes[:, [0, 0]], 2 * a + b).tolist() == [0]  # all useless: the first stays


@needs_weka
def test_cuts_and_uncertainties_of_numbers_are_wekas():
    X, y = load_wine(return_X_y=True)
    X[::7, 3] = np.nan
    weka.running().load(methods.table(X, y))
    theirs = weka.running().evaluate("weka.attributeSelection.SymmetricalUncertAttributeEval")
    cuts = weka.running().cut_points()
    ours = [methods.symmetrical_uncertainty(methods._cut(pd.Series(X[:, j]), cuts[j]), y) for j in range(13)]
    np.testing.assert_allclose(ours, theirs, rtol=1e-12)


@needs_weka
def test_fcbf_keeps_no_column_that_a_better_one_covers():
    X, y = load_breast_cancer(return_X_y=True)
    kept = methods.fcbf(X, y)
    assert 2 < len(kept) < 15
    best = np.argmax(weka.running().evaluate("weka.attributeSelection.SymmetricalUncertAttributeEval"))
    assert best in kept


@needs_weka
def test_classifiers_of_weka_are_what_they_say():
    X, y = load_iris(return_X_y=True)
    train, test, y_train, y_test = train_test_split(X, y, random_state=1)
    every, two = methods.predict(methods.NAIVE_BAYES, (train, y_train), (test, y_test), [None, [2, 3]])
    ours = GaussianNB().fit(train, y_train).score(test, y_test)
    assert every.mean() == pytest.approx(ours, abs=1.01 / len(test))
    assert two.mean() > 0.9
    (tree,) = methods.predict(methods.J48, (train, y_train), (test, y_test))
    assert tree.mean() > 0.9
    with pytest.raises(RuntimeError, match="Weka failed"):
        weka.running().predict("weka.classifiers.trees.Unknown")


@needs_weka
def test_c45_takes_the_first_of_equal_columns_in_the_order_asked_for():
    # Both columns part the training rows in the same way; the test row is of two minds.
    X, y = np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 1.0], [1.0, 1.0]] * 3), np.array(["a", "a", "b", "b"] * 3)
    of_two_minds = (np.array([[0.0, 1.0]]), np.array(["a"]))
    asked = methods.predict(methods.J48, (X, y), of_two_minds, [[0, 1], [1, 0]])
    assert [right.tolist() for right in asked] == [[True], [False]]


@needs_weka
def test_svm_ranking_of_weka_takes_the_plane_that_made_the_labels():
    draw = np.random.default_rng(1)
    X = draw.standard_normal((200, 6))
    ranking = methods.svm_ranking(X, 3 * X[:, 4] + 1.5 * X[:, 1] > 0)
    assert ranking[:2].tolist() == [4, 1]
    assert sorted(ranking) == list(range(6))


def test_svm_rfe_takes_the_plane_that_made_the_labels():
    draw = np.random.default_rng(1)
    X = draw.standard_normal((120, 40))
    y = np.where(3 * X[:, 4] + 3 * X[:, 31] > 0, "yes", "no")
    kept = methods.svm_rfe(X, y, 1)
    assert {4, 31} <= set(kept)
    assert len(kept) < 10
    np.testing.assert_array_equal(kept, methods.svm_rfe(X, y, 1))


def test_sizes_fall_by_a_fifth():
    assert methods._falling_sizes(20, 0.2, last=2) == [20, 16, 13, 10, 8, 6, 5, 4, 3, 2]
    assert methods._falling_sizes(3, 0.01, last=1) == [3, 2, 1]


@needs_glmnet
def test_lasso_is_the_minimum_of_its_function():
    # scikit-learn minimises the same function with C = 1 / (n lambda): of two classes only their difference is free.
    X, y = load_breast_cancer(return_X_y=True)
    X = (X - X.mean(0)) / X.std(0)
    kept = methods.lasso(X, y, 1)
    supports = []
    for value in methods.LASSO_LAMBDAS:
        fit = LogisticRegression(l1_ratio=1, C=1 / (len(y) * value), solver="saga", tol=1e-7, max_iter=20_000).fit(X, y)
        supports.append(np.flatnonzero(fit.coef_[0]).tolist())
    assert kept.tolist() in supports


@needs_glmnet
def test_lasso_orders_columns_class_by_class():
    # The class that is coded first is told by column 3 alone, and glmnet's classes are sorted by their labels.
    draw = np.random.default_rng(3)
    y = np.repeat(["a", "b", "c"], 30)
    X = draw.standard_normal((90, 4))
    X[y == "a", 3] += 1
    X[y == "b", 0] += 1
    kept = methods.lasso(X, y, 1).tolist()
    assert kept.index(3) < kept.index(0)


@needs_glmnet
def test_lasso_says_why_it_failed():
    with pytest.raises(RuntimeError, match="glmnet failed"):
        methods.lasso(np.zeros((6, 3)), np.array(list("aaabbb")))


def test_varselrf_finds_the_columns_that_count():
    draw = np.random.default_rng(2)
    X = draw.standard_normal((80, 30))
    y = np.where(X[:, 7] + X[:, 21] > 0, "up", "down")
    kept = methods.varselrf(X, y, 1, ntree=300, ntree_iterations=300)
    assert {7, 21} <= set(kept)
    assert len(kept) <= 6


def test_varselrf_follows_its_rule(monkeypatch):
    # 5 columns, sizes 5, 4, 3, 2 with errors .1, .08, .11, .2 on 100 rows: .08 + .0271 leaves 5 and 4, and 3 with .107.
    answers = iter([0.1, 0.08, 0.107, 0.2])
    monkeypatch.setattr(methods, "_out_of_bag_error", lambda fit: next(answers))
    monkeypatch.setattr(methods, "_permutation_importance", lambda fit: np.array([0, 5, 1, 4, 3]))
    X = np.random.default_rng(1).standard_normal((100, 5))
    assert methods.varselrf(X, np.arange(100) % 2, ntree=2, ntree_iterations=2).tolist() == [1, 3, 4]


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not here")
def test_a_script_of_r_is_given_rows_labels_and_fields(tmp_path):
    script = tmp_path / "sums.R"
    script.write_text('select <- function(x, y, times) paste(sum(x[y == "a", 2]) * as.numeric(times), nrow(x), y[3])')
    x, y = np.arange(6.0).reshape(3, 2), np.array(["a", "b", "a"])
    assert r.select(script, x, y, 10) == "60 3 a"
    with pytest.raises(RuntimeError, match="sums failed: unused argument"):
        r.select(script, x, y, 10, 11)
    r._running(script).close()


def test_a_helper_that_ends_is_not_a_task_that_failed():
    helper = Helper("sh", ["sh", "-c", "read task; printf 'error\\tno such task\\n'; read task"])
    with pytest.raises(RuntimeError, match="sh failed: no such task"):
        helper.ask("a")
    with pytest.raises(ChildProcessError, match="sh has ended"):
        helper.ask("b")
    helper.close()
