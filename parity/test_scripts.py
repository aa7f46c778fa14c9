"""The scripts of examples/scripts in R, live, beside what was recorded; tests/migrate has their Python beside that."""

from __future__ import annotations

from pathlib import Path

import pytest

from parity import workspace
from parity.conftest import missing

# What a script loads beside RRF.
PACKAGES = {"caret_folds": "caret", "rules": "inTrees", "imports_bootstrap": "randomForest"}


@pytest.mark.parametrize("name", workspace.NAMES)
def test_r_leaves_behind_what_was_recorded(name: str, tmp_path: Path) -> None:
    for package in ("RRF", PACKAGES.get(name, "RRF")):
        if missing(package):
            pytest.skip(missing(package))
    theirs = workspace.run_r(name, tmp_path / "answers.json")
    assert workspace.differences(theirs, workspace.read(workspace.recorded(name))) == []
