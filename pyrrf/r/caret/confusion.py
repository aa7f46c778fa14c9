"""caret's confusion matrices and their statistics; measures of predictions."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from pyrrf.r.arithmetic.mathematics import abs as absolute
from pyrrf.r.arithmetic.mathematics import round as rounded
from pyrrf.r.arithmetic.mathematics import sqrt
from pyrrf.r.base.matrices import t
from pyrrf.r.base.sums import mean
from pyrrf.r.base.texts import paste
from pyrrf.r.formatting.formats import Style
from pyrrf.r.formatting.formats import format as formatted
from pyrrf.r.printing.printing import console_text
from pyrrf.r.stats.statistics import cor
from pyrrf.r.values.arguments import text
from pyrrf.r.values.coercion import cells_of, coerce, factor_labels
from pyrrf.r.values.errors import NotSupportedError, RError, refuse_if, stop_if
from pyrrf.r.values.functions import Flag, Text, r_function
from pyrrf.r.values.kinds import factor_levels, inherits, is_factor, is_missing
from pyrrf.r.values.labels import dim_of, dimnames_of, dimnames_value, matrix_of, names_of
from pyrrf.r.values.partial import Partial
from pyrrf.r.values.vector import NUMBERS, Value, doubles, integers, list_of, strings
from pyrrf.rbase import arithmetic
from pyrrf.rbase.vectors import REAL_NA

_MEASURES = [
    "Sensitivity", "Specificity", "Pos Pred Value", "Neg Pred Value", "Precision", "Recall", "F1", "Prevalence",
    "Detection Rate", "Detection Prevalence", "Balanced Accuracy",
]  # fmt: skip
_OVERALL = ["Accuracy", "Kappa", "AccuracyLower", "AccuracyUpper", "AccuracyNull", "AccuracyPValue", "McnemarPValue"]
_UNKNOWN = "its tests and intervals, which take R's binom.test() and mcnemar.test(), are not here"
# Statistics that print() omits in each mode.
_NOT_SHOWN = {
    "sens_spec": ("Precision", "Recall", "F1"),
    "prec_recall": ("Sensitivity", "Specificity", "Pos Pred Value", "Neg Pred Value"),
}
_DIGITS = 4
_SMALLEST = 2.220446e-16


# ---- tables of errors ----------------------------------------------------------------------------


@r_function(in_order=True, unsupported="prevalence")
def confusionMatrix(
    data: Value,
    reference: Value | None = None,
    positive: Value | None = None,
    dnn: Value | None = None,
    prevalence: object = None,
    mode: Text = "sens_spec",
) -> Value:
    """Return the confusion matrix with its statistics.

    The intervals and tests of `overall` are not computed: asking for one of them, or printing all, is refused.
    """
    refuse_if(inherits(data, "train"), "confusionMatrix() of a fit of train()")
    labels = ["Prediction", "Reference"] if dnn is None else [str(name) for name in coerce(dnn, "character")._data]
    table = data if reference is None and dim_of(data) else _cross_table(data, reference, labels)
    if len(dim_of(table) or ()) != 2 or dimnames_of(table)[0] != dimnames_of(table)[1]:
        raise RError("the table must have two dimensions, with the same classes in the same order")
    levels = [str(level) for level in dimnames_of(table)[0] or []]
    stop_if(len(levels) < 2, "there must be at least 2 factors levels in the data")
    cells = cells_of(table)
    if len(levels) == 2:
        chosen = levels[0] if positive is None else text(positive)
        positive, measures = strings(chosen), _measures(cells, levels.index(chosen))
        by_class = doubles(measures, {"names": strings(_MEASURES)})
    else:
        grid = np.array([_measures(cells, positive_class) for positive_class in range(len(levels))])
        by_class = matrix_of("double", grid, ([f"Class: {level}" for level in levels], _MEASURES))
    parts = [positive, table, _overall(cells), by_class, mode, list_of([])]
    return list_of(parts, ["positive", "table", "overall", "byClass", "mode", "dots"], "confusionMatrix")


def _cross_table(data: Value, reference: Value | None, dnn: list[str]) -> Value:
    if reference is None or not (is_factor(data) and is_factor(reference)):
        raise RError("`data` and `reference` should be factors with the same levels.")
    levels = [str(level) for level in factor_levels(reference)]
    own = [str(level) for level in factor_levels(data)]
    stop_if(len(own) > len(levels), "the data cannot have more levels than the reference")
    used = {label for label in factor_labels(data)._data if label is not None}
    stop_if(not set(own) & set(levels) or used - set(levels), "The data contain levels not found in the data.")
    place = {level: index for index, level in enumerate(levels)}
    cells = np.zeros((len(levels), len(levels)))
    for guess, truth in zip(factor_labels(data)._data, factor_labels(reference)._data, strict=True):
        if guess is not None and truth is not None:
            cells[place[guess], place[truth]] += 1
    table = matrix_of("integer", cells, (levels, levels), strings(dnn))
    return Value("integer", table._data, table._attributes | {"class": strings("table")})


def _share(count: float, whole: float) -> float:
    return count / whole if whole > 0 else REAL_NA


def _measures(cells: np.ndarray, pos: int) -> list[float]:
    """Return sensitivity and the other measures of one class against the rest."""
    n, neg = cells.sum(), np.delete(np.arange(len(cells)), pos)
    sens = _share(cells[pos, pos], cells[:, pos].sum())
    spec = _share(cells[np.ix_(neg, neg)].sum(), cells[:, neg].sum())
    prevalence = cells[:, pos].sum() / n
    precision = _share(cells[pos, pos], cells[pos].sum())
    with np.errstate(all="ignore"):
        ppv = np.float64(sens * prevalence) / ((sens * prevalence) + ((1 - spec) * (1 - prevalence)))
        npv = np.float64(spec * (1 - prevalence)) / (((1 - sens) * prevalence) + (spec * (1 - prevalence)))
        f1 = np.float64(2 * precision * sens) / (precision + sens)
    detected = [prevalence, cells[pos, pos] / n, cells[pos].sum() / n]
    return [sens, spec, float(ppv), float(npv), precision, sens, float(f1), *detected, (sens + spec) / 2]


def _agreement(cells: np.ndarray) -> tuple[float, float]:
    """Return accuracy and kappa."""
    n = cells.sum()
    agreed = np.trace(cells) / n
    expected = arithmetic.total((cells.sum(axis=1) / n) * (cells.sum(axis=0) / n))
    return agreed, float(np.float64(agreed - expected) / np.float64(1 - expected)) if expected != 1 else math.nan


def _overall(cells: np.ndarray) -> Partial:
    accuracy, kappa = _agreement(cells)
    null = (cells.sum(axis=0) / cells.sum()).max()
    return Partial(_OVERALL, {"Accuracy": accuracy, "Kappa": kappa, "AccuracyNull": null}, _UNKNOWN)


def as_table_confusionMatrix(x: Value) -> Value:
    """Return the table of errors."""
    table: Value = x[["table"]]
    return table


def as_matrix_confusionMatrix(x: Value) -> Value:
    """Return the cells of the table of errors with the names of the classes."""
    table = x[["table"]]
    return matrix_of(table._kind, cells_of(table), dimnames_of(table))


# ---- measures of predictions ---------------------------------------------------------------------


@r_function(in_order=True)
def postResample(pred: Value, obs: Value) -> Value:
    """Return accuracy and kappa of classes, or RMSE, R2 and MAE of a regression; missing predictions are left out."""
    if is_factor(obs):
        levels = strings(factor_levels(obs))
        table = _cross_table(_as_levels(pred, levels), _as_levels(obs, levels), ["pred", "obs"])
        return _named_measures(_agreement(cells_of(table)), ["Accuracy", "Kappa"])
    if is_missing(obs).any() or len(pred) != len(obs) or obs._kind not in NUMBERS or pred._kind not in NUMBERS:
        raise NotSupportedError(
            "postResample() with missing values in obs, other lengths, or values that are no numbers"
        )
    known = ~is_missing(pred)
    refuse_if(not known.any(), "postResample() without predictions")
    guess, truth = doubles(pred._data[known]), doubles(obs._data[known])
    constant = len({*guess._data.tolist()}) < 2 or len({*truth._data.tolist()}) < 2
    shared = math.nan if constant else _pairwise(guess._data, truth._data) ** 2
    return _named_measures([float(RMSE(guess, truth)), shared, float(MAE(guess, truth))], ["RMSE", "Rsquared", "MAE"])


@r_function()
def defaultSummary(data: Value, lev: object = None, model: object = None) -> Value:
    """Return postResample() of the columns pred and obs of a data frame."""
    return postResample(data[["pred"]], data[["obs"]])


def _pairwise(x: np.ndarray, y: np.ndarray) -> float:
    """Return R's cor() with pairwise.complete.obs: sums in long doubles, in order."""
    n = np.longdouble(len(x))
    u, v = (side.astype(np.longdouble) - np.cumsum(side.astype(np.longdouble))[-1] / n for side in (x, y))
    uv, uu, vv = (np.cumsum(product)[-1] / (n - 1) for product in (u * v, u * u, v * v))
    correlation = uv / (np.sqrt(uu) * np.sqrt(vv))
    return float(max(min(correlation, np.longdouble(1)), np.longdouble(-1)))


