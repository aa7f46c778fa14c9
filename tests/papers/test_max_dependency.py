"""The Max-Dependency scheme against enumeration of equations 2, 3 and 5; bins, categories and real data."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import cross_val_score

from pyrrf.papers import MaxDependencyClassifier, MaxDependencySelector
from pyrrf.papers.information import equal_width_bins, mutual_information
from pyrrf.papers.max_dependency import Level, deepest_counts, max_dependency_levels
from tests.papers.oracles import entropy

Table = list[tuple[int, ...]]


def bits(labels: Sequence[int]) -> float:
    return entropy(Counter(labels).values())


def information(a: Sequence[int], b: Sequence[int]) -> float:
    """I(A;B) = H(A) - H(A|B), equation 1."""
    parts = [[x for x, y in zip(a, b, strict=True) if y == value] for value in set(b)]
    return bits(a) - sum(len(part) / len(a) * bits(part) for part in parts)


def given_features(table: Table, y: list[int], m: int, chosen: list[int]) -> float:
    """I(X_m; Y | chosen), equation 2: a sum over all combinations of values, those that do not occur included."""
    total = 0.0
    for values in itertools.product(*({row[f] for row in table} for f in chosen)):
        rows = [i for i, row in enumerate(table) if [row[f] for f in chosen] == list(values)]
        if rows:
            total += len(rows) / len(table) * information([table[i][m] for i in rows], [y[i] for i in rows])
    return total


def at_level(table: Table, y: list[int], m: int, nodes: list[list[int]]) -> float:
    """The sum that equation 5 maximizes: over the nodes of a level, each with its share of the rows."""
    return sum(len(n) / len(y) * information([table[i][m] for i in n], [y[i] for i in n]) for n in nodes)


def grow(table: Table, y: list[int], most: int | None = None) -> list[Level]:
    codes = np.array(table, np.int32)
    return list(itertools.islice(max_dependency_levels(codes, np.array(y, np.int32)), most))


def truth_table(n: int) -> Table:
    return list(itertools.product((0, 1), repeat=n))


def test_exclusive_or_finds_both() -> None:
    table = truth_table(3)
    y = [row[1] ^ row[2] for row in table]
    levels = grow(table, y)
    # Nothing tells anything alone, and the first feature never does. It is the first of three equal ones.
    assert [level.feature for level in levels] == [0, 1, 2]
    assert [level.information for level in levels] == [0.0, 0.0, 1.0]
    turned = [row[1:] + row[:1] for row in table]
    assert [level.feature for level in grow(turned, y)] == [0, 1]


def test_a_table_by_hand() -> None:
    # y = A and B, with C a copy of A. H(Y) = H(1/4) = 0.8113; A tells 0.8113 - 1/2 H(1/2) = 0.3113, B as much; beside
    # A, B tells the 1/2 that is left, and C nothing.
    table = [(a, a, b) for a, b in truth_table(2)]
    levels = grow(table, [a & b for a, _, b in table])
    assert [level.feature for level in levels] == [0, 2]
    assert [level.information for level in levels] == pytest.approx([0.3112781244591328, 0.5], rel=1e-12)
    assert levels[0].counts.tolist() == [[2, 0], [1, 1]]
    assert levels[1].counts.tolist() == [[1, 0], [1, 0], [1, 0], [0, 1]]


def test_one_feature_for_all_nodes_of_a_level() -> None:
    # Where S = 0 only A tells the class, where S = 1 only B does; A and B are worth the same at the root, S nothing.
    # Below A a decision tree would part each of two nodes by S or B; here it is S, the first of these equals, for both.
    table = truth_table(3)
    levels = grow(table, [a if s == 0 else b for s, a, b in table])
    assert [level.feature for level in levels] == [1, 0, 2]
    quarter = 0.75 * math.log2(4 / 3) + 0.25 * math.log2(4)
    assert [level.information for level in levels] == pytest.approx([1 - quarter, quarter - 0.5, 0.5], rel=1e-12)


rows = st.tuples(st.integers(0, 2), st.integers(0, 1), st.integers(0, 3), st.integers(0, 2), st.integers(0, 2))


@settings(max_examples=40)
@given(st.lists(rows, min_size=2, max_size=24))
def test_every_step_takes_the_greatest_of_both_equations(drawn: list[tuple[int, ...]]) -> None:
    table, y = [row[:-1] for row in drawn], [row[-1] for row in drawn]
    levels, chosen = grow(table, y), list[int]()
    nodes = [list(range(len(y)))]
    for level in levels:
        scheme = [given_features(table, y, m, chosen) for m in range(4)]
        tree = [at_level(table, y, m, nodes) for m in range(4)]
        assert level.information == pytest.approx(max(scheme), abs=1e-12)
        assert level.information == pytest.approx(max(tree), abs=1e-12)
        # The first of equals among those that are left.
        ties = [m for m in range(4) if m not in chosen and abs(scheme[m] - max(scheme)) < 1e-9]
        if level.information > 0:
            assert level.feature == ties[0]
        assert level.feature in ties
        chosen.append(level.feature)
        parts = [[[i for i in node if table[i][level.feature] == v] for v in range(4)] for node in nodes]
        nodes = [part for node in parts for part in node if part]
        counts = sorted(tuple(sum(y[i] == k for i in node) for k in range(max(y) + 1)) for node in nodes)
        assert counts == sorted(map(tuple, level.counts.tolist()))
    # Then there is nothing to tell: what is left of the entropy is what all features leave.
    told = sum(level.information for level in levels)
    assert told == pytest.approx(information(y, [hash(row) for row in table]), abs=1e-9)
    for m in set(range(4)) - set(chosen):
        assert given_features(table, y, m, chosen) == pytest.approx(0, abs=1e-12)


@settings(max_examples=40)
@given(st.lists(rows, min_size=2, max_size=24), st.integers(0, 1000))
def test_the_order_of_rows_and_the_names_of_categories_do_not_matter(drawn: list[tuple[int, ...]], seed: int) -> None:
    rng = np.random.default_rng(seed)
    codes, y = np.array(drawn, np.int32)[:, :-1], np.array(drawn, np.int32)[:, -1]
    order = rng.permutation(len(y))
    renamed = np.stack([rng.permutation(4)[codes[:, m]] for m in range(4)], axis=1).astype(np.int32)
    one = list(max_dependency_levels(codes, y))
    other = list(max_dependency_levels(renamed[order], y[order]))
    assert [(level.feature, level.information) for level in one] == [(x.feature, x.information) for x in other]


def test_rows_stop_in_the_last_cell_that_was_seen() -> None:
    table = [(0, 0), (0, 1), (1, 0), (1, 0), (1, 0)]
    y = [0, 1, 0, 1, 1]
    levels = grow(table, y)
    assert [level.feature for level in levels] == [1, 0]
    new = np.array([[0, 0], [1, 1], [0, 1], [2, 0], [0, 2], [9, 9], [1, 0]], np.int32)
    found = deepest_counts(levels, np.array([2, 3]), new)
    # (1, 1) did not occur below X2 = 1, nor did X1 = 2; X2 = 2 and 9 did not occur at all.
    assert found.tolist() == [[1, 0], [0, 1], [0, 1], [2, 2], [2, 3], [2, 3], [1, 2]]


def test_what_no_feature_can_tell_ends_it() -> None:
    assert grow([(0, 1)] * 4, [0, 1, 0, 1]) == []
    assert grow([(0, 1), (1, 1)], [0, 0]) == []
    # Two rows are alike and of different classes: they stay together.
    levels = grow([(0, 0), (1, 0), (1, 0)], [0, 1, 0])
    assert [level.feature for level in levels] == [0]
    assert levels[0].counts.tolist() == [[1, 0], [1, 1]]


# ---- the estimators ------------------------------------------------------------------------------

CANCER = load_breast_cancer()


def test_the_first_feature_tells_most() -> None:
    fit = MaxDependencySelector(1, bins=5).fit(CANCER.data, CANCER.target)
    codes = equal_width_bins(CANCER.data, 5)
    told = [mutual_information(codes[:, m], CANCER.target) for m in range(codes.shape[1])]
    assert fit.selected_.tolist() == [int(np.argmax(told))]
    assert fit.information_[0] == pytest.approx(max(told), rel=1e-12)


def test_real_data() -> None:
    tree = MaxDependencyClassifier(3, bins=5)
    assert cross_val_score(tree, CANCER.data, CANCER.target, cv=3).mean() > 0.9
    fit = MaxDependencyClassifier(bins=10).fit(CANCER.data, CANCER.target)
    # It ends where nothing is left to tell: all rows of a node have one class.
    assert fit.score(CANCER.data, CANCER.target) == 1
    assert fit.information_.sum() == pytest.approx(entropy(np.bincount(CANCER.target)))
    assert fit.n_features_ == len(fit.selected_) == fit.support_.sum() < 12
    assert np.flatnonzero(fit.support_).tolist() == sorted(fit.selected_.tolist())


def test_the_end_by_what_a_level_tells() -> None:
    every = MaxDependencyClassifier().fit(CANCER.data, CANCER.target)
    least = (every.information_[1] + every.information_[2]) / 2
    fit = MaxDependencyClassifier(min_information=least).fit(CANCER.data, CANCER.target)
    assert fit.selected_.tolist() == every.selected_[:2].tolist()
    none = MaxDependencyClassifier(min_information=2.0).fit(CANCER.data, CANCER.target)
    assert none.n_features_ == 0
    np.testing.assert_allclose(none.predict_proba(CANCER.data[:1])[0, 1], CANCER.target.mean())


def test_bins_are_those_of_the_training_data() -> None:
    x, y = np.array([[0.0], [1.0], [9.0], [10.0]]), np.array([0, 0, 1, 1])
    fit = MaxDependencyClassifier(bins=2).fit(x, y)
    # Each row alone has no range; beyond the training data, the bins at the ends go on.
    for value, expected in ((4.9, 0), (5.1, 1), (-100.0, 0), (100.0, 1)):
        assert fit.predict([[value]]).tolist() == [expected]


def test_missing_values_are_a_category() -> None:
    x = np.array([[np.nan, 0.0], [np.nan, 1.0], [0.0, 0.0], [1.0, 1.0], [2.0, np.nan]])
    y = np.array(["lost", "lost", "found", "found", "found"])
    fit = MaxDependencyClassifier(1).fit(x, y)
    assert fit.selected_.tolist() == [0]
    assert fit.predict(np.array([[np.nan, 3.0], [0.5, 0.0], [1.1, np.nan]])).tolist() == ["lost", "found", "found"]
    # No row lacked the second column in a node where the first was not missing, but for one.
    assert MaxDependencyClassifier().fit(x[:, 1:], y).predict([[np.nan]]).tolist() == ["found"]


def test_categories_have_a_node_each() -> None:
    rng = np.random.default_rng(3)
    colour = rng.permutation(np.repeat(["red", "green", "blue", "grey"], 15))
    frame = pd.DataFrame({"noise": rng.random(60), "colour": pd.Categorical(colour)})
    y = np.where(np.isin(colour, ["red", "blue"]), "warm", "cold")
    fit = MaxDependencyClassifier().fit(frame, y)
    assert fit.selected_.tolist() == [1]
    assert fit.information_[0] == pytest.approx(1, rel=1e-12)
    assert len(fit.levels_[0].keys) == 4
    assert (fit.predict(frame) == y).all()
    numbers = frame.assign(colour=frame["colour"].cat.codes * 1.5)
    named = MaxDependencyClassifier(categorical_features=["colour"], bins=2).fit(numbers, y)
    assert (named.predict(numbers) == y).all()
