"""What is written is read again as it was; R's own view of it is compared in parity/test_rds.py."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from pyrrf.rds import build, parsed
from pyrrf.rds.code import parse_call, parse_code
from pyrrf.rds.encode import encode
from pyrrf.rds.language import deparse
from pyrrf.unsupported_object import UnsupportedObject
from tests.refusals import refused


def back(value: Any, folder: Path) -> Any:
    pyrrf.write_rds(value, folder / "v.rds")
    return pyrrf.read_rds(folder / "v.rds")


@pytest.fixture(scope="module")
def d() -> pd.DataFrame:
    pyrrf.set_seed(5)
    x = pyrrf.runif(90).reshape(30, 3, order="F")
    return pd.DataFrame(
        {
            "a": x[:, 0],
            "b c": pd.Categorical(list("uvw") * 10, ["w", "v", "u"]),
            "o": pd.Categorical(["low", "high"] * 15, ["low", "high"], ordered=True),
            "n": x[:, 1],
            "y": pd.Categorical(np.where(x[:, 0] + x[:, 2] > 1, "yes", "no")),
        },
        index=[3 * i for i in range(30)],
    )


def few(**more: Any) -> dict[str, Any]:
    return {"ntree": 3, "maxnodes": 4, "seed": 1, **more}


FITS = {
    "classes": lambda d: pyrrf.RRF(d.drop(columns="y"), d["y"], **few(importance=True, keep_inbag=True)),
    "counts": lambda d: pyrrf.RRF(d[["a", "n"]].to_numpy(), d["y"], **few(norm_votes=False, proximity=True)),
    "numbers": lambda d: pyrrf.RRF(d[["a", "o"]], d["n"], **few(localImp=True, corr_bias=True)),
    "formula": lambda d: pyrrf.RRF("y ~ a + I(n^2) - o", d, **few()),
    "one column": lambda d: pyrrf.RRF("n ~ a", d, **few()),
    "empty labels": lambda d: pyrrf.RRF(
        d[["b c", "o"]].rename(columns={"o": "n"}).apply(lambda c: c.cat.rename_categories({"u": "", "high": ""})),
        d["y"],
        **few(mtry=2),
    ),
    "without trees": lambda d: pyrrf.RRF(d[["a", "n"]], d["y"], **few(keep_forest=False)),
    "guided": lambda d: pyrrf.GRRF(d[["a", "n"]], d["y"], **few()),
    "combined": lambda d: pyrrf.combine(*[pyrrf.RRF(d[["a", "n"]], d["n"], **few())] * 2),
    "combined, unsupervised": lambda d: pyrrf.combine(*[pyrrf.randomForest(d[["a", "n"]], **few())] * 2),
    "random forest": lambda d: pyrrf.randomForest(d[["a", "n"]], d["y"], **few()),
    "random forest of numbers": lambda d: pyrrf.randomForest(d[["a", "b c"]], d["n"], **few()),
}


@pytest.mark.parametrize("name", FITS)
def test_a_fit_is_read_as_it_was(name: str, d: pd.DataFrame, tmp_path: Path) -> None:
    fit = FITS[name](d)
    read = back(fit, tmp_path)
    assert str(read).splitlines()[3:] == str(fit).splitlines()[3:]
    if fit.terms is not None:
        assert read.terms.names == fit.terms.names
        assert pyrrf.predict(read, d).equals(pyrrf.predict(fit, d))
    fit.terms = read.terms = None
    if name == "guided":
        fit.ordinary = None
    if name == "random forest of numbers":
        # What R keeps of the responses has lost the last bit of their distances from the mean.
        assert np.allclose(read.__dict__.pop("centred"), fit.__dict__.pop("centred"), rtol=0, atol=1e-15)
        read.__dict__.pop("shares", None)
        assert read._comparable_parts().keys() == fit._comparable_parts().keys()
        return
    assert read == fit


def type_in(path: Path, name: str) -> str:
    """R's type of a part of a list in a file."""
    return parsed.kind(parsed.fields(parsed.parse(path.read_bytes()))[name])


