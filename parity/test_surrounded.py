"""Forests among random objects of R (`surrounded.R`): the forest is read from them; damage has an error.

`PARITY_SEED` repeats a run, `SURROUNDED` says how many files R makes (100 by default).
"""

from __future__ import annotations

import gzip
import os
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
from pyrrf.rds.places import step
from pyrrf.unsupported_object import UnsupportedObject

COUNT = int(os.environ.get("SURROUNDED", "100"))
# Of each of those that are read at once so many damaged variants.
DAMAGES, QUICK = 6, 300_000
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


def read(file: Path, only: str | None = None) -> Any:
    """Return the content of a file; at most two warnings come with it, one of omitted parts and one of names."""
    started = time.process_time()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            return pyrrf.read_rds(file, only=only)
        finally:
            assert time.process_time() - started < LONGEST
            # Others are of the terms of each fit.
            ours = [words for one in told if (words := str(one.message)).startswith(f"{file}: ")]
            assert len(ours) <= 2, ours
            assert all(len(words) < 20_000 for words in ours)


def answer(file: Path, only: str | None = None) -> tuple[Any, str]:
    """Return the content of a file, or the message of its error."""
    try:
        return read(file, only), ""
    except ValueError as error:
        return None, str(error)


def check_fit(fit: Any, meta: dict[str, Any]) -> None:
    """Compare what a fit predicts with R, bit by bit: numbers, or shares of votes, since ties are broken by chance."""
    ours = pyrrf.predict(fit, meta["new"], type="response" if fit.type == "regression" else "prob")
    assert np.array_equal(np.asarray(ours), np.asarray(meta["predicted"]))


def placeholders(value: Any) -> Iterator[UnsupportedObject]:
    """Yield the placeholders of objects that Python cannot hold."""
    if isinstance(value, UnsupportedObject):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from placeholders(item)


def check(folder: Path, number: int) -> None:
    """Compare the forest in a file, however it is asked for, with R's answers; use what is left out as data."""
    meta, file = pyrrf.read_rds(folder / f"meta_{number}.rds"), folder / f"case_{number}.rds"
    check_fit(read(file, "forest"), meta)
    # The path of a forest that only R reaches is NULL.
    keys = None if meta["path"] is None else [k if isinstance(k, str) else int(k) for (k,) in meta["path"]]
    if keys is not None:
        check_fit(read(file, "fit" + "".join(map(step, keys))), meta)
    value, refusal = answer(file)
    if refusal:
        assert "which Python cannot hold: " in refusal
        return
    every = list(placeholders(value))
    for left in random.Random(number).sample(every, min(2, len(every))):
        with pytest.raises(TypeError, match="is UnsupportedObject: "):
            np.asarray(left)
        with pytest.raises(ValueError, match="which Python cannot hold: "):
            read(file, str(left.place))
    while keys and not isinstance(value, UnsupportedObject):
        value = value[keys.pop(0)]
    if keys is not None and not isinstance(value, UnsupportedObject):
        check_fit(value, meta)


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
    out = bytearray(content)
    for _ in range(draw.choice((1, 1, 2, 8))):
        index = draw.randrange(len(out))
        out[index] = draw.choice((out[index] ^ (1 << draw.randrange(8)), draw.randrange(256)))
    if draw.random() < 0.2:
        start = draw.randrange(len(out))
        del out[start : start + draw.choice((1, 4, 8))]
    return bytes(out)


def check_damage(folder: Path, number: int, file: Path) -> int:
    """Damage a file in several ways: each is read, or has an error of ours. Return how many have one."""
    draw, refused = random.Random(SEED * 1000 + number), 0
    content = (folder / f"case_{number}.rds").read_bytes()
    plain = bytes(unpack(content, Budget(2**30)))
    for variant in range(DAMAGES if len(plain) < QUICK else 0):
        hurt = damaged(plain if variant else content, draw)
        file.write_bytes(gzip.compress(hurt, 1) if variant % 2 else hurt)
        for only in ("forest", None):
            _, refusal = answer(file, only)
            assert not refusal or refusal.startswith(f"{file}: ")
            refused += bool(refusal)
    return refused


@pytest.mark.parametrize("part", range(10))
def test_damage_has_an_error(part: int, stored: Path, tmp_path: Path) -> None:
    refused = 0
    for number in range(part + 1, COUNT + 1, 10):
        try:
            refused += check_damage(stored, number, tmp_path / "case.rds")
        except Exception as error:
            raise AssertionError(f"PARITY_SEED={SEED}, number {number}: {error!r}") from error
    assert refused > COUNT // 10
