"""Mutual information feature selection, MIFS, ended by a random probe (paper 002, section 5; Battiti, 1994)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyrrf.sklearn.base import FeatureSelector  # isort: skip, says which extra is missing

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator

from pyrrf.checks import choice, count, number
from pyrrf.data.response import holds_numbers
from pyrrf.papers.fitting import SharedFit
from pyrrf.papers.information import equal_width_bins, mutual_information_matrix, response_bins, sample_bins
from pyrrf.sklearn.parameters import new_seed
from pyrrf.sklearn.sample import Sample, check_several, read_sample
from pyrrf.types import Floats, Ints, RandomState

_PROBES = ("uniform", "normal", "permuted")


def mifs_order(
    relevance: ArrayLike, shared: Callable[[int], Floats], beta: float = 0.15, n_probes: int = 0
) -> tuple[list[int], list[float]]:
    """Rank features by information shared with the label less that shared with those before (paper 002, eq 6): MIFS.

    `relevance` is the mutual information of each feature with the label, I(f;y); `shared` is asked, for each feature
    taken, for that with all features. The order is that of max I(f;y) - beta x (sum over those before of I(f;g)), the
    first one of equals; the scores are these values. The last `n_probes` features are random columns: the ranking ends
    before the first of them.

    Examples
    --------
    >>> import numpy as np
    >>> from pyrrf.papers.mifs import mifs_order
    >>> shared = np.array([[1.0, 0.9, 0.0], [0.9, 1.0, 0.0], [0.0, 0.0, 1.0]])
    >>> mifs_order([0.8, 0.75, 0.7], lambda feature: shared[feature], beta=0.5)[0]
    [0, 2, 1]
    """
    score = np.array(relevance, dtype=np.float64)
    order: list[int] = []
    scores: list[float] = []
    while len(order) < len(score) - n_probes:
        best = int(score.argmax())
        if best >= len(score) - n_probes:
            break
        order.append(best)
        scores.append(float(score[best]))
        score -= beta * shared(best)
        score[best] = -np.inf
    return order, scores


class MIFSSelector(SharedFit, FeatureSelector, BaseEstimator):  # type: ignore[misc]
    """Mutual information feature selection, ended by a random probe (paper 002, eq 6 and section 5; Battiti, 1994).

    Features are taken by what they share with the label less what they share with the features taken before, until a
    column of random numbers would be taken.

    Parameters
    ----------
    beta : float, default 0.15
        What a bit shared with a feature taken before costs.
    bins : int, default 20
        Bins of equal width of a number (`pyrrf.papers.equal_width_bins`); missing values are a bin of their own. y
        is put into bins, too, where it holds numbers by the rule of `GRRFSelector`.
    n_probes : int, default 1
        Random columns; the selection ends before the first of them.
    probe : 'uniform', 'normal' or 'permuted', default 'uniform'
        The distribution of a probe, which the paper leaves open: random numbers, or a shuffled copy of a feature drawn
        at random. The fuller the bins, the more a probe seems to share with the label, and the fewer features are
        taken.
    correction : 'miller-madow' or None, default None
        As in `pyrrf.papers.mutual_information`.
    random_state : int, RandomState, Generator or None, default None
        Of the probes.

    Attributes
    ----------
    support_ : ndarray of bool, shape (p,)
        The features kept.
    selected_ : ndarray of int64, shape (n_selected,)
        Their positions, in the order in which they were taken.
    n_features_ : int
        Number of features kept.
    scores_ : ndarray of float64, shape (n_selected,)
        The criterion of each when it was taken, in bits.
    relevance_ : ndarray of float64, shape (p,)
        Mutual information with the label, in bits.
    n_features_in_ : int
    feature_names_in_ : ndarray of str, shape (p,)
        Only if X had names.

    See Also
    --------
    pyrrf.papers.mutual_information : What it computes.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from pyrrf.papers import MIFSSelector
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> selector = MIFSSelector(random_state=1).fit(X, y)
    >>> X.columns[selector.selected_[:3]].tolist()
    ['flavanoids', 'proline', 'od280/od315_of_diluted_wines']
    """

    def __init__(
        self,
        *,
        beta: float = 0.15,
        bins: int = 20,
        n_probes: int = 1,
        probe: str = "uniform",
        correction: str | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.beta = beta
        self.bins = bins
        self.n_probes = n_probes
        self.probe = probe
        self.correction = correction
        self.random_state = random_state

    def _fit(self, X: Any, y: Any) -> None:
        beta, n_probes = number(self.beta, "beta"), count(self.n_probes, "n_probes")
        sample = read_sample(self, X, y, ensure_all_finite="allow-nan", ensure_min_samples=2)
        check_several(sample.y)
        codes = np.column_stack([sample_bins(sample, self.bins), self._probes(sample, n_probes)])
        label = response_bins(sample, self.bins, holds_numbers(y, "pass y as strings if they are classes"))

        def information_with(other: Ints) -> Floats:
            return mutual_information_matrix(codes, other[:, None], correction=self.correction)[:, 0]

        relevance = information_with(label)
        order, scores = mifs_order(relevance, lambda feature: information_with(codes[:, feature]), beta, n_probes)
        self._keep_positions(order, self.n_features_in_)
        self.scores_ = np.array(scores, dtype=np.float64)
        self.relevance_ = relevance[: self.n_features_in_]

    def _probes(self, sample: Sample, n_probes: int) -> Ints:
        """Return the labels of random columns, shape (n, n_probes)."""
        probe = choice(self.probe, "probe", _PROBES)
        rng = np.random.default_rng(new_seed(self.random_state))
        n, p = sample.values.shape
        if probe == "permuted":
            chosen = sample_bins(sample, self.bins)[:, rng.integers(p, size=n_probes)]
            return rng.permuted(chosen, axis=0)
        drawn = rng.random((n, n_probes)) if probe == "uniform" else rng.standard_normal((n, n_probes))
        return equal_width_bins(drawn, self.bins)
