"""Arguments of RRF() and randomForest() resolved against the data, with R's defaults and rules."""

from __future__ import annotations

import math
from typing import TypedDict

import numpy as np
from numpy.typing import ArrayLike

from pyrrf._core.records import Growing
from pyrrf.checks import MOST_COUNT, array_of, count, flag, number, numbers, warn
from pyrrf.data.alignment import numbers_by_name
from pyrrf.data.inputs import check_length
from pyrrf.errors import bad, input_error
from pyrrf.fit.call import Call, ForestCall
from pyrrf.fit.engine import Engine
from pyrrf.fit.feature_costs import charge, resolve_costs, resolve_groups
from pyrrf.fit.reading import Data
from pyrrf.fit.sampling import Sampling
from pyrrf.rbase.arithmetic import total as r_sum
from pyrrf.types import Floats, Ints, Labels


class Flags(TypedDict):
    """The True/False arguments by their names in `Growing`."""

    replace: bool
    importance: bool
    local_importance: bool
    proximity: bool
    oob_proximity: bool
    keep_forest: bool
    keep_inbag: bool
    corr_bias: bool


def read_flags(call: Call, data: Data) -> Flags:
    """Return the True/False arguments; `norm_votes` is checked only.

    R's defaults: proximity in unsupervised mode only, oob.prox = proximity, and no forest without a
    response or with a test set.
    """
    local = flag(call.localImp, "localImp")
    proximity = flag(call.proximity, "proximity") if call.proximity is not None else not data.supervised
    with_forest = data.supervised and data.test is None
    flag(call.norm_votes, "norm_votes")
    return Flags(
        replace=flag(call.replace, "replace"),
        importance=flag(call.importance, "importance") or local,
        local_importance=local,
        proximity=proximity,
        oob_proximity=proximity if call.oob_prox is None else flag(call.oob_prox, "oob_prox"),
        keep_forest=with_forest if call.keep_forest is None else flag(call.keep_forest, "keep_forest"),
        keep_inbag=flag(call.keep_inbag, "keep_inbag"),
        corr_bias=flag(call.corr_bias, "corr_bias"),
    )


def resolve_growing(
    call: Call,
    engine: Engine,
    data: Data,
    flags: Flags,
    sampling: Sampling,
    *,
    nodesize: float,
    max_nodes: int,
    mtry: int,
    n_perm: int = 1,
) -> Growing:
    """Return the settings for growing trees, except fields of classification.

    Parameters
    ----------
    nodesize, max_nodes, n_perm : number
        Their rules depend on the type of the forest.
    mtry : int
        Candidates drawn per node by default.

    Raises
    ------
    TypeError, ValueError
        An argument has a wrong type, a value that R refuses, or a value that does not go with the engine.
    """
    columns = data.x.columns
    case_weight = resolve_case_weights(call, data)
    number(call.nPerm, "nPerm")
    flag_reg = resolve_flag_reg(call.flagReg)
    return Growing(
        **flags,
        ntree=count(call.ntree, "ntree"),
        mtry=resolve_mtry(call.mtry, len(columns), mtry),
        nodesize=int(nodesize),
        max_nodes=max_nodes,
        sampsize=sampling.sizes,
        strata=sampling.strata,
        flag_reg=flag_reg,
        coef_reg=resolve_multipliers(call, flag_reg, columns, engine),
        used=resolve_fea_ini(call.feaIni, len(columns)),
        feature_group=resolve_groups(call.feature_groups, flag_reg, columns),
        n_perm=n_perm,
        quirks=engine.quirks,
        random_forest=call.random_forest,
        case_weight=case_weight,
    )


def resolve_multipliers(call: Call, flagReg: int, columns: Labels, engine: Engine) -> Floats:
    """Return the multiplier of each new feature's splits, float64, shape (p,): its coefficient over its cost."""
    coefficients = resolve_coef_reg(call.coefReg, flagReg, columns, engine)
    return charge(coefficients, resolve_costs(call.feature_cost, flagReg, columns))


def resolve_coef_reg(coefReg: ArrayLike | None, flagReg: int, columns: Labels, engine: Engine) -> Floats:
    """Return one coefficient per column, float64, shape (p,); R's default is 0.8, or 1 if flagReg=0.

    Raises
    ------
    TypeError
        The values are not numbers.
    ValueError
        A rule of R is broken: 1 or p values, none above 1, at least one above 0. Also if a dict or Series does not
        name each column, or if a value is negative with engine parallel.
    """
    p = len(columns)
    if coefReg is None:
        return np.full(p, 0.8 if flagReg == 1 else 1.0)
    coefficients = numbers_by_name(coefReg, "coefReg", columns)
    # A tree grown ahead stays valid because no split gets worse when its feature enters F.
    broken = broken_rule(coefficients, p, least=0.0 if engine.parallel else -math.inf)
    if broken == "least":
        raise bad.range("coefReg must not be negative with engine='parallel'; pass values from 0 to 1")
    if broken:
        message, in_r = _BROKEN[broken]
        text = message.format(size=len(coefficients), p=p, most=coefficients.max(initial=-math.inf))
        raise input_error("length" if broken == "length" else "range", text, in_r=in_r)
    return np.full(p, coefficients[0]) if len(coefficients) == 1 else coefficients


# Messages of `RRF` and of R about coefficients that break a rule.
_BROKEN = {
    "length": (
        "coefReg has {size} values; pass 1, or one per column of x ({p})",
        "the length of coefReg must be 1 or the number of predictor variables",
    ),
    "most": ("coefReg must not exceed 1, but holds {most:.17g}", "coefReg can not be greater than 1"),
    "any": (
        "coefReg must have at least one value above 0",
        "There should be a least one entry in coefReg greater than 0",
    ),
}


