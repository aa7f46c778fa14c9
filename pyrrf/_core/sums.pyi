import numpy as np
from numpy.typing import NDArray

def row_totals(x: NDArray[np.float64], divisor: float) -> NDArray[np.float64]: ...
