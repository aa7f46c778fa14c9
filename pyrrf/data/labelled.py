"""Numbers that go with labels: cutoffs and weights of classes, sizes of strata."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import error_of_r, numbers
from pyrrf.rbase.numbers import label
from pyrrf.types import Floats, PerLabel

# What R says.
_WRONG_CUTOFF = "Incorrect cutoff specified."


def named_vector(values: PerLabel, levels: Sequence[Any], name: str, of: str) -> Floats:
    """Return numbers in the order of `levels`; a dict or labelled Series is matched by label.

    Parameters
    ----------
    values : array_like, dict or Series
        A Series whose index is a default RangeIndex counts as unlabelled.
    levels : sequence
        Labels in R's order.
    name, of : str
        Argument and kind of label (class, stratum) that messages show.

    Returns
    -------
    ndarray of float64, shape (k,)
        Unlabelled values are returned as they are, of any length.

    Raises
    ------
    ValueError
        The labels differ from `levels`.
    """
    if isinstance(values, Mapping):
        values = pd.Series(list(values.values()), index=pd.Index(list(values), dtype=object))
    if not isinstance(values, pd.Series) or isinstance(values.index, pd.RangeIndex):
        return numbers(values, name)
    labels = values.index.tolist()
    if set(labels) != set(levels):
        labels = _by_spelling(labels, levels)
    if len(labels) != len(levels) or set(labels) != set(levels):
        raise ValueError(f"{name} has labels {labels}; give each {of} once: {list(levels)}")
    return numbers([values.iloc[labels.index(level)] for level in levels], name)


def _by_spelling(labels: Sequence[Any], levels: Sequence[Any]) -> list[Any]:
    """Return the levels that R spells as the labels, where names are text: "0" and "1" for the classes 0 and 1."""
    places = {label(level): level for level in levels}
    return [places.get(label(own), own) for own in labels] if len(places) == len(levels) else list(labels)


def resolve_cutoff(cutoff: PerLabel | None, classes: Sequence[Any]) -> Floats:
    """Return R's cutoff: one positive value per class, with a sum of at most 1; 1/k by default."""
    k = len(classes)
    if cutoff is None:
        return np.full(k, 1.0 / k)
    values = named_vector(cutoff, classes, "cutoff", "class")
    if len(values) != k:
        raise error_of_r(f"cutoff has {len(values)} values; pass one for each of {k} classes", _WRONG_CUTOFF)
    total = math.fsum(values)
    if (values <= 0).any() or total > 1:
        raise error_of_r(
            f"cutoff must hold positive values that sum to at most 1, not {values.tolist()}, which sum to {total!r}",
            _WRONG_CUTOFF,
        )
    return values


def resolve_classwt(classwt: PerLabel | None, classes: Sequence[Any]) -> Floats | None:
    """Return positive class weights in the order of the classes; they need not sum to 1."""
    if classwt is None:
        return None
    values = named_vector(classwt, classes, "classwt", "class")
    if len(values) != len(classes):
        raise ValueError(f"classwt has {len(values)} values; pass one for each of {len(classes)} classes")
    if (values <= 0).any():
        raise ValueError(f"classwt must be positive, not {values.tolist()}")
    return values
