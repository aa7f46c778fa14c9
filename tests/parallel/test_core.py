"""The parallel engine through its binding: one answer on any number of threads."""

from typing import Any

import numpy as np
import pytest

from pyrrf import _core


def fit(kind: str, n_jobs: int, seed: int = 1) -> dict[str, Any]:
    generator = np.random.default_rng(3)
    n, p = 120, 25
    x = np.asfortranarray(generator.standard_normal((n, p)))
    signal = x[:, 0] + x[:, 1] + 0.5 * generator.standard_normal(n)
    numbers = kind == "numbers"
    nclass = 1 if numbers else 2
    return _core.fit_parallel(
        x,
        np.ones(p, np.int32),
        signal if numbers else (signal > 0).astype(np.int32),
        nclass,
        ntree=80,
        mtry=5,
        nodesize=5 if numbers else 1,
        max_nodes=2 * n + 1,
        replace=True,
        sampsize=np.array([n], np.int32),
        classwt=None,
        cutoff=np.full(nclass, 1 / nclass),
        flag_reg=1,
        coef_reg=np.full(p, 0.8),
        used=np.zeros(p, np.int32),
        seed=seed,
        n_jobs=n_jobs,
    )


@pytest.mark.parametrize("n_jobs", [2, 4])
@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_threads_agree(kind: str, n_jobs: int) -> None:
    one, many = fit(kind, 1), fit(kind, n_jobs)
    for part in ("predicted", "oob_times", "mse" if kind == "numbers" else "err_rate", "importance", "used"):
        np.testing.assert_array_equal(one[part], many[part], err_msg=part)
    for part, values in one["forest"].items():
        np.testing.assert_array_equal(values, many["forest"][part], err_msg=part)


@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_seed_decides(kind: str) -> None:
    assert not np.array_equal(fit(kind, 2)["importance"], fit(kind, 2, seed=2)["importance"])


def test_features_with_signal_are_selected() -> None:
    for kind in ("classes", "numbers"):
        result = fit(kind, 2)
        assert result["used"][[0, 1]].all()
        assert result["importance"][:2].sum() > 0.5 * result["importance"].sum()
