"""BorutaSelector: scikit-learn's checks, truths, noise, factors, missing values, weights, what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_wine
from sklearn.utils.estimator_checks import parametrize_with_checks

from pyrrf.sklearn import BorutaSelector
from tests.refusals import refused
from tests.sklearn.drawn import expected_failures

FEW: dict[str, Any] = {"n_estimators": 40, "random_state": 1}
WINE = load_wine(as_frame=True)


@parametrize_with_checks(
    [BorutaSelector(n_estimators=5, max_iter=8, random_state=0)],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)


def drawn(n: int, p: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((n, p))


@pytest.mark.parametrize("numeric", [False, True])
def test_redundant_features_are_all_kept(numeric: bool) -> None:
    x = drawn(200, 12)
    x[:, 3] = x[:, 0] + 0.1 * x[:, 3]
    latent = x[:, 0] + x[:, 7]
    selector = BorutaSelector(**FEW).fit(x, latent if numeric else np.where(latent > 0, "b", "a"))
    assert selector.support_[[0, 3, 7]].all()
    assert selector.n_features_ <= 4
    assert selector.n_features_ == selector.support_.sum() == len(selector.selected_)
    assert set(selector.selected_.tolist()) == set(np.flatnonzero(selector.support_).tolist())
    assert selector.transform(x).shape == (200, selector.n_features_)


def test_of_noise_little_is_kept() -> None:
    kept = []
    for seed in range(3):
        x, y = drawn(100, 40, seed), np.random.default_rng(100 + seed).integers(2, size=100)
        kept.append(BorutaSelector(**FEW).fit(x, y).n_features_)
    assert np.mean(kept) < 0.1 * 40  # what is related to y by chance in these rows is so in each round


def test_none_is_an_answer() -> None:
    draw = np.random.default_rng(1)
    frame = pd.DataFrame({name: pd.Categorical(draw.permutation(40) // 2) for name in "abcdef"})
    selector = BorutaSelector(**FEW).fit(frame, np.arange(40) % 2)
    assert selector.n_features_ == 0
    with pytest.warns(UserWarning, match="No features were selected"):
        assert selector.transform(frame).shape == (40, 0)


@pytest.mark.filterwarnings("ignore:column 'id' of X has 150 categories")
@pytest.mark.parametrize("numeric", [False, True])
def test_a_factor_of_n_levels_is_not_kept_and_hides_nothing(numeric: bool) -> None:
    n, draw = 150, np.random.default_rng(3)
    frame = pd.DataFrame(drawn(n, 5), columns=list("abcde"))
    frame["id"] = pd.Categorical(draw.permutation(n).astype(str))
    frame["colour"] = pd.Categorical(draw.choice(["red", "green", "blue"], n))
    latent = frame["a"] + 2.0 * (frame["colour"] == "green")
    y = latent if numeric else np.where(latent > 0.5, "yes", "no")
    selector = BorutaSelector(**FEW).fit(frame, y)
    decisions = dict(zip(frame.columns, selector.decisions_.tolist(), strict=True))
    assert (decisions["a"], decisions["colour"], decisions["id"]) == ("confirmed", "confirmed", "rejected")


def test_what_is_reported() -> None:
    frame = WINE.data.assign(**{f"noise {k}": column for k, column in enumerate(drawn(178, 5).T)})
    selector = BorutaSelector(**FEW).fit(frame, WINE.target)
    history, shadows = selector.importance_history_, selector.shadow_history_
    assert history.columns.tolist() == frame.columns.tolist()
    assert history.index.tolist() == shadows.index.tolist() == list(range(1, selector.n_iter_ + 1))
    assert shadows.columns.tolist() == ["min", "mean", "max", "threshold"]
    assert history.gt(shadows["threshold"], axis=0).sum().tolist() == selector.hits_.tolist()
    for word, flags in (("confirmed", selector.support_), ("tentative", selector.support_weak_)):
        assert np.array_equal(selector.decisions_ == word, flags)
    assert (selector.ranking_[selector.support_] == 1).all()
    assert (selector.ranking_[selector.support_weak_] == 2).all()
    others = selector.decisions_ == "rejected"
    assert sorted(selector.ranking_[others]) == list(range(3, 3 + others.sum()))
    first_out, last_out = (history.loc[:, others].count().agg(how) for how in ("idxmin", "idxmax"))
    ranks = dict(zip(frame.columns, selector.ranking_, strict=True))
    assert ranks[first_out] >= ranks[last_out]
    means = history.mean()[selector.get_feature_names_out()]
    assert means.idxmax() == frame.columns[selector.selected_[0]]


def test_jobs_do_not_change_the_answer() -> None:
    one, three = (BorutaSelector(n_jobs=jobs, **FEW).fit(WINE.data, WINE.target) for jobs in (1, 3))
    assert one.importance_history_.equals(three.importance_history_)


def test_missing_values() -> None:
    x = drawn(200, 6)
    y = x[:, 4] > 0
    x[np.random.default_rng(2).random(x.shape) < 0.2] = np.nan
    selector = BorutaSelector(**FEW).fit(x, y)
    assert selector.support_[4]
    assert selector.n_features_ <= 2


def test_weights() -> None:
    x = drawn(240, 6)
    late = np.arange(240) >= 120
    y = np.where(late, x[:, 1], x[:, 4]) > 0
    heavy = BorutaSelector(**FEW).fit(x, y, sample_weight=np.where(late, 2.0, 0.0))
    assert (heavy.support_[1], heavy.support_[4]) == (True, False)
    alone = BorutaSelector(**FEW).fit(x[late], y[late], sample_weight=np.ones(120))
    assert heavy.decisions_.tolist() == alone.decisions_.tolist()
    light = BorutaSelector(**FEW).fit(x, y, sample_weight=np.where(late, 0.01, 1.0))
    assert (light.support_[1], light.support_[4]) == (False, True)
    huge = BorutaSelector(**FEW).fit(x, y, sample_weight=np.where(late, 2.0**1023, 5e-324))
    assert huge.decisions_.tolist() == heavy.decisions_.tolist()
    with refused("y", "constant"):
        BorutaSelector(**FEW).fit(x, y, np.where(y, 1.0, 0.0))


def test_what_y_holds_can_be_told() -> None:
    x = WINE.data.assign(number=WINE.target)
    numbers = BorutaSelector(task="regression", **FEW).fit(x, WINE.target)
    classes = BorutaSelector(**FEW).fit(x, WINE.target)
    assert numbers.support_[-1]
    assert classes.support_[-1]
    assert not np.allclose(numbers.importance_history_.iloc[0], classes.importance_history_.iloc[0])


def test_the_scale_of_numbers_does_not_matter() -> None:
    x = drawn(120, 5)
    plain = BorutaSelector(max_iter=9, **FEW).fit(x, x[:, 2])
    for size in (2.0**-300, 2.0**300, 2.0**1021):  # the sums of the last are infinite
        scaled = BorutaSelector(max_iter=9, task="regression", **FEW).fit(x, x[:, 2] * size)
        assert scaled.hits_.tolist() == plain.hits_.tolist()


def test_bars(capsys: pytest.CaptureFixture[str]) -> None:
    BorutaSelector(verbose=1, **FEW).fit(WINE.data, WINE.target)
    assert "boruta" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("wrong", "argument", "code"),
    [
        ({"perc": 0}, "perc", "range"),
        ({"perc": 100.5}, "perc", "range"),
        ({"alpha": 1}, "alpha", "range"),
        ({"max_iter": 7}, "max_iter", "range"),
        ({"max_depth": 0}, "max_depth", "range"),
        ({"n_estimators": 0}, "n_estimators", "range"),
        ({"task": "entropy"}, "task", "choice"),
    ],
)
def test_what_is_refused(wrong: dict[str, Any], argument: str, code: str) -> None:
    with refused(argument, code):
        BorutaSelector(**wrong).fit(WINE.data, WINE.target)
