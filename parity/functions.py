"""Calls of the functions of pyrrf.r as two lines, one for each side, and what both sides answer to them.

Positions count from 0 in Python; they are brought to R's here.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

import pyrrf.r as rr
from parity.compare import compare
from parity.plain import index_names, plain, plain_text
from parity.r_side import RSide
from parity.values import NOTHING, Value, factor, is_na, numbers, record
from pyrrf.r.collate import collating
from pyrrf.r.decimals import read_numbers

R_NAMES = {
    "as_character": "as.character", "as_data_frame": "as.data.frame", "as_factor": "as.factor", "as_integer": "as.integer",
    "as_numeric": "as.numeric", "colon": "`:`", "divide": "`/`", "expand_grid": "expand.grid", "in_": "`%in%`",
    "label": "as.character", "lower_tri": "lower.tri", "matmul": "`%*%`", "power": "`^`", "prop_table": "prop.table",
    "sample_int": "sample.int", "upper_tri": "upper.tri", "weighted_mean": "weighted.mean", "which_max": "which.max",
    "which_min": "which.min", "createFolds": "caret::createFolds", "createDataPartition": "caret::createDataPartition",
    "createMultiFolds": "caret::createMultiFolds", "createResample": "caret::createResample",
    "confusionMatrix": "pyrrf_confusion",
}  # fmt: skip
"""Functions of R by the names of pyrrf.r where they differ."""

R_LINES = {
    "cat": "capture.output(cat({}))",
    "compare": "({0}) %(1) ({2})",
    "drop": "({0})[-(({1}) + 1)]",
    "get_random_seed": "head(pyrrf_random_seed(), 8L)",
    "index": "({0})[{1}]",
    "put": "{{ x <- {0}; x[({1}) + 1] <- {2}; x }}",
    "put_at": "{{ x <- {0}; x[{1}] <- {2}; x }}",
    "put_cells": "{{ x <- {0}; x[({1}) + 1, {2}] <- {3}; x }}",
    "read_csv": "read.csv(text = {})",
    "set_random_seed": "{{ set.seed({0}); s <- pyrrf_random_seed(); runif(3); pyrrf_set_random_seed(s); runif(2) }}",
    "set_seed": "{{ set.seed({}); runif(2) }}",
    "which_cells": "which({0}, arr.ind = TRUE)",
    "widened": "{{ x <- {0}; storage.mode(x) <- 'double'; x }}",
    "write_csv": "capture.output(write.csv({}))",
    "write_table": "capture.output(write.table({}))",
    "cbind": "cbind({}, deparse.level = 0)",
    "rbind": "rbind({}, deparse.level = 0)",
}
"""Lines of R that are not one call of a function."""

PY_LINES = {
    "cat": "printed(r.cat, {})",
    "get_random_seed": "r.get_random_seed()[:8]",
    "put_cells": "changed(r.put_cells, {})",
    "read_csv": "r.read_csv(io.StringIO({0}){more})",
    "set_random_seed": "state_again({0})",
    "set_seed": "(r.set_seed({}), r.runif(2))[1]",
    "write_csv": "printed(r.write_csv, {})",
    "write_table": "printed(r.write_table, {})",
}
POSITIONS = ("grep", "order", "which", "which_max", "which_min", "match")
ROWS = ("createFolds", "createDataPartition", "createMultiFolds", "createResample")
OF_CARET = (*ROWS, "confusionMatrix")
ARGUMENTS = {"from_": "from", "lambda_": "lambda"}
KEPT = ("stringsAsFactors", "ordered_result", "useNA", "fromLast", "returnTrain")


@dataclass(frozen=True)
class Function:
    """A function that is passed on, by its name in pyrrf.r."""

    name: str


@dataclass(frozen=True)
class Call:
    """One call of a function."""

    name: str
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)

    def r(self) -> str:
        """The line of R."""
        args = [r_text(arg) for arg in self.args]
        named = [f"{_r_argument(key)} = {r_text(value)}" for key, value in self.kwargs.items()]
        line = R_LINES.get(self.name, f"{R_NAMES.get(self.name, self.name)}({{}})")
        if line.startswith("({0}) %"):
            return f"({args[0]}) {self.args[1]} ({args[2]})"
        return line.format(*args) if "{0}" in line else line.replace("{{", "{").replace("}}", "}").replace(
            "{}", ", ".join([*args, *named])
        )

    def python(self) -> str:
        """The line of Python; `NAMES` are known in it."""
        args = [py_text(arg) for arg in self.args]
        named = [f"{key}={py_text(value)}" for key, value in self.kwargs.items()]
        line = PY_LINES.get(self.name, f"r.{self.name}({{}})")
        more = "".join(f", {text}" for text in named)
        return line.format(*args, more=more) if "{0}" in line else line.replace("{}", ", ".join([*args, *named]))


def _r_argument(name: str) -> str:
    return name if name in KEPT else ARGUMENTS.get(name, name.rstrip("_").replace("_", "."))


# ---- values as text ------------------------------------------------------------------------------


def r_text(value: Any) -> str:
    """A value in R, to the last bit."""
    if isinstance(value, Function):
        return R_NAMES.get(value.name, value.name)
    if value is None:
        return "NULL"
    if isinstance(value, pd.Categorical):
        codes = "c({})".format(", ".join("NA_integer_" if c < 0 else f"{c + 1}L" for c in value.codes)) if len(value) else "integer(0)"
        return f"pyrrf_factor({codes}, {r_text(np.asarray(value.categories, dtype=object))}, {r_text(bool(value.ordered))})"
    if isinstance(value, pd.DataFrame):
        columns = "".join(f", {name} = {r_text(value[name].array)}" for name in value)
        rows = index_names(value.index)
        rows_text = "" if rows is None else f", row.names = {r_text(np.array(rows, dtype=object))}"
        return f"data.frame({columns[2:]}{rows_text}, check.names = FALSE)"
    if isinstance(value, pd.Series):
        return f"setNames({r_text(value.array)}, {r_text(np.asarray(value.index, dtype=object))})"
    if isinstance(value, dict):
        return f"c({', '.join(f'{key} = {r_text(part)}' for key, part in value.items())})"
    if isinstance(value, list):
        return f"list({', '.join(map(r_text, value))})"
    if np.ndim(value) == 2:
        return f"matrix({r_text(value.ravel(order='F'))}, {value.shape[0]}, {value.shape[1]})"
    items = _r_items(value)
    if np.ndim(value) == 0:
        return items[0]
    empty = {"b": "logical(0)", "i": "integer(0)", "f": "numeric(0)"}.get(_kind(value), "character(0)")
    return f"c({', '.join(items)})" if len(items) > 1 else items[0] if items else empty


def _kind(value: Any) -> str:
    """NumPy's letter of a type, also of pandas' own arrays."""
    named = {"Int64": "i", "boolean": "b", "Float64": "f"}.get(str(getattr(value, "dtype", "")))
    return named or np.asarray(value).dtype.kind


def _r_items(value: Any) -> list[str]:
    kind = _kind(value)
    if kind == "f":
        return _r_doubles(np.atleast_1d(np.asarray(value, dtype=np.float64)))
    items = np.atleast_1d(np.asarray(value, dtype=object)).tolist()
    gap = {"b": "NA", "i": "NA_integer_"}.get(kind, "NA_character_")
    write = {"b": lambda v: "TRUE" if v else "FALSE", "i": _r_whole}.get(kind, _r_string)
    return [gap if pd.isna(v) else write(v) for v in items]


def _r_whole(value: int) -> str:
    return f"{value}L" if abs(value) < 2**31 else f"{value}"


def _r_string(text: str) -> str:
    return '"' + "".join(c if " " <= c <= "~" and c not in '"\\' else f"\\U{{{ord(c):x}}}" for c in text) + '"'


def _r_doubles(values: np.ndarray) -> list[str]:
    """Numbers with the digits that R reads back to the same bits; else in base 16, the smallest in two steps."""
    shown = [f"{v:.15g}" for v in values.tolist()]
    reads = read_numbers([text.lstrip("-") for text in shown])[0]
    out = []
    for value, text, read, na in zip(values.tolist(), shown, reads.tolist(), is_na(values).tolist(), strict=True):
        if value != value:
            out.append("NA_real_" if na else "NaN")
        elif np.isinf(value):
            out.append("Inf" if value > 0 else "-Inf")
        elif read == abs(value):
            out.append(text)
        else:
            out.append(value.hex() if abs(value) > 1e-290 else f"({(value * 2.0**200).hex()} * 0x1p-200)")
    return out


def py_text(value: Any) -> str:
    """A value in Python."""
    if isinstance(value, Function):
        return f"r.{value.name}"
    if isinstance(value, pd.Categorical):
        ordered = ", ordered=True" * bool(value.ordered)
        return f"pd.Categorical.from_codes({value.codes.tolist()}, {list(value.categories)!r}{ordered})"
    if isinstance(value, pd.DataFrame):
        columns = ", ".join(f"{name!r}: {py_text(value[name].array)}" for name in value)
        rows = index_names(value.index)
        return f"pd.DataFrame({{{columns}}}{'' if rows is None else f', index={rows!r}'})"
    if isinstance(value, pd.Series):
        return f"pd.Series({py_text(value.array)}, index={value.index.tolist()!r})"
    if isinstance(value, dict):
        return f"dict({', '.join(f'{key}={py_text(part)}' for key, part in value.items())})"
    if isinstance(value, list):
        return f"[{', '.join(map(py_text, value))}]"
    if isinstance(value, pd.api.extensions.ExtensionArray) and str(value.dtype) in ("Int64", "boolean"):
        return f"pd.array({[None if pd.isna(v) else v for v in value.tolist()]}, dtype={str(value.dtype)!r})"
    if np.ndim(value) == 2:
        return f"{py_text(value.ravel(order='F'))}.reshape({value.shape}, order='F')"
    if np.ndim(value) == 0:
        return repr(value.item() if isinstance(value, np.generic) else value)
    array = np.asarray(value)
    kind = {"b": ", dtype=bool", "i": ", dtype=int", "f": ", dtype=float"}.get(array.dtype.kind, ", dtype=object")
    return f"np.array({array.tolist()!r}{kind})"


# ---- both sides ----------------------------------------------------------------------------------


@dataclass
class Answer:
    """What came out: a value, its types, the next draw, what was warned; or why there is none."""

    value: Any = None
    types: tuple[str, ...] = ()
    draw: float = 0.0
    warned: tuple[str, ...] = ()
    failed: str | None = None


def run_r(r: RSide, lines: Sequence[str]) -> list[Answer]:
    """R's answers to lines."""
    return [r_answer(json.loads(text)) for text in r.ro.r["pyrrf_answers"](r.ro.StrVector(list(lines)))]


