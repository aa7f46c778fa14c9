"""Names for what arguments and tables may be."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int32]
Positions: TypeAlias = NDArray[np.int64]

# Labels of rows or columns, and one column of a table; pandas leaves their types open, and gives them none at run time.
if TYPE_CHECKING:
    Labels: TypeAlias = pd.Index[Any]
    Column: TypeAlias = pd.Series[Any]
else:
    Labels, Column = pd.Index, pd.Series

# Not in quotes, so that `typing.get_type_hints` can join them with others.
TableLike: TypeAlias = ArrayLike | pd.DataFrame
VectorLike: TypeAlias = ArrayLike | Column


class SparseLike(Protocol):
    """A sparse matrix or array of scipy."""

    def tocsc(self, copy: bool = ..., /) -> Any:
        """Return it by columns."""


RowsLike: TypeAlias = TableLike | SparseLike
# What decides the random numbers of an estimator.
RandomState: TypeAlias = int | np.integer[Any] | np.random.RandomState | np.random.Generator | None
# Numbers that go with labels, such as weights of classes: in the labels' order, or by label.
PerLabel: TypeAlias = ArrayLike | Mapping[Hashable, float] | Column
# By class; scikit-learn has no order for it.
ClassWeight: TypeAlias = str | Mapping[Any, float] | Column | None
# What goes with features: in the order of the columns, or by name.
PerFeature: TypeAlias = ArrayLike | Mapping[Hashable, Hashable] | Column

NaAction: TypeAlias = str | Callable[[pd.DataFrame], pd.DataFrame]
