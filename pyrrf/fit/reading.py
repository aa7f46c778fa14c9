"""The data of a call, read and checked once, for one forest or many."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from pyrrf._core.records import TrainingArrays
from pyrrf.checks import numbers
from pyrrf.data.alignment import check_rows, row_labels
from pyrrf.data.identifiers import check_wide_factors
from pyrrf.data.inputs import Factor, check_length, holds_whole_numbers, match_labels, read_labels
from pyrrf.data.match import match_test_set
from pyrrf.data.predictors import Predictors, check_categories, read_predictors
from pyrrf.errors import bad
from pyrrf.fit.call import Call
from pyrrf.fit.engine import Engine
from pyrrf.formula.terms import Terms, model_frame, parse, predictor_frame, read_data
from pyrrf.rbase.collate import collating
from pyrrf.types import Floats, Positions

Kind = Literal["classification", "regression", "unsupervised"]
# The labels that R gives to the data and to the synthetic rows.
_DATA_OR_SYNTHETIC = ["1", "2"]
# Arguments of a call that hold one value for each row of x.
_PER_ROW = ("y", "sample_weight", "strata", "weights")


@dataclass(frozen=True, eq=False, kw_only=True)
class Data:
    """The data of a call."""

    x: Predictors
    # Classes; in unsupervised mode "1" for the rows and "2" for as many synthetic ones. None for regression.
    labels: Factor | None
    numbers: Floats | None  # float64, shape (n,): responses that are numbers
    supervised: bool  # whether there is a response
    test: Predictors | None  # predictors of the test set
    # int32 or float64, shape (ntest,): response of the test set: classes from 0, or numbers
    observed: np.ndarray | None
    row_weight: Floats | None  # float64, shape (n,): `sample_weight`
    terms: Terms | None  # the formula's terms
    whole: bool = False  # whether the numbers came as a type of whole numbers, which classes may have been coded in
    # Whether the caller said that the response is numbers; otherwise few distinct ones draw a warning
    meant: bool = False

    @property
    def kind(self) -> Kind:
        """The type of the forest."""
        if not self.supervised:
            return "unsupervised"
        return "regression" if self.labels is None else "classification"

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of x."""
        n, p = self.x.values.shape
        return n, p

    def rows(self, response: np.ndarray, nclass: int, observed: np.ndarray | None) -> TrainingArrays:
        """Return the arrays of a forest for the core, with the test set and its observed response."""
        return TrainingArrays(
            values=self.x.values,
            ncat=self.x.ncat,
            response=response,
            nclass=nclass,
            test_values=None if self.test is None else self.test.values,
            test_response=observed,
        )

    def select(self, columns: Positions) -> Data:
        """Return the same rows with these columns, counted from 0, in this order."""
        test = None if self.test is None else self.test.select(columns)
        return replace(self, x=self.x.select(columns), test=test)

    def take(self, rows: Positions) -> Data:
        """Return some rows, counted from 0, in this order; classes without a row are left out."""
        return replace(
            self,
            x=self.x.take(rows),
            labels=None if self.labels is None else self.labels.take(rows),
            numbers=None if self.numbers is None else self.numbers[rows],
            row_weight=None if self.row_weight is None else self.row_weight[rows],
        )


def read(call: Call, engine: Engine) -> Data:
    """Read the data of a tidy call.

    Raises
    ------
    TypeError, ValueError
        The data cannot be read or do not match each other.
    """
    with collating(call.collate):
        return _read(call, engine)


def _read(call: Call, engine: Engine) -> Data:
    call, terms = _read_formula(call, engine.quirks) if isinstance(call.x, str) else (call, None)
    if call.x is None:
        raise bad.absent("x is missing; pass predictors, or a formula and data", kind=TypeError)
    x = read_predictors(call.x, "x", engine.parallel)
    n = len(x.rows)
    if not engine.parallel or call.y is None:
        check_categories(x, "x", packed=call.random_forest)
    if call.ytest is not None and call.xtest is None:
        raise bad.conflict("ytest is given without xtest; pass both")
    labels, values = _read_response(call, n)
    _check_rows(call)
    check_sparse(x, engine, call.y is not None, labels is None)
    engine.rule(numbers=labels is None)
    weights = _read_weights(call, n)
    if not call.random_forest:
        check_wide_factors(x, "x")
    test = None if call.xtest is None else match_test_set(call.xtest, x, engine.quirks, engine.parallel)
    return Data(
        x=x,
        labels=labels,
        numbers=values,
        supervised=call.y is not None,
        test=test,
        observed=None if test is None or call.ytest is None else _read_observed(call, labels, len(test.rows)),
        row_weight=weights,
        terms=terms,
        whole=values is not None and holds_whole_numbers(call.y),
    )


