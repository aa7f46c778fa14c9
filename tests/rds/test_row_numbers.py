"""Row names that are numbers of the rows are stored as R stores them."""

from __future__ import annotations

import numpy as np
import pytest

from pyrrf import r
from pyrrf.r.files.robjects import from_robject, object_of


@pytest.mark.parametrize(("rows", "stored"), [(slice(None), -4), (r.c(1, 2), 2)])
def test_row_numbers_are_counted(rows: object, stored: int) -> None:
    frame = r.data_frame(a=r.c(1, 2, 3, 4), b=r.c(1, 2, 3, 4))[rows, :]
    written = object_of(frame)
    numbers = written.attributes["row.names"].value
    assert np.ma.getmaskarray(numbers).tolist() == [True, False]
    assert numbers[1] == stored
    assert from_robject(written)._attributes["row.names"]._hidden == ("given" if stored > 0 else None)


def test_other_row_names_are_stored_as_they_are() -> None:
    frame = r.data_frame(a=r.c(1, 2), b=r.c(1, 2))[r.c(2, 1), :]
    assert object_of(frame).attributes["row.names"].value.tolist() == [2, 1]
