"""What the random calls of pyrrf.r are made of: a generator of arguments for each function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from parity.awkward import (
    WORDS,
    any_numbers,
    anything,
    doubles,
    factors,
    flags,
    length,
    matrices,
    maybe,
    whole,
    with_gaps,
    words,
)
from parity.functions import Call, Function
from parity.random_calls import Chooser

# ---- generators ----------------------------------------------------------------------------------

GENERATORS: dict[str, Callable[[Chooser], Call]] = {}


def generator(*names: str) -> Callable[[Callable[[Chooser, str], Call]], Callable[[Chooser, str], Call]]:
    """Enter a generator under the names of the functions that it makes calls of."""

    def enter(make: Callable[[Chooser, str], Call]) -> Callable[[Chooser, str], Call]:
        for name in names:
            GENERATORS[name] = lambda choose, name=name: make(choose, name)  # type: ignore[misc]
        return make

    return enter


@generator("sum", "prod", "mean", "sd", "median", "mad", "max", "min", "range", "fivenum")
def of_a_vector(choose: Chooser, name: str) -> Call:
    extra = maybe(choose, 0.1, trim=choose.one_of(0.1, 0.25, 0.5)) if name == "mean" else {}
    least = 1 if name in ("max", "min", "range", "fivenum", "prod") else 0
    return Call(name, (any_numbers(choose, length(choose, least)),), maybe(choose, na_rm=choose.chance(0.8)) | extra)


@generator("cumsum", "cumprod", "cummax", "cummin", "rev")
def running(choose: Chooser, name: str) -> Call:
    return Call(name, (any_numbers(choose, length(choose, 1)),))


@generator("exp", "expm1", "log", "log1p", "log2", "log10", "sqrt", "tanh", "sin", "cos", "tan")
def elementary(choose: Chooser, name: str) -> Call:
    extra = maybe(choose, 0.3, base=choose.one_of(2, 10, 3.5, 0.5)) if name == "log" else {}
    return Call(name, (doubles(choose),), extra)


@generator("power")
def powers(choose: Chooser, name: str) -> Call:
    n = length(choose, 1)
    exponent = choose.one_of(2, 3, 0.5, -1, 0, 2.0, -2.5, doubles(choose, n), whole(choose, n, 9))
    base = doubles(choose, n) if choose.chance(0.8) else whole(choose, n, 20)
    return Call(name, (base, exponent) if choose.chance(0.8) else (choose.one_of(2, 0.9, 10.0, -1.5), base))


@generator("pmax", "pmin")
def parallel(choose: Chooser, name: str) -> Call:
    n = length(choose, 1)
    other = doubles(choose, n) if choose.chance(0.6) else choose.one_of(0.0, 2.5, -1.0)
    return Call(name, (doubles(choose, n), other), maybe(choose, 0.3, na_rm=True))


@generator("diff")
def differences_of(choose: Chooser, name: str) -> Call:
    return Call(name, (any_numbers(choose, names=False),), maybe(choose, lag=choose.between(1, 3), differences=2))


@generator("rowSums", "rowMeans", "colSums", "colMeans")
def margins(choose: Chooser, name: str) -> Call:
    return Call(name, (matrices(choose),), maybe(choose, na_rm=True))


@generator("var", "cov", "cor")
def related(choose: Chooser, name: str) -> Call:
    # Sums of squares beyond long double, and their order, are R's own affair.
    first = matrices(choose, wild=False) if choose.chance(0.6) else doubles(choose, wild=False)
    if np.ndim(first) == 2 and choose.chance(0.5):
        args: tuple[Any, ...] = (first,)
    else:
        n = len(first)
        second = matrices(choose, True, False, n) if n and choose.chance(0.3) else doubles(choose, n, wild=False)
        args = (first, second) if name != "var" or choose.chance(0.5) or np.ndim(first) == 2 else (first,)
    if len(args) == 1 and np.ndim(first) == 1 and name != "var":
        args = (first, first * 2)
    uses = ("everything", "all.obs", "complete.obs", "na.or.complete", "pairwise.complete.obs")
    extra = maybe(choose, 0.4, use=choose.one_of(*uses))
    if name == "var":
        extra = maybe(choose, 0.4, na_rm=True)
    else:
        extra |= maybe(choose, 0.4, method=choose.one_of("spearman", "kendall"))
    return Call(name, args, extra)


@generator("scale")
def scaled(choose: Chooser, name: str) -> Call:
    table = matrices(choose)
    p = table.shape[1]
    centre = choose.one_of(True, False, doubles(choose, p, False, False))
    return Call(name, (table,), maybe(choose, 0.4, center=centre, scale=choose.one_of(False, np.arange(1.0, p + 1))))


@generator("seq")
def sequences(choose: Chooser, name: str) -> Call:
    start = choose.one_of(0, 1, 3, -2, 0.1, 0.5, 1e-3, 1e10, round(float(choose.bits.normal(1)[0]), 2))
    kind = choose.between(0, 5)
    by = choose.one_of(1, 2, 0.1, 0.05, 0.01, 1 / 3, 0.2, 7, 1e-3) * choose.one_of(1, 1, 1, -1)
    size = choose.one_of(0, 1, 2, 3, 10, 11, 50, 7.2)
    if kind == 0:
        return Call(name, (start, start + by * choose.between(0, 40)), {"by": by})
    if kind == 1:
        return Call(name, (start, start + choose.one_of(0.0, 1, 2.5, 10, -3)), {"length_out": size})
    if kind == 2:
        return Call(name, (start,), {"by": by, "length_out": size})
    if kind == 3:
        return Call(name, (), {"to": start, "by": by, "length_out": size})
    if kind == 4:
        return Call(name, (start, start + choose.one_of(3.7, -4, 0, 20)))
    return Call(name, choose.one_of((5,), (2.7,), (), (np.array([4.0, 2.0]),)))


@generator("colon")
def colons(choose: Chooser, name: str) -> Call:
    start = choose.one_of(0, 1, 5, -3, 0.5, 2.25)
    return Call(name, (start, start + choose.one_of(0, 1, 7, -4, 2.6, -0.3)))


@generator("seq_len", "seq_along")
def counted(choose: Chooser, name: str) -> Call:
    return Call(name, (choose.between(0, 20),) if name == "seq_len" else (anything(choose),))


@generator("rep")
def repeated(choose: Chooser, name: str) -> Call:
    values = anything(choose, length(choose, 1))
    times = choose.one_of(0, 1, 3, choose.bits.integers(4, len(values)))
    kind = choose.between(0, 2)
    if kind == 0:
        return Call(name, (values,), {"times": times})
    if kind == 1:
        return Call(name, (values,), {"each": choose.between(0, 3), "times": choose.between(0, 2)})
    return Call(name, (values,), {"length_out": choose.between(0, 30)})


@generator("round", "signif")
def rounded(choose: Chooser, name: str) -> Call:
    digits = choose.one_of(0, 1, 2, 3, 4, 5, 6, 8, 10, 14, 15, 16, 22, 23, -1, -2, -5, 100, 310, 2.5)
    if choose.chance(0.4):
        # Halves of the last decimal, as near as doubles come.
        places = choose.between(0, 6)
        values = np.round(doubles(choose, wild=False, gaps=False), places) + 5.0 * 10.0 ** -(places + 1)
        return Call(name, (values, places))
    return Call(name, (doubles(choose), digits))


@generator("quantile")
def quantiles(choose: Chooser, name: str) -> Call:
    probs = choose.bits.uniform(choose.between(1, 9))
    probs = np.round(probs, choose.between(1, 4)) if choose.chance(0.7) else probs
    probs = choose.one_of(probs, probs * 1e-6, np.arange(120) / 119)
    extra = maybe(choose, 0.5, na_rm=True, names=choose.chance(0.5)) | maybe(choose, 0.8, type=choose.between(1, 9))
    return Call(name, (doubles(choose, wild=choose.chance(0.3)),), extra | maybe(choose, 0.7, probs=probs))


@generator("IQR", "summary")
def quartiles(choose: Chooser, name: str) -> Call:
    extra = {"na_rm": True} | maybe(choose, type=choose.between(1, 9)) if name == "IQR" else {}
    if name == "summary" and choose.chance(0.3):
        return Call(name, (factors(choose),))
    return Call(name, (doubles(choose, wild=choose.chance(0.3)),), extra)


@generator("order")
def orders(choose: Chooser, name: str) -> Call:
    n, keys = length(choose, 1), choose.one_of(1, 1, 2, 3)
    extra = maybe(choose, 0.4, na_last=choose.one_of(False, True), decreasing=choose.chance(0.6))
    return Call(name, tuple(anything(choose, n) for _ in range(keys)), extra)


@generator("sort", "rank")
def sorts(choose: Chooser, name: str) -> Call:
    values = any_numbers(choose) if choose.chance(0.6) else anything(choose)
    if name == "sort":
        return Call(name, (values,), maybe(choose, 0.5, decreasing=True, na_last=choose.chance(0.5)))
    ties = choose.one_of("average", "first", "last", "random", "max", "min")
    return Call(name, (values,), maybe(choose, 0.6, ties_method=ties, na_last=choose.one_of(True, False, "keep")))


@generator("which", "which_max", "which_min")
def places(choose: Chooser, name: str) -> Call:
    values = flags(choose) if name == "which" else any_numbers(choose, length(choose, 1), gaps=False, names=False)
    if name == "which" and choose.chance(0.2):
        values = pd.Series(values, index=[f"n{i}" for i in range(len(values))])
    return Call(name, (values,))


@generator("unique", "duplicated")
def repetitions(choose: Chooser, name: str) -> Call:
    return Call(name, (anything(choose),), maybe(choose, 0.3, fromLast=True))


@generator("match", "in_")
def matches(choose: Chooser, name: str) -> Call:
    kind = choose.one_of(words, factors, whole, doubles)
    return Call(name, (kind(choose), choose.one_of(kind, kind, words)(choose)))


@generator("table")
def tables(choose: Chooser, name: str) -> Call:
    n = length(choose, 1)
    values = [_few(choose, n) for _ in range(choose.between(1, 2))]
    return Call(name, tuple(values), maybe(choose, 0.4, useNA=choose.one_of("no", "ifany", "always")))


def _few(choose: Chooser, n: int) -> Any:
    """Values of which there are not many, so that a table is no larger than its data."""
    kind = choose.between(0, 4)
    if kind == 0:
        return words(choose, n)
    if kind == 1:
        return flags(choose, n)
    if kind == 2:
        return whole(choose, n, 6)
    return factors(choose, n) if kind == 3 else with_gaps(choose, np.round(choose.bits.normal(n), 1) + 0.0)


@generator("prop_table")
def shares(choose: Chooser, name: str) -> Call:
    n, p = choose.between(1, 5), choose.between(1, 5)
    if choose.chance(0.5):
        return Call(name, (choose.bits.integers(50, n, p),), maybe(choose, margin=choose.between(1, 2)))
    return Call(name, (np.abs(doubles(choose, n, False, False)),))


@generator("tabulate")
def tabulated(choose: Chooser, name: str) -> Call:
    values = choose.one_of(whole(choose, None, 9), np.abs(doubles(choose, None, True, False)) % 30, factors(choose))
    return Call(name, (values,), maybe(choose, nbins=choose.between(1, 12)))


@generator("tapply")
def grouped(choose: Chooser, name: str) -> Call:
    n = length(choose, 1)
    index: Any = factors(choose, n) if choose.chance(0.6) else whole(choose, n, 4)
    if choose.chance(0.3):
        index = [factors(choose, n), whole(choose, n, 3)]
    chosen = choose.one_of("mean", "sum", "median", "sd", "var")
    return Call(name, (doubles(choose, n, False), index, Function(chosen)))


@generator("weighted_mean")
def weighted(choose: Chooser, name: str) -> Call:
    n = length(choose, 1)
    weights = choose.one_of(np.abs(doubles(choose, n, False, False)), choose.bits.integers(4, n))
    return Call(name, (doubles(choose, n), weights), maybe(choose, 0.5, na_rm=True))


@generator("sweep")
def swept(choose: Chooser, name: str) -> Call:
    table, margin = matrices(choose), choose.between(1, 2)
    numbers_of = doubles(choose, table.shape[margin - 1])
    return Call(name, (table, margin, numbers_of), maybe(choose, FUN=choose.one_of("-", "+", "*", "/")))


@generator("aggregate")
def aggregated(choose: Chooser, name: str) -> Call:
    n = length(choose, 2)
    values = doubles(choose, n, False)
    if choose.chance(0.5):
        values = pd.DataFrame({"u": values, "v": doubles(choose, n, False)})
    kinds = [choose.one_of(factors, words) for _ in range(choose.between(1, 3))]
    return Call(
        name, (values, [kind(choose, n, False) for kind in kinds], Function(choose.one_of("mean", "sum", "sd")))
    )


@generator("factor", "as_factor", "as_numeric", "as_integer", "as_character", "levels", "nlevels")
def factored(choose: Chooser, name: str) -> Call:
    values = anything(choose)
    if name == "as_integer":
        values = doubles(choose) if choose.chance(0.7) else factors(choose)
    if name in ("as_numeric", "as_character") and choose.chance(0.3):
        values = choose.one_of(factors(choose), np.round(doubles(choose), choose.between(0, 12)))
    if name != "factor" or not choose.chance(0.4):
        return Call(name, (values,))
    distinct = pd.unique(pd.Series(words(choose, None, False)))
    labels = np.array([f"L{i // choose.one_of(1, 2)}" for i in range(len(distinct))], dtype=object)
    extra = maybe(choose, labels=labels) if len(distinct) else {}
    return Call(name, (words(choose),), {"levels": distinct} | extra | maybe(choose, 0.3, ordered=True))


@generator("droplevels", "relevel")
def relevelled(choose: Chooser, name: str) -> Call:
    values = factors(choose)
    if name == "relevel" and values.ordered:
        values = values.as_unordered()
    return Call(name, (values,) if name == "droplevels" else (values, values.categories[-1]))


@generator("cut")
def cuts(choose: Chooser, name: str) -> Call:
    values = doubles(choose, length(choose, 1), wild=False)
    breaks = (
        choose.between(2, 6) if choose.chance(0.5) else np.unique(doubles(choose, choose.between(2, 7), False, False))
    )
    if choose.chance(0.4) and np.ndim(breaks) and np.isfinite(values).any():
        breaks = np.unique(np.nanquantile(values, [0.0, 0.3, 0.8, 1.0]))
    given = {"include_lowest": True, "right": False, "dig_lab": choose.between(1, 6), "ordered_result": True}
    extra = maybe(choose, 0.4, **given)
    return Call(name, (values, breaks), extra | maybe(choose, 0.15, labels=False))


@generator("findInterval")
def intervals(choose: Chooser, name: str) -> Call:
    limits = np.sort(doubles(choose, choose.between(1, 8), False))
    values = np.concatenate([doubles(choose, length(choose, 1)), limits])
    return Call(name, (values, limits), maybe(choose, 0.4, rightmost_closed=True, all_inside=True, left_open=True))


@generator("paste", "paste0")
def pasted(choose: Chooser, name: str) -> Call:
    parts = tuple(anything(choose) for _ in range(choose.between(1, 3)))
    return Call(name, parts, maybe(choose, 0.3, collapse="+") | (maybe(choose, sep="-") if name == "paste" else {}))


@generator("ifelse")
def chosen(choose: Chooser, name: str) -> Call:
    n = length(choose, 1)
    return Call(name, (flags(choose, n), doubles(choose, n), doubles(choose, choose.between(1, 5))))


@generator("expand_grid")
def grids(choose: Chooser, name: str) -> Call:
    sizes = [choose.between(1, 4) for _ in range(choose.between(1, 3))]
    vectors = {f"v{i}": anything(choose, n) for i, n in enumerate(sizes)}
    return Call(name, (), vectors | maybe(choose, 0.3, stringsAsFactors=False))


@generator("head", "tail")
def ends(choose: Chooser, name: str) -> Call:
    table = matrices(choose)
    values = table if isinstance(table, pd.DataFrame) and choose.chance(0.4) else anything(choose)
    return Call(name, (values,), maybe(choose, n=choose.between(-8, 8)))


@generator("c")
def joined(choose: Chooser, name: str) -> Call:
    kinds = [choose.one_of(words, doubles, whole, flags) for _ in range(choose.between(1, 4))]
    return Call(name, tuple(kind(choose, length(choose, 1)) for kind in kinds))


@generator("cbind", "rbind")
def bound(choose: Chooser, name: str) -> Call:
    if choose.chance(0.5):
        n = choose.between(1, 9)
        return Call(name, tuple(doubles(choose, n) for _ in range(choose.between(1, 4))))
    columns, rows = choose.between(1, 3), choose.between(1, 7)
    tables = [_table(choose, rows, columns, "a" if name == "rbind" else chr(97 + i)) for i in range(2)]
    return Call(name, tuple(tables))


def _table(choose: Chooser, rows: int, columns: int, prefix: str) -> pd.DataFrame:
    arrays: dict[str, Any] = {f"{prefix}{j}": doubles(choose, rows) for j in range(columns)}
    return pd.DataFrame(arrays | {f"{prefix}f": factors(choose, rows).as_unordered()})


@generator("apply", "sapply")
def applied(choose: Chooser, name: str) -> Call:
    chosen_function = Function(choose.one_of("mean", "sum", "sd", "median", "max", "cumsum"))
    if name == "apply":
        return Call(name, (matrices(choose, False), choose.between(1, 2), chosen_function))
    return Call(name, (pd.DataFrame(matrices(choose, False)).add_prefix("w"), chosen_function))


@generator("createFolds", "createDataPartition", "createMultiFolds", "createResample")
def folded(choose: Chooser, name: str) -> Call:
    n = length(choose, 3)
    values = choose.one_of(factors(choose, n, False), words(choose, n, False), doubles(choose, n, False, False))
    k, times = choose.between(2, 10), choose.between(1, 3)
    given: dict[str, dict[str, Any]] = {
        "createFolds": {"k": k} | maybe(choose, 0.3, list=False) | maybe(choose, 0.3, returnTrain=True),
        "createMultiFolds": {"k": k, "times": times},
        "createResample": {"times": times} | maybe(choose, 0.4, list=False),
        "createDataPartition": {"p": choose.one_of(0.5, 0.7, 0.75, 0.8, 2 / 3), "times": times},
    }
    if name == "createDataPartition":
        given[name] |= maybe(choose, 0.3, list=False) | maybe(choose, 0.3, groups=choose.between(2, 6))
    return Call(name, (values,), given[name])


@generator("confusionMatrix")
def confused(choose: Chooser, name: str) -> Call:
    n, count = length(choose, 4), choose.between(2, 4)
    levels = list(WORDS[:count])
    codes = [choose.bits.integers(count, n).tolist() for _ in range(2)]
    return Call(name, tuple(pd.Categorical.from_codes(c, categories=levels) for c in codes))


def make_call(name: str, number: int) -> Call:
    """The call of a function with this number."""
    with np.errstate(all="ignore"):
        return GENERATORS[name](Chooser(50_000 + number + 1000 * (sum(name.encode()) % 997)))
