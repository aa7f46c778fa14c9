"""Without its extras pyrrf is imported, its examples run, and what needs an extra names it, as in the tried wheels."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
# What the extras bring, also by way of others.
LIBRARIES = """
cloudpickle dask distributed jinja2 joblib libcst matplotlib polars pyarrow pytest rich scipy sklearn
tqdm tree_sitter_language_pack typer
"""
SCRIPT = """
import sys
sys.modules |= dict.fromkeys(sys.argv[2:])
sys.path.insert(0, sys.argv[1])
import dist_smoke
ran, lacking = dist_smoke.check_examples()
print(ran > 100, *sorted(lacking))
"""


def test_what_needs_an_extra_names_it() -> None:
    call = [sys.executable, "-W", "ignore", "-c", SCRIPT, str(ROOT / "tools"), *LIBRARIES.split()]
    ran = subprocess.run(call, capture_output=True, text=True, check=False, cwd=ROOT)
    assert ran.stdout == "True cli migrate plot sklearn test\n", ran.stdout + ran.stderr
