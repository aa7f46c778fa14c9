"""What caret prints of a table of errors: tests and intervals to the four digits that are shown."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pyrrf.r.arithmetic.mathematics import round as rounded
from pyrrf.r.base.matrices import t
from pyrrf.r.base.texts import paste
from pyrrf.r.formatting.formats import Style
from pyrrf.r.formatting.formats import format as formatted
from pyrrf.r.printing.printing import shown
from pyrrf.r.values.attributes import dim_of, dimnames_of, dimnames_value, names_of
from pyrrf.r.values.coercion import one
from pyrrf.r.values.vector import Value, doubles, integers, strings

_OF_PRECISION = ("Precision", "Recall", "F1")
_OF_CLASSES = ("Sensitivity", "Specificity", "Pos Pred Value", "Neg Pred Value")
_DIGITS = 4
_SMALLEST = 2.220446e-16


def _tail(n: int, k: int, p: float) -> float:
    """Return the probability of `k` or more of `n`."""
    if k <= 0:
        return 1.0
    if p <= 0 or p >= 1:
        return float(p >= 1)
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, n + 1)))])
    at = np.arange(k, n + 1)
    terms = logs[n] - logs[at] - logs[n - at] + at * math.log(p) + (n - at) * math.log1p(-p)
    return min(1.0, math.fsum(np.exp(terms).tolist()))


def _interval(n: int, k: int) -> tuple[float, float]:
    """Return the interval of Clopper and Pearson, 95 %."""
    low = 0.0 if k == 0 else _root(lambda p: _tail(n, k, p) - 0.025)
    high = 1.0 if k == n else _root(lambda p: 0.025 - (1 - _tail(n, k + 1, p)))
    return low, high


def _root(rising: Any) -> float:
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < 0 else (low, middle)
    return (low + high) / 2


def _chi_square_tail(value: float, degrees: int) -> float:
    """Return the probability of a larger value, by the recurrence of the incomplete gamma function."""
    half = value / 2
    found, step = (math.erfc(math.sqrt(half)), 0.5) if degrees % 2 else (math.exp(-half), 1.0)
    term = math.exp(-half) * half**step / math.gamma(step + 1) if half > 0 else 0.0
    while step < degrees / 2:
        found += term
        step += 1
        term *= half / step
    return min(found, 1.0)


def _mcnemar(cells: np.ndarray) -> float:
    upper = np.triu_indices(len(cells), 1)
    apart, both = (cells - cells.T)[upper], (cells + cells.T)[upper]
    if len(cells) == 2 and apart.any():
        apart = np.abs(apart) - 1
    with np.errstate(all="ignore"):
        statistic = float((apart**2 / both).sum())
    return math.nan if statistic != statistic else _chi_square_tail(statistic, len(both))


def _p_values(values: list[float]) -> list[str]:
    """Return what format.pval() gives for probabilities."""
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


def print_confusionMatrix(x: Value, usual: Style, changes: dict[str, Any], more: dict[str, Any]) -> str:
    """Return what print() shows of confusionMatrix()."""
    table = x.table
    cells = table._data.reshape(dim_of(table), order="F")
    lines = ["Confusion Matrix and Statistics", "", shown(table)]
    pairs = _overall(x, cells)
    measures = x.byClass
    if len(cells) > 2:
        lines += ["", "Overall Statistics", _two_columns(pairs), "", "Statistics by Class:", ""]
        lines.append(_by_class(measures, x.mode))
        return "\n".join(lines)
    names = [name for name in names_of(measures) or [] if _is_shown(name, x.mode)]
    texts = formatted(measures[strings(names)], digits=_DIGITS)._data
    pairs += [("", ""), *zip(map(str, names), map(str, texts), strict=True), ("", "")]
    pairs = [(f"{name} :" if name else "", text) for name, text in pairs]
    pairs += [("'Positive' Class :", str(x.positive._data[0])), (None, "")]
    return "\n".join([*lines, _two_columns(pairs, named=True)])


def _overall(x: Value, cells: np.ndarray) -> list[tuple[Any, str]]:
    n, right = int(cells.sum()), int(np.trace(cells))
    low, high = _interval(n, right)
    null = float(cells.sum(axis=0).max() / n)
    tests = _p_values([_tail(n, right, null), _mcnemar(cells)])
    overall = x.overall

    def shown(value: float) -> str:
        return str(paste(rounded(doubles(value), _DIGITS))._data[0])

    return [
        ("Accuracy", shown(float(overall[["Accuracy"]]))),
        ("95% CI", f"({shown(low)}, {shown(high)})"),
        ("No Information Rate", shown(null)),
        ("P-Value [Acc > NIR]", tests[0]),
        ("", ""),
        ("Kappa", shown(float(overall[["Kappa"]]))),
        ("", ""),
        ("Mcnemar's Test P-Value", tests[1]),
    ]


def _two_columns(pairs: list[tuple[Any, str]], named: bool = False) -> str:
    """Return names and texts as R prints a matrix of them without quotes and labels."""
    labels = [name if named or not name else f"{name} :" for name, _ in pairs]
    width = max(len(name) for name in labels if name is not None)
    cells = ["" if name is None else name.rjust(width) if name else " " * width for name in labels]
    n = len(pairs)
    about = {"dim": integers([n, 2]), "dimnames": dimnames_value([[""] * n, ["", ""]])}
    return shown(Value("character", strings([*cells, *(text for _, text in pairs)])._data, about), {"quote": False})


def _is_shown(name: Any, mode: Value) -> bool:
    """Whether a measure is shown in a mode of print.confusionMatrix()."""
    hidden = {"sens_spec": _OF_PRECISION, "prec_recall": _OF_CLASSES}.get(str(one(mode, "character")), ())
    return name not in hidden


def _by_class(measures: Value, mode: Value) -> str:
    kept = [name for name in dimnames_of(measures)[1] or [] if _is_shown(name, mode)]
    return shown(t(measures[:, strings(kept)]), {"digits": _DIGITS})