def _named_measures(values: Sequence[float], names: list[str]) -> Value:
    return doubles(np.where(np.isnan(values), REAL_NA, values), {"names": strings(names)})


def _as_levels(x: Value, levels: Value) -> Value:
    place = {level: index + 1.0 for index, level in enumerate(levels._data)}
    codes = [place.get(label, np.nan) for label in coerce(x, "character")._data]
    return integers(codes, {"levels": levels, "class": strings("factor")})


@r_function()
def RMSE(pred: Value, obs: Value, na_rm: Flag = False) -> Value:
    """Return the root of the mean squared error."""
    error = pred - obs
    return sqrt(mean(error * error, na_rm=na_rm))


@r_function()
def MAE(pred: Value, obs: Value, na_rm: Flag = False) -> Value:
    """Return the mean absolute error."""
    return mean(absolute(pred - obs), na_rm=na_rm)


@r_function(unsupported="formula na_rm")
def R2(pred: Value, obs: Value, formula: object = "corr", na_rm: object = False) -> Value:
    """Return the squared correlation of predictions and truth."""
    return cor(obs, pred) ** 2


@r_function()
def sensitivity(data: Value, reference: Value, positive: Text | None = None) -> Value:
    """Return the share of the positive class predicted as such; two classes without missing values."""
    return _measure("Sensitivity", data, reference, positive)


