"""What the pages of docs/papers say: computed from the tables beside the papers' figures, and snippets that run."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from csv import DictReader
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_wine
from sklearn.naive_bayes import GaussianNB

import pyrrf.sklearn
from benchmarks.papers.__main__ import find_tables
from benchmarks.papers.genes import SETS
from benchmarks.papers.p000_fig4 import PAPER_SECONDS
from pyrrf.papers import distinct_gains, expected_gain, node_complexity
from pyrrf.papers.complexity.expected_gain import gain_distribution
from tests.estimators import ESTIMATORS

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs/papers").glob("0*.md"))
PAPERS = (ROOT / "benchmarks/PAPERS.md").read_text()
SECTIONS = dict(re.findall(r"<!-- begin (\S+): (.*?)<!-- end \1 -->", PAPERS, re.S))
# "12.3 ± .8 (13)", bold where the paper's figure is outside.
JUDGED = re.compile(r"(\**)(-?[\d.]+) ± [\d.]+ \((-?[\d.]+)\)\**")


def said(number: int) -> str:
    """The page of a paper, its lines joined."""
    return " ".join(PAGES[number].read_text().split())


def grids(section: str) -> dict[str, dict[tuple[str, str], str]]:
    """The tables of a section by title; the cells by row and column."""
    found = {}
    for title, table in re.findall(r"^\*\*(.+?)\*\*\n\n((?:\|.*\n)+)", SECTIONS[section], re.M):
        head, _, *rows = ([cell.strip() for cell in line[1:-1].split("|")] for line in table.splitlines())
        found[title] = {(row[0], name): cell for row in rows for name, cell in zip(head[1:], row[1:], strict=True)}
    return found


def judged(section: str) -> dict[tuple[str, str, str], re.Match[str]]:
    """The cells that are compared with the paper, by title, row and column."""
    return {
        (title, *place): match
        for title, grid in grids(section).items()
        if "(not counted)" not in title
        for place, cell in grid.items()
        if (match := JUDGED.fullmatch(cell))
    }


def test_every_table_has_its_section() -> None:
    assert sorted(SECTIONS) == sorted(find_tables())


def test_figures_and_comparisons() -> None:
    """A figure of the paper may stand beside two settings of ours."""
    beside: dict[tuple[str, ...], list[bool]] = defaultdict(list)
    inside: Counter[str] = Counter()
    for name in set(SECTIONS) - {"003-cran"}:  # CRAN's packages, not ours
        for (title, row, column), match in judged(name).items():
            table = re.sub(", (gains measured on distinct rows|on bags)", "", title)
            beside[name, table, row, column.split(",")[0]].append(not match[1])
            inside[name[:3]] += not match[1]
    text = " ".join((ROOT / "docs/estimators.md").read_text().split())
    many, comparisons = len(beside), [one for each in beside.values() for one in each]
    assert f"{many} figures of the papers are compared" in text
    assert f"Of {len(comparisons)} comparisons {sum(comparisons)} lie in our 95 % intervals" in text
    assert f"{sum(map(any, beside.values()))} of the {many} figures lie in at least one" in text
    of_grrf = sum(len(each) for key, each in beside.items() if key[0].startswith("003"))
    assert f"({inside['003']} of {of_grrf} comparisons)" in text


# ---- 000 -----------------------------------------------------------------------------------------


def test_wins_and_losses_of_regularized_trees() -> None:
    with (ROOT / "benchmarks/papers/p000_tables2and3.csv").open() as stream:
        marks = Counter((line["method"], line["rf_mark"]) for line in DictReader(stream))
    good = {method: marks[method, "+"] + marks[method, "="] for method in ("RRF", "RBoost")}
    assert marks["RRF", "-"] == marks["RBoost", "-"]
    assert (
        f"Of 18 data sets a forest on F was as good as one on all features, or better, on {good['RRF']} with RRF and "
        f"on {good['RBoost']} with RBoost, and worse on {marks['RRF', '-']} with each"
    ) in said(0)
    assert f"are worse on {marks['CFS', '-']} and {marks['FCBF', '-']}." in said(0)
    assert sum(marks.values()) == 5 * 18


def test_sizes_between_those_of_100_and_200_trees() -> None:
    grid, between = grids("000-tables2and3")["Table II: features selected"], []
    names = re.findall(r"\w+", re.search(r"We show 100 and 200\. On (.*?), 1\d of", said(0))[1].replace(" and ", " "))  # type: ignore[index]
    for name in names:
        for method in ("RRF", "RBoost"):
            few, many = (JUDGED.fullmatch(grid[name, f"{method}, {trees} trees"]) for trees in (100, 200))
            assert few
            assert many
            between.append(float(few[2]) <= float(few[3]) <= float(many[2]))
    assert f"{sum(between)} of the {len(between)} sizes in Table II" in said(0)


def test_trees_grow_breadth_first() -> None:
    """A node's daughters come after those of all nodes before it; depth first they would follow it at once."""
    random = np.random.default_rng(1)
    x = random.random((200, 4))
    tree = pyrrf.getTree(pyrrf.RRF(x, random.random(200) > x[:, 0], ntree=1, seed=1), 1)
    left = tree["left daughter"].to_numpy()
    split = left > 0
    assert left[split].tolist() == list(range(2, 2 + 2 * int(split.sum()), 2))
    assert not split.all()
    assert "Algorithm 1 works depth first" in said(0)
    assert "Trees here grow breadth first" in said(0)
    assert '`growth="depth"` and `ties="first"` in `RRF()`, engine parallel, do both' in said(0)


