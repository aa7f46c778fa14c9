"""Formulas of caret's train(): predictors as R's model.matrix() has them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pyrrf.r.base.factors import factor
from pyrrf.r.base.frames import as_data_frame
from pyrrf.r.caret.resampling import parts_of
from pyrrf.r.indexing.subscripts import ALL, taken
from pyrrf.r.stats.model_frames import build_model_frame
from pyrrf.r.values.coercion import attrs, coerce
from pyrrf.r.values.errors import NotSupportedError, RError, refuse_if, stop_if
from pyrrf.r.values.kinds import classes, factor_levels, inherits, is_factor, is_missing
from pyrrf.r.values.labels import dimnames_of, known_names, matrix_of, row_count, row_names
from pyrrf.r.values.vector import NUMBERS, Value, integers, list_of, null, objects, strings
from pyrrf.rlang.deparse import quote_name
from pyrrf.rlang.tokens import scan

_INDICATED = ("factor", "logical", "character")


@dataclass
class Design:
    """A formula with its data.

    Attributes
    ----------
    x : Value
        The predictors, a column for each number and for each level behind the first.
    y : Value
    terms : Value
    levels : dict
        The levels of each factor, by name.
    data : Value
    variables : list of str
        The response and the predictors, as columns of the data.
    gone : Value or None
        The rows that were omitted.
    """

    x: Value
    y: Value
    terms: Value
    levels: dict[str, list[str]]
    data: Value
    variables: list[str]
    gone: Value | None

    def annotate(self, fit: Value) -> Value:
        """Return the fit of train(), with the parts that a formula adds."""
        parts = parts_of(fit)
        parts |= {"terms": self.terms, "coefnames": strings(dimnames_of(self.x)[1] or [])}
        if self.gone is not None:
            parts["na.action"] = self.gone
        kinds = _classes_of(self.terms)
        predictors = strings(self.variables[1:])
        indicated = [name for name in predictors._data if kinds[name] in _INDICATED]
        if indicated:
            parts["contrasts"] = list_of([strings("contr.treatment")] * len(indicated), indicated)
        named = {name: strings(levels) for name, levels in self.levels.items() if kinds[name] != "logical"}
        parts["xlevels"] = list_of(named.values(), named)
        parts["ptype"] = taken(self.data, integers([]), predictors, drop=False)
        if len(parts["trainingData"]):
            frame = taken(self.data, ALL, strings(self.variables), drop=False)
            names = strings([".outcome", *predictors._data])
            parts["trainingData"] = Value("list", frame._data, frame._attributes | {"names": names})
        about = {"names": strings(parts), "class": strings(["train", "train.formula"])}
        return Value("list", objects(parts.values()), about)


def by_formula(formula: Value, data: Value, na_action: object, scope: Mapping[str, object] | None) -> Design:
    """Return the predictors and the response of a formula whose terms are columns."""
    _check_formula(str(formula._data[0]))
    plain = _plain(data)
    model = build_model_frame("", formula, plain, None, na_action, scope)
    if model.response is None:
        raise NotSupportedError("train() of a formula without a response")
    terms = model._terms(null())
    labels, columns = _predictors(terms), known_names(plain)
    first = _response_name(str(terms._attributes["variables"]._data[0]), columns)
    refuse_if(not set(labels) <= set(columns), "train() of a formula with terms that are no columns")
    terms = Value(terms._kind, terms._data, terms._attributes | {"intercept": integers(1)})
    places = model.table.index.get_indexer(model.frame.index)
    rows = taken(plain, integers(places + 1), ALL, drop=False) if len(places) < row_count(plain) else plain
    used = {name: levels for name in labels if (levels := _levels(rows[[name]])) is not None}
    refuse_if(any(quote_name(name) != name for name in used), "train() of a formula with factors of quoted names")
    y = Value(model.response._kind, model.response._data, attrs(model.response, "levels", "class", "names"))
    return Design(_model_matrix(labels, used, rows), y, terms, used, data, [first, *labels], model._left_out_rows())


def _predictors(terms: Value) -> list[str]:
    return [str(label).strip("`") for label in terms._attributes["term.labels"]._data]


def _check_formula(formula: str) -> None:
    """Refuse terms that change the columns of R's model.matrix(), and names of other tables."""
    tokens = [token for token in scan(formula) if token.kind != "quoted"]
    if any(token.text in ("-", "0", "0L", "0.0", "$", "offset") for token in tokens):
        raise NotSupportedError(
            "train() of a formula with an offset, with $, without an intercept, or without some terms"
        )