def check_sparse(x: Predictors, engine: Engine, supervised: bool, numeric: bool) -> None:
    """Refuse a sparse matrix where whole columns are read or made.

    Raises
    ------
    ValueError
        It is one, and the forest is unsupervised, or one of engine r for regression.
    """
    if not x.sparse:
        return
    if not supervised:
        raise bad.unsupported("x is sparse, and the synthetic rows of unsupervised mode are not; pass x.toarray()")
    if numeric and not engine.parallel:
        raise bad.unsupported(
            "engine='r' accepts a sparse matrix for classification only; convert it with .toarray(), or fit with RRF's "
            "engine='parallel'",
            "x",
        )


def _read_formula(call: Call, quirks: bool) -> tuple[Call, Terms]:
    """Return the call with x and y in place of the formula, and the terms."""
    assert isinstance(call.x, str)
    if not quirks and (call.xtest is not None or call.ytest is not None):
        raise bad.conflict("xtest and ytest do not go with a formula; predict with newdata instead")
    table = read_data(call.data, "data")
    terms = parse(call.x, list(table.columns), quirks)
    frame = model_frame(terms, table, call.subset, call.na_action)
    response = None if terms.response is None else frame[terms.response.label]
    predictors, terms = predictor_frame(terms, frame, quirks, call.random_forest)
    return replace(call, x=predictors, y=response), terms


def _read_response(call: Call, n: int) -> tuple[Factor | None, Floats | None]:
    """Return the response as classes or as numbers."""
    if call.y is None:
        return Factor(np.repeat(np.array([0, 1], dtype=np.int32), n), _DATA_OR_SYNTHETIC), None
    response = read_labels(call.y, "y")
    if isinstance(response, Factor):
        check_length(len(response.codes), n, "y", "x")
        return response, None
    check_length(len(response), n, "y", "x")
    # A copy is contiguous, and the caller cannot change it later.
    return None, response.copy()


def _check_rows(call: Call) -> None:
    """Refuse arguments with the rows of x in another order; without row labels of x those of y count."""
    named = row_labels(call.x) is not None
    for name in _PER_ROW:
        check_rows(getattr(call, name, None), name, row_labels(call.x, call.y), "x" if named else "y")


def _read_observed(call: Call, labels: Factor | None, n: int) -> np.ndarray:
    """Return `ytest` as codes of the classes of y, or as numbers."""
    check_rows(call.ytest, "ytest", row_labels(call.xtest), "xtest")
    if labels is not None:
        other = "unsupervised mode" if call.y is None else "y"
        codes = match_labels(call.ytest, labels.levels, "ytest", other)
        check_length(len(codes), n, "ytest", "xtest")
        return codes
    observed = read_labels(call.ytest, "ytest")
    if isinstance(observed, Factor):
        raise bad.type("ytest must hold numbers, as y does")
    check_length(len(observed), n, "ytest", "xtest")
    return np.ascontiguousarray(observed)


def _read_weights(call: Call, n: int) -> Floats | None:
    """Return the weight of each row, float64, shape (n,); 0 or more, not all 0."""
    if call.sample_weight is None:
        return None
    if call.y is None:
        raise bad.conflict("sample_weight needs a response; unsupervised mode has none")
    weights = numbers(call.sample_weight, "sample_weight")
    check_length(len(weights), n, "sample_weight", "x")
    if (weights < 0).any():
        raise bad.range(f"sample_weight must be 0 or more, but holds {weights.min():.6g}")
    if not weights.any():
        raise bad.range("sample_weight is 0 for every row, so no tree can split; pass weights above 0")
    return weights
