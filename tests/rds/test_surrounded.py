"""Files of R in which a forest lies among parts that Python cannot hold; `parity.stored` has their code."""

from __future__ import annotations

import copy
import gzip
import operator
import pickle
import re
import struct
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from pyrrf.unsupported_object import UnsupportedObject
from tests.refusals import refused

RECORDED = Path(__file__).parents[2] / "parity" / "recorded"


def stored(name: str, only: str | None = None) -> Any:
    """What a file holds, without the warnings."""
    with warnings.catch_warnings(action="ignore"):
        return pyrrf.read_rds(RECORDED / f"{name}.rds", only=only)


@pytest.fixture(scope="module")
def x() -> np.ndarray:
    pyrrf.set_seed(1)
    return pyrrf.runif(120).reshape(40, 3, order="F")


@pytest.fixture(scope="module")
def odd() -> dict[str, Any]:
    found: dict[str, Any] = stored("odd")
    return found


def as_grown(fit: Any, **arguments: Any) -> bool:
    """Whether a fit is what pyrrf grows from the same seed."""
    return bool(fit == pyrrf.RRF(**arguments, seed=2))


# ---- what is left out ----------------------------------------------------------------------------


def test_one_warning_says_what_is_left_out_and_where() -> None:
    with pytest.warns(UserWarning, match=r"tuned\.rds: Python cannot hold 13 of its") as told:
        pyrrf.read_rds(RECORDED / "tuned.rds")
    (words,) = [str(one.message) for one in told]
    assert '"predictors"] and 5 more; data frame (its column \'type\' is a list): fit["recipe"]["var_info"], ' in words
    assert len(words) < 1000


KINDS = {
    "frame": "a data frame, which Python cannot hold: its column 'l' is a list",
    "matrix": "a data frame, which Python cannot hold: its column 'm' is a matrix",
    "level": "a factor, which Python cannot hold: it has the level NA",
    "grid": "a factor, which Python cannot hold: it has the shape of a matrix",
    "s4": "an object of class S4",
    "pointer": "an external pointer",
    "code": "a byte code",
    "calls": "an expression",
    "pairs": "a pairlist",
}


def test_each_part_says_what_it_is(odd: dict[str, Any]) -> None:
    assert {name for name, part in odd.items() if isinstance(part, UnsupportedObject)} == {*KINDS, 'odd "name"'}
    for name, what in KINDS.items():
        assert repr(odd[name]).startswith(f'<UnsupportedObject fit["{name}"]: {what}'), odd[name]
    # The second time, R refers to the first.
    assert odd["again"] == [UnsupportedObject("environment")] * 2
    assert str(odd['odd "name"'].place) == r'fit["odd \"name\""]'
    assert odd["n"].tolist() == [1, 2, 3]
    for other in (pickle.loads(pickle.dumps(odd["frame"])), copy.deepcopy(odd["frame"])):
        assert (repr(other), other) == (repr(odd["frame"]), odd["frame"])


def test_the_whole_list_has_the_forests(odd: dict[str, Any], x: np.ndarray) -> None:
    assert as_grown(odd["fits"][0], x=x, y=x[:, 0], ntree=2, maxnodes=3)


# ---- only ----------------------------------------------------------------------------------------


def test_the_forest_alone(x: np.ndarray) -> None:
    with warnings.catch_warnings(action="error"):
        fit = pyrrf.read_rds(RECORDED / "tuned.rds", only="forest")
    assert fit == stored("tuned")["finalModel"] == stored("tuned", "it['finalModel']")
    assert fit.type == "classification"
    assert stored("numbers", "forest") == stored("numbers")


def test_a_forest_that_only_r_reaches(x: np.ndarray) -> None:
    """It lies in an environment that holds itself; a copy of it is no second forest."""
    d = pd.DataFrame(
        {
            "a": x[:, 0],
            "b": pd.Categorical(list("uvwv") * 10, ["w", "v", "u"]),
            "c": pd.Categorical(["low", "high"] * 20, ["low", "high"], ordered=True),
            "n": x[:, 1],
        },
        index=[f"r{i}" for i in range(1, 41)],
    )
    y = pd.Categorical(np.where(x[:, 0] + x[:, 1] > 1, "yes", "no"), ["yes", "no"])
    for only in ("forest", 'fit["model"]', "anything['self']['copy']"):
        assert as_grown(stored("environment", only), x=d, y=y, ntree=3, maxnodes=4)
    with refused("path", "format"):
        stored("environment")


