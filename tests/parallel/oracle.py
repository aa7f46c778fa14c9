"""A slow forest by the parallel engine's rule: one tree after the other, every split of every candidate evaluated.

The rule is RRF's. What differs is where chance comes from: each tree has a stream for its bag, each node a key that
gives its candidates and their order, and hashes of the node's key decide between equal splits.
"""

from __future__ import annotations

import bisect
import itertools
import math
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cmp_to_key
from typing import Any

import numpy as np

from tests.parallel.oracle_bag import (
    Bag,
    Task,
    add,
    draw_bag,
    keys_of,
    mix,
    unit,
    v_log_v,
    whole_weights,
    word,
)
from tests.parallel.oracle_levels import along_component
from tests.parallel.oracle_sides import LIGHTEST, Counts, Logs, Node, Sums, Weights, breadth_first, logs_of

INTERIOR_CLASS, INTERIOR_NUMBER, TERMINAL = 1, -3, -1
WORD = 32  # levels in a word of a set
LIGHTEST_LEFT = 1e-8  # with subsets of levels, the left one
LEAST_GAIN, LEAST_DECREASE = (
    1e-12,
    16 * 2.0**-52,
)  # of classes, relative to the node's weight; of numbers, to its criterion
ALL_SUBSETS_UP_TO = 10
LEFT, RIGHT, LEAF_CLASS, WAITING = 0xA0761D6478BD642F, 0xE7037ED1A0B428DB, 0x8EBC6AF09C88C6E3, 0x589965CC75374CC3
CHALLENGE = 0x1D8E4E27C47D124F

# ---- a tree ----------------------------------------------------------------------------------------------------------


@dataclass
class Split:
    crit: float
    gain: float  # the same without a coefficient
    feature: int
    cut: int  # the key, or the levels going left as bits
    missing_left: bool
    left: set[int]
    point: float

    def priority(self, node: Node) -> int:
        """Among equal cuts of a number."""
        return word(word(node.key, 2 * self.feature + self.missing_left), self.cut)


