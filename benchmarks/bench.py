"""Time whole calls of pyrrf beside R's RRF and ranger on the same data, and print a Markdown table.

Every call runs in a process of its own, after the data are loaded, with one thread. The peers take
turns, repeat by repeat, so that a slow minute of the machine falls on all of them.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Shape:
    """One row of the table: the size of the data and what is grown on it."""

    rows: int
    columns: int
    trees: int
    coef_reg: float = 0.9
    target: str = "classes"  # or "numbers": regression


@dataclass(frozen=True)
class Peer:
    """One engine: the command that times it, and whether its answer must equal pyrrf's."""

    command: tuple[str, ...]
    package: str
    identical: bool


@dataclass(frozen=True)
class Result:
    """What one shape gave: seconds and version by peer, and whether the answers were identical."""

    seconds: dict[str, list[float]]
    versions: dict[str, str]
    identical: bool


SHAPES = {
    "a": Shape(rows=100, columns=10_000, trees=1_000),
    "b": Shape(rows=20_000, columns=20, trees=50),
    "c": Shape(rows=2_000, columns=500, trees=100),
    "d": Shape(rows=8_000, columns=20, trees=50, target="numbers"),
    "e": Shape(rows=50_000, columns=20, trees=10, target="numbers"),
    "tiny": Shape(rows=60, columns=30, trees=20),
    "tiny numbers": Shape(rows=60, columns=30, trees=20, target="numbers"),
}
DEFAULT_SHAPES = ("a", "b", "c", "d", "e")

PEERS = {
    "pyrrf": Peer((sys.executable, "benchmarks/peer_pyrrf.py"), "pyrrf", identical=True),
    "CRAN RRF": Peer(("Rscript", "benchmarks/peer_rrf.R"), "RRF", identical=True),
    "ranger": Peer(("Rscript", "benchmarks/peer_ranger.R"), "ranger", identical=False),
}

ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def make_data(shape: Shape) -> tuple[np.ndarray, np.ndarray]:
    """Return x, normal, and y: five columns of x and noise, or the two classes of its sign."""
    generator = np.random.default_rng(1)
    x = generator.standard_normal((shape.rows, shape.columns))
    signal = x[:, :5].sum(axis=1) + generator.standard_normal(shape.rows)
    return x, signal if shape.target == "numbers" else (signal > 0).astype(float)


def write_data(folder: Path, shape: Shape) -> None:
    x, y = make_data(shape)
    x.ravel(order="F").tofile(folder / "x.bin")
    y.tofile(folder / "y.bin")
    (folder / "shape.json").write_text(json.dumps(asdict(shape)))


def has_r_package(package: str) -> bool:
    """Say whether Rscript is here and loads the package."""
    try:
        done = subprocess.run(["Rscript", "-e", f"library({package})"], capture_output=True, check=False)
    except FileNotFoundError:
        return False
    return done.returncode == 0


def available_peers() -> dict[str, Peer]:
    """Return the peers that can run here, and say which cannot."""
    here = {}
    for name, peer in PEERS.items():
        if peer.command[0] == "Rscript" and not has_r_package(peer.package):
            print(f"R package {peer.package} is not here: {name} is left out.", file=sys.stderr)
        else:
            here[name] = peer
    return here


def time_once(peer: Peer, folder: Path, seed: int) -> dict[str, str | float]:
    """Run one call in a process of its own and return what it reported."""
    done = subprocess.run(
        [*peer.command, str(folder), str(seed)],
        cwd=ROOT,
        env=os.environ | ONE_THREAD,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    report: dict[str, str | float] = json.loads(done.stdout.splitlines()[-1])
    return report


def same_answers(folder: Path, peers: dict[str, Peer]) -> bool:
    """Compare votes or predictions, importances and feature set, bit by bit, where they must agree."""
    answers = {(folder / f"{p.package}.bin").read_bytes() for p in peers.values() if p.identical}
    return len(answers) == 1


def measure(shape: Shape, peers: dict[str, Peer], repeats: int) -> Result:
    """Time every peer `repeats` times on one shape; repeat r uses seed r on every side."""
    seconds: dict[str, list[float]] = {name: [] for name in peers}
    versions: dict[str, str] = {}
    identical = True
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_data(folder, shape)
        for seed in range(1, repeats + 1):
            for peer_name, peer in peers.items():
                report = time_once(peer, folder, seed)
                seconds[peer_name].append(float(report["seconds"]))
                versions[peer_name] = f"{peer_name} {report['version']} ({report['language']})"
            identical &= same_answers(folder, peers)
    return Result(seconds, versions, identical)


def table_row(key: str, result: Result) -> str:
    """Return one row of the Markdown table: medians, then ratios to pyrrf."""
    shape = SHAPES[key]
    medians = {name: statistics.median(values) for name, values in result.seconds.items()}
    others = [name for name in medians if name != "pyrrf"]
    size = f"{shape.rows:,} x {shape.columns:,}, {shape.trees:,} trees, {shape.target}"
    cells = [key, size, *(f"{value:.3g}" for value in medians.values())]
    cells += [f"{medians[name] / medians['pyrrf']:.1f}" for name in others]
    if "CRAN RRF" in others:
        cells.append("yes" if result.identical else "NO")
    return "| " + " | ".join(cells) + " |"


def table(results: dict[str, Result], repeats: int) -> str:
    """Return the Markdown table with the versions and the machine below it."""
    first = next(iter(results.values()))
    others = [name for name in first.seconds if name != "pyrrf"]
    head = ["shape", "data", *(f"{name}, s" for name in first.seconds)]
    head += [f"{name} / pyrrf" for name in others]
    if "CRAN RRF" in others:
        head.append("identical to CRAN RRF")
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    lines += [table_row(key, result) for key, result in results.items()]
    lines += [
        "",
        f"Medians of {repeats} alternating repeats; whole calls, one thread; coefReg 0.9.",
        "ranger: regularization.factor=0.9, min.node.size=1 (numbers: 5), same mtry and trees, no importances.",
        "; ".join(first.versions.values()) + ".",
        machine(),
    ]
    return "\n".join(lines)


def machine() -> str:
    """Return processor, number of cores and system in one line."""
    model = platform.processor() or platform.machine()
    try:
        text = Path("/proc/cpuinfo").read_text()
        model = next(line for line in text.splitlines() if line.startswith("model name"))
        model = model.split(":", 1)[1].strip()
    except (OSError, StopIteration):
        pass
    return f"{model}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}."


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shape", action="append", choices=SHAPES, help="default: a to e")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--output", type=Path, help="write the table to this file too")
    options = parser.parse_args()
    peers = available_peers()
    results = {}
    for key in options.shape or DEFAULT_SHAPES:
        print(f"shape {key} ...", file=sys.stderr)
        results[key] = measure(SHAPES[key], peers, options.repeats)
    text = table(results, options.repeats)
    print(text)
    if options.output:
        options.output.write_text(text + "\n")
    return 0 if all(result.identical for result in results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
