import numpy as np
from numpy.typing import NDArray

from pyrrf._core.criteria import Criterion
from pyrrf._core.records import SparseColumns

_Ints = NDArray[np.int32]
_Doubles = NDArray[np.float64]

class Ranks:
    def __new__(
        cls,
        x: _Doubles | NDArray[np.float32] | SparseColumns,
        ncat: _Ints,
        y: _Ints | _Doubles,
        nclass: int,
        *,
        parallel: bool,
        sampsize: _Ints,
        strata: _Ints | None = None,
        classwt: _Doubles | None = None,
        quirks: bool = False,
        random_forest: bool = False,
        criterion: Criterion = ...,
        weighted: bool = False,
        n_jobs: int = 1,
    ) -> Ranks: ...
    def select(self, features: _Ints) -> Ranks: ...

def sort_like_r(values: _Doubles) -> None: ...
