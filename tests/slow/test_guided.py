"""Guided selectors at length: noise is not praised, and other processes give the same answers."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import joblib
import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from pyrrf.sklearn import GRRFSelectorCV, RRFClassifier, grrf_path

CANCER = load_breast_cancer()
REPEATS = 20


def noise(seed: int) -> GRRFSelectorCV:
    """The selector on 60 rows of 2,000 random numbers, and labels that have nothing to do with them."""
    rng = np.random.default_rng(seed)
    x, y = rng.standard_normal((60, 2_000)), rng.permutation(np.arange(60) % 2)
    return GRRFSelectorCV(gammas=5, guide=200, n_estimators=100, random_state=seed).fit(x, y)


def test_the_error_reported_on_noise_is_one_half() -> None:
    fits = [noise(seed) for seed in range(REPEATS)]
    reported = 1 - np.mean([fit.nested_score_ for fit in fits])
    assert reported == pytest.approx(0.5, abs=0.05)
    # What must not be reported instead.
    out_of_bag = np.mean([fit.result_.outcome.err_rate[-1, 0] for fit in fits])
    assert out_of_bag < 0.35


@pytest.mark.parametrize("engine", ["r", "parallel"])
def test_processes_give_the_same_answers(engine: str) -> None:
    options: dict[str, Any] = {
        "forest": RRFClassifier(engine=engine),
        "guide": 50,
        "n_estimators": 50,
        "random_state": 1,
    }
    x, y = CANCER.data, CANCER.target
    path = grrf_path(x, y, gammas=4, **options)
    judge = RRFClassifier(20, coef_reg=None, random_state=1)
    chosen = GRRFSelectorCV(judge=judge, gammas=3, cv=3, **options).fit(x, y)
    with joblib.parallel_config(backend="loky", n_jobs=2):
        assert grrf_path(x, y, gammas=4, **options).fits == path.fits
        other = GRRFSelectorCV(judge=judge, gammas=3, cv=3, **options).fit(x, y)
    assert other.result_ == chosen.result_
    assert other.nested_scores_.tolist() == chosen.nested_scores_.tolist()
    table = chosen.cv_results_
    assert all(np.array_equal(other.cv_results_[name], table[name]) for name in table if name != "params")


# The search takes many minutes. It is interrupted, and its threads are waited for as long as they may take.
INTERRUPTED = """
import os, signal, threading, time
import numpy as np
from pyrrf.sklearn import GRRFSelectorCV

def interrupt(*_):
    raise KeyboardInterrupt

bits = np.random.default_rng(0)
x = bits.normal(size=(3000, 40))
y = np.where(x[:, 0] + bits.normal(size=3000) > 0, "a", "b")
signal.signal(signal.SIGALRM, interrupt)
signal.setitimer(signal.ITIMER_REAL, 0.5)
try:
    GRRFSelectorCV(n_estimators=20000, guide=20000, n_jobs=2, cv=4, random_state=0).fit(x, y)
except KeyboardInterrupt:
    end = time.monotonic() + 60
    while threading.active_count() > 1 and time.monotonic() < end:
        time.sleep(0.05)
    print("threads:", threading.active_count(), flush=True)
os._exit(0)
"""


def test_threads_of_an_interrupted_search_end() -> None:
    asked = [sys.executable, "-c", INTERRUPTED]
    run = subprocess.run(asked, capture_output=True, text=True, check=True, timeout=300)
    assert (run.stdout, run.stderr) == ("threads: 1\n", "")
