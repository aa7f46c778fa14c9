"""Random values for each feature, class or stratum: in the right order, or refused; never another answer in silence."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from pyrrf.data.alignment import by_name
from pyrrf.rbase.numbers import label

# A number in the environment draws others.
SEEDS = [int(os.environ.get("DRAWN_SEED", "0")) * 1000 + at for at in (1, 2)]
DRAWS = 300
WORDS = ["a", "b", "ab", "0", "1", "2", "TRUE", "10", "", " a", "é", "NA"]
LABELS: dict[str, Any] = {
    "words": lambda rng, k: rng.choice(WORDS, k, replace=False).tolist(),
    "counted": lambda rng, k: list(range(k)),
    "whole": lambda rng, k: rng.choice(range(-2, 9), k, replace=False).tolist(),
    "counted otherwise": lambda rng, k: rng.permutation(k).tolist(),
    "counted words": lambda rng, k: [str(one) for one in rng.permutation(k)],
    "fractions": lambda rng, k: rng.choice([0.0, 1.0, 0.1, 2.5, 1e5, -3.0, 1e-9], k, replace=False).tolist(),
    "truth values": lambda rng, k: [False, True],
}


@dataclass(frozen=True)
class Drawn:
    """Values for labels in some dress, and what is meant; None where it must be refused."""

    labels: list[Any]
    given: Any
    meant: list[Any] | None

    def __repr__(self) -> str:
        return f"{self.labels} <- {type(self.given).__name__} {self.given!r}: {self.meant}"


def drawn(rng: np.random.Generator, unit: float = 1.0) -> Drawn:
    """Draw labels, and values for them in some dress."""
    labels = LABELS[str(rng.choice(list(LABELS)))](rng, int(rng.integers(2, 6)))
    values = (unit * (rng.permutation(len(labels)) + 1.0)).tolist()
    dress = str(rng.choice(["list", "array", "counted", "cut", "dict", "series", "frame", "category"]))
    if dress in ("list", "array", "counted"):
        dressed = {"list": list, "array": np.array, "counted": pd.Series}[dress](values)
        return Drawn(labels, dressed, positional(labels, values) if dress == "counted" else values)
    if dress == "cut":  # a part of a longer Series, or the reverse of one
        series = pd.Series(values + values)
        part = series.iloc[len(labels) :] if rng.random() < 0.5 else series.iloc[: len(labels)][::-1]
        return Drawn(labels, part, by_names(labels, part.index.tolist(), part.tolist()))
    names, values = spoiled(rng, labels, values)
    order = rng.permutation(len(names))
    names, values = [names[at] for at in order], [values[at] for at in order]
    if dress == "dict":
        pairs = dict(zip(names, values, strict=True))
        return Drawn(labels, pairs, by_names(labels, list(pairs), list(pairs.values())))
    index = pd.Index(names, dtype="category" if dress == "category" else object)
    series = pd.Series(values, index)
    return Drawn(labels, series.to_frame() if dress == "frame" else series, by_names(labels, names, values))


def spoiled(rng: np.random.Generator, labels: list[Any], values: list[Any]) -> tuple[list[Any], list[Any]]:
    """Draw what is wrong with names: nothing in half of the draws, and their text in some."""
    names, wrong = list(labels), rng.random()
    if wrong < 0.1:
        names[0] = names[1]
    elif wrong < 0.2:
        names[0] = "z?"
    elif wrong < 0.3:
        return names[1:], values[1:]
    elif wrong < 0.4:
        return [*names, "z?"], [*values, 7.0]
    elif wrong < 0.5:
        names = [label(one) for one in names]
    return names, values


def positional(labels: list[Any], values: list[Any]) -> list[Any] | None:
    """What a Series that is only counted means."""
    texts, counted = texts_of(labels, labels), texts_of(labels, range(len(labels)))
    return None if texts != counted and sorted(texts) == counted else values


def by_names(labels: list[Any], names: list[Any], values: list[Any]) -> list[Any] | None:
    """What names mean, by their texts."""
    pairs = sorted(zip(texts_of(labels, names), values, strict=True))
    wanted = texts_of(labels, labels)
    return [dict(pairs)[one] for one in wanted] if [name for name, _ in pairs] == sorted(wanted) else None


def texts_of(labels: list[Any], names: Any) -> list[str]:
    """How R spells names; 1 is True where labels are truth values."""
    return [label(bool(one)) if labels[0] is False and one in (0, 1) else label(one) for one in names]


def answer(call: Any, one: Drawn, name: str) -> Any:
    """What a call answers; None if it is refused, by the name of the argument."""
    try:
        return call(one.labels, one.given)
    except ValueError as error:
        if name not in str(error):
            raise
        return None


@pytest.mark.parametrize("of", ["feature", "class", "stratum"])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_rule(seed: int, of: str) -> None:
    rng = np.random.default_rng([seed, len(of)])
    for one in (drawn(rng) for _ in range(DRAWS)):
        found = answer(lambda labels, given: list(by_name(given, "weights", labels, of=of)), one, "weights")
        assert found == one.meant, one


X = np.random.default_rng(1).random((60, 4))
TWO = np.arange(60) % 2 > 0


def classes(labels: list[Any]) -> pd.Categorical:
    return pd.Categorical.from_codes(np.arange(60) % len(labels), pd.Index(labels, dtype=object))


def columns(labels: list[Any]) -> pd.DataFrame:
    return pd.DataFrame(np.resize(X, (60, len(labels))), columns=pd.Index(labels, dtype=object))


def grown(function: Any, x: Any, y: Any, **given: Any) -> Any:
    fit = function(x, y, ntree=3, seed=1, **given)
    return fit.importance.to_numpy().tolist(), [str(one) for one in fit.predicted]


ARGUMENTS: dict[str, Any] = {
    "classwt": lambda labels, given: grown(pyrrf.RRF, X, classes(labels), classwt=given),
    "cutoff": lambda labels, given: grown(pyrrf.randomForest, X, classes(labels), cutoff=given),
    "sampsize": lambda labels, given: grown(pyrrf.RRF, X, classes(labels), sampsize=given),
    "strata": lambda labels, given: grown(pyrrf.RRF, X, TWO, strata=classes(labels), sampsize=given),
    "coefReg": lambda labels, given: grown(pyrrf.RRF, columns(labels), TWO, coefReg=given),
    "feature_cost": lambda labels, given: grown(pyrrf.RRF, columns(labels), TWO, feature_cost=given),
}
UNITS = {"sampsize": 1.0, "strata": 1.0, "feature_cost": 1.0}


@pytest.mark.parametrize("argument", ARGUMENTS)
@pytest.mark.parametrize("seed", SEEDS)
def test_arguments(seed: int, argument: str) -> None:
    rng, call = np.random.default_rng([seed, len(argument)]), ARGUMENTS[argument]
    for one in (drawn(rng, UNITS.get(argument, 0.05)) for _ in range(8)):
        one_size = argument in ("sampsize", "strata") and len(one.given) == 1
        if one_size or (argument == "feature_cost" and one.meant is None):
            continue  # one size is that of the whole bag; a feature that is not named costs 1
        found = answer(call, one, "sampsize" if argument == "strata" else argument)
        assert found == (None if one.meant is None else call(one.labels, np.array(one.meant))), one