@r_function()
def specificity(data: Value, reference: Value, negative: Text | None = None) -> Value:
    """Return the share of the negative class predicted as such; two classes without missing values."""
    return _measure("Specificity", data, reference, negative, True)


@r_function()
def posPredValue(data: Value, reference: Value, positive: Text | None = None) -> Value:
    """Return the share of positive predictions that are right; two classes without missing values."""
    return _measure("Pos Pred Value", data, reference, positive)


@r_function()
def negPredValue(data: Value, reference: Value, negative: Text | None = None) -> Value:
    """Return the share of negative predictions that are right; two classes without missing values."""
    return _measure("Neg Pred Value", data, reference, negative, True)


def _measure(name: str, data: Value, reference: Value, chosen: str | None, negative: bool = False) -> Value:
    """Return a measure of two classes; `chosen` is the positive one, or the negative one."""
    refuse_if(not (is_factor(data) and is_factor(reference)), "measures of other than factors; see confusionMatrix()")
    levels = [str(level) for level in factor_levels(reference)]
    if len(levels) != 2 or sorted(map(str, factor_levels(data))) != sorted(levels):
        raise NotSupportedError("a measure of factors that do not have the same two levels")
    refuse_if(chosen is not None and chosen not in levels, f"measures for {chosen}, which is no class")
    refuse_if(np.isnan(data._data).any() or np.isnan(reference._data).any(), "measures of factors with missing values")
    pos = 0 if chosen is None else levels.index(chosen)
    cells = cells_of(_cross_table(data, reference, ["a", "b"]))
    refuse_if(not cells.sum(axis=0).all() or not cells.sum(axis=1).all(), "a class that is never observed or predicted")
    index = 1 - pos if negative and chosen is not None else pos
    return doubles(_measures(cells, index)[_MEASURES.index(name)])


# ---- print() -------------------------------------------------------------------------------------


def _tail(n: int, k: int, p: float) -> float:
    """Return the probability of `k` or more of `n`."""
    if k <= 0:
        return 1.0
    if p <= 0 or p >= 1:
        return float(p >= 1)
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, n + 1)))])
    counts = np.arange(k, n + 1)
    terms = logs[n] - logs[counts] - logs[n - counts] + counts * math.log(p) + (n - counts) * math.log1p(-p)
    return min(1.0, math.fsum(np.exp(terms).tolist()))


def _interval(n: int, k: int) -> tuple[float, float]:
    """Return the interval of Clopper and Pearson, 95 %."""
    low = 0.0 if k == 0 else _root(lambda p: _tail(n, k, p) - 0.025)
    high = 1.0 if k == n else _root(lambda p: 0.025 - (1 - _tail(n, k + 1, p)))
    return low, high


def _root(rising: Callable[[float], float]) -> float:
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < 0 else (low, middle)
    return (low + high) / 2


