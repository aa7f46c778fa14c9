"""benchmarks/CONFIRMATION.md: elimination beside others on sixty cases that were named before the first run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import wilcoxon

from benchmarks.jobs.intervals import number
from benchmarks.markdown import table
from benchmarks.origin import ROOT
from benchmarks.selection.cases import CASES, MOST_ROWS
from benchmarks.selection.kept import LIMIT, SIZES
from benchmarks.selection.methods import CHOOSE, CONFIRM_SPLITS, METHODS, TOLD

PAGE = ROOT / "benchmarks" / "CONFIRMATION.md"
OURS, OURS_CHOOSING = TOLD[0], CHOOSE[0]
MARGIN = 0.005  # of a guess's loss; two methods that differ by less are a tie
ORDER = ["case", "split", "size", "judge"]
HEAD = f"""\
# Selectors on sixty cases

Made by `python -m benchmarks.selection --confirm --data FOLDER`; `python -m benchmarks.selection.pictures` then draws
`error_by_size.svg` and `regret_and_time.svg` of it. {sum(case.design > 0 for case in CASES.values())} designs were
drawn by number from a generator (`benchmarks/selection/designs.py`), and
{sum(case.confirm and not case.design for case in CASES.values())} data sets added. No variant was chosen on them. The
designs were drawn after the last change of elimination; the versions before it ran on the data sets and on other
designs, and lost to RFE where features were categorical or more were wanted than are informative.

Of a data set at most {MOST_ROWS:,} rows are used: two thirds to choose features (stratified by class), one third to
judge them. Of a design rows are drawn to choose features, and 1,000 others to judge them. Splits of each case:
{CONFIRM_SPLITS}; each shuffles the columns. Missing numbers are the median, missing
categories a category, for all methods alike. Two models of scikit-learn judge each subset: a forest of 100 trees, and a
logistic or ridge regression on standardised columns. The loss is the squared error (of classes the Brier score) divided
by that of a guess, which is the mean or the shares of the classes: 1 means that nothing is predicted. Methods keep
{", ".join(f"{size:g}" for size in SIZES)} features, as far as there are more. Times are processor seconds of one fit,
measured while another job runs; a method has {LIMIT} seconds for a split, and has failed where it takes more.