def broken_rule(coefficients: Floats, p: int, least: float) -> str | None:
    """Return the first rule that coefficients of regularization break: "most", "any", "length" or "least"; or None."""
    largest = coefficients.max(initial=-math.inf)
    rules = {
        "most": largest <= 1,
        "any": largest > 0,
        "length": len(coefficients) in (1, p),
        "least": coefficients.min() >= least,
    }
    return next((name for name, holds in rules.items() if not holds), None)


def resolve_fea_ini(feaIni: ArrayLike | None, p: int) -> Ints:
    """Return the marks of the initial feature set, int32, shape (p,); feaIni counts from 0.

    Raises
    ------
    TypeError, ValueError
        feaIni does not hold whole numbers from 0 to p - 1.
    """
    used = np.zeros(p, dtype=np.int32)
    if feaIni is None or array_of(feaIni, "feaIni").size == 0:
        return used
    positions = numbers(feaIni, "feaIni")
    if (positions != np.floor(positions)).any() or positions.min() < 0 or positions.max() >= p:
        raise bad.range(
            f"feaIni must hold column positions from 0 to {p - 1} (R counts from 1), not {positions.tolist()}"
        )
    used[positions.astype(np.int64)] = 1
    return used


def resolve_mtry(mtry: float | None, p: int, default: int) -> int:
    """Return the number of candidates per node, rounded; out of range it is set to 1 or p, with R's warning."""
    if mtry is None:
        return max(1, min(p, default))
    wanted = number(mtry, "mtry")
    if wanted < 1 or wanted > p:
        warn(f"invalid mtry: {mtry!r} reset to within the valid range 1 to {p}")
    return max(1, min(p, round(wanted)))


def resolve_case_weights(call: Call, data: Data) -> Floats | None:
    """Return the chances of the rows to be drawn, float64, shape (n,), of sum 1; None for equal ones.

    Raises
    ------
    TypeError, ValueError
        They are not positive numbers, one for each row, or there is no response.
    """
    if not isinstance(call, ForestCall) or call.weights is None:
        return None
    if not data.supervised:
        raise bad.conflict("weights needs a response; in unsupervised mode R reads beyond them")
    n = data.shape[0]
    weights = numbers(call.weights, "weights")
    check_length(len(weights), n, "weights", "x")
    if (weights <= 0).any():
        raise bad.range(f"weights must be positive, but holds {weights.min():.6g}; leave out rows with subset instead")
    return weights / r_sum(weights)


def resolve_nodesize(nodesize: float | None, total: float, maxnodes: float | None) -> float:
    """Return the largest size of a node that is not split; 1 by default, at most `total`, the rows in a bag.

    0 has the effect of 1, but sets no limit to the number of nodes, so R requires `maxnodes` with it.
    """
    size = 1.0 if nodesize is None else number(nodesize, "nodesize")
    if size < 1 and (size != 0 or maxnodes is None):
        raise bad.range(f"nodesize must be at least 1, or 0 with maxnodes, not {nodesize!r}")
    if size > total:
        raise bad.range(
            f"nodesize is {size:.10g}, more than the {total:.10g} rows drawn for a tree (sampsize), "
            "so no tree can split; pass a smaller nodesize"
        )
    return size


def resolve_free_nodesize(nodesize: float | None, default: int) -> float:
    """Return the nodesize of regression and `randomForest`, which try the root at any size; 0 splits all nodes."""
    return float(default) if nodesize is None else number(nodesize, "nodesize", least=0, most=MOST_COUNT)


def resolve_n_perm(nPerm: float) -> int:
    """Return the number of permutations of each feature in regression, at least 1, as in R."""
    return max(1, int(number(nPerm, "nPerm", most=MOST_COUNT)))


def resolve_max_nodes(maxnodes: float | None, total: float, leaf_size: float, engine: Engine, least: int = 2) -> int:
    """Return R's nrnodes, the largest number of nodes; maxnodes counts leaves and is at least `least`.

    R assumes that every leaf has at least `leaf_size` of the `total` rows of a bag. Leaves may be smaller,
    so this limit stops trees early, except with ``quirks=False`` and engine parallel.
    """
    least_leaf = leaf_size if engine.quirks else 1.0
    largest = 2 * math.trunc(total / least_leaf) + 1 if least_leaf else MOST_COUNT
    if maxnodes is None:
        return largest
    leaves = count(maxnodes, "maxnodes")
    if leaves < least:
        raise bad.range("maxnodes is 1, so no tree can split; pass 2 or more")
    if 2 * leaves - 1 > largest:
        warn(f"maxnodes exceeds its max value: at most {(largest + 1) // 2} leaves are possible")
    return min(largest, 2 * leaves - 1)


def resolve_flag_reg(flagReg: float) -> int:
    """Return 1 (regularized) or 0."""
    value = number(int(flagReg) if isinstance(flagReg, bool | np.bool_) else flagReg, "flagReg")
    if value not in (0, 1):
        raise bad.range(
            f"flagReg must be 0 (ordinary forest) or 1 (regularized), not {flagReg!r}", in_r="flagReg must be 0 or 1"
        )
    return int(value)


def resolve_trace(do_trace: float) -> int:
    """Return the number of trees between two printed lines; 0 = print nothing."""
    if isinstance(do_trace, bool | np.bool_):
        return int(do_trace)
    return count(do_trace, "do_trace", minimum=0)
