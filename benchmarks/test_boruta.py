"""The comparison of the Borutas: agreement by hand, and that it runs."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import boruta


def test_agreement_by_hand() -> None:
    one, other = np.array([True, True, False, False]), np.array([True, False, False, False])
    assert boruta.share(one, other) == "0.75 (0.50)"
    assert boruta.share(~one & one, ~one & one) == "1.00 (1.00)"
    supports = {"pyrrf": one, "R": other}
    assert boruta.counted(supports, lambda support: int(support.sum())) == "2 / - / 1"


def test_quick_run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("boruta")
    monkeypatch.setattr(boruta, "TREES", 10)
    monkeypatch.setattr(boruta, "ROUNDS", 10)  # R takes no fewer
    assert boruta.main(["--quick"]) == 0
    rows = [line.split("|") for line in capsys.readouterr().out.splitlines() if line.startswith("| friedman")]
    assert len(rows) == 1
    assert float(rows[0][10]) > 0
