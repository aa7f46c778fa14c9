import numpy as np
from numpy.typing import NDArray

from pyrrf._core.criteria import Criterion, Penalty
from pyrrf._core.ranks import Ranks
from pyrrf._core.records import GrownTree, SparseColumns

_Ints = NDArray[np.int32]
_Doubles = NDArray[np.float64]

class TreeGrower:
    def __init__(
        self,
        x: _Doubles | NDArray[np.float32] | SparseColumns,
        ncat: _Ints,
        y: _Ints | _Doubles,
        nclass: int,
        *,
        mtry: int,
        coef_reg: _Doubles,
        nodesize: int = 1,
        max_nodes: int | None = None,
        flag_reg: int = 1,
        weighted: bool = False,
        criterion: Criterion = ...,
        penalty: Penalty = ...,
        draw_from_all: bool = False,
        max_depth: int = 0,
        use_depth: bool = False,
        draw_until_split: bool = False,
        ties_first: bool = False,
        feature_group: _Ints | None = None,
        ranks: Ranks | None = None,
    ) -> None: ...
    def grow(
        self,
        used: _Ints,
        *,
        seed: int,
        stream: int = 0,
        count: _Ints | None = None,
        row_weight: _Doubles | None = None,
        response: _Doubles | None = None,
        probability: _Doubles | None = None,
        distinct: bool = False,
        leaves: bool = False,
        outside: bool = False,
        most_gains: int = 0,
    ) -> GrownTree: ...
