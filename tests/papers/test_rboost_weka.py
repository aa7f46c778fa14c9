"""Boosting by weights takes the stumps of Weka 3.6.14, with the same votes.

``java weka.classifiers.meta.AdaBoostM1 -t FILE -I 20 -no-cv -W weka.classifiers.trees.DecisionStump`` on the files of
scikit-learn's `load_breast_cancer` and `load_wine`. Weka prints votes with two digits. Its stumps, too, take the
greatest information gain; with 40 rounds they are also the same on sonar, ionosphere, parkinsons and wdbc.
"""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_wine

from pyrrf.sklearn import RBoostClassifier

# Feature, cut and vote of each round.
WEKA = {
    "cancer": [
        (22, 105.95, 2.43),
        (27, 0.1603, 1.77),
        (21, 23.35, 1.45),
        (7, 0.049229999999999996, 1.32),
        (1, 21.295, 0.94),
        (13, 34.405, 0.92),
        (24, 0.13715, 0.68),
        (22, 85.095, 1.21),
        (15, 0.01118, 0.82),
        (22, 127.19999999999999, 0.33),
        (22, 127.19999999999999, 0.47),
        (26, 0.20795, 0.91),
        (10, 0.54785, 0.67),
        (18, 0.01795, 0.95),
        (28, 0.32125000000000004, 0.62),
        (8, 0.1527, 0.97),
        (22, 120.35, 0.56),
        (1, 15.695, 0.76),
        (5, 0.066735, 0.81),
        (4, 0.08854000000000001, 0.83),
    ],
    "wine": [
        (6, 1.5750000000000002, 0.41),
        (9, 3.82, 0.75),
        (6, 1.5750000000000002, 0.86),
        (12, 755.0, 0.94),
        (6, 1.5750000000000002, 0.91),
        (6, 1.4, 0.77),
        (6, 2.31, 0.71),
        (11, 2.475, 0.47),
        (6, 2.1799999999999997, 0.32),
        (6, 2.1799999999999997, 0.35),
        (6, 1.5750000000000002, 0.33),
        (6, 2.1799999999999997, 0.28),
        (6, 1.5750000000000002, 0.25),
        (6, 2.1799999999999997, 0.22),
        (11, 2.475, 0.21),
        (6, 2.1799999999999997, 0.17),
        (6, 1.5750000000000002, 0.18),
        (6, 2.1799999999999997, 0.16),
        (6, 1.5750000000000002, 0.15),
        (6, 1.5750000000000002, 0.15),
    ],
}
DATA = {"cancer": load_breast_cancer, "wine": load_wine}


@pytest.mark.parametrize("name", WEKA)
def test_stumps_and_votes_of_weka(name: str) -> None:
    x, y = DATA[name](return_X_y=True)
    boost = RBoostClassifier(20, penalty=1.0, max_features=None, max_depth=1, boosting="reweight").fit(x, y)
    found = [(int(tree.split_var[0]) - 1, float(tree.split_point[0])) for tree in boost.estimators_]
    assert found == [(feature, cut) for feature, cut, _ in WEKA[name]]
    votes = np.array([vote for _, _, vote in WEKA[name]])
    np.testing.assert_allclose(boost.estimator_weights_, votes, rtol=0, atol=0.00501)
