"""False selections on truths with real features: `python -m benchmarks.false_selections --data FOLDER`.

Writes FALSE_SELECTIONS.md. The features are columns of data sets, and a copy of each whose rows are permuted: a copy is
uninformative. The response is simulated from a few columns, so that it is known which tell.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import norm, rankdata

from benchmarks import study
from benchmarks.jobs.intervals import half_width
from benchmarks.jobs.job import seed_of
from benchmarks.jobs.sets import read_set
from benchmarks.markdown import table
from pyrrf.sklearn import EliminationSelector, GRRFSelector, GRRFSelectorCV, StabilitySelector

SETS = ("sonar", "musk", "spambase")
ROWS, COLUMNS = 200, 30  # drawn from a set; each column has a copy
TELLING = 5
SAME = 0.8  # correlation, by ranks, from which a column may stand for another
RESPONSES = {"classes": "Classes", "numbers": "Regression", "lot": "No informative column"}
GUIDE, PAIRS = 500, 25


@dataclass(frozen=True, eq=False)
class Truth:
    """A table, what is predicted, and what tells."""

    x: np.ndarray  # (n, 2 q): columns of a set, then their permuted copies
    y: np.ndarray
    stands: np.ndarray  # (2 q, TELLING), whether a column is one that tells, or may stand for it


def drawn(x: np.ndarray, response: str, draw: np.random.Generator) -> Truth:
    """Draw rows and columns of a set, permute copies, and simulate a response.

    Three columns tell straight on, one by a step, and one by its size, all by their ranks; of "lot" the classes
    are drawn by lot.
    """
    rows = x[draw.choice(len(x), min(ROWS, len(x)), replace=False)]
    rows = rows[:, draw.permutation(np.flatnonzero(np.ptp(rows, axis=0) > 0))[:COLUMNS]]
    scores = norm.ppf(rankdata(rows, axis=0) / (len(rows) + 1))
    alike = np.abs(np.corrcoef(scores.T)) > SAME
    told: list[int] = []
    for column in range(rows.shape[1]):
        if len(told) < TELLING and not alike[column, told].any():
            told.append(column)
    table = np.hstack([rows, rows[draw.permutation(len(rows))]])
    stands = np.zeros((table.shape[1], len(told)), bool)
    if response == "lot":
        return Truth(table, draw.permutation(np.arange(len(rows)) % 2), stands)
    stands[: rows.shape[1]] = alike[:, told]
    a, b, c, d, e = scores[:, told].T
    latent = 1.5 * a - 1.2 * b + c + 1.2 * np.sign(d) + 1.5 * (np.abs(e) - np.abs(e).mean())
    if response == "numbers":
        return Truth(table, latent + draw.standard_normal(len(rows)), stands)
    return Truth(table, (latent + draw.logistic(size=len(rows)) > np.median(latent)).astype(int), stands)


def boruta(seed: int) -> Any:
    """Return the selector of all relevant features, where the package has one."""
    from pyrrf.sklearn import BorutaSelector  # type: ignore[attr-defined, unused-ignore]

    return BorutaSelector(random_state=seed)


SELECTORS: dict[str, Callable[[int], Any]] = {
    f"`EliminationSelector({TELLING})`": lambda seed: EliminationSelector(TELLING, random_state=seed),
    f"`EliminationSelector({2 * TELLING})`": lambda seed: EliminationSelector(2 * TELLING, random_state=seed),
    "`EliminationSelector()`": lambda seed: EliminationSelector(random_state=seed),
    "`GRRFSelector()`": lambda seed: GRRFSelector(GUIDE, random_state=seed),
    "`GRRFSelectorCV()`": lambda seed: GRRFSelectorCV(GUIDE, nested=False, random_state=seed),
    "`StabilitySelector(GRRFSelector())`": lambda seed: StabilitySelector(
        GRRFSelector(GUIDE), n_pairs=PAIRS, n_removals=0, random_state=seed
    ),
    "`BorutaSelector()`": boruta,
}


def measure(name: str, seed: int, truth: Truth) -> dict[str, Any] | None:
    """Return what a selector keeps of a truth, counted; None where the package has no such selector."""
    try:
        selector = SELECTORS[name](seed)
    except ImportError:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            selector.fit(truth.x, truth.y)
    except ValueError as error:
        return {"raised": str(error)}
    kept, copied = np.flatnonzero(selector.support_), truth.x.shape[1] // 2
    apart = ~truth.stands[kept].any(axis=1)
    false = kept >= copied if truth.stands.any() else apart  # where nothing tells, all are
    return {
        "raised": "",
        "kept": len(kept),
        "false": int(false.sum()),
        "share": false.mean() if len(kept) else 0.0,
        "others": int((apart & ~false).sum()) if truth.stands.any() else np.nan,
        "missed": int((~truth.stands[kept].any(axis=0)).sum()) if truth.stands.any() else np.nan,
        "bounded": "share" if hasattr(selector, "alpha") else "false",
        "bound": getattr(selector, "pfer_bound_", getattr(selector, "alpha", np.nan)),
    }


def mean(values: pd.Series, digits: int = 1) -> str:
    """Return a mean with half the width of its 95 % interval; "-" where there is none."""
    if values.isna().any():
        return "-"
    return f"{values.mean():.{digits}f} ± {half_of(values):.{digits}f}"


def half_of(values: pd.Series) -> float:
    """Return half the width of the 95 % interval of a mean; of nothing but zeros, 3 / n by the rule of three."""
    return half_width(values.to_list()) if values.any() else 3 / len(values)


def row(name: str, found: pd.DataFrame) -> list[str]:
    """Return the row of a selector: what it keeps, and beside a bound of its own whether that is held."""
    fitted = found[found["raised"] == ""]
    raised = f" ({len(found) - len(fitted)} of {len(found)} draws raised an error)" if len(fitted) < len(found) else ""
    if not len(fitted):
        return [name + raised, *["-"] * 7]
    figures = [f"{fitted['kept'].mean():.1f}", mean(fitted["false"]), mean(fitted["share"], 2)]
    return [name + raised, *figures, mean(fitted["others"]), mean(fitted["missed"]), *bound_of(fitted)]


def bound_of(fitted: pd.DataFrame) -> list[str]:
    """Return the bound that a selector states, and whether the mean holds it; "-" where it states none."""
    bound, bounded = fitted["bound"].mean(), fitted["bounded"].iloc[0]
    if np.isnan(bound):
        return ["-", "-"]
    found, half = fitted[bounded].mean(), half_of(fitted[bounded])
    held = "yes" if found + half <= bound else "no" if found - half > bound else "not decided"
    return [f"{bounded}: {bound:.2f}", held]


HEAD = ["selector", "kept", "false", "share of false", "others", "missed", "its bound", "held"]
WORDS = """;
{draws} draw(s) of each of {sets}: {rows} rows and {columns} columns of the set, and a copy of each column. The rows of
the copies are permuted together: they are correlated with each other and uninformative. Means, with 95 % intervals over
the draws (of zeros alone: 3 / n). The response is made of {telling} columns, no two of which have a rank correlation
above {same:g}: three straight on, one by a step and one by its size, with noise.

