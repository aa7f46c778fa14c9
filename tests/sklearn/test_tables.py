"""Tables of all libraries in the forests and selectors: names survive, and the answers are those of plain pandas."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_wine

from pyrrf.sklearn import (
    GRRFSelector,
    GRRFSelectorCV,
    RRFClassifier,
    RRFRegressor,
    StabilitySelector,
    grrf_path,
)
from tests.refusals import refused

WINE, WINE_Y = load_wine(return_X_y=True, as_frame=True)
CLASSES = np.array(["barolo", "grignolino", "barbera"])[WINE_Y]
# The category that comes first in the rows is the first in the alphabet: polars orders by rows.
COLOUR = pd.Categorical(np.where(CLASSES == "barbera", "light", "dark"))
PLAIN = WINE[["alcohol", "flavanoids", "hue"]].assign(rows=np.arange(len(WINE)) % 7, colour=COLOUR)
FEW: dict[str, Any] = {"n_estimators": 10, "random_state": 5}
SMALL: dict[str, Any] = {"guide": 10, **FEW}
KEEPING: dict[str, Any] = {"gamma": 1.0, "forest": RRFClassifier(max_features=None), **SMALL}
GAIN: dict[str, Any] = {"gamma": 1.0, "forest": RRFClassifier(max_features=None, penalty="gain"), **FEW}


class Capsule:
    """A table that only hands over a stream of Arrow."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._table.__arrow_c_stream__(requested_schema)


def as_kind(kind: str, frame: pd.DataFrame) -> Any:
    """A table of pandas as another kind of table."""
    if kind == "polars":
        return pytest.importorskip("polars").from_pandas(frame)
    if kind in ("pyarrow", "capsule"):
        table = pytest.importorskip("pyarrow").Table.from_pandas(frame, preserve_index=False)
        return table if kind == "pyarrow" else Capsule(table)
    if kind == "arrow":
        pytest.importorskip("pyarrow")
        return frame.convert_dtypes(dtype_backend="pyarrow")
    assert kind == "nullable"
    return frame.convert_dtypes().astype({"alcohol": "Float64"})


