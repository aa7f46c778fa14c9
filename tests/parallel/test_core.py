"""The parallel engine through its binding: one answer on any number of threads."""

import numpy as np
import pytest

from pyrrf import _core
from pyrrf._core.records import CoreResult, Growing, ParallelRule, TrainingArrays
from pyrrf.result.record import equal_parts


def fit(kind: str, n_jobs: int, seed: int = 1) -> CoreResult:
    generator = np.random.default_rng(3)
    n, p = 120, 25
    x = np.asfortranarray(generator.standard_normal((n, p)))
    signal = x[:, 0] + x[:, 1] + 0.5 * generator.standard_normal(n)
    numbers = kind == "numbers"
    nclass = 1 if numbers else 2
    rows = TrainingArrays(
        values=x,
        ncat=np.ones(p, np.int32),
        response=signal if numbers else (signal > 0).astype(np.int32),
        nclass=nclass,
    )
    growing = Growing(
        ntree=80,
        mtry=5,
        nodesize=5 if numbers else 1,
        max_nodes=2 * n + 1,
        sampsize=np.array([n], np.int32),
        cutoff=np.full(nclass, 1 / nclass),
        flag_reg=1,
        coef_reg=np.full(p, 0.8),
        used=np.zeros(p, np.int32),
    )
    return _core.fit_parallel(rows, growing, ParallelRule(), seed, n_jobs=n_jobs)


@pytest.mark.parametrize("n_jobs", [2, 4])
@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_threads_agree(kind: str, n_jobs: int) -> None:
    one, many = fit(kind, 1), fit(kind, n_jobs)
    assert equal_parts(one.outcome, many.outcome)
    assert equal_parts(one.trees, many.trees)


@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_seed_decides(kind: str) -> None:
    assert not np.array_equal(fit(kind, 2).outcome.importance, fit(kind, 2, seed=2).outcome.importance)


def test_features_with_signal_are_selected() -> None:
    for kind in ("classes", "numbers"):
        result = fit(kind, 2).outcome
        assert result.used[[0, 1]].all()
        assert result.importance[:2].sum() > 0.5 * result.importance.sum()
