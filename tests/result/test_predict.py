"""predict(): types of answer, matching of columns and levels with R's traps, errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csc_array

import pyrrf
from tests.refusals import refused


@pytest.fixture
def fit(x: np.ndarray, y: np.ndarray) -> pyrrf.RRFClassification:
    fit = pyrrf.RRF(x, y, ntree=20, seed=1)
    assert isinstance(fit, pyrrf.RRFClassification)
    return fit


def test_response_is_the_class_with_most_votes(fit: pyrrf.RRFClassification, x: np.ndarray) -> None:
    predicted = pyrrf.predict(fit, x)
    votes = pyrrf.predict(fit, x, type="vote")
    assert predicted.cat.categories.tolist() == ["high", "low"]
    clear = votes.max(axis=1) > 0.5
    assert (predicted[clear].astype(str) == votes.idxmax(axis=1)[clear]).all()


@pytest.mark.parametrize(
    ("type_", "norm_votes", "total"), [("prob", True, 1), ("prob", False, 1), ("vote", True, 1), ("vote", False, 20)]
)
def test_votes_sum_to(fit: pyrrf.RRFClassification, x: np.ndarray, type_: str, norm_votes: bool, total: int) -> None:
    votes = pyrrf.predict(fit, x, type=type_, norm_votes=norm_votes)
    assert votes.columns.tolist() == ["high", "low"]
    np.testing.assert_allclose(votes.sum(axis=1), total)


@pytest.mark.parametrize(
    ("short", "full"), [("r", "response"), ("class", "response"), ("p", "prob"), ("V", "vote"), ("RESP", "response")]
)
def test_type_can_be_abbreviated(fit: pyrrf.RRFClassification, x: np.ndarray, short: str, full: str) -> None:
    one, two = pyrrf.predict(fit, x, type=short), pyrrf.predict(fit, x, type=full)
    assert one.equals(two)


def test_all_parts(fit: pyrrf.RRFClassification, x: np.ndarray) -> None:
    answer = pyrrf.predict(fit, x[:6], predict_all=True, proximity=True, nodes=True)
    assert isinstance(answer, pyrrf.Prediction)
    assert answer.aggregate is answer.predicted
    assert answer.pred is answer.predicted
    counts = (answer.individual == "high").sum(axis=1)
    votes = pyrrf.predict(fit, x[:6], type="vote", norm_votes=False)
    np.testing.assert_array_equal(counts, votes["high"])
    shared = [(answer.nodes.loc[0] == answer.nodes.loc[i]).mean() for i in range(6)]
    np.testing.assert_allclose(answer.proximity.loc[0], shared)
    assert answer.nodes.columns.tolist() == list(range(1, 21))


def test_nodes_are_leaves(fit: pyrrf.RRFClassification, x: np.ndarray) -> None:
    nodes = pyrrf.predict(fit, x, nodes=True).nodes
    for k in (1, 20):
        tree = pyrrf.getTree(fit, k)
        assert (tree.loc[nodes[k], "status"] == -1).all()


def test_parts_not_asked_for_are_none(fit: pyrrf.RRFClassification, x: np.ndarray) -> None:
    answer = pyrrf.predict(fit, x[:2], proximity=True)
    assert (answer.individual, answer.nodes) == (None, None)


@pytest.fixture
def noise() -> np.ndarray:
    """Classes that do not depend on x, so that trees disagree."""
    return np.resize(["high", "low"], 40)


@pytest.fixture
def new() -> np.ndarray:
    return np.random.default_rng(0).random((200, 5))


def test_largest_ratio_of_votes_to_cutoff_wins(x: np.ndarray, noise: np.ndarray, new: np.ndarray) -> None:
    fit = pyrrf.RRF(x, noise, ntree=20, seed=1)
    ratio = pyrrf.predict(fit, new, type="vote") / [0.33, 0.67]
    shifted = pyrrf.predict(fit, new, cutoff={"low": 0.67, "high": 0.33})
    assert (shifted.astype(str) == ratio.idxmax(axis=1)).all()
    assert (shifted == "high").sum() > (pyrrf.predict(fit, new) == "high").sum()


def test_cutoff_of_the_fit_is_the_default(x: np.ndarray, noise: np.ndarray, new: np.ndarray) -> None:
    fit = pyrrf.RRF(x, noise, ntree=20, cutoff=[0.33, 0.67], seed=1)
    assert pyrrf.predict(fit, new).equals(pyrrf.predict(fit, new, cutoff=[0.33, 0.67]))
    assert not pyrrf.predict(fit, new).equals(pyrrf.predict(fit, new, cutoff=[0.5, 0.5]))


@pytest.mark.parametrize("type_", ["response", "vote"])
def test_without_new_data_the_out_of_bag_answer(fit: pyrrf.RRFClassification, type_: str) -> None:
    assert pyrrf.predict(fit, type=type_).equals(fit.predicted if type_ == "response" else fit.votes)


def test_out_of_bag_votes_are_normalised_on_request(x: np.ndarray, y: np.ndarray) -> None:
    fit = pyrrf.RRF(x, y, ntree=20, norm_votes=False, seed=1)
    assert pyrrf.predict(fit, type="vote", norm_votes=False).equals(fit.votes)
    np.testing.assert_allclose(pyrrf.predict(fit, type="prob").sum(axis=1), 1)


def test_out_of_bag_proximity(x: np.ndarray, y: np.ndarray, fit: pyrrf.RRFClassification) -> None:
    near = pyrrf.RRF(x, y, ntree=5, proximity=True, seed=1)
    assert pyrrf.predict(near, proximity=True).proximity.equals(near.proximity)
    with pytest.warns(UserWarning, match="proximity without newdata needs a fit"):
        assert pyrrf.predict(fit, proximity=True).proximity is None


def test_ties_draw_without_storing(x: np.ndarray, noise: np.ndarray) -> None:
    fit = pyrrf.RRF(x, noise, ntree=2, seed=1)
    votes = pyrrf.predict(fit, x, type="vote", norm_votes=False)
    assert (votes["high"] == 1).any()
    stored, live = pyrrf.random.process_stream().get_state()
    first, second = pyrrf.predict(fit, x), pyrrf.predict(fit, x)
    assert not first.equals(second)
    after_stored, after_live = pyrrf.random.process_stream().get_state()
    np.testing.assert_array_equal(stored, after_stored)
    assert not np.array_equal(live, after_live)


# ---- threads -------------------------------------------------------------------------------------


def on_threads(fit: pyrrf.RRFResult, new: Any, n_jobs: int, **arguments: Any) -> tuple[Any, list[np.ndarray]]:
    """All that predict() says, and the states of the stream after it, its memory ahead of what is stored."""
    pyrrf.set_seed(3)
    pyrrf.random.process_stream().runif(5)
    answer = pyrrf.predict(fit, new, predict_all=True, nodes=True, proximity=True, n_jobs=n_jobs, **arguments)
    return answer, list(pyrrf.random.process_stream().get_state())


def assert_threads_agree(fit: pyrrf.RRFResult, new: Any, **arguments: Any) -> None:
    """One thread is the core's own loop, more are another one; they agree bit by bit."""
    (one, stream), (many, stream_of_many) = (on_threads(fit, new, k, **arguments) for k in (1, 3))
    for part in ("predicted", "individual", "nodes", "proximity"):
        assert getattr(one, part).equals(getattr(many, part)), part
    for before, after in zip(stream, stream_of_many, strict=True):
        np.testing.assert_array_equal(before, after)


