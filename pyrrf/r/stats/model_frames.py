"""Formulas of forests: their data, with variables of the script that are not columns, and R's terms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.formula.terms import Terms, model_frame, parse
from pyrrf.r.base.datasets import dataset
from pyrrf.r.base.frames import make_frame, row_ids
from pyrrf.r.indexing.subscripts import component, places, taken
from pyrrf.r.stats.model_terms import terms_value
from pyrrf.r.stats.predictors import call_port, table_of
from pyrrf.r.values.arguments import Mask
from pyrrf.r.values.coercion import cells_of, without
from pyrrf.r.values.convert import frame_of, value_of
from pyrrf.r.values.errors import NotSupportedError, RError, refuse_if
from pyrrf.r.values.kinds import classes, is_factor, is_frame, is_list, is_null
from pyrrf.r.values.labels import dim_of, dimnames_of, is_matrix, known_names, names_of, row_count, row_names
from pyrrf.r.values.vector import NUMBERS, Value, as_value, integers, objects, strings
from pyrrf.rds.code import parse_code
from pyrrf.rds.language import deparse
from pyrrf.rlang.tokens import Token, scan

# Names of actions in pyrrf, and R's class of the rows that they leave out.
_ACTIONS = {
    "na_omit": ("na_omit", "omit"),
    "na_exclude": ("na_omit", "exclude"),
    "na_fail": ("na_fail", ""),
    "na_roughfix": ("na_roughfix", ""),
    "na_pass": ("na_pass", ""),
}
_Action = str | Callable[[pd.DataFrame], pd.DataFrame]
_KINDS = {"b": "logical", "i": "integer", "u": "integer", "f": "double"}


def is_formula(x: object) -> bool:
    """Return whether a value is a formula."""
    return isinstance(x, Value) and x._kind == "language" and ("formula" in classes(x) or "~" in str(x._data[0]))


@dataclass
class Modelled:
    """A formula with its data, as pyrrf takes them.

    Attributes
    ----------
    text : str
        The formula; every variable of it is a column of the data now.
    shown : str
        The formula as R's terms have it.
    table : DataFrame
    rows : ndarray or None
        Positions to use.
    na_action : str or callable
        For pyrrf; `left_out` is R's class of what it leaves out.
    terms : Terms
    frame : DataFrame
        The variables, rows with missing values treated.
    response : Value or None
    grids : set of str
        Columns that are matrices of one column.
    """

    text: str
    shown: str
    table: pd.DataFrame
    rows: np.ndarray | None
    na_action: _Action
    left_out: str
    terms: Terms
    frame: pd.DataFrame
    response: Value | None
    grids: set[str]

    def changes(self, function: str, fit: Any) -> dict[str, Any]:
        """Return the parts that R's list of a fit has otherwise."""
        parts: dict[str, Any] = {"terms": self._terms}
        gone = self._left_out_rows()
        if self.response is not None:
            about = dict(self.response._attributes)
            if function == "randomForest" and gone is not None:
                about["na.action"] = gone
            numbers = function == "randomForest" and not is_factor(self.response)
            if numbers and "na.action" in about:
                about = {"na.action": about.pop("na.action"), **about}
            kind, data = ("double", np.asarray(fit.response)) if numbers else (self.response._kind, self.response._data)
            parts["y"] = Value(kind, data, about)
        if function == "randomForest" and gone is not None:
            parts["predicted"] = lambda old: Value(old._kind, old._data, old._attributes | {"na.action": gone})
            parts["na.action"] = gone
        return parts

    def _terms(self, old: Value) -> Value:
        """Return R's terms; `old` are those of pyrrf."""
        kinds = {str(label): _data_class(self.frame[label]) for label in self.frame.columns}
        kinds |= dict.fromkeys(self.grids & set(kinds), "nmatrix.1")
        return terms_value(self.shown, kinds, lambda label: label if label in kinds else label.strip("`"))

    def _left_out_rows(self) -> Value | None:
        """Return the rows that were left out, as R notes them."""
        if not self.left_out:
            return None
        labels = self.table.index if self.rows is None else self.table.index[self.rows]
        kept = set(self.frame.index)
        index = [i for i, label in enumerate(labels) if label not in kept]
        if not index:
            return None
        names = strings([str(labels[i]) for i in index])
        return integers(np.array(index) + 1.0, {"names": names, "class": strings(self.left_out)})


def _data_class(column: Any) -> str:
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return "ordered" if dtype.ordered else "factor"
    if pd.api.types.is_bool_dtype(dtype):
        return "logical"
    return "character" if dtype.kind == "O" else "numeric"


