"""Calls of the functions of pyrrf.r as two lines: one of R, one of Python, the same to the last bit."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from parity.plain import index_names
from parity.values import is_na
from pyrrf.rbase.numbers import read_numbers

R_NAMES = {
    "as_character": "as.character", "as_data_frame": "as.data.frame", "as_factor": "as.factor",
    "as_integer": "as.integer", "as_numeric": "as.numeric", "colon": "`:`",
    "divide": "`/`", "expand_grid": "expand.grid", "in_": "`%in%`",
    "label": "as.character", "lower_tri": "lower.tri", "matmul": "`%*%`", "power": "`^`", "prop_table": "prop.table",
    "sample_int": "sample.int", "upper_tri": "upper.tri", "weighted_mean": "weighted.mean", "which_max": "which.max",
    "which_min": "which.min", "createFolds": "caret::createFolds", "createDataPartition": "caret::createDataPartition",
    "createMultiFolds": "caret::createMultiFolds", "createResample": "caret::createResample",
    "confusionMatrix": "pyrrf_confusion",
}  # fmt: skip
"""Functions of R by the names of pyrrf.r where they differ."""

R_LINES = {
    "cat": "capture.output(cat({all}))",
    "compare": "({0}) {sign} ({2})",
    "drop": "({0})[-(({1}) + 1)]",
    "get_random_seed": "head(pyrrf_random_seed(), 8L)",
    "index": "({0})[{1}]",
    "put": "{{ x <- {0}; x[({1}) + 1] <- {2}; x }}",
    "put_at": "{{ x <- {0}; x[{1}] <- {2}; x }}",
    "put_cells": "{{ x <- {0}; x[({1}) + 1, {2}] <- {3}; x }}",
    "read_csv": "read.csv(text = {all})",
    "set_random_seed": "{{ set.seed({0}); s <- pyrrf_random_seed(); runif(3); pyrrf_set_random_seed(s); runif(2) }}",
    "set_seed": "{{ set.seed({all}); runif(2) }}",
    "which_cells": "which({0}, arr.ind = TRUE)",
    "widened": "{{ x <- {0}; storage.mode(x) <- 'double'; x }}",
    "write_csv": "capture.output(write.csv({all}))",
    "write_table": "capture.output(write.table({all}))",
    "cbind": "cbind({all}, deparse.level = 0)",
    "rbind": "rbind({all}, deparse.level = 0)",
}
"""Lines of R that are not one call of a function."""

PY_LINES = {
    "cat": "printed(r.cat, {all})",
    "get_random_seed": "r.get_random_seed()[:8]",
    "put_cells": "changed(r.put_cells, {all})",
    "read_csv": "r.read_csv(io.StringIO({0}){more})",
    "set_random_seed": "state_again({0})",
    "set_seed": "(r.set_seed({all}), r.runif(2))[1]",
    "write_csv": "printed(r.write_csv, {all})",
    "write_table": "printed(r.write_table, {all})",
}
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
        line = R_LINES.get(self.name, f"{R_NAMES.get(self.name, self.name)}({{all}})")
        return line.format(*args, all=", ".join([*args, *named]), sign=self.args[1] if self.name == "compare" else "")

    def python(self) -> str:
        """The line of Python; `NAMES` are known in it."""
        args = [py_text(arg) for arg in self.args]
        named = [f"{key}={py_text(value)}" for key, value in self.kwargs.items()]
        more = "".join(f", {text}" for text in named)
        return PY_LINES.get(self.name, f"r.{self.name}({{all}})").format(
            *args, all=", ".join([*args, *named]), more=more
        )


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
        codes = ", ".join("NA_integer_" if code < 0 else f"{code + 1}L" for code in value.codes)
        levels = r_text(np.asarray(value.categories, dtype=object))
        return f"pyrrf_factor({f'c({codes})' if codes else 'integer(0)'}, {levels}, {r_text(bool(value.ordered))})"
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
