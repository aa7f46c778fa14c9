import numpy as np
from numpy.typing import NDArray

from pyrrf._core.records import Trees

def check_forest(trees: Trees, ncat: NDArray[np.int32], nclass: int) -> None: ...
