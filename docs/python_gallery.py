"""Settings of sphinx-gallery for the Python examples: their order, and that a warning in one is an error."""

from __future__ import annotations

import contextlib
import warnings
from pathlib import Path
from typing import Any

ORDER = [
    "genes", "pipeline", "costs", "groups", "stability", "path", "report", "rules", "trees", "proximity", "large",
    "polars_table", "cluster",
]  # fmt: skip


def position(name: str) -> int:
    """Return the place of an example; one that the list above lacks is an error."""
    return ORDER.index(Path(name).stem)


_running = contextlib.ExitStack()


def strict(conf: dict[str, Any], file: str, when: str) -> None:
    """Let warnings be errors while an example runs."""
    if when == "before":
        _running.enter_context(warnings.catch_warnings(action="error"))
    else:
        _running.close()


CONF = {
    "examples_dirs": "../examples/gallery",
    "gallery_dirs": "_examples",
    "filename_pattern": r"\.py$",
    "within_subsection_order": "python_gallery.position",
    "reset_modules": ("matplotlib", "python_gallery.strict"),
    "reset_modules_order": "both",
    # Also if only pyrrf has changed.
    "run_stale_examples": True,
    # What is shown is what is printed.
    "capture_repr": (),
    # Names in the code are links to their pages.
    "doc_module": ("pyrrf",),
    "reference_url": {"pyrrf": None},
    "show_signature": False,
    "write_computation_times": False,
}
