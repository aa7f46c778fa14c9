"""``d[, ]`` is a copy of a data frame: a later change of it must not reach d."""

from pyrrf import script
from pyrrf.script.places import ALL
from pyrrf.script.subscripts import taken


def test_changing_all_rows_and_columns_leaves_the_frame():
    whole = script.data_frame(a=script.L(1), b=script.L(2))
    chosen = taken(whole, ALL, ALL)
    chosen._become(script.L(3))
    assert len(whole) == 2
    assert len(chosen) == 1