False are copies. A column with a rank correlation above {same:g} with one of the {telling} is its substitute: it is not
false, and the column is not missed where a substitute is kept. Others are the remaining columns of the set: given the
{telling} they add nothing, but most are correlated with these, so that a selector of all relevant features is right to
keep some of them. In the last table the classes are drawn by lot, and all that is kept is false.

Guides have {guide} trees, and `StabilitySelector` has {pairs} pairs; everything else is a default."""
AFTER = """\
`StabilitySelector` states a bound for the mean number of selected noise features, `pfer_bound_`; the copies are such
features. `BorutaSelector` tests, at a level of .05 corrected for the number of features, whether a feature beats the
best of its own permuted copies in more than half of its rounds. Who takes that for a bound expects a mean share of
false ones of at most .05, which the last column compares with; but all rounds have the same rows, so that the test
covers the chance of the forests alone. A bound is held if the interval of the mean lies below it, and broken if that
lies above it. Neither says anything of others. The other selectors have no bound; a size that is asked for is
filled."""


def run(options: argparse.Namespace) -> str:
    """Return the page."""
    if options.data is None and not options.quick:
        sys.exit("pass --data FOLDER, which holds the data sets, or --quick")
    sets, draws = (("made",), 2) if options.quick else (SETS, options.draws)
    sections = []
    for response in ("classes", "lot") if options.quick else RESPONSES:
        found: dict[str, list[dict[str, Any]]] = {name: [] for name in SELECTORS}
        for name, number in itertools.product(sets, range(draws)):
            print(f"{response}, {name} {number} ...", file=sys.stderr)
            x = study.made(120, 12)[0] if options.quick else read_set(options.data, name).values
            seed = seed_of("false", response, name, number)
            truth = drawn(x, response, np.random.default_rng(seed))
            for selector, answers in found.items():
                told = measure(selector, seed, truth)
                answers += [told] if told else []
        rows = [row(name, pd.DataFrame(told)) for name, told in found.items() if told]
        sections.append(f"## {RESPONSES[response]}\n\n{table(HEAD, rows, words=1)}")
    words = WORDS.format(
        draws=draws,
        sets=", ".join(sets),
        rows=ROWS,
        columns=COLUMNS,
        telling=TELLING,
        same=SAME,
        guide=GUIDE,
        pairs=PAIRS,
    )
    return study.page("False selections", "false_selections", words, AFTER, *sections)


main = study.command(
    "false_selections", run, __doc__, "made data and two draws", data="the data sets, NAME.csv.gz", draws=4
)


if __name__ == "__main__":
    sys.exit(main())
