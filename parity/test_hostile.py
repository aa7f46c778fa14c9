"""Scripts whose text tries to become code, checked beside R.

PARITY_HOSTILE says how many (40), PARITY_SEED repeats a run.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from parity.conftest import missing
from parity.shrinking import SEED
from pyrrf.migrate.check.checking import check
from pyrrf.migrate.check.recording import CheckError
from tests.migrate import hostile

SCRIPTS = int(os.environ.get("PARITY_HOSTILE", "40"))
# R itself would do what these say.
_DOERS = ("system", "shell", "unlink", "eval", "parse")


def harmless(seed: int) -> tuple[str, str]:
    """A script that does nothing to the world in R, and its name."""
    rng = random.Random(seed)
    while True:
        script = hostile.script(rng)
        if not any(f"{doer}(" in script for doer in _DOERS):
            return script, hostile.file_name(rng)


def test_what_is_written_beside_r_leaves_nothing(tmp_path: Path) -> None:
    if missing("base"):
        pytest.skip(missing("base"))
    files = []
    for seed in range(1000 * SEED, 1000 * SEED + SCRIPTS):
        script, name = harmless(seed)
        place = tmp_path / f"{seed}"
        place.mkdir()
        (place / name).write_text(script, encoding="utf-8")
        output = place / f"{name[:-2].strip('.') or 'x'}.py"
        try:
            check(place / name, output, limit=60)
        except CheckError:
            continue
        files.append(output)
        assert {*place.iterdir()} <= {place / name, output, output.with_suffix(".left"), place / "Rplots.pdf"}, seed
    assert len(files) > SCRIPTS / 2
    assert hostile.acts_of(files) == {}