def test_the_seconds_of_figure_4() -> None:
    shares = [round(one["SVM-RFE"] / one["RRF"]) for one in PAPER_SECONDS.values()]
    text = " ".join(SECTIONS["000-fig4"].split())
    assert "SVM-RFE is Weka's Java, RRF our C." in text
    assert f"there RRF took a {shares[0]}th and a {shares[1]}th of SVM-RFE's time, here it is several hundred" in text
    grid = grids("000-fig4")["Seconds of the processor for one selection"]
    ours = {place: float(cell.split()[0]) for place, cell in grid.items()}
    times = [
        ours[name, "SVM-RFE"] / ours[name, f"RRF, {trees} trees"] for name in PAPER_SECONDS for trees in (100, 200)
    ]
    assert 200 < min(times) < max(times) < 1000


# ---- 002 and 003 ---------------------------------------------------------------------------------


def test_trainings_along_a_chow_liu_tree() -> None:
    tried: dict[str, dict[str, int]] = defaultdict(dict)
    for (name, method), cell in grids("002-table1")["Table 1: sets tried"].items():
        if match := JUDGED.fullmatch(cell):
            tried[method][name] = int(match[3])
    guided, forward = tried["CLT"], [tried["SFS"][name] for name in tried["CLT"]]
    assert len(guided) == 3
    assert (
        f"On three data sets the search takes {min(guided.values())} to {max(guided.values())} trainings, a "
        f"forward search {min(forward)} to {max(forward)}, with higher errors"
    ) in said(2)
    assert f"which takes {tried['SFS']['spambase']}." in said(2)


def test_what_random_numbers_explain() -> None:
    found = grids("003-outside")
    off = {
        (row, title.split(",")[0]): abs(float(cell.strip("*")))
        for title, grid in found.items()
        for (row, column), cell in grid.items()
        if column == "off by deviations"
    }
    tree = "Error of C4.5"
    within = [("adenocarcinoma, RRF(.9)", tree), ("breast2, GRRF(.1)", tree), ("breast3, varSelRF", "Features")]
    assert all(off[place] < 2 for place in [*within, ("srbct, GRRF(.1)", "Error of a forest")])
    beyond = [("breast3, varSelRF", "Error of a forest"), ("colon, RRF(.9)", tree), ("srbct, GRRF(.1)", tree)]
    ends = min(off[place] for place in beyond), max(off[place] for place in beyond)
    text = SECTIONS["003-outside"]
    assert "are {} to {} off".format(*ends) in text
    assert f"C4.5 after varSelRF on brain is {off['brain, varSelRF', tree]} off" in text
    order = found["Error of C4.5 by the order of the columns"]["brain, varSelRF", "columns in random order"]
    assert f"random ones give {float(order.split()[0]):.3f}".replace("0.", ".") in text


def test_numbers_of_small_nodes() -> None:
    page = " ".join((ROOT / "docs/papers/small-nodes.md").read_text().split())
    most = int(distinct_gains(10))
    assert f"distinct_gains(10) # {most}, by the theorem" in page
    assert f'distinct_gains(10, kind="exact") # {distinct_gains(10, kind="exact")}, counted' in page
    assert f"of 1,000 features at a node of 10 rows {1000 - most} at least" in page
    assert f"{gain_distribution(10, 5, 'gini')[0].size} at a node of 5 and 5 rows" in page
    assert node_complexity([1, 1]) == 0
    assert f"and one of 5 and 5 rows {node_complexity([5, 5]):.0f} bits" in page


