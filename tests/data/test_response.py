"""Whether a response holds numbers where nobody says so: one rule for selectors, functions and the command."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_diabetes, make_friedman1
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from pyrrf.data.response import guess_of_whole, numbers_or_classes
from pyrrf.papers import ChowLiuSelector, MIFSSelector
from pyrrf.sklearn import (
    BorutaSelector,
    EliminationSelector,
    GRRFSelector,
    GRRFSelectorCV,
    RRFClassifier,
    StabilitySelector,
    grrf_path,
)
from tests.refusals import refused

X, PROGRESS = load_diabetes(return_X_y=True)
SMALL: dict[str, Any] = {"guide": 5, "n_estimators": 5, "random_state": 1}
# Each value has two rows, so that 20 of them are classes and 21 are numbers, both in doubt.
MANY = np.repeat(np.arange(21), 2)
# Each has five: classes.
CODES = np.repeat(np.arange(50), 20)
PAIRS = PROGRESS[:130] // 50  # 0 to 6; 3 rows have the rarest
DOUBT = r"^y has 7 distinct whole numbers, and classification is assumed; "
TARGETS = pd.read_csv(Path(__file__).with_name("targets.csv"))


@pytest.mark.parametrize(
    ("y", "found"),
    [
        (MANY[2:], (False, 20)),
        (MANY, (True, 21)),
        (MANY.astype(np.float32), (True, 21)),
        (MANY.reshape(-1, 1).tolist(), (True, 21)),
        (pd.Series(MANY, dtype="Int64"), (True, 21)),
        (pd.Series(MANY, dtype="Int64").where(MANY > 3), (True, 0)),  # NaN, which is refused
        (MANY[1:], (True, 0)),  # one value has one row
        (MANY[3:], (True, 20)),
        (CODES, (False, 50)),
        (CODES + 1, (False, 50)),
        (CODES + 2, (True, 50)),
        (CODES[CODES != 7], (True, 49)),
        (CODES[:65], (False, 0)),
        (CODES[:65] + 2, (False, 4)),
        (CODES[:64], (False, 4)),
        (CODES[:61], (True, 4)),
        (CODES[:41], (False, 0)),
        (PROGRESS, (True, 0)),
        (pd.Categorical(MANY), (False, 0)),
        (pd.Series(MANY, dtype="category"), (False, 0)),
        (pd.DataFrame({"y": pd.Categorical(MANY)}), (False, 0)),
        (MANY.astype(str), (False, 0)),
        (MANY.astype(object), (True, 21)),
        (pd.Series([0.5, 1.0], dtype=object), (True, 0)),
        (np.array([*MANY, "other"], dtype=object), (False, 0)),
        (np.array([True, False], dtype=object), (False, 0)),
        (MANY > 3, (False, 0)),
        (pd.array(MANY > 3), (False, 0)),
        ([0.0, 1.0, 1.5], (True, 0)),
        ([-0.0, 0.0], (False, 0)),
        (None, (False, 0)),
    ],
)
def test_the_rule(y: Any, found: tuple[bool, int]) -> None:
    assert numbers_or_classes(y) == found


def test_how_often_the_rule_errs() -> None:
    """What docs/input.md says of public targets."""
    facts = TARGETS[["values", "min", "max", "rarest"]].itertuples(index=False)
    guessed = [guess_of_whole(*one) for one in facts]
    wrong = np.array([numeric for numeric, _ in guessed]) != (TARGETS["truth"] == "numbers")
    told = np.array([doubt > 0 for _, doubt in guessed])
    before = (TARGETS["values"] > 20) != (TARGETS["truth"] == "numbers")
    found = [len(TARGETS), before.sum(), wrong.sum(), (wrong & told).sum(), told.sum()]
    page = (Path(__file__).parents[2] / "docs" / "input.md").read_text()
    rows = re.findall(r"^\| (?:public|wrong|warn|`)[^|]*\| (\d+) \|$", page, re.MULTILINE)
    assert [int(one) for one in rows] == found
    assert TARGETS["target"].is_unique
    assert set(TARGETS["from"]) == {"counted", "documented"}


def test_numbers_among_objects_are_read_as_such() -> None:
    by_objects, by_numbers = (GRRFSelector(**SMALL).fit(X, y + 0.5) for y in (PROGRESS.astype(object), PROGRESS))
    np.testing.assert_array_equal(by_objects.guide_importances_, by_numbers.guide_importances_)


# ---- who asks it ---------------------------------------------------------------------------------


def test_whole_floats_of_few_values_are_classes() -> None:
    with pytest.warns(UserWarning, match=DOUBT + r"pass task='regression' or task='classification'") as heard:
        selector = GRRFSelector(**SMALL).fit(X[:130], PAIRS)
    assert [one.filename for one in heard] == [__file__]
    assert selector.result_ == GRRFSelector(task="classification", **SMALL).fit(X[:130], PAIRS).result_
    with pytest.warns(UserWarning, match=DOUBT):
        assert grrf_path(X[:130], PAIRS, gammas=[0.5], **SMALL).fits[0].type == "classification"


def test_a_choice_of_gamma_for_whole_floats() -> None:
    with pytest.warns(UserWarning, match=DOUBT) as heard:
        GRRFSelectorCV(gammas=[0.0, 1.0], cv=2, **SMALL).fit(X[:130], PAIRS)
    assert len(heard) == 1
    chosen = GRRFSelectorCV(gammas=[0.0, 1.0], cv=3, task="regression", **SMALL).fit(X, PROGRESS)
    assert chosen.nested_score_ > 0.2


@pytest.mark.parametrize(
    "y", [PROGRESS, PROGRESS + 0.5, PROGRESS > 100, PROGRESS // 80, PROGRESS.astype(str)], ids=repr
)
@pytest.mark.filterwarnings("error")
def test_no_word_where_there_is_no_doubt(y: Any) -> None:
    GRRFSelector(**SMALL).fit(X, y)


@pytest.mark.filterwarnings("error")
def test_categories_of_whole_numbers_are_classes() -> None:
    y = pd.Series(np.repeat(np.arange(30), 6), dtype="category")
    assert GRRFSelector(**SMALL).fit(X[:180], y).result_.type == "classification"
    for said in ({"forest": RRFClassifier()}, {"task": "classification"}):
        assert GRRFSelector(**said, **SMALL).fit(X[:180], y.astype(int)).result_.type == "classification"


ELIMINATION: dict[str, Any] = {"n_features": 2, "n_estimators": 2, "cv": 2, "nested": True, "random_state": 1}
GUESSING = [
    GRRFSelector(**SMALL),
    GRRFSelectorCV(gammas=2, cv=2, nested=False, **SMALL),
    EliminationSelector(**ELIMINATION),
    BorutaSelector(n_estimators=5, max_iter=8, random_state=1),
    StabilitySelector(EliminationSelector(2, n_estimators=2), n_pairs=2, n_removals=0, pfer=9, random_state=1),
]


@pytest.mark.parametrize("selector", GUESSING, ids=lambda one: type(one).__name__)
@pytest.mark.filterwarnings(
    "ignore:no subset predicts y significantly better", "ignore:selected feature.* have a negative credit"
)
def test_the_task_ends_the_guess(selector: Any) -> None:
    """Whole numbers told to be a regression are the same numbers with a fraction; as classes, the same words."""
    meant = {"regression": PAIRS + 0.5, "classification": np.char.add("c", PAIRS.astype(int).astype(str))}
    for task, y in meant.items():
        with warnings.catch_warnings():
            warnings.filterwarnings("error", "y has")
            told = clone(selector).set_params(task=task).fit(X[:130], PAIRS)
        np.testing.assert_array_equal(told.support_, clone(selector).fit(X[:130], y).support_)
    with pytest.warns(UserWarning, match=DOUBT):
        clone(selector).fit(X[:130], PAIRS)
    with refused("task", "choice"):
        clone(selector).set_params(task="numbers").fit(X[:130], PAIRS)


@pytest.mark.parametrize(
    ("selector", "argument", "code"),
    [
        (GRRFSelector(forest=RRFClassifier(), **SMALL), "task", "conflict"),
        (GRRFSelectorCV(judge=GaussianNB(), **SMALL), "task", "conflict"),
        (EliminationSelector(judge=GaussianNB()), "task", "conflict"),
    ],
    ids=lambda one: type(one).__name__,
)
def test_a_task_and_another_word_for_it(selector: Any, argument: str, code: str) -> None:
    with refused(argument, code):
        selector.set_params(task="regression").fit(X, PROGRESS)


@pytest.mark.parametrize("steps", [[], [StandardScaler()]], ids=len)
def test_halves_are_read_as_all_of_y(steps: list[Any]) -> None:
    """A half has too few different numbers to be read as all of them are."""
    x, y = make_friedman1(24, 6, random_state=1)
    x, y = np.vstack([x, x[:12]]), np.concatenate([y.argsort(), y.argsort()[:12]])
    inner = GRRFSelector(**SMALL)
    said = GRRFSelector(task="regression", **SMALL)
    how: dict[str, Any] = {"n_pairs": 3, "threshold": 0.5, "n_removals": 0, "random_state": 1}
    found = StabilitySelector(make_pipeline(*steps, inner) if steps else inner, **how).fit(x, y)
    wanted = StabilitySelector(make_pipeline(*steps, said) if steps else said, **how).fit(x, y)
    np.testing.assert_array_equal(found.selection_frequencies_, wanted.selection_frequencies_)
    assert inner.task == "auto"


@pytest.mark.parametrize("selector", [MIFSSelector(random_state=1), ChowLiuSelector()], ids=str)
def test_bins_of_whole_floats(selector: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        whole = selector.fit(X, PROGRESS).support_.tolist()
    # Bins have the width of the range, so a shift by less than it does nothing.
    assert whole == selector.fit(X, PROGRESS + 0.5).support_.tolist()
    with pytest.warns(UserWarning, match=DOUBT + r".*y as strings if they are classes"):
        selector.fit(X[:130], PAIRS)


def test_an_estimator_decides() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ChowLiuSelector(GaussianNB(), cv=2).fit(X, np.digitize(PROGRESS, np.arange(40, 260, 10)))
