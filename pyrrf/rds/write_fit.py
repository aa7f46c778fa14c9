"""Writer of fits as R's lists, with R's order of parts and R's types."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyrrf.checks import MOST_COUNT
from pyrrf.rbase.numbers import label
from pyrrf.rds import build
from pyrrf.rds.code import parse_call
from pyrrf.rds.write_forest import write_forest
from pyrrf.rds.write_terms import write_terms
from pyrrf.rds.write_values import row_names
from pyrrf.result.regression import RegressionResult, RRFRegressionTestSet
from pyrrf.result.result import ClassificationResult, ForestResult, RRFTestSet
from pyrrf.result.rrf import RRFResult
from pyrrf.types import Labels


def write_fit(fit: ForestResult) -> Any:
    """Return a fit as R's object of class RRF or randomForest.

    ValueError if the forest has splits that R's trees cannot store.
    """
    result: Any = fit
    parts = _regression(result) if isinstance(fit, RegressionResult) else _classes(result)
    removed = _removed_parts(result) if _is_combined(result) else set()
    parts = {name: component for name, component in parts.items() if name not in removed}
    if isinstance(fit, RRFResult):
        parts |= {"feaSet": build.integers(fit.feaSet + 1), "coefReg": build.doubles(fit.coefReg)}
    if fit.terms is None:
        return build.named_list(parts, [fit.function])
    parts["terms"] = write_terms(fit.terms)
    return build.named_list(parts, [f"{fit.function}.formula", fit.function])


def _removed_parts(fit: Any) -> set[str]:
    """Return the parts that R's combine() removes."""
    errors = {"regression": {"mse", "rsq"}, "classification": {"err.rate", "confusion"}, "unsupervised": set[str]()}
    return errors[fit.type] | ({"forest"} if fit.forest is None else set())


class _Labels:
    """Labels of R's tables of a fit."""

    def __init__(self, fit: ForestResult) -> None:
        self.in_frame = fit.named and not fit.bare_rows
        self.rows = self.of_rows(fit.rows)
        columns = fit.columns.tolist() if fit.named else range(1, len(fit.columns) + 1)
        self.columns = [label(v) for v in columns]

        # randomForest() also names the counts of levels of a matrix.
        self.of_levels = self.columns if self.in_frame else None
        self.of_counts = self.columns if fit.named and fit.function == "randomForest" else self.of_levels

    def of_rows(self, rows: Labels) -> list[str] | None:
        """Return the names of rows: numbers as text for a data frame, None for a matrix."""
        names = row_names(rows)
        return [str(i + 1) for i in range(len(rows))] if names is None and self.in_frame else names


def _first_parts(fit: ForestResult) -> dict[str, Any]:
    return {"call": parse_call(fit.call, fit.function), "type": build.texts([fit.type])}


def _is_combined(fit: Any) -> bool:
    """Return whether combine() has removed the errors; it leaves an empty `importanceSD`."""
    if fit.type == "unsupervised":
        return fit.predicted is not None
    return (fit.outcome.mse if fit.type == "regression" else fit.outcome.err_rate) is None


def _no_predictions(fit: Any) -> Any:
    """Return the predictions of an unsupervised fit: an empty vector where fits were combined."""
    return build.doubles([]) if _is_combined(fit) else None


def _middle_parts(fit: ForestResult, labels: _Labels, deviations: Any) -> dict[str, Any]:
    """Return the parts from the importance to the forest."""
    measures = [label(v) for v in fit.importance.columns.tolist()]
    local, close = fit.outcome.local_importance, fit.outcome.proximity
    return {
        "importance": build.doubles(fit.outcome.importance, build.dimnames(labels.columns, measures)),
        "importanceSD": build.doubles([]) if deviations is None and _is_combined(fit) else deviations,
        "localImportance": _matrix(local, labels.columns, labels.rows),
        "proximity": _matrix(close, labels.rows, labels.rows),
        "ntree": build.doubles([fit.ntree]),
        "mtry": build.doubles([fit.mtry]),
        "forest": None if fit.forest is None else write_forest(fit.forest, labels.of_levels, labels.of_counts),
    }


def _matrix(values: Any, rows: list[str] | None, columns: list[str] | None) -> Any:
    return None if values is None else build.doubles(values, build.dimnames(rows, columns))


def _bags(fit: ForestResult, about: dict[str, Any]) -> Any:
    return None if fit.inbag is None else build.integers(fit.inbag.to_numpy(), about)


# ---- classes -------------------------------------------------------------------------------------


