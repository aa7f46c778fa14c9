"""A program as a script of R and a script of Python, each with its data, to be run on their own."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd

from parity.datasets.tables import only_counts
from parity.r_side import FACTOR_PARTS, FUNCTIONS, R_NAMES
from parity.steps import FITS, Bare, Column, Labels, Named, Part, Positions, Ref, Step


def scripts(parts: dict[str, Any], steps: tuple[Step, ...]) -> str:
    """Both scripts, the one of R first."""
    forest = any(step.verb in ("randomForest", "rfcv", "tuneRF", "rfImpute") for step in steps)
    r = [f"library({'randomForest' if forest else 'RRF'})"]
    r += [f"{name} <- {r_part(name, part)}" for name, part in parts.items()]
    r += [
        f"print({step.name} <- {r_call(step)})" if step.verb not in FITS else f"{step.name} <- {r_call(step)}"
        for step in steps
    ]
    py = ["import numpy as np, pandas as pd, pyrrf", "h = float.fromhex"]
    py += [f"{name} = {py_part(part)}" for name, part in parts.items()]
    py += [
        f"print({step.name} := {py_call(step)})" if step.verb not in FITS else f"{step.name} = {py_call(step)}"
        for step in steps
    ]
    return "\n".join(["# R", *r, "", "# Python", *py])


# ---- R -------------------------------------------------------------------------------------------


def r_number(value: float) -> str:
    """A double that R's parser reads without rounding."""
    if np.isnan(value):
        return "NA"
    if np.isinf(value):
        return "Inf" if value > 0 else "-Inf"
    short = f"{value:.15g}"
    return short if float(short) == value and abs(value) < 1e15 and (value == 0 or abs(value) > 1e-5) else value.hex()


def r_vector(values: Any) -> str:
    array = np.asarray(values)
    flat = array.ravel(order="F").tolist()
    if array.dtype.kind == "b":
        shown = ["TRUE" if v else "FALSE" for v in flat]
    elif array.dtype.kind in "iu":
        shown = [f"{v}L" for v in flat]
    elif array.dtype.kind == "f":
        shown = [r_number(v) for v in flat]
    elif array.dtype.kind == "M":
        return f"as.Date(c({', '.join(json.dumps(str(v)[:10]) for v in array.astype('datetime64[D]'))}))"
    else:
        shown = ["NA" if v is None else json.dumps(str(v), ensure_ascii=False) for v in flat]
    return f"c({', '.join(shown)})"


def r_part(name: str, part: Any) -> str:
    if isinstance(part, pd.Categorical):
        codes = ", ".join("NA" if code < 0 else f"{code + 1}L" for code in part.codes.tolist())
        levels = r_vector(np.array([str(level) for level in part.categories], dtype=object))
        kind = 'c("ordered", "factor")' if part.ordered else '"factor"'
        return f"structure(c({codes}), levels = {levels}, class = {kind})"
    if isinstance(part, pd.DataFrame):
        columns = [r_part("", part.iloc[:, at].array) for at in range(part.shape[1])]
        names = r_vector(np.array([str(column) for column in part.columns], dtype=object))
        rows = (
            "" if only_counts(part.index) else f"; rownames(d) <- {r_vector(np.array(list(part.index), dtype=object))}"
        )
        return f"{{ d <- data.frame({', '.join(columns)}, stringsAsFactors = FALSE); names(d) <- {names}{rows}; d }}"
    array = np.asarray(part)
    if array.ndim == 2:
        return f"matrix({r_vector(array)}, {array.shape[0]})"
    made = r_vector(array)
    return f"factor({made})" if name in FACTOR_PARTS and array.dtype.kind not in "iuf" else made


def r_call(step: Step) -> str:
    args = ", ".join(f"{R_NAMES.get(name, name)} = {r_argument(value)}" for name, value in step.args.items())
    if step.verb == "compute":
        return f"pyrrf_compute_{step.args['what']}({args})"
    return f"{FUNCTIONS[step.verb]}({args})"


def r_argument(value: Any) -> str:
    if isinstance(value, Part | Ref):
        return value.name
    if isinstance(value, Bare):
        return value.text
    if isinstance(value, Positions):
        return r_vector(np.array(value.values, dtype=float) + 1.0)
    if isinstance(value, Named):
        return f"c({', '.join(f'`{name}` = {r_number(v)}' for name, v in value.values.items())})"
    if isinstance(value, pd.Series):
        return r_argument(Named(value.to_dict()))
    if isinstance(value, Column):
        return f"cbind({r_vector(np.array(value.values))})"
    if isinstance(value, Labels):
        return r_part("", pd.Categorical(value.values, categories=value.levels))
    if value is None or isinstance(value, bool | str):
        return {None: "NULL", True: "TRUE", False: "FALSE"}.get(value) or json.dumps(value, ensure_ascii=False)
    return r_vector(value) if np.ndim(value) else r_number(float(value))


# ---- Python --------------------------------------------------------------------------------------


def py_number(value: float) -> str:
    if np.isnan(value):
        return "np.nan"
    return repr(value) if np.isfinite(value) else f"float('{value}')"


def py_part(part: Any) -> str:
    if isinstance(part, pd.Categorical):
        ordered = ", ordered=True" if part.ordered else ""
        return f"pd.Categorical.from_codes({part.codes.tolist()}, {list(part.categories)}{ordered})"
    if isinstance(part, pd.DataFrame):
        columns = ", ".join(f"pd.Series({py_part(part.iloc[:, at].array)})" for at in range(part.shape[1]))
        rows = "" if only_counts(part.index) else f".set_axis({list(part.index)})"
        return f"pd.concat([{columns}], axis=1).set_axis({list(part.columns)}, axis=1){rows}"
    array = np.asarray(part)
    if array.dtype.kind == "f":
        shown = np.vectorize(py_number, otypes=[object])(array).tolist() if array.size else []
        return f"np.array({str(shown).replace(chr(39), '')})"
    if array.dtype.kind == "M":
        return f"np.array({array.astype('datetime64[D]').astype(str).tolist()}, 'datetime64[D]')"
    return f"np.array({array.tolist()}{', object' if array.dtype.kind == 'O' else ''})"


def py_call(step: Step) -> str:
    args = ", ".join(f"{name}={py_argument(value)}" for name, value in step.args.items())
    return f"pyrrf.{step.verb}({args})"


def py_argument(value: Any) -> str:
    if isinstance(value, Part | Ref):
        return value.name
    if isinstance(value, Bare):
        return repr(value.text)
    if isinstance(value, Positions):
        return repr(list(value.values))
    if isinstance(value, Named):
        return repr(value.values)
    if isinstance(value, pd.Series):
        return f"pd.Series({value.to_dict()})"
    if isinstance(value, Column):
        return f"np.array({list(value.values)})[:, None]"
    if isinstance(value, Labels):
        return py_part(pd.Categorical(value.values, categories=value.levels))
    return repr(value)
