"""Cases of inTrees: what a forest is grown on, and how its rules are taken, pruned and made a learner."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True)
class RuleCase:
    """One chain from a fit to a learner.

    Parameters
    ----------
    name, data : str
    model : {"RRF", "randomForest"}
    seed : int
    fit, extract, prune, learner, present : dict
        Arguments of the model and of the functions of the chain.
    steps : tuple of str
        "learn": rules are selected and made a learner. "vote": all rules vote on numbers; "poll": on classes.
    classes : int
        Into how many classes a numeric response is cut; 0 = it stays.
    new : str
        The part of the data that the learner predicts.
    """

    name: str
    data: str
    model: str = "RRF"
    seed: int = 1
    fit: dict[str, Any] = field(default_factory=lambda: {"ntree": 8})
    extract: dict[str, Any] = field(default_factory=dict)
    prune: dict[str, Any] = field(default_factory=dict)
    learner: dict[str, Any] = field(default_factory=dict)
    present: dict[str, Any] = field(default_factory=dict)
    steps: tuple[str, ...] = ("learn",)
    classes: int = 0
    new: str = "x"

    def digest(self, data: str) -> str:
        """Hash of the case and of its data; a recorded answer belongs to one digest."""
        return hashlib.sha256((json.dumps(asdict(self), sort_keys=True) + data).encode()).hexdigest()


def _numbers(name: str, data: str, **named: Any) -> RuleCase:
    """A case of numbers that stay numbers."""
    return RuleCase(name=name, data=data, **{"steps": ("vote",), **named})


_PLAIN = {"flagReg": 0, "ntree": 6}
_CASES = [
    RuleCase(name="rules_iris", data="iris", fit={"ntree": 20}, steps=("learn", "poll")),
    RuleCase(name="rules_iris_hundred_trees", data="iris", fit={"ntree": 100}, seed=2),
    RuleCase(name="rules_iris_ordinary", data="iris", fit=_PLAIN, seed=3),
    RuleCase(name="rules_iris_matrix", data="iris_matrix", steps=("learn", "poll")),
    RuleCase(name="rules_iris_text_response", data="iris_text", steps=("learn", "poll")),
    RuleCase(name="rules_iris_new_rows", data="iris_split", new="xtest", seed=4),
    RuleCase(name="rules_iris_row_names", data="iris_labelled", new="xtest"),
    RuleCase(name="rules_iris_first_trees", data="iris", extract={"ntree": 3}),
    RuleCase(name="rules_iris_more_trees_than_there_are", data="iris", extract={"ntree": 500}),
    RuleCase(name="rules_iris_depth_one", data="iris", fit={"ntree": 30}, extract={"maxdepth": 1}),
    RuleCase(name="rules_iris_depth_two", data="iris", fit=_PLAIN, extract={"maxdepth": 2}),
    RuleCase(name="rules_iris_deep", data="iris", fit=_PLAIN, extract={"maxdepth": 50}),
    RuleCase(name="rules_iris_random_depths", data="iris", extract={"random": True}, seed=5),
    RuleCase(name="rules_iris_random_shallow", data="iris", fit=_PLAIN, extract={"random": True, "maxdepth": 2}),
    RuleCase(name="rules_iris_one_digit", data="iris", extract={"digits": 1}, present={"digits": 2}),
    RuleCase(name="rules_iris_whole_numbers", data="iris", fit=_PLAIN, extract={"digits": 0}),
    RuleCase(name="rules_iris_digits_fraction", data="iris", extract={"digits": -1.9}, present={"digits": -3}),
    RuleCase(name="rules_glass", data="glass"),
    RuleCase(name="rules_glass_ordinary", data="glass", fit=_PLAIN, steps=("learn", "poll")),
    RuleCase(name="rules_glass_four_digits", data="glass", extract={"digits": 4}, present={"digits": 4}),
    RuleCase(name="rules_glass_deep", data="glass", fit={"ntree": 4}, extract={"maxdepth": 30}),
    RuleCase(name="rules_glass_lambda", data="glass", fit={"ntree": 10, "coefReg": 0.7}),
    RuleCase(name="rules_sonar", data="sonar", fit={"ntree": 10}),
    RuleCase(name="rules_sonar_new_rows", data="sonar_split", new="xtest", extract={"digits": 3}),
    RuleCase(name="rules_sonar_never_shortened", data="sonar", fit={"ntree": 5}, prune={"maxDecay": -1}),
    RuleCase(name="rules_sonar_always_shortened", data="sonar", fit={"ntree": 5}, prune={"maxDecay": 1}),
    RuleCase(name="rules_sonar_relative", data="sonar", fit={"ntree": 6}, prune={"typeDecay": 1, "maxDecay": 0.2}),
    RuleCase(name="rules_sonar_no_loss", data="sonar", fit={"ntree": 6}, prune={"maxDecay": 0}),
    RuleCase(name="rules_vehicle", data="vehicle", fit={"ntree": 5}, learner={"minFreq": 0.05}),
    RuleCase(name="rules_fgl", data="fgl", fit={"ntree": 6, "maxnodes": 8}),
    RuleCase(name="rules_votes", data="votes", fit={"ntree": 12}, steps=("learn", "poll")),
    RuleCase(name="rules_votes_new_rows", data="votes_split", new="xtest", seed=6),
    RuleCase(name="rules_factors", data="factors_small", new="xtest"),
    RuleCase(name="rules_factors_three_classes", data="factors_small3", fit=_PLAIN, new="xtest"),
    RuleCase(name="rules_factors_of_eleven_levels", data="factor11", fit={"ntree": 5}),
    RuleCase(name="rules_factors_of_31_levels", data="factor31", fit={"ntree": 4}),
    RuleCase(name="rules_factors_of_32_levels", data="factor32", fit={"ntree": 4}),
    RuleCase(name="rules_factors_of_32_levels_three_classes", data="factor32_3", fit={"ntree": 4}),
    RuleCase(name="rules_factors_only", data="factors_only", fit=_PLAIN),
    RuleCase(name="rules_empty_levels", data="empty_levels"),
    RuleCase(name="rules_imports", data="imports_body", fit={"ntree": 6}, steps=("learn", "poll")),
    RuleCase(name="rules_imports_new_rows", data="imports_body_split", fit={"ntree": 6}, new="xtest"),
    RuleCase(name="rules_ordered_levels", data="part_of_levels"),
    RuleCase(name="rules_classes_of_many", data="classes8", new="xtest"),
    RuleCase(name="rules_rare_class", data="rare_class", learner={"minFreq": 0.001}),
    RuleCase(name="rules_unsorted_levels", data="unsorted_levels", steps=("learn", "poll")),
    RuleCase(name="rules_ties", data="ties_integers", fit=_PLAIN),
    RuleCase(name="rules_duplicate_rows", data="duplicate_rows", seed=7),
    RuleCase(name="rules_contradicting_rows", data="contradicting_rows", learner={"minFreq": 0.2}),
    RuleCase(name="rules_neighbouring_numbers", data="neighbours"),
    RuleCase(name="rules_wide", data="wide"),
    RuleCase(name="rules_two_columns", data="two_columns", fit={"ntree": 5}),
    RuleCase(name="rules_one_column", data="single_column", new="xtest"),
    RuleCase(name="rules_one_factor", data="single_factor"),
    RuleCase(name="rules_ordered_levels_rounded", data="part_of_levels", fit={"ntree": 6}, extract={"digits": 0}),
    RuleCase(name="rules_random_forest", data="iris", model="randomForest", steps=("learn", "poll")),
    RuleCase(name="rules_random_forest_glass", data="glass", model="randomForest", fit={"ntree": 4}),
    RuleCase(name="rules_random_forest_factors", data="factors_small3", model="randomForest", new="xtest"),
    RuleCase(name="rules_random_forest_of_31_levels", data="factor31", model="randomForest", fit={"ntree": 4}),
    RuleCase(name="rules_random_forest_of_32_levels", data="factor32_3", model="randomForest", fit={"ntree": 4}),
    RuleCase(name="rules_random_forest_imports", data="imports_body", model="randomForest", fit={"ntree": 5}),
    _numbers("rules_random_forest_boston", "boston", model="randomForest", fit={"ntree": 3}),
    _numbers("rules_random_forest_price", "imports_price", model="randomForest", fit={"ntree": 3}),
    _numbers("rules_boston", "boston", fit={"ntree": 4}),
    _numbers("rules_airquality", "airquality", fit={"ntree": 6}),
    _numbers("rules_airquality_relative", "airquality", prune={"typeDecay": 1}),
    _numbers("rules_swiss", "swiss", extract={"digits": 1}),
    _numbers("rules_mtcars", "mtcars", extract={"maxdepth": 3}),
    _numbers("rules_imports_price", "imports_price", fit={"ntree": 4}, prune={"typeDecay": 1, "maxDecay": 0.1}),
    _numbers("rules_servo", "servo", fit={"ntree": 5}),
    _numbers("rules_levels_of_numbers", "levels_few", fit={"ntree": 4}),
    _numbers("rules_levels_of_many", "levels_many", fit={"ntree": 4}),
    _numbers("rules_tenths", "slope_tenths", fit={"ntree": 3}),
    _numbers("rules_mtcars_as_classes", "mtcars", steps=("vote", "learn"), learner={"minFreq": 0.05}),
    RuleCase(name="rules_boston_thirds", data="boston", classes=3, fit={"ntree": 5}, steps=("learn", "poll")),
    RuleCase(name="rules_airquality_halves", data="airquality", classes=2, fit={"ntree": 5}),
    RuleCase(name="rules_swiss_quarters", data="swiss", classes=4),
    RuleCase(name="rules_mtcars_thirds", data="mtcars", classes=3, extract={"digits": 2}),
    RuleCase(name="rules_ties_of_numbers_fifths", data="slope_ties", classes=5, fit={"ntree": 4}),
]
RULE_CASES = {case.name: case for case in _CASES}