class Rule:
    """Grows trees of one task."""

    def __init__(self, task: Task, probability: np.ndarray | None = None) -> None:
        self.task = task
        self.weight = None if probability is None else whole_weights(probability)
        self.table = [f for f in range(len(task.ncat)) if self.is_allowed(f)]
        self.x = task.x.astype(float)
        self.code = [int(k) for k in task.codes]
        self.location = lower_median(task.y) if task.numbers else 0.0
        self.response = [float(v) - self.location for v in task.y]
        self.key = [keys_of(column, task.numbers or task.counts_alone()) for column in self.x.T]

    def grow(self, bag: Bag, root_key: int, in_f: set[int]) -> list[Node]:
        """Breadth or depth first. What is split on enters F at once."""
        self.bag = bag
        root = self.new_node(bag.rows, root_key, 0)
        root.total[: self.task.nclass] = bag.total
        nodes, waiting = [root], deque([0])
        most = min(self.task.max_nodes, 2 * len(self.x) + 1)
        while waiting and len(nodes) < most:
            at = waiting.popleft()
            if best := self.best_split(nodes[at], in_f):
                in_f |= self.task.groups_of([best.feature])
                daughters = self.part(nodes[at], best, len(nodes))
                further = [len(nodes) + i for i, daughter in enumerate(daughters) if not self.stops(daughter)]
                nodes += daughters
                waiting = deque([*further, *waiting] if self.task.depth_first else [*waiting, *further])
        for node in nodes:
            node.prediction = self.predict(node)
        return breadth_first(nodes)

    def new_node(self, rows: list[int], key: int, depth: int) -> Node:
        task, bag = self.task, self.bag
        if task.numbers:
            total = [add(bag.weight[r] for r in rows), add(bag.weight[r] * self.response[r] for r in rows)]
            return Node(rows, total, sum(bag.count[r] for r in rows), key, depth)
        total = [add(bag.weight[r] for r in rows if self.code[r] == k) for k in range(task.nclass)]
        return Node(rows, total, len(rows), key, depth)

    def stops(self, node: Node) -> bool:
        pure = not self.task.numbers and add(node.total) in node.total
        deep = 0 < self.task.max_depth <= node.depth
        return node.size <= self.task.nodesize or pure or deep

    def predict(self, node: Node) -> float:
        """The class from 1, the mean response, or 0 in an interior node of classes."""
        if self.task.numbers:
            return node.total[1] / node.total[0] + self.location
        heaviest = [k for k, total in enumerate(node.total) if total == max(node.total)]
        heaviest = heaviest[:1] if self.task.ties_first else heaviest
        return 0 if node.left else 1 + max(heaviest, key=lambda k: word(node.key ^ LEAF_CLASS, k))

    def part(self, node: Node, best: Split, at: int) -> list[Node]:
        sides = [[r for r in node.rows if r in best.left], [r for r in node.rows if r not in best.left]]
        node.left, node.feature, node.point = at + 1, best.feature, best.point
        node.decrease = max(0.0, best.crit - (node.crit - node.offset))
        met = any(np.isnan(self.x[r, best.feature]) for r in node.rows)
        node.missing_left = int(best.missing_left if met else len(sides[0]) > len(sides[1]))
        keys = [mix(node.key ^ LEFT), mix(node.key ^ RIGHT)]
        return [self.new_node(rows, key, node.depth + 1) for rows, key in zip(sides, keys, strict=True)]

    # ---- the search ----------------------------------------------------------------------------------------------

    def best_split(self, node: Node, in_f: set[int]) -> Split | None:
        self.measure(node)
        listed, further = self.candidates(node.key, in_f)
        offers = [offer for feature in listed for offer in self.offers(node, feature, in_f)]
        while self.task.draw_until_split and not offers and (feature := next(further, None)) is not None:
            offers = self.offers(node, feature, in_f)
        most = max((offer.crit for offer in offers), default=0.0)
        return self.winner(node, [offer for offer in offers if offer.crit == most], self.order(node.key, in_f))

    def winner(self, node: Node, tied: list[Split], order: list[int]) -> Split | None:
        """Feature after feature, in R's order. Of classes one of a number's k equal splits replaces the leader with
        probability k / (k + 1), a factor's never."""
        leader: Split | None = None
        for feature in sorted(order) if self.task.ties_first else order:
            own = [offer for offer in tied if offer.feature == feature]
            fair = not (self.task.numbers or self.task.ties_first) and self.task.ncat[feature] == 1
            u = (word(node.key ^ CHALLENGE, feature) >> 32) / 2.0**32
            if own and (leader is None or (fair and u >= 1 / (len(own) + 1))):
                leader = max(own, key=lambda offer: offer.priority(node)) if fair else own[0]
        return leader

    def offers(self, node: Node, feature: int, in_f: set[int]) -> list[Split]:
        factor = 1.0 if self.task.flag_reg and feature in in_f else self.coefficient(feature, node.depth)
        offers = list((self.cuts if self.task.ncat[feature] == 1 else self.subsets)(node, feature, factor))
        best = max((offer.gain for offer in offers), default=-math.inf)
        node.gains[feature] = max(0.0, best - (node.crit - node.offset))
        return [offer for offer in offers if offer.crit > (0.0 if self.task.gains else -1e10)]

    def measure(self, node: Node) -> None:
        if self.task.numbers:
            node.sum, node.squares = node.total[0], node.total[1] * node.total[1]
        else:
            node.sum = add(node.total)
            node.squares = add(v_log_v(t) if self.task.entropy else t * t for t in node.total)
        node.crit = node.squares - v_log_v(node.sum) if self.task.entropy else node.squares / node.sum
        node.offset = node.crit if self.task.gains else 0.0

    def coefficient(self, feature: int, depth: int) -> float:
        return float(self.task.coef_reg[feature]) ** (depth + 1 if self.task.use_depth else 1)

    def candidates(self, key: int, in_f: set[int]) -> tuple[list[int], Iterator[int]]:
        """F and mtry others without replacement, or mtry of all features; and what would be drawn next."""
        joined, others = self.parts(in_f)
        if len(others) <= self.task.mtry:
            return [*joined, *others], iter(())
        self.exclude(others)
        drawn = (feature for feature, found in self.draws(key, others) if found)
        return [*joined, *itertools.islice(drawn, self.task.mtry)], drawn

    def parts(self, in_f: set[int]) -> tuple[set[int], set[int]]:
        """What every node looks at, and what it draws from."""
        joined = in_f if self.task.flag_reg and not self.task.draw_from_all else set()
        return joined, {f for f in range(len(self.task.ncat)) if f not in joined and self.is_allowed(f)}

    def exclude(self, others: set[int]) -> None:
        """F is drawn in vain until it has more than half of the chances."""
        if self.weight is not None and sum(self.weight[f] for f in others) < self.all_chances() // 2:
            self.table = sorted(others)

    def all_chances(self) -> int:
        assert self.weight is not None
        return sum(self.weight[f] for f in self.table)

    def order(self, key: int, in_f: set[int]) -> list[int]:
        """All features: first as they are drawn until the candidates are complete, then the others by their times."""
        _, others = self.parts(in_f)
        every, turns, missing, n_words = range(len(self.task.ncat)), dict[int, float](), self.task.mtry, 0
        if len(others) > self.task.mtry:
            for feature, found in self.draws(key, others):
                n_words += 1
                turns.setdefault(feature, n_words)
                missing -= found
                if not missing:
                    break
        for feature in every:
            if feature not in self.table and self.is_allowed(feature) and n_words:
                turns[feature] = self.turn_of_excluded(key, feature)
        early = {feature for feature, turn in turns.items() if turn <= n_words}
        return sorted(every, key=lambda f: (0, 0, turns[f]) if f in early else (1, *self.time(key, f)))

    def turn_of_excluded(self, key: int, feature: int) -> float:
        """When it would have been drawn; the draws come at 1, 2, ..."""
        assert self.weight is not None
        u = unit(word(key ^ WAITING, len(self.task.ncat) + feature))
        return -math.log(u) / math.log1p(self.weight[feature] / self.all_chances())

    def time(self, key: int, feature: int) -> tuple[int, float]:
        """Of a feature that comes after the draws; those of probability 0 are last."""
        bits = word(key ^ WAITING, feature)
        if self.weight is None or not self.weight[feature]:
            return self.weight is not None, bits
        return 0, -math.log(unit(bits)) / self.weight[feature]

    def is_allowed(self, feature: int) -> bool:
        return self.weight is None or self.weight[feature] > 0

    def draws(self, key: int, others: set[int]) -> Iterator[tuple[int, bool]]:
        """What comes up, and whether it is one of `others` that was not drawn before, until all of them were."""
        pool, left, patience = self.table, set(others), 4 * self.task.mtry + 4
        for i in itertools.count():
            if not left:
                return
            feature = self.look_up(pool, word(key, i))
            found = feature in left
            left.discard(feature)
            patience -= not found
            if self.weight is not None and patience < 0 and not found:
                pool = [f for f in pool if f != feature]
            yield feature, found

    def look_up(self, pool: list[int], number: int) -> int:
        if self.weight is None:
            return (number >> 32) * len(self.task.ncat) >> 32
        sums = list(itertools.accumulate(self.weight[f] for f in pool))
        at = min(int(unit(number) * sums[-1]), sums[-1] - 1)
        return pool[bisect.bisect_right(sums, at)]

    # ---- numbers -------------------------------------------------------------------------------------------------

    def cuts(self, node: Node, feature: int, factor: float) -> Iterator[Split]:
        """Between neighbours of different value, with the missing values right and then left of the cut."""
        value = self.x[:, feature]
        missing = [row for row in node.rows if np.isnan(value[row])]
        present = sorted((row for row in node.rows if not np.isnan(value[row])), key=lambda row: value[row])
        yield from self.cuts_after(node, feature, factor, [], present, missing)
        if missing:
            yield from self.cuts_after(node, feature, factor, missing, present, [])

    def cuts_after(
        self, node: Node, feature: int, factor: float, first: list[int], present: list[int], last: list[int]
    ) -> Iterator[Split]:
        sides, value = self.sides(node), self.x[:, feature]
        for row in first:
            self.move(sides, row)
        sides.end_value()
        for i, row in enumerate(present):
            self.move(sides, row)
            if i + 1 == len(present) or value[row] < value[present[i + 1]]:
                sides.end_value()
            below, above = value[row], value[present[i + 1]] if i + 1 < len(present) else math.inf
            between = (i + 1 < len(present) or last) and below < above and not sides.light()
            if between and sides.gain() > self.least_gain(node):
                left, key = set(first + present[: i + 1]), int(self.key[feature][row])
                gain = sides.gain()
                yield Split(factor * gain, gain, feature, key, bool(first), left, half_way(below, above))

    def least_gain(self, node: Node) -> float:
        """What rounding leaves of a useless split; any criterion will do where no gain is asked for."""
        if self.task.numbers:
            return LEAST_DECREASE * node.crit
        return LEAST_GAIN * node.sum if node.offset else -math.inf

    def sides(self, node: Node) -> Counts | Weights | Sums:
        if self.task.numbers:
            return Sums(node)
        if self.task.counts_alone():
            return Counts(node, self.task.entropy)
        return Logs(node) if self.task.entropy else Weights(node)

    def move(self, sides: Counts | Weights | Sums, row: int) -> None:
        sides.move(self.code[row], self.bag.weight[row], self.response[row])

    # ---- factors -------------------------------------------------------------------------------------------------

    def subsets(self, node: Node, feature: int, factor: float) -> Iterator[Split]:
        level = {row: int(self.x[row, feature]) - 1 for row in node.rows}
        rows = {at: [row for row in node.rows if level[row] == at] for at in sorted(set(level.values()))}
        if len(rows) < 2:
            return
        two, many = self.task.numbers or self.task.nclass == 2, self.task.ncat[feature] > ALL_SUBSETS_UP_TO
        rule = self.prefixes if two else self.ordered if many else self.any_subsets
        for levels, gain in rule(node, feature, rows):
            if gain <= self.least_gain(node):
                continue
            left = {row for row in node.rows if levels >> level[row] & 1}
            if is_wide(self.task, feature):
                # The levels that no row has go to the larger daughter.
                absent = 2 ** int(self.task.ncat[feature]) - 1 - sum(1 << at for at in rows)
                point: float = levels | (absent if 2 * len(left) > len(node.rows) else 0)
                yield Split(factor * gain, gain, feature, levels.bit_count(), False, left, point)
            else:
                point = float(np.uint32(levels).astype(np.int32))
                yield Split(factor * gain, gain, feature, levels, False, left, point)

    def prefixes(self, node: Node, feature: int, rows: dict[int, list[int]]) -> Iterator[tuple[int, float]]:
        """Of the levels by ascending mean response, or share of the first class, every first few."""
        of_part = 1 if self.task.numbers else 0
        weight = {at: add(self.bag.weight[row] for row in rows[at]) for at in rows}
        part = {at: self.new_node(rows[at], 0, 0).total[of_part] for at in rows}

        def above(a: int, b: int) -> float:
            return part[a] * weight[b] - part[b] * weight[a] or a - b

        order = sorted(rows, key=cmp_to_key(above))
        levels, left, left_part = 0, 0.0, 0.0
        for at in order[:-1]:
            levels, left, left_part = levels | 1 << at, left + weight[at], left_part + part[at]
            if min(left, node.sum - left) > LIGHTEST:
                right_part = node.total[of_part] - left_part
                side = self.side(left, left_part) + self.side(node.sum - left, right_part)
                yield self.send_absent(feature, levels, set(rows)), side - node.offset

    def send_absent(self, feature: int, levels: int, present: set[int]) -> int:
        """Of numbers right; of classes with the last level present or, of many levels, left."""
        if self.task.numbers or is_wide(self.task, feature):
            return levels
        if self.task.ncat[feature] > ALL_SUBSETS_UP_TO:
            return levels | 2 ** int(self.task.ncat[feature]) - 1 - sum(1 << at for at in present)
        return without_last(levels, present)

    def side(self, weight: float, part: float) -> float:
        """What a daughter adds to the criterion."""
        if self.task.numbers:
            return part * part / weight
        if self.task.entropy:
            return v_log_v(part) + v_log_v(weight - part) - v_log_v(weight)
        return (part * part + (weight - part) * (weight - part)) / weight

    def any_subsets(self, node: Node, feature: int, rows: dict[int, list[int]]) -> Iterator[tuple[int, float]]:
        """All of the levels present but the last one."""
        table = {at: self.new_node(rows[at], 0, 0).total for at in rows}
        tries = range(1, 2 ** (int(self.task.ncat[feature]) - 1))
        for levels in dict.fromkeys(without_last(levels, set(table)) for levels in tries):
            left = [add(total[k] for at, total in table.items() if levels >> at & 1) for k in range(self.task.nclass)]
            right = [total - part for total, part in zip(node.total, left, strict=True)]
            left_weight = add(left)
            if left_weight > LIGHTEST_LEFT and node.sum - left_weight > LIGHTEST:
                yield levels, self.criterion(left, right, left_weight, node.sum - left_weight) - node.offset

    def ordered(self, node: Node, feature: int, rows: dict[int, list[int]]) -> Iterator[tuple[int, float]]:
        """Of many levels, more classes: the first few along a component of their shares."""
        table = {at: self.new_node(rows[at], 0, 0).total for at in rows}
        weight = {at: add(self.bag.weight[row] for row in rows[at]) for at in rows}
        order = along_component(table, weight, [total / node.sum for total in node.total])
        levels, left, left_weight = 0, [0.0] * self.task.nclass, 0.0
        for at in order[:-1]:
            levels, left_weight = levels | 1 << at, left_weight + weight[at]
            left = [a + b for a, b in zip(left, table[at], strict=True)]
            right = [total - part for total, part in zip(node.total, left, strict=True)]
            if min(left_weight, node.sum - left_weight) > LIGHTEST:
                yield levels, self.criterion(left, right, left_weight, node.sum - left_weight) - node.offset

    def criterion(self, left: list[float], right: list[float], left_weight: float, right_weight: float) -> float:
        if not self.task.entropy:
            return add(t * t for t in left) / left_weight + add(t * t for t in right) / right_weight
        return logs_of(left, right, left_weight, right_weight)


