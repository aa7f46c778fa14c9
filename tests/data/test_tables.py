"""Tables and columns of other libraries; what is said of strings and whole numbers."""

from __future__ import annotations

import importlib
import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from pyrrf.data.tables import _from_polars

N = 60
FRAME = pd.DataFrame({"u": np.arange(N) * 7 % 31 / 31.0, "kind": pd.Categorical(np.resize(["a", "b", "c"], N))})
Y = pd.Categorical(np.where(FRAME["u"] > 0.5, "big", "small"))


def votes(x: Any, y: Any = Y, **options: Any) -> Any:
    return np.nan_to_num(pyrrf.RRF(x, y, ntree=5, seed=1, **options).votes.to_numpy(), nan=-1.0).tolist()


def polars_table() -> Any:
    polars = importlib.import_module("polars")
    kinds = polars.Series("kind", FRAME["kind"].tolist(), dtype=polars.Categorical)
    return polars.DataFrame({"u": FRAME["u"].to_numpy(), "kind": kinds})


def arrow_table() -> Any:
    return importlib.import_module("pyarrow").Table.from_pandas(FRAME)


class Stream:
    """Anything that gives its columns by Arrow's protocol."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return arrow_table().__arrow_c_stream__(requested_schema)


TABLES = {
    "polars": polars_table,
    "arrow": arrow_table,
    "arrow batch": lambda: arrow_table().to_batches()[0],
    "arrow stream": lambda: arrow_table() and Stream(),
    "arrow columns": lambda: arrow_table().to_pandas(types_mapper=pd.ArrowDtype),
}


@pytest.mark.parametrize("engine", ["r", "parallel"])
@pytest.mark.parametrize("name", TABLES)
def test_tables_of_other_libraries_are_read(name: str, engine: str) -> None:
    table = TABLES[name]()
    assert votes(table, engine=engine) == votes(FRAME, engine=engine)


@pytest.mark.parametrize("name", TABLES)
def test_they_serve_as_new_data_and_in_formulas(name: str) -> None:
    fit, table = pyrrf.RRF(FRAME, Y, ntree=5, seed=1), TABLES[name]()
    assert pyrrf.predict(fit, table).tolist() == pyrrf.predict(fit, FRAME).tolist()
    by_formula = pyrrf.RRF("kind ~ u", table, ntree=5, seed=1)
    assert by_formula.votes.equals(pyrrf.RRF("kind ~ u", FRAME, ntree=5, seed=1).votes)


def test_dictionaries_of_parts_are_joined() -> None:
    arrow = importlib.import_module("pyarrow")
    parts = [arrow.array(part).dictionary_encode() for part in (["a", "b"] * 15, ["c", "b"] * 15)]
    column = pd.Series(arrow.chunked_array(parts), dtype=pd.ArrowDtype(parts[0].type))
    plain = pd.Categorical(["a", "b"] * 15 + ["c", "b"] * 15)
    assert votes(FRAME.assign(kind=column)) == votes(FRAME.assign(kind=plain))
    assert pyrrf.RRF(FRAME[["u"]], column, ntree=2).classes == ["a", "b", "c"]


def test_structured_arrays_are_tables() -> None:
    table = np.zeros(N, dtype=[("u", ">f8"), ("v", "i4")])
    table["u"], table["v"] = FRAME["u"], np.arange(N) % 5
    assert votes(table) == votes(pd.DataFrame({"u": FRAME["u"], "v": np.arange(N) % 5}))


class Seen:
    """What was looked for on the import path, and not found."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def find_spec(self, name: str, *_: Any) -> None:
        self.names.append(name)
        raise ModuleNotFoundError(name)


def test_no_library_is_imported_for_what_is_not_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    table = pd.DataFrame({"a": [1.0, 2.0, 3.0]})
    pyrrf.RRF(table, ["a", "b", "a"], ntree=2)  # what the tests ask of a fit of this kind imports more
    for name in [name for name in sys.modules if name.partition(".")[0] in ("polars", "pyarrow")]:
        monkeypatch.delitem(sys.modules, name)
    seen = Seen()
    monkeypatch.setattr(sys, "meta_path", [seen])
    pyrrf.RRF(table, ["a", "b", "a"], ntree=2)
    assert seen.names == []


class NeedsMore:
    """A table that cannot convert itself."""

    def to_pandas(self) -> pd.DataFrame:
        raise ModuleNotFoundError("No module named 'pyarrow'", name="pyarrow")


