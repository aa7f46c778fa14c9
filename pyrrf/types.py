"""Names for what arguments and tables may be."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int32]
Positions: TypeAlias = NDArray[np.int64]

# Labels of rows or columns, and one column of a table; pandas leaves their types open.
Labels: TypeAlias = "pd.Index[Any]"
Column: TypeAlias = "pd.Series[Any]"

# In quotes: from Python 3.12 on NumPy's ArrayLike cannot be joined with a name that is in quotes itself.
TableLike: TypeAlias = "ArrayLike | pd.DataFrame"
VectorLike: TypeAlias = "ArrayLike | Column"
# Numbers that go with labels, such as weights of classes: in the labels' order, or by label.
PerLabel: TypeAlias = "ArrayLike | Mapping[Hashable, float] | Column"

NaAction: TypeAlias = str | Callable[[pd.DataFrame], pd.DataFrame]
