"""The scripts of examples/scripts in R, live, beside what was recorded and beside their Python."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from matplotlib import pyplot as plt

from parity import workspace
from parity.conftest import missing

FOLDER = workspace.SCRIPTS.parent
EXAMPLES = sorted(path.stem for path in FOLDER.glob("*.R"))
# What a script loads beside RRF.
PACKAGES = {"caret_folds": "caret", "rules": "inTrees", "imports_bootstrap": "randomForest"}


@pytest.mark.parametrize("name", workspace.NAMES)
def test_python_leaves_behind_what_r_does(name: str, tmp_path: Path) -> None:
    for package in ("RRF", PACKAGES.get(name, "RRF")):
        if missing(package):
            pytest.skip(missing(package))
    theirs = workspace.run_r(name, tmp_path / "answers.json")
    assert workspace.differences(theirs, workspace.run_python(workspace.moved(name), name)) == []
    assert workspace.differences(theirs, workspace.read(workspace.recorded(name))) == []
    plt.close("all")


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_print_what_r_prints(name: str, tmp_path: Path) -> None:
    if missing("RRF"):
        pytest.skip(missing("RRF"))
    shutil.copytree(FOLDER, tmp_path / "examples")
    folder, file = tmp_path / "examples", f"{name}.R"
    theirs = subprocess.run(["Rscript", file], cwd=folder, capture_output=True, text=True, check=True).stdout
    translation = workspace.translate((folder / file).read_text(), file, folder)
    assert translation.left == []
    assert workspace.printed(translation, folder) == theirs
    plt.close("all")


def test_r_leaves_behind_what_was_recorded_of_the_snippets(tmp_path: Path) -> None:
    for package in ("RRF", "randomForest", "caret"):
        if missing(package):
            pytest.skip(missing(package))
    found = workspace.run_r_pieces(tmp_path / "answers.json")
    assert found == workspace.read_pieces(workspace.recorded("snippets"))
