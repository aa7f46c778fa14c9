"""RRF() and GRRF(): arguments in, core called, fit out."""

from __future__ import annotations

import inspect
import reprlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import flag, number, reject_unknown
from pyrrf.data.inputs import Factor, check_categories, check_length, read_labels, read_predictors
from pyrrf.data.levels import order_wide_factors
from pyrrf.fit.arguments import resolve_sample_weight
from pyrrf.fit.call import Task, read_flags
from pyrrf.fit.classification import fit_classification, fit_unsupervised
from pyrrf.fit.engine import read_engine
from pyrrf.fit.regression import fit_regression
from pyrrf.formula.terms import read_call, tidy_call
from pyrrf.random import call_stream
from pyrrf.result.result import RRFResult


def RRF(
    x: Any = None,
    y: Any = None,
    xtest: Any = None,
    ytest: Any = None,
    *,
    formula: str | None = None,
    data: pd.DataFrame | None = None,
    subset: Any = None,
    na_action: Any = "na_fail",
    ntree: int = 500,
    mtry: float | None = None,
    replace: bool = True,
    classwt: Any = None,
    cutoff: Any = None,
    strata: Any = None,
    sampsize: Any = None,
    nodesize: float | None = None,
    maxnodes: int | None = None,
    importance: bool = False,
    localImp: bool = False,
    nPerm: int = 1,
    proximity: bool | None = None,
    oob_prox: bool | None = None,
    norm_votes: bool = True,
    do_trace: bool | int = False,
    keep_forest: bool | None = None,
    corr_bias: bool = False,
    keep_inbag: bool = False,
    coefReg: Any = None,
    flagReg: int = 1,
    feaIni: Any = None,
    seed: int | None = None,
    quirks: bool = True,
    engine: str = "r",
    n_jobs: int | None = None,
    criterion: str | None = None,
    penalty: str | None = None,
    candidates: str | None = None,
    max_depth: int | None = None,
    usedepth: bool = False,
    sample_weight: Any = None,
    **unknown: Any,
) -> RRFResult:
    """Grow a regularized random forest (R's ``RRF``).

    Parameters
    ----------
    x : array_like, DataFrame or str, shape (n, p), optional
        Predictors. Categoricals are R's factors (at most 32 levels, unused ones count), ordered
        ones count as numbers 1..k, booleans as 0 and 1, strings as codes of their sorted values.
        A string is a formula, such as "log(price) ~ . - chas"; it needs the extra `formula`. Engine
        'parallel' also takes missing values (NaN, None, pd.NA) and categoricals of any number of
        levels, and reads arrays of float32 and float64 without a copy.
    y : array_like, shape (n,), optional
        Response; rows are matched by position. Categories, strings or booleans mean
        classification; numbers mean regression; None means unsupervised mode, in which the forest
        tells the rows of x from as many synthetic rows.
    xtest : array_like or DataFrame, shape (ntest, p), optional
        Predictors of a test set; columns are matched by position, as in R.
    ytest : array_like, shape (ntest,), optional
        Response of the test set. In unsupervised mode "1" for data and "2" for synthetic rows.
    formula : str, optional
        A formula, as in `x`.
    data : DataFrame, optional
        Table whose columns the formula names; it may also come second, as in ``RRF("y ~ .", data)``.
    subset : str, array_like of bool or of int, optional
        Rows of `data` to use: a condition on its columns, True or False for each row, or positions
        from 0.
    na_action : str or callable, default 'na_fail'
        What to do with missing values in the columns of the formula: 'na_fail' (an error),
        'na_omit' (leave the rows out), 'na_roughfix' (medians and most frequent values), 'na_pass'
        (leave them to engine 'parallel'), or a function of the model frame that returns one.
    ntree : int, default 500
        Number of trees.
    mtry : float, optional
        Candidates drawn at a node; floor(sqrt(p)) by default, in regression max(floor(p / 3), 1).
    replace : bool, default True
        Whether bags are drawn with replacement.
    classwt : array_like, dict or Series, shape (nclass,), optional
        Weights of the classes; labels are matched. Not used for regression.
    cutoff : array_like, dict or Series, shape (nclass,), optional
        The class with the largest ratio of votes to cutoff wins; 1/nclass by default. Not used for
        regression.
    strata : array_like, shape (n,), optional
        Strata for `sampsize`; the classes by default. Used for classification only.
    sampsize : int, array_like, dict or Series, optional
        Rows drawn for a tree, or one number a stratum. By default n, or ceil(0.632 n) without
        replacement; in unsupervised mode n counts the synthetic rows too.
    nodesize : float, optional
        Nodes of at most this size are not split; 1 by default, 5 in regression, where the root is
        tried at any size.
    maxnodes : int, optional
        Largest number of leaves of a tree.
    importance : bool, default False
        Whether to permute features for their importance.
    localImp : bool, default False
        Whether to compute the importance for each row; implies `importance`. Refused in unsupervised
        mode with ``quirks=True``, where R crashes.
    nPerm : int, default 1
        Permutations a tree and feature; used for regression only.
    proximity : bool, optional
        Whether to compute proximities; by default only in unsupervised mode. There it is refused
        with `xtest` and ``quirks=True``, where R crashes.
    oob_prox : bool, optional
        Whether proximities count pairs out of bag only; `proximity` by default.
    norm_votes : bool, default True
        Whether votes are shares; counts otherwise.
    do_trace : bool or int, default False
        Print the error after every tree, or after every so many trees; engine 'parallel' does not
        print that of the test set.
    keep_forest : bool, optional
        Whether to keep the trees; by default only without `xtest` and not in unsupervised mode.
    corr_bias : bool, default False
        Whether to correct predictions by the least squares line of y on the out-of-bag predictions;
        used for regression only. Not done by engine 'parallel'.
    keep_inbag : bool, default False
        Whether to keep which rows each tree was grown on.
    coefReg : float or array_like, shape (p,) or (p, 1), optional
        Coefficients of regularization, at most 1; 0.8 by default, 1 with ``flagReg=0``. As in R not
        used for regression with ``flagReg=0``, unless ``quirks=False``.
    flagReg : int, default 1
        1 = regularized, 0 = ordinary forest.
    feaIni : array_like of int, optional
        Positions from 0 of the features that count as selected from the start. As in R not used for
        regression, unless ``quirks=False``.
    seed : int, optional
        Seed of a stream of this call's own, so that threads do not disturb each other. A call that
        succeeds leaves the same as ``set_seed(seed)`` and the call without it; one that fails leaves the
        stream as it was. Without `seed` one call at a time draws, and other threads wait.
    quirks : bool, default True
        Mirror CRAN RRF where it differs from what was evidently intended (DIFFERENCES.md). Of no
        effect with engine 'parallel', which has no quirks.
    engine : {'r', 'parallel'}, default 'r'
        'r' gives R's answer from the same seed, bit by bit; 'parallel' grows trees in parallel by the
        same rules, with a random stream for each tree (DIFFERENCES.md).
    n_jobs : int, optional
        Threads of engine 'parallel'; 1 by default, -1 for all cores that this process may use. The
        answer does not depend on it.
    criterion : {'gini', 'entropy', 'variance'}, optional
        Impurity: 'gini' (default) or 'entropy' for classes, 'variance' for numbers. 'entropy' needs
        engine 'parallel'.
    penalty : {'criterion', 'gain'}, optional
        What `coefReg` multiplies: the criterion of the split, R's rule for classes and the default
        for 'gini', or the gain, the decrease in impurity; the only rule for 'entropy' and numbers.
        'gain' for classes needs engine 'parallel'.
    candidates : {'selected', 'mtry'}, optional
        The features that a node looks at: 'selected' = all that are selected so far and up to `mtry`
        others, R's rule for classes; 'mtry' = `mtry` of all features, R's rule for numbers. By default
        R's rule; the other one needs engine 'parallel'. With ``flagReg=0`` both are `mtry` of all
        features.
    max_depth : int, optional
        Largest depth of a tree, engine 'parallel' only; a tree of depth 1 has one split.
    usedepth : bool, default False
        Whether the coefficient of a feature is raised to the depth of the node, the root counted as
        1; engine 'parallel' only.
    sample_weight : array_like, shape (n,), optional
        What a drawn row counts for in a node, engine 'parallel' only; 0 or more. Drawing, `nodesize`
        and out-of-bag votes are not weighted.
    **unknown
        Refused, with the nearest argument named.

    Returns
    -------
    RRFClassification, RRFRegression or RRFUnsupervised

    Raises
    ------
    TypeError
        An argument has a wrong type or does not exist.
    ValueError
        An argument has a value that R refuses, that would make R loop for ever or read or write
        outside its arrays, that cannot be split, or that does not go with the engine.
    ImportError
        A formula is given, and formulaic is not installed.

    Notes
    -----
    ``penalty="gain"`` with ``candidates="selected"`` is the rule of the papers (Deng and Runger 2012,
    Algorithm 1; Deng and Runger 2013), for classes as for numbers: a node looks at all selected
    features and up to `mtry` others, and the gain of the others is multiplied by `coefReg`. R's RRF
    multiplies the criterion for classes, and draws `mtry` of all features for numbers.

    Deng, H. & Runger, G. (2012), Feature selection via regularized trees, IJCNN 2012. Deng, H. &
    Runger, G. (2013), Gene selection with guided regularized random forest, Pattern Recognition 46.

    Examples
    --------
    >>> import pyrrf
    >>> pyrrf.set_seed(1)
    >>> x = pyrrf.runif(200).reshape(50, 4, order="F")
    >>> y = ["high" if v > 0.5 else "low" for v in x[:, 0]]
    >>> fit = pyrrf.RRF(x, y, ntree=50)
    >>> fit.classes
    ['high', 'low']
    >>> fit.importance.shape
    (4, 1)

    Numbers mean regression:

    >>> fit = pyrrf.RRF(x, x[:, 0] + x[:, 1], ntree=50)
    >>> fit.type, bool(fit.rsq.iloc[-1] > 0.5)
    ('regression', True)

    No response means unsupervised mode; here each column of the synthetic rows is sampled, where R
    copies row 1:

    >>> fit = pyrrf.RRF(x, ntree=50, quirks=False)
    >>> fit.proximity.shape
    (50, 50)

    On two threads, with the same answer as on one:

    >>> fit = pyrrf.RRF(x, y, ntree=50, engine="parallel", n_jobs=2, seed=1)
    >>> fit == pyrrf.RRF(x, y, ntree=50, engine="parallel", seed=1)
    True
    """
    given = {name: value for name, value in locals().items() if name != "unknown"}
    reject_unknown("RRF", unknown, given)
    given = tidy_call(given)
    with call_stream(seed):
        fit = _fit(given, format_call("RRF", RRF, given))
    fit.arguments = {name: value for name, value in given.items() if name != "seed"}
    return fit


