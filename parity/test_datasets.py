"""pyrrf.datasets beside the same data in R, live."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import pyrrf
from parity.r_side import RSide
from pyrrf import datasets


@pytest.mark.parametrize("name", ["iris", "airquality", "mtcars", "swiss", "imports85"])
def test_data_are_those_of_r(name: str, rrf: RSide, tmp_path: Path) -> None:
    rrf.ro.r(f"data({name}, package = c('datasets', 'RRF')); saveRDS({name}, '{tmp_path / name}.rds')")
    theirs, ours = pyrrf.read_rds(tmp_path / f"{name}.rds"), getattr(datasets, f"load_{name}")()
    numbers = theirs.columns[[pd.api.types.is_numeric_dtype(dtype) for dtype in theirs.dtypes]]
    as_floats = dict.fromkeys(numbers, "float64")
    pd.testing.assert_frame_equal(ours.astype(as_floats), theirs.astype(as_floats), check_exact=True)
