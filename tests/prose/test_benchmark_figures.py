"""What is shown elsewhere of the benchmarks.

The summary of RESULTS.md in README, GRRF by gamma and GAMMAS.md in docs/gamma.md, SELECTION.md in docs/when-not.md,
what docs/choose.md says of it and of CONFIRMATION.md, and the picture in README.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks.markdown import cells_of, rows_of
from benchmarks.report import BEGIN, END, SHOWN, put_summary, summary_of
from benchmarks.selection.confirmation import PAGE as CONFIRMATION
from benchmarks.selection.pictures import mean_errors
from benchmarks.selection.truths import TRUTHS
from pyrrf.sklearn.guided import DEFAULT_GAMMAS

ROOT = Path(__file__).parents[2]


def words_of(name: str) -> str:
    """Return the text of a page in one line."""
    return " ".join((ROOT / name).read_text().split())


def goals() -> dict[str, list[str]]:
    """Return goal, cases that meet it, worst, its case, best and its case, by ratio."""
    text = (ROOT / "benchmarks/RESULTS.md").read_text().partition("## Goals")[2].partition("##")[0]
    return {name: row for name, *row in cells_of(text)}


def test_readme_shows_the_summary_of_the_results() -> None:
    readme, results = (ROOT / name for name in ("README.md", "benchmarks/RESULTS.md"))
    shown = readme.read_text().split(BEGIN)[1].split(END)[0].strip()
    assert shown == summary_of(results.read_text())
    assert len(shown.splitlines()) == 2 + 5 + 1
    # The worst cases are among the five.
    found = goals()
    assert {found[name][3] for name in ("ranger / engine r", "CRAN RRF / engine r", "ranger / parallel")} <= set(SHOWN)
    assert put_summary(readme.read_text(), results.read_text()) == readme.read_text()


def test_pages_say_the_worst_and_the_best_ratio() -> None:
    found = goals()
    cran, ranger, threads = (
        found[name] for name in ("CRAN RRF / engine r", "ranger / engine r", "parallel, 2 threads over 1")
    )
    for page in ("README.md", "docs/index.md"):
        assert f"{float(cran[2]):.1f} to {float(cran[4]):.0f} times" in words_of(page)
        assert f"[{cran[1].partition(' of ')[2]} cases]" in words_of(page)
    assert words_of("README.md").count(f"{ranger[2]} times ") == 2 + 1  # the row, and an example of how to read it
    assert f"{threads[1]} cases" in words_of("docs/engines.md")
    assert f"{threads[2]} times" in words_of("docs/engines.md")


def test_readme_says_what_its_picture_shows() -> None:
    page = CONFIRMATION.read_text()
    curves, rows = mean_errors(page), rows_of(page, "## By size")
    text = words_of("README.md")
    at_five = [rows[name]["5"] for name in ("elimination", "RFE, pyrrf", "LightGBM, RFE")]
    told = (
        "{} with all features; with 5 features it is {} for `EliminationSelector`, {} for RFE and {} for LightGBM's RFE"
    )
    assert told.format(f"{curves.all_features:.3f}"[1:], *at_five) in text
    assert f"the {curves.cases} of [sixty cases]" in text


def test_the_page_on_gamma_shows_figures_of_the_papers() -> None:
    papers = (ROOT / "benchmarks/PAPERS.md").read_text()
    sizes, errors = (
        rows_of(papers.partition(f"**Figure 2, GRRF, {what}**")[2])
        for what in ("features selected", "errors of forests")
    )
    shown = rows_of((ROOT / "docs/gamma.md").read_text())
    assert len(shown) > 4
    for name, row in shown.items():
        for gamma, cell in row.items():
            assert cell == f"{sizes[name][gamma].split()[0]}, {errors[name][gamma].split()[0]}"


def test_the_default_gamma_for_numbers_has_the_least_mean_rank() -> None:
    report = (ROOT / "benchmarks/GAMMAS.md").read_text()
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in report.splitlines() if "|" in line]
    found = {(line[0], line[1]): line for line in lines if len(line) == 6}
    ranks = {gamma: float(line[-1]) for (way, gamma), line in found.items() if way == "defaults"}
    assert len(ranks) > 4
    best = min(ranks, key=lambda gamma: ranks[gamma])
    assert float(best) == DEFAULT_GAMMAS[True]
    text = words_of("docs/gamma.md")
    assert f"{best} is the best gamma, {ranks[best]}, and 0.8 is near it, {ranks['0.8']}." in text
    small, taken = found["lambda0=0.5", "0.5"], found["defaults", best]
    assert (
        f"better, {small[5]}, and keeps {small[3]} features of noise on average where {best} keeps {taken[3]}." in text
    )
    measured = rows_of(report.partition("## defaults")[2])
    shown = rows_of((ROOT / "docs/gamma.md").read_text().partition("## Regression")[2])
    assert shown.keys() == measured.keys()
    assert all(measured[name][head] == cell for name, row in shown.items() for head, cell in row.items())


def test_the_page_on_when_not_shows_what_was_measured() -> None:
    rows = cells_of((ROOT / "benchmarks/SELECTION.md").read_text())
    measured = [{cell.partition(" (")[0] for cell in row} | set(row) for row in rows]
    shown = cells_of((ROOT / "docs/when-not.md").read_text().partition("## Compared with other selectors")[2])
    assert len(shown) > 8
    assert [row for row in shown if not any(set(row) <= known for known in measured)] == []


def test_which_selector_shows_the_sixty_cases() -> None:
    page, text = CONFIRMATION.read_text(), (ROOT / "docs/choose.md").read_text()
    measured, shown = rows_of(page, "## Of a given size"), rows_of(text.partition("## What was measured")[2])
    assert len(shown) == len(measured) - 1
    assert all(measured[name][head] == cell for name, row in shown.items() for head, cell in row.items())
    chosen = rows_of(page, "## Of a chosen size")
    sizes = rows_of(text.partition("**If the size is chosen.**")[2])
    assert all(chosen[name][head] == cell for name, row in sizes.items() for head, cell in row.items())


def test_which_selector_shows_the_regrets_of_all_sets() -> None:
    rows = rows_of((ROOT / "benchmarks/SELECTION.md").read_text(), "## Regret")
    regrets = [rows[name]["all"].split()[0] for name in ("elimination", "RFE", "LASSO")]
    text = words_of("docs/choose.md")
    assert "mean regret is {}, that of RFE {} and of LASSO {}.".format(*regrets) in text


def test_which_selector_counts_the_sets_where_the_chosen_size_errs_less_than_all_features() -> None:
    rows = rows_of((ROOT / "benchmarks/SELECTION.md").read_text(), "## Methods that choose the size")
    errors = {name: [float(row[head].split()[0]) for head in ("elimination, cv", "all features")]
              for name, row in rows.items()}  # fmt: skip
    less, more = ([name for name, (one, all_) in errors.items() if np.sign(one - all_) == sign] for sign in (-1, 1))
    assert len(less) + len(more) == len(errors)
    text = words_of("docs/choose.md")
    assert f"in {len(less)} of {len(errors)} sets, and higher on {', '.join(more[:-1])} and {more[-1]} (" in text
    drawn = [name for name in errors if name in TRUTHS]
    others = [name for name in less if name not in drawn]
    assert set(drawn) < set(less)
    assert len(drawn) == 6
    assert f"all six simulated sets, and on {len(others)} of the {len(errors) - len(drawn)} others" in text
    assert f"in {len(less)} of {len(errors)} sets, and higher in {len(more)}" in words_of("docs/when-not.md")


def test_which_selector_shows_the_means_of_the_rules_of_a_size() -> None:
    page, text = (ROOT / "benchmarks/SIZES.md").read_text(), (ROOT / "docs/choose.md").read_text()
    head, *rows = [row for row in cells_of(page) if len(row) == 6 and row[0] != "mean"]
    cases = [row for row in rows if row[0] != "case"]
    assert f"On {len(cases)} data sets, with {page.partition('means of ')[2].split()[0]} train/test splits each" in text
    shown = {row[0]: row[1:] for row in cells_of(text)}

    def figures_of(row: list[str], column: str) -> list[float]:
        return [float(figure) for figure in row[head.index(column)].split(",")]

    for column, name in (
        ("kept", "`n_features=None`, the default"),
        ("best", '`n_features="best"`'),
        ("1se", '`n_features="1se"`'),
        ("all", "all features of the pool"),
    ):
        features, error = np.mean([figures_of(row, column) for row in cases], axis=0)
        assert shown[name] == [f"{features:.1f}", f"{error:.3f}"[1:]]
    more = sum(figures_of(row, "kept")[1] > figures_of(row, "all")[1] for row in cases)
    assert f"on {more} of the {len(cases)} sets a lower one than the default" in words_of("docs/choose.md")


def test_the_page_on_when_not_shows_the_sum_and_the_overlaps() -> None:
    measured, text = (ROOT / "benchmarks/SELECTION.md").read_text(), words_of("docs/when-not.md")
    overlaps = rows_of(measured, "## Seconds, and overlap")
    told = "{} for `StabilitySelector`, {} for LASSO, {} for `EliminationSelector`, {} for GRRF and {} for RRF"
    names = ("consensus", "LASSO", "elimination", "GRRF", "RRF")
    assert told.format(*(overlaps[name]["overlap at 5"] for name in names)) in text
    linear = measured.partition("## linear:")[2]
    found, noise = rows_of(linear.partition("Recall")[2])["LASSO"]["12"].split(", ")
    assert f"LASSO selects {float(found):.0%} of".replace("%", " %") in text
    assert f"and {noise} others." in text
    errors = rows_of(linear)
    shown = rows_of((ROOT / "docs/when-not.md").read_text().partition("a sum of 10 of 200")[2])
    assert len(shown) == 4
    for name, row in shown.items():
        method = name.partition(",")[0].replace("`EliminationSelector`", "elimination")
        error, _, size = errors[method]["12"].replace("*", "").partition(" / ")
        assert row["error of a forest on them"] == error
        assert row["features"] == (size.partition("(")[2].strip(")") or "12")


def test_the_page_on_noise_shows_what_was_measured() -> None:
    measured = [set(row) for row in cells_of((ROOT / "benchmarks/NOISE.md").read_text())]
    shown = cells_of((ROOT / "docs/noise.md").read_text())
    assert len(shown) > 15
    assert [row for row in shown if not any(set(row) <= known for known in measured)] == []