def build_model_frame(
    function: str, formula: Value, data: object, subset: object, na_action: object, scope: Mapping[str, object] | None
) -> Modelled:
    """Return the formula of a forest with its data."""
    frame = _data(data)
    tokens = scan(str(formula._data[0]))
    frame, tokens, shown = _complete(frame, tokens, scope or {})
    rows = _rows(frame, subset)
    if rows is not None and len(set(rows.tolist())) < len(rows):
        refuse_if(any(token.text == "(" for token in tokens), "subset with rows twice, and functions")
        frame, rows = taken(frame, integers(rows + 1), slice(None)), None
    table = table_of(frame, "data").values
    text = _join_tokens(tokens)
    terms = call_port(parse, text, list(table.columns))
    if function:
        _check_again(terms, scope or {})
    table = _numbers_for_response(table, terms)
    act, left_out = _na_action(na_action)
    if act == "na_fail" and call_port(model_frame, terms, table, rows, "na_pass").isna().to_numpy().any():
        raise RError("missing values in object")
    model = call_port(model_frame, terms, table, rows, act)
    response = _response(function, terms, model, frame)
    return Modelled(text, shown, table, rows, act, left_out, terms, model, response, _grids(frame, terms))


def _grids(frame: Value, terms: Terms) -> set[str]:
    """Return the columns that are matrices; a formula may hold them among its predictors, as they are."""
    grids = {name for name, column in zip(known_names(frame), frame._data, strict=True) if dim_of(column) is not None}
    asked_for = [*terms.variables, *([] if terms.response is None else [terms.response])]
    if any(grids.intersection(side.columns) and (side is terms.response or not side.bare) for side in asked_for):
        raise NotSupportedError("a formula that computes with a column that is a matrix")
    return grids


def _check_again(terms: Terms, scope: Mapping[str, object]) -> None:
    """Stop where R computes a predictor again, from the columns of the formula alone, and does not find one."""
    known = {side.label for side in terms.variables if side.bare} - _changed_names(terms)
    if terms.response is not None and terms.response.bare:
        known.add(terms.response.label)
    for side in terms.predictors:
        for name in side.columns:
            if name not in known and "$" not in name:
                refuse_if(name in scope, f"{side.label} in a formula, which R computes from {name} of the script")
                raise RError(f"object '{name}' not found")


def _changed_names(terms: Terms) -> set[str]:
    """Return columns whose names data.frame() changes."""
    return {side.label for side in terms.variables if side.bare and scan(side.label) != [Token("name", side.label)]}


def _data(given: object) -> Value:
    data = as_value(given)
    if is_frame(data):
        return data
    if is_null(data):
        return make_frame([], [], row_ids(0))
    if is_matrix(data):
        refuse_if(data._kind not in NUMBERS, f"a formula with a matrix of kind {data._kind}")
        rows, names = dimnames_of(data)
        grid = cells_of(data)
        labels = [str(name) for name in names or [f"V{j + 1}" for j in range(grid.shape[1])]]
        columns = [Value(data._kind, column) for column in grid.T.copy()]
        return make_frame(columns, labels, row_ids(len(grid)) if rows is None else strings(rows))
    if is_list(data) and len({len(item) for item in data._data}) == 1:
        return make_frame(list(data._data), known_names(data), row_ids(len(data._data[0])))
    raise RError("'data' must be a data.frame, environment, or list")


# ---- names ---------------------------------------------------------------------------------------


def _complete(frame: Value, tokens: list[Token], scope: Mapping[str, object]) -> tuple[Value, list[Token], str]:
    """Return the data with columns for the script's variables, the formula, and the text of R's terms."""
    columns = known_names(frame)
    tokens, added = _parts(tokens, scope)
    for i, token in enumerate(tokens):
        called = i + 1 < len(tokens) and tokens[i + 1].text == "("
        if token.kind in ("name", "quoted") and not called and token.text not in (*columns, *added, "."):
            value = scope.get(token.text)
            if isinstance(value, Value):
                added[token.text] = value
    tilde = next((i for i, token in enumerate(tokens) if token.text == "~"), -1)
    left = {word for token in tokens[:tilde] for word in (token.text, *token.text.split("$"))}
    others = [name for name in columns if name not in left]
    spread: list[Token] = []
    for i, token in enumerate(tokens):
        dot = token.text == "." and i >= tilde and token.kind != "string"
        spread += _dot(tokens, i, others, tilde) if dot else [token]
    if not added:
        return frame, tokens, _spell(spread)
    return _with_columns(frame, added), spread, _spell(spread)


def _dot(tokens: list[Token], i: int, names: list[str], tilde: int) -> list[Token]:
    """Return the terms that R puts in the place of a dot."""
    inner = [token for name in names for token in (Token("operator", "+"), _name(name))][1:]
    before = tokens[i - 1].text if i else "~"
    after = tokens[i + 1].text if i + 1 < len(tokens) else ""
    if (i - 1 == tilde and after in ("", "+")) or (before == "(" and after == ")"):
        return inner
    return [Token("operator", "("), *inner, Token("operator", ")")]


def _name(name: str) -> Token:
    plain = scan(name) == [Token("name", name)]
    return Token("name" if plain else "quoted", name)


