"""Numbers in text, read by R and by pyrrf to the same bits: as.numeric(), read.csv(), and numbers in the code of R."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from parity.chooser import Chooser
from parity.r_side import RSide
from pyrrf import r
from pyrrf.rbase.numbers import read_numbers

ODD = (
    "0x1F", "0xfp3", "0x1p-1074", "Inf", "-inf", "NaN", "NA", "1e", "2e+", "3e-", "e5", ".", "+", "1 2", "0x", "1L",
    "1d3", "1_0", " 7 ", "\t7\n", "0e9999", "1e9999", "1e-9999", "infinity", "-Infinity", "+nan", "\u0661", "TRUE",
    "12e5.5", "1,5", "0X1P+2", "1e310", "1.7976931348623158e308", "1.7976931348623159e308", "179769313486231580793e289",
    "4.9e-324", "2.4e-324", "1e-320", "00000000000000000000000000000000000001.5", "- 5", "5.", "-.5", "",
)  # fmt: skip


def decimal(choose: Chooser) -> str:
    """A text such as tables hold, or one whose digits or exponent are beyond what a double holds."""
    kind, number = choose.between(0, 6), float(choose.bits.normal(1)[0])
    if kind < 3:
        return f"{abs(number):.{choose.between(1, 9)}f}"
    if kind == 3:
        return repr(number * 10.0 ** choose.between(-320, 300))
    digits = "".join(str(digit) for digit in choose.bits.integers(10, choose.between(1, 25)).tolist())
    point = choose.between(0, len(digits))
    text = f"{choose.one_of('', '-', '+', ' ')}{digits[:point]}.{digits[point:]}"
    return text if kind == 4 else f"{text}{choose.one_of('e', 'E')}{choose.between(-40 if kind == 5 else -400, 400)}"


@pytest.mark.parametrize("number", range(10))
def test_texts_are_read_as_by_r(number: int, rrf: RSide) -> None:
    choose = Chooser(70_000 + number)
    texts = [*ODD, *(decimal(choose) for _ in range(1000))]
    rrf.ro.globalenv["arg.texts"] = rrf.ro.StrVector(texts)
    theirs = np.asarray(rrf.ro.r("suppressWarnings(as.numeric(arg.texts))"))
    # R warns of them, too.
    with pytest.warns(UserWarning, match="NAs introduced by coercion"):
        ours = np.asarray(r.as_numeric(texts))
    np.testing.assert_array_equal(np.isnan(ours), np.isnan(theirs))
    known = ~np.isnan(ours)
    assert [t for t, wrong in zip(np.array(texts)[known], ours[known] != theirs[known], strict=True) if wrong] == []
    assert (np.signbit(ours[known]) == np.signbit(theirs[known])).all()
    in_code = [t for t in texts if t[:1].isdigit() and t.isascii() and read_numbers([t])[1][0] and t.strip() == t]
    rrf.ro.globalenv["arg.texts"] = rrf.ro.StrVector(in_code)
    rrf.ro.r("read <- function(t) tryCatch(eval(parse(text = t)), error = function(e) NA)")
    parsed = np.asarray(rrf.ro.r("sapply(arg.texts, read)"))
    known = ~np.isnan(parsed)
    assert known.sum() > 300
    assert parsed[known].tolist() == np.asarray(r.as_numeric(in_code))[known].tolist()


def test_tables_are_read_as_by_r(rrf: RSide, tmp_path: Path) -> None:
    choose = Chooser(71_000)
    rows = [",".join(f"{v:.{j + 1}f}" for j, v in enumerate(choose.bits.normal(9))) for _ in range(900)]
    file = tmp_path / "table.csv"
    file.write_text("\n".join([",".join(f"v{j}" for j in range(9)), *rows]) + "\n")
    theirs = np.asarray(rrf.ro.r(f"as.matrix(read.csv('{file}'))"))
    assert (theirs == r.read_csv(file).to_pandas().to_numpy()).all()
