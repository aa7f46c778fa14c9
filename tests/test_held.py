"""The property that `held.KEEPER` asks of fits: what does not hold is noticed, and a test's stream is left alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from pyrrf.fit.callbacks import watching
from pyrrf.random import get_random_seed
from tests.held import Keeper


@pytest.fixture
def keeper(x: np.ndarray, y: np.ndarray) -> Keeper:
    keeper = Keeper()
    with watching(keeper.tell):
        pyrrf.RRF(x, y, ntree=3, seed=1)
    return keeper


def test_a_sound_fit_holds_and_draws_nothing(keeper: Keeper) -> None:
    before = get_random_seed().tolist()
    keeper.ask()
    assert get_random_seed().tolist() == before


def test_rows_without_a_prediction(keeper: Keeper, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pyrrf, "predict", lambda fit, table: pd.Series(np.full(len(table), np.nan)))
    with pytest.raises(AssertionError, match="rows without a prediction"):
        keeper.ask()


def test_another_fit_from_the_file(
    keeper: Keeper, monkeypatch: pytest.MonkeyPatch, x: np.ndarray, y: np.ndarray
) -> None:
    other = pyrrf.RRF(x, y, ntree=3, seed=2)
    monkeypatch.setattr(pyrrf, "read_rds", lambda path: other)
    with pytest.raises(AssertionError, match="to R and back"):
        keeper.ask()


def test_a_fit_that_predict_refuses(x: np.ndarray, y: np.ndarray) -> None:
    def refuse(*arguments: Any) -> None:
        raise ValueError("prediction of a terminal node")

    keeper = Keeper()
    keeper.see(pyrrf.RRF(x, y, ntree=3, seed=1), x)
    # Undone before the fits of this test are asked, too.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pyrrf._core.check_forest", refuse)
        with pytest.raises(ValueError, match="the forest is damaged"):
            keeper.ask()
