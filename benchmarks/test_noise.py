"""The benchmark of where noise enters: its command runs, and entries are counted in their order."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import noise
from pyrrf.selectors.growing import TreeData, TreeRule


def test_quick_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert noise.main(["--quick"]) == 0
    shown = capsys.readouterr().out
    rows = [line for line in shown.splitlines() if line.startswith(tuple(f"| {name} |" for name in noise.NAMES))]
    assert len(rows) == len(noise.NAMES) * len(noise.RULES) * len(noise.GAMMAS)


def test_an_entry_is_the_first_split_by_a_feature() -> None:
    chance = np.random.default_rng(1)
    x = chance.standard_normal((60, 8))
    y = (x[:, 3] > 0).astype(np.int32)
    data = TreeData(values=np.asfortranarray(x), ncat=np.ones(8, np.int32), response=y, nclass=2)
    found, used = noise.entries(data, TreeRule(mtry=8, coef_reg=0.5), 5, 1)
    assert found[0] == (3, 60.0)
    features = [feature for feature, _ in found]
    assert len(set(features)) == len(features) == used.sum()
    assert noise.guide_of(data, 1).argmax() == 3