def _parts(tokens: list[Token], scope: Mapping[str, object]) -> tuple[list[Token], dict[str, Value]]:
    """Return the formula with one name for each ``d$x``, and their values."""
    out: list[Token] = []
    added: dict[str, Value] = {}
    for token in tokens:
        if len(out) > 1 and out[-1].text == "$" and token.kind in ("name", "quoted"):
            out.pop()
            whole = out.pop()
            label = f"{whole.text}${token.text}"
            source = scope.get(whole.text)
            source = dataset(whole.text) if source is None else source
            refuse_if(not isinstance(source, Value), f"{label} in a formula: {whole.text} is no variable of the script")
            added[label] = component(source, token.text)
            out.append(Token("quoted", label))
        else:
            out.append(token)
    return out, added


def _with_columns(frame: Value, added: Mapping[str, Value]) -> Value:
    """Return a data frame with further columns."""
    n = row_count(frame) if len(frame) else max(len(value) for value in added.values())
    for name, value in added.items():
        if len(value) != n or value._kind == "list" or dim_of(value) is not None:
            raise NotSupportedError(f"{name} in a formula, which is no column of data and no vector of its length")
    rows = frame._attributes["row.names"] if len(frame) else row_ids(n)
    names = [*(names_of(frame) or []), *added]
    data = objects([*frame._data, *(value.copy() for value in added.values())])
    return Value("list", data, frame._attributes | {"names": strings(names), "row.names": rows})


def _join_tokens(tokens: list[Token]) -> str:
    return " ".join(map(str, tokens))


def _spell(tokens: list[Token]) -> str:
    """Return a formula as R's deparse() spells it."""
    plain = [Token("name", t.text) if t.kind == "quoted" and "$" in t.text else t for t in tokens]
    try:
        return deparse(parse_code(" ".join(map(str, plain))))
    except ValueError:
        return _join_tokens(plain)


# ---- rows ----------------------------------------------------------------------------------------


def _rows(frame: Value, subset: object) -> np.ndarray | None:
    """Return the positions that subset means."""
    if callable(subset) and not isinstance(subset, Value):
        subset = subset(Mask(frame))
    if is_null(subset):
        return None
    index = places(subset, row_count(frame), row_names(frame))
    refuse_if((index < 0).any() or (index >= row_count(frame)).any(), "subset with other rows than those of data")
    return index


def _na_action(action: object) -> tuple[_Action, str]:
    """Return pyrrf's action for missing values, and R's class of the rows that it leaves out."""
    if is_null(action):
        return "na_fail", ""
    text = isinstance(action, str | Value)
    name = str(as_value(action)._data[0]) if text else getattr(action, "__name__", "")
    name = name.replace(".", "_").rpartition("::")[2]
    if name in _ACTIONS:
        return _ACTIONS[name]
    if not callable(action):
        raise NotSupportedError("na.action that is no function")
    return _call_on_frame(action), ""


def _call_on_frame(action: Callable[[Value], Value]) -> Callable[[pd.DataFrame], pd.DataFrame]:
    def act(frame: pd.DataFrame) -> pd.DataFrame:
        cleaned = action(frame_of(frame))
        return table_of(cleaned, "what na.action returns").values

    return act


# ---- the response --------------------------------------------------------------------------------


def _numbers_for_response(table: pd.DataFrame, terms: Terms) -> pd.DataFrame:
    """Return the data with numbers in a logical response, which is no factor in R."""
    side = terms.response
    if side is None or not side.bare or not pd.api.types.is_bool_dtype(table[side.label].dtype):
        return table
    return table.assign(**{side.label: table[side.label].astype("Float64").to_numpy(np.float64, na_value=np.nan)})


def _response(function: str, terms: Terms, frame: pd.DataFrame, data: Value) -> Value | None:
    """Return the response as R's model.response() has it: with the names of its rows."""
    side = terms.response
    if side is None:
        return None
    names = strings([str(label) for label in frame.index])
    if not side.bare:
        return _compute_column(frame[side.label], names)
    column = data._data[(names_of(data) or []).index(side.label)]
    labels = {label: index for index, label in enumerate(row_names(data))}
    index = np.array([labels[label] for label in frame.index], dtype=np.int64)
    filled = column._data[index]
    if column._kind != "character" and np.isnan(filled).any():
        return _compute_column(frame[side.label], names)
    return Value(column._kind, filled, without(column, "names")._attributes | {"names": names})


def _compute_column(column: Any, names: Value) -> Value:
    if isinstance(column.dtype, pd.CategoricalDtype):
        factor = value_of(column.array)
        return Value("integer", factor._data, factor._attributes | {"names": names})
    refuse_if(pd.api.types.is_bool_dtype(column.dtype), "a formula with a condition as response")
    if column.dtype == object:
        return Value("character", objects(column), {"names": names})
    kind = _KINDS.get(column.to_numpy().dtype.kind, "double")
    return Value(kind, column.to_numpy(np.float64, na_value=np.nan), {"names": names})
