"""Whether a response holds numbers where nobody says so: one rule for selectors, functions and the command."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_diabetes, make_friedman1
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from pyrrf.data.response import MOST_CLASSES, numbers_or_classes
from pyrrf.sklearn import (
    ChowLiuSelector,
    GRRFSelector,
    GRRFSelectorCV,
    MIFSSelector,
    StabilitySelector,
    grrf_path,
)

X, PROGRESS = load_diabetes(return_X_y=True)
SMALL: dict[str, Any] = {"guide_n_estimators": 5, "n_estimators": 5, "random_state": 1}
MANY = np.arange(MOST_CLASSES + 1)
DOUBT = r"^y holds 214 different whole numbers and is read as numbers, not as classes; "


@pytest.mark.parametrize(
    ("y", "found"),
    [
        (MANY[1:], (False, 0)),
        (MANY, (True, 21)),
        (MANY.astype(np.float32), (True, 21)),
        (MANY.reshape(-1, 1).tolist(), (True, 21)),
        (pd.Series(MANY, dtype="Int64"), (True, 21)),
        (pd.Series(MANY, dtype="Int64").where(MANY > 3), (True, 0)),  # NaN, which is refused
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


def test_numbers_among_objects_are_read_as_such() -> None:
    by_objects, by_numbers = (GRRFSelector(**SMALL).fit(X, y + 0.5) for y in (PROGRESS.astype(object), PROGRESS))
    np.testing.assert_array_equal(by_objects.guide_importances_, by_numbers.guide_importances_)


# ---- who asks it ---------------------------------------------------------------------------------


def test_whole_floats_are_numbers() -> None:
    with pytest.warns(UserWarning, match=DOUBT + r"pass criterion='variance' .*, 'gini' if") as heard:
        selector = GRRFSelector(**SMALL).fit(X, PROGRESS)
    assert [one.filename for one in heard] == [__file__]
    assert selector.result_.type == "regression"
    assert selector.result_ == GRRFSelector(criterion="variance", **SMALL).fit(X, PROGRESS).result_
    with pytest.warns(UserWarning, match=DOUBT):
        assert grrf_path(X, PROGRESS, gammas=[0.5], **SMALL).fits[0].type == "regression"


def test_a_choice_of_gamma_for_whole_floats() -> None:
    with pytest.warns(UserWarning, match=DOUBT) as heard:
        chosen = GRRFSelectorCV(gammas=[0.0, 1.0], cv=3, **SMALL).fit(X, PROGRESS)
    assert len(heard) == 1
    assert chosen.nested_score_ > 0.2


@pytest.mark.parametrize("y", [PROGRESS + 0.5, PROGRESS > 100, PROGRESS // 50, PROGRESS.astype(str)], ids=repr)
@pytest.mark.filterwarnings("error")
def test_no_word_where_there_is_no_doubt(y: Any) -> None:
    GRRFSelector(**SMALL).fit(X, y)


@pytest.mark.filterwarnings("error")
def test_categories_of_whole_numbers_are_classes() -> None:
    y = pd.Series(np.repeat(np.arange(30), 6), dtype="category")
    assert GRRFSelector(**SMALL).fit(X[:180], y).result_.type == "classification"
    assert GRRFSelector(criterion="gini", **SMALL).fit(X[:180], y.astype(int)).result_.type == "classification"


@pytest.mark.parametrize("steps", [[], [StandardScaler()]], ids=len)
def test_halves_are_read_as_all_of_y(steps: list[Any]) -> None:
    """A half has too few different numbers to be read as all of them are."""
    x, y = make_friedman1(24, 6, random_state=1)
    x, y = np.vstack([x, x[:12]]), np.concatenate([y.argsort(), y.argsort()[:12]])
    inner = GRRFSelector(**SMALL)
    said = GRRFSelector(criterion="variance", **SMALL)
    how: dict[str, Any] = {"n_pairs": 3, "threshold": 0.5, "n_removals": 0, "random_state": 1}
    with pytest.warns(UserWarning, match="y holds 24 different whole numbers") as heard:
        found = StabilitySelector(make_pipeline(*steps, inner) if steps else inner, **how).fit(x, y)
    wanted = StabilitySelector(make_pipeline(*steps, said) if steps else said, **how).fit(x, y)
    assert len(heard) == 1
    np.testing.assert_array_equal(found.selection_frequencies_, wanted.selection_frequencies_)
    assert inner.criterion is None


@pytest.mark.parametrize("selector", [MIFSSelector(random_state=1), ChowLiuSelector()], ids=str)
def test_bins_of_whole_floats(selector: Any) -> None:
    with pytest.warns(UserWarning, match=DOUBT + r".*y as strings if they are classes"):
        whole = selector.fit(X, PROGRESS).support_.tolist()
    # Bins have the width of the range, so a shift by less than it does nothing.
    assert whole == selector.fit(X, PROGRESS + 0.5).support_.tolist()


def test_an_estimator_decides() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ChowLiuSelector(GaussianNB(), cv=2).fit(X, np.digitize(PROGRESS, np.arange(40, 260, 10)))