CUTOFFS = {
    "equal": None,
    "different": [0.5, 0.25, 0.25],
    "smallest": [0.9, 1e-305, 0.1],
    "all smallest": [1e-310] * 3,
}


@pytest.mark.parametrize("cutoff", CUTOFFS)
@pytest.mark.parametrize("quirks", [True, False])
@pytest.mark.parametrize("ntree", [1, 2, 6, 25])
def test_threads_agree_on_classes(new: np.ndarray, quirks: bool, ntree: int, cutoff: str) -> None:
    generator = np.random.default_rng(1)
    fit = pyrrf.RRF(generator.random((60, 5)), generator.choice(list("abc"), 60), ntree=ntree, seed=1, quirks=quirks)
    limits = CUTOFFS[cutoff]
    for type_ in ("response", "vote"):
        assert_threads_agree(fit, new, type=type_, cutoff=limits)
    votes = pyrrf.predict(fit, new, type="vote", norm_votes=False).to_numpy()
    # Rows with ties are among them.
    assert ntree == 1 or ((votes == votes.max(axis=1, keepdims=True)).sum(axis=1) > 1).any()


@pytest.mark.parametrize("quirks", [True, False])
@pytest.mark.parametrize("corr_bias", [True, False])
def test_threads_agree_on_numbers(new: np.ndarray, quirks: bool, corr_bias: bool) -> None:
    x = np.random.default_rng(2).random((60, 5))
    fit = pyrrf.RRF(x, x[:, 0] * 1e9 + x[:, 1], ntree=25, seed=1, quirks=quirks, corr_bias=corr_bias)
    assert_threads_agree(fit, np.vstack([new] * 15))


