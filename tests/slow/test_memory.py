"""Memory of a fit of engine parallel by its number of threads, and of a fit to a sparse matrix."""

from __future__ import annotations

import subprocess
import sys

import pytest

FIT = """
import sys, numpy, pyrrf, pyrrf.threads
pyrrf.threads._own_cores = lambda: 16
x = numpy.random.default_rng(1).random((300_000, 20))
total = x[:, 0] + x[:, 1] + numpy.random.default_rng(2).random(len(x))
y = total if sys.argv[1] == "numbers" else numpy.where(total > 1.5, "a", "b")
pyrrf.RRF(x, y, ntree=16, maxnodes=1000, seed=1, engine="parallel", n_jobs=int(sys.argv[2]), flagReg=int(sys.argv[3]))
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


def peak(kind: str, n_jobs: int, regularized: int) -> int:
    """Most memory of a process that fits, in KiB."""
    call = [sys.executable, "-c", FIT, kind, str(n_jobs), str(regularized)]
    return int(subprocess.run(call, capture_output=True, text=True, check=True).stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read in /proc")
@pytest.mark.parametrize("regularized", [1, 0])
@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_sixteen_threads_take_little_more_than_one(kind: str, regularized: int) -> None:
    one, many = peak(kind, 1, regularized), peak(kind, 16, regularized)
    assert many <= 1.5 * one


SPARSE = """
import resource, sys, numpy, pyrrf
from scipy.sparse import csc_array
n, p, stored = 1000, 200_000, 10
draw = numpy.random.default_rng(1)
rows = draw.integers(0, n, (p, stored), dtype=numpy.int32).ravel()
x = csc_array((draw.integers(1, 5, p * stored).astype(float), rows, numpy.arange(0, p * stored + 1, stored)), (n, p))
total = numpy.asarray(x[:, :500].sum(axis=1)).ravel() + draw.random(n)
y = total if sys.argv[1] == "numbers" else numpy.where(total > numpy.median(total), "a", "b")
if sys.argv[3] == "GRRF":
    fit = pyrrf.GRRF(x, y, ntree=10, mtry=50, seed=1, engine=sys.argv[2], importance=True)
    pyrrf.predict(fit, x.tocsr())
else:
    from pyrrf import sklearn
    kind = sklearn.RRFRegressor if sys.argv[1] == "numbers" else sklearn.RRFClassifier
    forest = kind(max_features=50, engine=sys.argv[2])
    options = {"n_estimators": 5, "guide": 10, "random_state": 1, "forest": forest}
    if sys.argv[3] == "GRRFSelectorCV":
        options |= {"gammas": 2, "cv": 2}
    selector = getattr(sklearn, sys.argv[3])(**options).fit(x, y)
    assert selector.transform(x.tocsr()).shape == (n, selector.n_features_)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the peak comes in another unit")
@pytest.mark.parametrize("function", ["GRRF", "GRRFSelector", "GRRFSelectorCV"])
@pytest.mark.parametrize(("kind", "engine"), [("classes", "parallel"), ("numbers", "parallel"), ("classes", "r")])
def test_a_wide_sparse_matrix_stays_sparse(function: str, kind: str, engine: str) -> None:
    """The dense one would take 1.6 GB by itself."""
    call = [sys.executable, "-c", SPARSE, kind, engine, function]
    peak = int(subprocess.run(call, capture_output=True, text=True, check=True).stdout)
    assert peak < 2_000_000


TALL = """
import sys, numpy, pyrrf
pyrrf.RRF  # loads the modules, and pandas
def size(name):
    return int(next(line.split()[1] for line in open("/proc/self/status") if line.startswith(name))) * 1024
draw = numpy.random.default_rng(1)
x = draw.standard_normal((5_000_000, 24), numpy.float32).astype(sys.argv[2], copy=False)
y = x[:, 0] + x[:, 1] if sys.argv[1] == "numbers" else x[:, 0] > 0
before = size("VmRSS")
open("/proc/self/clear_refs", "w").write("5")  # the peak begins anew
pyrrf.RRF(x, y, ntree=1, maxnodes=4, mtry=4, seed=1, engine="parallel", n_jobs=1)
print((size("VmHWM") - before) / x.nbytes)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read in /proc")
@pytest.mark.parametrize(("kind", "dtype", "most"), [("classes", "float64", 1.0), ("classes", "float32", 2.0)])
def test_a_tall_array_takes_little_more_than_its_ranks(kind: str, dtype: str, most: float) -> None:
    """Ranks take as much as an array of float32; the order of all columns would take as much again."""
    call = [sys.executable, "-c", TALL, kind, dtype]
    assert float(subprocess.run(call, capture_output=True, text=True, check=True).stdout) <= most


WIDE = TALL.replace("(5_000_000, 24)", "(100, 1_000_000)").replace("ntree=1, maxnodes=4, mtry=4", "ntree=5, mtry=1000")


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read in /proc")
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_a_wide_array_takes_less_than_itself(kind: str, dtype: str) -> None:
    call = [sys.executable, "-c", WIDE, kind, dtype]
    assert float(subprocess.run(call, capture_output=True, text=True, check=True).stdout) <= 1.0
