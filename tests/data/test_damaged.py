"""Tables whose index arrays, codes or offsets lead out of them: an error that names the argument, and no crash."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from pyrrf.data.tables import as_table
from tests.refusals import refused

scipy_sparse = pytest.importorskip("scipy.sparse")

X = np.where(np.random.default_rng(1).random((20, 6)) < 0.4, 2.0, 0.0)
Y = np.where(X[:, 0] + X[:, 1] > 1, "a", "b")


def put(part: str, place: int, value: Any) -> Callable[[Any], None]:
    """Return what writes a number into an index array."""

    def damage(matrix: Any) -> None:
        array = getattr(matrix, part).astype(np.int64)
        array[place] = value
        replace(matrix, part, array)

    return damage


def become(part: str, change: Callable[[Any], Any]) -> Callable[[Any], None]:
    """Return what puts another array in the place of one."""
    return lambda matrix: replace(matrix, part, change(getattr(matrix, part)))


def replace(matrix: Any, part: str, array: Any) -> None:
    if part in ("row", "col"):
        both = [matrix.row, matrix.col]
        both[part == "col"] = array
        matrix.coords = tuple(both)
    else:
        setattr(matrix, part, array)


def store(key: Any, value: Any = 1.0) -> Callable[[Any], None]:
    return lambda matrix: getattr(matrix, "_dict", matrix).__setitem__(key, value)


def item(row: int, columns: Any, values: Any) -> Callable[[Any], None]:
    def damage(matrix: Any) -> None:
        matrix.rows[row], matrix.data[row] = columns, values

    return damage


def shorter(array: Any) -> Any:
    return array[:-1]


DAMAGES: dict[str, list[Callable[[Any], None]]] = {
    layout: [
        put("indptr", 3, 10**6),
        put("indptr", 3, -5),
        put("indptr", -1, 2**40),
        put("indptr", 0, 1),
        put("indices", 2, -1),
        put("indices", 2, 20),
        put("indices", 2, 2**33),
        *[become(part, shorter) for part in ("indptr", "indices", "data")],
        become("indices", lambda array: array.astype(float)),
        become("indptr", lambda array: array.reshape(-1, 1)),
        become("indices", lambda array: array.astype(">i4")),
        become("data", lambda _: None),
        become("_shape", lambda shape: (shape[0] + 3, shape[1] + 3)),
    ]
    for layout in ("csc", "csr", "bsr")
}
DAMAGES |= {
    "coo": [put("row", 1, 20), put("row", 1, -1), put("col", 1, 6), become("col", shorter), become("data", shorter)],
    "dia": [become("offsets", shorter), become("offsets", lambda array: array * 0), become("data", np.ravel)],
    "lil": [
        item(1, [6], [1.0]),
        item(1, [1, 2], [1.0]),
        item(1, None, None),
        item(1, [1], ["w"]),
        item(1, [1.5], [1.0]),
    ],
    "dok": [store((20, 1)), store((1, -1)), store((1,)), store("ab"), store((1, 1), "w")],
}
CASES = [(layout, number) for layout, damages in DAMAGES.items() for number in range(len(damages))]


@pytest.mark.parametrize("kind", ["array", "matrix"])
@pytest.mark.parametrize(("layout", "number"), CASES)
def test_a_damaged_sparse_matrix_is_refused_before_scipy_reads_it(layout: str, number: int, kind: str) -> None:
    matrix = getattr(scipy_sparse, f"{layout}_{kind}")(X)
    DAMAGES[layout][number](matrix)
    with refused("x", "damaged"):
        pyrrf.RRF(matrix, Y, ntree=2, seed=1)


def test_the_check_changes_nothing() -> None:
    matrix = scipy_sparse.csc_array(X)
    matrix.indices, matrix.data = np.append(matrix.indices, 3), np.append(matrix.data, 9.0)
    before = matrix.indices, matrix.indptr, matrix.data
    as_table(matrix, "x")
    assert all(one is other for one, other in zip(before, (matrix.indices, matrix.indptr, matrix.data), strict=True))
    # What is stored behind the last column is none of it.
    assert pyrrf.RRF(matrix, Y, ntree=3, seed=1) == pyrrf.RRF(X, Y, ntree=3, seed=1)


def unsorted(matrix: Any) -> Any:
    """The rows of each column in the wrong order, and noted as sorted."""
    matrix.has_canonical_format = matrix.has_sorted_indices = True
    for start, end in zip(matrix.indptr[:-1], matrix.indptr[1:], strict=True):
        matrix.indices[start:end] = matrix.indices[start:end][::-1].copy()
        matrix.data[start:end] = matrix.data[start:end][::-1].copy()
    return matrix


def twice(matrix: Any) -> Any:
    """Each value in two halves, which are stored one after the other."""
    halves = type(matrix)((np.repeat(matrix.data / 2, 2), np.repeat(matrix.indices, 2), matrix.indptr * 2), X.shape)
    halves.has_canonical_format = True
    return halves


def read_only(matrix: Any) -> Any:
    for array in (matrix.data, matrix.indices, matrix.indptr):
        array.flags.writeable = False
    return matrix


def with_zeros(matrix: Any) -> Any:
    matrix = matrix.tocoo()
    row, col, data = np.append(matrix.row, [5, 5]), np.append(matrix.col, [5, 5]), np.append(matrix.data, [1.0, -1.0])
    return scipy_sparse.coo_array((data, (row, col)), X.shape)


def wide_indices(matrix: Any) -> Any:
    matrix.indices, matrix.indptr = matrix.indices.astype(np.int64), matrix.indptr.astype(np.int64)
    return matrix


@pytest.mark.parametrize("made", ["csc_array", "csr_array", "csr_matrix"])
@pytest.mark.parametrize("change", [unsorted, twice, read_only, with_zeros, wide_indices])
def test_unusual_matrices_are_read(change: Callable[[Any], Any], made: str) -> None:
    matrix = change(getattr(scipy_sparse, made)(X))
    expected = pyrrf.RRF(X, Y, ntree=4, seed=1, engine="parallel")
    assert pyrrf.RRF(matrix, Y, ntree=4, seed=1, engine="parallel") == expected


# ---- many, at random -------------------------------------------------------------------------------

MANY = """
import sys, warnings
import numpy as np, scipy.sparse, pyrrf, pyrrf.papers, pyrrf.sklearn
warnings.simplefilter("ignore")
x = np.where(np.random.default_rng(1).random((20, 6)) < 0.4, 2.0, 0.0)
y = np.where(x[:, 0] + x[:, 1] > 1, "a", "b")
fit = pyrrf.RRF(x, y, ntree=2, seed=1, keep_forest=True)
forest = pyrrf.sklearn.RRFClassifier(2, random_state=1).fit(x, y)
selector = pyrrf.sklearn.GRRFSelector(n_estimators=2, guide=5, random_state=1).fit(x, y)
stable = pyrrf.sklearn.StabilitySelector(selector, n_pairs=1, threshold=0.5, n_removals=0, random_state=1)
uses = [
    lambda x: pyrrf.RRF(x, y, ntree=2, seed=1), lambda x: pyrrf.RRF(x, y, ntree=2, seed=1, engine="parallel"),
    lambda x: pyrrf.predict(fit, x), lambda x: pyrrf.sklearn.RRFClassifier(2, random_state=1).fit(x, y),
    forest.predict, lambda x: selector.fit(x, y), selector.transform, selector.inverse_transform,
    lambda x: stable.fit(x, y), lambda x: pyrrf.papers.leverage_scores(x, 1, svd="randomized"),
]
refused = 0
for number in range(300):
    draw = np.random.default_rng([int(sys.argv[1]), number])
    layout = ("csc", "csr", "coo", "bsr")[draw.integers(4)]
    matrix = getattr(scipy.sparse, f"{layout}_array")(x)
    parts = {"row": matrix.row.copy(), "col": matrix.col.copy()} if layout == "coo" else {
        "indptr": matrix.indptr.copy(), "indices": matrix.indices.copy()}
    array = parts[[*parts][draw.integers(2)]]
    places = draw.integers(len(array), size=draw.integers(1, 3))
    array[places] = draw.choice([-1, -9, 6, 20, 10**6, 2**31 - 1, -(2**31)])
    if layout == "coo":
        matrix.coords = tuple(parts.values())
    else:
        matrix.indptr, matrix.indices = parts.values()
    for name in ("has_canonical_format", "has_sorted_indices"):
        if hasattr(type(matrix), name) and draw.random() < 0.5:
            setattr(matrix, name, True)
    try:
        uses[draw.integers(len(uses))](matrix)
    except ValueError:
        refused += 1
