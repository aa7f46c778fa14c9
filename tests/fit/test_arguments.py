"""What the core is given for each argument: R's defaults and rules."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from pyrrf.fit.sampling import default_size
from tests.refusals import refused

Sent = dict[str, Any]


@pytest.fixture
def call(x: np.ndarray, y: np.ndarray, sent: Sent) -> Any:
    """Fit with some arguments and return what the core was given."""

    def run(**arguments: Any) -> Sent:
        data = {"x": x, "y": y, "ntree": 2, "seed": 1}
        pyrrf.RRF(**(data | arguments))
        return sent

    return run


def test_defaults(call: Any) -> None:
    given = call()
    expected = {
        "mtry": 2,
        "nodesize": 1,
        "max_nodes": 81,
        "replace": True,
        "strata": None,
        "classwt": None,
        "flag_reg": 1,
        "importance": False,
        "local_importance": False,
        "proximity": False,
        "oob_proximity": False,
        "keep_forest": True,
        "keep_inbag": False,
        "quirks": True,
        "trace": 0,
        "test_values": None,
        "test_response": None,
    }
    assert {name: given[name] for name in expected} == expected
    assert given["sampsize"].tolist() == [40]
    assert given["cutoff"].tolist() == [0.5, 0.5]
    assert given["coef_reg"].tolist() == [0.8] * 5
    assert given["used"].tolist() == [0] * 5
    assert given["ncat"].tolist() == [1] * 5


def test_ntree_is_500_by_default(x: np.ndarray, y: np.ndarray) -> None:
    assert pyrrf.RRF(x, y, seed=1).ntree == 500


@pytest.mark.parametrize(("p", "mtry"), [(1, 1), (3, 1), (4, 2), (8, 2), (9, 3)])
def test_default_mtry_is_the_root_of_p(call: Any, p: int, mtry: int) -> None:
    x = np.random.default_rng(0).random((40, p))
    assert call(x=x)["mtry"] == mtry


@pytest.mark.parametrize(("mtry", "used"), [(3, 3), (3.0, 3), (2.5, 2), (3.5, 4), (np.int64(5), 5)])
def test_mtry_is_rounded_half_to_even(call: Any, mtry: float, used: int) -> None:
    assert call(mtry=mtry)["mtry"] == used


@pytest.mark.parametrize(("mtry", "used"), [(0, 1), (-3, 1), (6, 5), (0.4, 1)])
def test_mtry_out_of_range_is_reset_with_a_warning(call: Any, mtry: float, used: int) -> None:
    with pytest.warns(UserWarning, match="invalid mtry: .* reset to within the"):
        assert call(mtry=mtry)["mtry"] == used


@pytest.mark.parametrize(
    ("sampsize", "replace", "size", "max_nodes"),
    [
        (None, True, 40, 81),
        (None, False, 26, 53),
        (10, True, 10, 21),
        ([10], True, 10, 21),
        ({"any": 10}, True, 10, 21),
        (25.28, True, 25, 51),
    ],
    ids=["n", "ceil(.632 n)", "number", "one in a list", "one in a dict", "fraction cut off"],
)
def test_one_sampsize(call: Any, sampsize: Any, replace: bool, size: int, max_nodes: int) -> None:
    given = call(sampsize=sampsize, replace=replace)
    assert given["sampsize"].tolist() == [size]
    assert given["strata"] is None
    assert given["max_nodes"] == max_nodes


@pytest.mark.parametrize(
    "sampsize",
    [
        [7, 3],
        {"low": 3, "high": 7},
        pd.Series([3, 7], index=["low", "high"]),
        pd.Series([7, 3]),
        np.array([7.9, 3.9]),
    ],
    ids=["list", "dict", "labelled Series", "plain Series", "fractions cut off"],
)
def test_sampsize_by_class(call: Any, y: np.ndarray, sampsize: Any) -> None:
    given = call(sampsize=sampsize)
    assert given["sampsize"].tolist() == [7, 3]
    assert given["strata"].tolist() == (y == "low").astype(int).tolist()


@pytest.mark.parametrize(
    "strata",
    [
        np.resize(["u", "v", "w"], 40),
        np.resize([1, 20, 300], 40),
        pd.Categorical(np.resize(["w", "v", "u"], 40), ["w", "v", "u"]),
    ],
    ids=["strings", "numbers", "categories in another order"],
)
def test_sampsize_by_stratum(call: Any, strata: Any) -> None:
    given = call(sampsize=[3, 4, 5], strata=strata)
    assert given["sampsize"].tolist() == [3, 4, 5]
    assert given["strata"].tolist() == np.resize([0, 1, 2], 40).tolist()
    assert given["max_nodes"] == 25


def test_a_size_between_0_and_1_draws_no_row_of_its_stratum(call: Any, y: np.ndarray) -> None:
    assert call(sampsize=[0.5, 3.0])["sampsize"].tolist() == [0, 3]
    bags = pyrrf.RRF(np.arange(80.0).reshape(40, 2), y, ntree=5, sampsize=[0.5, 3.0], keep_inbag=True).inbag.to_numpy()
    assert not bags[y == "high"].any()
    assert bags[y == "low"].any(axis=0).all()


def test_strata_without_sampsize_does_nothing_and_says_so(call: Any, y: np.ndarray) -> None:
    with pytest.warns(UserWarning, match="strata has no effect with one"):
        assert call(strata=y)["strata"] is None


@pytest.mark.parametrize(("nodesize", "sent_size", "max_nodes"), [(1, 1, 81), (5, 5, 17), (2.5, 2, 33), (40, 40, 3)])
def test_nodesize_bounds_the_nodes(call: Any, nodesize: float, sent_size: int, max_nodes: int) -> None:
    given = call(nodesize=nodesize)
    assert (given["nodesize"], given["max_nodes"]) == (sent_size, max_nodes)


@pytest.mark.parametrize(("maxnodes", "max_nodes"), [(2, 3), (7, 13), (41, 81), (3.0, 5)])
def test_maxnodes_counts_leaves(call: Any, maxnodes: float, max_nodes: int) -> None:
    assert call(maxnodes=maxnodes)["max_nodes"] == max_nodes


# R's ceiling(.632 * nrow(x)); the share of the rows whose numbers a bag holds on average is .63212.
@pytest.mark.parametrize(("n", "size"), [(1, 1), (100, 64), (125, 79), (1000, 632)])
def test_a_bag_without_replacement_holds_632_of_1000_rows(n: int, size: int) -> None:
    assert default_size(False, n) == size
    assert default_size(True, n) == n


def test_maxnodes_above_its_largest_warns(call: Any) -> None:
    with pytest.warns(UserWarning, match="maxnodes exceeds its max value: at most"):
        assert call(maxnodes=42)["max_nodes"] == 81


VECTOR = [0.1, 0.2, 0.3, 0.4, 0.5]


@pytest.mark.parametrize(
    ("coefReg", "sent_values"),
    [
        (0.9, [0.9] * 5),
        ([0.9], [0.9] * 5),
        (1, [1.0] * 5),
        (VECTOR, VECTOR),
        (np.array(VECTOR)[:, None], VECTOR),
        (pd.DataFrame({"MeanDecreaseGini": VECTOR}), VECTOR),
        (pd.Series(VECTOR), VECTOR),
        ([0, 0, 0, 0, 1], [0, 0, 0, 0, 1]),
        ([-1, 0, 0, 0, 0.5], [-1, 0, 0, 0, 0.5]),
    ],
    ids=[
        "number",
        "list of one",
        "one",
        "list",
        "one-column matrix",
        "DataFrame",
        "Series",
        "zeros",
        "negative",
    ],
)
def test_coef_reg(call: Any, coefReg: Any, sent_values: list[float]) -> None:
    assert call(coefReg=coefReg)["coef_reg"].tolist() == sent_values


def test_coef_reg_of_foreign_labels(call: Any) -> None:
    with refused("coefReg", "unknown"):
        call(coefReg=pd.Series(VECTOR, index=list("abcde")))


def test_coef_reg_is_one_without_regularization(call: Any) -> None:
    given = call(flagReg=0)
    assert given["coef_reg"].tolist() == [1.0] * 5
    assert given["flag_reg"] == 0


@pytest.mark.parametrize("flagReg", [1, 1.0, True])
def test_flag_reg_on(call: Any, flagReg: Any) -> None:
    assert call(flagReg=flagReg)["flag_reg"] == 1


@pytest.mark.parametrize(
    ("feaIni", "marks"),
    [
        (None, [0] * 5),
        ([], [0] * 5),
        (2, [0, 0, 1, 0, 0]),
        ([4, 0, 4], [1, 0, 0, 0, 1]),
        (np.array([1.0]), [0, 1, 0, 0, 0]),
    ],
    ids=["none", "empty", "number", "repeated", "float array"],
)
def test_fea_ini_counts_from_zero(call: Any, feaIni: Any, marks: list[int]) -> None:
    assert call(feaIni=feaIni)["used"].tolist() == marks


def test_a_fit_can_start_from_the_features_of_another(x: np.ndarray, y: np.ndarray) -> None:
    first = pyrrf.RRF(x, y, ntree=5, seed=1)
    second = pyrrf.RRF(x, y, ntree=5, feaIni=first.feaSet)
    assert set(first.feaSet) <= set(second.feaSet)


@pytest.mark.parametrize(
    "weights",
    [[3, 1], {"low": 1, "high": 3}, pd.Series([1, 3], index=["low", "high"]), np.array([3.0, 1.0])],
    ids=["list", "dict", "Series", "array"],
)
def test_classwt_is_matched_by_label(call: Any, weights: Any) -> None:
    assert call(classwt=weights)["classwt"].tolist() == [3, 1]


@pytest.mark.parametrize(
    "cutoff", [[0.7, 0.3], {"low": 0.3, "high": 0.7}, pd.Series([0.3, 0.7], index=["low", "high"])]
)
def test_cutoff_is_matched_by_label(call: Any, cutoff: Any) -> None:
    assert call(cutoff=cutoff)["cutoff"].tolist() == [0.7, 0.3]


def test_labels_that_are_no_strings_match(x: np.ndarray, sent: Sent) -> None:
    pyrrf.RRF(x, x[:, 0] > 0.5, ntree=2, classwt={True: 2, False: 5})
    assert sent["classwt"].tolist() == [5, 2]


def test_cutoff_may_sum_to_less_than_one(call: Any) -> None:
    assert call(cutoff=[0.1, 0.2])["cutoff"].tolist() == [0.1, 0.2]


def test_three_equal_cutoffs_are_accepted(x: np.ndarray, sent: Sent) -> None:
    pyrrf.RRF(x, np.resize(list("abc"), 40), ntree=2, cutoff=[1 / 3, 1 / 3, 1 / 3])
    assert sent["cutoff"].tolist() == [1 / 3] * 3


def test_local_importance_implies_importance(call: Any) -> None:
    assert call(localImp=True)["importance"] is True


@pytest.mark.parametrize(
    ("proximity", "oob_prox", "sent_flags"),
    [
        (None, None, (False, False)),
        (True, None, (True, True)),
        (True, False, (True, False)),
        (False, True, (False, True)),
    ],
)
def test_oob_prox_follows_proximity(call: Any, proximity: Any, oob_prox: Any, sent_flags: tuple[bool, bool]) -> None:
    given = call(proximity=proximity, oob_prox=oob_prox)
    assert (given["proximity"], given["oob_proximity"]) == sent_flags


@pytest.mark.parametrize(("keep_forest", "kept"), [(None, False), (True, True), (False, False)])
def test_a_test_set_drops_the_forest(call: Any, x: np.ndarray, keep_forest: bool | None, kept: bool) -> None:
    assert call(xtest=x[:3], keep_forest=keep_forest)["keep_forest"] is kept


@pytest.mark.parametrize(("do_trace", "trace"), [(False, 0), (0, 0), (True, 1), (1, 1), (10, 10), (np.True_, 1)])
def test_trace(call: Any, do_trace: Any, trace: int) -> None:
    assert call(do_trace=do_trace)["trace"] == trace


@pytest.mark.parametrize("value", [0, 1, np.False_, True])
def test_zero_and_one_are_flags(call: Any, value: Any) -> None:
    assert call(keep_inbag=value)["keep_inbag"] is bool(value)


def test_regression_arguments_are_accepted_and_ignored(call: Any) -> None:
    call(nPerm=3, corr_bias=True)


def test_ytest_is_matched_by_label(call: Any, x: np.ndarray) -> None:
    given = call(xtest=x[:3], ytest=["low", "low", "high"])
    assert given["test_response"].tolist() == [1, 1, 0]


def test_ytest_may_lack_a_class_and_order_its_levels_otherwise(call: Any, x: np.ndarray) -> None:
    given = call(xtest=x[:2], ytest=pd.Categorical(["low", "low"], ["low", "high"]))
    assert given["test_response"].tolist() == [1, 1]


def test_test_factor_gets_the_codes_of_x(frame: pd.DataFrame, y: np.ndarray, sent: Sent) -> None:
    test = frame[:4].assign(colour=pd.Categorical(["red", "blue", "red", "red"], ["red", "blue"]))
    pyrrf.RRF(frame, y, test, ntree=2)
    assert sent["test_values"][:, 1].tolist() == [3, 1, 3, 3]


def test_test_columns_are_matched_by_position_with_a_warning(frame: pd.DataFrame, y: np.ndarray, sent: Sent) -> None:
    numbers = frame[["number", "count"]]
    with pytest.warns(UserWarning, match="matched by position, as in R; pass xtest"):
        pyrrf.RRF(numbers, y, numbers[["count", "number"]], ntree=2)
    np.testing.assert_array_equal(sent["test_values"][:, 0], numbers["count"])


def test_test_columns_are_matched_by_name_without_quirks(frame: pd.DataFrame, y: np.ndarray, sent: Sent) -> None:
    numbers = frame[["number", "count"]]
    pyrrf.RRF(numbers, y, numbers[["count", "number"]], ntree=2, quirks=False)
    np.testing.assert_array_equal(sent["test_values"][:, 0], numbers["number"])


def test_warnings_point_at_the_caller(x: np.ndarray, y: np.ndarray) -> None:
    with pytest.warns(UserWarning, match="invalid mtry") as caught:
        pyrrf.RRF(x, y, ntree=2, mtry=9)
    assert caught[0].filename == __file__


def test_seed_is_set_seed_before_the_call(x: np.ndarray, y: np.ndarray) -> None:
    pyrrf.set_seed(7)
    first = pyrrf.RRF(x, y, ntree=5)
    after_first = pyrrf.runif(1)
    second = pyrrf.RRF(x, y, ntree=5, seed=7)
    assert first == second
    assert pyrrf.runif(1) == after_first


def test_calls_share_one_stream(x: np.ndarray, y: np.ndarray) -> None:
    pyrrf.set_seed(7)
    assert pyrrf.RRF(x, y, ntree=5) != pyrrf.RRF(x, y, ntree=5)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (range(100, 140), "row 0 is 100 in y and 0 in x"),
        ([*range(39), 99], "row 39 is 99 in y and 39 in x"),
    ],
    ids=["others", "one other"],
)
def test_rows_of_the_response_with_other_labels_are_told(
    call: Any, x: np.ndarray, y: Any, rows: Any, words: str
) -> None:
    with pytest.warns(UserWarning, match=f"^y has .*{words}"):
        call(x=pd.DataFrame(x), y=pd.Series(y, index=rows))


def test_rows_of_the_response_in_another_order_are_refused(call: Any, x: np.ndarray, y: Any) -> None:
    with refused("y", "order"):
        call(x=pd.DataFrame(x, range(100, 140)), y=pd.Series(y, index=range(139, 99, -1)))


@pytest.mark.parametrize("rows", [np.arange(40) * 2, range(40)], ids=["of x", "only counted"])
def test_rows_that_fit_are_not_told(call: Any, x: np.ndarray, y: Any, rows: Any) -> None:
    call(x=pd.DataFrame(x, index=np.arange(40) * 2), y=pd.Series(y, index=rows))