def _classes(fit: Any) -> dict[str, Any]:
    labels, classes = _Labels(fit), [label(level) for level in fit.classes]
    known = isinstance(fit, ClassificationResult)
    deviations = _matrix(fit.outcome.importance_sd, labels.columns, [*classes, "MeanDecreaseAccuracy"])
    return {
        **_first_parts(fit),
        "predicted": _predictions(fit, classes, labels.rows) if known else _no_predictions(fit),
        "err.rate": _matrix(fit.outcome.err_rate, None, ["OOB", *classes]) if known else None,
        "confusion": _confusion(fit.confusion, classes) if known else None,
        "votes": _votes(fit.votes, labels.rows, classes, combined=known and _is_combined(fit)),
        "oob.times": build.doubles(fit.outcome.oob_times),
        "classes": build.texts(classes),
        **_middle_parts(fit, labels, deviations),
        "y": _response(fit, classes, labels.rows) if known else None,
        "test": None if fit.test is None else _class_test(fit, labels, classes),
        # RRF leaves these bare, randomForest does not.
        "inbag": _bags(fit, {} if isinstance(fit, RRFResult) else build.dimnames(labels.rows, None)),
    }


def _predictions(fit: ClassificationResult, classes: list[str], rows: list[str] | None) -> Any:
    # R's combine() loses the names, together with the errors.
    names = None if fit.outcome.err_rate is None else rows
    return build.factor(fit.outcome.predicted, classes, names=names)


def _response(fit: ClassificationResult, classes: list[str], rows: list[str] | None) -> Any:
    # The response of a model frame has the names of its rows.
    names = rows if fit.terms is not None else None
    return build.factor(fit.response.codes, classes, fit.response.ordered, names)


def _votes(votes: Any, rows: list[str] | None, classes: list[str], combined: bool = False) -> Any:
    # R's combine() leaves out the class.
    marks = {} if combined else {"class": build.texts(["matrix", "array", "votes"])}
    values = votes.to_numpy()
    are_counts = values.dtype.kind == "i"
    return (build.integers if are_counts else build.doubles)(values, {**build.dimnames(rows, classes), **marks})


def _confusion(table: Any, classes: list[str]) -> Any:
    return None if table is None else _matrix(table.to_numpy(np.float64), classes, [*classes, "class.error"])


def _class_test(fit: Any, labels: _Labels, classes: list[str]) -> Any:
    test: RRFTestSet = fit.test
    rows = labels.of_rows(test.rows)
    return build.named_list(
        {
            "predicted": build.factor(test.outcome.predicted, classes, names=rows),
            "err.rate": _matrix(test.outcome.err_rate, None, ["Test", *classes]),
            "confusion": _confusion(test.confusion, classes),
            "votes": _votes(test.votes, rows, classes),
            "proximity": _test_proximity(test, rows, labels),
        }
    )


def _test_proximity(test: Any, rows: list[str] | None, labels: _Labels) -> Any:
    beside = None if rows is None and labels.rows is None else [*(rows or []), *(labels.rows or [])]
    return _matrix(test.outcome.proximity, rows, beside)


# ---- regression ----------------------------------------------------------------------------------


def _regression(fit: RegressionResult) -> dict[str, Any]:
    labels, deviations = _Labels(fit), fit.outcome.importance_sd
    names = labels.rows if fit.terms is not None else None
    return {
        **_first_parts(fit),
        "predicted": build.doubles(_missing(fit.outcome.predicted), build.vector_names(labels.rows)),
        "mse": _vector(fit.mse),
        "rsq": _vector(fit.rsq),
        "oob.times": build.integers(fit.outcome.oob_times),
        **_middle_parts(
            fit, labels, None if deviations is None else build.doubles(deviations, build.vector_names(labels.columns))
        ),
        "coefs": None if fit.coefs is None else build.doubles(fit.coefs),
        "y": (build.integers if _is_whole(fit) else build.doubles)(fit.response, build.vector_names(names)),
        "test": None if fit.test is None else _regression_test(fit.test, fit, labels),
        "inbag": _bags(fit, build.dimnames(labels.rows, None)),
    }


def _is_whole(fit: RegressionResult) -> bool:
    return fit.whole_y and bool((np.abs(fit.response) <= MOST_COUNT).all())


def _missing(values: np.ndarray) -> np.ndarray:
    """Return numbers with NA in the place of every NaN."""
    return np.where(np.isnan(values), build.REAL_NA, values)


def _vector(values: Any) -> Any:
    return None if values is None else build.doubles(values.to_numpy())


def _regression_test(test: RRFRegressionTestSet, fit: RegressionResult, labels: _Labels) -> Any:
    rows = labels.of_rows(test.rows)
    return build.named_list(
        {
            "predicted": build.doubles(test.outcome.predicted, build.vector_names(rows)),
            "mse": _vector(test.mse),
            "rsq": _vector(test.rsq),
            "proximity": _test_proximity(test, rows, labels),
        }
    )
