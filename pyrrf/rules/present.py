"""Rules for readers: names of columns, rounded numbers, R's strings; rules sorted, and looked up by their texts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import flag, number
from pyrrf.errors import bad
from pyrrf.rbase.numbers import label as label_text
from pyrrf.rbase.numbers import number_text
from pyrrf.rbase.numbers import round as round_decimals
from pyrrf.rules.conditions import ALWAYS
from pyrrf.rules.measure import check_columns, read_conditions

_COLUMN = re.compile(r"X\[,(\d+(?:e\+\d+)?)\]")


def presentRules(rules: pd.DataFrame, colN: Iterable[Any], digits: float | None = None) -> pd.DataFrame:
    """Write rules with the names of the columns (R's ``presentRules`` of inTrees).

    Parameters
    ----------
    rules : DataFrame
        Rules with a column "condition".
    colN : iterable of str, or DataFrame
        Names of the columns in their order, or the table that has them.
    digits : float, optional
        Decimals to which "freq" and "err" are rounded; as they are by default.

    Returns
    -------
    DataFrame
        A copy; the last rule of a learner is ``Else``.

    Raises
    ------
    TypeError
        `rules` has no column "condition".
    ValueError
        There are fewer names than columns in the rules.

    Examples
    --------
    >>> import pandas as pd
    >>> from pyrrf import rules
    >>> rules.presentRules(pd.DataFrame({"condition": ["X[,2]<=0.5 & X[,1]>2", "X[,1]==X[,1]"]}), ["a", "b"])
          condition
    0  b<=0.5 & a>2
    1          Else
    """
    conditions = read_conditions(rules, "rules")
    names = [str(name) for name in colN]

    def name_of(found: re.Match[str]) -> str:
        place = int(float(found[1]))
        if place > len(names):
            raise bad.length(f"colN has {len(names)} names, but a rule asks for column {place}; pass a name for each")
        return names[place - 1]

    shown = [_COLUMN.sub(name_of, condition.replace(ALWAYS, "Else")) for condition in conditions]
    table = rules.assign(condition=shown)
    if digits is not None:
        places = int(abs(number(digits, "digits")))
        for name in ("freq", "err"):
            table[name] = round_decimals(table[name].to_numpy(dtype=np.float64), places)
    return table


def as_strings(rules: pd.DataFrame) -> pd.DataFrame:
    """Return rules as inTrees has them: all columns as R's strings.

    R has no such function: its tables of rules are matrices of strings.

    Parameters
    ----------
    rules : DataFrame
        What `getRuleMetric` or a function after it returned.

    Returns
    -------
    DataFrame of str

    Raises
    ------
    TypeError
        `rules` is no table.

    Examples
    --------
    >>> import pandas as pd
    >>> from pyrrf import rules
    >>> rules.as_strings(pd.DataFrame({"len": [2], "freq": [0.5], "err": [1 / 3]})).iloc[0].tolist()
    ['2', '0.5', '0.333333333333333']
    """
    check_columns(rules, "rules", ())
    return pd.DataFrame({name: [_text(value) for value in rules[name].tolist()] for name in rules}, index=rules.index)


def _text(value: Any) -> str:
    return number_text(float(value)) if isinstance(value, float | np.floating) else label_text(value)


def sortRule(M: pd.DataFrame, decreasing: bool = True) -> pd.DataFrame:
    """Sort rules by error, then by frequency, then by length (R's ``sortRule`` of inTrees).

    Parameters
    ----------
    M : DataFrame
        What `getRuleMetric` returned.
    decreasing : bool, default True
        Whether the best rules come first: small errors, then frequent rules, then short ones.

    Returns
    -------
    DataFrame

    Raises
    ------
    TypeError
        `M` is no table with these columns.

    Examples
    --------
    >>> import pandas as pd
    >>> from pyrrf import rules
    >>> rules.sortRule(pd.DataFrame({"len": [1, 2], "freq": [0.5, 0.6], "err": [0.2, 0.1]}))["err"].tolist()
    [0.1, 0.2]
    """
    check_columns(M, "M", ("len", "freq", "err"))
    err, freq, length = (M[name].to_numpy(dtype=np.float64) for name in ("err", "freq", "len"))
    sign = -1.0 if flag(decreasing, "decreasing") else 1.0
    order = np.lexsort((sign * -length, sign * freq, sign * (1 - err)))
    return M.iloc[order].reset_index(drop=True)


def lookupRule(rules: pd.DataFrame, strList: Iterable[str]) -> pd.DataFrame:
    """Return the rules whose conditions hold all of some texts (R's ``lookupRule`` of inTrees).

    Parameters
    ----------
    rules : DataFrame
        Rules with a column "condition".
    strList : iterable of str
        Texts, such as ``["X[,4]", "X[,3]"]``.

    Returns
    -------
    DataFrame
        Without rows if there are none; R returns NULL then.

    Raises
    ------
    TypeError
        `rules` has no column "condition".

    Examples
    --------
    >>> import pandas as pd
    >>> from pyrrf import rules
    >>> table = pd.DataFrame({"condition": ["X[,1]<=0.5", "X[,2]>1 & X[,1]>0.5"]})
    >>> rules.lookupRule(table, ["X[,1]", "X[,2]"]).condition.tolist()
    ['X[,2]>1 & X[,1]>0.5']
    """
    wanted = [strList] if isinstance(strList, str) else list(strList)
    matches = [all(text in condition for text in wanted) for condition in read_conditions(rules, "rules")]
    return rules[np.array(matches, dtype=bool)].reset_index(drop=True)
