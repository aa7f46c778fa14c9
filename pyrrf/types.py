"""Type aliases of arguments and tables."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int32]
Positions: TypeAlias = NDArray[np.int64]

# Labels of rows or columns, and one column of a table. pandas defines these generics for type checkers only.
if TYPE_CHECKING:
    Labels: TypeAlias = pd.Index[Any]
    Column: TypeAlias = pd.Series[Any]
else:
    Labels, Column = pd.Index, pd.Series

# Without quotes, so that `typing.get_type_hints` can evaluate unions with them.
TableLike: TypeAlias = ArrayLike | pd.DataFrame
VectorLike: TypeAlias = ArrayLike | Column


class SparseLike(Protocol):
    """A sparse matrix or array of scipy."""

    def tocsc(self, copy: bool = ..., /) -> Any:
        """Return the matrix in compressed sparse columns."""


RowsLike: TypeAlias = TableLike | SparseLike
# Seed or generator of an estimator.
RandomState: TypeAlias = int | np.integer[Any] | np.random.RandomState | np.random.Generator | None
# One number per label, such as weights of classes: in the order of the labels, or by label.
PerLabel: TypeAlias = ArrayLike | Mapping[Hashable, float] | Column
# Weights by class; scikit-learn defines no order of the classes.
ClassWeight: TypeAlias = str | Mapping[Any, float] | Column | None
# One value per feature: in the order of the columns, or by name.
PerFeature: TypeAlias = ArrayLike | Mapping[Hashable, Hashable] | Column

NaAction: TypeAlias = str | Callable[[pd.DataFrame], pd.DataFrame]
