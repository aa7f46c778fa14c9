"""The benchmark of false selections: its command runs, and a truth has what it says."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from benchmarks import false_selections
from benchmarks.false_selections import SELECTORS, TELLING, Truth, drawn, measure, row


def test_quick_run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    few = {name: SELECTORS[name] for name in ("`EliminationSelector(5)`", "`GRRFSelector()`")}
    monkeypatch.setattr(false_selections, "SELECTORS", few)
    assert false_selections.main(["--quick"]) == 0
    shown = capsys.readouterr().out
    assert "## No informative column" in shown
    for name in few:
        assert shown.count(f"| {name} | ") == 2


def test_a_truth_has_substitutes_and_copies_that_tell_nothing() -> None:
    draw = np.random.default_rng(1)
    x = draw.standard_normal((150, 8))
    x[:, 7] = x[:, 0] + 0.1 * x[:, 7]
    truth = drawn(x, "numbers", draw)
    assert truth.x.shape == (150, 16)
    assert truth.stands.shape == (16, TELLING)
    assert not truth.stands[8:].any()
    # The same values, in another order.
    np.testing.assert_array_equal(np.sort(truth.x[:, :8], axis=0), np.sort(truth.x[:, 8:], axis=0))
    place = {int(np.flatnonzero((np.sort(x, axis=0) == np.sort(column)[:, None]).all(axis=0))[0]): j
             for j, column in enumerate(truth.x[:, :8].T)}  # fmt: skip
    pair = {place[0], place[7]}
    alike = [set(np.flatnonzero(column).tolist()) for column in truth.stands.T]
    assert all(one == pair if one & pair else len(one) == 1 for one in alike)
    assert sum(one == pair for one in alike) <= 1
    assert not drawn(x, "lot", draw).stands.any()


def test_what_is_kept_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    stands = np.zeros((8, 2), bool)
    stands[[0, 1], 0] = stands[2, 1] = True
    support = np.array([1, 1, 0, 1, 0, 1, 0, 0], bool)
    kept = SimpleNamespace(fit=lambda x, y: None, support_=support, pfer_bound_=0.5)
    monkeypatch.setitem(SELECTORS, "one", lambda seed: kept)
    found = measure("one", 1, Truth(np.zeros((4, 8)), np.zeros(4), stands))
    # Of 0, 1, 3 and 5: a copy is false, column 3 is another, and the second that tells is missed.
    expected = {"raised": "", "kept": 4, "false": 1, "share": 0.25, "others": 1, "missed": 1}
    expected |= {"bounded": "false", "bound": 0.5}
    assert found == expected
    none = measure("one", 1, Truth(np.zeros((4, 8)), np.zeros(4), np.zeros((8, 2), bool)))
    assert none is not None
    assert none["false"] == 4
    assert row("one", pd.DataFrame([none] * 2))[4:6] == ["-", "-"]
    # Always 1 where .5 was promised.
    assert row("one", pd.DataFrame([expected] * 3))[-2:] == ["false: 0.50", "no"]
    # Zeros alone: at most 3 / n, which is .3 of ten draws, and more than .5 of three.
    assert row("one", pd.DataFrame([expected | {"false": 0}] * 10))[-1] == "yes"
    assert row("one", pd.DataFrame([expected | {"false": 0}] * 3))[-1] == "not decided"
    assert row("one", pd.DataFrame([expected | {"false": n} for n in (0, 1, 0)]))[-1] == "not decided"
    assert row("one", pd.DataFrame([expected | {"bounded": "share"}] * 3))[-2:] == ["share: 0.50", "yes"]


def test_an_absent_selector_is_left_out_and_an_error_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(seed: int) -> None:
        raise ImportError

    def refused(x: np.ndarray, y: np.ndarray) -> None:
        raise ValueError("too many")

    monkeypatch.setitem(SELECTORS, "one", absent)
    truth = Truth(np.zeros((4, 2)), np.zeros(4), np.zeros((2, 1), bool))
    assert measure("one", 1, truth) is None
    monkeypatch.setitem(SELECTORS, "one", lambda seed: SimpleNamespace(fit=refused))
    found = measure("one", 1, truth)
    assert row("one", pd.DataFrame([found]))[0] == "one (1 of 1 draws raised an error)"
