"""Forests of R's values."""

from __future__ import annotations

import numpy as np

from pyrrf import r


def test_a_matrix_of_r_holds_codes() -> None:
    words = r.factor(r.c("v", "u", "w", "u", "v", "w"))
    table = r.data_frame(a=r.c(1.5, 2, 3, 4, 5, 6), b=words, o=r.ordered(r.c("l", "k")))
    r.set_seed(1)
    fit = r.RRF(table, r.factor(r.c("p", "q", "p", "q", "q", "q")), ntree=9, coefReg=1)
    whole, matrix = r.predict(fit, table, "vote"), r.data_matrix(table)
    assert r.identical(r.predict(fit, matrix, "vote"), whole)
    again = r.predict(fit, r.unname(matrix), "vote")
    assert np.asarray(again).tolist() == np.asarray(whole).tolist()