@pytest.mark.parametrize(
    ("y", "type_"), [(np.arange(30), "INT"), (np.arange(30.0), "REAL"), (np.arange(30) + 2**31, "REAL")]
)
def test_a_response_has_the_type_that_it_was_given_in(
    d: pd.DataFrame, tmp_path: Path, y: np.ndarray, type_: str
) -> None:
    fit = pyrrf.RRF(d[["a", "n"]], y, **few())
    read = back(fit, tmp_path)
    assert read == fit
    pyrrf.write_rds(read, tmp_path / "again.rds")
    assert [type_in(tmp_path / name, "y") for name in ("v.rds", "again.rds")] == [type_, type_]


def test_sums_of_shares_stay_doubles(d: pd.DataFrame, tmp_path: Path) -> None:
    """As R's combine() leaves them, also where all are whole."""
    one = pyrrf.RRF(d[["a", "n"]], d["y"], **few(ntree=1))
    pyrrf.write_rds(back(pyrrf.combine(one, one), tmp_path), tmp_path / "again.rds")
    assert [type_in(tmp_path / name, "votes") for name in ("v.rds", "again.rds")] == ["REAL", "REAL"]


def test_a_text_that_is_the_name_of_a_type(tmp_path: Path) -> None:
    assert back(["a", "category", "Int64"], tmp_path) == ["a", "category", "Int64"]


def test_a_test_set(d: pd.DataFrame, tmp_path: Path) -> None:
    x, y = d[["a", "n"]], d["y"]
    fit = pyrrf.RRF(x, y, x[:9], y[:9], **few(proximity=True))
    numbers = pyrrf.RRF(x, d["n"], x[:9], d["n"][:9], **few())
    for part in ("predicted", "err_rate", "confusion", "votes", "proximity"):
        assert getattr(back(fit, tmp_path).test, part).equals(getattr(fit.test, part))
    for part in ("predicted", "mse", "rsq"):
        assert getattr(back(numbers, tmp_path).test, part).equals(getattr(numbers.test, part))


def test_a_call_that_held_its_data(d: pd.DataFrame, tmp_path: Path) -> None:
    fit = FITS["numbers"](d)
    fit.call = "RRF(x = ..., y = ..., ntree = 3)"
    assert back(fit, tmp_path).call == "RRF(x = x, y = y, ntree = 3)"


def test_labels_become_text(tmp_path: Path) -> None:
    fit = pyrrf.RRF(np.arange(20.0).reshape(10, 2), np.arange(10) > 4, ntree=2, seed=1)
    assert back(fit, tmp_path).classes == ["FALSE", "TRUE"]


def test_trees_that_r_cannot_have_are_refused(tmp_path: Path) -> None:
    x = pd.DataFrame({"a": [np.nan, 1, 2, 3, 4, 5] * 5, "b": np.arange(30.0)})
    missing = pyrrf.RRF(x, ["u", "v", "v", "v", "v", "v"] * 5, ntree=3, seed=1, engine="parallel")
    wide = pd.DataFrame({"c": pd.Categorical([f"l{i % 40}" for i in range(400)])})
    levels = pyrrf.RRF(wide, np.arange(400.0) % 40 > 20, ntree=3, seed=1, engine="parallel")
    for fit, argument, code in ((missing, "object", "unsupported"), (levels, "object", "unsupported")):
        with refused(argument, code):
            pyrrf.write_rds(fit, tmp_path / "fit.rds")
    assert list(tmp_path.iterdir()) == []


# ---- data ----------------------------------------------------------------------------------------


def test_a_frame(d: pd.DataFrame, tmp_path: Path) -> None:
    frame = d.assign(
        i=pd.array([1, None, 3] * 10, dtype="Int64"),
        t=pd.array([True, None, False] * 10, dtype="boolean"),
        s=["ü", None, "x"] * 10,
        big=2**40,
    )
    read = back(frame, tmp_path)
    pd.testing.assert_frame_equal(read[list(d)], d)
    assert read["i"].isna().tolist() == [False, True, False] * 10
    assert (read["t"].dtype, read["i"].dtype, read["big"].dtype) == ("boolean", "Int32", float)
    assert read["s"].isna().tolist() == [False, True, False] * 10


