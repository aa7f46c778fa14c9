"""Makes the calls of a case, and keeps what they report."""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from benchmarks.data import write_data
from benchmarks.peers import CRAN, FAMILIES, PARALLEL, PYRRF, Peer
from benchmarks.shapes import Case
from benchmarks.worker import CallError, Workers


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
    error: float | None = None  # on the rows set aside; of the first call only, as the next two
    leaves: float | None = None  # mean over the trees
    features: int | None = None  # that the forest uses
    anonymous: float | None = None  # what the call added to the memory that is no file's, in MiB; memory maps only

    @property
    def growth(self) -> float:
        """What the call added to the memory of the process, in MiB."""
        return self.peak - self.before


@dataclass
class Result:
    """What one case gave; `equal` says of each comparison made whether all answers were identical."""

    case: Case
    calls: dict[Peer, list[Call]] = field(default_factory=dict)
    equal: dict[str, bool] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)
    origin: str = ""
    wall: float = 0.0  # seconds for the whole case
    others: float = 0.0  # processors that other programs used meanwhile, on average

    def median(self, peer: Peer, what: Callable[[Call], float | None] = lambda call: call.seconds) -> float | None:
        """Return the median of what a peer's calls reported; None where it has none."""
        values = [value for call in self.calls.get(peer, []) if (value := what(call)) is not None]
        return statistics.median(values) if values else None

    def over(self, above: Peer, below: Peer) -> float | None:
        """Return the time of one peer over that of another; None where one was not measured."""
        first, second = self.median(above), self.median(below)
        return first / second if first is not None and second else None

    @property
    def sound(self) -> bool:
        """Whether no call failed and every comparison held."""
        return not self.failed and all(self.equal.values())


# The answers that must be identical: peers of these families, apart from their number of threads.
COMPARISONS = {
    "CRAN RRF": ((PYRRF, True), (CRAN, True)),
    "engine r, threads": ((PYRRF, True),),
    "engine r, threads, ordinary": ((PYRRF, False),),
    "parallel threads": ((PARALLEL, True),),
    "parallel threads, ordinary": ((PARALLEL, False),),
}


def compare_answers(folder: Path, peers: Iterable[Peer], equal: dict[str, bool]) -> None:
    """Compare votes or predictions, importances and feature set, bit by bit, where they must agree."""
    peers = list(peers)
    for name, members in COMPARISONS.items():
        for trees in {peer.trees for peer in peers}:
            here = [p for p in peers if (p.family, p.regularized) in members and p.trees == trees]
            here = [p for p in here if (folder / f"{p}.answer").exists()]
            answers = [(folder / f"{p}.answer").read_bytes() for p in here]
            if len(answers) > 1 and {(p.family, p.regularized) for p in here} == set(members):
                equal[name] = equal.get(name, True) and len(set(answers)) == 1
    for file in folder.glob("*.answer"):
        file.unlink()


def is_called_again(times: list[float], peer: Peer, budget: float) -> bool:
    """Say whether a peer is called once more: a third time only where both calls were short."""
    return sum(times) <= budget * (FAMILIES[peer.family].again if len(times) < 2 else 0.25)


def measure(case: Case, peers: list[Peer], repeats: int, budget: float, real: Path | None = None) -> Result:
    """Call every peer up to `repeats` times, in turns; repeat r has seed r on every side."""
    begun, others = time.monotonic(), work_of_others()
    result = Result(case)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_data(folder, case.shape, real)
        with Workers(folder, fresh=case.memory) as workers:
            for seed in range(1, repeats + 1):
                for peer in peers:
                    if is_called_again([call.seconds for call in result.calls.get(peer, [])], peer, budget):
                        _add_call(result, peer, workers, seed)
                compare_answers(folder, peers, result.equal)
    result.wall = time.monotonic() - begun
    result.others = (work_of_others() - others) / result.wall
    return result


def work_of_others() -> float:
    """Return the seconds that all processors have worked, without this program and those that it started."""
    try:
        user, nice, system = (int(count) for count in Path("/proc/stat").read_text().split(maxsplit=4)[1:4])
    except OSError:
        return 0.0
    return (user + nice + system) / os.sysconf("SC_CLK_TCK") - sum(os.times()[:4])


def _add_call(result: Result, peer: Peer, workers: Workers, seed: int) -> None:
    """Make one call; a failure is kept as such, and the others go on."""
    shape = result.case.shape
    job = {"mtry": shape.mtry, "nodesize": shape.nodesize, "coef_reg": shape.coef_reg, "seed": seed}
    job |= asdict(peer) | {"trees": peer.trees or shape.trees, "score": seed == 1}
    job["answer"] = str(workers.folder / f"{peer}.answer")
    try:
        call = Call(**workers.ask(peer.family, job))
    except CallError as error:
        print(f"{peer} failed: {error}", file=sys.stderr)
        result.failed.append(f"{peer}, seed {seed}")
        return
    result.calls.setdefault(peer, []).append(call)
    print(f"  {seed}: {peer}: {call.seconds:.3f} s", file=sys.stderr)
