"""Sparse matrices of scipy: the fit is that of the dense matrix, bit by bit, and no dense matrix is made."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from pyrrf.data.predictors import Predictors, read_predictors
from pyrrf.fit.call import Call
from pyrrf.fit.fitting import SharedData
from pyrrf.result.record import equal_parts
from tests.refusals import refused

scipy_sparse = pytest.importorskip("scipy.sparse")

N, P = 150, 30


def table(seed: int = 0, n: int = N, p: int = P, share: float = 0.15) -> np.ndarray:
    """Counts and numbers of both signs among zeros; the first column is full and the last one empty."""
    draw = np.random.default_rng(seed)
    values = np.where(np.arange(p) % 2, draw.integers(1, 4, (n, p)), np.round(draw.standard_normal((n, p)), 1))
    x = np.where(draw.random((n, p)) < share, values, 0.0)
    x[:, 0], x[:, -1] = values[:, 0], 0
    return x


def responses(x: np.ndarray) -> dict[str, np.ndarray]:
    signal = x[:, 0] + x[:, 1:6].sum(axis=1) + 0.3 * np.random.default_rng(1).standard_normal(len(x))
    return {"classes": np.where(signal > np.median(signal), "high", "low"), "numbers": signal}


X = table()
Y = responses(X)
FORMATS = ["csc_array", "csr_array", "coo_array", "csc_matrix", "csr_matrix", "lil_array"]


def assert_same(one: Any, other: Any) -> None:
    assert equal_parts(one.outcome, other.outcome)
    assert one == other


def fit(x: Any, y: Any, **arguments: Any) -> Any:
    return pyrrf.RRF(x, y, **({"ntree": 12, "seed": 3, "engine": "parallel"} | arguments))


@pytest.fixture
def never_dense(monkeypatch: pytest.MonkeyPatch) -> None:
    """No format can be made dense."""
    for name in FORMATS:
        for method in ("toarray", "todense"):
            monkeypatch.setattr(getattr(scipy_sparse, name), method, None)


@pytest.mark.usefixtures("never_dense")
@pytest.mark.parametrize("made", FORMATS)
@pytest.mark.parametrize(("engine", "kind"), [("parallel", "classes"), ("parallel", "numbers"), ("r", "classes")])
def test_the_fit_is_that_of_the_dense_matrix(engine: str, kind: str, made: str) -> None:
    sparse = getattr(scipy_sparse, made)(X)
    for n_jobs in (1, 3):
        wanted = {"engine": engine, "importance": True, "proximity": True, "n_jobs": n_jobs}
        assert_same(fit(sparse, Y[kind], **wanted), fit(X, Y[kind], **wanted))


@pytest.mark.parametrize(
    "arguments",
    [
        {"sample_weight": np.linspace(0, 2, N)},
        {"criterion": "entropy"},
        {"candidates": "mtry", "feature_groups": np.arange(P) // 3},
        {"classwt": [1, 3.3]},
        {"classwt": [1, 3.3], "engine": "r"},
        {"flagReg": 0, "engine": "r"},
    ],
    ids=lambda arguments: "-".join(arguments),
)
def test_other_ways_of_counting(arguments: dict[str, Any]) -> None:
    assert_same(fit(scipy_sparse.csc_array(X), Y["classes"], **arguments), fit(X, Y["classes"], **arguments))


@pytest.mark.parametrize("n", [40, 128, 129, 400])
@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_short_and_long_columns(kind: str, n: int) -> None:
    x = table(seed=n, n=n)
    y = responses(x)[kind]
    assert_same(fit(scipy_sparse.csr_array(x), y), fit(x, y))


@pytest.mark.parametrize("n", [60, 200])
@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_missing_numbers_are_stored(kind: str, n: int) -> None:
    x = table(seed=2, n=n)
    y = responses(x)[kind]
    x[np.random.default_rng(5).random(x.shape) < 0.1] = np.nan
    grown, expected = fit(scipy_sparse.csc_array(x), y), fit(x, y)
    assert_same(grown, expected)
    new = np.where(table(seed=9) == 1, np.nan, table(seed=9))
    pd.testing.assert_series_equal(pyrrf.predict(grown, scipy_sparse.csr_array(new)), pyrrf.predict(expected, new))


def test_guided_forest() -> None:
    one, other = (
        pyrrf.GRRF(x, Y["classes"], ntree=12, seed=3, engine="parallel") for x in (scipy_sparse.csc_array(X), X)
    )
    assert_same(one, other)
    assert one.ordinary == other.ordinary


@pytest.mark.parametrize(("engine", "kind"), [("parallel", "classes"), ("parallel", "numbers"), ("r", "classes")])
def test_test_set(engine: str, kind: str) -> None:
    test = table(seed=7, n=50)
    wanted = {"ytest": responses(test)[kind], "engine": engine, "keep_forest": True}
    expected = fit(X, Y[kind], xtest=test, **wanted)
    for x, xtest in ((X, "csr_array"), (scipy_sparse.csc_array(X), "csc_array")):
        assert_same(fit(x, Y[kind], xtest=getattr(scipy_sparse, xtest)(test), **wanted), expected)


@pytest.mark.usefixtures("never_dense")
@pytest.mark.parametrize("kind", ["classes", "numbers"])
@pytest.mark.parametrize("trained", ["dense", "sparse"])
def test_prediction_of_new_data(trained: str, kind: str) -> None:
    grown = fit(X if trained == "dense" else scipy_sparse.csr_array(X), Y[kind])
    new = table(seed=4, n=70)
    for made in FORMATS:
        answer = pyrrf.predict(grown, getattr(scipy_sparse, made)(new), predict_all=True, nodes=True, n_jobs=2)
        expected = pyrrf.predict(grown, new, predict_all=True, nodes=True)
        pd.testing.assert_series_equal(answer.predicted, expected.predicted)
        pd.testing.assert_frame_equal(answer.nodes, expected.nodes)


def test_prediction_by_a_fit_of_engine_r() -> None:
    grown, new = fit(X, Y["numbers"], engine="r"), table(seed=4, n=70)
    answer = pyrrf.predict(grown, scipy_sparse.csr_array(new))
    pd.testing.assert_series_equal(answer, pyrrf.predict(grown, new))


def test_new_data_of_a_forest_that_knows_factors() -> None:
    """Codes have to be looked at, so that the new data are made dense."""
    frame = pd.DataFrame(X[:, :3], columns=list("abc")).assign(f=pd.Categorical(np.resize([1, 2, 3], N)))
    grown = fit(frame, Y["classes"])
    new = np.column_stack([table(seed=4)[:, :3], np.resize([1.0, 3.0], N)])
    pd.testing.assert_series_equal(pyrrf.predict(grown, scipy_sparse.csr_array(new)), pyrrf.predict(grown, new))


@pytest.mark.parametrize("dtype", [np.int64, np.int8, np.uint16, np.float32, bool])
def test_types_of_numbers(dtype: Any) -> None:
    x = (X > 0.5).astype(dtype)
    assert_same(fit(scipy_sparse.csr_array(x), Y["classes"]), fit(x.astype(float), Y["classes"]))


def test_zeros_that_are_stored() -> None:
    stored = scipy_sparse.csc_array(X)
    stored.data[::3] = 0.0
    stored.data[1::3] = -0.0
    assert_same(fit(stored, Y["classes"]), fit(stored.toarray(), Y["classes"]))


def test_parts_of_a_value_are_added_and_the_matrix_stays_as_it_is() -> None:
    rows, columns = np.nonzero(X)
    order = np.random.default_rng(0).permutation(2 * len(rows))
    twice = np.r_[X[rows, columns] - 2.0, np.full(len(rows), 2.0)][order]
    parts = scipy_sparse.coo_array((twice, (np.r_[rows, rows][order], np.r_[columns, columns][order])), shape=X.shape)
    assert_same(fit(parts, Y["classes"]), fit(parts.toarray(), Y["classes"]))
    mixed = scipy_sparse.csc_array(X)
    mixed.indices[:2], mixed.data[:2] = mixed.indices[1::-1].copy(), mixed.data[1::-1].copy()
    mixed.has_sorted_indices = mixed.has_canonical_format = False
    before = mixed.indices.copy()
    assert_same(fit(mixed, Y["classes"]), fit(X, Y["classes"]))
    np.testing.assert_array_equal(mixed.indices, before)


def test_parts_of_the_rows_and_columns() -> None:
    table = read_predictors(scipy_sparse.csr_array(X), "x", parallel=True)
    rows, columns = np.array([5, 3, 3, 100]), np.array([7, 0, 2])
    np.testing.assert_array_equal(table.take(rows).dense, X[rows])
    np.testing.assert_array_equal(table.select(columns).dense, X[:, columns])
    assert isinstance(table, Predictors)


def test_shared_data() -> None:
    call = Call(y=Y["classes"], ntree=8, seed=2, engine="parallel")
    part, expected = (
        SharedData.read(Call(**(vars(call) | {"x": x}))).select(np.arange(0, 20, 2))
        for x in (scipy_sparse.csc_array(X), X)
    )
    pyrrf.set_seed(4)
    one = part.fit(call)
    pyrrf.set_seed(4)
    assert equal_parts(one.outcome, expected.fit(call).outcome)


def with_stored(value: float) -> Any:
    x = scipy_sparse.csc_array(X)
    x.data[-1] = value
    return x


EMPTY = scipy_sparse.csc_array((N, P))
REFUSED: dict[str, tuple[dict[str, Any], str, str]] = {
    "numbers": ({"y": Y["numbers"], "engine": "r"}, "x", "unsupported"),
    "no response": ({"y": None}, "x", "unsupported"),
    "infinite": ({"x": with_stored(np.inf)}, "x", "infinite"),
    "missing": ({"x": with_stored(np.nan), "engine": "r"}, "x", "missing"),
    "nothing": ({"x": EMPTY}, "x", "constant"),
    "constant": ({"x": scipy_sparse.csc_array(np.full((N, 2), 3.0))}, "x", "constant"),
    "no row": ({"x": scipy_sparse.csc_array((0, P))}, "x", "empty"),
    "no column": ({"x": scipy_sparse.csc_array((N, 0))}, "x", "empty"),
    "complex": ({"x": scipy_sparse.csc_array(X * 1j)}, "x", "type"),
    "vector": ({"x": scipy_sparse.coo_array(X[0])}, "x", "shape"),
    "test set": ({"xtest": scipy_sparse.csc_array(X[:, 1:])}, "xtest", "columns"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    changed, argument, code = REFUSED[name]
    with refused(argument, code):
        fit(**({"x": scipy_sparse.csc_array(X), "y": Y["classes"]} | changed))


def test_one_column_that_varies_is_enough() -> None:
    full = np.full((N, 2), 3.0)
    full[0, 1] = 4.0
    assert fit(scipy_sparse.csc_array(full), Y["classes"], maxnodes=2).ntree == 12


def test_words_that_tell_topics_apart() -> None:
    """Counts of words in short texts, as CountVectorizer makes them."""
    draw, n_words = np.random.default_rng(6), 3000
    topics = np.resize(["ships", "trees", "bread"], 120)
    tellers = {"ships": 10, "trees": 700, "bread": 2500}
    texts = [[tellers[topic], tellers[topic], *draw.integers(0, n_words, 25)] for topic in topics]
    words = np.concatenate(texts)
    texts_of_words = np.repeat(np.arange(120), 27)
    counts = scipy_sparse.csr_array((np.ones(len(words)), (texts_of_words, words)), shape=(120, n_words))
    grown = fit(counts, topics, mtry=1000)
    assert set(grown.feaSet) <= set(tellers.values()), "two of them tell three topics apart"
    new = scipy_sparse.csr_array((np.full(3, 2.0), ([0, 1, 2], [10, 700, 2500])), shape=(3, n_words))
    assert pyrrf.predict(grown, new).tolist() == ["ships", "trees", "bread"]
