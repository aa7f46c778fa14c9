"""The model frames of a random formula on both sides, and their differences."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import pyrrf
from parity.r_side import R_INTEGER_NA, RSide
from parity.random_formulas import Program
from parity.worker import LOST, within
from pyrrf.formula.terms import model_frame, parse, predictor_frame, read_data
from pyrrf.r.values.convert import read
from pyrrf.r.values.kinds import factor_levels, inherits, is_factor, is_missing
from pyrrf.rbase.collate import collating
from pyrrf.testing import comparer

_SOURCED: set[int] = set()
LIMIT = 20.0
"""Seconds for three trees on a few rows, which take less than one."""


@dataclass
class Frame:
    """Columns of a model frame, the response under "": type, values with NaN or None where missing, levels."""

    columns: dict[str, tuple[str, list[Any], list[str]]] = field(default_factory=dict)
    rows: list[str] = field(default_factory=list)
    failed: str = ""


def in_r(r: RSide, program: Program) -> Frame:
    """The frames that R hands to the forest."""
    if id(r) not in _SOURCED:
        r.ro.r((Path(__file__).parent / "formulas.R").read_text())
        _SOURCED.add(id(r))
    r.ro.r(program.table_in_r())
    for name, text in (("f.text", program.formula), ("f.subset", program.condition), ("f.action", program.na_action)):
        r.ro.globalenv[name] = text
    answer = r.ro.r["pyrrf_step"](f"it <- pyrrf_formula_frames('{program.package}', f.text, f.subset, f.action)")
    if answer.rx2("failed") is not r.ro.NULL:
        return Frame(failed=str(answer.rx2("failed")[0]))
    made = r.ro.globalenv["it"]
    columns = made.rx2("columns")
    names = [str(name) for name in columns.names] if len(columns) else []
    return Frame(
        {name: _from_r(r, column) for name, column in zip(names, columns, strict=True)},
        [str(label) for label in made.rx2("rows")],
    )


def _from_r(r: RSide, column: Any) -> tuple[str, list[Any], list[str]]:
    kind, values = str(column[0][0]), column[1]
    if kind in ("factor", "ordered"):
        codes = np.asarray(values).tolist()
        return kind, [None if code == R_INTEGER_NA else code for code in codes], [str(level) for level in column[2]]
    if kind == "character":
        return kind, [None if v is r.ro.NA_Character else str(v) for v in values], []
    gaps = np.asarray(column[2]) == 1
    return kind, [None if gap else v for v, gap in zip(np.asarray(values).tolist(), gaps, strict=True)], []


def in_python(program: Program) -> Frame:
    """The frames that pyrrf hands to the forest."""
    data = eval(program.table_in_python(), {"pd": pd})
    with warnings.catch_warnings(), collating("C"):
        warnings.simplefilter("ignore")
        try:
            table = read_data(data, "data")
            terms = parse(program.formula, list(table.columns))
            frame = model_frame(terms, table, program.condition or None, program.na_action)
            predictors, terms = predictor_frame(terms, frame, True, program.package == "randomForest")
        except (ValueError, TypeError) as error:
            return Frame(failed=str(error))
        response = {} if terms.response is None else {"": _typed(frame[terms.response.label])}
        if predictors.isna().any(axis=None) or (
            terms.response is not None and frame[terms.response.label].isna().any()
        ):
            return Frame(failed="missing values")
        if not len(predictors):
            return Frame(failed="no rows")
        columns = response | {name: _typed(predictors[name]) for name in predictors.columns}
    return Frame(columns, [str(label + 1) for label in predictors.index])


def _typed(column: Any) -> tuple[str, list[Any], list[str]]:
    value = read(column)
    items = zip(value._data.tolist(), is_missing(value), strict=True)
    if not is_factor(value):
        return value._kind, [None if gap else item for item, gap in items], []
    codes = [None if gap else int(item) for item, gap in items]
    return "ordered" if inherits(value, "ordered") else "factor", codes, [str(text) for text in factor_levels(value)]


def differences(theirs: Frame, ours: Frame) -> list[str]:
    """Return the differences; empty where both refuse."""
    if theirs.failed or ours.failed:
        if theirs.failed and ours.failed:
            return []
        return [f"refused by {'R: ' + theirs.failed if theirs.failed else 'pyrrf: ' + ours.failed}"]
    names = [comparer.first_difference("names of columns", list(ours.columns), list(theirs.columns))]
    unequal = names if names[0] else list(comparer.differences(_parts(ours), _parts(theirs)))
    kinds = [
        f"{name!r}: {kind} in R, {ours.columns[name][0]} here"
        for name, (kind, values, _) in theirs.columns.items()
        # Where values are missing an integer comes as a float64.
        if not unequal and values and None not in values and kind != ours.columns[name][0]
    ]
    return [*map(str, unequal), *kinds]


def _parts(frame: Frame) -> dict[str, list[Any]]:
    columns = {repr(name): column for name, column in frame.columns.items()}
    levels = {f"{name}: levels": column[2] for name, column in columns.items()}
    return {"rows": frame.rows} | levels | {name: column[1] for name, column in columns.items()}


def forests(r: RSide, program: Program, limit: float = LIMIT) -> tuple[str, list[str]]:
    """Return the outcome of both forests, and the differences of them, of their predictions and of the stream.

    R has a time limit: CRAN randomForest searches for ever where no column can split. pyrrf must return there.
    """
    theirs = within(limit, lambda: _grown_in_r(r, program))
    if theirs is None:
        return "R grows none", []
    if isinstance(theirs, str):
        ours = within(limit, lambda: _refuses(program))
        if ours in LOST:
            return "neither returns", [f"{theirs}, and pyrrf does not return"]
        return f"{theirs}, pyrrf {'refuses' if ours else 'answers'}", []
    unequal = comparer.differences(_grow(program, "new" in theirs), theirs)
    return "both grow", [f"{difference} of the forest" for difference in unequal]


def _grown_in_r(r: RSide, program: Program) -> dict[str, np.ndarray] | None:
    answer = r.ro.r["pyrrf_step"](
        f"set.seed(7); it <- pyrrf_formula_forest('{program.package}', f.text, f.subset, f.action)"
    )
    if answer.rx2("failed") is not r.ro.NULL:
        return None
    made = r.ro.globalenv["it"]
    return {
        name: np.where(np.asarray(component.rx2("gaps")) == 1, np.nan, np.asarray(component.rx2("values")))
        for name, component in zip(made.names, made, strict=True)
    }


def _refuses(program: Program) -> bool:
    try:
        _grow(program, predicts=False)
    except (ValueError, TypeError):
        return True
    return False


def _grow(program: Program, predicts: bool) -> dict[str, np.ndarray]:
    data = eval(program.table_in_python(), {"pd": pd})
    asked: dict[str, Any] = {"subset": program.condition or None, "na_action": program.na_action, "collate": "C"}
    pyrrf.set_seed(7)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fit = getattr(pyrrf, program.package)(program.formula, data, ntree=3, **asked)
        after = {"importance": fit.importance.iloc[:, -1], "predicted": fit.predicted, "stream": pyrrf.runif(1)}
        if predicts:
            after["new"] = pyrrf.predict(fit, data)
        return {name: _numbers(answer) for name, answer in after.items()}


def _numbers(part: Any) -> np.ndarray:
    if isinstance(getattr(part, "dtype", None), pd.CategoricalDtype):
        codes = part.cat.codes.to_numpy()
        return np.where(codes < 0, np.nan, codes + 1.0)
    return np.asarray(part, dtype=np.float64)


def explanation(program: Program, theirs: Frame, ours: Frame) -> str:
    """Return the line of DIFFERENCES.md that explains why one side alone answers; empty if none does."""
    if theirs.failed and not ours.failed:
        if re.search(r"object '.*' not found", theirs.failed):
            return "R looks for a column in its own frame, where it is no term"
        if program.response is None and "attribute on NULL" in theirs.failed:
            return "no response, rows left out"
    if ours.failed and not theirs.failed:
        if ours.failed.startswith("subset") or (program.subset and "gives shape ()" in ours.failed):
            return "a condition of subset that is missing, or that is a number"
        if program.response is None and ours.failed == "missing values":
            return "no response, rows with missing values"
        if ours.failed.startswith("'ifelse(") and "cannot be computed" in ours.failed:
            return "ifelse computes both of its values"
        if "dtype object; na_roughfix" in ours.failed:
            return "na_roughfix of a column of objects"
    return ""