def r_answer(found: dict[str, Any]) -> Answer:
    """An answer from R's JSON."""
    if "failed" in found:
        return Answer(failed=found["failed"])
    value, types = _decoded(found["value"])
    return Answer(value, types, float(_decoded(found["draw"])[0].data[0]), tuple(found["warned"]))


def _decoded(found: Any) -> tuple[Value, tuple[str, ...]]:
    if found is None:
        return NOTHING, ()
    if "record" in found:
        parts = {key: _decoded(part) for key, part in found["record"].items()}
        return record({key: part[0] for key, part in parts.items()}), tuple(t for part in parts.values() for t in part[1])
    types = (found.pop("type"),)
    names = [labels for labels in found["names"]]
    shape = found["dim"]
    if "numbers" in found:
        data = [np.nan if text in ("NA", "NaN") else float.fromhex(text) if "x" in text else float(text) for text in found["numbers"]]
        made = np.empty(len(data))
        made[:] = data
        return numbers(made.reshape(shape, order="F"), names), types
    kind = "text" if "text" in found else "factor"
    flat = np.empty(len(found[kind]), dtype=object if kind == "text" else np.int64)
    flat[:] = found[kind]
    return Value(kind, flat.reshape(shape, order="F"), numbers(np.zeros(shape), names).names, found.get("levels")), types