def test_several_forests_are_named(odd: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="2 forests") as told:
        stored("odd", "forest")
    places = re.findall(r"fit\[\S+\](?=[,;])", str(told.value))
    assert places == ['fit["fits"][0]', 'fit["fits"][1]["best"]']
    assert stored("odd", places[0]) == odd["fits"][0]
    assert stored("odd", places[1]) == odd["fits"][1]["best"]


@pytest.mark.parametrize(
    ("only", "words"),
    [
        ('fit["fitz"]', r'fit has no part \["fitz"\]; it has \["frame"\], .* and 8 more'),
        ('fit["fits"]["a"]', r'fit\["fits"\] has no part \["a"\]; it has \[0\], \[1\]'),
        ('fit["frame"]', r'fit\["frame"\] holds a data frame, .* is a list; in R: x\[!sapply\(x, is\.list\)\]'),
        ("fit[", "only must be 'forest' or a place such as"),
        ("fit[b'a']", "only must be 'forest' or a place such as"),
        ("f()", "only must be 'forest' or a place such as"),
        ("", "only must be 'forest' or a place such as"),
    ],
)
def test_what_only_cannot_name(only: str, words: str) -> None:
    with pytest.raises(ValueError, match=rf"odd\.rds: .*{words}"):
        stored("odd", only)


def test_a_file_without_a_forest() -> None:
    with refused("only", "fit"):
        stored("list", "forest")
    with pytest.raises(TypeError, match="only must be 'forest'"):
        pyrrf.read_rds(RECORDED / "list.rds", only=3)  # type: ignore[arg-type]


# ---- what is left out, used as data --------------------------------------------------------------

FRAME = pd.DataFrame({"a": np.arange(9.0), "b": np.arange(9.0) % 2})
USES: dict[str, Callable[[Any, Any], Any]] = {
    "x": lambda part, fit: pyrrf.RRF(part, FRAME["a"]),
    "y": lambda part, fit: pyrrf.RRF(FRAME, part),
    "xtest": lambda part, fit: pyrrf.RRF(FRAME, FRAME["a"], part),
    "data": lambda part, fit: pyrrf.RRF("a ~ b", part),
    "coefReg": lambda part, fit: pyrrf.RRF(FRAME, FRAME["a"], coefReg=part),
    "ntree": lambda part, fit: pyrrf.RRF(FRAME, FRAME["a"], ntree=part),
    "newdata": lambda part, fit: pyrrf.predict(fit, part),
    "a fit": lambda part, fit: pyrrf.importance(part),
    "margin": lambda part, fit: pyrrf.margin(part),
    "array": lambda part, fit: np.asarray(part),
    "array of floats": lambda part, fit: np.array([part, part], dtype=float),
    "mean": lambda part, fit: np.mean(part),
    "log": lambda part, fit: np.log(part),
    "sum": lambda part, fit: np.ones(3) + part,
    "series": lambda part, fit: pd.Series(part),
    "frame": lambda part, fit: pd.DataFrame(part),
    "column": lambda part, fit: FRAME.assign(c=part),
    "product": lambda part, fit: FRAME["a"] * part,
    "minus": lambda part, fit: 1 - part,
    "less": lambda part, fit: part < 2,
    "float": lambda part, fit: float(part),
    "length": lambda part, fit: len(part),
    "condition": lambda part, fit: bool(part),
    "loop": lambda part, fit: list(part),
    "member": lambda part, fit: 1 in part,
    "index": lambda part, fit: part["l"],
    "assignment": lambda part, fit: operator.setitem(part, "l", 1),
    "call": lambda part, fit: part(1),
    "logarithm of R": lambda part, fit: pyrrf.r.log(part),
}


@pytest.mark.parametrize("use", USES)
def test_used_as_data_it_names_its_place_and_the_remedy(use: str, odd: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match=r'fit\["frame"\].*its column \'l\' is a'):
        USES[use](odd["frame"], odd["fits"][0])


def test_an_attribute_of_it(odd: dict[str, Any]) -> None:
    with pytest.raises(AttributeError, match=r"no attribute 'columns': fit\[\"frame\"\] is UnsupportedObject"):
        _ = odd["frame"].columns
    assert not hasattr(odd["frame"], "__len_hint__")