KINDS = ["nullable", "arrow", "polars", "pyarrow", "capsule"]
FITTED = {
    "classes": (RRFClassifier(8, random_state=5), CLASSES),
    "classes, r": (RRFClassifier(8, engine="r", random_state=5), CLASSES),
    "numbers": (RRFRegressor(8, random_state=5), WINE["proline"]),
    "selector": (GRRFSelector(**KEEPING), CLASSES),
    "chosen": (GRRFSelectorCV(gammas=2, cv=2, nested=False, **SMALL), CLASSES),
    "stable": (
        StabilitySelector(GRRFSelector(**SMALL), n_pairs=2, threshold=0.5, n_removals=1, random_state=5),
        CLASSES,
    ),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", FITTED)
def test_the_answer_of_plain_pandas(name: str, kind: str) -> None:
    estimator, y = FITTED[name]
    table = as_kind(kind, PLAIN)
    expected, found = clone(estimator).fit(PLAIN, y), clone(estimator).fit(table, y)
    assert found.feature_names_in_.tolist() == PLAIN.columns.tolist()
    np.testing.assert_array_equal(found.support_, expected.support_)
    if name == "stable":
        np.testing.assert_array_equal(found.selection_frequencies_, expected.selection_frequencies_)
        pd.testing.assert_frame_equal(found.substitutes_, expected.substitutes_)
    else:
        assert found.result_ == expected.result_
    answer = "predict" if hasattr(estimator, "predict") else "transform"
    np.testing.assert_array_equal(getattr(found, answer)(table), getattr(expected, answer)(PLAIN))


@pytest.mark.parametrize("kind", KINDS)
def test_a_path(kind: str) -> None:
    path = grrf_path(as_kind(kind, PLAIN), CLASSES, gammas=2, **SMALL)
    assert path.feature_names is not None
    assert path.feature_names.tolist() == PLAIN.columns.tolist()
    assert path.fits == grrf_path(PLAIN, CLASSES, gammas=2, **SMALL).fits


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_tables_come_out(kind: str, library: str) -> None:
    pytest.importorskip(library)
    table = as_kind(kind, PLAIN)
    selector = GRRFSelector(**KEEPING).set_output(transform=library).fit(table, CLASSES)
    kept = selector.get_feature_names_out().tolist()
    assert "colour" in kept
    assert 1 < len(kept) < 5
    found = selector.transform(table)
    assert type(found).__module__.startswith(library)
    assert list(found.columns) == kept
    for name in kept:
        assert found[name].to_numpy().tolist() == PLAIN[name].tolist()


@pytest.mark.parametrize("kind", ["nullable", "arrow"])
def test_types_of_pandas_stay(kind: str) -> None:
    table = as_kind(kind, PLAIN)
    selector = GRRFSelector(**KEEPING).set_output(transform="pandas").fit(table, CLASSES)
    found = selector.transform(table)
    pd.testing.assert_frame_equal(found, table[list(found.columns)])


# ---- without set_output ---------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_arrays_come_out(kind: str) -> None:
    table = as_kind(kind, PLAIN)
    selector = GRRFSelector(**KEEPING).fit(table, CLASSES)
    kept = selector.get_feature_names_out()
    assert "colour" in kept
    found = selector.transform(table)
    assert found.dtype == object
    assert found.tolist() == PLAIN[kept].to_numpy(object).tolist()
    # Where no category is kept, what is left out does not matter.
    numbers = GRRFSelector({"hue": 1.0, "rows": 1.0}, **GAIN).fit(table, CLASSES)
    found = numbers.transform(table)
    assert found.dtype == np.float64
    np.testing.assert_array_equal(found, PLAIN[["hue", "rows"]])


@pytest.mark.parametrize("kind", KINDS)
def test_missing_values_come_out_as_nan(kind: str) -> None:
    holes = PLAIN.copy()
    holes.loc[3, "hue"] = np.nan
    holes.loc[4, "colour"] = None
    table = as_kind(kind, holes)
    selector = GRRFSelector({"hue": 1.0, "colour": 1.0}, **GAIN).fit(table, CLASSES)
    assert selector.get_feature_names_out().tolist() == ["hue", "colour"]
    found = selector.transform(table)
    missing = pd.isna(found)
    assert np.argwhere(missing).tolist() == [[3, 0], [4, 1]]
    assert all(isinstance(value, float) for value in found[missing])
    assert selector.result_ == clone(selector).fit(holes, CLASSES).result_


def test_nothing_kept_of_a_table_of_categories() -> None:
    # The guide takes the constant for important, and the gains of the others count nothing.
    frame = PLAIN.assign(rows=1)
    selector = GRRFSelector({"rows": 1.0}, **GAIN).fit(frame, CLASSES)
    with pytest.warns(UserWarning, match="No features were selected"):
        assert selector.transform(frame).shape == (len(PLAIN), 0)


def test_other_names_are_refused() -> None:
    selector = GRRFSelector(**KEEPING).fit(PLAIN, CLASSES)
    with pytest.raises(ValueError, match="feature names should match"):
        selector.transform(PLAIN.rename(columns={"hue": "tint"}))


@pytest.mark.parametrize("estimator", [RRFClassifier(2), StabilitySelector(GRRFSelector(**SMALL), n_pairs=1)], ids=str)
def test_a_name_that_stands_twice_is_refused(estimator: Any) -> None:
    twice = PLAIN.set_axis(["a", "b", "c", "b", "colour"], axis=1)
    with refused("X", "duplicate"):
        estimator.fit(twice, CLASSES)


def test_columns_of_pandas_that_are_sparse() -> None:
    sparse = PLAIN.assign(rows=pd.arrays.SparseArray(PLAIN["rows"], fill_value=0))
    assert GRRFSelector(**KEEPING).fit(sparse, CLASSES).result_ == GRRFSelector(**KEEPING).fit(PLAIN, CLASSES).result_