def printed(function: Any, *args: Any, **kwargs: Any) -> np.ndarray:
    """The lines that a function prints."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        function(*args, **kwargs)
    return np.array(out.getvalue().removesuffix("\n").split("\n") if out.getvalue() else [], dtype=object)


def changed(function: Any, first: Any, *args: Any) -> Any:
    """The first argument as a function leaves it."""
    function(first, *args)
    return first


def state_again(seed: int) -> Any:
    """Draws from a state that was set again."""
    rr.set_seed(seed)
    state = rr.get_random_seed()
    rr.runif(3)
    rr.set_random_seed(state)
    return rr.runif(2)


NAMES = {name: getattr(rr, name) for name in rr.__all__} | {"r": rr, "np": np, "pd": pd, "io": io, "nan": np.nan, "inf": np.inf, "printed": printed, "changed": changed,
         "state_again": state_again}  # fmt: skip


def run_python(line: str, collate: str = "C") -> Answer:
    """The answer of pyrrf.r to a line, in R's form."""
    rr.RNGkind("default", "default", "default")
    rr.set_seed(1)
    with warnings.catch_warnings(record=True) as told, collating(collate), np.errstate(all="ignore"):
        warnings.simplefilter("always")
        try:
            found = eval(line, dict(NAMES))
        except (ValueError, TypeError, LookupError) as error:
            return Answer(failed=f"{type(error).__name__}: {error}")
    call = _called(line)
    types = () if "Int64" in line or "boolean" in line else _types(found)
    value = as_value(call, found)
    # R's lists and data frames may be tables here.
    if isinstance(found, pd.DataFrame) and value.kind != "record":
        columns = record({str(found.columns[j]): as_value(call, found.iloc[:, j].array) for j in range(found.shape[1])})
        value = {"record": columns, "other": value}
    return Answer(value, types, float(rr.runif(1)[0]), tuple(str(w.message) for w in told))