def test_threads_agree_on_factors(framed: pyrrf.RRFClassification, frame: pd.DataFrame) -> None:
    assert_threads_agree(framed, frame)
    numbers = pyrrf.RRF(frame, np.arange(40.0), ntree=10, seed=1)
    assert_threads_agree(numbers, frame)


# ---- shapes of new data --------------------------------------------------------------------------


@pytest.mark.parametrize("as_row", [list, np.asarray, pd.Series], ids=["list", "array", "Series"])
def test_one_dimension_is_one_row(fit: pyrrf.RRFClassification, x: np.ndarray, as_row: Any) -> None:
    assert pyrrf.predict(fit, as_row(x[3])).tolist() == pyrrf.predict(fit, x[3:4]).tolist()


@pytest.fixture
def framed(frame: pd.DataFrame, y: np.ndarray) -> pyrrf.RRFClassification:
    """A fit on the frame in which every column matters."""
    noisy = np.where(np.resize([0, 0, 1], 40) == 1, "low", y)
    fit = pyrrf.RRF(frame, noisy, ntree=21, flagReg=0, seed=1)
    assert isinstance(fit, pyrrf.RRFClassification)
    return fit


def votes(fit: pyrrf.RRFResult, newdata: Any) -> list[float]:
    return pyrrf.predict(fit, newdata, type="vote", norm_votes=False).iloc[:, 0].tolist()


def test_columns_are_matched_by_name(framed: pyrrf.RRFClassification, frame: pd.DataFrame) -> None:
    moved = frame.iloc[:, ::-1].assign(extra=np.nan)
    assert votes(framed, moved) == votes(framed, frame)
    assert pyrrf.predict(framed, moved).index.tolist() == frame.index.tolist()


@pytest.mark.parametrize("engine", ["r", "parallel"])
@pytest.mark.parametrize("grow", [pyrrf.RRF, pyrrf.randomForest])
def test_an_array_for_a_frame_goes_by_value(grow: Any, engine: str, frame: pd.DataFrame, y: np.ndarray) -> None:
    numbers = {"colour": frame["colour"].cat.codes, "size": frame["size"].cat.codes * 0.5 - 0.5}
    whole = frame[["number", "flag"]].assign(
        colour=pd.Categorical(numbers["colour"]), size=pd.Categorical(numbers["size"], [0.5, -0.5, 0.0], ordered=True)
    )
    options = {} if grow is pyrrf.randomForest else {"engine": engine}
    fit = grow(whole, y, ntree=21, seed=1, **options)
    expected = votes(fit, whole)
    given = frame[["number", "flag"]].assign(**numbers).to_numpy(dtype=float)
    few = given[given[:, 2] == 1]
    assert votes(fit, given) == expected
    assert votes(fit, few.tolist()) == np.array(expected)[given[:, 2] == 1].tolist()
    assert votes(fit, csc_array(few)) == votes(fit, few)
    assert votes(fit, few[0]) == votes(fit, few)[:1]
    few[0, 2] = 7
    with refused("newdata", "levels"):
        pyrrf.predict(fit, few)


def test_frame_for_an_array_needs_its_labels(fit: pyrrf.RRFClassification, x: np.ndarray) -> None:
    assert votes(fit, pd.DataFrame(x)) == votes(fit, x)
    with refused("newdata", "columns"):
        pyrrf.predict(fit, pd.DataFrame(x, columns=list("abcde")))


def test_of_columns_that_share_a_name_the_first_is_taken_as_in_r(x: np.ndarray, y: np.ndarray) -> None:
    twice = pd.DataFrame(x, columns=["a", "a", "b", "c", "d"])
    with_quirks = pyrrf.RRF(twice, y, ntree=21, flagReg=0, seed=1)
    without = pyrrf.RRF(twice, y, ntree=21, flagReg=0, seed=1, quirks=False)
    assert votes(with_quirks, twice) == votes(with_quirks, x[:, [0, 0, 2, 3, 4]])
    assert votes(without, twice) == votes(without, x)


