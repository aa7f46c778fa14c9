"""Sizes judged on folds: the folds, what is compared, a guess from y, features that stay, what is refused early."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold

from pyrrf.sklearn import EliminationSelector, GRRFSelectorCV, sizes
from pyrrf.sklearn.selection_report import score_lost_at
from pyrrf.sklearn.sizes import TriedSizes, beats_guess, best_size, scores_to_compare
from tests.refusals import refused

FEW: dict[str, Any] = {"n_estimators": 5, "random_state": 1}
WINE, CANCER = load_wine(as_frame=True), load_breast_cancer(as_frame=True)
# Of more features so many enter the first round.
POOL = "pyrrf.sklearn.elimination._POOL"
quiet = pytest.mark.filterwarnings(
    "ignore:no subset predicts y significantly better", "ignore:selected feature.* have a negative credit"
)


def noise(n: int = 60, p: int = 12) -> tuple[np.ndarray, np.ndarray]:
    chance = np.random.default_rng(8)
    return chance.standard_normal((n, p)), chance.permutation(np.arange(n) % 2)


def judged(scores: np.ndarray, gains: np.ndarray | None = None, rows: Sequence[int] = ()) -> TriedSizes:
    return TriedSizes(scores=scores, gains=gains, rows=np.array(rows, dtype=np.int64))


# ---- folds ---------------------------------------------------------------------------------------


def test_a_number_of_folds_means_rows_in_random_order() -> None:
    # Where rows are sorted by the target, folds of neighbours would have numbers unlike those they learn from.
    a = np.sort(np.random.default_rng(1).standard_normal(60))
    x = pd.DataFrame({"a": a, "b": a**2, "c": -a})
    shuffled = EliminationSelector(1, nested=True, cv=3, task="regression", **FEW).fit(x, a)
    assert shuffled.nested_score_ > 0.8
    neighbours = EliminationSelector(1, nested=True, cv=KFold(3), task="regression", **FEW).fit(x, a)
    assert neighbours.nested_score_ < 0


def test_the_sizes_that_are_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    selector = EliminationSelector(cv=2, **FEW).fit(CANCER.data, CANCER.target)
    assert selector.cv_results_["n_features"].tolist() == [30, 21, 14, 9, 6, 5, 4, 3, 2, 1]
    constant = CANCER.data.assign(same=1.0)
    monkeypatch.setattr(POOL, 4)
    few = EliminationSelector(cv=2, initial_features=["mean area"], **FEW).fit(constant, CANCER.target)
    assert few.cv_results_["n_features"].tolist() == [4, 3, 2, 1]


# ---- what is compared ----------------------------------------------------------------------------


def test_rows_are_compared_where_the_default_forest_judges() -> None:
    # Of gains of -.25 and a guess of -1, between .0075 and .015 may be lost.
    gains = np.array([[-0.2, -0.3, -0.2, -0.3], [-0.22, -0.32, -0.22, -0.32], [-0.3, -0.4, -0.3, -0.4], [-1.0] * 4])
    scores = np.array([0.5, 0.9, 1.0, 0.5])
    tried = [judged(scores, gains[:, :2], [0, 1]), judged(scores, gains[:, 2:], [2, 3])]
    assert best_size(tried, [9, 5, 2], "best") == 2
    assert best_size(tried, [9, 5, 2], "paired") == 0
    # .033, .033, .033 and -.047 less: .013 on average, with a standard error of .02.
    gains[1] += np.array([0.067, -0.013, -0.013, -0.013])
    assert best_size([judged(scores, gains, [0, 1, 2, 3])], [9, 5, 2], "paired") == 1
    assert best_size([judged(scores)] * 2, [9, 5, 2], "paired") == 2


def test_a_row_that_several_splits_judge_counts_once() -> None:
    scores, gains = np.zeros(2), np.array([[-0.2, -0.6, -0.1, -0.8], [-1.0] * 4])
    once = judged(scores, gains, [7, 3, 5, 4])
    assert scores_to_compare([once]).tolist() == gains.tolist()
    # Row 3 has -.6 and -.2, row 9 is judged by the second split alone.
    other = judged(scores, np.array([[-0.2, -0.5], [-1.0] * 2]), [3, 9])
    assert scores_to_compare([once, other]).tolist() == [pytest.approx([-0.2, -0.4, -0.1, -0.8, -0.5]), [-1.0] * 5]
    # Repeats make nothing certain: .15 more than the guess is 1.1 standard errors of four rows.
    unclear = np.array([[-0.5, -0.9, -1.2, -0.8], [-1.0] * 4])
    assert not beats_guess([judged(scores, unclear, [0, 1, 2, 3])] * 20)
    assert beats_guess([judged(scores, unclear, [4 * at, 4 * at + 1, 4 * at + 2, 4 * at + 3]) for at in range(20)])


@quiet
def test_repeated_folds_judge_rows_and_not_splits() -> None:
    with pytest.raises(ValueError, match="cv must have at least two folds to compare sizes, not 1"):
        EliminationSelector(cv=[([0, 60, 100], [1]), ([0, 61, 101], [1])], **FEW).fit(WINE.data, WINE.target)


def test_the_gains_are_those_of_the_forest() -> None:
    x, y = WINE.data.iloc[:, :4], WINE.target.to_numpy()
    caught: list[list[TriedSizes]] = []
    on = sizes.SizeTrial.on

    def kept(self: Any, *how: Any) -> list[TriedSizes]:
        caught.append(on(self, *how))
        return caught[-1]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sizes.SizeTrial, "on", kept)
        selector = EliminationSelector(cv=2, **FEW).fit(x, y)
    (tried,) = caught
    assert [one.gains.shape for one in tried if one.gains is not None] == [(5, 89)] * 2
    assert sorted(np.concatenate([one.rows for one in tried]).tolist()) == list(range(178))
    for at, one in enumerate(tried):
        assert one.gains is not None
        assert ((one.gains <= 0) & (one.gains >= -2)).all()
        assert one.scores[:-1].tolist() == selector.cv_results_[f"split{at}_test_score"].tolist()
        guess = DummyClassifier(strategy="prior").fit(x, y)
        assert one.scores[-1] == pytest.approx(guess.score(x, y), abs=0.02)


# ---- a guess from y ------------------------------------------------------------------------------


def test_a_guess_is_beaten_by_a_clear_difference() -> None:
    def tried(difference: list[float]) -> list[TriedSizes]:
        return [judged(np.array([more, 0.0])) for more in difference]

    # By the table of Student's t, 6.965 standard errors are needed of three folds: here .133 / .0333, and .107 / .0067.
    assert not beats_guess(tried([0.1, 0.2, 0.1]))
    assert beats_guess(tried([0.1, 0.12, 0.1]))
    assert not beats_guess(tried([0.1, -0.2, 0.1]))
    assert not beats_guess(tried([0.0, 0.0]))
    assert beats_guess(tried([float("nan")] * 2))


def test_a_guess_is_beaten_by_more_right_rows() -> None:
    # Probabilities of 0 and 1 are worse than the guess where a quarter of them is wrong.
    gains = np.array([[0.0, -2.0, 0.0, 0.0] * 25, [-0.5] * 100])

    def tried(right: float) -> list[TriedSizes]:
        return [judged(np.array([right, 0.5]), gains, list(range(100)))]

    # The standard error of the difference is .066, and 2.33 of them are needed.
    assert beats_guess(tried(0.75))
    assert not beats_guess(tried(0.75), numeric=True)
    assert not beats_guess(tried(0.62))


@pytest.mark.filterwarnings("ignore:selected feature.* have a negative credit")
def test_where_nothing_predicts_y_a_warning_says_so() -> None:
    x, y = noise()
    with pytest.warns(UserWarning, match="no subset predicts y significantly"):
        chosen = EliminationSelector(cv=3, **FEW).fit(x, y)
    assert not chosen.better_than_guess_
    with pytest.warns(UserWarning, match="Do not rely on the 4 features"):
        asked = EliminationSelector(4, cv=3, nested=True, **FEW).fit(x, y)
    assert asked.n_features_ == 4
    assert asked.guess_scores_.tolist() == [0.5] * 3
    # Without folds nothing is known of it.
    assert not hasattr(asked.set_params(nested=False, n_features=12).fit(x, y), "better_than_guess_")


def test_all_features_and_a_guess_beside_the_choice() -> None:
    selector = EliminationSelector(2, nested=True, cv=3, **FEW).fit(WINE.data, WINE.target)
    assert selector.better_than_guess_
    assert selector.all_scores_.shape == selector.guess_scores_.shape == (3,)
    assert selector.guess_scores_.mean() < 0.5 < selector.nested_score_ < selector.all_scores_.mean()
    chosen = EliminationSelector(cv=3, **FEW).fit(WINE.data, WINE.target)
    table = chosen.cv_results_
    assert chosen.all_scores_.tolist() == [table[f"split{at}_test_score"][0] for at in range(3)]
    losses = score_lost_at(chosen)
    assert list(losses) == table["n_features"].tolist()
    assert losses[1] == table["mean_test_score"][chosen.best_index_] - table["mean_test_score"][-1] > 0


@quiet
def test_a_scoring_that_reads_no_guess() -> None:
    x, y = noise()
    score = make_decision_scorer()
    selector = EliminationSelector(cv=2, judge=LogisticRegression(), scoring=score, **FEW).fit(x, y)
    assert np.isnan(selector.guess_scores_).all()
    assert selector.better_than_guess_


def make_decision_scorer() -> Any:
    return lambda fitted, x, y: float(np.mean((fitted.decision_function(x) > 0) == y))


# ---- scores below 0 ------------------------------------------------------------------------------


def test_features_of_a_score_below_0_are_named_or_dropped() -> None:
    chance = np.random.default_rng(4)
    x = pd.DataFrame(chance.standard_normal((100, 8)), columns=list("abcdefgh"))
    y = x["a"] > 0
    with pytest.warns(UserWarning, match=r"selected .*'\w'.* have a negative credit: .* support_at\((\d)\) is") as told:
        asked = EliminationSelector(8, **FEW).fit(x, y)
    assert asked.n_features_ == 8
    enough = int(str(told[0].message).split("support_at(")[1][0])
    table = asked.credits_of_kept()
    assert 1 <= enough <= (table["credit"] >= 0).sum() < 8
    fewer = EliminationSelector(enough, **FEW).fit(x, y)
    assert fewer.support_.tolist() == asked.support_at(enough).tolist()
    # A size that folds choose ends before them.
    all_of_them = EliminationSelector(cv=[(np.arange(60), np.arange(60, 100))], **FEW).fit(x, y)
    assert (all_of_them.credits_of_kept()["credit"] >= 0).all()


# ---- features that stay ---------------------------------------------------------------------------


def test_initial_features(monkeypatch: pytest.MonkeyPatch) -> None:
    for given in (["mean texture", "mean smoothness"], [1, 4], np.isin(np.arange(30), [1, 4])):
        selector = EliminationSelector(4, initial_features=given, **FEW).fit(CANCER.data, CANCER.target)
        assert selector.support_[[1, 4]].all()
        assert sorted(selector.path_[:2].tolist()) == [1, 4]
        assert len(selector.path_) == 30
    with monkeypatch.context() as patched:
        patched.setattr(POOL, 5)
        pooled = EliminationSelector(3, initial_features=[19], **FEW).fit(CANCER.data, CANCER.target)
        assert (pooled.path_[0], len(pooled.path_)) == (19, 5)
        # The pool has room for all of them.
        every = EliminationSelector("best", cv=2, initial_features=list(range(7)), **FEW).fit(
            CANCER.data, CANCER.target
        )
        assert sorted(every.path_.tolist()) == every.get_support(indices=True).tolist() == list(range(7))
    chosen = EliminationSelector(cv=2, initial_features=[1, 4], **FEW).fit(CANCER.data, CANCER.target)
    assert chosen.support_[[1, 4]].all()
    assert chosen.cv_results_["n_features"][-1] == 2
    panels = np.repeat(["mean", "error", "worst"], 10)
    grouped = EliminationSelector(1, initial_features=[12], feature_groups=panels, **FEW)
    assert np.flatnonzero(grouped.fit(CANCER.data, CANCER.target).support_).tolist() == list(range(10, 20))


# ---- what is refused before the folds take their time ---------------------------------------------


@pytest.mark.parametrize(
    "how",
    [
        {"scoring": "nonsense"}, {"scoring": int}, {"scoring": [1]}, {"cv": "folds"}, {"cv": 1}, {"cv": 2.5},
        {"cv": []}, {"cv": [np.nan]}, {"cv": [(np.arange(3), [999])]}, {"cv": b"x"},
        {"judge": LogisticRegression}, {"judge": "forest"}, {"nested": "no"},
    ],
)  # fmt: skip
def test_what_folds_are_for_is_checked_without_them(how: Any) -> None:
    with pytest.raises((TypeError, ValueError), match=f"(?<![a-z_]){next(iter(how))}(?![a-z_])"):
        EliminationSelector(2, **{"cv": 2, **FEW, **how}).fit(WINE.data, WINE.target)
    selector = EliminationSelector(1, **FEW)
    with refused("groups", "shape"):
        selector.fit(WINE.data, WINE.target, groups=[1, 2])
    # So few rows cannot be split into five folds, which nobody asked for.
    few = [0, 1, 176, 177]
    assert selector.fit(WINE.data.iloc[few], WINE.target.iloc[few]).n_features_ == 1


@pytest.mark.parametrize(
    ("how", "argument", "code"),
    [
        ({"cv": [(np.arange(20), np.arange(20, 178))]}, "cv", "rows"),
        ({"cv": [(np.arange(178), [])]}, "cv", "range"),
        ({"cv": 179}, "cv", "rows"),
        ({"cv": 178, "nested": True, "task": "regression"}, "cv", "rows"),
        ({"cv": GroupKFold(2)}, "groups", "absent"),
        ({"cv": 1}, "cv", "range"),
        ({"initial_features": ["hew"]}, "initial_features", "unknown"),
        ({"initial_features": [0, 1], "n_features": 1}, "n_features", "range"),
        ({"scoring": lambda fitted, x, y: float("nan")}, "scoring", "undefined"),
        (
            {"scoring": lambda fitted, x, y: np.log(len(set(y)) - 2.0) if 2 in y else 0.5, "cv": KFold(3)},
            "scoring",
            "undefined",
        ),
        ({"cv": [([0, 60, 100], [1]), ([0, 60, 100], [2])], "task": "regression"}, "cv", "rows"),
        ({"cv": [([0, 60], [1])], "judge": LogisticRegression()}, "cv", "rows"),
        ({"cv": [([0, 60], [1])], "n_features": "1se"}, "cv", "rows"),
    ],
)
@pytest.mark.filterwarnings("ignore:divide by zero", "ignore:invalid value")
def test_errors_come_before_the_folds(how: Any, argument: str, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sizes, "share_out", None)
    x = WINE.data.assign(same=1.0)
    with refused(argument, code):
        EliminationSelector(**{"cv": 2, **FEW, **how}).fit(x, WINE.target)


def test_a_score_that_is_no_number_ends_the_folds_at_once() -> None:
    judged: list[tuple[int, int]] = []

    def score(fitted: Any, x: pd.DataFrame, y: Any) -> float:
        judged.append((x.shape[1], len(y)))
        return float("nan") if x.shape[1] == 3 and len(y) < 60 else 0.5

    x, folds = WINE.data.iloc[:, :4], [(np.arange(40, 178), np.arange(40)), (np.arange(130), np.arange(130, 178))]
    with refused("scoring", "undefined"):
        EliminationSelector(cv=folds, scoring=score, **FEW).fit(x, WINE.target)
    # Before them one feature and guesses were tried.
    assert judged[3:] == [(4, 40), (3, 40)]
    where = "on fold 1 of the training part of fold 1 of cv for subset size 3"
    with pytest.raises(ValueError, match=where):
        EliminationSelector(cv=KFold(2), nested=True, scoring=score, **FEW).fit(x, np.arange(178) % 2)


@pytest.mark.parametrize(("y", "cv"), [([0, 0, 0, 1], 5), ([0, 0, 0, 1], 2), ([0.5, 0.1], 2), ([0.5, 0.1, 0.7], 3)])
def test_too_few_rows_for_the_folds(y: list[float], cv: int) -> None:
    x = noise()[0][: len(y)]
    with refused("cv", "rows"):
        EliminationSelector(cv=cv, **FEW).fit(x, y)
    if cv == 5:
        with refused("cv", "rows"):
            GRRFSelectorCV(cv=cv, **FEW).fit(x, y)


def test_a_fold_where_nothing_varies_is_judged_by_a_guess() -> None:
    x, y = np.zeros((40, 2)), np.arange(40) % 2
    x[:4, 0] = y[:4]
    folds = [(np.arange(4, 40), np.arange(4)), (np.arange(36), np.arange(36, 40))]
    selector = EliminationSelector("best", cv=folds, **FEW)
    with pytest.warns(UserWarning, match="no subset predicts y significantly"):
        selector.fit(x, y)
    assert selector.cv_results_["split0_test_score"].tolist() == [0.5]


@pytest.mark.parametrize("splitter", [StratifiedKFold(2), 2])
def test_jobs_and_folds_give_the_same_again(splitter: Any) -> None:
    one, other = (
        EliminationSelector(cv=splitter, n_jobs=jobs, **FEW).fit(WINE.data, WINE.target).cv_results_ for jobs in (1, 2)
    )
    assert one["mean_test_score"].tolist() == other["mean_test_score"].tolist()
