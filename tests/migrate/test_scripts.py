"""The scripts of examples/scripts: translated, run, and equal to R's recorded answers in every number."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("tree_sitter_language_pack")
from matplotlib import pyplot as plt

from parity import workspace


@pytest.mark.parametrize("name", workspace.NAMES)
def test_every_number_is_that_of_r(name: str) -> None:
    translation = workspace.translated(name)
    assert translation.left_lines <= translation.lines * 0.05, translation.left
    theirs = workspace.read(workspace.recorded(name))
    assert len(theirs) > 10
    assert workspace.differences(theirs, workspace.run_python(translation, name)) == []
    plt.close("all")


def test_there_are_ten() -> None:
    assert len(workspace.NAMES) == 10


IDIOMS = sorted((workspace.SCRIPTS.parent / "idioms").glob("*.R"))


@pytest.mark.parametrize("file", IDIOMS, ids=[file.stem for file in IDIOMS])
def test_idioms_print_what_r_prints(file: Path) -> None:
    translation = workspace.translate(file.read_text(), file.name, file.parent)
    assert translation.left == []
    assert workspace.printed(translation, file.parent).splitlines() == file.with_suffix(".txt").read_text().splitlines()
