import numpy as np
from numpy.typing import NDArray

from pyrrf._core.records import RowPrediction, Trees
from pyrrf._core.stream import Stream

_Ints = NDArray[np.int32]
_Doubles = NDArray[np.float64]

def predict_classification(
    forest: Trees,
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
) -> RowPrediction: ...
def predict_regression(
    forest: Trees,
    ncat: _Ints,
    x: _Doubles,
    *,
    predict_all: bool = False,
    proximity: bool = False,
    nodes: bool = False,
) -> RowPrediction: ...
def predict_rows(
    forest: Trees,
    x: _Doubles | NDArray[np.float32],
    ncat: _Ints,
    nclass: int,
    *,
    cutoff: _Doubles | None = None,
    n_jobs: int = 1,
    individual: bool = False,
    nodes: bool = False,
    proximity: bool = False,
) -> RowPrediction: ...