@pytest.mark.parametrize(
    "value",
    [
        np.array([1.5, np.nan, np.inf]),
        np.arange(24, dtype=np.int32).reshape(2, 3, 4),
        np.array([[True, False]]),
        np.array([1 + 2j]),
        pd.Categorical(["u", None], ["v", "u"], ordered=True),
        pd.Series([1, 2], index=["p", "q"], dtype=np.int32),
        None,
        {"l": [np.array([1.0]), None], "d": {"e": np.array([2.0])}},
    ],
    ids=lambda value: type(value).__name__,
)
def test_other_values(value: Any, tmp_path: Path) -> None:
    def same(read: Any, wanted: Any) -> bool:
        if isinstance(wanted, dict):
            return list(read) == list(wanted) and all(same(read[key], wanted[key]) for key in wanted)
        if isinstance(wanted, list):
            return len(read) == len(wanted) and all(map(same, read, wanted))
        if isinstance(wanted, np.ndarray):
            return read.dtype == wanted.dtype and np.array_equal(read, wanted, equal_nan=wanted.dtype.kind == "f")
        return read is None if wanted is None else bool(read.equals(wanted))

    assert same(back(value, tmp_path), value)


def test_missing_values_keep_their_kind(tmp_path: Path) -> None:
    masked = np.ma.masked_array([[1, 2], [3, 4]], [[False, True], [False, False]])
    assert back(masked, tmp_path).mask.tolist() == masked.mask.tolist()
    # A NaN of an array stays one, a missing value of pandas is R's NA.
    nan, na = back(np.array([np.nan]), tmp_path), back(pd.DataFrame({"a": [np.nan]}), tmp_path)["a"].to_numpy()
    assert nan.view(np.uint64)[0] != na.view(np.uint64)[0] == build.REAL_NA.view(np.uint64)


@pytest.mark.parametrize(
    ("value", "argument", "code"),
    [
        ({1: 2}, "object", "type"),
        ({"a": object()}, "object", "type"),
        (UnsupportedObject("function"), "this", "type"),
        (pd.DataFrame({"a": [1, 2]}, index=["r", "r"]), "object", "duplicate"),
        (pd.DataFrame({"a": [[1], [2]]}), "object", "type"),
        (np.array([2**60 + 1]), "object", "unsupported"),
        (["a\0b"], "object", "text"),
        (["a", "\ud800"], "object", "text"),
    ],
)
def test_what_r_has_not_is_refused(tmp_path: Path, value: Any, argument: str, code: str) -> None:
    (tmp_path / "v.rds").write_text("before")
    with refused(argument, code):
        pyrrf.write_rds(value, tmp_path / "v.rds")
    assert (tmp_path / "v.rds").read_text() == "before"


def test_a_list_that_holds_itself(tmp_path: Path) -> None:
    own: list[Any] = []
    own.append(own)
    with pytest.raises(ValueError, match="hold themselves"):
        pyrrf.write_rds(own, tmp_path / "v.rds")


def test_missing_values_alone_keep_their_kind(tmp_path: Path) -> None:
    for values, kind in (([1], "i"), ([True], "b"), ([1.5], "f")):
        read = back(np.ma.masked_array(values, [True]), tmp_path)
        assert (read.dtype.kind, np.ma.isMaskedArray(read)) == (kind, kind != "f")
    assert back(np.array([None], dtype=object), tmp_path).tolist() == [None]
    assert back(pd.DataFrame({"i": pd.array([None], dtype="Int64")}), tmp_path)["i"].dtype == "Int32"


