"""Arguments with scikit-learn's names as those of RRF(), resolved against the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import MOST_COUNT, count, flag, number, numbers
from pyrrf.data.alignment import column_positions, numbers_by_name, per_label
from pyrrf.data.inputs import Factor
from pyrrf.errors import bad
from pyrrf.fit.arguments import broken_rule
from pyrrf.fit.call import Call
from pyrrf.fit.engine import read_engine
from pyrrf.fit.fitting import SharedData
from pyrrf.fit.reading import Data, check_sparse
from pyrrf.fit.sampling import default_size
from pyrrf.sklearn.base import read_classes, read_weights
from pyrrf.sklearn.parameters import resolve_max_features
from pyrrf.sklearn.sample import Sample
from pyrrf.types import Floats, Labels

# Criteria by scikit-learn's names.
_CRITERIA = {"squared_error": "variance", "log_loss": "entropy"}


def criterion_of(criterion: Any) -> Any:
    """Return the criterion by the name that `pyrrf.RRF` knows."""
    return _CRITERIA.get(criterion, criterion) if isinstance(criterion, str) else criterion


def forest_data(sample: Sample, numeric: bool, sample_weight: Any) -> Data:
    """Return X and y as the data of a call; `numeric`: whether it is a regression."""
    labels = None
    if not numeric:
        classes, codes = read_classes(sample.y)
        labels = Factor(codes, classes.tolist())
    return Data(
        x=sample.table,
        labels=labels,
        numbers=np.array(sample.y, np.float64) if numeric else None,
        supervised=True,
        test=None,
        observed=None,
        row_weight=None if sample_weight is None else read_weights(sample_weight, sample),
        terms=None,
        meant=True,
    )


def shared_data(options: Any, data: Data) -> SharedData:
    """Return data with the call that an estimator with the parameters of `RRFClassifier` makes on them."""
    call = forest_call(options, data)
    engine = read_engine(call)
    check_sparse(data.x, engine, True, data.labels is None)
    return SharedData(engine, data, call)


def forest_call(options: Any, data: Data) -> Call:
    """Return the call that an estimator makes on its data."""
    (n, p), numeric = data.shape, data.labels is None
    bootstrap = flag(options.bootstrap, "bootstrap")
    drawn = bag_size(options.max_samples, n)
    coef_reg = getattr(options, "coef_reg", 1.0)
    leaves = options.max_leaf_nodes
    return Call(
        ntree=count(options.n_estimators, "n_estimators"),
        mtry=resolve_max_features(_words(options.max_features, numeric), p),
        replace=bootstrap,
        sampsize=drawn,
        classwt=None if data.labels is None else class_weights(options.class_weight, data.labels),
        nodesize=_node_size(options.min_node_size, numeric, drawn or default_size(bootstrap, n)),
        maxnodes=None if leaves is None else min(count(leaves, "max_leaf_nodes", 2), n),
        coefReg=None if coef_reg is None else coefficients(coef_reg, data.x.columns),
        flagReg=int(coef_reg is not None),
        feaIni=initial_positions(options, data.x.columns, numeric),
        engine=options.engine,
        n_jobs=options.n_jobs,
        criterion=criterion_of(options.criterion),
        penalty=options.penalty,
        candidates=options.candidates,
        max_depth=options.max_depth,
        sample_weight=data.row_weight,
        **_prices(options, coef_reg is not None),
    )


def _words(max_features: Any, numeric: bool) -> Any:
    """Return `max_features` with "auto" as the default of the response."""
    if isinstance(max_features, str) and max_features == "auto":
        return 1 / 3 if numeric else "sqrt"
    return max_features


def bag_size(max_samples: Any, n: int) -> int | None:
    """Return the number of rows to draw for a tree, from a number or a share of n; None for R's default.

    Examples
    --------
    >>> from pyrrf.sklearn.calls import bag_size
    >>> bag_size(0.5, 31), bag_size(0.01, 31), bag_size(31, 31)
    (16, 2, 31)
    """
    if max_samples is None:
        return None
    share = isinstance(max_samples, float | np.floating)
    if share and 0 < max_samples <= 1:
        return max(2, round(float(max_samples) * n))
    whole = isinstance(max_samples, int | np.integer) and not isinstance(max_samples, bool)
    if whole and 2 <= max_samples <= n:
        return int(max_samples)
    raise bad.range(
        f"max_samples must be an int from 2 to {n} (rows), a float above 0 and at most 1.0 (fraction), or None, "
        f"not {max_samples!r}"
    )


def _node_size(min_node_size: Any, numeric: bool, drawn: int) -> float | None:
    if min_node_size is None:
        return None
    size = number(min_node_size, "min_node_size", least=0 if numeric else 1, most=MOST_COUNT)
    if size > drawn and not numeric:
        raise bad.range(
            f"min_node_size is {size:.10g}, but a tree has only {drawn} rows, so it cannot split; pass a smaller "
            "min_node_size"
        )
    return size


def coefficients(coef_reg: Any, columns: Labels) -> Floats:
    """Return coefficients of regularization, float64, one or p of them, from 0 to 1 and not all 0."""
    values, p = numbers_by_name(coef_reg, "coef_reg", columns), len(columns)
    broken = broken_rule(values, p, least=0.0)
    if broken == "length":
        raise bad.length(f"coef_reg has {len(values)} values; pass one number, or one per feature ({p})")
    if broken:
        raise bad.range(f"coef_reg must be from 0 to 1, and above 0 for at least one feature, not {coef_reg!r}")
    return values


def class_weights(class_weight: Any, labels: Factor) -> Floats | None:
    """Return R's weights of the classes, float64, shape (n_classes,).

    A row of class j counts c_j in scikit-learn, and classwt_j / n_j in R.
    """
    if class_weight is None:
        return None
    if isinstance(class_weight, str) and class_weight == "balanced":
        return np.ones(len(labels.levels))
    return weights_by_class(class_weight, labels.levels) * np.bincount(labels.codes)


def weights_by_class(class_weight: Any, classes: Sequence[Any]) -> Floats:
    """Return the weight of a row of each class, float64, shape (n_classes,), by a dict or Series.

    As in scikit-learn a class that is not named counts 1, and where each is, others may be: rows of some may be in
    other folds.
    """
    if not isinstance(class_weight, Mapping | pd.Series | pd.DataFrame):
        raise bad.type(f"class_weight must be a dict or Series by class, 'balanced' or None, not {class_weight!r}")
    each = numbers(per_label(class_weight, "class_weight", classes, 1.0, "class", others=True), "class_weight")
    if (each <= 0).any():
        raise bad.range(f"class_weight must be above 0, not {class_weight!r}; to ignore a class, drop its rows")
    return each


def initial_positions(options: Any, columns: Labels, numeric: bool) -> list[int] | None:
    """Return the features that are selected from the start, by position."""
    if options.initial_features is None:
        return None
    if numeric and options.engine == "r":
        raise bad.unsupported(
            "initial_features is not available for regression with engine='r'; pass engine='parallel'"
        )
    return column_positions(columns, options.initial_features, "initial_features")


def _prices(options: Any, regularized: bool) -> dict[str, Any]:
    """Return costs and groups of features; refused when coef_reg is None."""
    given = {name: getattr(options, name) for name in ("feature_cost", "feature_groups")}
    for name, value in given.items():
        if value is not None and not regularized:
            raise bad.conflict(
                f"{name} has no effect with coef_reg=None, which selects no features; omit it, or pass a coef_reg"
            )
    return given
