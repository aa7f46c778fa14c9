"""Calls of R's functions as lines of R, the same to the last bit."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from parity.plain import index_names
from parity.values import is_na

R_LINES = {
    "as_text": "as.character({0})",
    "colon": "({0}):({1})",
    "compare": "({0}) {sign} ({2})",
    "confusionMatrix": "caret::confusionMatrix({all})$overall",
    "divide": "({0}) / ({1})",
    "drop": "({0})[-(({1}) + 1)]",
    "in_": "({0}) %in% ({1})",
    "index": "({0})[{1}]",
    "matmul": "({0}) %*% ({1})",
    "power": "({0}) ^ ({1})",
    "put": "{{ x <- {0}; x[({1}) + 1] <- {2}; x }}",
    "put_at": "{{ x <- {0}; x[{1}] <- {2}; x }}",
    "put_cells": "{{ x <- {0}; x[({1}) + 1, {2}] <- {3}; x }}",
    "read_csv": "read.csv(text = {all})",
    "set_seed": "{{ set.seed({all}); runif(2) }}",
    "which_cells": "which({0}, arr.ind = TRUE)",
    "write_csv": "write.csv({all})",
    "write_table": "write.table({all})",
    "cbind": "cbind({all}, deparse.level = 0)",
    "rbind": "rbind({all}, deparse.level = 0)",
}
"""Lines of R that are not one call of a function."""

ARGUMENTS = {"from_": "from", "lambda_": "lambda"}
KEPT = ("stringsAsFactors", "ordered_result", "useNA", "fromLast", "returnTrain")


@dataclass(frozen=True)
class Function:
    """A function that is passed on."""

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
        line = R_LINES.get(self.name, f"{self.name}({{all}})")
        return line.format(*args, all=", ".join([*args, *named]), sign=self.args[1] if self.name == "compare" else "")


def _r_argument(name: str) -> str:
    return name if name in KEPT else ARGUMENTS.get(name, name.rstrip("_").replace("_", "."))


# ---- values as text ------------------------------------------------------------------------------


def r_text(value: Any) -> str:
    """A value in R, to the last bit."""
    if isinstance(value, Function):
        return value.name
    if value is None:
        return "NULL"
    if isinstance(value, pd.Categorical):
        codes = ", ".join("NA_integer_" if code < 0 else f"{code + 1}L" for code in value.codes)
        levels = r_text(np.asarray(value.categories, dtype=object))
        given = f"levels = seq_len({len(value.categories)}), labels = {levels}, ordered = {r_text(bool(value.ordered))}"
        return f"factor({f'c({codes})' if codes else 'integer(0)'}, {given})"
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
    """Numbers with digits that tell them apart."""
    special = {float("inf"): "Inf", float("-inf"): "-Inf"}
    gaps = ["NA_real_" if na else "NaN" for na in is_na(values).tolist()]
    pairs = zip(values.tolist(), gaps, strict=True)
    return [gap if value != value else special.get(value, repr(value)) for value, gap in pairs]
