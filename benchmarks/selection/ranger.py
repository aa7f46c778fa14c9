"""ranger's regularized forests, by R."""

from __future__ import annotations

import atexit
import functools
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks.jobs.helper import Helper
from benchmarks.selection.cases import Part
from benchmarks.selection.kept import LIMIT, Kept, PastLimit

TREES = 500


@functools.cache
def running() -> Helper:
    """Return the process of R with ranger of this process, which ends with it."""
    if shutil.which("Rscript") is None:
        raise FileNotFoundError("R is not here: apt-get install --no-install-recommends r-cran-ranger")
    helper = Helper("ranger", ["Rscript", "--vanilla", str(Path(__file__).with_name("ranger.R"))])
    atexit.register(helper.close)
    return helper


def ranger(part: Part, factors: Sequence[float], seed: int) -> Iterator[tuple[float, Kept]]:
    """Ranger with its defaults, by regularization.factor; features that its trees split by."""
    with tempfile.TemporaryDirectory(prefix="ranger-") as folder:
        part.x.ravel(order="F").tofile(f"{folder}/x.bin")
        Path(folder, "y.csv").write_text("\n".join(map(str, part.y.tolist())) + "\n")
        asked = ",".join(map(str, factors))
        answers = running().ask(folder, str(seed), str(TREES), asked, str(LIMIT), str(part.numeric)).split(";")
    # There is one answer for each factor that was begun in time.
    for factor, answer in zip(factors, filter(None, answers), strict=False):
        seconds, columns = (field.split() for field in answer.split("|"))
        yield factor, Kept(np.array(columns, int), float(seconds[0]))
    if len(answers) < len(factors):
        raise PastLimit
