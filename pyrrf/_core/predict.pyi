import numpy as np
from numpy.typing import NDArray

from pyrrf._core.records import RowPrediction, SparseColumns, Trees
from pyrrf._core.stream import Stream

_Ints = NDArray[np.int32]
_Doubles = NDArray[np.float64]

def predict(
    forest: Trees,
    x: _Doubles | NDArray[np.float32] | SparseColumns,
    ncat: _Ints,
    nclass: int,
    *,
    cutoff: _Doubles | None = None,
    stream: Stream | None = None,
    ties: int = 0,
    n_jobs: int = 1,
    winners: bool = True,
    individual: bool = False,
    nodes: bool = False,
    proximity: bool = False,
) -> RowPrediction: ...
