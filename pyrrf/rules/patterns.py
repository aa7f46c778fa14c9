"""getFreqPattern: pieces that often stand together in rules of one prediction."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import count, share
from pyrrf.rbase.numbers import label as label_text
from pyrrf.rbase.numbers import round as round_decimals
from pyrrf.rules.conditions import AND, pieces
from pyrrf.rules.matches import Words, counts, pack
from pyrrf.rules.measure import check_columns, read_conditions

_DECIMALS = 3


def getFreqPattern(
    ruleMetric: pd.DataFrame, minsup: float = 0.01, minconf: float = 0.5, minlen: int = 1, maxlen: int = 4
) -> pd.DataFrame:
    """Return pieces that often stand together in rules of one prediction (R's ``getFreqPattern`` of inTrees).

    Parameters
    ----------
    ruleMetric : DataFrame
        What `getRuleMetric` or `pruneRule` returned; rules whose split points are rounded (``digits=``) have more in
        common.
    minsup : float, default 0.01
        Share of the rules that hold the pieces and predict the same.
    minconf : float, default 0.5
        Share of the rules with these pieces that predict so.
    minlen, maxlen : int, default 1 and 4
        Smallest and largest number of pieces, the prediction counted as one.

    Returns
    -------
    DataFrame
        "len", the number of pieces; "sup" and "conf", the two shares, to three decimals; "condition"; "pred". The
        most frequent come first, equal ones by "conf", then the shorter, then by "condition".

    Raises
    ------
    TypeError
        `ruleMetric` lacks a column.
    ValueError
        An argument is out of range.

    Notes
    -----
    inTrees asks arules for these; equal patterns stand there in the order in which arules finds them.

    Examples
    --------
    >>> import pandas as pd
    >>> from pyrrf import rules
    >>> table = pd.DataFrame({"condition": ["X[,1]>1 & X[,2]>0", "X[,1]>1", "X[,2]>0"], "pred": ["a", "a", "b"]})
    >>> rules.getFreqPattern(table, minconf=0.6)
       len    sup  conf          condition pred
    0    1  0.667   1.0            X[,1]>1    a
    1    2  0.333   1.0  X[,1]>1 & X[,2]>0    a
    """
    check_columns(ruleMetric, "ruleMetric", ("condition", "pred"))
    conditions = read_conditions(ruleMetric, "ruleMetric")
    least, sure = share(minsup, "minsup"), share(minconf, "minconf")
    shortest, longest = count(minlen, "minlen"), count(maxlen, "maxlen")
    items = [set(pieces(condition)) for condition in conditions]
    search = _Search(items, ruleMetric["pred"].tolist(), least, sure)
    rows = [row for row in search.patterns(longest - 1) if row[0] >= shortest - 1]
    table = pd.DataFrame(rows, columns=["len", "sup", "conf", "condition", "pred"])
    order = ["sup", "conf", "len", "condition"]
    table = table.sort_values(order, ascending=[False, False, True, True], kind="stable", ignore_index=True)
    for name in ("sup", "conf"):
        table[name] = round_decimals(table[name].to_numpy(dtype=np.float64), _DECIMALS)
    return table


class _Search:
    """Sets of pieces, grown piece by piece as long as enough rules hold them.

    `least` and `sure` are the smallest support and confidence.
    """

    def __init__(self, items: list[set[str]], pred: list[Any], least: float, sure: float) -> None:
        self.n = len(items)
        self.fewest = max(1, int(np.ceil(least * self.n - 1e-9)))
        self.sure = sure
        self.labels = {label_text(label): label for label in pred}
        predicted = np.array([label_text(label) for label in pred])
        self.preds = pack(np.array([predicted == text for text in self.labels]))
        self.texts, self.masks = self._frequent(items)

    def _frequent(self, items: list[set[str]]) -> tuple[list[str], Words]:
        """Return the pieces that enough rules hold, sorted, and these rules as bits."""
        rules_of: dict[str, list[int]] = {}
        for index, own in enumerate(items):
            for text in own:
                rules_of.setdefault(text, []).append(index)
        texts = sorted(text for text, rules in rules_of.items() if len(rules) >= self.fewest)
        flags = np.zeros((len(texts), self.n), dtype=bool)
        for place, text in enumerate(texts):
            flags[place, rules_of[text]] = True
        return texts, pack(flags)

    def patterns(self, longest: int) -> Iterator[tuple[int, float, float, str, Any]]:
        """Yield each set of at most so many pieces with its measures and its prediction."""
        waiting: list[tuple[tuple[int, ...], Words]] = [((item,), self.masks[item]) for item in range(len(self.texts))]
        while waiting:
            chosen, rules = waiting.pop()
            if len(chosen) > longest:
                continue
            yield from self._predictions(chosen, rules)
            joined = self.masks[chosen[-1] + 1 :] & rules
            for step in np.flatnonzero(counts(joined) >= self.fewest).tolist():
                waiting.append(((*chosen, chosen[-1] + 1 + step), joined[step]))

    def _predictions(self, chosen: tuple[int, ...], rules: Words) -> Iterator[tuple[int, float, float, str, Any]]:
        held = int(counts(rules[np.newaxis])[0])
        condition = AND.join(self.texts[item] for item in chosen)
        for label, both in zip(self.labels.values(), counts(self.preds & rules).tolist(), strict=True):
            if both >= self.fewest and both / held >= self.sure:
                yield len(chosen), both / self.n, both / held, condition, label
