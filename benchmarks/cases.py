"""The cases: shapes and kinds of data, which tables they are in, and who is not called on them."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.peers import CRAN, ENTROPY, INTELEX, LIGHTGBM, MTRY, PYRRF, RANGER, SKLEARN
from benchmarks.shapes import SHAPES, Case, Shape

NORMAL, CLASSES, NUMBERS, SEVERAL, COMMON, REAL, LARGE = (
    "Columns without ties",
    "Two classes",
    "Regression",
    "Three and ten classes",
    "As data often are",
    "Real data",
    "Large",
)

_A_TO_G = {"a": 75, "b": 70, "c": 65, "d": 50, "e": 85, "f": 290, "g": 70}
CASES = {key: Case(SHAPES[key], NORMAL, expected, memory=True, threads=True) for key, expected in _A_TO_G.items()}


def _add(group: str, expected: int = 22, pair_trees: int | None = None, **cases: Shape) -> None:
    for name, shape in cases.items():
        key = name.replace("_", " ")
        CASES[key] = Case(shape, group, expected, pair_trees=pair_trees)


def _few(rows: int, columns: int, trees: int, kind: str, target: str = "classes") -> Shape:
    return Shape(rows, columns, trees, target=target, kind=kind)


_add(
    CLASSES,
    c6=_few(12_000, 20, 20, "6 decimals"),
    c4=_few(12_000, 20, 20, "4 decimals"),
    c2=_few(20_000, 20, 25, "2 decimals"),
    c0=_few(20_000, 20, 50, "0 decimals"),
    integers=_few(20_000, 40, 35, "integers 0 to 99"),
    binary=_few(10_000, 50, 100, "binary"),
    counts=_few(20_000, 20, 30, "counts"),
    sparse=_few(10_000, 50, 80, "counts, mostly 0"),
    factors=_few(12_000, 30, 30, "factors of 5 and 25"),
)
_add(CLASSES, 45, genotypes_500=_few(500, 20_000, 80, "genotypes"), pair_trees=40)
_add(CLASSES, 45, genotypes_5000=_few(5_000, 2_000, 20, "genotypes"), pair_trees=10)
_add(
    NUMBERS,
    24,
    n6=_few(12_000, 20, 10, "6 decimals", "numbers"),
    n4=_few(12_000, 20, 10, "4 decimals", "numbers"),
    n2=_few(20_000, 20, 10, "2 decimals", "numbers"),
    n0=_few(20_000, 20, 25, "0 decimals", "numbers"),
    n_integers=_few(20_000, 40, 12, "integers 0 to 99", "numbers"),
    n_binary=_few(10_000, 50, 40, "binary", "numbers"),
    n_counts=_few(20_000, 20, 12, "counts", "numbers"),
    n_sparse=_few(10_000, 50, 40, "counts, mostly 0", "numbers"),
    n_factors=_few(12_000, 30, 10, "factors of 5 and 25", "numbers"),
    n_response=_few(20_000, 20, 8, "normal", "numbers, 1 decimal"),
    n2_response=_few(20_000, 20, 10, "2 decimals", "numbers, 1 decimal"),
)
_add(NUMBERS, 45, n_genotypes=_few(500, 20_000, 4, "genotypes", "numbers"), pair_trees=2)
_add(NUMBERS, 55, e6_interaction=_few(50_000, 20, 5, "6 decimals", "numbers, interaction"))
_add(
    SEVERAL,
    y3=_few(12_000, 20, 15, "normal", "3 classes"),
    y3_2=_few(12_000, 20, 25, "2 decimals", "3 classes"),
    y3_0=_few(12_000, 20, 50, "0 decimals", "3 classes"),
    y3_factors=_few(5_000, 30, 20, "factors of 5 and 25", "3 classes"),
    y3_32_levels=_few(2_000, 10, 6, "factors of 32", "3 classes"),
    y3_33_levels=_few(2_000, 10, 6, "factors of 33", "3 classes"),
    y10=_few(12_000, 20, 12, "normal", "10 classes"),
    y10_0=_few(12_000, 20, 40, "0 decimals", "10 classes"),
    y10_binary=_few(5_000, 50, 60, "binary", "10 classes"),
)
_add(SEVERAL, 40, y3_genotypes=_few(500, 20_000, 60, "genotypes", "3 classes"), pair_trees=30)
# Engine r and CRAN RRF take factors up to 32 levels.
CASES["y3 33 levels"] = replace(CASES["y3 33 levels"], without=(PYRRF, CRAN))


def _less(shape: Shape, rows: int = 1) -> Shape:
    return replace(shape, rows=shape.rows - rows, less=rows)


# (count / n) n / count is 1 for each class of these, and not once a row is left out; engine r then adds in R's order.
_EXACT = {
    "one hot": _few(4_507, 95, 40, "one-hot", "5 classes"),
    "likert": _few(4_591, 40, 50, "Likert", "5 classes"),
    "counts 4": _few(10_001, 20, 30, "counts", "4 classes"),
    "binary 2": _few(10_006, 50, 100, "binary"),
}
_add(
    COMMON,
    **_EXACT,
    **{f"{name} less 1": _less(shape) for name, shape in _EXACT.items()},
    y10_binary_less_1=_less(CASES["y10 binary"].shape),
    factors_4=_few(4_000, 24, 15, "factors of 5 to 32", "4 classes"),
    timestamps=_few(10_000, 12, 25, "timestamps", "3 classes"),
    n_one_hot=_few(4_507, 95, 15, "one-hot", "numbers"),
    n_likert=_few(4_591, 40, 20, "Likert", "numbers"),
    n_timestamps=_few(10_000, 12, 10, "timestamps", "numbers"),
    n_mixed=_few(20_000, 50, 4, "mixed", "numbers"),
    n_factors_32=_few(4_000, 24, 15, "factors of 5 to 32", "numbers"),
)
_LINKED = _few(519, 10_000, 60, "genotypes in linkage", "3 classes")
_add(COMMON, 45, linked=_LINKED, linked_less_1=_less(_LINKED), pair_trees=30)
_add(COMMON, 45, n_linked=_few(519, 10_000, 5, "genotypes in linkage", "numbers"), pair_trees=3)
_add(COMMON, 80, mixed=_few(200_000, 50, 4, "mixed", "3 classes"))

# Two thirds of the rows of each file of the folder that was named; no folder, no such cases.
_add(
    REAL,
    16,
    pair_trees=300,  # of CRAN RRF, whose time grows by columns times trees
    colon=_few(41, 2_000, 2_000, "colon"),
    srbct=_few(42, 2_308, 2_000, "srbct"),
    leukemia=_few(25, 3_051, 2_000, "leukemia"),
    prostate=_few(68, 6_033, 1_000, "prostate"),
)
_add(
    REAL,
    16,
    spambase=_few(3_067, 57, 100, "spambase"),
    ada=_few(2_764, 48, 200, "ada"),
    waveform=_few(3_333, 21, 60, "waveform"),
)
_SPAMBASE, _WAVEFORM = _few(4_601, 57, 80, "spambase"), _few(5_000, 21, 50, "waveform")
_add(
    REAL,
    16,
    spambase_sorted=replace(_few(3_067, 57, 100, "spambase"), order="sorted"),
    spambase_whole=replace(_SPAMBASE, order="whole"),
    spambase_whole_less_1=_less(replace(_SPAMBASE, order="whole")),
    waveform_whole=replace(_WAVEFORM, order="whole"),
    waveform_whole_less_1=_less(replace(_WAVEFORM, order="whole")),
    german=replace(_few(1_000, 24, 200, "german_numeric"), order="whole"),
    musk=replace(_few(476, 166, 200, "musk"), order="whole"),
    musk_less_81=_less(replace(_few(476, 166, 200, "musk"), order="whole"), 81),
    digits=_few(1_198, 64, 100, "digits"),
)
_add(REAL, 30, madelon=_few(1_333, 500, 60, "madelon"), mnist_t10k=_few(6_666, 784, 20, "mnist_t10k"))

CASES["integers, 100,000 rows"] = Case(_few(100_000, 40, 20, "integers 0 to 99"), LARGE, 60)
CASES["million rows"] = Case(Shape(1_000_000, 20, 2), LARGE, 120, memory=True, without=(CRAN, ENTROPY))
CASES |= {
    "200,000 x 30": Case(Shape(200_000, 30, 10), LARGE, 90, without=(CRAN, ENTROPY)),
    "million x 30": Case(Shape(1_000_000, 30, 3), LARGE, 300, without=(CRAN, ENTROPY)),
    "n 400,000 x 30": Case(Shape(400_000, 30, 3, target="numbers"), LARGE, 200, without=(CRAN,)),
}
CASES["million columns"] = Case(
    Shape(100, 1_000_000, 50),
    LARGE,
    120,
    memory=True,
    pair_trees=10,
    without=(INTELEX, ENTROPY),
)
CASES["memory map"] = Case(
    Shape(2_000_000, 100, 1, mapped=True),
    LARGE,
    130,
    memory=True,
    without=(PYRRF, CRAN, RANGER, SKLEARN, INTELEX, ENTROPY, MTRY),
)
# Two regularized calls and three ordinary ones; ranger, whose tables hold doubles, would take 10 GB.
CASES["ten million rows"] = Case(
    Shape(10_000_000, 20, 1, mapped=True),
    LARGE,
    900,
    memory=True,
    without=(PYRRF, CRAN, RANGER, INTELEX, ENTROPY, MTRY),
    asked=True,
)

# LightGBM takes long where trees are deep, and for a tree for each of many classes.
_BINNED = [*"b d e f c2 c0 binary factors n2 spambase madelon".split(), "y3 0", "million rows", "memory map"]
for _key, _case in CASES.items():
    if _key not in _BINNED:
        CASES[_key] = replace(_case, without=(*_case.without, LIGHTGBM))


def _tiny(case: Case) -> Case:
    shape = replace(case.shape, rows=90, columns=min(case.shape.columns, 30), trees=6)
    pair = case.pair_trees and 4
    return replace(case, shape=shape, pair_trees=pair, expected=5, memory=case.shape.mapped, asked=False)


QUICK_CASES = {f"tiny {key}": _tiny(case) for key, case in CASES.items() if case.group != REAL}
QUICK_CASES |= {
    f"few trees {key}": replace(case, shape=replace(case.shape, trees=4), pair_trees=None, expected=10)
    for key, case in CASES.items()
    if case.group == REAL
}
