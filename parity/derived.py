"""Cases of randomForest() made of those of RRF(): the same data, stream and questions."""

from __future__ import annotations

from dataclasses import replace

from parity.steps import Case, Step

# Arguments that RRF has and randomForest has not.
OF_RRF = ("coefReg", "flagReg", "feaIni")
# The function of randomForest for each of RRF.
OTHERS = {"RRF": "randomForest", "rrfcv": "rfcv", "tuneRRF": "tuneRF", "rrfImpute": "rfImpute"}


def for_random_forest(item: Case) -> Case:
    """The case with randomForest() and its companions in place of RRF() and those of RRF."""
    return Case(f"forest_{item.name}", item.data, tuple(_step(step) for step in item.steps), item.collate)


def _step(step: Step) -> Step:
    if step.verb not in OTHERS:
        return step
    args = {name: value for name, value in step.args.items() if name not in OF_RRF}
    keep = None if step.keep is None else tuple(name for name in step.keep if name not in ("feaSet", "coefReg"))
    return replace(step, verb=OTHERS[step.verb], args=args, keep=keep)
