"""The list of docs/input.md: what every kind of column means to the estimators and to the command, CSV and Parquet."""

from __future__ import annotations

import datetime
import decimal
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

from pyrrf.sklearn import (
    BorutaSelector,
    EliminationSelector,
    GRRFSelector,
    GRRFSelectorCV,
    RRFClassifier,
    RRFRegressor,
    StabilitySelector,
)
from tests.refusals import refused

pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")
runner = pytest.importorskip("typer.testing").CliRunner()

N = 60
HALF = np.arange(N) % 2
RANDOM = np.random.default_rng(1)
BASE = pd.DataFrame({"a": RANDOM.standard_normal(N) + HALF, "b": RANDOM.standard_normal(N)})
Y = np.where(HALF, "yes", "no")
WORDS = [("red", "green", "blue")[at // 2 % 3] for at in range(N)]
NAMES = [f"P{at:04d}" for at in range(N)]
DAYS = pd.date_range("2020-01-01", periods=N)
DATES = [day.date() for day in DAYS]
DECIMALS = [decimal.Decimal(int(one)) / 4 for one in HALF]


def objects(values: Any) -> pd.Series:
    return pd.Series(list(values), dtype=object)


def typed(values: Any, kind: Any) -> pd.Series:
    return pd.Series(values, dtype=pd.ArrowDtype(kind))


def dictionary() -> pd.Series:
    return pd.Series(pd.arrays.ArrowExtensionArray(pa.array(WORDS).dictionary_encode()))  # type: ignore[attr-defined]


# What the estimators say of each, and, where they differ, the file of the command.
READ, WORD = "", "hold words and become categories"
NAME, TIME, BYTES = "so it names rows", "holds dates or times; make numbers", "holds bytes; decode"
OTHER, COUNTS = "values, which are not read", "look like row numbers"
LEVELS = "has 60 categories in 60 rows"
COLUMNS: dict[str, tuple[Any, str]] = {
    "str": (pd.Series(WORDS, dtype="str"), WORD),
    "string": (pd.Series(WORDS, dtype="string"), WORD),
    "objects": (objects(WORDS), WORD),
    "words, one missing": (objects([None, *WORDS[1:]]), WORD),
    "polars String": (pl.Series(WORDS), WORD),
    "Arrow string": (pa.array(WORDS), WORD),
    "Arrow string in pandas": (typed(WORDS, pa.string()), WORD),
    "numbers as words": (objects(str(at % 7 / 2) for at in range(N)), WORD),
    "category": (pd.Categorical(WORDS), READ),
    "ordered category": (pd.Categorical(WORDS, ordered=True), READ),
    "category of numbers": (pd.Categorical(HALF), READ),
    "polars Categorical": (pl.Series(WORDS, dtype=pl.Categorical), READ),
    "polars Enum": (pl.Series(WORDS, dtype=pl.Enum(["red", "green", "blue"])), READ),
    "Arrow dictionary": (pa.array(WORDS).dictionary_encode(), READ),
    "Arrow dictionary in pandas": (dictionary(), READ),
    "bool": (HALF > 0, READ),
    "boolean": (pd.Series(HALF > 0, dtype="boolean").mask(pd.Series(HALF == 0)), READ),
    "booleans as objects": (objects([None, *(HALF > 0)[1:].tolist()]), READ),
    "polars Boolean": (pl.Series(HALF > 0), READ),
    "Int64": (pd.Series(HALF, dtype="Int64").mask(pd.Series(np.arange(N) == 3)), READ),
    "Float64": (pd.Series(HALF * 1.5, dtype="Float64"), READ),
    "Arrow int64 in pandas": (typed(HALF, pa.int64()), READ),
    "numbers as objects": (objects(HALF.tolist()), READ),
    "decimals": (objects(DECIMALS), READ),
    "decimals, one missing": (objects([None, *DECIMALS[1:]]), READ),
    "polars Decimal": (pl.Series(DECIMALS), READ),
    "Arrow decimal": (pa.array(DECIMALS), READ),
    "Arrow decimal in pandas": (typed(DECIMALS, pa.decimal128(5, 2)), READ),
    "all None": (objects([None] * N), READ),
    "all missing words": (pd.Series([None] * N, dtype="str"), READ),
    "all missing in a type of dates": (pd.Series([None] * N, dtype="datetime64[ns]"), TIME),
    "all NaN": (np.full(N, np.nan), READ),
    "Arrow null in pandas": (typed([None] * N, pa.null()), READ),
    "polars Null": (pl.Series([None] * N), READ),
    "row numbers": (np.arange(N), COUNTS),
    "identifiers": (objects(NAMES), NAME),
    "identifiers, some of them twice": (objects([*NAMES[:50], *NAMES[:10]]), NAME),
    "polars identifiers": (pl.Series(NAMES), NAME),
    "identifiers as a category": (pd.Categorical(NAMES), LEVELS),
    "datetime": (DAYS, TIME),
    "datetime of a zone": (DAYS.tz_localize("UTC"), TIME),
    "dates": (objects(DATES), TIME),
    "times": (objects(datetime.time(at % 24) for at in range(N)), TIME),
    "period": (DAYS.to_period("D"), TIME),
    "timedelta": (DAYS - DAYS[0], TIME),
    "dates as words": (objects(map(str, DATES)), TIME),
    "few dates as words": (objects(f"{at % 3 + 1}/5/2024" for at in range(N)), TIME),
    "polars Date": (pl.Series(DATES), TIME),
    "polars Datetime": (pl.Series(list(DAYS.to_pydatetime())), TIME),
    "polars Duration": (pl.Series([datetime.timedelta(at) for at in range(N)]), TIME),
    "polars Time": (pl.Series([datetime.time(at % 24) for at in range(N)]), TIME),
    "Arrow date32": (pa.array(DATES), TIME),
    "interval": (pd.Series(pd.interval_range(0, N)), OTHER),
    "words and numbers": (objects(word if at % 2 else at for at, word in enumerate(WORDS)), OTHER),
    "lists": (objects([at] for at in range(N)), OTHER),
    "dicts": (objects({"u": at} for at in range(N)), OTHER),
    "polars List": (pl.Series([[at] for at in range(N)]), OTHER),
    "polars Struct": (pl.Series([{"u": at} for at in range(N)]), OTHER),
    "complex": (HALF + 1j, OTHER),
    "bytes": (objects(word.encode() for word in WORDS), BYTES),
    "polars Binary": (pl.Series([word.encode() for word in WORDS]), BYTES),
}
REFUSED = (NAME, TIME, OTHER, BYTES)
# As text, some are something else; None where the library writes none.
AS_TEXT: dict[str, str | None] = {
    **{name: WORD for name, (_, says) in COLUMNS.items() if "category" in name.lower() and says == READ},
    **dict.fromkeys(["polars Categorical", "polars Enum", "Arrow dictionary", "Arrow dictionary in pandas"], WORD),
    **dict.fromkeys(["category of numbers", "numbers as words", "all missing in a type of dates"], READ),
    **dict.fromkeys(["bytes", "complex"], WORD),
    **dict.fromkeys(["identifiers as a category", "timedelta", "interval", "lists", "dicts"], NAME),
    **dict.fromkeys(["polars Duration", "polars List", "polars Struct", "polars Binary"]),
    "words and numbers": "is numeric, but row 2 has 'red'",
}
# Arrow's dictionaries in pandas are not read back by pyarrow.
IN_PARQUET: dict[str, str | None] = dict.fromkeys(["words and numbers", "complex", "Arrow dictionary in pandas"])

FEW: dict[str, Any] = {"n_estimators": 5, "random_state": 1}
ESTIMATORS = [
    EliminationSelector(2, **FEW),
    RRFClassifier(**FEW),
    RRFRegressor(**FEW),
    GRRFSelector(5, **FEW),
    BorutaSelector(max_iter=8, **FEW),
    StabilitySelector(GRRFSelector(gamma=0.0, **FEW), n_pairs=2, threshold=0.5, n_removals=1, random_state=1),
]


def with_column(column: Any) -> Any:
    """A table of the column's library."""
    if isinstance(column, pl.Series):
        return pl.from_pandas(BASE).with_columns(column.alias("c"))
    if isinstance(column, pa.Array):
        return pa.table({"a": BASE["a"].to_numpy(), "b": BASE["b"].to_numpy(), "c": column})
    return BASE.assign(c=column)


def fitted(estimator: Any, x: Any) -> tuple[Any, list[str]]:
    """The estimator, fitted, and what it said of columns."""
    y = HALF + BASE["b"].to_numpy() if isinstance(estimator, RRFRegressor) else Y
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fit = clone(estimator).fit(x, y)
    return fit, [str(one.message) for one in caught if str(one.message).startswith("column")]


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("name", COLUMNS)
def test_the_list_in_the_estimators(name: str, estimator: Any) -> None:
    column, says = COLUMNS[name]
    x = with_column(column)
    library = type(x).__module__.partition(".")[0]
    if says in REFUSED:
        with pytest.raises((TypeError, ValueError), match=f"^column 'c' of X .*{says}.*drop it") as raised:
            clone(estimator).fit(x, Y if not isinstance(estimator, RRFRegressor) else HALF)
        assert "astype" not in str(raised.value) or library == "pandas"
        return
    fit, heard = fitted(estimator, x)
    assert len(heard) == (says != READ)
    assert [says in one for one in heard] == [True] * len(heard)
    assert not any("astype" in one for one in heard) or library == "pandas"
    assert fit.feature_names_in_.tolist() == ["a", "b", "c"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "No features were selected")
        answer = fit.predict(x) if hasattr(fit, "predict") else fit.transform(x)
    assert len(answer) == N


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("name", COLUMNS)
def test_the_list_in_the_command(name: str, ending: str, tmp_path: Path) -> None:
    from pyrrf.cli.app import app

    column, says = COLUMNS[name]
    expected = (AS_TEXT if ending == "csv" else IN_PARQUET).get(name, says)
    if expected is None:
        return
    at = write(with_column(column), tmp_path / f"t.{ending}")
    found = runner.invoke(app, ["select", at, "--target", "y", "--features", "2", "--trees", "5"])
    about = [line for line in found.stderr.splitlines() if "column" in line]
    assert len(about) == (expected != READ), found.stderr
    assert [expected in line for line in about] == [True] * len(about)
    refused = expected in REFUSED or expected.startswith("is numeric, but")
    assert found.exit_code == (3 if refused else 0)
    assert not refused or "to go on, correct the file, or add --" in found.stderr


def write(x: Any, at: Path) -> str:
    """Write a table with a target by its own library; return where."""
    csv = at.suffix == ".csv"
    if isinstance(x, pl.DataFrame):
        table = x.with_columns(pl.Series("y", Y.tolist()))
        table.write_csv(at) if csv else table.write_parquet(at)
    elif isinstance(x, pa.Table):
        import pyarrow.csv
        import pyarrow.parquet

        (pyarrow.csv.write_csv if csv else pyarrow.parquet.write_table)(x.append_column("y", pa.array(Y.tolist())), at)
    else:
        frame = x.assign(y=Y)
        frame.to_csv(at, index=False) if csv else frame.to_parquet(at)
    return str(at)


# ---- fit and predict agree -----------------------------------------------------------------------

FRAME = BASE.assign(c=WORDS, d=[("u", "v")[at % 2] for at in range(N)])
TYPED = FRAME.astype({"c": "category", "d": "category"})
FITTED = [*ESTIMATORS, GRRFSelectorCV(gammas=2, cv=2, nested=False, **FEW), EliminationSelector(cv=2, **FEW)]


@pytest.mark.filterwarnings("ignore:selected feature.* have a negative credit")
@pytest.mark.parametrize("estimator", FITTED, ids=lambda one: type(one).__name__)
def test_words_are_the_categories_that_pandas_makes_of_them(estimator: Any) -> None:
    by_words, heard = fitted(estimator, FRAME)
    by_type, silent = fitted(estimator, TYPED)
    assert (silent, len(heard)) == ([], 1)
    assert heard[0].startswith("column(s) 'c', 'd' of X hold words")
    if isinstance(estimator, RRFClassifier | RRFRegressor):
        assert by_words.result_ == by_type.result_
        np.testing.assert_array_equal(by_words.predict(FRAME), by_type.predict(TYPED))
        np.testing.assert_array_equal(by_words.predict(TYPED), by_type.predict(FRAME))
    else:
        np.testing.assert_array_equal(by_words.support_, by_type.support_)
        assert by_words.transform(FRAME).tolist() == by_type.transform(TYPED).tolist()
        assert by_words.get_feature_names_out().tolist() == FRAME.columns[by_words.support_].tolist()


@pytest.mark.parametrize("missing", [False, True])
def test_a_word_that_the_fit_has_not_seen_is_missing(missing: bool) -> None:
    seen = FRAME.assign(c=[None, *WORDS[1:]]) if missing else FRAME
    forest, _ = fitted(RRFClassifier(**FEW), seen)
    new = seen.head(12)
    for other in (new.assign(c="pink"), new.assign(c=pd.Categorical(["pink"] * 12, ["pink", "red"]))):
        with pytest.warns(UserWarning, match="'c' of X has values that no row of the"):
            found = forest.predict_proba(other)
        np.testing.assert_array_equal(found, forest.predict_proba(new.assign(c=None)))
    # Levels that no row has are nothing to warn of.
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        forest.predict(new.assign(c=pd.Categorical(new["c"], ["blue", "green", "pink", "red"])))


def test_engine_r_refuses_what_it_cannot_place() -> None:
    forest, _ = fitted(RRFClassifier(engine="r", **FEW), FRAME)
    with refused("X", "levels"):
        forest.predict(FRAME.assign(c="pink"))
    with pytest.raises(ValueError, match=r"missing values in column\(s\) 'c'"):
        RRFClassifier(engine="r", **FEW).fit(TYPED.assign(c=TYPED["c"].where(np.arange(N) > 0)), Y)


@pytest.mark.filterwarnings("ignore:column", "ignore:selected feature.* have a negative credit")
def test_words_in_folds_and_pipelines() -> None:
    """A word of few rows is in the training part of some folds alone."""
    rare = FRAME.assign(c=["rare" if at in (3, 40) else word for at, word in enumerate(WORDS)])
    assert np.isfinite(cross_val_score(RRFClassifier(**FEW), rare, Y, cv=5, error_score="raise")).all()
    steps = make_pipeline(EliminationSelector(2, **FEW).set_output(transform="pandas"), RRFClassifier(**FEW))
    assert np.isfinite(cross_val_score(steps, rare, Y, cv=5, error_score="raise")).all()
    assert steps.fit(rare, Y).predict(rare).shape == (N,)


@pytest.mark.parametrize("words", [True, False], ids=["with words", "numbers alone"])
def test_what_is_no_number_in_new_rows(words: bool) -> None:
    """scikit-learn makes numbers of dates, bytes and text where all columns of the fit were numbers."""
    x = FRAME if words else BASE
    forest, _ = fitted(RRFClassifier(**FEW), x)
    with pytest.raises(TypeError, match="column 'a' of X holds dates or times"):
        forest.predict(pl.from_pandas(x.assign(a=DAYS)))
    with pytest.raises(TypeError, match="column 'a' of X holds dates or times"):
        forest.predict(x.assign(a=DAYS, b=DAYS))
    with pytest.raises(TypeError, match="column 'b' of X holds bytes"):
        forest.predict(x.assign(b=objects([b"1"] * N)))
    with refused("X", "type"):
        forest.predict(x.assign(a=objects(["1.5"] * N)))
    missing = x.assign(a=x["a"].where(x["a"] < 0))
    as_objects = missing.assign(a=objects(missing["a"]).mask(missing["a"].isna(), pd.NA))
    np.testing.assert_array_equal(forest.predict_proba(as_objects), forest.predict_proba(missing))


@pytest.mark.parametrize("other", [True, False])
def test_categories_go_by_name_with_an_order_or_without(other: bool) -> None:
    x = FRAME.assign(c=pd.Categorical(WORDS, ["red", "green", "blue"], ordered=other))
    forest, _ = fitted(RRFClassifier(coef_reg=None, **FEW), x.drop(columns="d"))
    new = x.assign(c=pd.Categorical(WORDS, ["blue", "pink", "red", "green"], ordered=not other)).drop(columns="d")
    np.testing.assert_array_equal(forest.predict_proba(new), forest.predict_proba(x.drop(columns="d")))


def test_a_dictionary_that_pandas_does_not_hold() -> None:
    twice = pa.DictionaryArray.from_arrays(pa.array(HALF), pa.array(["u", "u"]))
    with refused("X", "type", ValueError):
        fitted(RRFClassifier(**FEW), with_column(twice))


def test_half_of_a_letter_in_a_name() -> None:
    with refused("X", "text"):
        fitted(EliminationSelector(1, **FEW), BASE.set_axis(pd.Index(["a", "\ud800"], dtype=object), axis=1))


@pytest.mark.parametrize("kind", [list, np.array], ids=["list", "array"])
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda one: type(one).__name__)
def test_words_of_arrays_are_categories(estimator: Any, kind: Any) -> None:
    x = [[one, word] for one, word in zip(BASE["a"], WORDS, strict=True)]
    fit, heard = fitted(estimator, x if kind is list else np.array(x, object))
    assert len(heard) == 1
    assert heard[0].startswith("column(s) 1 of X hold words and become categories")
    table, _ = fitted(estimator, pd.DataFrame(x))
    assert fit.support_.tolist() == table.support_.tolist()


@pytest.mark.parametrize(
    ("words", "refused"),
    [
        (["u", "v"], True),
        (["u", "u"], False),
        (["u", None], False),
        ([f"n{at}" for at in range(19)], True),
        ([*(f"n{at}" for at in range(18)), "n0"], False),
        ([*(f"n{at}" for at in range(11)), *["m"] * 9], True),
        ([*(f"n{at}" for at in range(10)), *["m"] * 10], False),
        ([*(f"n{at}" for at in range(11)), *["m"] * 9, *[None] * 30], True),
    ],
)
def test_which_words_name_rows(words: list[Any], refused: bool) -> None:
    from pyrrf.data.columns import kind_of, refusal

    column = pd.Series(words, dtype=object)
    assert (refusal(column, kind_of(column), "drop it") is not None) == refused


@pytest.mark.parametrize(
    ("text", "is_time"),
    [
        ("2024-05-31", True), ("2024/5/1", True), ("31.05.2024", True), ("5/31/2024", True), ("12:30", True),
        ("2024-05-31T12:30:01.5Z", True), (" 2024-05-31 12:30 ", True), ("12:30:01.25", True),
        ("2024", False), ("2024-05", False), ("2024-05/31", False), ("1.2.3", False), ("May", False), ("1:2", False),
        ("2024-05-31 late", False),
    ],
)  # fmt: skip
def test_which_words_are_dates(text: str, is_time: bool) -> None:
    from pyrrf.data.columns import kind_of

    assert kind_of(objects([text, None, text])) == ("dates or times" if is_time else "words")
    assert kind_of(objects([text, "x"])) == "words"


def test_levels_go_by_their_names_whatever_type_they_have() -> None:
    kinds = [TYPED, FRAME, FRAME.assign(c=pd.Categorical(WORDS, ["red", "green", "blue"], ordered=True))]
    kinds.append(pl.from_pandas(FRAME).with_columns(pl.col("c").cast(pl.Enum(["red", "green", "blue"]))))
    for x in kinds:
        forest, _ = fitted(RRFClassifier(**FEW), x)
        expected = forest.predict_proba(x)
        for other in kinds:
            np.testing.assert_array_equal(forest.predict_proba(other), expected)


def test_no_categories_were_asked_for() -> None:
    with refused("X", "type", ValueError):
        RRFClassifier(categorical_features=None, **FEW).fit(FRAME, Y)
