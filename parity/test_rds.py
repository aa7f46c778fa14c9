"""Fits pass from R to pyrrf and back through .rds files, in every case of the table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import pyrrf
from parity.cases import CASES
from parity.compare import compare_answers
from parity.python_side import run
from parity.r_side import RSide
from parity.steps import Step

# R does not store in a fit which columns were text, so that strings in new data cannot be read as their codes.
TEXT = {"text_column", "formula_terms_types"}
FITS = {"RRF", "GRRF", "combine"}
# R does not store the data of a call, which grow() needs.
FITTED = [
    name
    for name, item in CASES.items()
    if FITS & {step.verb for step in item.steps} and name not in TEXT and "grow" not in {s.verb for s in item.steps}
]


@pytest.mark.parametrize("name", FITTED)
def test_fits_of_r_are_read(name: str, rrf: RSide, tmp_path: Path) -> None:
    steps = CASES[name].steps
    stored: dict[str, Path] = {}

    def store(step: Step) -> None:
        if rrf.ro.r(f"inherits(it.{step.name}, 'RRF')")[0]:
            stored[step.name] = tmp_path / f"{step.name}.rds"
            rrf.ro.r(f"saveRDS(it.{step.name}, '{stored[step.name]}')")

    def read(step: Step, value: Any) -> Any:
        return pyrrf.read_rds(stored[step.name]) if isinstance(value, pyrrf.RRFResult) else value

    theirs = rrf.run(CASES[name], store)
    differences = compare_answers(theirs, run(CASES[name], read), steps)
    assert not differences, "\n".join(differences)


@pytest.mark.parametrize("name", FITTED)
def test_fits_of_pyrrf_are_read_by_r(name: str, rrf: RSide, tmp_path: Path) -> None:
    steps = CASES[name].steps
    stored: dict[str, Path] = {}

    def store(step: Step, value: Any) -> Any:
        if isinstance(value, pyrrf.RRFResult):
            stored[step.name] = tmp_path / f"{step.name}.rds"
            pyrrf.write_rds(value, stored[step.name])
        return value

    def read(step: Step) -> None:
        if step.name in stored:
            rrf.ro.r(f"it.{step.name} <- readRDS('{stored[step.name]}')")

    ours = run(CASES[name], store)
    differences = compare_answers(rrf.run(CASES[name], read), ours, steps)
    assert not differences, "\n".join(differences)
