"""Bins, entropy and mutual information against values made by hand, plain loops and scikit-learn."""

from __future__ import annotations

import tracemalloc
from fractions import Fraction
from math import log, log2
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import csr_array
from sklearn.metrics import mutual_info_score
from sklearn.preprocessing import KBinsDiscretizer

from pyrrf.papers import information
from pyrrf.papers.information import (
    conditional_mutual_information,
    entropy,
    equal_width_bins,
    mutual_information,
    mutual_information_matrix,
    symmetrical_uncertainty,
)
from tests.refusals import refused

A = [0, 0, 0, 0, 1, 1, 1, 1]
B = [0, 0, 0, 1, 0, 1, 1, 1]
MM = "miller-madow"
codes = st.integers(1, 30).flatmap(lambda n: arrays(np.int8, (n, 3), elements=st.integers(0, 3)))


def plain(a: Any, b: Any) -> float:
    """Mutual information by the double loop of the definition."""
    a, b, total = np.asarray(a), np.asarray(b), 0.0
    for u in set(a.tolist()):
        for v in set(b.tolist()):
            both, one, other = ((a == u) & (b == v)).mean(), (a == u).mean(), (b == v).mean()
            total += both * log2(both / (one * other)) if both else 0.0
    return total


# ---- bins ----------------------------------------------------------------------------------------


def test_bins_by_hand() -> None:
    assert equal_width_bins([0.0, 0.99, 1.0, 1.99, 2.0, 3.9, 4.0], 4).tolist() == [0, 0, 1, 1, 2, 3, 3]


def test_bins_are_those_of_scikit_learn() -> None:
    x = np.random.default_rng(1).normal(size=(300, 7))
    theirs = KBinsDiscretizer(20, encode="ordinal", strategy="uniform", subsample=None).fit_transform(x)
    assert (equal_width_bins(x) == theirs).all()


@pytest.mark.parametrize("shift", [0, 1000, -7])
def test_decimals_on_an_edge_are_in_the_bin_above(shift: int) -> None:
    for bins in range(1, 61):
        # Tenths, thirds and so on of the range, as text has them and as they come out of a division.
        exact = [Fraction(k, bins) * Fraction(2) - 1 + shift for k in range(bins + 1)]
        wanted = [*range(bins), bins - 1]
        assert equal_width_bins([float(x) for x in exact], bins).tolist() == wanted, bins
        assert equal_width_bins([float(x) * 0.001 for x in exact], bins).tolist() == wanted, bins


def test_whole_numbers_that_follow_each_other_stay_apart() -> None:
    x = np.arange(2**53 - 20, 2**53 + 1, dtype=np.float64)
    assert equal_width_bins(x, 20).tolist() == [*range(20), 19]


def test_each_column_has_its_own_bins() -> None:
    x = np.random.default_rng(1).normal(size=(50, 3)) * [1, 100, 1e-9]
    assert (equal_width_bins(x, 5) == np.column_stack([equal_width_bins(column, 5) for column in x.T])).all()


def test_missing_values_have_a_bin_of_their_own() -> None:
    assert equal_width_bins([np.nan, 1.0, 2.0], 3).tolist() == [3, 0, 2]
    assert equal_width_bins([np.nan, np.nan], 3).tolist() == [3, 3]


def test_the_widest_range_is_divided() -> None:
    most = np.finfo(np.float64).max
    assert equal_width_bins([-most, -most / 4, most / 4, most], 2).tolist() == [0, 0, 1, 1]


def test_a_constant_column_is_one_bin() -> None:
    assert len(set(equal_width_bins([3.0] * 5, 4).tolist())) == 1


@pytest.mark.parametrize(
    ("x", "bins", "argument", "code"),
    [
        ([1.0, np.inf], 2, "x", "infinite"),
        ([], 2, "x", "shape"),
        (np.zeros((2, 2, 2)), 2, "x", "shape"),
        (["a", "b"], 2, "x", "type"),
        ([1.0, 2.0], 0, "bins", "range"),
        ([1.0, 2.0], "20", "bins", "type"),
        ([1.0, 2.0], 10**7, "bins", "range"),
    ],
)
def test_bins_refuse(x: Any, bins: Any, argument: str, code: str) -> None:
    with refused(argument, code):
        equal_width_bins(x, bins)


# ---- one pair ------------------------------------------------------------------------------------


def test_entropy_by_hand() -> None:
    assert entropy([1, 1, 1]) == 0
    assert entropy([True, False]) == 1
    assert entropy(list("aabbccdd")) == 2
    assert entropy([0, 0, 0, 1]) == pytest.approx(0.75 * log2(4 / 3) + 0.25 * 2, abs=1e-15)


def test_mutual_information_by_hand() -> None:
    # Cells 3, 1, 1, 3 of 8; margins 1/2.
    assert mutual_information(A, B) == pytest.approx(0.75 * log2(1.5) + 0.25 * log2(0.5), abs=1e-15)


