"""Trees grown one at a time: every argument is checked before C reads it, and threads do not meet in one grower."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
from typing import Any

import numpy as np
import pytest

from pyrrf._core import TreeGrower
from pyrrf._core.records import GrownTree, SparseColumns
from pyrrf.result.record import equal_parts

N, P = 24, 3


def arguments(kind: str = "classes", **other: Any) -> dict[str, Any]:
    """What makes a sound grower: two numbers, one of them missing once, and a factor of four levels."""
    x = np.random.default_rng(1).standard_normal((N, P))
    x[3, 1] = np.nan
    x[:, 2] = np.arange(N) % 4 + 1
    numbers = kind == "numbers"
    y = x[:, 0] * 2 if numbers else (x[:, 0] > 0).astype(np.int32)
    ncat = np.array([1, 1, 4], np.int32)
    return {
        "x": x,
        "ncat": ncat,
        "y": y,
        "nclass": 1 if numbers else 2,
        "mtry": 2,
        "coef_reg": np.full(P, 0.8),
        **other,
    }


def make(kind: str = "classes", **other: Any) -> TreeGrower:
    return TreeGrower(**arguments(kind, **other))


def wishes(**other: Any) -> dict[str, Any]:
    return {"used": np.zeros(P, np.int32), "seed": 1, **other}


def with_item(values: np.ndarray, value: Any) -> np.ndarray:
    """A copy with another last item."""
    changed = values.copy()
    changed[-1] = value
    return changed


def read_only(values: np.ndarray) -> np.ndarray:
    values.flags.writeable = False
    return values


def not_aligned(values: np.ndarray) -> np.ndarray:
    """The same numbers, one byte beside where they belong."""
    room = np.zeros(values.nbytes + 1, np.uint8)
    moved = room[1:].view(values.dtype)
    moved[:] = values
    return moved


GOOD, NUMBERS = arguments(), arguments("numbers")
INF, NAN = np.inf, np.nan

# Name of the argument, what is wrong with it, and the value.
MAKING = {
    "x-list": ("x", TypeError, GOOD["x"].tolist()),
    "x-integers": ("x", TypeError, np.ones((N, P), np.int64)),
    "x-swapped": ("x", TypeError, GOOD["x"].astype(">f8")),
    "x-vector": ("x", ValueError, np.ones(N)),
    "x-no-rows": ("x", ValueError, np.ones((0, P))),
    "x-no-columns": ("x", ValueError, np.ones((N, 0))),
    "x-between-items": ("x", ValueError, np.zeros((N, P), [("a", "f8"), ("b", "i1")])["a"]),
    "x-infinite": ("x", ValueError, np.where(np.arange(N * P).reshape(N, P) == 0, INF, GOOD["x"])),
    "x-level-0": ("x", ValueError, GOOD["x"] * [1, 1, 0]),
    "x-level-5": ("x", ValueError, GOOD["x"] + [0, 0, 1]),
    "x-level-between": ("x", ValueError, GOOD["x"] - [0, 0, 0.5] * (GOOD["x"] > 1)),
    "x-level-missing": ("x", ValueError, GOOD["x"] * [1, 1, NAN]),
    "ncat-short": ("ncat", ValueError, GOOD["ncat"][:-1]),
    "ncat-int64": ("ncat", TypeError, GOOD["ncat"].astype(np.int64)),
    "ncat-0": ("ncat", ValueError, np.array([1, 0, 4], np.int32)),
    "ncat-65537": ("ncat", ValueError, np.array([1, 1, 65537], np.int32)),
    "ncat-strided": ("ncat", ValueError, np.repeat(GOOD["ncat"], 2)[::2]),
    "y-short": ("y", ValueError, GOOD["y"][:-1]),
    "y-long": ("y", ValueError, np.append(GOOD["y"], GOOD["y"][:1])),
    "y-int64": ("y", TypeError, GOOD["y"].astype(np.int64)),
    "y-numbers": ("y", TypeError, NUMBERS["y"]),
    "y-negative": ("y", ValueError, with_item(GOOD["y"], -1)),
    "y-2": ("y", ValueError, with_item(GOOD["y"], 2)),
    "y-one-class": ("y", ValueError, np.zeros(N, np.int32)),
    "y-strided": ("y", ValueError, np.repeat(GOOD["y"], 2)[::2]),
    "nclass-0": ("nclass", ValueError, 0),
    "nclass-huge": ("y", ValueError, {"nclass": 2**31 - 1}),
    "mtry-0": ("mtry", ValueError, 0),
    "coef_reg-short": ("coef_reg", ValueError, np.ones(P - 1)),
    "coef_reg-float32": ("coef_reg", TypeError, np.ones(P, np.float32)),
    "coef_reg-nan": ("coef_reg", ValueError, with_item(np.ones(P), NAN)),
    "coef_reg-above-1": ("coef_reg", ValueError, with_item(np.ones(P), 1.5)),
    "coef_reg-infinite": ("coef_reg", ValueError, with_item(np.ones(P), -INF)),
    "feature_group-short": ("feature_group", ValueError, np.zeros(P - 1, np.int32)),
    "feature_group-negative": ("feature_group", ValueError, with_item(np.zeros(P, np.int32), -1)),
    "feature_group-p": ("feature_group", ValueError, with_item(np.zeros(P, np.int32), P)),
    "feature_group-int64": ("feature_group", TypeError, np.zeros(P, np.int64)),
    "feature_group-of-nothing": ("feature_group", ValueError, {"feature_group": np.zeros(P, np.int32), "flag_reg": 0}),
    "nodesize-negative": ("nodesize", ValueError, -1),
    "max_nodes-0": ("max_nodes", ValueError, 0),
    "max_nodes-even": ("max_nodes", ValueError, 4),
    "max_nodes-fraction": ("max_nodes", TypeError, 4.5),
    "max_nodes-huge": ("max_nodes", ValueError, 2**40 + 1),
    "flag_reg-2": ("flag_reg", ValueError, 2),
    "max_depth-negative": ("max_depth", ValueError, -1),
}


@pytest.mark.parametrize("case", MAKING)
def test_what_makes_a_grower_is_checked(case: str) -> None:
    name, error, value = MAKING[case]
    changed = value if isinstance(value, dict) else {name: value}
    with pytest.raises(error, match=name):
        make(**changed)


def test_numbers_are_checked() -> None:
    for y in (with_item(NUMBERS["y"], NAN), with_item(NUMBERS["y"], INF)):
        with pytest.raises(ValueError, match="y"):
            make("numbers", y=y)
    with pytest.raises(TypeError, match="y: dtype int32"):
        make("numbers", y=GOOD["y"])


ONES = np.ones(N)
GROWING = {
    "used-list": ("used", TypeError, [0, 0, 0]),
    "used-short": ("used", ValueError, np.zeros(P - 1, np.int32)),
    "used-int64": ("used", TypeError, np.zeros(P, np.int64)),
    "used-2": ("used", ValueError, np.array([0, 0, 2], np.int32)),
    "used-negative": ("used", ValueError, np.array([0, 0, -1], np.int32)),
    "used-strided": ("used", ValueError, np.zeros(2 * P, np.int32)[::2]),
    "used-read-only": ("used", ValueError, read_only(np.zeros(P, np.int32))),
    "used-not-aligned": ("used", ValueError, not_aligned(np.zeros(P, np.int32))),
    "seed-negative": ("seed", ValueError, -1),
    "seed-65-bits": ("seed", ValueError, 2**64),
    "seed-fraction": ("seed", TypeError, 1.5),
    "stream-negative": ("stream", ValueError, -1),
    "count-short": ("count", ValueError, np.ones(N - 1, np.int32)),
    "count-int64": ("count", TypeError, np.ones(N, np.int64)),
    "count-negative": ("count", ValueError, with_item(np.ones(N, np.int32), -1)),
    "count-none": ("count", ValueError, np.zeros(N, np.int32)),
    "count-too-many": ("count", ValueError, np.full(N, 2**30, np.int32)),
    "count-strided": ("count", ValueError, np.ones(2 * N, np.int32)[::2]),
    "row_weight-short": ("row_weight", ValueError, np.ones(N - 1)),
    "row_weight-integers": ("row_weight", TypeError, np.ones(N, np.int64)),
    "row_weight-negative": ("row_weight", ValueError, with_item(ONES, -1)),
    "row_weight-nan": ("row_weight", ValueError, with_item(ONES, NAN)),
    "row_weight-infinite": ("row_weight", ValueError, with_item(ONES, INF)),
    "row_weight-0": ("row_weight", ValueError, np.zeros(N)),
    "row_weight-sum-infinite": ("row_weight", ValueError, np.full(N, 1e308)),
    "row_weight-sum-tiny": ("row_weight", ValueError, np.full(N, 5e-324)),
    "response-for-classes": ("response", ValueError, ONES),
    "probability-short": ("probability", ValueError, np.ones(P - 1)),
    "probability-negative": ("probability", ValueError, np.array([1.0, 1.0, -1.0])),
    "probability-nan": ("probability", ValueError, np.array([1.0, 1.0, NAN])),
    "probability-infinite": ("probability", ValueError, np.array([1.0, 1.0, INF])),
}


@pytest.mark.parametrize("case", GROWING)
def test_what_a_tree_is_grown_with_is_checked(case: str) -> None:
    name, error, value = GROWING[case]
    grower = make(weighted=True)
    with pytest.raises(error, match=name):
        grower.grow(**wishes(**{name: value}))
    # It is as good as before.
    assert same(grower.grow(**wishes()), make(weighted=True).grow(**wishes()))


@pytest.mark.parametrize("value", [np.ones(N - 1), with_item(ONES, NAN), with_item(ONES, -INF), np.ones(N, np.float32)])
def test_responses_are_checked(value: np.ndarray) -> None:
    with pytest.raises((TypeError, ValueError), match="response"):
        make("numbers").grow(**wishes(response=value))


def test_weights_need_a_grower_for_weights() -> None:
    with pytest.raises(ValueError, match=r"row_weight.*weighted=True"):
        make().grow(**wishes(row_weight=ONES))


def test_weights_of_rows_in_the_bag_count() -> None:
    count = (np.arange(N) < 4).astype(np.int32)
    with pytest.raises(ValueError, match="row_weight: no row of the bag"):
        make(weighted=True).grow(**wishes(count=count, row_weight=1.0 - count))


def test_what_may_be_read_only_is() -> None:
    given = {name: read_only(value) for name, value in arguments().items() if isinstance(value, np.ndarray)}
    count = np.ones(N, np.int32)
    tree = TreeGrower(**arguments(**given)).grow(**wishes(count=read_only(count.copy())))
    assert same(tree, make().grow(**wishes(count=count)))


def test_columns_of_a_sparse_matrix() -> None:
    dense = np.asfortranarray(
        np.random.default_rng(2).standard_normal((N, P)) * (np.arange(N * P).reshape(N, P) % 3 == 0)
    )
    at = np.flatnonzero(dense.T)
    start = np.concatenate([[0], np.count_nonzero(dense, axis=0).cumsum()])
    sparse = SparseColumns(dense.T.ravel()[at], (at % N).astype(np.int32), start, (N, P))
    assert np.array_equal(sparse.dense(np.array([2, 0])), dense[:, [2, 0]])
    numbers = {"ncat": np.ones(P, np.int32)}
    assert same(make(x=sparse, **numbers).grow(**wishes()), make(x=dense, **numbers).grow(**wishes()))
    with pytest.raises(ValueError, match="ncat: the columns of a sparse matrix are"):
        make(x=sparse)
    sparse.values[1] = INF
    with pytest.raises(ValueError, match="x: a number is infinite"):
        make(x=sparse, **numbers)


def test_changes_of_the_arrays_after_the_call_do_not_matter() -> None:
    given = arguments()
    grower = TreeGrower(**given)
    for name in ("ncat", "y", "coef_reg"):
        given[name][:] = 77
    assert same(grower.grow(**wishes()), make().grow(**wishes()))


def test_an_error_leaves_used_as_it_was() -> None:
    used = np.array([0, 1, 0], np.int32)
    with pytest.raises(ValueError, match="seed"):
        make().grow(used, seed=-1)
    assert used.tolist() == [0, 1, 0]


def test_a_grower_is_not_pickled() -> None:
    with pytest.raises(TypeError):
        pickle.dumps(make())


# ---- memory --------------------------------------------------------------------------------------

# Each of these wrote or read beyond an array before it was checked, and ended the process or not, as it fell.
CRASHES = [
    "max_nodes=4",
    "y=y[:2].copy()",
    "ncat=ncat[:1].copy()",
    "y=y + 1_000_000",
    "ncat=ncat + 1, x=x * 1e6",
]
SCRIPT = """
import sys
import numpy as np
from pyrrf._core import TreeGrower
n, p = 2000, 40
x = np.random.default_rng(1).standard_normal((n, p))
ncat, y = np.ones(p, np.int32), (x[:, 0] > 0).astype(np.int32)
for changes in sys.argv[1:]:
    given = dict(x=x, ncat=ncat, y=y, nclass=2, mtry=5, coef_reg=np.ones(p)) | eval(f"dict({changes})")
    try:
        grower = TreeGrower(**given)
        for stream in range(50):
            grower.grow(np.zeros(p, np.int32), seed=1, stream=stream)
    except ValueError:
        print("refused:", changes, flush=True)
