"""Recorded answers: one JSON file a case, and a manifest that says where they come from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from parity.answers import Answer, answer_from_json, answer_to_json
from parity.datasets import load
from parity.steps import Case, case_digest

RECORDED = Path(__file__).parent / "recorded"
MANIFEST = RECORDED / "manifest.json"


def digest(item: Case) -> str:
    """Digest of a case and its data; recorded answers belong to one digest."""
    return case_digest(item, load(item.data).digest())


def write_answers(item: Case, answers: list[Answer]) -> None:
    """Store R's answers to a case, one step per line."""
    lines = ",\n".join(json.dumps(answer_to_json(a), separators=(",", ":")) for a in answers)
    (RECORDED / f"{item.name}.json").write_text(f"[\n{lines}\n]\n")


def read_answers(item: Case) -> list[Answer]:
    """R's answers as recorded."""
    return [answer_from_json(plain) for plain in json.loads((RECORDED / f"{item.name}.json").read_text())]


def read_manifest() -> dict[str, Any]:
    """Versions that the answers were recorded with, and the digest of each case."""
    return json.loads(MANIFEST.read_text())


def write_manifest(versions: dict[str, str], digests: dict[str, str]) -> None:
    """Store versions and digests, cases in alphabetical order."""
    plain = {"versions": versions, "cases": dict(sorted(digests.items()))}
    MANIFEST.write_text(json.dumps(plain, indent=1) + "\n")
