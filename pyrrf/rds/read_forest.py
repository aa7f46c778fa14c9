"""Reader of R's forests; their trees become one array, tree after tree."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from pyrrf._core.records import Trees
from pyrrf.data.inputs import Coded
from pyrrf.rds.objects import LIST, TEXT
from pyrrf.rds.parsed import kind, words
from pyrrf.rds.parts import Parts
from pyrrf.result.forest import Filler, Forest
from pyrrf.types import Floats, Ints


def read_forest(obj: Any, p: int) -> Forest:
    """Return the forest of a fit on p features.

    Raises
    ------
    DamagedError
        Parts are missing or contradict each other.
    ValueError
        The trees are damaged.
    """
    parts = Parts(obj, "forest")
    ncat = parts.integers("ncat").ravel("F")
    parts.check_shape("ncat", ncat, (p,))
    trees, combined = _trees(parts), kind(parts["nodestatus"]) == "REAL"
    coded = _factor_levels(parts, ncat)
    if "cutoff" not in parts:
        fillers = _fillers(parts.doubles("nodepred"), trees)
        forest = Forest(trees, ncat, coded, fillers=fillers, combined=combined)
    else:
        classes = parts.whole("nclass"), parts.vector("pid"), parts.vector("cutoff")
        forest = Forest(trees, ncat, coded, *classes, combined=combined)
    _ = forest.trees  # decoded here, so that damage is reported now
    return forest


def _trees(parts: Parts) -> Trees:
    sizes = parts.integers("ndbigtree").ravel("F").astype(np.int64)
    left, right = _daughters(parts)
    rows, ntree = left.shape
    parts.check_shape("ndbigtree", sizes, (ntree,))
    if len(sizes) and not 0 < sizes.min() <= sizes.max() <= rows:
        raise parts.damage("ndbigtree", "does not go with its trees")
    inside = np.arange(rows) < sizes[:, np.newaxis]

    def pack(name: str, values: np.ndarray) -> np.ndarray:
        parts.check_shape(name, values, (rows, ntree))
        return np.ascontiguousarray(values.T[inside])

    trees = Trees(
        offset=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        left=pack("treemap", left),
        split_var=pack("bestvar", parts.integers("bestvar")),
        split_point=pack("xbestsplit", parts.doubles("xbestsplit")),
        status=pack("nodestatus", parts.integers("nodestatus")),
        prediction=pack("nodepred", parts.doubles("nodepred")),
    )
    if not np.array_equal(pack("treemap", right), trees.right):
        raise parts.damage("treemap", "has daughters that are not neighbours")
    return trees


def _fillers(means: Floats, trees: Trees) -> tuple[Filler, ...]:
    """Return the numbers of R's matrix in rows without nodes: one number in the first rows, 0 in the others."""
    if np.count_nonzero(means) == np.count_nonzero(trees.prediction):  # only 0, as in fits of RRF
        return ()
    runs: list[Filler] = []
    for size, column in zip(np.diff(trees.offset).tolist(), means.T, strict=True):
        beyond = column[size:]
        filled = int(np.argmin(np.append(beyond, 0.0) == beyond[0])) if beyond.any() else 0
        filler = Filler(1, size + filled, float(beyond[0])) if filled else Filler(1, 0, 0.0)
        last = runs[-1] if runs else None
        if last and (replace(last, ntree=1) == filler or (not filled and size >= last.nrnodes)):
            runs[-1] = replace(last, ntree=last.ntree + 1)
        else:
            runs.append(filler)
    return tuple(runs) if any(run.nrnodes for run in runs) else ()


def _daughters(parts: Parts) -> tuple[Ints, Ints]:
    """Return the left and the right daughters, shape (nrnodes, ntree)."""
    if "treemap" not in parts:
        return parts.integers("leftDaughter"), parts.integers("rightDaughter")
    both = parts.integers("treemap")
    if both.ndim != 3 or both.shape[1] != 2:
        raise parts.damage("treemap", f"has shape {both.shape}")
    return both[:, 0, :], both[:, 1, :]


def _factor_levels(parts: Parts, ncat: Ints) -> dict[int, Coded]:
    """Return the levels of factors by column; ordered factors have an `ncat` of 1, as numbers."""
    if "xlevels" not in parts:
        return {}
    levels = parts["xlevels"]
    if kind(levels) != LIST or len(levels.value) != len(ncat):
        raise parts.damage("xlevels", "is not a list of as many levels as features")
    coded: dict[int, Coded] = {}
    for column, column_levels in enumerate(levels.value):
        if column_levels.type == TEXT:
            labels = tuple(words(column_levels))
            coded[column] = Coded("factor" if ncat[column] == len(labels) else "ordered", labels)
    return coded
