"""MDSplot: the one answer that depends on LAPACK, so the one that has tolerances."""

from __future__ import annotations

import numpy as np
import pytest

from parity.case_text import read_steps
from parity.python_side import run
from parity.r_side import RSide
from parity.steps import Case
from parity.values import Value

# Eigenvalues of a symmetric matrix are exact to some units in the last place of the largest one.
EIGENVALUE = 1e-13
# Eigenvectors move by that over the gap to the next eigenvalue; the gaps here exceed 1 % of the largest.
COORDINATE = 1e-10


@pytest.mark.parametrize(("data", "k"), [("small", 2), ("iris_labelled", 1), ("classes4", 3)])
def test_scaling_is_that_of_r_up_to_the_sign(rrf: RSide, data: str, k: int) -> None:
    item = Case("scaling", data, read_steps(f"seed 1 | RRF ntree=20 proximity | MDSplot fac=$y k={k}"))
    theirs, ours = (answers[-1].value.data for answers in (rrf.run(item), run(item)))
    largest = theirs["eig"].data[0]
    np.testing.assert_allclose(ours["eig"].data, theirs["eig"].data, rtol=0, atol=EIGENVALUE * largest)
    np.testing.assert_allclose(ours["GOF"].data, theirs["GOF"].data, rtol=EIGENVALUE)
    assert gap(theirs["eig"], k) > 0.01 * largest
    assert ours["points"].names == theirs["points"].names
    left, right = ours["points"].data, theirs["points"].data
    signs = np.sign((left * right).sum(axis=0))
    np.testing.assert_allclose(left * signs, right, rtol=0, atol=COORDINATE)


def gap(eigenvalues: Value, k: int) -> float:
    """The smallest distance between the first k + 1 eigenvalues."""
    return float(-np.diff(eigenvalues.data[: k + 1]).max())
