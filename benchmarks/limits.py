"""What limits the cases whose goal is missed: what is counted in every run, and what profiles have shown."""

from __future__ import annotations

from benchmarks.peers import PARALLEL, PYRRF, Peer
from benchmarks.runner import Result

_WEIGHT = (
    "A class weight, (count / n) n / count, is not 1 but a unit in the last place beside it. R's sums then depend on "
    "the order of rows of equal value: engine r adds up row by row and cannot count values"
)
_SORT = (
    "Where responses differ among equal values, R's quicksort decides in which order they are added. Engine r finds "
    "that order for the features that may win"
)
_SETS = (
    "R draws 512 sets of levels, a number for each level, for every factor of more than ten levels in every node. "
    "Drawing them is 43 % of engine r's time; ranger orders the levels once."
)

# By the key of a case. Shares are of the time in C, in November 2026, mostly of engine r.
LIMITS: dict[str, str] = {
    "c2": "Sorted lists of rows: 19 % the filter of cuts, 18 % parting the lists, 18 % what a feature costs once.",
    "integers": f"{_WEIGHT}.",
    "counts": "Counts by value 19 %, rows laid out for bit planes 16 %, vectors over F 18 %.",
    "factors": "In engine parallel, sums by level 17 %, ordering the levels of every node 17 %.",
    "n0": f"{_SORT}, 20 % of the time.",
    "n binary": f"{_SORT}, 16 % of the time; ranks and bounds of eight features at once 26 %.",
    "n counts": f"{_SORT}, 19 % of the time; bounds of eight features at once 24 %.",
    "n sparse": f"{_SORT}, 19 % of the time; ranks and bounds of eight features at once 30 %.",
    "n factors": "Means of levels 19 %, sorting them 12 %, R's order of rows 13 %.",
    "y3 0": f"{_WEIGHT}: 28 % of the time, and 21 % the filter of cuts.",
    "y3 2": "Running sums by class over the sorted rows of every feature in F: 49 % with what is evaluated.",
    "y10 binary": "Counting the cases on the left of each cut, feature by feature: 67 %.",
    "y3 factors": _SETS,
    "y3 32 levels": _SETS,
    "spambase": "Counts by value 36 %, in columns of up to 256 values; the others have sorted lists.",
    "ada": "Bit planes and the rows laid out for them 25 %.",
    "waveform": "Running sums by class over the sorted rows of every feature in F: 57 % with what is evaluated.",
    "madelon": "Counts by value 30 %, R's draws for 500 columns in every node 17 %.",
}


def looked_at(result: Result) -> str:
    """Say how many features a node looks at; in regression engine r and ranger look at as many."""
    shape = result.case.shape
    for family in (PYRRF, PARALLEL):
        used = result.median(Peer(family, True, 1), lambda call: call.features)
        if used is not None and not shape.numbers:
            return (
                f"F reached {used:.0f} of {shape.columns:,} columns; a node looks at all of F and {shape.mtry} others "
                f"where it has them, ranger at {shape.mtry}."
            )
    return ""
