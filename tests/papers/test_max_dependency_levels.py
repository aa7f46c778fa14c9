"""The Max-Dependency scheme against enumeration of equations 2, 3 and 5, on tables small enough for it."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyrrf.papers.max_dependency import Level, deepest_counts, max_dependency_levels

Table = list[tuple[int, ...]]


def entropy(labels: Sequence[int]) -> float:
    n = len(labels)
    return -sum(c / n * math.log2(c / n) for c in Counter(labels).values())


def information(a: Sequence[int], b: Sequence[int]) -> float:
    """I(A;B) = H(A) - H(A|B), equation 1."""
    parts = [[x for x, y in zip(a, b, strict=True) if y == value] for value in set(b)]
    return entropy(a) - sum(len(part) / len(a) * entropy(part) for part in parts)


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
