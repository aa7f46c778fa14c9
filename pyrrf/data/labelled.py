"""Cutoffs and weights of the classes, in their order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from pyrrf.data.alignment import numbers_by_name
from pyrrf.errors import bad
from pyrrf.types import Floats, PerLabel

# R's message.
_WRONG_CUTOFF = "Incorrect cutoff specified."


def resolve_cutoff(cutoff: PerLabel | None, classes: Sequence[Any]) -> Floats:
    """Return R's cutoff: one positive value per class, with a sum of at most 1; 1/k by default."""
    k = len(classes)
    if cutoff is None:
        return np.full(k, 1.0 / k)
    values = numbers_by_name(cutoff, "cutoff", classes, "class")
    if len(values) != k:
        raise bad.length(f"cutoff has {len(values)} values; pass one for each of {k} classes", in_r=_WRONG_CUTOFF)
    total = math.fsum(values)
    if (values <= 0).any() or total > 1:
        raise bad.range(
            f"cutoff must hold positive values that sum to at most 1, not {values.tolist()}, which sum to {total!r}",
            in_r=_WRONG_CUTOFF,
        )
    return values


def resolve_classwt(classwt: PerLabel | None, classes: Sequence[Any]) -> Floats | None:
    """Return positive class weights in the order of the classes; they need not sum to 1."""
    if classwt is None:
        return None
    values = numbers_by_name(classwt, "classwt", classes, "class")
    if len(values) != len(classes):
        raise bad.length(
            f"classwt has {len(values)} values; pass one for each of {len(classes)} classes",
            in_r="length of classwt not equal to number of classes",
        )
    if (values <= 0).any():
        raise bad.range(f"classwt must be positive, not {values.tolist()}", in_r="classwt must be positive")
    return values