# ---- factors -------------------------------------------------------------------------------------


def recoloured(frame: pd.DataFrame, levels: list[str], values: Any = None) -> pd.DataFrame:
    values = frame["colour"].astype(str) if values is None else values
    return frame.assign(colour=pd.Categorical(values, levels))


@pytest.mark.parametrize("formula", [False, True])
def test_numbers_for_an_ordered_category_are_codes_as_in_r(formula: bool, frame: pd.DataFrame, y: np.ndarray) -> None:
    sizes = frame[["size", "number"]]
    fit = pyrrf.RRF("y ~ .", sizes.assign(y=y), ntree=9, seed=1) if formula else pyrrf.RRF(sizes, y, ntree=9, seed=1)
    with pytest.warns(UserWarning, match="column 'size' of newdata holds"):
        assert votes(fit, sizes.assign(size=sizes["size"].cat.codes + 1)) == votes(fit, sizes)


def test_two_levels_exchanged_are_put_right(framed: pyrrf.RRFClassification, frame: pd.DataFrame) -> None:
    assert votes(framed, recoloured(frame, ["green", "blue", "red"])) == votes(framed, frame)


def test_three_levels_rotated_are_mixed_up_as_in_r(framed: pyrrf.RRFClassification, frame: pd.DataFrame) -> None:
    with pytest.warns(UserWarning, match="has its levels in another order .* R's"):
        rotated = votes(framed, recoloured(frame, ["green", "red", "blue"]))
    # R's levels(x)[match(levels(x), xlevels)] is red, blue, green here.
    codes = frame["colour"].astype(str).map({"red": "blue", "blue": "green", "green": "red"})
    assert rotated == votes(framed, recoloured(frame, ["blue", "green", "red"], codes))
    assert rotated != votes(framed, frame)


def test_ordered_level_subset_gets_wrong_codes_as_in_r(framed: pyrrf.RRFClassification, frame: pd.DataFrame) -> None:
    subset = pd.Categorical(["L"] * 40, ["M", "L"], ordered=True)
    with pytest.warns(UserWarning, match="column 'size' of newdata has its levels"):
        wrong = votes(framed, frame.assign(size=subset))
    small = pd.Categorical(["S"] * 40, ["S", "M", "L"], ordered=True)
    assert wrong == votes(framed, frame.assign(size=small))


@pytest.fixture
def intended(frame: pd.DataFrame, framed: pyrrf.RRFClassification) -> pyrrf.RRFClassification:
    """The fit as if it was grown with quirks=False."""
    framed.quirks = False
    return framed


@pytest.mark.parametrize("levels", [["green", "red", "blue"], ["green", "blue", "red"]])
def test_levels_are_matched_by_value_without_quirks(
    intended: pyrrf.RRFClassification, frame: pd.DataFrame, levels: list[str]
) -> None:
    assert votes(intended, recoloured(frame, levels)) == votes(intended, frame)


def test_subset_of_levels_and_strings_are_accepted_without_quirks(
    intended: pyrrf.RRFClassification, frame: pd.DataFrame
) -> None:
    expected = votes(intended, frame.assign(colour=pd.Categorical(["red"] * 40, ["blue", "green", "red"])))
    assert votes(intended, recoloured(frame, ["red"], ["red"] * 40)) == expected
    assert votes(intended, frame.assign(colour="red")) == expected


