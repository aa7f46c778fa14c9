"""What the slow forest of `oracle.py` knows of a node, and both sides of a cut of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from tests.parallel.oracle_bag import v_log_v

LIGHTEST = float(np.float32(1e-5))  # no daughter weighs less


@dataclass
class Node:
    rows: list[int]
    total: list[float]  # by class; of numbers the weight, and the weighted sum of the responses
    size: int  # distinct rows; of numbers, draws
    key: int
    depth: int
    sum: float = 0.0
    squares: float = 0.0  # of entropy: the sum of v log v
    crit: float = 0.0  # the node's own criterion
    offset: float = 0.0  # what it is compared with
    left: int = 0
    feature: int = -1
    point: float = 0.0
    missing_left: int = 0
    decrease: float = 0.0
    prediction: float = 0.0
    gains: dict[int, float] = field(default_factory=dict)  # of the candidates, before coefficients


def breadth_first(nodes: list[Node]) -> list[Node]:
    """Number the nodes of a tree level by level, in whatever order they were split."""
    order = [nodes[0]]
    for node in order:
        if node.left:
            daughters = nodes[node.left - 1 : node.left + 1]
            node.left = len(order) + 1
            order += daughters
    return order


class Counts:
    """Both sides of a cut, classes without weights: whole numbers."""

    def __init__(self, node: Node, entropy: bool) -> None:
        self.node, self.entropy = node, entropy
        self.left, self.right = [0] * len(node.total), [int(v) for v in node.total]

    def move(self, k: int, weight: float, response: float) -> None:
        self.left[k] += int(weight)
        self.right[k] -= int(weight)

    def end_value(self) -> None:
        """Rows move one by one."""

    def gain(self) -> float:
        if self.entropy:
            return logs_of(self.left, self.right, sum(self.left), sum(self.right)) - self.node.offset
        sides = [sum(t * t for t in v) / sum(v) for v in (self.left, self.right)]
        return sides[0] + sides[1] - self.node.offset

    def light(self) -> bool:
        return not sum(self.left) or not sum(self.right)


def logs_of(left: Sequence[float], right: Sequence[float], left_weight: float, right_weight: float) -> float:
    """What entropy makes of a cut, from the classes of both sides."""
    logs = -v_log_v(left_weight) - v_log_v(right_weight)
    for a, b in zip(left, right, strict=True):
        logs += v_log_v(a) + v_log_v(b)
    return logs


class Weights:
    """Both sides of a cut, any classes and weights: sums that are updated row by row."""

    def __init__(self, node: Node) -> None:
        self.node, self.weight, self.squares = node, [0.0, node.sum], [0.0, node.squares]
        self.total = [[0.0] * len(node.total), list(node.total)]

    def move(self, k: int, weight: float, response: float) -> None:
        for side, signed in enumerate((weight, -weight)):
            self.squares[side] += self.change(self.total[side][k], signed)
            self.total[side][k] += signed
            self.weight[side] += signed

    def change(self, total: float, weight: float) -> float:
        return weight * (2 * total + weight)

    def end_value(self) -> None:
        """Rows move one by one."""

    def gain(self) -> float:
        left, right = (s / w for s, w in zip(self.squares, self.weight, strict=True))
        return left + right - self.node.offset

    def light(self) -> bool:
        return min(self.weight) <= LIGHTEST


class Logs(Weights):
    """The same for entropy."""

    def change(self, total: float, weight: float) -> float:
        return v_log_v(total + weight) - v_log_v(total)

    def gain(self) -> float:
        (left, right), (left_weight, right_weight) = self.squares, self.weight
        return left - v_log_v(left_weight) + right - v_log_v(right_weight) - self.node.offset


class Sums:
    """Both sides of a cut, numbers. The rows of a value are added up before they move."""

    def __init__(self, node: Node) -> None:
        self.node, self.weight, self.sum = node, 0.0, 0.0
        self.of_value = [0.0, 0.0]

    def move(self, k: int, weight: float, response: float) -> None:
        self.of_value[0] += weight
        self.of_value[1] += weight * response

    def end_value(self) -> None:
        self.weight += self.of_value[0]
        self.sum += self.of_value[1]
        self.of_value = [0.0, 0.0]

    def gain(self) -> float:
        right, right_sum = self.node.sum - self.weight, self.node.total[1] - self.sum
        return self.sum * self.sum / self.weight + right_sum * right_sum / right - self.node.offset

    def light(self) -> bool:
        return min(self.weight, self.node.sum - self.weight) <= LIGHTEST
