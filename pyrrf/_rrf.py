"""RRF() and GRRF(): arguments in, core called, fit out."""

from __future__ import annotations

import inspect
import math
import reprlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pyrrf import _arguments as rules
from pyrrf import _core
from pyrrf import random as _random
from pyrrf._checks import count, number, reject_unknown
from pyrrf._fit import RRFClassification, RRFResult, RRFTestSet
from pyrrf._forest import Forest
from pyrrf._formula import is_formula_call, read_call
from pyrrf._inputs import (
    Factor,
    Predictors,
    check_categories,
    check_classes,
    check_length,
    check_varies,
    match_labels,
    read_labels,
    read_predictors,
)
from pyrrf._match import match_test_set
from pyrrf._progress import watch


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
    **unknown: Any,
) -> RRFResult:
    """Grow a regularized random forest (R's ``RRF``).

    Parameters
    ----------
    x : array_like, DataFrame or str, shape (n, p), optional
        Predictors. Categoricals are R's factors (at most 32 levels, unused ones count), ordered
        ones count as numbers 1..k, booleans as 0 and 1, strings as codes of their sorted values.
        A string is a formula, such as "log(price) ~ . - chas"; it needs the extra `formula`.
    y : array_like, shape (n,), optional
        Response; rows are matched by position. Categories, strings or booleans mean
        classification; numbers mean regression, None unsupervised mode (both not implemented yet).
    xtest : array_like or DataFrame, shape (ntest, p), optional
        Predictors of a test set; columns are matched by position, as in R.
    ytest : array_like, shape (ntest,), optional
        Classes of the test set.
    formula : str, optional
        A formula, as in `x`.
    data : DataFrame, optional
        Table whose columns the formula names; it may also come second, as in ``RRF("y ~ .", data)``.
    subset : str, array_like of bool or of int, optional
        Rows of `data` to use: a condition on its columns, True or False for each row, or positions
        from 0.
    na_action : str or callable, default 'na_fail'
        What to do with missing values in the columns of the formula: 'na_fail' (an error),
        'na_omit' (leave the rows out), 'na_roughfix' (medians and most frequent values), or a
        function of the model frame that returns one.
    ntree : int, default 500
        Number of trees.
    mtry : float, optional
        Candidates drawn at a node; floor(sqrt(p)) by default.
    replace : bool, default True
        Whether bags are drawn with replacement.
    classwt : array_like, dict or Series, shape (nclass,), optional
        Weights of the classes; labels are matched.
    cutoff : array_like, dict or Series, shape (nclass,), optional
        The class with the largest ratio of votes to cutoff wins; 1/nclass by default.
    strata : array_like, shape (n,), optional
        Strata for `sampsize`; the classes by default.
    sampsize : int, array_like, dict or Series, optional
        Rows drawn for a tree, or one number a stratum. By default n, or ceil(0.632 n) without
        replacement.
    nodesize : float, optional
        Nodes of at most this size are not split; 1 by default.
    maxnodes : int, optional
        Largest number of leaves of a tree.
    importance : bool, default False
        Whether to permute features for their importance.
    localImp : bool, default False
        Whether to compute the importance for each row; implies `importance`.
    nPerm : int, default 1
        Permutations a tree; used for regression only.
    proximity : bool, optional
        Whether to compute proximities; False by default.
    oob_prox : bool, optional
        Whether proximities count pairs out of bag only; `proximity` by default.
    norm_votes : bool, default True
        Whether votes are shares; counts otherwise.
    do_trace : bool or int, default False
        Print the error after every tree, or after every so many trees.
    keep_forest : bool, optional
        Whether to keep the trees; by default only without `xtest`.
    corr_bias : bool, default False
        Bias correction; used for regression only.
    keep_inbag : bool, default False
        Whether to keep which rows each tree was grown on.
    coefReg : float or array_like, shape (p,) or (p, 1), optional
        Coefficients of regularization, at most 1; 0.8 by default, 1 with ``flagReg=0``.
    flagReg : int, default 1
        1 = regularized, 0 = ordinary forest.
    feaIni : array_like of int, optional
        Positions from 0 of the features that count as selected from the start.
    seed : int, optional
        ``set_seed(seed)`` before the call.
    quirks : bool, default True
        Mirror CRAN RRF where it differs from what was evidently intended (DIFFERENCES.md).
    **unknown
        Refused, with the nearest argument named.

    Returns
    -------
    RRFClassification

    Raises
    ------
    TypeError
        An argument has a wrong type or does not exist.
    ValueError
        An argument has a value that R refuses, that would make R loop for ever or read outside
        its arrays, or that cannot be split.
    ImportError
        A formula is given, and formulaic is not installed.
    NotImplementedError
        Regression or unsupervised mode.

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
    """
    given = {name: value for name, value in locals().items() if name != "unknown"}
    reject_unknown("RRF", unknown, given)
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
        Arguments of `RRF`, for both calls; `seed` is set once. Not `coefReg` and `flagReg`.

    Returns
    -------
    RRFClassification
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
    ordinary = RRF(x, y, flagReg=0, **arguments)
    gini = ordinary.raw["importance"][:, -1]
    if gini.max() <= 0:
        raise ValueError("all importances of the ordinary forest are 0, so they cannot guide; call RRF()")
    coefficients = (1 - weight) * base + weight * (gini / gini.max())
    later = {name: value for name, value in arguments.items() if name != "seed"}
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