def test_names_of_nothing_and_missing_names(tmp_path: Path) -> None:
    """R tells a vector with empty names from one without names, and a missing name from an empty one."""
    for value in (np.array([], np.int32), np.array([], np.float64), np.array([], bool), np.array([], object)):
        read = back(pd.Series(value, index=pd.Index([], dtype=object)), tmp_path)
        assert (len(read), type(read), read.dtype.kind) == (0, pd.Series, pd.Series(value).dtype.kind)
        pyrrf.write_rds(read, tmp_path / "again.rds")
        assert parsed.names(parsed.parse((tmp_path / "again.rds").read_bytes())) == []
        assert isinstance(back(value, tmp_path), np.ndarray)
        assert isinstance(back(pd.Series(value), tmp_path), np.ndarray)
    read = back(pd.Series([1.0, 2.0], index=["", None]), tmp_path)
    pyrrf.write_rds(read, tmp_path / "again.rds")
    assert parsed.attributes(parsed.parse((tmp_path / "again.rds").read_bytes()))["names"].value == ["", None]


def test_masked_values_of_an_object_are_na(tmp_path: Path) -> None:
    """Whatever numpy would fill them with."""
    for values in (np.array([7, 8, 9], dtype=np.int32), np.array([True, False, True])):
        masked = np.ma.masked_array(values, [False, True, False])
        content = encode(build.make("INT", masked))
        assert np.frombuffer(content[-12:], dtype=">i4").tolist() == [values[0], -(2**31), values[2]]


def test_times_beyond_the_range_of_nanoseconds(tmp_path: Path) -> None:
    times = pd.Series(np.array(["2020-01-01T00:00:00.123456", "3000-01-01", "NaT"], dtype="datetime64[us]"))
    assert back(pd.DataFrame({"t": times}), tmp_path)["t"].tolist()[:2] == [1577836800.123456, 32503680000]


def test_the_same_object_gives_the_same_bytes(d: pd.DataFrame, tmp_path: Path) -> None:
    for name in ("a.rds", "b.rds"):
        pyrrf.write_rds(d, tmp_path / name)
    assert (tmp_path / "a.rds").read_bytes() == (tmp_path / "b.rds").read_bytes()


# ---- code ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "y ~ a + b - c",
        "log(y + 1) ~ I(a^2) + factor(b > 15) + `odd name`",
        "-a^2 * (b - c)/d - e",
        "f(x = 1, , -2L)[1:3, ]",
        '!a & b | c != "it\'s"',
        "a %in% c(TRUE, NULL)",
        "d$x",
        "f(`{`(`<-`(z, d), `<-`(z$a[3], 0), z), `if`(a > 1, 2))",
    ],
)
def test_code_is_read_as_r_writes_it(text: str) -> None:
    assert deparse(parse_code(text)) == text


@pytest.mark.parametrize("text", ["a +", "f(", "a b", ")", "", "[1]"])
def test_text_that_is_no_code(text: str) -> None:
    with pytest.raises(ValueError, match="cannot be read"):
        parse_code(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("RRF(x, y, ntree=25, do_trace=True)", "RRF(x = x, y = y, ntree = 25, do.trace = TRUE)"),
        (
            "RRF('y ~ .', data=data, na_action='na_omit', subset='a > 5')",
            "RRF(formula = y ~ ., data = data, na.action = na.omit, subset = a > 5)",
        ),
        ("GRRF(x, y, feaIni=[0, 3], classwt={'u': 1})", "RRF(x = x, y = y, feaIni = c(1, 4), classwt = c(u = 1))"),
        ("RRF(x, y, cutoff=[0.1, 0.2, ...])", "RRF(x = x, y = y, cutoff = cutoff)"),
        ("RRF(formula = y ~ ., data = d[1:3, ])", "RRF(formula = y ~ ., data = d[1:3, ])"),
        ("no code (", "RRF()"),
    ],
)
def test_calls_are_those_of_r(text: str, shown: str) -> None:
    assert deparse(parse_call(text, "RRF")) == shown


def test_a_formula_with_hundreds_of_terms(tmp_path: Path) -> None:
    pyrrf.set_seed(1)
    table = pd.DataFrame(pyrrf.runif(600 * 12).reshape(12, 600)).rename(columns="g{}".format)
    fit = pyrrf.RRF("y ~ .", table.assign(y=["u", "v"] * 6), ntree=2, seed=1)
    assert back(fit, tmp_path).terms.names == list(table)
