"""Forests among random objects of R (`surrounded.R`): the forest is read from them, and damage of any kind has an error."""

from __future__ import annotations

import gzip
import random
import subprocess
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pyrrf
from parity.conftest import missing
from parity.shrinking import SEED
from pyrrf.rds.content import Budget, unpack
from pyrrf.rds.not_read import NotRead
from pyrrf.rds.places import step

COUNT = 500
# Of each so many damaged variants; R reads none of them.
DAMAGES = 6
# Seconds for one file, whatever it holds.
LONGEST = 20
SCRIPT = Path(__file__).with_name("surrounded.R")


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of R's files."""
    for package in ("RRF", "randomForest"):
        if missing(package):
            pytest.skip(missing(package))
    folder = tmp_path_factory.mktemp("surrounded")
    subprocess.run(["Rscript", str(SCRIPT), str(folder), str(COUNT), str(SEED)], check=True, capture_output=True)
    return folder


def read(at: Path, only: str | None = None) -> Any:
    """What a file holds; at most two warnings come with it, one of parts left out and one of names."""
    started = time.monotonic()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            return pyrrf.read_rds(at, only=only)
        finally:
            assert time.monotonic() - started < LONGEST
            assert len(told) <= 2, [str(one.message) for one in told]
            assert all(len(str(one.message)) < 20_000 for one in told)


def predictions(fit: Any, new: Any) -> np.ndarray:
    """Numbers, or shares of votes: ties are broken by chance."""
    return np.asarray(pyrrf.predict(fit, new, type="response" if fit.type == "regression" else "prob"))


def placeholders(found: Any) -> Iterator[NotRead]:
    """What was left out of lists."""
    if isinstance(found, NotRead):
        yield found
    for part in found.values() if isinstance(found, dict) else found if isinstance(found, list) else ():
        yield from placeholders(part)


def check(folder: Path, number: int) -> None:
    """Compare the forest in a file, however it is asked for, with R's answers; use what is left out as data."""
    meta, at = pyrrf.read_rds(folder / f"meta_{number}.rds"), folder / f"case_{number}.rds"
    wanted = np.asarray(meta["predicted"])
    assert np.array_equal(predictions(read(at, "forest"), meta["new"]), wanted)
    steps = [key.item() for key in meta["path"] or []]
    if meta["path"] is not None:
        place = "fit" + "".join(step(key if isinstance(key, str) else int(key)) for key in steps)
        assert np.array_equal(predictions(read(at, place), meta["new"]), wanted)
    try:
        whole = read(at)
    except ValueError as error:
        assert "which Python cannot hold: " in str(error)
        return
    for left in placeholders(whole):
        reread = None
        with pytest.raises(TypeError, match="is NotRead: "):
            np.asarray(left)
        with pytest.raises(ValueError, match="which Python cannot hold: "):
            reread = read(at, str(left.place))
        assert reread is None
    found = whole if meta["path"] is not None else None
    for key in steps:
        found = None if found is None or isinstance(found, NotRead) else found[key if isinstance(key, str) else int(key)]
    if found is not None and not isinstance(found, NotRead):
        assert np.array_equal(predictions(found, meta["new"]), wanted)


@pytest.mark.parametrize("part", range(10))
def test_the_forest_is_read_whatever_surrounds_it(part: int, stored: Path) -> None:
    for number in range(part + 1, COUNT + 1, 10):
        try:
            check(stored, number)
        except Exception as error:
            raise AssertionError(f"PARITY_SEED={SEED}, number {number}: {error!r}") from error


def damaged(content: bytes, draw: random.Random) -> bytes:
    """A file cut short, or some of whose bytes are others."""
    if draw.random() < 0.25:
        return content[: draw.randrange(len(content))]
    found = bytearray(content)
    for _ in range(draw.choice((1, 1, 2, 8))):
        at = draw.randrange(len(found))
        found[at] = draw.choice((found[at] ^ (1 << draw.randrange(8)), draw.randrange(256)))
    if draw.random() < 0.2:
        start = draw.randrange(len(found))
        del found[start : start + draw.choice((1, 4, 8))]
    return bytes(found)


@pytest.mark.parametrize("part", range(10))
def test_damage_has_an_error(part: int, stored: Path, tmp_path: Path) -> None:
    draw = random.Random(SEED * 10 + part)
    for number in range(part + 1, COUNT + 1, 10):
        content = (stored / f"case_{number}.rds").read_bytes()
        plain = bytes(unpack(content, Budget(2**30)))
        for variant in range(DAMAGES):
            at = tmp_path / "case.rds"
            hurt = damaged(plain if variant else content, draw)
            at.write_bytes(gzip.compress(hurt, 1) if variant % 2 else hurt)
            for only in ("forest", None):
                try:
                    read(at, only)
                except ValueError as error:
                    assert str(error).startswith(f"{at}: "), error
                except Exception as error:
                    raise AssertionError(f"PARITY_SEED={SEED}, number {number}: {error!r}") from error
