"""Scripts made at random, whose text tries to become code: what they are translated to leaves no file when it is run.

HOSTILE_SCRIPTS says how many (30; a third of them are checked), HOSTILE_SEED where they begin.
"""

from __future__ import annotations

import contextlib
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.migrate import hostile

translate = pytest.importorskip("pyrrf.migrate.translation").translate
pytest.importorskip("tree_sitter_language_pack")
pytest.importorskip("resource")

COUNT, SEED = int(os.environ.get("HOSTILE_SCRIPTS", "30")), int(os.environ.get("HOSTILE_SEED", "0"))


def make_script(seed: int) -> tuple[str, str, random.Random]:
    """A script, its name, and the source of further texts."""
    rng = random.Random(seed)
    return hostile.script(rng), hostile.file_name(rng), rng


def test_what_runs_is_found(tmp_path: Path) -> None:
    """A check of the check: each way in which a text could be run leaves something."""
    files = [tmp_path / f"{index}.py" for index in range(len(hostile.PAYLOADS) + 1)]
    for file, payload in zip(files, [*hostile.PAYLOADS, ""], strict=True):
        file.write_text(f"from pyrrf import r\nr.print(r.c(1))\n{payload}\n")
    files.append(tmp_path / "cookie.py")
    files[-1].write_text(f"# coding: utf-7\n{hostile.SEVENS}; os.system('touch {hostile.MARK}')\n")
    harmless = {str(files[-2])}
    assert set(hostile.acts_of(files)) == set(map(str, files)) - harmless


def test_moved_scripts_leave_nothing(tmp_path: Path) -> None:
    files = []
    for seed in range(SEED, SEED + COUNT):
        script, name, _ = make_script(seed)
        files.append(tmp_path / f"{seed}.py")
        files[-1].write_text(translate(script, name, tmp_path / "none").code, encoding="utf-8")
    assert hostile.acts_of(files) == {}


def test_checked_scripts_leave_nothing(tmp_path: Path, played: Callable[..., None]) -> None:
    """Files of --check leave nothing either, for any values, labels and messages of R."""
    from pyrrf.migrate.check.checking import check
    from pyrrf.migrate.check.recording import CheckError

    files: list[Path] = []
    refused = 0
    for seed in range(SEED, SEED + COUNT // 3):
        script, name, rng = make_script(seed)
        place = tmp_path / f"{seed}"
        place.mkdir()
        (place / name).write_text(script, encoding="utf-8")
        translated = translate((place / name).read_text(encoding="utf-8-sig"))
        played(*hostile.steps(rng, list(translated.names), len(translated.statements)), ending=hostile.text(rng))
        output = place / f"{name[:-2].strip('.') or 'x'}.py"
        with contextlib.suppress(CheckError):
            told: Any = check(place / name, output, say=lambda _: None).report
            assert all(isinstance(line, str) for line in told)
        refused += not output.exists()
        files += [output] if output.exists() else []
        assert sorted({*place.iterdir()} - {place / name, output, output.with_suffix(".left")}) == []
    assert refused <= COUNT / 30
    assert hostile.acts_of(files) == {}
