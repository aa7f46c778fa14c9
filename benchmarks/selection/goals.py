"""What elimination should reach beside others, and what it reaches: a table, and the jobs that only it needs."""

from __future__ import annotations

import time
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks.jobs.intervals import half_width, number
from benchmarks.jobs.job import Job, Options, seed_of
from benchmarks.selection.cases import CASES
from benchmarks.selection.judge import JUDGES
from benchmarks.selection.methods import METHODS
from benchmarks.selection.summary import Regret, Results, compared, regrets, tallies

RIVALS = (
    "LASSO", "SelectFromModel", "RFE", "mRMR", "LightGBM", "CatBoost", "CatBoost, SHAP", "LightGBM, RFE",
    "permutation RFE",
)  # fmt: skip
NOISE, NOISE_SHAPE = 60, (60, 2000)
WIDE, WIDE_SHAPE = 5, (120, 20_000)


def noise(options: Options, draw: int) -> dict[str, float]:
    """Return the nested scores on features that tell nothing, of a given and of a chosen size."""
    from pyrrf.sklearn import EliminationSelector

    seed = seed_of("selection", "noise", draw)
    x, y = np.random.default_rng(seed).standard_normal(NOISE_SHAPE), np.arange(NOISE_SHAPE[0]) % 2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says that nothing predicts y
        return {
            name: EliminationSelector(size, nested=True, random_state=seed).fit(x, y).nested_score_
            for name, size in (("given", 5), ("chosen", None))
        }


def wide(options: Options, draw: int) -> float:
    """Return the seconds of one processor for the whole path on few rows and many features, ten of which tell."""
    from pyrrf.sklearn import EliminationSelector

    seed = seed_of("selection", "wide", draw)
    x = np.random.default_rng(seed).standard_normal(WIDE_SHAPE)
    begun = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of 5 features some tell little
        EliminationSelector(5, random_state=seed, n_jobs=1).fit(x, x[:, :10].sum(axis=1) > 0)
    return time.process_time() - begun


def jobs(told: Options) -> list[Job]:
    """Return the jobs of this table alone."""
    return [
        *(Job(f"goals/wide/{draw}", wide, (draw,)) for draw in range(1, told.count(WIDE) + 1)),
        *(Job(f"goals/noise/{draw}", noise, (draw,), cost=20) for draw in range(1, told.count(NOISE) + 1)),
    ]


def table_of_goals(results: Results, answers: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return a row for each goal whose figures are at hand: what is asked for, and what is."""
    cases = [case for case in CASES if case in results]
    new = [case for case in cases if CASES[case].new]
    numbers = [case for case in cases if CASES[case].numeric]
    rows = [
        ("six new cases, judged by a forest: wins-ties-losses; more wins than losses", against(results, new)),
        ("all cases, judged by a forest; losses: at most one comparison in forty", against(results, cases)),
        ("numbers, judged by a forest", against(results, numbers)),
        ("mean regret: at most half of the next best method's", regret_beside(results, cases)),
        ("the linear judge: mean error less that of LASSO, at most 0", beside_lasso(results, cases)),
        ("seconds of the whole path: at most a third of RFECV's", seconds_beside(results, cases)),
        (f"seconds of {WIDE_SHAPE[0]} x {WIDE_SHAPE[1]:,}, one thread: 3", wide_seconds(answers)),
        (f"`nested_score_` on noise, {NOISE_SHAPE[0]} x {NOISE_SHAPE[1]:,}: .5 within .02", noise_scores(answers)),
    ]
    return [(goal, found) for goal, found in rows if found]


def against(results: Results, cases: Sequence[str]) -> str:
    """Return wins, ties and losses against each rival, by a forest."""
    counts = {name: tallies(results, cases, "elimination", name, JUDGES[:1])[0] for name in RIVALS}
    return ", ".join(f"{name} {count.text()}" for name, count in counts.items() if count.text() != "0-0-0")


def mean_regrets(results: Results, cases: Sequence[str], judges: Sequence[str] = JUDGES) -> dict[str, list[float]]:
    """Return the mean regret of each method that is told a size: fair, plain, and over how many comparisons."""
    exact = [name for name, method in METHODS.items() if method.exact]
    means = {}
    for name in exact:
        found = regrets(results, cases, name, exact, judges)
        if found:
            means[name] = mean_of(found)
    return means


def mean_of(found: Sequence[Regret]) -> list[float]:
    """Return the means of some regrets, the fair one and the plain one, and how many these are."""
    return [*(float(np.mean([getattr(one, kind) for one in found])) for kind in ("fair", "plain")), float(len(found))]


def both(means: Sequence[float], step: float) -> str:
    """Return the two means in words."""
    return f"{number(means[0], step)} ({number(means[1], step)})"


def regret_beside(results: Results, cases: Sequence[str]) -> str:
    """Return the mean regret of elimination, and the least of the methods of others that are told a size."""
    means = mean_regrets(results, cases)
    others = [name for name in means if not name.startswith("elimination")]
    if "elimination" not in means or not others:
        return ""
    best = min(others, key=lambda name: means[name])
    return f"{both(means['elimination'], 0.001)}; {best} {both(means[best], 0.001)}"


def beside_lasso(results: Results, cases: Sequence[str]) -> str:
    """Return the mean difference of the errors by the linear judge, of classes and of numbers."""
    parts = []
    for kind, numeric in (("classes", False), ("numbers", True)):
        asked = [case for case in cases if CASES[case].numeric is numeric]
        means = [one.mean for case in asked for one in compared(results, case, "elimination", "LASSO", JUDGES[1])]
        if len(means) > 1:
            parts.append(f"{kind} {number(float(np.mean(means)), 0.001)} +- {number(half_width(means), 0.001)}")
    return ", ".join(parts)


def seconds_beside(results: Results, cases: Sequence[str]) -> str:
    """Return the seconds of elimination as a share of RFECV's, over the cases."""
    both = [case for case in cases if all(mean_seconds(results, case, name) for name in ("elimination", "RFECV"))]
    shares = {case: mean_seconds(results, case, "elimination") / mean_seconds(results, case, "RFECV") for case in both}
    if not shares:
        return ""
    worst = max(shares, key=lambda case: shares[case])
    median = number(float(np.median(list(shares.values()))), 0.01)
    return f"median of {len(shares)} cases {median}, largest {number(shares[worst], 0.01)} ({worst})"


def mean_seconds(results: Results, case: str, method: str) -> float:
    """Return the mean seconds of a setting; 0 where the method did not run, or gave no answer in time."""
    cell = results[case].get(method)
    found = [second for point in cell.points for second in point.seconds] if cell else []
    return float(np.mean(found)) if found else 0.0


def wide_seconds(answers: Mapping[str, Any]) -> str:
    """Return the seconds on wide data."""
    found = below(answers, "goals/wide/")
    return f"median of {len(found)} {np.median(found):.2f}, largest {max(found):.2f}" if found else ""


def noise_scores(answers: Mapping[str, Any]) -> str:
    """Return the mean scores on noise, with 95 % intervals."""
    found = below(answers, "goals/noise/")
    if len(found) < 2:
        return ""
    parts = []
    for name, words in (("given", "5 features"), ("chosen", "the size chosen")):
        scores = [one[name] for one in found]
        parts.append(f"{words} {number(float(np.mean(scores)), 0.001)} +- {number(half_width(scores), 0.001)}")
    return f"{', '.join(parts)}, over {len(found)} draws"


def below(answers: Mapping[str, Any], start: str) -> list[Any]:
    """Return the answers whose keys begin so."""
    return [answers[key] for key in answers if key.startswith(start)]
