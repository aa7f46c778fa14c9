"""`python -m pyrrf.testing.trace SCRIPT RESULT`: run a script, and keep the forests that it grows.

A process of its own, so that the script is the main module, may end as it likes, and can be stopped.
"""

from __future__ import annotations

import pickle
import runpy
import sys
from dataclasses import replace
from pathlib import Path

from pyrrf.fit.watch import GrownForest, watching


def main(script: str, result: str) -> None:
    """Run a script and write the forests as a list of `GrownForest`; what the script prints goes where it would."""
    grown: list[GrownForest] = []
    sys.argv = [script]
    sys.path[0] = str(Path(script).resolve().parent)
    try:
        with watching(lambda one: grown.append(_portable(one))):
            runpy.run_path(script, run_name="__main__")
    finally:
        Path(result).write_bytes(pickle.dumps(grown))


def _portable(grown: GrownForest) -> GrownForest:
    """Return a forest without what cannot be pickled: functions among the arguments, ranks in the core."""
    call = replace(grown.task.call, na_action="na_fail")
    return replace(grown, task=replace(grown.task, call=call, ranks=None))


if __name__ == "__main__":
    main(*sys.argv[1:])