Factors are given as categories to our selectors, to CatBoost, to LightGBM and to mRMR, as indicators to LASSO, and as
codes to the others; the judges have indicators.
"""


def losses_of(answers: Mapping[str, Any]) -> pd.DataFrame:
    """Return a row for each case, method, split, size and judge: ORDER and method, with loss, kept and seconds."""
    rows = []
    for key, answer in answers.items():
        case, method, split = key.rsplit("/", 2)
        rows += [
            (case, method, int(split), setting, judge, loss, len(one["columns"]), one["seconds"])
            for setting, one in answer["found"].items()
            for judge, loss in one["errors"].items()
        ]
    return pd.DataFrame(rows, columns=["case", "method", "split", "size", "judge", "loss", "kept", "seconds"])


def by_method(losses: pd.DataFrame, value: str = "loss") -> pd.DataFrame:
    """Return a column for each method; NaN where it gave no answer."""
    return losses.pivot_table(index=ORDER, columns="method", values=value)


def render(answers: Mapping[str, Any], wanted: int, origin: str) -> str:
    """Return the page.

    Parameters
    ----------
    answers : mapping
        All answers by key.
    wanted : int
        Jobs of a whole run.
    origin : str
        With and on what the answers were made.
    """
    state = f"{len(answers):,} of {wanted:,} jobs. {origin}"
    losses = losses_of(answers)
    told = losses[losses["method"].isin(TOLD)]
    parts = [
        HEAD,
        state if len(answers) == wanted else f"**Unfinished**: {state}",
        table(["method", "details"], [(name, METHODS[name].details) for name in (*TOLD, *CHOOSE)]),
        "## Of a given size",
        beside_each(told),
        "## By size",
        by_size(losses),
        "## Of a chosen size",
        of_chosen_size(losses),
        "## Cases",
        of_cases(told),
        *of_failures(answers),
    ]
    return "\n\n".join(part.strip() for part in parts) + "\n"


# ---- of a given size -------------------------------------------------------------------------------------------------


def answered(told: pd.DataFrame) -> pd.DataFrame:
    """Return the losses of the methods that answered on at least half of the cases."""
    cases = told.groupby("method")["case"].nunique()
    return told[told["method"].isin(cases[cases >= told["case"].nunique() / 2].index)]


def regrets(told: pd.DataFrame) -> pd.DataFrame:
    """Return the loss less that of the best method, by case, size and judge; where all methods answered."""
    means = by_method(answered(told)).dropna().groupby(level=["case", "size", "judge"]).mean()
    return means.sub(means.min(axis=1), axis=0)


def verdict(more: pd.Series) -> tuple[str, str]:
    """Return our wins-ties-losses over cases and the p of Wilcoxon's test; `more`: the rival's loss less ours."""
    p = wilcoxon(more).pvalue if len(more) > 1 and more.any() else 1.0
    return f"{(more > MARGIN).sum()}-{(more.abs() <= MARGIN).sum()}-{(more < -MARGIN).sum()}", f"{p:.2g}"


def beside_each(told: pd.DataFrame) -> str:
    """Return wins, ties and losses of elimination beside each, mean regrets, and seconds."""
    wide, regret = by_method(told), regrets(told)
    seconds = by_method(told, "seconds")
    if OURS not in wide:
        return "Not run."
    rows = []
    for name in (name for name in TOLD if name in wide):
        row = ["-", "-", "-", "-"]
        if name != OURS:
            more = (wide[name] - wide[OURS]).dropna()
            judges = [more.xs(judge, level="judge").groupby(level="case").mean() for judge in ("forest", "linear")]
            row = [*verdict(more.groupby(level="case").mean()), *(verdict(one)[0] for one in judges)]
        times = (seconds[name] / seconds["RFE, pyrrf"]).median() if "RFE, pyrrf" in seconds else np.nan
        figures = of_regret(regret[name]) if name in regret else ["-"] * 3
        rows.append(
            [
                name,
                str(told.loc[told["method"] == name, "case"].nunique()),
                *row,
                *figures,
                f"{seconds[name].median():.2g}",
                f"{times:.1f}",
            ]
        )
    words = (
        "Cases: those with an answer in time. "
        f"How many cases elimination wins, ties (within {MARGIN}) and loses: means over splits, sizes and judges; p by "
        "Wilcoxon's signed-rank test over the cases, two-sided; the same by judge. Regret: the loss less that of the "
        "best method of this table, by case, size and judge, where all methods answered (those that answered on less "
        "than half of the cases have none); its mean with the standard error over the cases, median, and worst case. "
        "Seconds: median, and median of the ratio to RFE on our forests."
    )
    head = ["", "cases", "w-t-l", "p", "forest", "linear", "mean regret", "median", "worst", "s", "times RFE"]
    return f"{words}\n\n{table(head, rows, words=1)}"


def of_regret(regret: pd.Series) -> list[str]:
    """Return the mean regret with its standard error over the cases, its median, and the worst case."""
    per_case = regret.groupby(level="case").mean()
    error = per_case.std() / np.sqrt(len(per_case))
    return [
        f"{number(per_case.mean(), 0.001)} ({number(error, 0.001)})",
        number(per_case.median(), 0.001),
        f"{number(per_case.max(), 0.001)}, {per_case.idxmax()}",
    ]


def by_size(losses: pd.DataFrame) -> str:
    """Return the mean loss of each method at each size, by the forest, over the cases that have all."""
    forest = losses[losses["judge"] == "forest"]
    sizes = [f"{size:g}" for size in SIZES]
    told = answered(forest[forest["method"].isin(TOLD)])
    names = [name for name in TOLD if (told["method"] == name).any()]
    every = pd.MultiIndex.from_product([names, sizes])
    means = told.pivot_table(index="case", columns=["method", "size"], values="loss").reindex(columns=every).dropna()
    everything = forest[(forest["method"] == "all") & forest["case"].isin(means.index)]["loss"].mean()
    rows = [[name, *(number(means[name, size].mean(), 0.001) for size in sizes)] for name in names]
    words = f"Mean loss by the forest over the {len(means)} cases that have all sizes and methods."
    return f"{words} All features: {number(everything, 0.001)}.\n\n{table(['', *sizes], rows, words=1)}"


# ---- of a chosen size ------------------------------------------------------------------------------------------------


def of_chosen_size(losses: pd.DataFrame) -> str:
    """Return size, loss and time of the methods that choose the size, and of all features."""
    some = losses[losses["method"].isin((*CHOOSE, "all"))].assign(size="")
    wide, kept, seconds = (by_method(some, value) for value in ("loss", "kept", "seconds"))
    if OURS_CHOOSING not in wide:
        return "Not run."
    rows = []
    for name in (name for name in (*CHOOSE, "all") if name in wide):
        more = (wide[name] - wide[OURS_CHOOSING]).dropna().groupby(level="case").mean()
        rows.append([
            name, *(("-", "-") if name == OURS_CHOOSING else verdict(more)),
            *(number(wide[name].xs(judge, level="judge").mean(), 0.001) for judge in ("forest", "linear")),
            f"{kept[name].median():g}", f"{seconds[name].median():.2g}",
            f"{(seconds[OURS_CHOOSING] / seconds[name]).median():.1f}" if seconds[name].any() else "-",
        ])  # fmt: skip
    head = ["", "w-t-l of elimination", "p", "forest", "linear", "features", "s", "elimination takes times"]
    return f"Mean losses; median numbers of features and of seconds.\n\n{table(head, rows, words=1)}"


def of_cases(told: pd.DataFrame) -> str:
    """Return the mean loss of each method on each case."""
    means = by_method(told).groupby(level="case").mean()
    names = [name for name in TOLD if name in means]
    rows = [
        [
            f"{case}: {CASES[case].title}",
            *(_cell(value, means.loc[case, names].min()) for value in means.loc[case, names]),
        ]
        for case in CASES
        if case in means.index
    ]
    return f"Mean loss over splits, sizes and judges.\n\n{table(['', *names], rows, words=1)}"


def _cell(value: float, least: float) -> str:
    text = "-" if np.isnan(value) else number(value, 0.001)
    return f"**{text}**" if value <= least else text


def of_failures(answers: Mapping[str, Any]) -> list[str]:
    """Return the section of the jobs that failed: how many of each method, and a line each; nothing if none did."""
    troubles = {key: answer["trouble"] for key, answer in answers.items() if answer.get("trouble")}
    if not troubles:
        return []
    counts = Counter((key.rsplit("/", 2)[1], trouble) for key, trouble in troubles.items())
    rows = [[method, trouble, str(count)] for (method, trouble), count in sorted(counts.items())]
    lines = "\n".join(f"- {key}: {trouble}" for key, trouble in troubles.items())
    return ["## Failed", table(["method", "why", "jobs"], rows, words=2), lines]
