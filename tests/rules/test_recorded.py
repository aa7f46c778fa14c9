"""inTrees' recorded answers (`python -m parity.rules`), replayed without R: the same text, line by line."""

from __future__ import annotations

import pytest

from parity.rules import RULE_CASES, read_record, run_pyrrf, short


# All of them: tests/slow/test_rules.py.
@pytest.mark.parametrize("name", sorted(RULE_CASES)[::3])
def test_identical_to_intrees_as_recorded(name: str) -> None:
    theirs, ours = read_record(RULE_CASES[name]), short(run_pyrrf(RULE_CASES[name]))
    assert ours.keys() == theirs.keys()
    for part, lines in theirs.items():
        assert ours[part] == lines, part
