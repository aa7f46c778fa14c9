"""Runs calls, each in a process of its own, and keeps what they report."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.peers import CRAN, FAMILIES, PARALLEL, PYRRF, Peer
from benchmarks.shapes import Shape, write_data

ROOT = Path(__file__).resolve().parent.parent
LONGEST_CALL = 600.0  # seconds; a call that takes longer is stopped and counts as failed


@dataclass(frozen=True)
class Call:
    """What one call reported.

    `peak` is the largest resident memory of the process during the call, `before` the resident memory
    when the data were loaded and the package imported, both in MiB.
    """

    seconds: float
    peak: float
    before: float
    package: str
    warnings: list[str]
    regrown: float | None = None  # share of the trees

    @property
    def growth(self) -> float:
        """What the call added to the memory of the process, in MiB."""
        return self.peak - self.before


@dataclass
class Result:
    """What one shape gave; `equal` says of each comparison made whether all answers were identical."""

    shape: Shape
    calls: dict[Peer, list[Call]] = field(default_factory=dict)
    equal: dict[str, bool] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)

    def median(self, peer: Peer, what: Callable[[Call], float | None] = lambda call: call.seconds) -> float | None:
        """Return the median of what a peer's calls reported; None where it has none."""
        values = [value for call in self.calls.get(peer, []) if (value := what(call)) is not None]
        return statistics.median(values) if values else None

    @property
    def sound(self) -> bool:
        """Whether no call failed and every comparison held."""
        return not self.failed and all(self.equal.values())


def run_call(peer: Peer, shape: Shape, folder: Path, seed: int) -> Call:
    """Make one call in a process of its own, on the data in `folder`."""
    job = asdict(shape) | asdict(peer)
    job |= {"mtry": shape.mtry, "nodesize": shape.nodesize, "seed": seed, "answer": str(folder / f"{peer}.answer")}
    (folder / "job.json").write_text(json.dumps(job))
    limits = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), str(peer.threads))
    done = subprocess.run(
        [*FAMILIES[peer.family].command, str(folder)],
        cwd=ROOT,
        env=os.environ | limits,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=LONGEST_CALL,
    )
    report: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return Call(**report)


# The answers that must be identical: peers of these families, apart from their number of threads.
COMPARISONS = {
    "CRAN RRF": ((PYRRF, True), (CRAN, True)),
    "parallel threads": ((PARALLEL, True),),
    "parallel threads, ordinary": ((PARALLEL, False),),
}


def compare_answers(folder: Path, peers: Iterable[Peer], equal: dict[str, bool]) -> None:
    """Compare votes or predictions, importances and feature set, bit by bit, where they must agree."""
    for name, members in COMPARISONS.items():
        files = [folder / f"{p}.answer" for p in peers if (p.family, p.regularized) in members]
        answers = [file.read_bytes() for file in files if file.exists()]
        if len(answers) > 1:
            equal[name] = equal.get(name, True) and len(set(answers)) == 1
    for file in folder.glob("*.answer"):
        file.unlink()


def measure(shape: Shape, peers: list[Peer], repeats: int, budget: float) -> Result:
    """Call every peer `repeats` times, in turns; repeat r has seed r on every side.

    A peer whose calls have taken more than `budget` seconds together is not called again.
    """
    result = Result(shape)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_data(folder, shape)
        for seed in range(1, repeats + 1):
            for peer in peers:
                if sum(call.seconds for call in result.calls.get(peer, [])) <= budget:
                    _add_call(result, peer, folder, seed)
            compare_answers(folder, peers, result.equal)
    return result


def _add_call(result: Result, peer: Peer, folder: Path, seed: int) -> None:
    """Make one call; a failure is kept as such, and the others go on."""
    try:
        call = run_call(peer, result.shape, folder, seed)
    except (subprocess.SubprocessError, IndexError, ValueError) as error:
        print(f"{peer} failed: {error}", file=sys.stderr)
        result.failed.append(f"{peer}, seed {seed}")
        return
    result.calls.setdefault(peer, []).append(call)
    print(f"  {seed}: {peer}: {call.seconds:.3f} s", file=sys.stderr)