"""


def test_memory_is_safe() -> None:
    """One process for all, which the first that is not safe ends: what it has printed says which."""
    # An environment in which glibc looks at the heap.
    told = {**os.environ, "MALLOC_CHECK_": "3", "MALLOC_PERTURB_": "165"}
    call = [sys.executable, "-c", SCRIPT, *CRASHES]
    ran = subprocess.run(call, capture_output=True, text=True, env=told, check=False)
    assert ran.stdout.splitlines() == [f"refused: {changes}" for changes in CRASHES], ran.stderr
    assert ran.returncode == 0, ran.stderr


# ---- threads -------------------------------------------------------------------------------------


def big(n: int = 3000, p: int = 40) -> tuple[TreeGrower, int]:
    x = np.random.default_rng(2).standard_normal((n, p))
    y = (x[:, 0] + x[:, 1] > 0).astype(np.int32)
    return TreeGrower(x, np.ones(p, np.int32), y, 2, mtry=10, coef_reg=np.ones(p)), p


def same(one: GrownTree, other: GrownTree) -> bool:
    return equal_parts(one, other)


def test_two_threads_do_not_grow_with_one_grower() -> None:
    """A thread that comes second is refused; every tree that is grown is the one that a single thread grows."""
    grower, p = big()
    alone = [grower.grow(np.zeros(p, np.int32), seed=1, stream=stream) for stream in range(40)]
    refused, wrong = [], []

    def work(first: int) -> None:
        for stream in range(first, 40, 2):
            try:
                tree = grower.grow(np.zeros(p, np.int32), seed=1, stream=stream)
            except RuntimeError as error:
                refused.append(str(error))
            else:
                wrong.extend([] if same(tree, alone[stream]) else [stream])

    for _ in range(50):
        threads = [threading.Thread(target=work, args=(first,)) for first in (0, 1)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if refused:
            break
    assert wrong == []
    assert refused
    assert "one per thread" in refused[0]
    # The one that was refused did not stop the grower for good.
    assert same(grower.grow(np.zeros(p, np.int32), seed=1, stream=0), alone[0])


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers on this platform")
def test_a_signal_handler_does_not_grow_with_the_grower_that_it_interrupts() -> None:
    grower, p = big(20000)
    heard: list[str] = []

    def handler(*_: Any) -> None:
        try:
            grower.grow(np.zeros(p, np.int32), seed=2)
        except RuntimeError as error:
            heard.append(str(error))

    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.002, 0.002)
        for stream in range(200):
            grower.grow(np.zeros(p, np.int32), seed=1, stream=stream)
            if heard:
                break
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert heard