def _called(line: str) -> Call:
    """The function and the flags of a line: they say how its answer is counted."""
    name = re.search(r"r\.(\w+)", line)
    listed = "list=False" not in line and "value=True" not in line
    return Call(name[1] if name else "", (), {"list": listed})


def _types(found: Any) -> tuple[str, ...]:
    """R's types of an answer; "" where a missing value leaves them open."""
    if isinstance(found, dict | list | tuple | pd.DataFrame | pd.Categorical | rr.ConfusionMatrix) or found is None:
        return ()
    array = np.asarray(found)
    if array.dtype.kind == "f":
        return ("",) if np.isnan(array).any() else ("double",)
    return ({"b": "logical", "i": "integer"}.get(array.dtype.kind, ""),)


def as_value(call: Call, found: Any) -> Value:
    """Plain value of an answer."""
    shift = (call.name in POSITIONS and call.kwargs.get("list", True)) or (call.name in ROWS and call.kwargs.get("list", True))
    shift |= call.name == "createDataPartition" or call.name == "createResample"
    if call.name == "match":
        found = np.where(found < 0, np.nan, found)
    if isinstance(found, pd.arrays.NumpyExtensionArray):
        found = np.asarray(found)
    if isinstance(found, tuple) and not isinstance(found, rr.ConfusionMatrix):
        found = np.array(found)
    if isinstance(found, np.ndarray) and found.dtype == object and any(isinstance(v, bool) for v in found.ravel()):
        found = np.array([np.nan if pd.isna(v) else v for v in found.ravel()], dtype=object).reshape(found.shape)
        found = found if any(isinstance(v, str) for v in found.ravel()) else found.astype(float)
    if isinstance(found, list):
        found = {str(i + 1): part for i, part in enumerate(found)}
    if isinstance(found, dict):
        return record({str(rr.as_character([key])[0]): as_value(call, part) for key, part in found.items()})
    if isinstance(found, rr.ConfusionMatrix):
        return record({"table": as_value(call, found.table), "overall": plain(found.overall)})
    if isinstance(found, pd.DataFrame):
        return _frame(call, found)
    if isinstance(found, pd.Series) and call.name in ("table", "tapply", "summary", "sapply"):
        return numbers(found.to_numpy(), [_labels(found.index)])
    if str(getattr(found, "dtype", "")) in ("Int64", "boolean", "Float64"):
        found = found.to_numpy(dtype=float, na_value=np.nan)
    if isinstance(found, pd.Categorical):
        return factor(found.codes, list(rr.as_character(found.categories)))
    if isinstance(found, pd.Series) and found.dtype.kind not in "biufO" and not isinstance(found.dtype, pd.CategoricalDtype):
        found = found.astype(object)
    if isinstance(found, pd.Series) and found.dtype == object:
        return plain_text(found.to_numpy(), [index_names(found.index)])
    if call.name in ("createDataPartition", "createResample") and not call.kwargs.get("list", True):
        columns = found[:, None] if found.ndim == 1 else found
        names = [f"Resample{i + 1}" for i in range(columns.shape[1])]
        return numbers(columns + 1, [None, names])
    return plain(found + 1 if shift else found)


