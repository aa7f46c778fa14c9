"""Factors with more levels than 32 bits can hold: ordered at each node by its in-bag rows."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from tests.parallel.problems import same
from tests.refusals import refused

N, K = 300, 60
pytestmark = pytest.mark.filterwarnings("ignore:column 'f' of x has")
LEVELS = [f"v{i:02d}" for i in range(K)]


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


@pytest.mark.parametrize("kind", ["numbers", "two classes", "three classes"])
@pytest.mark.parametrize("absent", [False, True])
def test_a_tree_without_sampling_is_one_on_ordered_numbers(kind: str, absent: bool) -> None:
    """At the root, whose rows are all rows, the best set of levels is the best cut of their order."""
    x, numbers = table()
    y = responses(numbers)[kind]
    whole = {"ntree": 1, "replace": False, "sampsize": N, "maxnodes": 3, "seed": 1, "engine": "parallel"}
    if absent:
        x = x.assign(f=x["f"].cat.add_categories("unused"))
    tree = pyrrf.getTree(pyrrf.RRF(x[["f"]], y, **whole))
    left = set(tree.loc[1, "levels left"])
    codes = x["f"].cat.codes.to_numpy() + 1
    score = numbers if kind == "numbers" else np.asarray(y == False) if kind == "two classes" else None  # noqa: E712
    if score is not None:
        means = pd.Series(score.astype(float)).groupby(codes).mean()
        assert means[list(left & set(means.index))].max() <= means[list(set(means.index) - left)].min()
    goes_left = np.isin(codes, list(left))
    assert 0 < goes_left.sum() < N
    assert (K + 1 in left) == (absent and goes_left.sum() > N - goes_left.sum())


@pytest.mark.parametrize("kind", ["numbers", "two classes", "three classes"])
def test_rows_come_down_the_tree_as_the_levels_say(kind: str) -> None:
    x, numbers = table()
    fit = pyrrf.RRF(x, responses(numbers)[kind], ntree=5, seed=1, engine="parallel")
    nodes = pyrrf.predict(fit, x, nodes=True).nodes.to_numpy()
    codes, u = x["f"].cat.codes.to_numpy() + 1, x["u"].to_numpy()
    for k in range(1, 6):
        tree = pyrrf.getTree(fit, k)
        for row in range(0, N, 7):
            node = 1
            while tree.loc[node, "split var"] > 0:
                wide = tree.loc[node, "split var"] == 1
                left = codes[row] in tree.loc[node, "levels left"] if wide else u[row] <= tree.loc[node, "split point"]
                node = int(tree.loc[node, "left daughter" if left else "right daughter"])
            assert node == nodes[row, k - 1]


@pytest.mark.parametrize("kind", ["numbers", "two classes", "three classes"])
def test_noise_of_many_levels_is_seen_through(kind: str) -> None:
    """Out-of-bag rows have no part in the order of the levels: noise does not predict them."""
    generator = np.random.default_rng(5)
    n, k = 1000, 300
    codes = generator.integers(0, k, n)
    x = pd.DataFrame(
        {"f": pd.Categorical.from_codes(codes, [f"l{i}" for i in range(k)]), "u": generator.standard_normal(n)}
    )
    numbers = generator.standard_normal(n)
    with pytest.warns(UserWarning, match="300 categories in 1000 rows"):
        fit = pyrrf.RRF(x, responses(numbers)[kind], ntree=60, seed=1, engine="parallel", importance=True, flagReg=0)
    if kind == "numbers":
        assert fit.rsq.iloc[-1] < 0.05
        chance = 0.1
    else:
        shares = pd.Series(np.asarray(responses(numbers)[kind])).value_counts(normalize=True)
        assert fit.err_rate.iloc[-1, 0] > 1 - shares.max() - 0.07
        chance = 0.02
    accuracy = pyrrf.importance(fit, type=1, scale=False)
    assert abs(accuracy.loc["f"].iloc[0]) < chance


@pytest.mark.parametrize("kind", ["numbers", "two classes", "three classes"])
def test_any_number_of_threads_gives_the_same(kind: str) -> None:
    x, numbers = table()
    fits = [
        pyrrf.RRF(x, responses(numbers)[kind], ntree=30, seed=1, engine="parallel", n_jobs=n, coefReg=0.8)
        for n in (1, 3)
    ]
    assert same(*fits)
    for part in ("split_point", "level_set", "set_offset"):
        np.testing.assert_array_equal(*(getattr(fit.forest.trees, part) for fit in fits))


def test_a_warning_of_few_rows_per_level_and_none_of_many() -> None:
    x, numbers = table()
    with pytest.warns(UserWarning, match="column 'f' of x has 60 categories in 300"):
        pyrrf.RRF(x, numbers, ntree=2, seed=1, engine="parallel")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pyrrf.RRF(pd.concat([x, x]), np.concatenate([numbers, numbers]), ntree=2, seed=1, engine="parallel")


def test_a_missing_value_is_a_level_or_goes_to_the_larger_daughter() -> None:
    x, numbers = table()
    missing = x.assign(f=x["f"].where(numbers < 1))
    fit = pyrrf.RRF(missing, numbers, ntree=20, seed=1, engine="parallel")
    assert fit.forest.ncat.tolist() == [K + 1, 1]
    assert pyrrf.predict(fit, missing)[missing["f"].isna().to_numpy()].min() > 0.5
    plain = pyrrf.RRF(x, numbers, ntree=20, seed=1, engine="parallel")
    assert np.isfinite(pyrrf.predict(plain, missing)).all()


@pytest.mark.parametrize("change", ["other order of levels", "strings", "fewer levels"])
def test_new_data_are_matched_by_level(change: str) -> None:
    x, numbers = table()
    fit = pyrrf.RRF(x, numbers, ntree=20, seed=1, engine="parallel")
    new = {
        "other order of levels": x.assign(f=x["f"].cat.reorder_categories(LEVELS[::-1])),
        "strings": x.assign(f=x["f"].astype(str)),
        "fewer levels": x.assign(f=x["f"].cat.remove_unused_categories()),
    }[change]
    np.testing.assert_array_equal(pyrrf.predict(fit, new), pyrrf.predict(fit, x))


def test_unknown_levels_are_refused() -> None:
    x, numbers = table()
    fit = pyrrf.RRF(x, numbers, ntree=5, seed=1, engine="parallel")
    new = x.assign(f=x["f"].cat.rename_categories({"v00": "other"}))
    with refused("newdata", "levels"):
        pyrrf.predict(fit, new)
    with refused("newdata", "type"):
        pyrrf.predict(fit, np.array([[60.0, 0.5]]))


def test_the_data_given_are_not_changed() -> None:
    x, numbers = table()
    before = x.copy()
    pyrrf.RRF(x, numbers, ntree=3, seed=1, engine="parallel")
    pd.testing.assert_frame_equal(x, before)


def test_too_many_levels_are_refused_by_name() -> None:
    names = [str(i) for i in range(65537)]
    x = pd.DataFrame({"f": pd.Categorical.from_codes([0, 1, 2, 3], names)})
    with refused("x", "levels"):
        pyrrf.RRF(x, [1.0, 2.0, 3.0, 4.0], engine="parallel")


def test_engine_r_says_what_to_do() -> None:
    x, numbers = table()
    with refused("x", "levels"):
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


def test_combined_fits_keep_their_sets() -> None:
    x, numbers = table()
    plain = x.assign(f=x["f"].cat.codes.to_numpy() % 2).assign(f=pd.Categorical(["v00"] * N, LEVELS))
    fits = [
        pyrrf.RRF(data, y, ntree=3, seed=1, engine="parallel")
        for data, y in ((x, numbers), (plain, numbers), (x, -numbers))
    ]
    both = pyrrf.combine(*fits)
    each = np.mean([pyrrf.predict(fit, x) for fit in fits], axis=0)
    np.testing.assert_allclose(pyrrf.predict(both, x), each)
    for k in range(1, 10):
        pd.testing.assert_frame_equal(pyrrf.getTree(both, k), pyrrf.getTree(fits[(k - 1) // 3], (k - 1) % 3 + 1))


def test_a_tree_by_itself_holds_its_own_sets_from_0() -> None:
    x, numbers = table()
    forest = pyrrf.RRF(x, numbers, ntree=4, seed=1, engine="parallel").forest
    whole = forest.trees
    assert whole.set_offset is not None
    for k in range(4):
        tree = forest.tree(k + 1)
        words = whole.level_set[whole.set_offset[k] : whole.set_offset[k + 1]]
        assert tree.set_offset.tolist() == [0, len(words)]
        assert tree.level_set.tolist() == words.tolist()
