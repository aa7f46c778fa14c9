"""RESULTS.md: what the last complete `make parity` found."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from parity.cases import CASES

RESULTS = Path(__file__).parent / "RESULTS.md"
TESTS = {
    "test_identical_to_rrf": "cases identical to RRF and randomForest, live",
    "test_recording_is_what_rrf_answers": "recordings identical to what these answer, live",
    "test_identical_to_randomforest_at_mtry_p": "data sets on which RRF(flagReg=0) is randomForest at mtry = p, live",
    "test_permutation_importance_identical_to_randomforest_at_mtry_p": "the same with permutation importance",
    "test_random_draws_identical_to_r": "chains of 19 draws from random distributions and samples, live",
    "test_function_identical_to_r": "groups of functions of R on odd arguments, 3,000 random calls together, live",
    "test_random_programs_identical": "groups of 50 random programs: data of all types, a fit, companions, live",
    "test_random_formulas_identical": "groups of 50 random formulas: model frames, every tenth a forest, live",
    "test_answers_are_those_of_r": "forests that R made, of example sets and random data, and what both say of them",
    "test_strings_are_sorted_as_in_r": "groups of random strings sorted as in R, in C and in a UTF-8 locale, live",
}
"""Tests that RESULTS.md counts, and what it calls them."""


def is_complete(outcomes: Counter[tuple[str, str]]) -> bool:
    """Whether every case was compared live."""
    return sum(outcomes["test_identical_to_rrf", o] for o in ("passed", "failed")) == len(CASES)


def write(outcomes: Counter[tuple[str, str]], versions: dict[str, str]) -> None:
    """Write the counts; the sections behind them stay.

    Parameters
    ----------
    outcomes : Counter
        Number of tests by name and outcome.
    versions : dict
        Of R and its packages.
    """
    sides = ", ".join(version if name == "R" else f"{name} {version}" for name, version in versions.items())
    lines = ["# Results of make parity", "", f"Against {sides}.", "", "| compared | identical | of |", "|---|---|---|"]
    for name, label in TESTS.items():
        passed, failed = outcomes[name, "passed"], outcomes[name, "failed"]
        lines.append(f"| {label} | {passed} | {passed + failed} |")
    replace_section("# Results of make parity", "\n".join(lines) + "\n")


def replace_section(heading: str, text: str) -> None:
    """Put the text of a section, heading included, in the place of what it was; a new section comes last."""
    kept = re.split(r"(?m)^(?=##? )", RESULTS.read_text())[1:]
    sections = {section.split("\n")[0]: section.strip() for section in kept} | {heading: text.strip()}
    RESULTS.write_text("\n\n".join(sections.values()) + "\n")