def _plain(data: Value) -> Value:
    """Return a table as a data frame."""
    kinds = classes(data)
    if kinds == ["tbl_df", "tbl", "data.frame"]:
        return Value("list", data._data, data._attributes | {"class": strings("data.frame")})
    refuse_if(kinds != ["data.frame"], "train() of a formula with data that is no data frame and no tibble")
    return data


def _response_name(variables: str, columns: list[str]) -> str:
    """Return the column of the response: alone, or inside of a function."""
    tokens = scan(variables)[2:]
    deep, used = 0, []
    for token in tokens:
        deep += (token.text == "(") - (token.text == ")")
        if token.text == "," and deep == 0:
            break
        if token.kind in ("name", "quoted") and token.text in columns:
            used.append(token.text)
    refuse_if(len(used) != 1, "train() of a formula with a response of other than one column")
    return used[0]


def _classes_of(terms: Value) -> dict[str, str]:
    """Return R's class of each variable of a formula, by name."""
    kinds = terms._attributes["dataClasses"]
    return {str(name): str(kind) for name, kind in zip(known_names(kinds), kinds._data, strict=True)}


def _levels(column: Value) -> list[str] | None:
    """Return the levels of a predictor, None of a numeric one."""
    refuse_if(inherits(column, "ordered"), "train() of a formula with ordered factors, whose contrasts are polynomials")
    if is_factor(column):
        levels = [str(level) for level in factor_levels(column)]
    elif column._kind == "character":
        levels = [str(level) for level in factor_levels(factor(column))]
    elif column._kind == "logical":
        levels = [name for name, value in (("FALSE", 0), ("TRUE", 1)) if (column._data == value).any()]
    elif column._kind in NUMBERS and "class" not in column._attributes:
        return None
    else:
        raise NotSupportedError("train() of a formula with predictors that are no numbers, factors or strings")
    stop_if(len(levels) < 2, "contrasts can be applied only to factors with 2 or more levels")
    return levels


def _model_matrix(labels: list[str], levels: Mapping[str, list[str]], frame: Value) -> Value:
    """Return the predictors as numbers: of a factor an indicator of each known level behind the first."""
    names: list[str] = []
    columns = []
    for label in labels:
        column = frame[[label]]
        if label not in levels:
            names.append(quote_name(label))
            columns.append(coerce(column, "double")._data)
            continue
        texts = coerce(column, "character")._data
        new = [text for text in dict.fromkeys(texts) if text is not None and text not in levels[label]]
        if new:
            raise RError(f"factor {label} has new levels {', '.join(map(str, new))}")
        names += [f"{label}{level}" for level in levels[label][1:]]
        columns += [(texts == level).astype(np.float64) for level in levels[label][1:]]
    grid = np.column_stack(columns) if columns else np.zeros((row_count(frame), 0))
    return matrix_of("double", grid, (row_names(frame), names))


def new_predictors(fit: Value, newdata: Value) -> Value:
    """Return new data as the predictors that a fit of train() by a formula took; rows with gaps are left out."""
    terms, known, frame = fit[["terms"]], fit[["xlevels"]], as_data_frame(newdata)
    labels, kinds = _predictors(terms), _classes_of(terms)
    gaps = np.zeros(row_count(frame), dtype=bool)
    for label in labels:
        stop_if(label not in known_names(frame), f"object '{label}' not found")
        gaps |= is_missing(frame[[label]])
    levels = {name: [str(level) for level in known[[name]]._data] for name in known_names(known)}
    levels |= {name: ["FALSE", "TRUE"] for name in labels if kinds[name] == "logical"}
    if gaps.any():
        frame = taken(frame, integers(np.flatnonzero(~gaps) + 1), ALL, drop=False)
    return _model_matrix(labels, levels, frame)
