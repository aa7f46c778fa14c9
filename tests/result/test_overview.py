"""What a fit says first: summary(), its form in notebooks, the table of what was kept, short printed forms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from pyrrf.result.brief import brief
from pyrrf.result.overview import CAVEAT
from tests.refusals import refused


@pytest.fixture(scope="module")
def x() -> pd.DataFrame:
    pyrrf.set_seed(1)
    return pd.DataFrame(pyrrf.runif(600).reshape(60, 10, order="F")).rename(columns="g<{}>".format)


@pytest.fixture(scope="module")
def fit(x: pd.DataFrame) -> Any:
    return pyrrf.GRRF(x, x["g<0>"] > x["g<3>"], ntree=25, seed=1)


def test_selected_is_sorted_by_importance(fit: Any) -> None:
    table = fit.selected
    assert table["feature"].tolist() == fit.columns[table["position"]].tolist()
    assert sorted(table["position"]) == fit.feaSet.tolist()
    assert (np.diff(table["importance"]) <= 0).all()
    assert table["importance"].tolist() == fit.importance.loc[table["feature"], "MeanDecreaseGini"].tolist()
    assert table["coefficient"].tolist() == fit.coefReg[table["position"]].tolist()


def test_the_summary_says_first_how_many_were_kept(fit: Any) -> None:
    lines = str(pyrrf.summary(fit)).splitlines()
    assert lines[0] == f"RRF, classification: {len(fit.feaSet)} of 10 features kept, 25 trees"
    assert lines[3].split()[0] == "g<0>"
    assert lines[-2].startswith("Error out of bag: ")
    assert lines[-1] == CAVEAT


def test_a_notebook_shows_it_and_then_what_r_prints(fit: Any) -> None:
    html = fit._repr_html_()
    assert html.index("features kept") < html.index("g&lt;0&gt;") < html.index("Error out of bag") < html.index("Call:")
    assert "g<0>" not in html


def test_forests_without_regularization_have_no_caveat(x: pd.DataFrame) -> None:
    for fit in (pyrrf.RRF(x, x["g<1>"], ntree=5, seed=1, flagReg=0), pyrrf.randomForest(x, x["g<1>"], ntree=5, seed=1)):
        assert fit.summary().caveat is None
        assert "of the variance explained" in str(fit.summary().error)
    assert pyrrf.RRF(x, x["g<1>"], ntree=5, seed=1).summary().caveat == CAVEAT


def test_long_tables_are_cut(x: pd.DataFrame) -> None:
    wide = pd.concat([x, x.rename(columns="h{}".format), x.rename(columns="i{}".format)], axis=1)
    fit = pyrrf.RRF(wide, x["g<1>"], ntree=25, seed=1, flagReg=0)
    assert "... and 10 more" in str(fit.summary())
    assert "... and 10 more" in fit._repr_html_()


def test_no_error_is_said_where_there_is_none(x: pd.DataFrame) -> None:
    with pytest.warns(UserWarning, match="unsupervised"):
        fit = pyrrf.RRF(x, ntree=5, seed=1)
    assert fit.summary().error is None


def test_results_print_what_they_hold(fit: Any, x: pd.DataFrame) -> None:
    assert repr(pyrrf.predict(fit, x, nodes=True)) == "<Prediction: predicted Series (60,), nodes DataFrame (60, 25)>"


def test_what_is_no_fit() -> None:
    with refused("object", "type"):
        pyrrf.summary(3)


# ---- what users of R type ------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "argument", "code"), [("type", "type", "keyword"), ("class_", "class_", "keyword")])
def test_arguments_of_other_functions_are_named(x: pd.DataFrame, name: str, argument: str, code: str) -> None:
    with refused(argument, code, TypeError):
        pyrrf.RRF(x, x["g<1>"], **{name: 1})


def test_weights_and_cutoffs_by_the_text_of_labels(x: pd.DataFrame) -> None:
    y, few = pd.Categorical([0, 1] * 30), {"ntree": 5, "seed": 1}
    by_text = pyrrf.RRF(x, y, classwt={"1": 1, "0": 2}, cutoff={"1": 0.3, "0": 0.5}, **few)
    assert by_text == pyrrf.RRF(x, y, classwt=[2, 1], cutoff=[0.5, 0.3], **few)
    flags = pyrrf.RRF(x, y == 1, classwt={"TRUE": 1, "FALSE": 2}, **few)
    assert flags == pyrrf.RRF(x, y == 1, classwt=[2, 1], **few)
    with refused("classwt", "unknown"):
        pyrrf.RRF(x, y, classwt={"1": 1, "2": 2}, **few)


def test_a_response_in_another_order_of_rows(x: pd.DataFrame) -> None:
    with pytest.warns(UserWarning, match="y has the same index as x, but in"):
        pyrrf.RRF(x, x["g<1>"][::-1], ntree=2, seed=1)
    # Labels that have nothing to do with each other say nothing.
    pyrrf.RRF(x.set_axis([f"r{i}" for i in range(60)]), x["g<1>"], ntree=2, seed=1)


def test_values_in_a_few_words() -> None:
    values = [np.zeros((2, 3)), [1, 2], list(range(99)), {"a": 1}, 7, "text", None]
    assert [*map(brief, values)] == ["float64 (2, 3)", "[1, 2]", "list of 99", "{'a': 1}", "7", "'text'", "None"]
    # At most 40 letters are shown.
    assert [brief("x" * 38), brief("x" * 39)] == [repr("x" * 38), "str"]
