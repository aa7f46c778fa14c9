"""The benchmark of the systems: it runs, and its tables hold what was measured."""

from __future__ import annotations

import pytest

pytest.importorskip("lightgbm")

from benchmarks import systems
from benchmarks.markdown import cells_of


def rows(text: str) -> dict[str, list[str]]:
    """Return the cells of all lines of the tables, by name."""
    return {name: cells for name, *cells in cells_of(text)}


def test_grid_shows_the_least_of_the_repeats() -> None:
    first = systems.Peer("first", object, id, [(2.0, 5.0), (4.0, 3.0)], {"features": "7"})
    other = systems.Peer("other", object, id, [(3.0, 1.0)], {"features": "8"})
    found = rows(systems.grid("title", [first, other]))
    assert found[""] == ["processor s", "wall s", "ratio", "features"]
    assert found["first"] == ["2.000", "3.000", "1.00", "7"]
    assert found["other"] == ["3.000", "1.000", "1.50", "8"]


def test_quick_run(capsys: pytest.CaptureFixture[str]) -> None:
    """Two forward searches on the same folds keep as many features after as many fits."""
    assert systems.main(["--quick"]) == 0
    found = rows(capsys.readouterr().out)
    names = [peer.name for peer in [*systems.forests(1, 1), *systems.searches()]]
    assert set(names) <= found.keys()
    theirs, own = found["SequentialFeatureSelector (scikit-learn)"], found["ForwardSelector"]
    assert theirs[3:] == own[3:]
    assert int(found["ChowLiuSelector"][3]) < int(own[3])
