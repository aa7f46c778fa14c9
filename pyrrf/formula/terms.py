"""The formula interface: R's RRF.formula, which reads a model frame and not a model matrix.

A model frame has one column per variable: factors stay factors, and an interaction such as a:b adds the
columns a and b.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, cast

import numpy as np
import pandas as pd

from pyrrf import formula as package
from pyrrf.checks import quote, type_name, warn
from pyrrf.data.match import warn_codes
from pyrrf.data.roughfix import na_roughfix
from pyrrf.data.tables import as_table
from pyrrf.errors import bad
from pyrrf.formula.algebra import Products, check_terms, combine_products, is_dot, is_operand, operands
from pyrrf.formula.expression import Compiler, Expression, read_code
from pyrrf.rbase.vectors import MOST_INTEGER
from pyrrf.rlang.tokens import Token, scan
from pyrrf.rlang.tree import Node, fold
from pyrrf.types import Column, Labels

T = TypeVar("T", bound=Column | pd.DataFrame)


@dataclass(frozen=True)
class Terms:
    """The terms of a formula on given columns (R's ``terms``)."""

    formula: str
    response: Expression | None  # left side; None for unsupervised mode
    predictors: tuple[Expression, ...]  # columns of the model frame that the forest is grown on
    # The predictors, and variables that the formula mentions only to drop. Where any of these is missing, R drops the
    # row or its prediction.
    variables: tuple[Expression, ...]
    # Levels, by label, of a first predictor that was an ordered factor before it became numbers
    levels: dict[str, tuple[Any, ...]] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """Labels of the predictors."""
        return [expression.label for expression in self.predictors]


@dataclass(frozen=True)
class CompleteRows:
    """Rows of new data without missing values, for which there are predictions."""

    rows: Labels
    positions: np.ndarray

    def spread(self, table: T) -> T:
        """Return a Series or DataFrame of complete rows, expanded to all rows with missing values in the others."""
        if len(self.positions) == len(self.rows):
            return table
        spread = table.set_axis(self.positions).reindex(range(len(self.rows))).set_axis(self.rows)
        return cast("T", spread)


# ---- data ----------------------------------------------------------------------------------------


def read_data(data: Any, name: str) -> pd.DataFrame:
    """Return the data of a formula as a DataFrame, after checks of its column names.

    Raises
    ------
    TypeError
        It is not a DataFrame, or its column names are not strings.
    ValueError
        A name occurs twice.
    """
    if data is None:
        raise bad.absent(f"{name} is missing; pass the DataFrame whose columns the formula names", kind=TypeError)
    data = as_table(data, name, row=True)
    if not isinstance(data, pd.DataFrame):
        raise bad.type(f"{name} must be a DataFrame, not {type_name(data)}; pass pd.DataFrame({name}, columns=...)")
    if not all(isinstance(column, str) for column in data.columns):
        raise bad.type(
            f"columns of {name} must be named by strings for a formula; pass {name}.rename(columns=str)", name
        )
    if not data.columns.is_unique:
        twice = data.columns[data.columns.duplicated()].tolist()
        raise bad.duplicate(f"{name} has more than one column called {twice[0]!r}; rename one of them")
    return data


# ---- from a formula to terms ---------------------------------------------------------------------


def parse(formula: str, columns: Sequence[str], quirks: bool = True) -> Terms:
    """Return the terms of a formula for data with given columns.

    Parameters
    ----------
    formula : str
        R's operators ``+ - : * / ^ %in% ( )`` and ``.``; Python or R inside terms.
    columns : sequence of str
    quirks : bool, default True
        Whether missing values matter in variables that the formula drops again, as in R.

    Raises
    ------
    ValueError
        The formula has invalid syntax, an unknown name, or no predictors.
    """
    left, right = _sides(formula)
    compiler = Compiler(columns)
    response = compiler.compile(left, integers=True) if left else None
    mentioned = set(response.columns) if response else set()
    others = [c for c in columns if c not in mentioned]
    check_terms(formula, right, len(others))
    side = _RightSide(compiler, others, right)
    terms = _expand(side, response.label if response else None)
    predictors = [side.operands[name] for name in terms]
    if not predictors:
        raise bad.formula(f"formula {formula!r} has no predictors; name a column, or . for all")
    variables = list(side.operands.values()) if quirks else predictors
    return Terms(formula, response, tuple(predictors), tuple(variables))


def _sides(formula: str) -> tuple[Node | None, Node]:
    tokens = scan(formula)
    tildes = [position for position, token in enumerate(tokens) if token == Token("operator", "~")]
    if len(tildes) != 1:
        raise bad.formula(f"formula {formula!r} must have one '~', as in 'y ~ a + b' or 'y ~ .'")
    left, right = tokens[: tildes[0]], tokens[tildes[0] + 1 :]
    return read_code(formula, left) if left else None, read_code(formula, right)


class _RightSide:
    """The right side of a formula, with a plain name in place of each operand.

    Attributes
    ----------
    terms : Products
        Plain names that each term multiplies.
    operands : dict of str to Expression
        Expressions by plain name, in order of appearance.
    offsets : set of str
        Names of the operands of offset(), which are in no term.
    """

    def __init__(self, compiler: Compiler, others: Sequence[str], tree: Node) -> None:
        self.compiler = compiler
        self.operands: dict[str, Expression] = {}
        self.offsets: set[str] = set()
        self._others = others
        self._labels: dict[str, str] = {}
        self.terms = fold(tree, self._products, operands)

    def _products(self, node: Node, parts: list[Products]) -> Products:
        if parts:
            return combine_products(node, parts)
        if is_dot(node):
            places = {self.compiler.places[c]: self.compiler.column(c) for c in self._others}
            self.operands |= places
            return {frozenset((name,)): None for name in places}
        return {frozenset((self._operand(node),)): None} if is_operand(node) else {}

    def _operand(self, node: Node) -> str:
        offset = node.kind == "call" and node.parts[0].text == "offset" and len(node.parts) == 2
        expression = self.compiler.compile(node.parts[1] if offset else node)
        if expression.bare:
            name = self.compiler.places[expression.columns[0]]
        else:
            name = self._labels.setdefault(expression.label, f"_e{len(self.operands)}")
        if offset:  # a variable of its own, apart from the column
            warn("offset() in the formula has no effect on the forest, as in R")
            name = f"offset of {name}"
            self.offsets.add(name)
        self.operands.setdefault(name, expression)
        return name


def _expand(side: _RightSide, response: str | None) -> list[str]:
    """Return the plain names of the variables in R's order: main effects first, and the response before others."""
    rank = {name: -1 if e.label == response else position for position, (name, e) in enumerate(side.operands.items())}
    names: dict[str, None] = {}
    for factors in sorted((term for term in side.terms if side.offsets.isdisjoint(term)), key=len):
        names |= dict.fromkeys(sorted(factors, key=rank.__getitem__))
    return list(names)


# ---- from terms to data --------------------------------------------------------------------------


def model_frame(terms: Terms, data: pd.DataFrame, subset: Any, na_action: Any) -> pd.DataFrame:
    """Return the response and the variables of the formula (R's ``model.frame``).

    Parameters
    ----------
    terms : Terms
    data : DataFrame, shape (n, k)
    subset : None, str, array_like of bool or of int
        Rows to use: a condition on the columns, True and False for each row, or positions from 0.
    na_action : str or callable
        "na_fail", "na_omit", "na_roughfix", "na_pass", or a function of the model frame.

    Raises
    ------
    TypeError
        `subset` or `na_action` has a wrong type.
    ValueError
        An expression cannot be computed, or values are missing with "na_fail".
    """
    sides = ([] if terms.response is None else [terms.response]) + list(terms.variables)
    frame = _evaluate(sides, data)
    act = _resolve_na_action(na_action)
    rows = _subset_rows(subset, data, omit=act is _na_omit)
    return act(frame if rows is None else frame.iloc[rows])


def _evaluate(expressions: Sequence[Expression], data: pd.DataFrame) -> pd.DataFrame:
    """Return a table with one column per expression; plain columns are selected in one block."""
    labels = list(dict.fromkeys(expression.label for expression in expressions))
    bare = {e.label for e in expressions if e.bare}
    computed = {e.label: e.evaluate(data) for e in expressions if e.label not in bare}
    frame = data[[label for label in labels if label in bare]]
    if not computed:
        return frame
    # All rows decide whether whole numbers become doubles, before rows are dropped.
    used = bare.intersection(*[{column for e in expressions if not e.bare for column in e.columns}])
    wide = {name: data[name].astype(np.float64) for name in used if _is_wide(data[name])}
    return _with_columns(frame, computed | wide)[labels]


def _with_columns(frame: pd.DataFrame, columns: Mapping[str, Column]) -> pd.DataFrame:
    """Return a table with columns added or replaced, all at once, since each single insertion copies the table."""
    if not columns:
        return frame
    order = list(dict.fromkeys([*frame.columns, *columns]))
    others = frame[[name for name in frame.columns if name not in columns]]
    return pd.concat([others, *(column.rename(name) for name, column in columns.items())], axis=1)[order]


def _is_wide(column: Column) -> bool:
    """Return whether whole numbers exceed R's integers."""
    known = column.dropna() if pd.api.types.is_integer_dtype(column.dtype) else column[:0]
    return bool(len(known)) and not -MOST_INTEGER <= known.min() <= known.max() <= MOST_INTEGER


def _subset_rows(subset: Any, data: pd.DataFrame, omit: bool) -> np.ndarray | None:
    """Return positions of the rows to use; None for all.

    Where the condition is missing, R returns a row of missing values, which `omit` drops.
    """
    if subset is None:
        return None
    if isinstance(subset, str):
        subset = _condition(subset, data)
    if isinstance(subset, pd.Series) and not subset.index.equals(data.index):
        raise bad.order("subset has other row labels than data; pass subset.to_numpy() to go by position")
    rows = np.asarray(subset)
    missing = pd.isna(rows)
    if missing.any() and not omit:
        raise bad.missing("subset holds missing values; pass True or False for each row, or na_action='na_omit'")
    if rows.dtype == object and all(isinstance(v, bool | np.bool_) for v in rows[~missing]):
        rows = np.where(missing, False, rows).astype(bool)
    if rows.ndim != 1 or rows.dtype.kind not in "biu":
        raise bad.type("subset must be a condition such as 'age > 50', booleans or row positions from 0")
    if rows.dtype.kind == "b":
        if len(rows) != len(data):
            raise bad.length(f"subset has {len(rows)} values, but data has {len(data)} rows; pass one per row")
        return np.flatnonzero(rows)
    if len(rows) and (rows.min() < 0 or rows.max() >= len(data)):
        raise bad.range(f"subset must hold row positions from 0 to {len(data) - 1} (R counts from 1)")
    return rows


def _condition(text: str, data: pd.DataFrame) -> Column:
    condition = Compiler(list(data.columns)).compile(read_code(text)).evaluate(data)
    if not package.is_condition(condition):
        raise bad.type(f"subset must be a condition such as 'age > 50', which {text!r} is not")
    return condition


def _na_fail(frame: pd.DataFrame) -> pd.DataFrame:
    missing = frame.columns[frame.isna().any()].tolist()
    if missing:
        raise bad.missing(
            f"data holds missing values in column(s) {quote(missing)}; pass na_action='na_omit' to drop their "
            "rows, or na_action='na_roughfix' to fill them with medians and most frequent values"
        )
    return frame


def _na_omit(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.dropna()


_NA_ACTIONS: dict[str, Callable[[pd.DataFrame], pd.DataFrame]] = {
    "na_fail": _na_fail,
    "na_omit": _na_omit,
    "na_roughfix": na_roughfix,
    "na_pass": lambda frame: frame,
}


def _resolve_na_action(na_action: Any) -> Callable[[pd.DataFrame], pd.DataFrame]:
    named = isinstance(na_action, str)
    if named and (name := na_action.replace(".", "_")) in _NA_ACTIONS:
        return _NA_ACTIONS[name]
    if not callable(na_action):
        known, kind = ", ".join(_NA_ACTIONS), ValueError if named else TypeError
        raise bad.choice(f"na_action must be one of {known}, or a function, not {na_action!r}", kind=kind)
    return lambda frame: _check_frame(na_action(frame), frame)


def _check_frame(result: Any, frame: pd.DataFrame) -> pd.DataFrame:
    if not isinstance(result, pd.DataFrame) or list(result.columns) != list(frame.columns):
        raise bad.type("na_action must return a DataFrame with the columns that it was given")
    return result


def predictor_frame(
    terms: Terms, frame: pd.DataFrame, quirks: bool = True, random_forest: bool = False
) -> tuple[pd.DataFrame, Terms]:
    """Return the predictors of a model frame, and the terms with the levels of factors that were converted to numbers.

    As in R, an expression whose columns are in the frame is computed again, after rows were dropped and
    missing values imputed. randomForest converts all ordered factors to numbers; the loop of RRF reaches the
    first column only. The others remain ordered factors, which are treated as the same numbers.
    """
    known = set(frame.columns)
    recomputed = [e for e in terms.predictors if not e.bare and len(frame) and known.issuperset(e.columns)]
    table = _with_columns(frame[terms.names], {e.label: e.evaluate(frame, by_label=quirks) for e in recomputed})
    converted = terms.names if random_forest else terms.names[: int(quirks)]
    dtypes = {name: table[name].dtype for name in converted}
    levels = {
        name: tuple(dtype.categories)
        for name, dtype in dtypes.items()
        if isinstance(dtype, pd.CategoricalDtype) and dtype.ordered
    }
    codes = {name: _ordered_codes(table[name], levels_of_column, "data") for name, levels_of_column in levels.items()}
    table = _with_columns(table, codes)
    return table, replace(terms, levels=levels) if levels else terms


def _ordered_codes(column: Column, levels: tuple[Any, ...], name: str) -> Column:
    """Return codes 1..k among the given levels, with NaN for missing values."""
    place = {level: float(code) for code, level in enumerate(levels, start=1)}
    unseen = [level for level in column.cat.categories if level not in place]
    if unseen:
        what = f"column {column.name!r} of {name}"
        raise bad.levels(f"{what} has levels that the training data do not have: {quote(unseen, len(unseen))}")
    return column.astype(object).map(place).astype(np.float64)


# ---- new data ------------------------------------------------------------------------------------


def read_new_data(
    terms: Terms, newdata: Any, all_rows: bool = False, argument: str = "newdata", own_codes: bool = False
) -> tuple[pd.DataFrame, CompleteRows]:
    """Return the predictors in the rows of new data that have no missing values.

    Parameters
    ----------
    terms : Terms
    newdata : DataFrame, or Series for one row
        Columns are matched by name.
    all_rows : bool, default False
        Whether the result has rows with missing values.
    argument : str, default "newdata"
        Name that messages show.
    own_codes : bool, default False
        Whether ordered factors are coded by their own levels, as by randomForest.

    Returns
    -------
    frame : DataFrame, shape (kept, p)

    Raises
    ------
    TypeError
        `newdata` is not a table.
    ValueError
        A column is missing, or an ordered factor has new levels.
    """
    table = read_data(newdata, argument)
    wanted = dict.fromkeys(column for e in terms.variables for column in e.columns)
    lacking = [column for column in wanted if column not in table.columns]
    if lacking:
        raise bad.columns(
            f"{argument} lacks column(s) {quote(lacking)} of the formula {terms.formula!r}; add them", argument
        )
    frame = _evaluate(terms.variables, table)
    positions = np.flatnonzero(all_rows | frame.notna().all(axis=1).to_numpy())
    frame = frame[terms.names].iloc[positions]
    for name in terms.levels:
        if pd.api.types.is_numeric_dtype(frame[name].dtype):
            warn_codes(f"column {name!r} of {argument}")
    codes = {
        name: _ordered_codes(frame[name], tuple(frame[name].cat.categories) if own_codes else levels, argument)
        for name, levels in terms.levels.items()
        if isinstance(frame[name].dtype, pd.CategoricalDtype)
    }
    return _with_columns(frame, codes), CompleteRows(table.index, positions)
