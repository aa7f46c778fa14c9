"""When, with which state of the project and on which machine something was measured."""

from __future__ import annotations

import datetime
import os
import platform
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def machine() -> str:
    """Return processor, number of cores and system in one line."""
    model = platform.processor() or platform.machine()
    try:
        text = Path("/proc/cpuinfo").read_text()
        model = next(line for line in text.splitlines() if line.startswith("model name"))
        model = model.split(":", 1)[1].strip()
    except (OSError, StopIteration):
        pass
    return f"{model}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}"


def commit() -> str:
    """Return the commit, and whether what is measured differs from it."""
    if shutil.which("git") is None:
        return "commit unknown"
    here = {"cwd": ROOT, "capture_output": True, "text": True, "check": False}
    named = subprocess.run(["git", "rev-parse", "--short", "HEAD"], **here)
    if named.returncode != 0:
        return "commit unknown"
    changed = subprocess.run(["git", "status", "--porcelain", "pyrrf", "src_c", "meson.build"], **here).stdout
    return f"commit {named.stdout.strip()}" + (" with changes" if changed else "")


def origin() -> str:
    """Return date, commit and machine."""
    return f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d}, {commit()}, {machine()}"