def is_wide(task: Task, feature: int) -> bool:
    """Whether the levels that go left take more than one word; a node then holds all their bits in `point`."""
    return bool(task.ncat[feature] > WORD)


def without_last(levels: int, present: set[int]) -> int:
    """The side of a parting on which the last level present is not."""
    side = levels >> max(present) & 1
    return sum(1 << at for at in present if levels >> at & 1 != side)


def lower_median(values: np.ndarray) -> float:
    """Trees of numbers grow on the differences from it."""
    return sorted(float(v) for v in values)[(len(values) - 1) // 2]


def half_way(below: float, above: float) -> float:
    """Left of the upper neighbour; infinite when the missing values are alone on the right."""
    if above == math.inf:
        return math.inf
    with np.errstate(over="ignore"):
        point = 0.5 * (below + above)
    point = point if math.isfinite(point) else 0.5 * below + 0.5 * above
    return float(point if point < above else below)


# ---- a forest --------------------------------------------------------------------------------------------------------


def root_key(seed: int, tree: int) -> int:
    return word(word(seed, 1), tree)


def leaf_of(nodes: list[Node], task: Task, row: np.ndarray) -> Node:
    node = nodes[0]
    while node.left:
        value = row[node.feature]
        if np.isnan(value):
            left = bool(node.missing_left)
        elif task.ncat[node.feature] > 1:
            left = bool(int(node.point) >> int(value) - 1 & 1)
        else:
            left = bool(value <= node.point)
        node = nodes[node.left - 1 if left else node.left]
    return node


@dataclass
class Forest:
    """What is known of a forest: its trees, F, the bags, and what the trees say of rows out of bag."""

    task: Task
    trees: list[list[Node]]
    used: list[int]
    inbag: np.ndarray  # (n, ntree)
    said: list[list[float]]  # by row
    seed: int

    def decrease(self) -> np.ndarray:
        total = np.zeros(len(self.used))
        for node in itertools.chain(*self.trees):
            if node.left:
                total[node.feature] += node.decrease
        return total / len(self.trees)

    def votes(self) -> np.ndarray:
        return np.array([[said.count(k + 1) for k in range(self.task.nclass)] for said in self.said])

    def means(self) -> list[float]:
        return [float(np.mean(said)) if said else math.nan for said in self.said]

    def winners(self) -> list[int]:
        """The class with most votes over its cutoff, -1 without votes; a hash decides ties."""
        won = []
        for row, counts in enumerate(self.votes()):
            assert self.task.cutoff is not None
            score = [c / max(sum(counts), 1) / cutoff for c, cutoff in zip(counts, self.task.cutoff, strict=True)]
            tied = [k for k, s in enumerate(score) if s == max(score)]
            won.append(max(tied, key=lambda k, row=row: word(word(word(self.seed, 3), row), k)) if sum(counts) else -1)
        return won


def grow_forest(task: Task, used: np.ndarray, seed: int, kind: type[Rule] = Rule) -> Forest:
    rule, in_f = kind(task), task.groups_of(np.flatnonzero(used).tolist())
    trees, bags, said = [], [], [[] for _ in task.y]
    for tree in range(task.ntree):
        bag = draw_bag(task, seed, tree)
        trees.append(rule.grow(bag, root_key(seed, tree), in_f))
        bags.append(bag.count)
        for row, count in enumerate(bag.count):
            if count == 0:
                said[row].append(leaf_of(trees[-1], task, rule.x[row]).prediction)
    return Forest(task, trees, [int(f in in_f) for f in range(len(task.ncat))], np.array(bags).T, said, seed)


def packed(task: Task, trees: list[list[Node]]) -> dict[str, list[Any]]:
    """As the core packs trees."""
    nodes = list(itertools.chain(*trees))
    interior = INTERIOR_NUMBER if task.numbers else INTERIOR_CLASS
    points, words = split_points(task, trees)
    return {
        "offset": [0, *itertools.accumulate(len(tree) for tree in trees)],
        "left": [node.left for node in nodes],
        "split_var": [node.feature + 1 for node in nodes],
        "split_point": points,
        "status": [interior if node.left else TERMINAL for node in nodes],
        "missing_left": [node.missing_left for node in nodes],
        "prediction": [node.prediction for node in nodes],
        **({"level_set": words} if words else {}),
    }


def split_points(task: Task, trees: list[list[Node]]) -> tuple[list[float], list[int]]:
    """The points, and the words of the wide sets: their points are where in the words of the tree they begin."""
    points: list[float] = []
    words: list[int] = []
    for tree in trees:
        first = len(words)
        for node in tree:
            wide = node.left and is_wide(task, node.feature)
            points.append(len(words) - first if wide else node.point)
            if wide:
                n_words = (int(task.ncat[node.feature]) + WORD - 1) // WORD
                words += [int(node.point) >> WORD * i & 2**WORD - 1 for i in range(n_words)]
    return points, words
