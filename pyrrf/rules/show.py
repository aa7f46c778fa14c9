"""Rules shown: as a table of HTML that holds all it needs, and as a picture of frequencies and errors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.files import write_all
from pyrrf.plots.drawing import draw_rules
from pyrrf.rbase.numbers import label as label_text
from pyrrf.rules.conditions import Piece, column_text, exact_text, pieces, read_piece
from pyrrf.rules.measure import METRIC, check_columns

# Rows that a notebook shows; a page shows all.
_MOST_ROWS = 50
_STYLE = """
.pyrrf-rules { border-collapse: collapse; font: 14px/1.4 system-ui, sans-serif; color: inherit; text-align: left }
.pyrrf-rules caption { text-align: left; padding: 0 0 .6em; font-weight: 600 }
.pyrrf-rules th, .pyrrf-rules td { padding: .35em .8em; border-bottom: 1px solid #8884; vertical-align: top;
  text-align: left }
.pyrrf-rules .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
.pyrrf-rules .rule { min-width: 9em }
.pyrrf-rules .rule span { display: inline-block; padding: 0 .45em; margin: 0 .3em .2em 0; border: 1px solid #8886;
  border-radius: .6em; overflow-wrap: anywhere }
.pyrrf-rules .bar { display: block; height: 3px; margin-top: 3px; background: #8883 }
.pyrrf-rules .bar i { display: block; height: 3px; background: #2297e6 }
.pyrrf-rules .err .bar i { background: #df536b }
@media (max-width: 600px) { .pyrrf-rules th, .pyrrf-rules td { padding: .35em } }
"""
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>body {{ margin: min(1.5em, 3vw); overflow-x: auto }}{style}</style>
</head>
<body>
{table}
</body>
</html>
"""


class RuleTable:
    """Rules for readers, as a table of HTML and as a picture.

    Parameters
    ----------
    rules : DataFrame
        What `getRuleMetric` or a function after it returned.
    colN : iterable of str, or DataFrame, optional
        Names of the columns in their order, or the table that has them; numbers by default.
    title : str, default 'Rules'
        What stands above them.

    Attributes
    ----------
    rules : DataFrame
    names : list of str
    title : str

    Raises
    ------
    TypeError
        `rules` lacks a column.

    Examples
    --------
    >>> import pandas as pd
    >>> from pyrrf import rules
    >>> table = pd.DataFrame({"len": [1], "freq": [0.5], "err": [0.1], "condition": ["X[,1]<=2"], "pred": ["a"]})
    >>> shown = rules.RuleTable(table, ["length"])
    >>> shown
    <RuleTable of 1 rule>
    >>> "length ≤ 2" in shown.to_html()
    True
    """

    def __init__(self, rules: pd.DataFrame, colN: Iterable[Any] = (), title: str = "Rules") -> None:
        check_columns(rules, "rules", METRIC)
        self.rules = rules
        self.names = [str(name) for name in colN]
        self.title = title

    def to_html(self, path: str | Path | None = None) -> str:
        """Return a page with all rules, and write it.

        Parameters
        ----------
        path : str or Path, optional
            File to write; none by default.

        Returns
        -------
        str
        """
        title = escape(self.title)
        page = _PAGE.format(title=title, style=_STYLE, table=self._table(len(self.rules)))
        if path is not None:
            write_all({str(path): lambda at: at.write_text(page, encoding="utf-8")})
        return page

    def plot(self, ax: Any = None) -> Any:
        """Draw how often rules hold against how often they err.

        A point is a rule; its number is that of the table, its size the number of its pieces, and its colour the class
        that it predicts.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw; a new figure by default.

        Returns
        -------
        Axes

        Raises
        ------
        ImportError
            matplotlib is not installed.
        """
        pred = self.rules["pred"].tolist()
        groups = None if all(isinstance(value, float) for value in pred) else [label_text(value) for value in pred]
        freq, err, size = (self.rules[name].to_numpy(dtype=np.float64) for name in ("freq", "err", "len"))
        return draw_rules(freq, err, size, groups, self.title, ax)

    def _repr_html_(self) -> str:
        more = len(self.rules) - _MOST_ROWS
        note = f"<p>and {more} more; to_html() shows all</p>" if more > 0 else ""
        return f"<style>{_STYLE}</style>{self._table(_MOST_ROWS)}{note}"

    def _table(self, rows: int) -> str:
        heads = ["#", "rule", "predicts", "frequency", "error"] + ["importance"] * self._has_importance
        numbers = {"#", "frequency", "error", "importance"}
        head = "".join(f'<th scope="col"{_class(name in numbers)}>{name}</th>' for name in heads)
        lines = [self._row(number, row) for number, row in enumerate(self.rules.head(rows).to_dict("records"), start=1)]
        body = "\n".join(lines)
        caption = f"<caption>{escape(self.title)}</caption>"
        return f'<table class="pyrrf-rules">{caption}<thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table>'

    @property
    def _has_importance(self) -> bool:
        return "impRRF" in self.rules.columns

    def _row(self, at: int, row: dict[Any, Any]) -> str:
        asked = readable(row["condition"], self.names)
        rule = "".join(f"<span>{escape(text)}</span>" for text in asked) or "otherwise"
        pred = row["pred"]
        predicts = f"{pred:.4g}" if isinstance(pred, float) else label_text(pred)
        largest = float(self.rules["err"].max())
        cells = [
            f'<th scope="row" class="number">{at}</th><td class="rule">{rule}</td><td>{escape(predicts)}</td>',
            _bar("freq", row["freq"], row["freq"]),
            _bar("err", row["err"], row["err"] / max(largest, 1.0)),
        ]
        if self._has_importance:
            cells.append(_bar("importance", row["impRRF"], row["impRRF"]))
        return f"<tr>{''.join(cells)}</tr>"

    def __repr__(self) -> str:
        return f"<RuleTable of {len(self.rules)} rule{'s' * (len(self.rules) != 1)}>"


def _class(number: bool) -> str:
    return ' class="number"' if number else ""


def _bar(name: str, value: float, length: float) -> str:
    """Return a cell with a number, and a bar whose length is a share."""
    percent = 100 * min(max(float(length), 0.0), 1.0)
    bar = f'<span class="bar"><i style="width:{percent:.1f}%"></i></span>'
    return f'<td class="number {name}">{value:.3g}{bar}</td>'


# ---- in words ------------------------------------------------------------------------------------


def readable(condition: str, names: Sequence[str]) -> list[str]:
    """Return the conditions of a rule on each column, with its name.

    Columns without a name stay as they are; the rule that always holds asks nothing.

    Examples
    --------
    >>> from pyrrf.rules.show import readable
    >>> readable("X[,1]>2 & X[,1]<=5 & X[,1]<=4.5 & X[,2] %in% c('a','b')", ["length", "colour"])
    ['2 < length ≤ 4.5', 'colour is a or b']
    """
    asked: dict[int, list[Piece]] = {}
    for text in pieces(condition):
        piece = read_piece(text)
        if piece.sign != "always":
            asked.setdefault(piece.column, []).append(piece)
    return [
        " and ".join(
            _conditions_on(own, names[position] if position < len(names) else column_text(position), condition)
        )
        for position, own in asked.items()
    ]


def _conditions_on(own: list[Piece], name: str, condition: str) -> list[str]:
    """Return the conditions on one column."""
    plain = [piece for piece in own if piece.sign in ("<=", ">") and not piece.missing]
    texts = _between(plain, name) if plain else []
    for piece in own:
        if piece.sign in ("known", "missing"):
            texts.append(f"{name} is {piece.sign}")
        elif piece.sign == "in":
            texts.append(_among(piece, name, condition))
        elif piece.missing:
            texts.append(f"({_between([piece], name)[0]} or missing)")
    return texts


def _between(plain: list[Piece], name: str) -> list[str]:
    lower = [piece.number for piece in plain if piece.sign == ">"]
    upper = [piece.number for piece in plain if piece.sign == "<="]
    if lower and upper:
        return [f"{exact_text(max(lower))} < {name} ≤ {exact_text(min(upper))}"]
    return [f"{name} > {exact_text(max(lower))}" if lower else f"{name} ≤ {exact_text(min(upper))}"]


def _among(piece: Piece, name: str, condition: str) -> str:
    # The set has no order; the text has the order of the levels.
    levels = sorted(piece.levels, key=condition.find) + ["missing"] * piece.missing
    return f"{name} is {' or '.join(levels)}"