def GRRF(x: Any, y: Any, gamma: float = 0.5, lambda0: float = 1.0, **arguments: Any) -> RRFResult:
    """Grow a guided regularized random forest: an ordinary forest, then one that it guides.

    Equal to R's idiom of two calls on one stream: ``RRF(x, y, flagReg=0)``, its importances
    divided by the largest, ``coefReg = (1 - gamma) * lambda0 + gamma * importances`` and
    ``RRF(x, y, coefReg=coefReg, flagReg=1)``.

    Parameters
    ----------
    x : array_like or DataFrame, shape (n, p)
        Predictors, as in `RRF`.
    y : array_like, shape (n,)
        Response, as in `RRF`.
    gamma : float, default 0.5
        Weight of the importances, 0 to 1.
    lambda0 : float, default 1.0
        Coefficient of a feature if the importances had no weight, 0 to 1.
    **arguments
        Arguments of `RRF`, for both calls, `engine` and `n_jobs` among them; `seed` is that of
        the whole call. Not `coefReg` and `flagReg`.

    Returns
    -------
    RRFClassification, RRFRegression or RRFUnsupervised
        The regularized fit; ``ordinary`` is the ordinary forest, ``coefReg`` holds the
        coefficients.

    Raises
    ------
    TypeError
        An argument has a wrong type or does not exist.
    ValueError
        `gamma` or `lambda0` is out of range, or as for `RRF`.

    Examples
    --------
    >>> import pyrrf
    >>> pyrrf.set_seed(1)
    >>> x = pyrrf.runif(200).reshape(50, 4, order="F")
    >>> y = x[:, 0] > 0.5
    >>> fit = pyrrf.GRRF(x, y, gamma=0.9, ntree=50)
    >>> float(fit.coefReg.max())
    1.0
    >>> fit.ordinary.type
    'classification'
    """
    known = [name for name in inspect.signature(RRF).parameters if name != "unknown"]
    for own in ("coefReg", "flagReg"):
        if own in arguments:
            raise TypeError(f"GRRF() sets {own} itself; use gamma and lambda0, or call RRF()")
    unknown = {name: value for name, value in arguments.items() if name not in known}
    reject_unknown("GRRF", unknown, ["x", "y", "gamma", "lambda0", *known[2:]])
    weight, base = number(gamma, "gamma"), number(lambda0, "lambda0")
    if not 0 <= weight <= 1:
        raise ValueError(f"gamma must be from 0 to 1, not {gamma!r}")
    if not 0 <= base <= 1:
        raise ValueError(f"lambda0 must be from 0 to 1, not {lambda0!r}")
    later = {name: value for name, value in arguments.items() if name != "seed"}
    with call_stream(arguments.get("seed")):
        ordinary = RRF(x, y, flagReg=0, **arguments)
        gini = ordinary.raw["importance"][:, -1]
        if gini.max() <= 0:
            raise ValueError("all importances of the ordinary forest are 0, so they cannot guide; call RRF()")
        coefficients = (1 - weight) * base + weight * (gini / gini.max())
        fit = RRF(x, y, coefReg=coefficients, flagReg=1, **later)
    given = {"x": x, "y": y, "gamma": gamma, "lambda0": lambda0, **arguments}
    fit.call, fit.ordinary = format_call("GRRF", GRRF, given), ordinary
    return fit