def _labels(index: pd.Index) -> list[str]:
    """Labels as R writes each."""
    return ["NA" if pd.isna(v) else str(rr.as_character([v])[0]) for v in index]


def _frame(call: Call, found: pd.DataFrame) -> Value:
    by_column = "aggregate sweep expand_grid cbind rbind head tail read_csv as_data_frame put_cells split droplevels unique index rev"
    if call.name in by_column.split() or not all(pd.api.types.is_numeric_dtype(kind) for kind in found.dtypes):
        return record({str(found.columns[j]): as_value(call, found.iloc[:, j].array) for j in range(found.shape[1])})
    if call.name == "scale":
        extra = {key: plain(np.array(list(value.values()))) for key, value in found.attrs.items()}
        return record({"x": plain(found), **extra}) if extra else plain(found)
    if call.name in ("table", "confusionMatrix"):
        return numbers(found.to_numpy(), [_labels(found.index), _labels(found.columns)])
    return numbers(found.to_numpy(), [index_names(found.index), index_names(found.columns)])


# ---- compared ------------------------------------------------------------------------------------

KNOWN = (
    ("strings are no numbers here", "", r"pyrrf refuses: TypeError: .* holds (no numbers|strings)|mixes strings"),
    ("a factor is no number", "", r"pyrrf refuses: TypeError: .* is a factor"),
    ("a data frame is no vector, a table of one column is one", "", r"data frame of|R refuses: (need numeric|undefined columns|Non.numeric|.list. object|.x. must)|columns, whose summary is text|R has record"),
    ("a factor has no names", r"actor\(", r"names of dimension 1 R \[n.*pyrrf none"),
    ("a number has no name", r"quantile\(|which_m", r"names of dimension 1 R .*, pyrrf none"),
    ("the position of nothing", r"which_m", r"holds no known value"),
    ("whole numbers stay whole: sums beyond 32 bits, round()", r"sum|round\(|Int64", r"type: R double, pyrrf integer"),
    ("a median is a float, as are quantiles and what is made of them", r"median|quantile|trim=|mad\(|fivenum", r"type: R (integer|logical), pyrrf double"),
    ("the type of an answer follows from all that goes in", r"ifelse|tapply|put_at|apply\(|seq\(|cbind|rbind|rnbinom|scale", r"type: R (logical|integer|double), pyrrf"),
    ("whole numbers of which some are missing are doubles", r"Int64", r"R nan|R warns: NAs produced by integer overflow"),
    ("logicals in summary()", r"summary\(", r"R has text, pyrrf numbers|R \[Mode"),
    ("a subscript beyond the end", r"index\(|put_at\(", r"is beyond the|shape R \(1,\), pyrrf \(0,\)"),
    ("one item is no vector", r"index\(", r"R has (factor|text), pyrrf (text|numbers|nothing)"),
    ("alternatives that overlap", r"", r"alternatives overlap"),
    ("an empty split outside ASCII", r"strsplit", r"split matches nothing at all"),
    ("strings of a matrix are a vector", r"(toupper|tolower|nchar|trimws|sub|grepl|startsWith|endsWith).*(DataFrame|reshape)", r"shape R \(|names of"),
    ("a vector of one number is no number of items", r"sample\(np.array", r""),
    ("nothing, repeated", r"rep\(", r"x has no items|times must be 0"),
    ("nothing, cut or combined", r"cut\(|expand_grid", r"fewer than two|R has text, pyrrf factor"),
    ("vectors of unequal lengths without a complete row", r"(cor|cov|var)\(", r"pass as many"),
    ("half a letter", r"sprintf", r"cuts a letter"),
    ("data frames beside vectors", r"(pmax|pmin)\(pd.DataFrame", r""),
    ("a single row, ranked", r"(cor|cov)\(.*(spearman|kendall)", r"holds missing values|nrow"),
    ("remainders beyond 2^53", r"power", r"R warns: probable complete loss"),
    ("an infinite step", r"seq\(", r"must be a finite number, not inf"),
    ("R before 1.7", r"RNGversion", r"pyrrf does not have"),
    ("tables without rows or columns", r"reshape\(\(0,|, 0\), order|apply", r""),
)
"""What differs on purpose: the reason, which lines of Python, which difference; DIFFERENCES.md says more."""


