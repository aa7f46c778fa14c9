"""predict() of strings: the order is that of the fit where it knows them all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from tests.refusals import refused


@pytest.fixture
def labelled() -> tuple[pd.DataFrame, pd.Series]:
    """Strings that C and en_US sort in other orders, and two classes."""
    draw = np.random.default_rng(3)
    g = pd.Categorical(draw.choice(["a", "B", "c"], 60), ["a", "B", "c"])
    return pd.DataFrame({"g": g, "x": draw.random(60)}), pd.Series(draw.choice(["lo", "hi"], 60))


@pytest.mark.parametrize("quirks", [False, True])
def test_the_order_of_strings_is_that_of_levels_in_the_fit(
    labelled: tuple[pd.DataFrame, pd.Series], quirks: bool, tmp_path: Any
) -> None:
    # A warning is an error here: nobody needs to choose an order that the fit has.
    x, y = labelled
    texts = x.assign(g=x["g"].astype(str))
    fit = pyrrf.RRF(x, y, ntree=10, seed=1, quirks=quirks)
    if not quirks:
        assert pyrrf.predict(fit, texts, type="prob").equals(pyrrf.predict(fit, x, type="prob"))
        return
    pyrrf.write_rds(fit, tmp_path / "fit.rds")
    for known in (fit, pyrrf.read_rds(tmp_path / "fit.rds")):
        with refused("newdata", "type"):
            pyrrf.predict(known, texts)
        with pytest.raises(TypeError, match="column 'g' of pred_data holds strings"):
            pyrrf.partialPlot(known, texts, "x", plot=False)


@pytest.fixture
def sorted_by_icu(labelled: tuple[pd.DataFrame, pd.Series]) -> tuple[pyrrf.RRFClassification, pd.DataFrame]:
    """A fit of strings while R's order of today was another, and its data."""
    x, y = labelled
    texts, before = x.assign(g=x["g"].astype(str)), pyrrf.set_collate("en_US")
    try:
        with pytest.warns(UserWarning, match="become integer codes"):
            return pyrrf.RRF(texts, y, ntree=10, seed=1), texts
    finally:
        pyrrf.set_collate(before)


def test_strings_of_a_fit_in_another_order_keep_it(
    labelled: tuple[pd.DataFrame, pd.Series], sorted_by_icu: tuple[pyrrf.RRFClassification, pd.DataFrame]
) -> None:
    x, y = labelled
    fit, texts = sorted_by_icu
    coded = x.assign(g=x["g"].cat.codes + 1.0)
    same = pyrrf.RRF(coded, y, ntree=10, seed=1)
    assert pyrrf.predict(fit, texts, type="vote").equals(pyrrf.predict(same, coded, type="vote"))
    first = x["g"] != "c"
    with pytest.warns(UserWarning, match="has other values than the training data"):
        votes = pyrrf.predict(fit, texts[first], type="vote")
    assert votes.equals(pyrrf.predict(same, coded[first], type="vote"))


def test_the_order_of_new_strings_is_asked_for(
    sorted_by_icu: tuple[pyrrf.RRFClassification, pd.DataFrame],
) -> None:
    fit, texts = sorted_by_icu
    new = texts.assign(g=texts["g"].replace("c", "D"))
    with pytest.warns(UserWarning, match="other values"), pytest.warns(pyrrf.LabelOrderWarning, match="'B', 'D', 'a'"):
        pyrrf.predict(fit, new)