def test_shares_of_small_nodes() -> None:
    grid = grids("003-theorem1")["Share of what forests do in small nodes"]
    share = {place: float(cell.split()[0]) for place, cell in grid.items() if place[1].endswith("come in there")}
    ours, guided = ({n: share[n, f"{m}: features that come in there"] for n in SETS} for m in ("RRF(1)", "GRRF(.1)"))
    two = ["leukemia", "colon", "prostate", "breast2"]
    assert (round(min(ours[n] for n in two), 2), round(max(ours[n] for n in two), 2)) == (0.03, 0.06)
    others = [ours[n] for n in SETS if n not in [*two, "adenocarcinoma"]]
    assert (round(min(others), 2), round(max(others), 2), round(ours["adenocarcinoma"], 2)) == (0.06, 0.29, 0.19)
    assert (round(min(guided.values()), 2), round(max(guided.values()), 2)) == (0.1, 0.43)
    assert sum(guided[n] > ours[n] for n in SETS) == 9


def test_sizes_on_stratified_and_other_splits() -> None:
    grid = grids("003-stratified")["Features selected by RRF(1)"]
    ours = {place: tuple(map(float, re.findall(r"-?[\d.]+", cell))) for place, cell in grid.items()}
    kinds = ("stratified", "drawn from all rows")
    assert "RRF(1) selects {:.0f} features on such splits and {:.0f} on rows drawn from all".format(
        *(ours["colon", kind][0] for kind in kinds)
    ) in said(3)
    gaps = {name: pair for (name, column), pair in ours.items() if column == "difference"}
    assert [name for name, (gap, half) in gaps.items() if abs(gap) > half] == ["colon"]
    intervals = {place: pair for place, pair in ours.items() if place[1] in kinds}
    assert all(abs(mean - ours[name, "paper"][0]) < half + 0.5 for (name, _), (mean, half) in intervals.items())


def test_what_cran_settles() -> None:
    outside = [place for place, match in judged("003-tables3to6").items() if match[1]]
    settled = [place for place, match in judged("003-cran").items() if not match[1]]
    kinds = Counter("varSelRF" if column == "varSelRF" else title for title, _, column in outside)
    assert (len(outside), len(settled)) == (8, 1)
    assert (kinds["varSelRF"], kinds["Table 6: errors of C4.5"]) == (3, 4)
    assert "It settles one of the eight figures outside, srbct's error with GRRF(.1)" in SECTIONS["003-tables3to6"]


# ---- 004 -----------------------------------------------------------------------------------------


def test_the_bound_of_equation_22() -> None:
    exact, upper = (float(expected_gain([10], [5], kind)[0]) for kind in ("exact", "upper"))
    assert f"(n = 10: {exact:.4f} exact, {upper:.4f} by eq 22)".replace("0.", ".") in said(4)


def test_figures_that_agree_with_the_papers_variances() -> None:
    alone = [
        not match[1]
        for (title, _, column), match in judged("004-tables3and4").items()
        if title.endswith("gains measured on distinct rows: errors")
    ]
    grid = grids("004-tables3and4")["Tables 3 and 4, ours less the paper's with its variances (not counted)"]
    agree = {place: "**" not in cell for place, cell in grid.items() if place[0] != "agree"}
    assert len(alone) == len(agree) == 49
    for (row, column), count in grid.items():
        if row == "agree":
            assert int(count) == sum(one for place, one in agree.items() if place[1] == column)
    text = " ".join(SECTIONS["004-tables3and4"].split())
    assert f"{sum(agree.values())} of the 49 figures agree so, {sum(alone)} by our intervals alone" in text


# ---- all -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_snippets_run(page: Path) -> None:
    x, y = load_wine(return_X_y=True, as_frame=True)
    names: dict[str, Any] = {
        "X": x.iloc[::3],
        "y": pd.Categorical(np.array(["barolo", "grignolino", "barbera"])[y[::3]]),
        "classifier": GaussianNB(),
    }
    if page is PAGES[4]:  # a threshold needs two classes
        names["y"] = names["y"] == "barolo"
    for snippet in re.findall(r"^```python\n(.*?)^```", page.read_text(), re.S | re.M):
        exec(snippet, names)


@pytest.mark.parametrize(
    ("page", "estimator"),
    [(0, "RBoostClassifier"), (1, "LESSClassifier"), (3, "GRRFSelector"), (4, "ComplexityForestClassifier")],
)
def test_authors_and_years_are_the_same_everywhere(page: int, estimator: str) -> None:
    authors, year = re.search(r"^# .*?\n\n(.*?), \*.*?, (\d{4})\.", PAGES[page].read_text(), re.S).groups()  # type: ignore[union-attr]
    text = " ".join(ESTIMATORS[estimator].__doc__.split())
    assert re.search(rf"{re.escape(authors)}, [^.]*?, {year}\b", text)
    row = next(line for line in (ROOT / "docs/estimators.md").read_text().splitlines() if f"`{estimator}`" in line)
    names = re.findall(r"(?<=\. )[A-Z]\w+", authors)
    assert f"{', '.join(names)} {year}" in row or "the same" in row
