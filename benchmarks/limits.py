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
    "Making these numbers is 50 % of engine r's time; a bound rules out 25 % of such factors before their sets are "
    "evaluated. ranger orders the levels once."
)
_CLASSES = "Running sums by class over the sorted rows of every feature in F"
_LANES = "Classes counted in lanes"
_INEXACT = f"{_WEIGHT} where a feature leads at the end of a node or is in doubt"
_ENTROPY = "Entropy's penalty is on the gain, so that F is larger than Gini's; its filter passes more cuts."

# By the key of a case. Shares are of the time in C, in November 2026, of engine r.
LIMITS: dict[str, str] = {
    "a": _ENTROPY,
    "c": _ENTROPY,
    "factors": "Sums by level, and ordering the levels, in every node (not profiled again).",
    "n sparse": f"{_SORT}, 16 % of the time; ranks and bounds of eight features at once 26 %.",
    "n factors 32": _SETS,
    "y3 2": f"{_CLASSES}: 57 % with what is evaluated.",
    "y10": f"{_CLASSES}: 64 % with what is evaluated.",
    "y3 factors": _SETS,
    "y3 32 levels": _SETS,
    "factors 4": f"{_SETS} Class weights are not exact: 12 % sets evaluated in R's order.",
    "timestamps": f"{_INEXACT}: 26 % of the time.",
    "mixed": f"{_CLASSES} 36 %. {_INEXACT}: 16 %.",
    "counts 4 less 1": f"{_LANES} 24 %, cuts that pass 16 %. {_INEXACT}: 9 %.",
    "one hot less 1": f"{_LANES} 17 %, the cuts that pass 8 %. {_INEXACT}: 15 %.",
    "digits": f"{_LANES} 24 %, cuts counted one feature at a time 13 %, cuts that pass 15 %.",
    "spambase": "Counts by value 41 %, in columns of up to 256 values; the others have sorted lists.",
    "spambase whole": f"{_INEXACT}: 28 %; parting sorted lists 19 %, the filter of cuts 18 %.",
    "ada": "Columns of few rare values 24 %, bit planes and the rows laid out for them 28 %.",
    "waveform": f"{_CLASSES}: 63 % with what is evaluated.",
    "german": "Rows laid out for bit planes 28 %, counting in them 22 %: nodes are small.",
    "musk": f"The filter of cuts 21 %, counts by value 23 %. {_ENTROPY}",
    "colon": _ENTROPY,
    "prostate": _ENTROPY,
    "madelon": f"Counts by value 30 %, R's draws for 500 columns in every node 17 %. {_ENTROPY}",
    "million rows": "Ordinary: fetching ranks by row 23 %. LightGBM sees bins, and stops at 4,096 leaves.",
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
