"""What was measured, kept as JSON, one file for each case, so that some cases can be measured again."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.origin import ROOT
from benchmarks.peers import Peer
from benchmarks.runner import Call, Result
from benchmarks.shapes import Case

STORE = ROOT / "build" / "bench"
GROWTH, PICTURE = "growth.md", "scaling.svg"  # on the growth of cost, beside the cases
KEPT = ("equal", "failed", "origin", "wall", "others")  # fields of a result that JSON takes as they are


def save(result: Result, key: str, folder: Path) -> None:
    """Write what a case gave."""
    folder.mkdir(parents=True, exist_ok=True)
    calls = [{"peer": asdict(peer), "calls": [asdict(call) for call in made]} for peer, made in result.calls.items()]
    kept = {"shape": asdict(result.case.shape), "calls": calls}
    kept |= {name: getattr(result, name) for name in KEPT}
    (folder / f"{key}.json").write_text(json.dumps(kept, indent=1))


def load(key: str, case: Case, folder: Path) -> Result | None:
    """Return what a case gave; None where it was not measured, or was another shape then."""
    file = folder / f"{key}.json"
    if not file.exists():
        return None
    kept: dict[str, Any] = json.loads(file.read_text())
    if kept["shape"] != asdict(case.shape):
        return None
    calls = {Peer(**group["peer"]): [Call(**call) for call in group["calls"]] for group in kept["calls"]}
    return Result(case, calls, **{name: kept[name] for name in KEPT})


def load_all(cases: dict[str, Case], folder: Path) -> dict[str, Result]:
    """Return what is kept, in the order of the cases."""
    found = {key: load(key, case, folder) for key, case in cases.items()}
    return {key: result for key, result in found.items() if result is not None}


def clear(folder: Path) -> None:
    """Forget everything."""
    for file in folder.glob("*.json"):
        file.unlink()