def test_conditional_mutual_information_by_hand() -> None:
    # Where C = 0, A and B are equal and even (1 bit); where C = 1, B is constant (0 bits).
    a, b, c = [0, 0, 1, 1, 0, 1], [0, 0, 1, 1, 0, 0], [0, 0, 0, 0, 1, 1]
    assert conditional_mutual_information(a, b, c) == pytest.approx(4 / 6, abs=1e-15)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 30).flatmap(lambda n: arrays(np.int8, (n, 5), elements=st.integers(0, 2))))
def test_conditions_of_several_columns_are_the_sum_over_what_rows_hold(columns: np.ndarray) -> None:
    a, b, several = columns[:, 0], columns[:, 1], columns[:, 2:]
    direct = 0.0
    for held in {tuple(row) for row in several.tolist()}:
        rows = (several == held).all(axis=1)
        direct += rows.mean() * plain(a[rows], b[rows])
    assert conditional_mutual_information(a, b, several) == pytest.approx(direct, abs=1e-12)
    # The order of the columns says nothing, and one column is a vector.
    assert conditional_mutual_information(a, b, several[:, ::-1]) == conditional_mutual_information(a, b, several)
    assert conditional_mutual_information(a, b, several[:, :1]) == conditional_mutual_information(a, b, several[:, 0])


def test_conditions_of_several_columns_have_labels_of_any_type() -> None:
    a, b = [0, 0, 1, 1, 0, 1], [0, 0, 1, 1, 0, 0]
    table = pd.DataFrame({"word": ["u", "u", "u", "u", "v", "v"], "hole": [None, None, None, None, 1.5, 1.5]})
    for correction in (None, MM):
        one = conditional_mutual_information(a, b, table["word"], correction=correction)
        assert conditional_mutual_information(a, b, table, correction=correction) == one
    # Labels that are only together unlike: "1" and 1, "11" and 11.
    assert conditional_mutual_information([0, 1], [0, 1], [["1", "11"], ["11", "1"]]) == 0


@pytest.mark.parametrize(
    ("several", "argument", "code"),
    [
        (np.zeros((2, 0)), "given", "shape"),
        (np.zeros((3, 2)), None, "length"),
        (csr_array(np.eye(2)), "given", "type"),
    ],
)
def test_conditions_refuse(several: Any, argument: str, code: str) -> None:
    with refused(argument, code):
        conditional_mutual_information([0, 1], [0, 1], several)


def test_symmetrical_uncertainty_by_hand() -> None:
    assert symmetrical_uncertainty(A, A) == 1
    assert symmetrical_uncertainty(A, [0, 1] * 4) == 0
    assert symmetrical_uncertainty([1, 1], [2, 2]) == 0
    assert symmetrical_uncertainty([0, 0, 1, 1], [0, 0, 1, 2]) == pytest.approx(2 * 1 / (1 + 1.5), abs=1e-15)


def test_miller_madow_by_hand() -> None:
    assert entropy(list("aabb"), correction=MM) == pytest.approx(1 + 1 / (8 * log(2)), abs=1e-15)
    # Labels 2 and 2, cells 4: (1 + 1 - 3) / (2 n ln 2).
    assert mutual_information(A, B, correction=MM) == pytest.approx(mutual_information(A, B) - 1 / (16 * log(2)))
    # 4 + 3 pairs with C, 5 triples, 2 labels of C.
    a, b, c = [0, 0, 1, 1, 0, 1], [0, 0, 1, 1, 0, 0], [0, 0, 0, 0, 1, 1]
    assert conditional_mutual_information(a, b, c, correction=MM) == pytest.approx(
        4 / 6 + (4 + 3 - 4 - 2) / (12 * log(2))
    )


