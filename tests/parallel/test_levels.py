"""Factors with more levels than a split can code: the order of their levels, and forests on it."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pyrrf
from pyrrf.data.inputs import Factor
from pyrrf.data.levels import _class_scores, level_ranks

N, K = 300, 60
LEVELS = [f"v{i:02d}" for i in range(K)]


def ranks(levels: list[float], response: Any, k: int, weights: Any = None) -> list[int]:
    if isinstance(response, str):
        distinct = sorted(set(response))
        response = Factor(np.array([distinct.index(c) for c in response], np.int32), distinct)
    else:
        response = np.asarray(response, dtype=float)
    weights = None if weights is None else np.asarray(weights, dtype=float)
    return level_ranks(np.asarray(levels, dtype=float), k, response, weights).tolist()


def test_numbers_order_by_their_mean() -> None:
    assert ranks([1, 1, 2, 2, 3], [5, 7, 1, 2, 4], 3) == [3, 1, 2]


def test_two_classes_order_by_the_share_of_the_second() -> None:
    assert ranks([1, 1, 2, 2, 3, 3], "bbaaab", 3) == [3, 1, 2]


def test_levels_without_rows_and_missing_values_have_no_rank() -> None:
    assert ranks([4, 2, np.nan, 2], [1.0, 3.0, 100.0, 3.0], 5) == [0, 2, 0, 1, 0]


@pytest.mark.parametrize("response", ["aab", "abc", [1.0, 2.0, 3.0]])
def test_a_column_without_values_has_no_ranks(response: Any) -> None:
    assert ranks([np.nan] * 3, response, 4) == [0, 0, 0, 0]
    assert ranks([1, 2, 1], response, 2, [0, 0, 0]) == [0, 0]


def test_equal_scores_keep_the_order_of_the_levels() -> None:
    assert ranks([3, 1, 2, 4], [1.0, 1.0, 1.0, 0.0], 4) == [2, 3, 4, 1]


def test_weights_count() -> None:
    # Means 1.5 and 2 without weights, 2.8 and 2 with them; the last row would reverse them again.
    values, levels = [0.0, 3.0, 2.0, 1e9], [1, 1, 2, 2]
    assert ranks(levels[:3], values[:3], 2) == [1, 2]
    assert ranks(levels, values, 2, [1, 14, 1, 0]) == [2, 1]


@given(st.lists(st.tuples(st.integers(1, 6), st.sampled_from("ab")), min_size=2, max_size=30))
def test_two_classes_by_principal_component_are_two_classes_by_share(cases: list[tuple[int, str]]) -> None:
    """The rule for more classes, given two, is that for two, up to the direction."""
    counts = np.zeros((6, 2))
    for level, label in cases:
        counts[level - 1, "ab".index(label)] += 1
    counts = counts[counts.sum(axis=1) > 0]
    padded = np.column_stack([counts, np.zeros(len(counts))])
    shares, scores = counts[:, 1] / counts.sum(axis=1), _class_scores(padded, counts.sum(axis=1))
    slope = np.polyfit(shares, scores, 1)[0] if np.ptp(shares) > 0 else 0.0
    np.testing.assert_allclose(scores, scores[0] + slope * (shares - shares[0]), atol=1e-9)


def test_three_classes_follow_the_first_principal_component() -> None:
    """Levels along a line in the space of shares are ordered along it, whichever way."""
    generator = np.random.default_rng(1)
    place = generator.permutation(12)
    levels, labels = [], ""
    for level, at in enumerate(place, start=1):
        levels += [level] * 24
        labels += "a" * (at + 1) + "b" * (12 - at) + "c" * 11
    found = np.array(ranks(levels, labels, 12))
    assert found.tolist() in ((place + 1).tolist(), (12 - place).tolist())


def table(seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    """A factor with an effect of each level and a column of noise; numbers."""
    generator = np.random.default_rng(seed)
    codes = generator.integers(0, K, N)
    x = pd.DataFrame({"f": pd.Categorical.from_codes(codes, LEVELS), "u": generator.random(N)})
    effects = np.random.default_rng(99).standard_normal(K)
    return x, effects[codes] + 0.1 * generator.standard_normal(N)


def responses(numbers: np.ndarray) -> dict[str, Any]:
    return {
        "numbers": numbers,
        "two classes": numbers > 0,
        "three classes": pd.Categorical(np.digitize(numbers, [-0.7, 0.7]).astype(str)),
    }


@pytest.mark.parametrize("kind", ["numbers", "two classes", "three classes"])
def test_forest_learns_the_effects_of_levels(kind: str) -> None:
    x, numbers = table()
    fit = pyrrf.RRF(x, responses(numbers)[kind], ntree=50, seed=1, engine="parallel")
    assert fit.importance.iloc[:, -1].idxmax() == "f"
    new, truth = table(seed=5)
    predicted, wanted = pyrrf.predict(fit, new), responses(truth)[kind]
    if kind == "numbers":
        assert np.corrcoef(predicted, wanted)[0, 1] > 0.8
    else:
        assert np.mean(predicted.to_numpy() == np.asarray(wanted)) > 0.75


def test_forest_is_that_of_the_ordered_numbers() -> None:
    x, numbers = table()
    fit = pyrrf.RRF(x, numbers, ntree=20, seed=1, engine="parallel")
    means = pd.Series(numbers).groupby(x["f"].astype(str)).mean().sort_values()
    rank = {level: at + 1.0 for at, level in enumerate(means.index)}
    as_number = x.assign(f=x["f"].astype(str).map(rank))
    plain = pyrrf.RRF(as_number, numbers, ntree=20, seed=1, engine="parallel")
    np.testing.assert_array_equal(fit.outcome.predicted, plain.outcome.predicted)
    assert fit.forest.xorder == [list(means.index), None]
    assert fit.forest.xlevels == [tuple(LEVELS), 0]
    new, _ = table(seed=5)
    known = new[new["f"].isin(rank)]
    expected = pyrrf.predict(plain, known.assign(f=known["f"].astype(str).map(rank)))
    pd.testing.assert_series_equal(pyrrf.predict(fit, known), expected)


@pytest.mark.parametrize("change", ["other order of levels", "strings", "fewer levels", "codes"])
def test_new_data_are_matched_by_level(change: str) -> None:
    x, numbers = table()
    fit = pyrrf.RRF(x, numbers, ntree=20, seed=1, engine="parallel")
    new = {
        "other order of levels": x.assign(f=x["f"].cat.reorder_categories(LEVELS[::-1])),
        "strings": x.assign(f=x["f"].astype(str)),
        "fewer levels": x.assign(f=x["f"].cat.remove_unused_categories()),
        "codes": np.column_stack([x["f"].cat.codes + 1, x["u"]]),
    }[change]
    np.testing.assert_array_equal(pyrrf.predict(fit, new), pyrrf.predict(fit, x))


def test_unknown_levels_are_refused() -> None:
    x, numbers = table()
    fit = pyrrf.RRF(x, numbers, ntree=5, seed=1, engine="parallel")
    new = x.assign(f=x["f"].cat.rename_categories({"v00": "other"}))
    with pytest.raises(
        ValueError, match="column 'f' of newdata has levels that the training data do not have: 'other'"
    ):
        pyrrf.predict(fit, new)
    with pytest.raises(ValueError, match="must hold codes from 1 to 60"):
        pyrrf.predict(fit, np.array([[61.0, 0.5]]))


def test_the_data_given_are_not_changed() -> None:
    x, numbers = table()
    before = x.copy()
    pyrrf.RRF(x, numbers, ntree=3, seed=1, engine="parallel")
    pd.testing.assert_frame_equal(x, before)


@pytest.mark.parametrize(("levels", "ordered"), [(32, False), (33, True)])
def test_32_levels_are_left_to_the_splits(levels: int, ordered: bool) -> None:
    generator = np.random.default_rng(2)
    names = [f"v{i}" for i in range(levels)]
    x = pd.DataFrame({"f": pd.Categorical.from_codes(generator.permutation(np.resize(np.arange(levels), N)), names)})
    fit = pyrrf.RRF(x, generator.random(N), ntree=3, seed=1, engine="parallel")
    assert (fit.forest.xorder[0] is not None) == ordered
    assert fit.forest.ncat.tolist() == [1 if ordered else 32]


def test_engine_r_says_what_to_do() -> None:
    x, numbers = table()
    with pytest.raises(ValueError, match=r"60 categories, more than 32.*engine='parallel'"):
        pyrrf.RRF(x, numbers)
    with pytest.raises(ValueError, match="60 categories, more than 32"):
        pyrrf.RRF(x, engine="parallel")


def test_test_set_pickle_and_grow() -> None:
    x, numbers = table()
    new, truth = table(seed=5)
    fit = pyrrf.RRF(x, numbers, new, truth, ntree=20, seed=1, engine="parallel", keep_forest=True)
    np.testing.assert_array_equal(fit.test.predicted, pyrrf.predict(fit, new))
    again = pickle.loads(pickle.dumps(fit))
    assert again == fit
    np.testing.assert_array_equal(pyrrf.predict(again, new), pyrrf.predict(fit, new))
    assert pyrrf.grow(fit, 5).forest.ntree == 25


def test_combine_refuses_other_orders() -> None:
    x, numbers = table()
    fits = [pyrrf.RRF(x, y, ntree=3, seed=1, engine="parallel") for y in (numbers, -numbers)]
    with pytest.raises(ValueError, match="fit 2 has other levels, or another order of them"):
        pyrrf.combine(*fits)