@pytest.fixture
def strings(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.assign(colour=frame["colour"].astype(str))


@pytest.mark.filterwarnings("ignore:string column")
def test_strings_get_codes_of_their_own_as_in_r(strings: pd.DataFrame, y: np.ndarray) -> None:
    noisy = np.where(strings["colour"] == "red", "low", y)
    fit = pyrrf.RRF(strings, noisy, ntree=21, flagReg=0, seed=1)
    with pytest.warns(UserWarning, match="has other values than the training"):
        red = votes(fit, strings.assign(colour="red"))
    with pytest.warns(UserWarning, match="column 'colour' of newdata holds"):
        assert red == votes(fit, strings.assign(colour=np.ones(40)))


@pytest.mark.filterwarnings("ignore:string column")
def test_strings_get_the_training_codes_without_quirks(strings: pd.DataFrame, y: np.ndarray) -> None:
    noisy = np.where(strings["colour"] == "red", "low", y)
    fit = pyrrf.RRF(strings, noisy, ntree=21, flagReg=0, seed=1, quirks=False)
    only = strings[strings["colour"] == "red"]
    assert votes(fit, only) == [v for v, c in zip(votes(fit, strings), strings["colour"], strict=True) if c == "red"]


# ---- errors --------------------------------------------------------------------------------------

NEW: dict[str, tuple[Any, str, str]] = {
    "no rows": (lambda f: f[:0], "newdata", "empty"),
    "missing": (lambda f: f.assign(number=np.nan), "newdata", "missing"),
    "lacks columns": (lambda f: f.drop(columns=["flag", "count"]), "newdata", "columns"),
    "columns of an array": (lambda f: np.zeros((3, 4)), "newdata", "columns"),
    "new level": (lambda f: recoloured(f, ["blue", "green", "pink", "red"]), "newdata", "levels"),
    "fewer levels": (lambda f: recoloured(f, ["green"], ["green"] * 40), "newdata", "levels"),
    "lost ordered level": (
        lambda f: f.assign(size=pd.Categorical(["M"] * 40, ["M", "L"], ordered=True)),
        "newdata",
        "levels",
    ),
    "strings for a factor": (lambda f: f.assign(colour="red"), "newdata", "type"),
    "strings for a number": (lambda f: f.assign(number="1"), "newdata", "type"),
    "number for a factor": (lambda f: f.assign(colour=1), "newdata", "type"),
    "factor for a number": (lambda f: f.assign(number=pd.Categorical(["a"] * 40)), "newdata", "type"),
    "ordered for a factor": (lambda f: f.assign(colour=f["colour"].cat.as_ordered()), "newdata", "type"),
    "factor for an ordered one": (lambda f: f.assign(size=f["size"].cat.as_unordered()), "newdata", "type"),
    "an array for words": (lambda f: np.full((2, 5), 1.0), "newdata", "type"),
}


@pytest.mark.filterwarnings("ignore:string column", "ignore:column 'size' of newdata has its levels")
@pytest.mark.parametrize("name", NEW)
def test_new_data_are_refused(framed: pyrrf.RRFClassification, frame: pd.DataFrame, name: str) -> None:
    change, argument, code = NEW[name]
    with refused(argument, code):
        pyrrf.predict(framed, change(frame))


ARGUMENTS: dict[str, tuple[dict[str, Any], str, str]] = {
    "type": ({"type": "votes"}, ValueError, "type", "choice"),
    "empty type": ({"type": ""}, ValueError, "type", "choice"),
    "type of a wrong type": ({"type": 1}, TypeError, "type", "choice"),
    "nodes": ({"nodes": "x"}, TypeError, "nodes", "type"),
    "cutoff": ({"cutoff": [0.5, 0.6]}, ValueError, "cutoff", "range"),
    "cutoff label": ({"cutoff": {"high": 0.5, "z": 0.5}}, ValueError, "cutoff", "unknown"),
    "unknown": ({"new_data": 1}, TypeError, "new_data", "keyword"),
}


@pytest.mark.parametrize("name", ARGUMENTS)
def test_arguments_are_refused(fit: pyrrf.RRFClassification, x: np.ndarray, name: str) -> None:
    changed, error, argument, code = ARGUMENTS[name]
    with refused(argument, code, error):
        pyrrf.predict(fit, x, **changed)


def test_something_else_than_a_fit() -> None:
    with refused("object", "type"):
        pyrrf.predict("fit", [[1.0]])


def test_fit_without_forest(x: np.ndarray, y: np.ndarray) -> None:
    fit = pyrrf.RRF(x, y, ntree=2, keep_forest=False)
    with refused("object", "fit"):
        pyrrf.predict(fit, x)


# ---- split points beyond the largest double ------------------------------------------------------


HUGE = np.linspace(1.1e308, 1.7e308, 40)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("response", [list("ab" * 20), np.arange(40.0)], ids=["classes", "numbers"])
@pytest.mark.parametrize("more", [{}, {"n_jobs": 2}], ids=str)
def test_an_infinite_split_point_is_refused_as_in_r(response: Any, sign: int, more: Any) -> None:
    table = pd.DataFrame({"small": np.zeros(40), "large": sign * HUGE})
    fit = pyrrf.RRF(table, response, ntree=3, seed=1)
    with refused("object", "scale"):
        pyrrf.predict(fit, table, **more)


def test_an_infinite_split_point_of_engine_parallel_parts_missing_values(y: np.ndarray) -> None:
    table = np.where(y == "high", np.nan, 1.0)[:, np.newaxis]
    fit = pyrrf.RRF(table, y, ntree=3, seed=1, engine="parallel")
    assert fit.forest.overflowed == [0]
    assert pyrrf.predict(fit, table).tolist() == y.tolist()


def test_cutoff_is_checked_where_all_rows_have_missing_values() -> None:
    data = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "y": list("ppqq")})
    fit = pyrrf.RRF("y ~ a", data, ntree=2, seed=1)
    with refused("cutoff", "length"):
        pyrrf.predict(fit, pd.DataFrame({"a": [np.nan]}), cutoff=[0.3, 0.3, 0.3])


