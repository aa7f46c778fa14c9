"""A job, what the command was asked for, and the answers: what every benchmark of many jobs is made of."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Options:
    """What the command was asked for, as far as jobs have to know it."""

    data: Path | None = None  # folder of NAME.csv.gz
    splits: int | None = None  # a trial of so many splits; None: all
    engine: str = ""  # "r", "parallel", or "" where a table leaves no choice

    def count(self, full: int) -> int:
        """Return how many splits, replicates or runs to make of `full`."""
        return full if self.splits is None else min(self.splits, full)


@dataclass(frozen=True)
class Job:
    """One call of a function of a module; `key` is a path below the table's folder of the store."""

    key: str
    function: Callable[..., Any]  # function(options, *args, *answers of needs) -> what JSON can hold
    args: tuple[Any, ...] = ()
    needs: tuple[str, ...] = ()
    cost: float = 1.0  # beside the other jobs of the table


@dataclass(frozen=True, eq=False)
class Answers(Mapping[str, Any]):
    """The answers at hand, by key."""

    found: dict[str, Any]
    seconds: dict[str, float] = field(default_factory=dict)  # of the processor

    def __getitem__(self, key: str) -> Any:
        return self.found[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    def below(self, folder: str) -> list[Any]:
        """Return the answers whose keys begin with `folder`/, in the order of the jobs."""
        return [answer for key, answer in self.found.items() if key.startswith(f"{folder}/")]


def seed_of(*parts: object) -> int:
    """Return a seed that R and numpy take, 0 to 2^31 - 1, made of the words and numbers that name a job.

    It is the same in every run and on every machine.
    """
    digest = hashlib.sha256("/".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:4], "little") >> 1