print(refused)
"""


def test_many_damaged_matrices_end_in_errors_and_no_crash() -> None:
    done = subprocess.run([sys.executable, "-c", MANY, "1"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout) > 250


# ---- columns of pandas and Arrow -------------------------------------------------------------------


def sparse_column() -> pd.Series:
    column = pd.Series(pd.arrays.SparseArray([0.0, 1, 0, 2, 0, 3], fill_value=0.0))
    column.array.sp_index.indices[1] = 10**6  # type: ignore[union-attr]
    return column


def sparse_blocks() -> pd.Series:
    column = pd.Series(pd.arrays.SparseArray([0.0, 1, 0, 2, 0, 3], fill_value=0.0, kind="block"))
    column.array.sp_index.blengths[1] = 10**6  # type: ignore[union-attr]
    return column


def category() -> pd.Series:
    words = pd.Categorical(list("uvuvuv"))
    words._ndarray[2] = 100  # type: ignore[attr-defined]
    return pd.Series(words)


def arrow_strings() -> pd.Series:
    pyarrow = pytest.importorskip("pyarrow")
    offsets = np.array([0, 1, 2, 10**9, 4, 5, 6])
    array = pyarrow.LargeStringArray.from_buffers(6, pyarrow.py_buffer(offsets.tobytes()), pyarrow.py_buffer(b"uvwuvw"))
    return pd.Series(pd.arrays.ArrowExtensionArray(pyarrow.chunked_array([array])))


def arrow_dictionary() -> pd.Series:
    pyarrow = pytest.importorskip("pyarrow")
    places = pyarrow.array([0, 1, 10**6, 0, 1, 0], pyarrow.int32())
    array = pyarrow.DictionaryArray.from_arrays(places, pyarrow.array(["u", "v"]), safe=False)
    return pd.Series(pd.arrays.ArrowExtensionArray(pyarrow.chunked_array([array])))


@pytest.mark.parametrize("damaged", [sparse_column, sparse_blocks, category, arrow_strings, arrow_dictionary])
def test_a_damaged_column_is_refused_by_its_name(damaged: Callable[[], pd.Series]) -> None:
    table = pd.DataFrame({"b": np.arange(6.0)})
    table["a"] = damaged()
    y = pd.Categorical(list("ababab"))
    with pytest.raises(ValueError, match=r"^column 'a' of x is damaged"):
        pyrrf.RRF(table, y, ntree=2, seed=1)
    with pytest.raises(ValueError, match=r"^y is damaged"):
        pyrrf.RRF(table[["b"]], table["a"], ntree=2, seed=1)


def test_a_damaged_table_of_arrow_is_refused() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({"a": arrow_strings().array.__arrow_array__(), "b": np.arange(6.0)})
    with pytest.raises(ValueError, match=r"^x is damaged"):
        pyrrf.RRF(table, pd.Categorical(list("ababab")), ntree=2, seed=1)
