"""Answers on disk, one JSON file a job, so that a run that was killed goes on where it was."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchmarks.jobs.job import Answers, Job
from benchmarks.origin import commit, machine


def origin() -> dict[str, str]:
    """Return what an answer is made with and on."""
    return {"commit": commit(), "machine": machine()}


def origins(made: list[dict[str, str]], engine: str = "") -> str:
    """Say with which engine and states of the project, and on which machines, the answers were made."""
    parts = [f"Engine {engine}"] if engine else []
    parts += sorted({one["commit"] for one in made}) + sorted({one["machine"] for one in made})
    return "; ".join(parts) + "." if parts else ""


def file_of(folder: Path, job: Job) -> Path:
    """Return the file of a job."""
    return folder / f"{job.key}.json"


def save(folder: Path, job: Job, answer: Any, seconds: float, made: dict[str, str]) -> None:
    """Write an answer whole or not at all."""
    file = file_of(folder, job)
    file.parent.mkdir(parents=True, exist_ok=True)
    # A NaN would be no JSON; None is what a missing figure is.
    kept = json.dumps({"args": job.args, "seconds": seconds, "made": made, "answer": answer}, allow_nan=False)
    with tempfile.NamedTemporaryFile("w", dir=file.parent, prefix=".", delete=False) as stream:
        stream.write(kept)
    os.replace(stream.name, file)


def load(folder: Path, job: Job) -> dict[str, Any] | None:
    """Return what is kept of a job; None where nothing is, or where its arguments were others."""
    try:
        kept: dict[str, Any] = json.loads(file_of(folder, job).read_text())
    except FileNotFoundError:
        return None
    return kept if kept["args"] == json.loads(json.dumps(job.args)) else None


def load_all(folder: Path, jobs: Iterable[Job]) -> tuple[Answers, list[dict[str, str]]]:
    """Return the answers at hand, in the order of the jobs, and by what they were made."""
    kept = {job.key: record for job in jobs if (record := load(folder, job)) is not None}
    answers = {key: record["answer"] for key, record in kept.items()}
    seconds = {key: record["seconds"] for key, record in kept.items()}
    return Answers(answers, seconds), [record["made"] for record in kept.values()]
