"""Random tables with categories: new rows in any dress have the answer of the same rows as a table, or are refused."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

import pyrrf
from pyrrf.papers import (
    ComplexityForestClassifier,
    LESSClassifier,
    LESSRegressor,
    MaxDependencyClassifier,
    RBoostClassifier,
)
from pyrrf.sklearn import RRFClassifier, RRFRegressor

# A number in the environment draws others.
SEEDS = [int(os.environ.get("DRAWN_SEED", "0")) * 1000 + at for at in (1, 2)]
N, DRAWS = 80, 3
LEVELS: dict[str, list[Any]] = {
    "counted": [0, 1, 2], "from one": [1, 2, 3, 4], "apart": [-7, 3, 40], "fractions": [0.1, 2.5, 1e6],
    "truth values": [False, True], "words": ["u", "v", "w"], "numbers as words": ["0", "1", "2"],
    "both": [1, "v"], "too large": [2**53, 2**53 + 2],
}  # fmt: skip
AS_NUMBERS = ("counted", "from one", "apart", "fractions", "truth values")


def column(rng: np.random.Generator, kind: str) -> pd.Categorical:
    levels = [LEVELS[kind][at] for at in rng.permutation(len(LEVELS[kind]))]
    codes = rng.permutation(np.arange(N) % len(levels))
    return pd.Categorical.from_codes(codes, pd.Index(levels, dtype=object), ordered=bool(rng.random() < 0.3))


def table(rng: np.random.Generator) -> tuple[pd.DataFrame, bool]:
    """Numbers and one or two categories at random places; whether all categories are numbers."""
    kinds = rng.choice(list(LEVELS), int(rng.integers(1, 3)), p=[0.15] * 5 + [0.0625] * 4)
    columns: list[Any] = [rng.random(N), rng.integers(0, 5, N), *(column(rng, kind) for kind in kinds)]
    order = rng.permutation(len(columns))
    frame = pd.DataFrame({f"x{at}": columns[at] for at in order})
    return frame, all(kind in AS_NUMBERS for kind in kinds)


def response(rng: np.random.Generator, frame: pd.DataFrame) -> np.ndarray:
    """Classes that most categories tell."""
    score = sum(pd.factorize(frame[name])[0] % 2 for name in frame.columns if name not in ("x0", "x1"))
    return np.where((score + frame["x0"] + 0.2 * rng.random(N)) % 1.6 > 0.8, "a", "b")


def dress(rng: np.random.Generator, frame: pd.DataFrame) -> Any:
    """Some of the rows as something else than a table."""
    array = frame.astype(object).to_numpy()
    kind = str(rng.choice(["array", "rows", "fortran", "objects", "list", "sparse", "masked"]))
    if kind == "objects":
        return array
    values = array.astype(np.float64)
    dressed = {
        "array": lambda: values, "rows": lambda: np.ascontiguousarray(values[:, ::1]),
        "fortran": lambda: np.asfortranarray(values), "list": values.tolist, "sparse": lambda: csr_array(values),
        "masked": lambda: np.ma.masked_array(values, np.zeros(values.shape, bool)),
    }  # fmt: skip
    return dressed[kind]()


def votes(fit: Any, rows: Any) -> np.ndarray:
    return np.asarray(pyrrf.predict(fit, rows, type="vote", norm_votes=False))


def of_function(function: Any, **options: Any) -> Callable[[pd.DataFrame, np.ndarray], Callable[[Any], np.ndarray]]:
    def fit(frame: pd.DataFrame, y: np.ndarray) -> Callable[[Any], np.ndarray]:
        grown = function(frame, y, ntree=15, seed=1, **options)
        return lambda rows: votes(grown, rows)

    return fit


def of_estimator(estimator: Any, numeric: bool = False) -> Callable[..., Callable[[Any], np.ndarray]]:
    def fit(frame: Any, y: np.ndarray, **options: Any) -> Callable[[Any], np.ndarray]:
        fitted = type(estimator)(**{**estimator.get_params(), **options}).fit(frame, y == "a" if numeric else y)
        return fitted.predict if numeric else fitted.predict_proba

    return fit


ESTIMATORS: dict[str, Any] = {
    "RRFClassifier": of_estimator(RRFClassifier(15, random_state=1)),
    "RRFClassifier, r": of_estimator(RRFClassifier(15, engine="r", random_state=1)),
    "RRFRegressor": of_estimator(RRFRegressor(15, random_state=1), numeric=True),
    "RBoostClassifier": of_estimator(RBoostClassifier(5, random_state=1)),
    "ComplexityForestClassifier": of_estimator(ComplexityForestClassifier(5, random_state=1)),
    "MaxDependencyClassifier": of_estimator(MaxDependencyClassifier(3)),
    "LESSClassifier": of_estimator(LESSClassifier(1, 15, scores="uniform", random_state=1)),
    "LESSRegressor": of_estimator(LESSRegressor(1, 15, scores="uniform", random_state=1), numeric=True),
}
FITS: dict[str, Any] = {
    "RRF": of_function(pyrrf.RRF, coefReg=1.0),
    "RRF, quirks=False": of_function(pyrrf.RRF, quirks=False),
    "RRF, parallel": of_function(pyrrf.RRF, engine="parallel"),
    "randomForest": of_function(pyrrf.randomForest),
    **ESTIMATORS,
}


@pytest.fixture(autouse=True)
def _quiet() -> Any:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "X (has|does not have valid) feature names")
        yield


@pytest.mark.parametrize("name", FITS)
@pytest.mark.parametrize("seed", SEEDS)
def test_arrays_after_tables(name: str, seed: int) -> None:
    rng = np.random.default_rng([seed, len(name)])
    for _ in range(DRAWS):
        frame, numbers = table(rng)
        answer = FITS[name](frame, response(rng, frame))
        some = frame.iloc[rng.permutation(N)[: int(rng.integers(1, N))]]
        try:
            rows = dress(rng, some)
        except ValueError:  # words are no numbers
            worded = [at for at in some.columns if not all(isinstance(one, int | float) for one in some[at])]
            rows = some.assign(**{at: some[at].cat.codes for at in worded}).to_numpy(np.float64)
        objects = name in ESTIMATORS and isinstance(rows, np.ndarray) and rows.dtype == object
        if numbers or objects:
            assert np.array_equal(answer(rows), answer(some)), (some, rows)
        else:
            with pytest.raises(TypeError, match="array"):
                answer(rows)


@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.parametrize("seed", SEEDS)
def test_tables_and_arrays_with_listed_categories(name: str, seed: int) -> None:
    rng = np.random.default_rng([seed, len(name)])
    for _ in range(DRAWS):
        frame, numbers = table(rng)
        listed = np.flatnonzero(frame.dtypes == "category").tolist()
        if not numbers:
            continue
        plain = frame.astype(dict.fromkeys(frame.columns[listed], np.float64))
        dressed = {"table": plain, "array": plain.to_numpy(), "objects": frame.astype(object).to_numpy(), "own": frame}
        y = response(rng, frame)
        given = str(rng.choice(list(dressed)))
        answer = ESTIMATORS[name](dressed[given], y, categorical_features=listed)
        expected = answer(dressed[given])
        for rows in (dressed["table"], dressed["array"], dressed["objects"], dress(rng, frame)):
            assert np.array_equal(answer(rows), expected), (given, rows)
