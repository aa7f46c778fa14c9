"""predict() of rows that do not fit into memory: memory maps without a copy, batches as one table."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from pyrrf.data.predictors import read_predictors
from pyrrf.result import predict as module
from tests.refusals import refused

DRAW = np.random.default_rng(1)
X = DRAW.standard_normal((300, 6)).astype(np.float32)
NEW = DRAW.standard_normal((301, 6)).astype(np.float32)
RESPONSES: dict[str, Any] = {
    "classes": np.where(X[:, 0] + X[:, 1] > 0, "high", "low"),
    "numbers": X[:, 0] + DRAW.random(300),
}
FITS = [(engine, kind) for engine in ("r", "parallel") for kind in RESPONSES]


def make(engine: str, kind: str, x: Any = X, **options: Any) -> Any:
    """A fit of an even number of trees, so that votes tie."""
    return pyrrf.RRF(x, RESPONSES[kind], ntree=6, seed=1, engine=engine, **options)


def predict(fit: Any, new: Any, **options: Any) -> Any:
    """The prediction, with the draws for ties from one state."""
    pyrrf.set_seed(3)
    return pyrrf.predict(fit, new, **options)


def types_of(kind: str) -> list[str]:
    return ["response", "prob", "vote"] if kind == "classes" else ["response"]


def assert_same(found: Any, wanted: Any) -> None:
    """The same bits, labels and types."""
    assert type(found) is type(wanted)
    assert found.equals(wanted)
    assert found.index.equals(wanted.index)
    if isinstance(wanted, pd.Series):
        assert found.dtype == wanted.dtype


def batches(new: Any = NEW) -> Iterator[Any]:
    """Batches of unequal size."""
    yield from (new[:100], new[100:101], new[101:])


# ---- memory maps ---------------------------------------------------------------------------------


def mapped(path: Path, array: np.ndarray, mode: Any = "r", order: Any = "C") -> np.memmap:
    """The array as a memory map of a file."""
    made = np.memmap(path / "new.bin", array.dtype, "w+", shape=array.shape, order=order)
    made[...] = array
    made.flush()
    return np.memmap(path / "new.bin", array.dtype, mode, shape=array.shape, order=order)


MAPS: dict[str, Callable[[Path], np.ndarray]] = {
    "read-only": lambda path: mapped(path, NEW),
    "copy on write": lambda path: mapped(path, NEW, mode="c"),
    "column by column": lambda path: mapped(path, NEW, order="F"),
    "doubles": lambda path: mapped(path, NEW.astype(np.float64)),
    "other byte order": lambda path: mapped(path, NEW.astype(">f4")),
    "every second row": lambda path: mapped(path, np.repeat(NEW, 2, axis=0))[::2],
    "backwards": lambda path: mapped(path, NEW[::-1].copy())[::-1],
    "some columns": lambda path: mapped(path, np.hstack([NEW, NEW]))[:, :6],
    "not aligned": lambda path: np.memmap(path / "odd.bin", "<f4", "r", 1, NEW.shape),
}


@pytest.mark.parametrize(("engine", "kind"), FITS)
@pytest.mark.parametrize("name", MAPS)
def test_a_memory_map_predicts_as_its_array(tmp_path: Path, engine: str, kind: str, name: str) -> None:
    (tmp_path / "odd.bin").write_bytes(b"\0" + NEW.astype("<f4").tobytes())
    new, fit = MAPS[name](tmp_path), make(engine, kind)
    for type_ in types_of(kind):
        assert_same(predict(fit, new, type=type_), predict(fit, NEW.astype(np.float64), type=type_))


@pytest.mark.parametrize("engine", ["r", "parallel"])
def test_a_memory_map_of_strings_is_refused(tmp_path: Path, engine: str) -> None:
    with refused("newdata", "type"):
        pyrrf.predict(make(engine, "classes"), mapped(tmp_path, np.full((4, 6), "a")))


def peak(call: Callable[[], Any]) -> int:
    """Most bytes that a call holds at a time."""
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(("engine", "kind"), FITS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_memory_map_is_not_copied(tmp_path: Path, engine: str, kind: str, dtype: Any) -> None:
    """A copy of x would take 12 or 24 megabytes; the answer takes 20 bytes a row at most."""
    new, fit = mapped(tmp_path, np.tile(NEW, (1700, 1)).astype(dtype)), make(engine, kind)
    assert peak(lambda: pyrrf.predict(fit, new)) < 20 * len(new) < new.nbytes


def test_missing_values_are_looked_for_a_part_at_a_time() -> None:
    """A flag for each value would take 25 megabytes."""
    new = np.tile(NEW, (14_000, 1))
    new[5, 2] = np.nan
    assert peak(lambda: read_predictors(new, "x", parallel=True)) < 6e6


@pytest.mark.parametrize(("engine", "kind"), FITS)
@pytest.mark.parametrize("dtype", [">f4", np.int8])
def test_an_array_of_another_type_is_converted_in_parts(
    monkeypatch: pytest.MonkeyPatch, engine: str, kind: str, dtype: Any
) -> None:
    new, fit = (100 * NEW).astype(dtype), make(engine, kind)
    wanted = predict(fit, new.astype(np.float64), nodes=True)
    monkeypatch.setattr(module, "_CONVERTED_AT_ONCE", 600)
    assert_same(predict(fit, new), wanted.predicted)
    assert_same(predict(fit, new, nodes=True).nodes, wanted.nodes)


def test_parts_of_an_array_take_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """As doubles x would take 29 megabytes."""
    new, fit = np.tile(NEW, (2000, 1)).astype(">f4"), make("parallel", "numbers")
    monkeypatch.setattr(module, "_CONVERTED_AT_ONCE", 60_000)
    assert peak(lambda: pyrrf.predict(fit, new)) < 4e7 - 8 * new.size // 2


# ---- batches -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("engine", "kind"), FITS)
def test_batches_predict_as_one_table(engine: str, kind: str) -> None:
    fit = make(engine, kind)
    for type_ in types_of(kind):
        assert_same(predict(fit, batches(), type=type_), predict(fit, NEW, type=type_))


@pytest.mark.parametrize(("engine", "kind"), FITS)
def test_the_draws_go_on_from_batch_to_batch(engine: str, kind: str) -> None:
    fit = make(engine, kind, quirks=False)
    predict(fit, NEW)
    after = pyrrf.runif(3)
    predict(fit, batches())
    np.testing.assert_array_equal(pyrrf.runif(3), after)


@pytest.mark.parametrize(("engine", "kind"), FITS)
def test_all_parts_but_proximity_come_in_batches(engine: str, kind: str) -> None:
    fit = make(engine, kind)
    found = predict(fit, batches(), predict_all=True, nodes=True)
    wanted = predict(fit, NEW, predict_all=True, nodes=True)
    for name in ("predicted", "individual", "nodes"):
        assert_same(getattr(found, name), getattr(wanted, name))
    with refused("proximity", "unsupported"):
        pyrrf.predict(fit, batches(), proximity=True)


def test_chunks_of_a_file_keep_their_labels(tmp_path: Path) -> None:
    frame = pd.DataFrame(NEW, columns=list("abcdef")).astype(np.float64)
    frame.to_csv(tmp_path / "new.csv", index=False)
    fit = make("parallel", "classes", pd.DataFrame(X, columns=list("abcdef")))
    read = pd.read_csv(tmp_path / "new.csv")
    assert_same(predict(fit, pd.read_csv(tmp_path / "new.csv", chunksize=100)), predict(fit, read))
    named = read.set_index(pd.Index([f"row {i}" for i in range(len(read))]))
    assert_same(predict(fit, (named[at : at + 50] for at in range(0, 301, 50))), predict(fit, named))


def test_batches_of_arrow_predict_as_one_table() -> None:
    pa = pytest.importorskip("pyarrow")
    fit = make("parallel", "classes", pd.DataFrame(X, columns=list("abcdef")))
    table = pa.table(dict(zip("abcdef", NEW.T, strict=True)))
    stream = pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=90))
    assert_same(predict(fit, stream), predict(fit, table))
    assert_same(predict(fit, iter(table.to_batches(max_chunksize=90))), predict(fit, table))


def test_batches_of_a_formula() -> None:
    frame = pd.DataFrame(X, columns=list("abcdef")).assign(y=RESPONSES["numbers"])
    fit = pyrrf.RRF("y ~ a + b:c + log(abs(d) + 1)", data=frame, ntree=4, seed=1)
    new = pd.DataFrame(NEW, columns=list("abcdef"))
    assert_same(predict(fit, (new[at : at + 70] for at in range(0, 301, 70))), predict(fit, new))


def test_one_batch_is_held_at_a_time() -> None:
    """All of them would take 24 megabytes."""
    fit = make("parallel", "numbers")
    made = (np.tile(NEW, (10, 1)).astype(np.float64) for _ in range(170))
    assert peak(lambda: pyrrf.predict(fit, made)) < 1.6e7


BAD: dict[str, tuple[Callable[[], Iterator[Any]], str, str]] = {
    "none": (lambda: iter([]), "newdata", "empty"),
    "other columns": (lambda: iter([NEW, NEW[:, :5]]), "batch", "columns"),
    "no rows": (lambda: iter([NEW, NEW[:0], NEW]), "batch", "empty"),
    "names": (lambda: iter("ab"), "batch", "type"),
    "numbers": (lambda: iter([1.0]), "batch", "shape"),
    "infinite": (lambda: iter([NEW, NEW + np.inf]), "batch", "infinite"),
}


@pytest.mark.parametrize(("engine", "kind"), FITS)
@pytest.mark.parametrize("name", BAD)
def test_a_bad_batch_is_refused_by_its_number(engine: str, kind: str, name: str) -> None:
    """What the batches before it have drawn is taken back."""
    give, argument, code = BAD[name]
    fit = make(engine, kind, quirks=False)
    pyrrf.set_seed(5)
    with refused(argument, code):
        pyrrf.predict(fit, give())
    after = pyrrf.runif(2)
    pyrrf.set_seed(5)
    np.testing.assert_array_equal(after, pyrrf.runif(2))