def test_nodes_of_rows_that_all_have_missing_values() -> None:
    data = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "y": list("ppqq")})
    fit = pyrrf.RRF("y ~ a", data, ntree=2, seed=1)
    assert pyrrf.predict(fit, pd.DataFrame({"a": [np.nan]}), nodes=True).nodes.shape == (0, 2)


def test_trees_of_a_regression_predict_rows_that_all_have_missing_values() -> None:
    data = pd.DataFrame({"a": np.arange(8.0), "y": np.arange(8.0)})
    fit = pyrrf.RRF("y ~ a", data, ntree=2, seed=1)
    individual = pyrrf.predict(fit, pd.DataFrame({"a": [np.nan]}, index=["n"]), predict_all=True).individual
    assert individual.shape == (1, 2)
    assert individual.index.tolist() == ["n"]
    assert individual.isna().all(axis=None)


def test_printed_share_of_one_test_row_whose_error_is_unknown() -> None:
    y = np.zeros(1)
    with pytest.warns(UserWarning, match="five or fewer"):
        fit = pyrrf.RRF([[1.0]], y, ntree=1, corr_bias=True, xtest=[[1.0]], ytest=[5.0], seed=1)
    assert "Var explained: NA\n" not in f"{fit}\n"


@pytest.mark.parametrize("kind", ["float64", "float32", "rows", "missing", "sparse", "factor", "engine r"])
@pytest.mark.parametrize("numbers", [False, True])
def test_many_rows_are_predicted_as_single_ones(kind: str, numbers: bool) -> None:
    """Many rows go down a tree side by side, in blocks; a few do not."""
    draw = np.random.default_rng(3)
    p = 90 if kind == "sparse" else 150
    x, new = (np.round(draw.standard_normal((n, p)), 1) * (draw.random((n, p)) < 0.3) for n in (400, 2100))
    signal = x[:, :5].sum(axis=1) + draw.standard_normal(400)
    y = signal if numbers else np.where(signal > 0.5, "high", np.where(signal > -0.5, "middle", "low"))
    if kind == "missing":
        x[draw.random(x.shape) < 0.2] = new[draw.random(new.shape) < 0.01] = np.nan
        new[700:1900] = np.nan_to_num(new[700:1900])
    if kind == "factor":
        x[:, 0], new[:, 0] = draw.integers(0, 5, 400), draw.integers(0, 5, 2100)
    new = new.astype("float32") if kind == "float32" else np.asarray(new, order="C" if kind == "rows" else "F")
    cast = {"sparse": csr, "factor": with_factor}.get(kind, np.asarray)
    engine = "r" if kind == "engine r" else "parallel"
    fit = pyrrf.RRF(cast(x), y, ntree=12, seed=1, engine=engine, coefReg=1.0)
    together = pyrrf.predict(fit, cast(new), nodes=True)
    for row in [*range(0, 2100, 97), 2047, 2048, 2098, 2099]:
        alone = pyrrf.predict(fit, cast(new[row : row + 1]), nodes=True)
        assert alone.nodes.to_numpy().tolist() == together.nodes.to_numpy()[[row]].tolist()
        drawn = kind == "engine r" and not numbers  # between classes with equal votes
        assert drawn or list(alone.predicted) == [list(together.predicted)[row]]


def csr(x: np.ndarray) -> Any:
    return pytest.importorskip("scipy.sparse").csr_array(x)


def with_factor(x: np.ndarray) -> pd.DataFrame:
    table = pd.DataFrame(x, columns=[f"x{k}" for k in range(x.shape[1])])
    return table.assign(x0=pd.Categorical(table.x0, categories=range(5)))