def format_call(function: str, signature_of: Callable[..., Any], given: Mapping[str, Any]) -> str:
    """Return the call as Python text: arguments that differ from their defaults, data by name."""
    parameters = inspect.signature(signature_of).parameters
    parts = []
    for name, value in given.items():
        known = parameters.get(name)
        if known is not None and known.default is value:
            continue
        text = _argument_text(name, value)
        parts.append(text if name in ("x", "y") else f"{name}={text}")
    return f"{function}({', '.join(parts)})"


def _argument_text(name: str, value: Any) -> str:
    """Return a short value as its repr; data as the name of their argument."""
    if isinstance(value, np.generic):
        value = value.item()
    plain = isinstance(value, bool | int | float | str | list | tuple | dict | None)
    if isinstance(value, str):
        return repr(value)
    return reprlib.repr(value) if plain and name not in ("x", "y", "xtest", "ytest") else name


# ---- from arguments to a fit ---------------------------------------------------------------------


def _fit(given: Mapping[str, Any], call: str) -> RRFResult:
    """Read the data, choose the kind of forest, grow it."""
    engine = read_engine(given)
    if engine.parallel and flag(given["quirks"], "quirks"):
        # Quirks are those of R's code.
        given = {**given, "quirks": False}
    if isinstance(given["x"], str):
        given, terms = read_call(given)
        fit = _fit(given, call)
        fit.terms = terms
        return fit
    if given["x"] is None:
        raise TypeError("x is missing; pass predictors, or a formula and data")
    x = read_predictors(given["x"], "x", engine.parallel)
    if not engine.parallel or given["y"] is None:
        check_categories(x, "x")
    task = Task(given, call, x, read_flags(given), engine)
    if given["ytest"] is not None and given["xtest"] is None:
        raise ValueError("ytest is given without xtest; pass both")
    if given["y"] is None:
        engine.rule(numbers=False)
        return fit_unsupervised(task)
    response = read_labels(given["y"], "y")
    length = len(response.codes) if isinstance(response, Factor) else len(response)
    check_length(length, len(x.rows), "y", "x")
    engine.rule(numbers=not isinstance(response, Factor))
    if engine.parallel:
        weights = resolve_sample_weight(given["sample_weight"], len(x.rows))
        task = replace(task, x=order_wide_factors(x, response, weights))
    if isinstance(response, Factor):
        return fit_classification(task, response)
    return fit_regression(task, response)
