"""Reader of R's fits as fits of pyrrf."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pyrrf._core.records import ClassOutcome, ClassTest, RegressionOutcome, RegressionTest
from pyrrf.data.inputs import Factor
from pyrrf.rbase.arithmetic import mean
from pyrrf.rds.language import deparse
from pyrrf.rds.parsed import kind
from pyrrf.rds.parts import Parts
from pyrrf.rds.read_forest import read_forest
from pyrrf.rds.read_terms import read_terms
from pyrrf.rds.vectors import are_counts, row_labels
from pyrrf.result.forest import Forest
from pyrrf.result.random_forest import RandomForestClassification, RandomForestRegression, RandomForestUnsupervised
from pyrrf.result.record import FitMetadata, class_index, one_based
from pyrrf.result.regression import RRFRegressionTestSet
from pyrrf.result.result import ForestResult, RRFTestSet, to_shares
from pyrrf.result.rrf import RRFClassification, RRFRegression, RRFUnsupervised
from pyrrf.types import Column, Floats, Ints, Labels


def read_fit(obj: Any, classes: list[str]) -> ForestResult:
    """Return a fit of R's RRF() or, if its class says so, of randomForest().

    DamagedError if parts are missing or contradict each other.
    """
    parts = Parts(obj, "fit")
    function = "RRF" if "RRF" in classes else "randomForest"
    kinds = {"classification": _read_classification, "regression": _read_regression, "unsupervised": _read_unsupervised}
    type_ = ", ".join(parts.texts("type"))
    if type_ not in kinds:
        raise parts.damage("type", f"is {type_!r}")
    fit = kinds[type_](parts, _CLASSES[function, type_])
    tables = "predicted" if type_ == "regression" else "votes"
    if fit.named and parts.labels(tables) is None:
        fit.bare_rows = True
    return fit


_CLASSES: dict[tuple[str, str], Any] = {
    ("RRF", "classification"): RRFClassification,
    ("RRF", "regression"): RRFRegression,
    ("RRF", "unsupervised"): RRFUnsupervised,
    ("randomForest", "classification"): RandomForestClassification,
    ("randomForest", "regression"): RandomForestRegression,
    ("randomForest", "unsupervised"): RandomForestUnsupervised,
}


def _metadata(parts: Parts, rows: Labels) -> FitMetadata:
    names = parts.table("importance").rows or []
    counted = are_counts(names)  # R counts the columns of a matrix without names
    columns: Labels = pd.RangeIndex(len(names)) if counted else pd.Index(names)
    coefficients = parts.vector("coefReg")
    return FitMetadata(
        call=deparse(parts["call"]) if "call" in parts else "",
        ntree=parts.whole("ntree"),
        mtry=parts.whole("mtry"),
        coefReg=np.ones(len(names)) if coefficients is None else coefficients,
        quirks=True,
        engine="r",
        rows=rows,
        columns=columns,
        named=not counted,
        terms=read_terms(parts["terms"], names) if "terms" in parts else None,
        arguments={},
    )


def _forest(parts: Parts, about: FitMetadata) -> Forest | None:
    if "forest" not in parts:
        return None
    forest = read_forest(parts["forest"], len(about.columns))
    if forest.ntree != about.ntree:
        raise parts.damage("ntree", f"is {about.ntree}, but its forest has {forest.ntree} trees")
    return forest


def _shared_results(parts: Parts, about: FitMetadata) -> dict[str, Any]:
    """Return the results that all types of forests share."""
    n, p = len(about.rows), len(about.columns)
    bags = parts.matrix("inbag")
    results: dict[str, Any] = {
        "oob_times": parts.integers("oob.times").ravel("F"),
        "importance": parts.table("importance").values,
        "local_importance": parts.matrix("localImportance"),
        "proximity": parts.matrix("proximity"),
        "inbag": None if bags is None else bags.astype(np.int32),
        "used": _feature_set(parts, p),
    }
    parts.check_shape("oob.times", results["oob_times"], (n,))
    parts.check_shape("localImportance", results["local_importance"], (p, n))
    parts.check_shape("proximity", results["proximity"], (n, n))
    parts.check_shape("coefReg", about.coefReg, (p,))
    return results


def _feature_set(parts: Parts, p: int) -> Ints:
    """Return 1 for each feature in feaSet; for randomForest, for each feature that lowers the impurity."""
    if "feaSet" not in parts:
        return np.asarray(parts.table("importance").values[:, -1] != 0, dtype=np.int32)
    used, chosen = np.zeros(p, dtype=np.int32), parts.integers("feaSet") - 1
    if len(chosen) and not 0 <= chosen.min() <= chosen.max() < p:
        raise parts.damage("feaSet", "names features that are not there")
    used[chosen] = 1
    return used


# ---- classes -------------------------------------------------------------------------------------


def _votes(parts: Parts) -> tuple[FitMetadata, dict[str, Any], Floats | Ints, bool, list[str]]:
    """Return the results that classification and unsupervised mode share."""
    table, classes = parts.table("votes"), parts.texts("classes")
    about = _metadata(parts, row_labels(table.rows, len(table.values)))
    common = _shared_results(parts, about)
    parts.check_shape("votes", table.values, (len(about.rows), len(classes)))
    votes, shares = _vote_counts(parts, common["oob_times"])
    deviations = parts.matrix("importanceSD")
    width = len(classes) + 1
    parts.check_shape("importanceSD", deviations, (len(about.columns), width))
    if common["importance"].shape[1] not in (1, width + 1):
        raise parts.damage("importance", f"has {common['importance'].shape[1]} columns")
    return about, {**common, "importance_sd": deviations}, votes, shares, classes


def _vote_counts(parts: Parts, oob_times: Ints) -> tuple[Floats | Ints, bool]:
    """Return the votes as counts, and whether R stored shares; sums of shares, from combine(), stay unchanged."""
    votes = parts.table("votes").values
    if kind(parts["votes"]) == "INT":
        return parts.integers("votes"), False
    counts = votes * oob_times[:, np.newaxis]
    counts[np.isnan(counts)] = 0  # of a row that was never out of the bag
    np.rint(counts, out=counts)
    shares = to_shares(counts)
    if np.array_equal(shares, votes) or np.array_equal(shares, votes, equal_nan=True):  # the first is quick
        return counts.astype(np.int32), True
    return votes, False


def _read_classification(parts: Parts, result_class: Any) -> ForestResult:
    about, common, votes, shares, classes = _votes(parts)
    codes, levels, ordered = parts.codes("y")
    if levels != classes:
        raise parts.damage("classes", "are not the levels of 'y'")
    predicted, _, _ = parts.codes("predicted")
    for name, labels in (("y", codes), ("predicted", predicted)):
        parts.check_shape(name, labels, (len(about.rows),))
    errors, forest = parts.matrix("err.rate"), _forest(parts, about)
    parts.check_shape("err.rate", errors, (about.ntree, len(classes) + 1))
    outcome = ClassOutcome(
        votes=votes, predicted=predicted, err_rate=errors, classwt=_weights(forest, len(classes)), **common
    )
    fit: ForestResult = result_class(
        response=Factor(codes, levels, ordered),
        about=about,
        outcome=outcome,
        forest=forest,
        norm_votes=shares,
        test=_class_test(parts, about, classes),
    )
    return fit


def _weights(forest: Forest | None, nclass: int) -> Floats:
    """Return the weights of the classes; 1 without a forest, where R stores none."""
    return np.ones(nclass) if forest is None or forest.pid is None else forest.pid


def _read_unsupervised(parts: Parts, result_class: Any) -> ForestResult:
    about, common, votes, shares, classes = _votes(parts)
    forest = _forest(parts, about)
    predicted = parts.integers("predicted") if "predicted" in parts else None
    outcome = ClassOutcome(votes=votes, predicted=predicted, err_rate=None, classwt=_weights(forest, 2), **common)
    test = _class_test(parts, about, classes)
    fit: ForestResult = result_class(about=about, outcome=outcome, forest=forest, norm_votes=shares, test=test)
    return fit


class StoredTestSet(RRFTestSet):
    """Results on a test set as R stored them: with the confusion matrix, but without the observed classes."""

    table: pd.DataFrame | None = None

    @property
    def confusion(self) -> pd.DataFrame | None:
        """Observed by predicted class."""
        return self.table


def _class_test(parts: Parts, about: FitMetadata, classes: list[str]) -> StoredTestSet | None:
    if "test" not in parts:
        return None
    stored = Parts(parts["test"], "test set")
    predicted, _, _ = stored.codes("predicted")
    table = stored.table("votes")
    parts.check_shape("test$votes", table.values, (len(predicted), len(classes)))
    trees = np.full(len(predicted), about.ntree, dtype=np.int32)
    counts, shares = _vote_counts(stored, trees)
    outcome = ClassTest(
        predicted=predicted,
        votes=counts.astype(np.float64),
        err_rate=stored.matrix("err.rate"),
        proximity=stored.matrix("proximity"),
    )
    rows = row_labels(table.rows, len(predicted))
    test = StoredTestSet(outcome, rows, about.rows, list(classes), None, shares)
    test.table = _confusion(stored, classes)
    return test


def _confusion(parts: Parts, classes: list[str]) -> pd.DataFrame | None:
    values = parts.matrix("confusion")
    if values is None:
        return None
    parts.check_shape("confusion", values, (len(classes), len(classes) + 1))
    counts = values[:, :-1].astype(np.int64)
    table = pd.DataFrame(counts, index=class_index(*classes), columns=class_index(*classes))
    table.insert(len(classes), "class.error", values[:, -1], allow_duplicates=True)
    return table


# ---- numbers -------------------------------------------------------------------------------------


def _read_regression(parts: Parts, result_class: Any) -> ForestResult:
    response, predicted = parts.doubles("y").ravel("F"), parts.doubles("predicted").ravel()
    about = _metadata(parts, row_labels(parts.labels("predicted"), len(response)))
    common = _shared_results(parts, about)
    errors, deviations = parts.vector("mse"), parts.vector("importanceSD")
    parts.check_shape("predicted", predicted, response.shape)
    parts.check_shape("mse", errors, (about.ntree,))
    parts.check_shape("importanceSD", deviations, (len(about.columns),))
    if common["importance"].shape[1] not in (1, 2):
        raise parts.damage("importance", f"has {common['importance'].shape[1]} columns")
    outcome = RegressionOutcome(
        predicted=predicted, mse=errors, coef=parts.vector("coefs"), importance_sd=deviations, **common
    )
    forest = _forest(parts, about)
    test = _regression_test(parts, about)
    fields: dict[str, Any] = {"response": response, "about": about, "outcome": outcome, "forest": forest, "test": test}
    if result_class is RRFRegression:
        fit = RRFRegression(**fields)
        fit.whole_y = kind(parts["y"]) == "INT"
        return fit
    return _random_forest_regression(fields, parts.vector("rsq"))


class StoredRegression(RandomForestRegression):
    """A regression forest as R stored it: with the shares of variance, but without the distances from the mean."""

    shares: Floats | None = None

    @property
    def rsq(self) -> Column | None:
        """Share of the variance that is explained out of bag after each tree."""
        return _by_tree(self.shares)


def _random_forest_regression(fields: dict[str, Any], shares: Floats | None) -> RandomForestRegression:
    """Return a regression fit of randomForest().

    R stores the responses, but not the exact distances from their mean, from which it computed `rsq`. If the distances
    of the stored responses give the same `rsq`, the fit is like one grown here; otherwise it keeps R's `rsq`.
    """
    distances = fields["response"] - mean(fields["response"])
    fit = RandomForestRegression(centred=distances, **fields)
    if shares is None or (fit.rsq is not None and np.array_equal(fit.rsq, shares, equal_nan=True)):
        return fit
    stored = StoredRegression(centred=distances, **fields)
    stored.shares = shares
    return stored


def _by_tree(values: Floats | None) -> Column | None:
    return None if values is None else pd.Series(values, index=one_based(len(values)))


class StoredRegressionTestSet(RRFRegressionTestSet):
    """Results on a test set as R stored them: with the shares of variance, but without the responses."""

    shares: Floats | None = None

    @property
    def rsq(self) -> Column | None:
        """Share of the variance that is explained after each tree."""
        return _by_tree(self.shares)


def _regression_test(parts: Parts, about: FitMetadata) -> StoredRegressionTestSet | None:
    if "test" not in parts:
        return None
    stored = Parts(parts["test"], "test set")
    outcome = RegressionTest(
        predicted=stored.doubles("predicted").ravel("F"),
        mse=stored.vector("mse"),
        proximity=stored.matrix("proximity"),
    )
    rows = row_labels(stored.labels("predicted"), len(outcome.predicted))
    test = StoredRegressionTestSet(outcome, rows, about.rows, None, len(about.rows))
    test.shares = stored.vector("rsq")
    return test
