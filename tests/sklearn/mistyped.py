"""Arguments of wrong types: mypy must refuse each line that says so, or `make lint` finds its comment unused."""

from __future__ import annotations

import numpy as np
import pandas as pd

from pyrrf.papers import LESSRegressor, RBoostClassifier
from pyrrf.sklearn import GRRFSelector, RRFClassifier, grrf_path

X = pd.DataFrame({"a": [0.0, 1.0, 2.0], "b": [1.0, 0.0, 1.0]})
y = np.array([0, 1, 1])

forest = RRFClassifier(random_state=1, coef_reg=[0.5, 1.0]).fit(X, y, sample_weight=[1, 2, 3])
selector = GRRFSelector(forest=RRFClassifier(class_weight={0: 2.0}, feature_cost={"a": 2})).fit(
    X.to_numpy(), y.tolist()
)
kept = selector.fit(X, X["a"]).get_support(indices=True).sum(), selector.transform(X).shape, forest.predict(X).shape

forest.fit(X, None)  # type: ignore[arg-type]
forest.fit(X, y, sample_weight={1: 2.0})  # type: ignore[arg-type]
forest.fit(y=y)  # type: ignore[call-arg]
forest.predict({"a": 1})  # type: ignore[arg-type]
forest.predict_proba(None)  # type: ignore[arg-type]
selector.transform(None)  # type: ignore[arg-type]
selector.get_support(indices="yes")  # type: ignore[arg-type]
LESSRegressor().fit(X, y, y)  # type: ignore[call-arg]
RBoostClassifier().staged_predict({"a": 1})  # type: ignore[arg-type]
RRFClassifier(random_state="one")  # type: ignore[arg-type]
RRFClassifier(class_weight=2.0)  # type: ignore[arg-type]
GRRFSelector(gama=0.5)  # type: ignore[call-arg]
grrf_path(X, y, gammas=None)  # type: ignore[arg-type]
