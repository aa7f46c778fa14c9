"""The command, run in this process on small tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_wine

runner = pytest.importorskip("typer.testing").CliRunner()

# 40 rows: y follows a, b is beside it.
ROWS = [f"{i % 7},{i * 37 % 11},{'u' if i % 7 > 3 else 'v'}" for i in range(40)]
GOOD = "\n".join(["a,b,y", *ROWS, ""])
WINE = load_wine(as_frame=True).frame.rename(columns={"target": "cultivar"})
WINE["cultivar"] = np.array(["barolo", "grignolino", "barbera"])[WINE["cultivar"]]
# The first columns are left out, so that fewer sizes are tried.
FEW = WINE.iloc[:, 8:]
DIABETES = load_diabetes(as_frame=True).frame


def run(*arguments: str, **how: Any) -> Any:
    """What `pyrrf select` answers, by GRRF unless it is told; few trees, so that it is quick."""
    from pyrrf.cli.app import app

    method = [] if "--method" in arguments else ["--method", "grrf"]
    return runner.invoke(app, ["select", "--trees", "3", *method, *arguments], **how)


def run_on(folder: Path, content: str | bytes, *more: str, name: str = "d.csv", target: str = "y") -> Any:
    """The answer to a file of this content, with gamma given."""
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return run(str(folder / name), "--target", target, "--gamma", "0.5", *more)


def refused(result: Any, code: int, *words: str) -> None:
    """It says what is wrong on standard error, and nothing on standard output."""
    assert (result.exit_code, result.stdout) == (code, ""), result.output
    complaint = result.stderr
    assert [word for word in words if word not in complaint] == [], complaint