def known(line: str, difference: str) -> str | None:
    """The reason of a difference that is meant."""
    return next((why for why, call, how in KNOWN if re.search(call, line) and re.search(how, difference)), None)



def differences(theirs: Answer, ours: Answer, names: bool = True) -> list[str]:
    """What differs between the two sides of a call, with names or without; types count where no value is missing."""
    if theirs.failed is not None or ours.failed is not None:
        if theirs.failed is not None and ours.failed is not None:
            return []
        return [f"R refuses: {theirs.failed}" if theirs.failed else f"pyrrf refuses: {ours.failed}"]
    value = ours.value
    if isinstance(value, dict):
        value = value["record" if theirs.value.kind == "record" else "other"]
    sides = [theirs.value, _aligned(theirs.value, value)]
    sides = sides if names else [_bare(side) for side in sides]
    found = list(compare(record({"value": sides[0]}), record({"value": sides[1]}), ""))
    if theirs.draw != ours.draw:
        found.append("the next draw differs")
    if names and len(theirs.types) == len(ours.types) == 1 and ours.types != ("",) and theirs.types[0] not in (ours.types[0], "character"):
        found.append(f"type: R {theirs.types[0]}, pyrrf {ours.types[0]}")
    if names and theirs.warned and not ours.warned:
        found.append(f"R warns: {theirs.warned[0]}")
    return found


def _bare(value: Value) -> Value:
    """A value without names; a single number of Python has none."""
    if value.kind == "record":
        return record({key: _bare(part) for key, part in value.data.items()})
    return replace(value, names=[None] * len(value.names))


def _aligned(theirs: Value, ours: Value) -> Value:
    """Our value; what is missing throughout has R's kind."""
    if theirs.kind == ours.kind == "record" and list(theirs.data) == list(ours.data):
        return record({key: _aligned(theirs.data[key], part) for key, part in ours.data.items()})
    if {theirs.kind, ours.kind} != {"numbers", "text"}:
        return ours
    gone = pd.isna(ours.data).all()
    other = np.full(ours.data.shape, np.nan) if theirs.kind == "numbers" else np.full(ours.data.shape, None, dtype=object)
    return replace(ours, kind=theirs.kind, data=other) if gone else ours


def shrunk(call: Call, fails: Any) -> Call:
    """The smallest call that still fails, by leaving out arguments and items."""
    smaller = next((c for c in _smaller(call) if fails(c)), None)
    return call if smaller is None else shrunk(smaller, fails)


def _smaller(call: Call) -> Iterator[Call]:
    for key in call.kwargs:
        yield replace(call, kwargs={k: v for k, v in call.kwargs.items() if k != key})
    if len(call.args) > 1 and call.name not in R_LINES:
        yield replace(call, args=call.args[:-1])
    for i, arg in enumerate(call.args):
        for less in _less(arg):
            yield replace(call, args=(*call.args[:i], less, *call.args[i + 1 :]))
    for key, value in call.kwargs.items():
        for less in _less(value):
            yield replace(call, kwargs=call.kwargs | {key: less})


def _less(value: Any) -> Iterator[Any]:
    """Values with fewer items, or without names."""
    if isinstance(value, pd.Series):
        yield value.to_numpy()
    if np.ndim(value) == 1 and not isinstance(value, list | dict) and len(value):
        half = (len(value) + 1) // 2
        for part in (slice(0, half), slice(half, None)) if len(value) > 3 else ():
            yield value[part] if not isinstance(value, pd.Series) else value.iloc[part]
        if 1 < len(value) <= 8:
            for i in range(len(value)):
                kept = np.arange(len(value)) != i
                yield value[kept] if not isinstance(value, pd.Series) else value.loc[kept]
    if isinstance(value, pd.DataFrame):
        for name in value if value.shape[1] > 1 else ():
            yield value.drop(columns=name)
        if len(value) > 1:
            yield value.iloc[: len(value) // 2]
    elif np.ndim(value) == 2:
        for axis in (0, 1):
            if value.shape[axis] > 1:
                yield np.take(value, range((value.shape[axis] + 1) // 2), axis=axis)
                yield np.take(value, range(1, value.shape[axis]), axis=axis)


