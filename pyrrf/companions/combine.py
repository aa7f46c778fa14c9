"""combine and grow: one fit from several, more trees for a fit."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar, cast

import numpy as np

from pyrrf._core.records import ClassOutcome, Work
from pyrrf.checks import count
from pyrrf.errors import bad
from pyrrf.fit.random_forest import randomForest
from pyrrf.fit.rrf import RRF
from pyrrf.random import call_stream
from pyrrf.rbase.arithmetic import max_col
from pyrrf.result.forest import Filler, Forest, join_trees
from pyrrf.result.random_forest import RandomForestResult
from pyrrf.result.result import ForestResult
from pyrrf.result.rrf import RRFResult
from pyrrf.result.summaries import require_fit
from pyrrf.types import Floats, Ints

Fits = Sequence[ForestResult]
F = TypeVar("F", bound=ForestResult)


def combine(*fits: F) -> F:
    """Put the trees of several fits into one (R's ``combine``).

    Parameters
    ----------
    *fits : ForestResult
        Fits of one type on the same predictors and rows. Components that cannot be combined are
        copied from the first fit.

    Returns
    -------
    ForestResult
        Of the type of the fits. `err_rate`, `confusion`, `mse` and `rsq` are None. Importances,
        proximities and numeric predictions are means weighted by the numbers of trees. Votes are
        sums of the votes of the fits, whether shares or counts; the class with the largest sum
        is predicted, and ties are broken at random.

    Raises
    ------
    TypeError
        An argument is not a fit.
    ValueError
        The fits differ in type, engine, predictors, classes, rows or kinds of importance.

    See Also
    --------
    grow : More trees for one fit.

    Notes
    -----
    With ``quirks=False`` in the first fit, or engine 'parallel', votes are weighted by how often each row was
    out of bag, and `oob_times`, `inbag`, `feaSet` and `test` cover all fits (docs/differences/companions.md).

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_iris
    >>> iris = load_iris()
    >>> x, species = iris.drop(columns="Species"), iris["Species"]
    >>> fits = [pyrrf.RRF(x, species, ntree=20, seed=seed) for seed in (1, 2, 3)]
    >>> pyrrf.combine(*fits).ntree
    60
    """
    _check(fits)
    # As in R, numbers near the largest double become infinite without a warning.
    with np.errstate(over="ignore", invalid="ignore"):
        combined: F = _combine(fits)
    return combined


def _combine(fits: Fits) -> Any:
    out = copy.copy(fits[0])
    out.ntree = sum(fit.ntree for fit in fits)
    out.forest = _combine_forests(fits)
    if out.type == "classification":
        with call_stream():
            _combine_classes(out, fits)
    elif out.type == "regression":
        _combine_numbers(out, fits)
    else:
        out.outcome = replace(cast("ClassOutcome", out.outcome), predicted=np.zeros(0, dtype=np.int32))
    _combine_measures(out, fits)
    if out.engine == "parallel":
        out.outcome = replace(out.outcome, work=_summed_work(fits))
    if not out.quirks:
        _combine_bags(out, fits)
    elif isinstance(out, RandomForestResult):
        out.outcome = replace(out.outcome, inbag=_joined_bags(fits, out.outcome.inbag))
    return out


def grow(x: F, how_many: int) -> F:
    """Add trees to a fit (R's ``grow``).

    The call that made the fit is repeated for the new trees, without its `seed`: the stream goes on
    from where it is. As in R the new trees start from the feature set of the call (`feaIni`); with
    engine 'parallel' they start from the feature set of the fit.

    Parameters
    ----------
    x : ForestResult
        Fit.
    how_many : int
        Number of trees to add.

    Returns
    -------
    ForestResult
        The fit and the new trees, put together by `combine`.

    Raises
    ------
    TypeError
        `x` is not a fit, or `how_many` is not a number.
    ValueError
        `how_many` is less than 1 or not a whole number.

    See Also
    --------
    combine : Several fits as one.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_iris
    >>> iris = load_iris()
    >>> x, species = iris.drop(columns="Species"), iris["Species"]
    >>> fit = pyrrf.RRF(x, species, ntree=20, seed=1)
    >>> pyrrf.grow(fit, 5).ntree
    25
    """
    require_fit(x, "x")
    trees = count(how_many, "how_many")
    arguments = {**x.arguments, "ntree": trees}
    if isinstance(x, RRFResult) and x.engine == "parallel":
        arguments["feaIni"] = x.feaSet
    with call_stream():
        more: Any = (RRF if isinstance(x, RRFResult) else randomForest)(**arguments)
        grown: F = combine(x, more)
    return grown


# ---- checks --------------------------------------------------------------------------------------


def _check(fits: Fits) -> None:
    if not fits:
        raise bad.absent(
            "combine() needs at least one fit; pass fits of RRF() or randomForest()", "fits", kind=TypeError
        )
    for position, fit in enumerate(fits):
        require_fit(fit, f"fits[{position}]")
    for position, fit in enumerate(fits[1:], start=2):
        _check_alike(fits[0], fit, position)


def _check_alike(first: ForestResult, other: ForestResult, position: int) -> None:
    for attribute in ("function", "engine"):
        one, two = getattr(first, attribute), getattr(other, attribute)
        if one != two:
            message = f"fit {position} has {attribute} {two!r}, the first one {one!r}; combine fits of one {attribute}"
            raise bad.conflict(message, "fits")
    if not other.columns.equals(first.columns):
        number = "Unequal number of predictor variables" if len(other.columns) != len(first.columns) else ""
        raise bad.columns(
            f"fit {position} has other predictors than the first one; combine fits on the same columns",
            "fits",
            in_r=f"{number or 'Predictor variables are different'} in the {first.function} objects.",
        )
    if other.type != first.type:
        message = f"fit {position} is for {other.type}, but the first one for {first.type}; combine fits of one type"
        raise bad.conflict(message, "fits")
    if len(other.rows) != len(first.rows):
        message = (
            f"fit {position} has {len(other.rows)} rows, the first one {len(first.rows)}; combine fits on the same rows"
        )
        raise bad.length(message, "fits")
    one, two = getattr(first, "classes", None), getattr(other, "classes", None)
    if one != two:
        message = f"fit {position} has classes {two}, the first one {one}; combine fits of the same classes"
        raise bad.levels(message, "fits")
    if (other.outcome.importance_sd is None) != (first.outcome.importance_sd is None):
        message = "some fits have permutation importances, others not; fit all with importance=True or none"
        raise bad.conflict(message, "fits")


# ---- trees ---------------------------------------------------------------------------------------


def _check_codes(forests: Sequence[Forest]) -> None:
    """Refuse fits of engine parallel whose trees code the levels of a factor differently."""
    for position, forest in enumerate(forests[1:], start=2):
        if forest.coded != forests[0].coded:
            message = f"fit {position} has other levels of a factor than the first one, or in another order"
            raise bad.levels(f"{message}; combine fits on the same data", "fits")


def _combine_forests(fits: Fits) -> Forest | None:
    """Return the trees of all fits, with cutoff and class weights of the first; None if a fit has no trees."""
    forests = [fit.forest for fit in fits if fit.forest is not None]
    if len(forests) < len(fits):
        return None
    if fits[0].engine == "parallel":
        _check_codes(forests)
    first = forests[0]
    trees = join_trees([forest.trees for forest in forests])
    fillers: tuple[Filler, ...] = ()
    if any(forest.fillers for forest in forests):
        fillers = tuple(filler for forest in forests for filler in forest.fillers or (Filler(forest.ntree, 0, 0.0),))
    return Forest(trees, first.ncat, first.coded, first.nclass, first.pid, first.cutoff, fillers, combined=True)


def _summed_work(fits: Fits) -> Work:
    works = [fit.outcome.work for fit in fits if fit.outcome.work is not None]
    return Work(
        regrown=sum(work.regrown for work in works),
        searched=sum(work.searched for work in works),
        repeated=sum(work.repeated for work in works),
    )


# ---- answers -------------------------------------------------------------------------------------


def _weighted_sum(fits: Fits, part: Callable[[Any], np.ndarray]) -> np.ndarray:
    """Sum a part over the fits, in order, each multiplied by its number of trees."""
    out: Any = 0.0
    for fit in fits:
        out = out + part(fit) * fit.ntree
    return np.asarray(out)


def _average(fits: Fits, part: Callable[[Any], np.ndarray]) -> np.ndarray:
    """Mean over fits, weighted by the number of trees."""
    return np.asarray(_weighted_sum(fits, part) / sum(fit.ntree for fit in fits))


def _combine_classes(out: Any, fits: Fits) -> None:
    votes, times = _summed_votes(fits) if out.quirks else _pooled_votes(fits), _summed_times(fits)
    out.outcome = replace(out.outcome, oob_times=times, votes=votes, predicted=_winners(votes), err_rate=None)
    out.norm_votes = False
    _combine_test_classes(out, fits)


def _summed_times(fits: Fits) -> Ints:
    return np.asarray(np.sum([fit.outcome.oob_times for fit in fits], axis=0, dtype=np.int32))


def _summed_votes(fits: Fits) -> np.ndarray:
    """Sum the votes unchanged, as R does: it tests na.rf instead of na.rm, and so treats shares as counts."""
    out: Any = 0.0
    for fit in fits:
        votes = fit.votes.to_numpy()  # type: ignore[attr-defined]
        out = out + np.where(np.isnan(votes), 0.0, votes)
    return np.asarray(out)


def _pooled_votes(fits: Fits) -> np.ndarray:
    """Sum the votes as counts; return shares if a fit has shares."""
    counts, times, shares = np.zeros(1), np.zeros(1), False
    for fit in fits:
        votes, own = np.nan_to_num(fit.votes.to_numpy()), fit.outcome.oob_times[:, np.newaxis]  # type: ignore[attr-defined]
        counted = bool((votes > 1).any())
        counts = counts + (votes if counted else votes * own)
        times, shares = times + own, shares or not counted
    with np.errstate(invalid="ignore"):
        return np.asarray(counts / times if shares else counts)


def _winners(votes: np.ndarray) -> np.ndarray:
    """Return the class with most votes, int32, from 0; -1 for a row without votes."""
    known = ~np.isnan(votes).any(axis=1)
    codes = np.full(len(votes), -1, dtype=np.int32)
    codes[known] = max_col(votes[known])
    return codes


def _combine_test_classes(out: Any, fits: Any) -> None:
    """Combine the votes on the test set; without quirks counts stay counts and shares stay shares."""
    if any(fit.test is None for fit in fits):
        out.test = out.test if out.quirks else None
        return
    test = out.test = copy.copy(out.test)
    votes = _weighted_sum(fits, lambda fit: fit.test.votes.to_numpy())
    if not out.quirks and (fits[0].test.votes.to_numpy() > 1).any():
        votes = sum(fit.test.outcome.votes for fit in fits)
    elif not out.quirks:
        votes = votes / out.ntree
    errors = test.outcome.err_rate if out.quirks else None
    test.outcome = replace(test.outcome, votes=votes, predicted=_winners(votes), err_rate=errors)
    test.observed, test.norm_votes = None, False


def _combine_numbers(out: Any, fits: Any) -> None:
    out.outcome = replace(out.outcome, predicted=_average(fits, lambda fit: fit.outcome.predicted), mse=None)
    if any(fit.test is None for fit in fits):
        out.test = out.test if out.quirks else None
        return
    test = out.test = copy.copy(out.test)
    predicted = _average(fits, lambda fit: fit.test.outcome.predicted)
    test.outcome = replace(test.outcome, predicted=predicted, mse=None)


def _combine_measures(out: ForestResult, fits: Fits) -> None:
    """Average importances and proximities; where a fit lacks a table, the table of the first fit is kept."""
    first, deviations = out.outcome, None
    if first.importance_sd is not None:
        deviations = np.sqrt(_average(fits, lambda fit: fit.outcome.importance_sd**2))
    out.outcome = replace(
        first,
        importance=_average(fits, lambda fit: fit.outcome.importance),
        importance_sd=deviations,
        local_importance=_average_or_first(fits, lambda fit: fit.outcome.local_importance),
        proximity=_average_or_first(fits, lambda fit: fit.outcome.proximity),
    )


def _average_or_first(fits: Fits, part: Callable[[ForestResult], Floats | None]) -> Floats | None:
    """Average a table that all fits have; otherwise return the first fit's, as in R, or None without quirks."""
    if all(part(fit) is not None for fit in fits):
        return _average(fits, lambda fit: np.asarray(part(fit)))
    return part(fits[0]) if fits[0].quirks else None


def _joined_bags(fits: Fits, otherwise: Ints | None) -> Ints | None:
    """Return the bags of all trees, or `otherwise` if a fit has no bags."""
    bags = [fit.outcome.inbag for fit in fits if fit.outcome.inbag is not None]
    return np.concatenate(bags, axis=1) if len(bags) == len(fits) else otherwise


def _combine_bags(out: ForestResult, fits: Fits) -> None:
    """Combine the parts that R copies from the first fit."""
    out.outcome = replace(
        out.outcome,
        oob_times=_summed_times(fits),
        inbag=_joined_bags(fits, None),
        used=np.max([fit.outcome.used for fit in fits], axis=0),
    )
