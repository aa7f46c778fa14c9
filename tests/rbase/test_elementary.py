"""Functions of the C library for arrays: its bits for single numbers, and R's rules where C has others."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pyrrf import _core
from pyrrf.rbase import elementary as r

FUNCTIONS = ("cos", "exp", "expm1", "log", "log10", "log1p", "log2", "sin", "tan", "tanh")
LIMITS = [
    0.0,
    -0.0,
    math.inf,
    -math.inf,
    math.nan,
    5e-324,
    -5e-324,
    2.2e-308,
    1.0,
    -1.0,
    1.797e308,
    709.9,
    -745.2,
    -2.0,
]
NA = np.array([0x7FF00000000007A2], dtype=np.uint64).view(np.float64)


def many_values(n: int) -> np.ndarray:
    """Values of all sizes, subnormals, shares of votes, and values near 1."""
    bits = np.random.default_rng(36)
    return np.concatenate(
        [
            LIMITS,
            bits.integers(0, 2**64, n, dtype=np.uint64).view(np.float64),
            bits.integers(1, 2**52, n, dtype=np.uint64).view(np.float64),
            bits.integers(0, 500, n) / 500,
            1 + bits.normal(size=n) * 1e-3,
            bits.normal(size=n) * 300,
        ]
    )


def one_by_one(name: str, values: np.ndarray) -> np.ndarray:
    """What Python's own functions answer; NumPy's where they raise."""
    out = []
    with np.errstate(all="ignore"):
        for value in values.tolist():
            try:
                out.append(getattr(math, name)(value))
            except (ValueError, OverflowError):
                out.append(getattr(np, name)(value))
    return np.array(out)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_bits_are_those_of_single_numbers(name: str) -> None:
    values = many_values(10_000)
    expected, found = one_by_one(name, values), _core.elementary(name, values)
    assert (np.isnan(found) == np.isnan(expected)).all()
    known = ~np.isnan(found)
    assert (found[known].view(np.int64) == expected[known].view(np.int64)).all()


def test_powers_have_the_bits_of_single_numbers() -> None:
    x = many_values(2_000)
    y = np.random.default_rng(1).permutation(np.resize([*LIMITS, 0.5, 1 / 3, 3.0, -2.0, 1e5], len(x)))
    known = ~np.isnan(x)
    found = _core.power(x, y)
    with np.errstate(all="ignore"):
        for a, b, answer in zip(x[known].tolist(), y[known].tolist(), found[known].tolist(), strict=True):
            try:
                expected = math.pow(a, b)
            except (ValueError, OverflowError):
                expected = float(np.power(a, b))
            assert answer.hex() == expected.hex() or (math.isnan(answer) and math.isnan(expected))


def test_a_power_of_na_is_1_where_r_says_so() -> None:
    assert _core.power(np.append(NA, 1.0), np.append(0.0, NA)).tolist() == [1.0, 1.0]
    assert np.isnan(_core.power(NA, np.array([0.5]))).all()


def test_powers_are_of_pairs() -> None:
    for n in (1, 2, 4):
        with pytest.raises(ValueError, match=f"of 3 numbers and {n} exponents"):
            _core.power(np.ones(3), np.ones(n))


def test_arrays_keep_their_shape_and_their_values() -> None:
    table = np.asfortranarray(np.arange(1.0, 7).reshape(2, 3))
    assert np.array_equal(_core.elementary("log2", table), np.log2(table))
    assert table[0].tolist() == [1, 2, 3]
    assert _core.elementary("exp", np.zeros((0, 3))).shape == (0, 3)
    assert _core.elementary("log", np.array(1.0)).shape == ()


def test_a_name_that_is_no_function() -> None:
    with pytest.raises(ValueError, match="not in tuple"):
        _core.elementary("log3", np.zeros(1))


def test_limits_are_those_of_r() -> None:
    assert r.log(0) == -math.inf
    with pytest.warns(UserWarning, match="not defined"):
        assert math.isnan(r.log(-1))
    assert r.exp([800, -800]).tolist() == [math.inf, 0]
