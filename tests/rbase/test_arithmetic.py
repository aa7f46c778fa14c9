"""R's arithmetic, against values that R 4.2 printed with sprintf("%a")."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pyrrf
from pyrrf.random import process_stream
from pyrrf.rbase import arithmetic as r
from pyrrf.rbase.elementary import log

V = np.array([0.1, 0.2, 0.3, 1e16, -1e16, 0.7, 1 / 3, 2 / 3, 1e-9])
Z = np.array([6.9, -3.6, -2.1, -1.2, -2.9, -2.8, 2.2, -0.4, 0.5, 6.6, 1.1, 8.2])
M = np.column_stack([V, V[::-1], V * 3])


def hexed(values: object) -> list[str]:
    return [float(v).hex() for v in np.atleast_1d(np.asarray(values))]


def exact(*texts: str) -> list[str]:
    return [float.fromhex(t).hex() for t in texts]


READ = {
    # Python: 0x1.791819d2391d5p-9
    "0.002877": "0x1.791819d2391d6p-9",
    "+1.1e-3": "0x1.205bc01a36e2fp-10", "12345678901234567890123": "0x1.4ea15b273b38ap+73",
    "1e-320": "0x0.00000000007e8p-1022", "179769313486231580793e289": "inf", "0e5000": "0x0.0p+0",
    "0x1p-1074": "0x0.0p+0",
    "-Infinity": "-inf", " 5. ": "0x1.4p+2", "1e": "0x1p+0",
}  # fmt: skip


@pytest.mark.parametrize("text", READ)
def test_texts_are_read_as_by_r(text: str) -> None:
    assert hexed(np.asarray(pyrrf.r.as_numeric(text))) == exact(READ[text])


@pytest.mark.parametrize("text", ["1_0", "\u0661", "1 2", "1d3", "+", "0x", ""])
def test_what_is_no_number_to_r_is_missing(text: str) -> None:
    with pytest.warns(UserWarning, match="NAs introduced by coercion"):
        assert np.isnan(np.asarray(pyrrf.r.as_numeric(text))).all()


def test_a_table_is_read_as_by_r(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b,c,d,e\n0.002877,3000000000,1e,5,1_0\n1,1,2,,2\n")
    table = pyrrf.r.read_csv(tmp_path / "t.csv").to_pandas()
    assert hexed(table["a"])[0] == exact("0x1.791819d2391d6p-9")[0]
    assert [dtype.kind for dtype in table.dtypes] == ["f", "f", "f", "i", "O"]


def test_sums_are_extended() -> None:
    assert hexed(r.total(V)) == exact("0x1.2659999bbf5b1p+1")
    assert r.total(V) != V.sum()
    assert r.total(np.array([])) == 0


def test_mean_has_a_second_pass() -> None:
    assert hexed([r.mean(V), r.mean(Z), r.mean(np.array([0.1, 0.7]))]) == exact(
        "0x1.058edab7bfe64p-2", "0x1.0aaaaaaaaaaabp+0", "0x1.9999999999999p-2"
    )
    assert np.isnan(r.mean(np.array([])))
    assert r.mean(np.array([1.0, np.inf])) == np.inf


def test_share() -> None:
    assert r.share(np.array([True, False, False])) == 1 / 3


def test_median_and_mad() -> None:
    assert hexed([r.median(Z), r.median(Z[1:]), r.mad(Z)]) == exact(
        "0x1.9999999999998p-5", "-0x1.999999999999ap-2", "0x1.da6e978d4fdf3p+1"
    )
    assert hexed(r.median(np.array([0.1, 0.7, 0.2, 5]))) == exact("0x1.cccccccccccccp-2")
    assert np.isnan([r.median(np.array([])), r.median(np.array([1.0, np.nan]))]).all()


def test_quantile() -> None:
    assert hexed(r.quantile(Z, np.arange(1, 5) / 5)) == exact(
        "-0x1.547ae147ae147p+1", "-0x1.c28f5c28f5c26p-1", "0x1.b851eb851eb84p-1", "0x1.6e147ae147ae5p+2"
    )
    assert r.quantile(np.array([3.0, 1.0, 2.0]), np.array([0.0, 0.5, 1.0])).tolist() == [1, 2, 3]


def test_row_sums_and_means() -> None:
    assert hexed(r.row_sums(M)[:6]) == exact(
        "0x1.999999aac7a59p-2",
        "0x1.7777777777778p+0",
        "0x1.8888888888888p+0",
        "0x1.1c37937e08p+55",
        "-0x1.6345785d8ap+55",
        "0x1.1c37937e08001p+53",
    )
    assert hexed(r.row_means(M)[:3]) == exact("0x1.1111111c85191p-3", "0x1.f49f49f49f4ap-2", "0x1.05b05b05b05bp-1")


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("rows", [3, 4, 9])  # four at a time, and the rest
def test_each_row_is_added_up_in_order(rows: int, order: Any) -> None:
    values = np.random.default_rng(rows).standard_normal((rows, 7)) * 10.0 ** np.arange(-9, 12, 3)
    values[:, 0] = -0.0
    matrix = np.array(values, order=order)
    assert hexed(r.row_sums(matrix)) == hexed([r.total(row) for row in values])
    assert hexed(r.row_means(matrix)) == hexed([float(r.long_total(row) / 7) for row in values])
    assert r.row_sums(np.array([[0, 1], [2, 3]])).tolist() == [1, 5]


@pytest.mark.parametrize("rows", [1, 2, 5, 600])  # some places are looked for, others are sorted for
def test_medians_of_columns(rows: int) -> None:
    draw = np.random.default_rng(rows)
    values = draw.standard_normal((rows, 9))
    values[:, 1], values[:, 2] = draw.choice([0.0, -0.0, 1.0, -1.0], rows), draw.choice([np.inf, -np.inf], rows)
    values[:, 3], values[:, 4] = draw.choice([1e308, 1.7e308], rows), np.nan
    values[: rows // 3, 5:7] = np.nan
    by_hand = [r.median(column[~np.isnan(column)]) for column in values.T]
    assert hexed(r.column_medians(values)) == hexed(by_hand)


def test_weighted_mean_leaves_missing_values_out() -> None:
    weights = np.arange(1.0, 13)
    assert hexed(r.weighted_mean(Z, weights)) == exact("0x1.edf2df2df2df3p+0")
    assert r.weighted_mean(np.array([np.nan, 4.0]), np.array([1.0, 2.0])) == 4
    assert np.isnan(r.weighted_mean(np.array([1.0]), np.array([0.0])))


def test_spread_points() -> None:
    assert hexed(r.spread_points(0.1, 6.9, 7)) == exact(
        "0x1.999999999999ap-4",
        "0x1.3bbbbbbbbbbbdp+0",
        "0x1.2eeeeeeeeeefp+1",
        "0x1.c000000000001p+1",
        "0x1.2888888888889p+2",
        "0x1.7111111111112p+2",
        "0x1.b99999999999ap+2",
    )
    assert [r.spread_points(2.0, 5.0, n).tolist() for n in (1, 2)] == [[2], [2, 5]]
    assert r.spread_points(2.0, 2.0, 3).tolist() == [2, 2, 2]


def test_log_is_that_of_the_c_library() -> None:
    assert hexed(log(np.array([0.1, 0.3, 0.9, 1 / 3]))) == exact(
        "-0x1.26bb1bbb55515p+1", "-0x1.34378fcbda721p+0", "-0x1.af8e8210a415cp-4", "-0x1.193ea7aad030bp+0"
    )
    assert log(np.ones((2, 3))).shape == (2, 3)


def test_order_decreasing_is_stable_and_puts_missing_values_last() -> None:
    assert r.order_decreasing(np.array([2, 1, 2, 3, np.nan, 3])).tolist() == [3, 5, 0, 2, 1, 4]


TIED = np.array([[1, 1, 1], [0, 2, 2], [3, 1, 3], [1, 2, 3], [5, 5 * (1 - 1e-6), 0]], dtype=np.float64)


def test_max_col_draws_for_ties_as_r_does() -> None:
    pyrrf.set_seed(11)
    assert (r.max_col(TIED) + 1).tolist() == [3, 2, 3, 3, 2]
    assert pyrrf.runif(1)[0] == 0.95484922546893358


def test_max_col_without_ties_leaves_the_stream_alone() -> None:
    pyrrf.set_seed(1)
    stored, _ = process_stream().get_state()
    # Draws that are not stored, as those of predict().
    process_stream().runif(3)
    _, live = process_stream().get_state()
    assert r.max_col(np.array([[1.0, 2.0], [2.0, 1.0]])).tolist() == [1, 0]
    after = process_stream().get_state()
    assert np.array_equal(after[0], stored)
    assert np.array_equal(after[1], live)
    assert not np.array_equal(stored, live)


def test_every_tied_column_is_chosen_as_often() -> None:
    pyrrf.set_seed(2)
    chosen = r.max_col(np.zeros((30_000, 3)))
    # 3 standard deviations of a binomial count.
    assert np.abs(np.bincount(chosen) - 10_000).max() < 3 * np.sqrt(30_000 * 2 / 9)


@pytest.mark.parametrize("shape", [(1, 4), (3, 1), (3, 5)])
def test_matrix_vector_adds_column_by_column(shape: tuple[int, int]) -> None:
    pyrrf.set_seed(3)
    matrix, vector = pyrrf.runif(shape[0] * shape[1]).reshape(shape), pyrrf.runif(shape[1])
    by_hand = []
    for row in matrix:
        total = 0.0
        for a, b in zip(row, vector, strict=True):
            total = total + a * b
        by_hand.append(total)
    assert r.matrix_product(matrix, vector[:, None])[:, 0].tolist() == by_hand
