"""What limits the cases whose goal is missed: what profiles have shown, as of November 2026."""

from __future__ import annotations

# How much of the columns F holds is counted in every run; goals.py adds it.
LIMITS: dict[str, tuple[str, ...]] = {
    "R draws 512 sets of levels, a number for each level, for every factor of more than ten levels in every node, "
    "where ranger orders the levels once": ("y3 factors", "y3 32 levels", "factors 4", "n factors 32"),
    "Class weights, (count / n) n / count, are not 1 but a unit in the last place off. R's sums then depend on the "
    "order of rows of equal value, so that engine r adds up row by row and cannot count values": (
        "timestamps", "mixed", "counts 4 less 1", "one hot less 1", "factors 4", "spambase whole",
    ),
    "Running sums by class over the sorted rows of every feature in F are half of the time and more": (
        "y3 2", "y10", "waveform", "mixed",
    ),
    "Entropy's penalty is on the gain, so that F is larger than Gini's, and its filter passes more cuts": (
        "a", "c", "musk", "colon", "prostate", "madelon",
    ),
    "Values are counted, or rows laid out for counting, in small nodes": ("spambase", "ada", "german", "digits"),
    "Ranks are fetched by row from more memory than the cache has; LightGBM sees bins, and stops at 4,096 leaves": (
        "million rows",
    ),
    "oneDAL's 256 bins do not separate such values: its trees have a third to a fifth of the leaves of exact ones": (
        "timestamps", "n timestamps",
    ),
}  # fmt: skip