def test_it_is_not_written(odd: dict[str, Any], tmp_path: Path) -> None:
    column = pd.DataFrame({"a": pd.Series([1, 2], dtype=object)})
    column.iloc[0, 0] = odd["frame"]
    for value in (odd, [odd["frame"]], odd["frame"], {"a": {"b": odd["frame"]}}, column):
        with pytest.raises(TypeError, match=r'fit\["frame"\] is UnsupportedObject: a data frame'):
            pyrrf.write_rds(value, tmp_path / "v.rds")
    assert list(tmp_path.iterdir()) == []


# ---- types of R that need no package -------------------------------------------------------------


def as_text(words: str) -> bytes:
    """A list of a part and the number 7, as saveRDS(ascii = TRUE) writes it."""
    return f"A 3 262658 197888 5 UTF-8 19 2 {words} 14 1 7 ".replace(" ", "\n").encode()


@pytest.mark.parametrize(
    ("part", "what"),
    [
        ("23", "weak reference"),
        ("535 1026 1 262153 1 a 13 1 1 254", "weak reference"),
        ("247 0 1 262153 2 id", "reference"),
        ("251", "empty argument"),
        ("238 2 1 262153 9 mmap_real 2 1 262153 4 base 2 13 1 14 254 14 1 0 254", "vector"),
        # Byte code with a list that has attributes.
        ("21 0 13 1 0 1 239 254 254 13 13 1 1 254 254", "byte code"),
    ],
)
def test_the_number_beside_it_is_read(part: str, what: str, tmp_path: Path) -> None:
    (tmp_path / "d.rds").write_bytes(as_text(part))
    with pytest.warns(UserWarning, match="cannot hold 1 of its parts"):
        left, number = pyrrf.read_rds(tmp_path / "d.rds")
    assert (left.kind, number.tolist()) == (what, [7])


def test_lists_whose_names_are_the_same_are_told_once(tmp_path: Path) -> None:
    twice = "531 2 14 1 1 14 1 2 1026 1 262153 5 names 16 2 262153 1 a 262153 1 a 254"
    again = "531 2 14 1 1 14 1 2 1026 511 16 2 262153 1 a 262153 1 a 254"
    (tmp_path / "d.rds").write_bytes(as_text(f"19 2 {twice} {again}"))
    with pytest.warns(UserWarning, match=r"read without names: fit\[0\]\[0\], fit\[0\]\[1\]$") as told:
        pyrrf.read_rds(tmp_path / "d.rds")
    assert len(told) == 1


# ---- damage is no placeholder --------------------------------------------------------------------

NULL_COLUMN = (
    "787 1 254 1026 1 262153 5 names 16 1 262153 1 a 1026 1 262153 9 row.names 13 2 NA -1 "
    "1026 1 262153 5 class 16 1 262153 10 data.frame 254"
)


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (NULL_COLUMN, "it is damaged: a vector in column 'a' was expected, not NILVALUE"),
        ("16 1 1 262153 1 a", "it is damaged: a text was expected, not SYM"),
        ("525 2 1 2 1026 1 262153 5 names 16 1 262153 1 a 254", "it is damaged: 1 names for 2 values"),
        ("525 2 1 2 1026 1 262153 3 dim 13 1 2 1026 1 262153 8 dimnames 19 0 254", "its labels are not those"),
        ("246", "an object of type 246, which R's format has not"),
    ],
)
def test_damage_beside_a_number_is_an_error(part: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "d.rds").write_bytes(as_text(part))
    with pytest.raises(ValueError, match=rf"d\.rds: .*{words}"):
        pyrrf.read_rds(tmp_path / "d.rds")


def test_terms_whose_response_is_not_there(tmp_path: Path) -> None:
    content = gzip.decompress((RECORDED / "formula.rds").read_bytes())
    one = b"response" + struct.pack(">iii", 13, 1, 1)
    assert content.count(one) == 1
    (tmp_path / "d.rds").write_bytes(content.replace(one, b"response" + struct.pack(">iii", 13, 1, 99)))
    with refused("path", "damaged"):
        pyrrf.read_rds(tmp_path / "d.rds", only="forest")