@dataclass(frozen=True)
class _Task:
    """One call of RRF(): data read and checked, arguments as given."""

    given: Mapping[str, Any]
    call: str
    x: Predictors
    flags: Mapping[str, bool]

    def __getitem__(self, name: str) -> Any:
        return self.given[name]

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of x."""
        n, p = self.x.values.shape
        return n, p


def _fit(given: Mapping[str, Any], call: str) -> RRFResult:
    """Read the data, choose the kind of forest, grow it."""
    if is_formula_call(given):
        given, terms = read_call(given)
        fit = _fit(given, call)
        fit.terms = terms
        return fit
    if given["x"] is None:
        raise TypeError("x is missing; pass predictors, or a formula and data")
    x = read_predictors(given["x"], "x")
    check_categories(x, "x")
    task = _Task(given, call, x, _read_flags(given))
    if given["y"] is None:
        return _fit_unsupervised(task)
    response = read_labels(given["y"], "y")
    length = len(response.codes) if isinstance(response, Factor) else len(response)
    check_length(length, len(x.rows), "y", "x")
    if given["ytest"] is not None and given["xtest"] is None:
        raise ValueError("ytest is given without xtest; pass both")
    if isinstance(response, Factor):
        return _fit_classification(task, response)
    return _fit_regression(task, response)


def _read_flags(given: Mapping[str, Any]) -> dict[str, bool]:
    names = ("replace", "importance", "localImp", "norm_votes", "corr_bias", "keep_inbag", "quirks")
    flags = rules.resolve_flags(**{name: given[name] for name in names})
    number(given["nPerm"], "nPerm")
    flags["importance"] = flags["importance"] or flags["localImp"]
    # R's defaults: proximity in unsupervised mode only, oob.prox = proximity, and no forest
    # without a response or with a test set.
    defaults = {
        "proximity": given["y"] is None,
        "keep_forest": given["y"] is not None and given["xtest"] is None,
    }
    for name, default in defaults.items():
        value = default if given[name] is None else given[name]
        flags |= rules.resolve_flags(**{name: value})
    oob_prox = flags["proximity"] if given["oob_prox"] is None else given["oob_prox"]
    return flags | rules.resolve_flags(oob_prox=oob_prox)


def _fit_unsupervised(task: _Task) -> RRFResult:
    raise NotImplementedError("y is missing, which means unsupervised mode, as in R; it is not implemented yet")


def _fit_regression(task: _Task, response: np.ndarray) -> RRFResult:
    raise NotImplementedError(
        "y holds numbers, which mean regression, as in R; it is not implemented yet. For classes pass pd.Categorical(y)"
    )


def _fit_classification(task: _Task, response: Factor) -> RRFResult:
    check_classes(response, "y")
    check_varies(task.x, "x")
    n, p = task.shape
    common = _common_arguments(task, p, default_mtry=math.floor(math.sqrt(p)))
    classwt = rules.resolve_classwt(task["classwt"], response.levels)
    cutoff = rules.resolve_cutoff(task["cutoff"], response.levels)
    sizes = _size_arguments(task, response, n)
    test, observed = _read_test_set(task, response)
    trace = rules.resolve_trace(task["do_trace"])
    printer = _Trace(len(response.levels)) if trace else None
    _seed(task["seed"])
    with watch(common["ntree"], trace, printer) as (every, on_tree):
        raw = _core.fit_classification(
            task.x.values,
            task.x.ncat,
            response.codes.astype(np.int32),
            len(response.levels),
            xtest=None if test is None else test.values,
            ytest=observed,
            **common,
            **sizes,
            classwt=classwt,
            cutoff=cutoff,
            quirks=task.flags["quirks"],
            stream=_random._STREAM,
            trace=every,
            on_tree=on_tree,
        )
    return _classification_result(task, response, common, cutoff, raw, test, observed)


def _seed(seed: Any) -> None:
    if seed is not None:
        _random.set_seed(seed)


def _common_arguments(task: _Task, p: int, default_mtry: int) -> dict[str, Any]:
    """Arguments of the core that do not depend on the response."""
    flag_reg = rules.resolve_flag_reg(task["flagReg"])
    return {
        "ntree": count(task["ntree"], "ntree"),
        "mtry": rules.resolve_mtry(task["mtry"], p, default_mtry),
        "replace": task.flags["replace"],
        "flag_reg": flag_reg,
        "coef_reg": rules.resolve_coef_reg(task["coefReg"], flag_reg, task.x.columns),
        "used": rules.resolve_fea_ini(task["feaIni"], p),
        "importance": task.flags["importance"],
        "local_importance": task.flags["localImp"],
        "proximity": task.flags["proximity"],
        "oob_proximity": task.flags["oob_prox"],
        "keep_forest": task.flags["keep_forest"],
        "keep_inbag": task.flags["keep_inbag"],
    }


def _size_arguments(task: _Task, response: Factor, n: int) -> dict[str, Any]:
    """Sizes of bags, nodes and trees."""
    sampling = rules.resolve_sampling(task["sampsize"], task["strata"], task.flags["replace"], response, n)
    nodesize = rules.resolve_nodesize(task["nodesize"], sampling.total, default=1)
    largest = 2 * math.trunc(sampling.total / nodesize) + 1
    return {
        "sampsize": sampling.sizes,
        "strata": sampling.strata,
        "nodesize": int(nodesize),
        "max_nodes": rules.resolve_max_nodes(task["maxnodes"], largest),
    }


def _read_test_set(task: _Task, response: Factor) -> tuple[Predictors | None, np.ndarray | None]:
    if task["xtest"] is None:
        return None, None
    test = match_test_set(task["xtest"], task.x, task.flags["quirks"])
    if task["ytest"] is None:
        return test, None
    observed = match_labels(task["ytest"], response.levels, "ytest", "y")
    check_length(len(observed), len(test.rows), "ytest", "xtest")
    return test, observed


def _classification_result(
    task: _Task,
    response: Factor,
    common: Mapping[str, Any],
    cutoff: np.ndarray,
    raw: dict[str, Any],
    test: Predictors | None,
    observed: np.ndarray | None,
) -> RRFClassification:
    trees, raw_test, classwt = raw.pop("forest"), raw.pop("test"), raw.pop("classwt")
    forest, test_set = None, None
    if trees is not None:
        nclass = len(response.levels)
        forest = Forest(trees, task.x.ncat, task.x.coded, nclass, classwt, cutoff)
    norm_votes = task.flags["norm_votes"]
    if test is not None:
        test_set = RRFTestSet(raw_test, test.rows, task.x.rows, response.levels, observed, norm_votes)
    return RRFClassification(
        response=response,
        norm_votes=norm_votes,
        test=test_set,
        call=task.call,
        ntree=common["ntree"],
        mtry=common["mtry"],
        coefReg=common["coef_reg"],
        quirks=task.flags["quirks"],
        rows=task.x.rows,
        columns=task.x.columns,
        named=task.x.named,
        raw=raw,
        forest=forest,
    )


class _Trace:
    """Prints R's running table of errors."""

    def __init__(self, nclass: int) -> None:
        self.nclass = nclass
        self.started = False

    def __call__(self, tree: int, errors: np.ndarray, test_errors: np.ndarray | None) -> None:
        if not self.started:
            self._header(test_errors is not None)
        line = f"{tree:5d}: " + self._rates(errors)
        if test_errors is not None:
            line += "| " + self._rates(test_errors)
        print(line, flush=True)  # noqa: T201

    def _header(self, with_test: bool) -> None:
        self.started = True
        classes = "".join(f"{k:7d}" for k in range(1, self.nclass + 1))
        print("ntree      OOB" + classes + ("|    Test" + classes) * with_test)  # noqa: T201

    @staticmethod
    def _rates(errors: np.ndarray) -> str:
        # 0/0 has its sign bit set on x86, so C prints -nan for a class without cases.
        return "".join("  -nan%" if np.isnan(e) else f"{100.0 * e:6.2f}%" for e in errors)
