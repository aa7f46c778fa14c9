"""Two values of R beside each other, and what R left behind a statement."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("tree_sitter_language_pack")
pytest.importorskip("typer")


import pyrrf
from pyrrf import r
from pyrrf.r.files.recorded import read_record
from pyrrf.r.values.same import first_difference
from pyrrf.r.values.vector import Value, doubles, integers, list_of, logicals, strings
from pyrrf.random import get_random_seed
from pyrrf.rbase.vectors import REAL_NA
from pyrrf.rds.build import named_list as r_list
from pyrrf.rds.build import symbol, write
from tests.migrate.played import seed_after, write_record

# ---- two values ----------------------------------------------------------------------------------

NAN = float("nan")


@pytest.mark.parametrize(
    ("ours", "theirs", "told"),
    [
        (doubles([1, 2, 3]), doubles([1, 2, 3]), None),
        (doubles([1, 2, 3]), doubles([1, 2.5, 3]), "x[2]: 2 here, 2.5 in R"),
        (doubles([0.1 + 0.2]), doubles([0.3]), "x: 0.30000000000000004 here, 0.29999999999999999 in R"),
        (doubles([NAN]), doubles([REAL_NA]), "x: NaN here, NA in R"),
        (doubles([NAN]), doubles([-NAN]), None),
        (doubles([0.0]), doubles([-0.0]), "x: 0 here, -0 in R"),
        (integers([1]), doubles([1]), "x: integer here, double in R"),
        (integers([NAN, 2]), integers([NAN, 2]), None),
        (logicals([1, NAN]), logicals([1, 0]), "x[2]: NA here, FALSE in R"),
        (strings(["a", None]), strings(["a", "NA"]), "x[2]: NA here, 'NA' in R"),
        (doubles([1, 2]), doubles([1]), "length(x): 2 here, 1 in R"),
        (r.c(a=1), doubles([1]), "names(x): character here, none in R"),
        (r.c(a=1), r.c(b=1), "names(x): 'a' here, 'b' in R"),
        (list_of([1, 2], ["a", "b"]), list_of([1, 3], ["a", "b"]), "x$b: 2 here, 3 in R"),
        (list_of([1], ["a"]), list_of([1, 3], ["a", "b c"]), "x$`b c`: nothing here, there in R"),
        (list_of([1]), list_of([list_of([2])]), "x[[1]]: double here, list in R"),
        (len, r.c(1), "x: function here, double in R"),
        (len, Value("opaque", np.array(["closure"], dtype=object)), None),
        (r.not_translated("x", "why"), r.c(1), "x: no value here, double in R"),
        (r.formula("y ~ a+b"), r.formula("y ~ a + b"), None),
        (r.formula("y ~ a"), r.formula("y ~ b"), "x: y~a here, y~b in R"),
        (5, doubles([5]), None),
        (doubles([1.5], {"class": strings("proc_time")}), doubles([2.5], {"class": strings("proc_time")}), None),
        (
            doubles([1, 2, 3, 4], {"dim": integers([2, 2])}),
            doubles([1, 2, 9, 4], {"dim": integers([2, 2])}),
            "x[1, 2]: 3 here, 9 in R",
        ),
    ],
)
def test_first_difference(ours: Any, theirs: Any, told: str | None) -> None:
    difference = first_difference(ours, theirs, "x")
    assert (None if difference is None else str(difference)) == told


def test_attributes_in_any_order_and_calls_of_fits_do_not_count() -> None:
    a = Value("integer", np.array([1.0]), {"levels": strings("u"), "class": strings("factor")})
    b = Value("integer", np.array([1.0]), {"class": strings("factor"), "levels": strings("u")})
    assert first_difference(a, b) is None
    one, other = (list_of([r.formula(text), 2], ["call", "p"], "lm") for text in ("f(x)", "g(y)"))
    assert first_difference(one, other) is None
    assert first_difference(list_of([1], ["call"]), list_of([2], ["call"])) is not None


# ---- r.left --------------------------------------------------------------------------------------


def test_left_reads_prints_and_sets_the_stream(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seed = seed_after(lambda: pyrrf.runif(3))
    step = {"values": {"x": integers([1, NAN]), "né": strings(["é", None])}, "notes": {"f": "a function"}}
    write_record(tmp_path / "003.rds", step | {"text": ["[1] 1\n"], "seed": seed})
    space = {"__name__": "__main__", "__file__": str(tmp_path / "s.py"), "r": r}
    before = get_random_seed()
    exec("x, s, f = r.left('003.rds', 'x', 'né', 'f')", space)
    assert (get_random_seed() == seed).all()
    pyrrf.random.set_random_seed(before)
    assert first_difference(space["x"], integers([1, NAN])) is None
    assert first_difference(space["s"], strings(["é", None])) is None
    with pytest.raises(r.NotSupportedError, match=r"a function in R \(003\.rds\)"):
        space["f"]()
    assert capsys.readouterr().out == "[1] 1\n"
    with pytest.raises(ValueError, match="there is no 'y' in it; it has 'x', 'né'"):
        exec("r.left('003.rds', 'y')", space)
    with pytest.raises(FileNotFoundError):
        exec("r.left('004.rds')", space)


def test_what_r_alone_holds_is_no_symbol(tmp_path: Path) -> None:
    write(r_list({"values": r_list({"l": r_list({"f": symbol(".pyrrf_closure")})})}), tmp_path / "a.rds")
    value = read_record(tmp_path / "a.rds").values["l"]._data[0]
    assert (value._kind, value._data[0]) == ("opaque", "closure")


@pytest.mark.parametrize("content", [b"", b"not R's", b"\x1f\x8b\x00"])
def test_a_damaged_record(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.rds").write_bytes(content)
    with pytest.raises(ValueError, match=r"\w"):
        read_record(tmp_path / "a.rds")