def _chi_square_tail(value: float, degrees: int) -> float:
    """Return the probability of a larger value, by the recurrence of the incomplete gamma function."""
    half = value / 2
    probability, step = (math.erfc(math.sqrt(half)), 0.5) if degrees % 2 else (math.exp(-half), 1.0)
    term = math.exp(-half) * half**step / math.gamma(step + 1) if half > 0 else 0.0
    while step < degrees / 2:
        probability += term
        step += 1
        term *= half / step
    return min(probability, 1.0)


def _mcnemar(cells: np.ndarray) -> float:
    upper = np.triu_indices(len(cells), 1)
    apart, both = (cells - cells.T)[upper], (cells + cells.T)[upper]
    if len(cells) == 2 and apart.any():
        apart = np.abs(apart) - 1
    with np.errstate(all="ignore"):
        statistic = float((apart**2 / both).sum())
    return math.nan if statistic != statistic else _chi_square_tail(statistic, len(both))


def _p_values(values: list[float]) -> list[str]:
    """Return probabilities as format.pval() formats them."""
    out = ["NA"] * len(values)
    small = [i for i, v in enumerate(values) if v == v and v < _SMALLEST]
    fixed = [i for i, v in enumerate(values) if v == v and i not in small and math.log10(v) >= -4]
    rest = [i for i, v in enumerate(values) if v == v and i not in small and i not in fixed]
    for group in (fixed, rest):
        if group:
            texts = formatted(doubles([values[i] for i in group]), digits=_DIGITS)._data
            for i, text in zip(group, texts, strict=True):
                out[i] = str(text)
    others = max((len(out[i]) for i in fixed + rest), default=8)
    digits = 2 if others >= 8 else 1
    sign = "<" if digits == 1 and others <= 6 else "< "
    for i in small:
        out[i] = sign + ("2.2e-16" if digits == 2 else "2e-16")
    return out


def print_confusionMatrix(x: Value, usual: Style, changes: Mapping[str, object], more: Mapping[str, object]) -> str:
    """Return the text of print() for confusionMatrix()."""
    table, measures = x[["table"]], x[["byClass"]]
    cells = cells_of(table)
    hidden = _NOT_SHOWN.get(text(x[["mode"]]), ())
    lines = ["Confusion Matrix and Statistics", "", console_text(table)]
    pairs = _overall_pairs(x[["overall"]], cells)
    if len(cells) > 2:
        columns = [name for name in dimnames_of(measures)[1] or [] if name not in hidden]
        by_class = console_text(t(measures[:, strings(columns)]), {"digits": _DIGITS})
        lines += ["", "Overall Statistics", _two_columns(pairs), "", "Statistics by Class:", "", by_class]
        return "\n".join(lines)
    names = [name for name in names_of(measures) or [] if name not in hidden]
    texts = formatted(measures[strings(names)], digits=_DIGITS)._data
    pairs += [("", ""), *zip(map(str, names), map(str, texts), strict=True), ("", "")]
    pairs = [(f"{name} :" if name else "", value) for name, value in pairs]
    pairs += [("'Positive' Class :", text(x[["positive"]])), (None, "")]
    return "\n".join([*lines, _two_columns(pairs, named=True)])


def _overall_pairs(overall: Value, cells: np.ndarray) -> list[tuple[str | None, str]]:
    """Return names and texts of the overall statistics."""
    n, right = int(cells.sum()), int(np.trace(cells))
    low, high = _interval(n, right)
    null = float(cells.sum(axis=0).max() / n)
    tests = _p_values([_tail(n, right, null), _mcnemar(cells)])

    def round_to_text(value: float) -> str:
        return text(paste(rounded(value, _DIGITS)))

    return [
        ("Accuracy", round_to_text(float(overall[["Accuracy"]]))),
        ("95% CI", f"({round_to_text(low)}, {round_to_text(high)})"),
        ("No Information Rate", round_to_text(null)),
        ("P-Value [Acc > NIR]", tests[0]),
        ("", ""),
        ("Kappa", round_to_text(float(overall[["Kappa"]]))),
        ("", ""),
        ("Mcnemar's Test P-Value", tests[1]),
    ]


def _two_columns(pairs: list[tuple[str | None, str]], named: bool = False) -> str:
    """Return names and texts as R prints a character matrix without quotes and labels."""
    labels = [name if named or not name else f"{name} :" for name, _ in pairs]
    width = max(len(name) for name in labels if name is not None)
    cells = ["" if name is None else name.rjust(width) if name else " " * width for name in labels]
    n = len(pairs)
    about = {"dim": integers([n, 2]), "dimnames": dimnames_value([[""] * n, ["", ""]])}
    return console_text(strings([*cells, *(value for _, value in pairs)], about), {"quote": False})
