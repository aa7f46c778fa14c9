"""`python -m pyrrf.testing.trace SCRIPT RESULT`: run a script and write the forests that it grows to a file.

The script runs in a process of its own, so that it is the main module, may exit, and can be killed.
"""

from __future__ import annotations

import pickle
import runpy
import sys
from dataclasses import replace
from pathlib import Path

from pyrrf.fit.callbacks import GrownForest, watching


def main(script: str, result: str) -> None:
    """Run a script and write its forests as a list of `GrownForest`; the output of the script is not redirected."""
    forests: list[GrownForest] = []
    sys.argv = [script]
    sys.path[0] = str(Path(script).resolve().parent)
    try:
        with watching(lambda forest: forests.append(_picklable(forest))):
            runpy.run_path(script, run_name="__main__")
    finally:
        Path(result).write_bytes(pickle.dumps(forests))


def _picklable(grown: GrownForest) -> GrownForest:
    """Return a forest without unpicklable parts: functions in the arguments, ranks in the core."""
    call = replace(grown.task.call, na_action="na_fail")
    return replace(grown, task=replace(grown.task, call=call, ranks=None))


if __name__ == "__main__":
    main(*sys.argv[1:])
