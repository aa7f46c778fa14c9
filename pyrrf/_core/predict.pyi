from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrrf._core.stream import Stream

_Ints = NDArray[np.int32]
_Doubles = NDArray[np.float64]
_Trees = Mapping[str, NDArray[Any]]

def predict_classification(
    forest: _Trees,
    ncat: _Ints,
    nclass: int,
    x: _Doubles,
    cutoff: _Doubles,
    *,
    stream: Stream,
    predict_all: bool = False,
    proximity: bool = False,
    nodes: bool = False,
    quirks: bool = True,
) -> dict[str, Any]: ...
def predict_regression(
    forest: _Trees,
    ncat: _Ints,
    x: _Doubles,
    *,
    predict_all: bool = False,
    proximity: bool = False,
    nodes: bool = False,
) -> dict[str, Any]: ...
def predict_rows(
    forest: _Trees,
    x: _Doubles | NDArray[np.float32],
    ncat: _Ints,
    nclass: int,
    *,
    cutoff: _Doubles | None = None,
    n_jobs: int = 1,
    individual: bool = False,
    nodes: bool = False,
    proximity: bool = False,
) -> dict[str, Any]: ...