@settings(max_examples=60, deadline=None)
@given(codes)
def test_properties_of_a_pair(columns: np.ndarray) -> None:
    a, b, c = columns.T
    both = mutual_information(a, b)
    assert both == mutual_information(b, a)
    assert both == pytest.approx(plain(a, b), abs=1e-12)
    assert 0 <= both <= min(entropy(a), entropy(b)) + 1e-12
    assert entropy(a) <= log2(len(set(a.tolist()))) + 1e-12
    assert mutual_information(a, a) == entropy(a)
    assert 0 <= symmetrical_uncertainty(a, b) <= 1 + 1e-12
    # The chain rule: I(A;B,C) = I(A;C) + I(A;B|C).
    pair = b.astype(int) * 10 + c
    chained = mutual_information(a, c) + conditional_mutual_information(a, b, c)
    assert mutual_information(a, pair) == pytest.approx(chained, abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(codes)
def test_names_of_levels_and_order_of_rows_do_not_matter(columns: np.ndarray) -> None:
    a, b, c = columns.T
    names, order = np.array(["q", "z", "a", "m"]), np.random.default_rng(len(a)).permutation(len(a))
    assert mutual_information(names[a][order], b[order]) == mutual_information(a, b)
    renamed = conditional_mutual_information(a[order], b[order], names[c][order])
    assert renamed == conditional_mutual_information(a, b, c)


def test_any_labels_and_missing_ones() -> None:
    words = pd.Categorical(["x", None, "y", None])
    assert mutual_information(words, [0, 1, 2, 1]) == entropy(words) == 1.5
    assert entropy([1.0, np.nan, np.nan, 1.0]) == 1
    assert entropy(pd.Series(["x", None, 3, None])) == 1.5


def test_labels_that_numpy_would_mix_up() -> None:
    assert entropy(["nan", float("nan"), "nan", float("nan")]) == 1
    assert entropy([1, "1", 1, "1"]) == 1
    assert mutual_information_matrix([[1, "a"], ["1", "b"]]).tolist() == [[1, 1], [1, 1]]


def test_other_byte_orders_and_masks() -> None:
    assert entropy(np.array([1, 2, 1, 2], ">i4")) == 1
    assert mutual_information_matrix(np.array([[1, 2], [2, 1]], ">f8"))[0, 1] == 1
    hidden = np.ma.masked_array([1, 2, 1, 1], [False, False, True, True])
    assert entropy(hidden) == 1.5
    assert equal_width_bins(np.ma.masked_array([1.0, 2.0, 99.0], [False, False, True]), 2).tolist() == [0, 1, 2]


@pytest.mark.parametrize("measure", [mutual_information, symmetrical_uncertainty])
def test_pairs_refuse(measure: Any) -> None:
    with pytest.raises(ValueError, match="must have one length, not 2, 3"):
        measure([1, 2], [1, 2, 3])
    with refused("b", "shape"):
        measure([1], [[1]])
    with refused("correction", "choice"):
        measure([1], [1], correction="james-stein")


# ---- all pairs -----------------------------------------------------------------------------------


def test_matrix_is_that_of_the_pairs_and_of_scikit_learn() -> None:
    x = np.random.default_rng(2).normal(size=(120, 6))
    x[:, 1] += x[:, 0]
    binned = equal_width_bins(x, 6)
    found = mutual_information_matrix(binned)
    for i in range(6):
        for j in range(6):
            assert found[i, j] == mutual_information(binned[:, i], binned[:, j])
            assert found[i, j] == pytest.approx(plain(binned[:, i], binned[:, j]), abs=1e-12)
            assert found[i, j] == pytest.approx(mutual_info_score(binned[:, i], binned[:, j]) / log(2), abs=1e-12)


@pytest.mark.parametrize("correction", [None, MM])
def test_blocks_of_columns_and_rows_change_nothing(monkeypatch: pytest.MonkeyPatch, correction: str | None) -> None:
    columns = np.random.default_rng(3).integers(0, [2, 3, 9, 1, 4, 12, 2], size=(200, 7))
    whole = mutual_information_matrix(columns, correction=correction)
    monkeypatch.setattr(information, "_BLOCK_LEVELS", 10)
    monkeypatch.setattr(information, "_BLOCK_ROWS", 33)
    assert (mutual_information_matrix(columns, correction=correction) == whole).all()
    assert (whole == whole.T).all()
    corrected = mutual_information(columns[:, 2], columns[:, 5], correction=correction)
    assert whole[2, 5] == pytest.approx(corrected, abs=1e-14)


def test_each_pair_of_blocks_is_multiplied_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, count_cells = [], information._joint_counts

    def watched(left: Any, a: slice, right: Any, b: slice) -> Any:
        asked.append((a.start, b.start))
        return count_cells(left, a, right, b)

    monkeypatch.setattr(information, "_joint_counts", watched)
    monkeypatch.setattr(information, "_BLOCK_LEVELS", 10)
    mutual_information_matrix(np.tile(np.arange(5)[:, None], 7))
    # Two columns of five labels a block.
    assert asked == [(a, b) for a in (0, 2, 4, 6) for b in (0, 2, 4, 6) if a <= b]


def test_matrix_of_columns_of_very_many_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    columns = np.column_stack([rng.permutation(300), rng.integers(0, 250, 300), rng.integers(0, 3, 300)])
    found = mutual_information_matrix(columns, correction="miller-madow")
    monkeypatch.setattr(information, "_MOST_CELLS", 0)
    assert (mutual_information_matrix(columns, correction="miller-madow") == found).all()
    assert (mutual_information_matrix(columns, columns[:, 1:], correction="miller-madow") == found[:, 1:]).all()


def test_ids_of_rows_take_no_more_memory_than_a_few_tables() -> None:
    names = np.arange(20_000)[:, None] + np.zeros(2, np.int64)
    tracemalloc.start()
    found = mutual_information_matrix(names)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.tolist() == [[entropy(names[:, 0])] * 2] * 2
    assert most < 20e6  # the product of the labels has 400 million cells


def test_matrix_with_other_columns() -> None:
    columns = np.random.default_rng(4).integers(0, 4, size=(60, 5))
    words = pd.DataFrame({"u": list("abc") * 20, "v": [None, 1.5] * 30})
    found = mutual_information_matrix(columns, words)
    assert found.shape == (5, 2)
    assert found[3, 1] == mutual_information(columns[:, 3], words["v"])


def test_matrix_refuses() -> None:
    with refused("columns", "shape"):
        mutual_information_matrix([1, 2, 3])
    with refused("columns", "type"):
        mutual_information_matrix(csr_array(np.eye(3)))
    with refused("others", "length"):
        mutual_information_matrix([[1], [2], [3]], [[1], [2]])