def test_what_cannot_convert_itself_says_what_to_install() -> None:
    with pytest.raises(ImportError, match=r"x is a NeedsMore.*pip install"):
        pyrrf.RRF(NeedsMore(), Y)


WITHOUT_PYARROW = """
import sys
sys.modules["pyarrow"] = None
import polars, pyrrf
from pyrrf.sklearn import RRFClassifier
table = polars.DataFrame({
    "u": [0.1 * i for i in range(20)],
    "k": polars.Series(["b", "a"] * 10, dtype=polars.Categorical),
    "e": polars.Series(["x", "y"] * 10, dtype=polars.Enum(["y", "x"])),
    "i": [*range(20)],
    "t": [True, False] * 10,
})
y = ["low"] * 10 + ["high"] * 10
try:
    table.to_pandas()
except ImportError:
    fit = pyrrf.RRF(table, polars.Series(y), ntree=5, seed=1)
    assert [[level for level in fit.forest.coded[at].levels] for at in (1, 2)] == [["b", "a"], ["y", "x"]]
    by_formula = pyrrf.RRF("k ~ u + e + i", table, ntree=5, seed=1)
    assert by_formula.classes == ["b", "a"]
    print(len(pyrrf.predict(fit, table)), len(RRFClassifier(n_estimators=5).fit(table, y).predict(table)))
"""


def test_polars_needs_no_pyarrow() -> None:
    importlib.import_module("polars")
    done = subprocess.run([sys.executable, "-c", WITHOUT_PYARROW], capture_output=True, text=True)
    assert done.stdout.split() == ["20", "20"], done.stderr


def test_polars_without_pyarrow_gives_the_same_table() -> None:
    polars = importlib.import_module("polars")
    table = polars.DataFrame(
        {
            "numbers": [1.5, None, 2.0],
            "whole": [1, 2, None],
            "single": polars.Series([1.0, 2.0, 3.0], dtype=polars.Float32),
            "flags": [True, None, False],
            "words": ["a", None, "b"],
            "kinds": polars.Series(["b", "a", None], dtype=polars.Categorical),
            "ranks": polars.Series(["b", "a", None], dtype=polars.Enum(["z", "b", "a"])),
            "nothing": [None, None, None],
        }
    )
    for part in (table, table[::-1], table[1:]):
        pd.testing.assert_frame_equal(_from_polars(part), part.to_pandas())


# ---- what is said --------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"quirks": False}, {"engine": "parallel"}], ids=["r", "no quirks", "parallel"])
def test_predict_does_not_speak_of_codes_where_strings_match(options: dict[str, Any]) -> None:
    words = FRAME.assign(kind=FRAME["kind"].astype(object))
    with pytest.warns(UserWarning, match="string column"):
        fit = pyrrf.RRF(words, Y, ntree=5, seed=1, **options)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(pyrrf.predict(fit, words)) == N


def whole(k: int, n: int = 200) -> np.ndarray:
    return np.resize(np.arange(k), n)


SPOKEN: dict[str, tuple[Any, str]] = {
    "ten classes": (whole(10), "10 different whole numbers"),
    "a tenth of the rows": (whole(20), "20 different whole numbers"),
    "a type with missing values": (pd.array(whole(10), dtype="Int64"), "10 different whole numbers"),
    "objects": (whole(10).astype(object), "10 different whole numbers"),
    "five": (whole(5), "five or fewer"),
    "five fractions": (whole(5) + 0.5, "five or fewer"),
}
UNSPOKEN = {
    "more than a tenth": whole(21),
    "more than a factor has": whole(33, 400),
    "floats": whole(10).astype(float),
    "fractions": whole(10) / 4,
}


def regression(y: Any) -> Any:
    return pyrrf.RRF(np.arange(len(y), dtype=float)[:, np.newaxis], y, ntree=2, seed=1)


@pytest.mark.parametrize("name", SPOKEN)
def test_numbers_that_may_be_classes_bring_a_warning(name: str) -> None:
    y, message = SPOKEN[name]
    with pytest.warns(UserWarning, match=message):
        fit = regression(y)
    assert fit.type == "regression"


@pytest.mark.parametrize("name", UNSPOKEN)
def test_other_numbers_do_not(name: str) -> None:
    assert regression(UNSPOKEN[name]).type == "regression"
