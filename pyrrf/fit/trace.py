"""R's running tables of errors, which do_trace prints."""

from __future__ import annotations

import numpy as np


class ClassTrace:
    """Prints the errors of a forest for classes."""

    def __init__(self, nclass: int) -> None:
        self.nclass = nclass
        self.started = False

    def __call__(self, tree: int, errors: np.ndarray, test_errors: np.ndarray | None) -> None:
        """Print a line, with the header before the first one."""
        if not self.started:
            self._header(test_errors is not None)
        line = f"{tree:5d}: " + self._rates(errors)
        if test_errors is not None:
            line += "| " + self._rates(test_errors)
        print(line, flush=True)  # noqa: T201

    def _header(self, with_test: bool) -> None:
        self.started = True
        classes = "".join(f"{k:7d}" for k in range(1, self.nclass + 1))
        print("ntree      OOB" + classes + ("|    Test" + classes) * with_test)  # noqa: T201

    @staticmethod
    def _rates(errors: np.ndarray) -> str:
        # 0/0 has its sign bit set on x86, so C prints -nan for a class without cases.
        return "".join("  -nan%" if np.isnan(e) else f"{100.0 * e:6.2f}%" for e in errors)


class RegressionTrace:
    """Prints the errors of a regression forest, plain and as a share of the variance.

    Parameters
    ----------
    y : ndarray of float64, shape (n,)
    ytest : ndarray of float64, shape (ntest,), or None
    with_test : bool
        Whether there is a test set; R prints its header even without `ytest`.
    """

    def __init__(self, y: np.ndarray, ytest: np.ndarray | None, with_test: bool) -> None:
        self.variance = running_variance(y)
        self.test_variance = None if ytest is None else running_variance(ytest)
        self.with_test = with_test
        self.started = False

    def __call__(self, tree: int, error: float, test_error: float | None) -> None:
        """Print a line, with the header before the first one."""
        if not self.started:
            self._header()
        line = f"{tree:4d} |" + self._errors(error, self.variance)
        if test_error is not None and self.test_variance is not None:
            line += "|" + self._errors(test_error, self.test_variance)
        print(line + "|", flush=True)  # noqa: T201

    def _header(self) -> None:
        self.started = True
        print("     |      Out-of-bag   " + "|       Test set    " * self.with_test + "|")  # noqa: T201
        print("Tree |" + "      MSE  %Var(y) |" * (1 + self.with_test))  # noqa: T201

    @staticmethod
    def _errors(error: float, variance: float) -> str:
        with np.errstate(divide="ignore", invalid="ignore"):
            share = np.float64(100.0 * error) / variance
        # 0/0 has its sign bit set on x86, so C prints -nan.
        plain, relative = (
            "    -nan" if np.isnan(value) else format(value, spec) for value, spec in ((error, "8.4g"), (share, "8.2f"))
        )
        return f" {plain} {relative} "


def running_variance(y: np.ndarray) -> float:
    """Variance with divisor n as R's C code computes it, value by value.

    Parameters
    ----------
    y : ndarray of float64, shape (n,)
    """
    mean = squares = 0.0
    for i, value in enumerate(y.tolist()):
        squares += i * (value - mean) * (value - mean) / (i + 1)
        mean = (i * mean + value) / (i + 1)
    return squares / len(y)
