"""Files that R wrote: fits equal those from the same seed; data keep their levels, names and missing values."""

from __future__ import annotations

import bz2
import contextlib
import functools
import gzip
import lzma
import pickle
import struct
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from pyrrf.rds.altrep import are_na
from pyrrf.rds.objects import RObject
from pyrrf.rds.parsed import parse
from pyrrf.result.record import equal_parts
from pyrrf.unsupported_object import UnsupportedObject
from tests.refusals import refused

RECORDED = Path(__file__).parents[2] / "parity" / "recorded"


def stored(name: str) -> Any:
    return pyrrf.read_rds(RECORDED / f"{name}.rds")


@pytest.fixture(scope="module")
def x() -> np.ndarray:
    pyrrf.set_seed(1)
    return pyrrf.runif(120).reshape(40, 3, order="F")


@pytest.fixture(scope="module")
def d(x: np.ndarray) -> pd.DataFrame:
    """The data frame of `parity.stored`."""
    return pd.DataFrame(
        {
            "a": x[:, 0],
            "b": pd.Categorical(list("uvwv") * 10, ["w", "v", "u"]),
            "c": pd.Categorical(["low", "high"] * 20, ["low", "high"], ordered=True),
            "n": x[:, 1],
        },
        index=[f"r{i}" for i in range(1, 41)],
    )


@pytest.fixture(scope="module")
def y(x: np.ndarray) -> pd.Categorical:
    return pd.Categorical(np.where(x[:, 0] + x[:, 1] > 1, "yes", "no"), ["yes", "no"])


def own(name: str, x: np.ndarray, d: pd.DataFrame, y: pd.Categorical) -> Any:
    """The fit of pyrrf whose R code stands in `parity.stored`."""
    few = {"maxnodes": 4, "seed": 2, "ntree": 3}
    with pytest.warns(UserWarning, match="unsupervised") if name == "unsupervised" else _nothing():
        if name == "classes":
            test = {"xtest": d[:5], "ytest": y[:5], "keep_forest": True}
            return pyrrf.RRF(d, y, importance=True, keep_inbag=True, **few, **test)
        if name == "numbers":
            return pyrrf.RRF(x, x[:, 0], localImp=True, corr_bias=True, **few)
        if name == "formula":
            return pyrrf.RRF("log(n) ~ a + I(a^2) + b - c", d, **few)
        if name == "combined":
            small = pyrrf.randomForest(x, x[:, 0], ntree=3, nodesize=9, seed=2)
            return pyrrf.combine(small, pyrrf.randomForest(x, x[:, 1] - 9, ntree=4, nodesize=7))
        return pyrrf.RRF(d, **few | {"ntree": 2})


def _nothing() -> Any:
    return contextlib.nullcontext()


@pytest.mark.parametrize("name", ["classes", "numbers", "formula", "unsupervised"])
def test_a_fit_of_r_is_the_fit_from_the_same_seed(name: str, x: np.ndarray, d: pd.DataFrame, y: pd.Categorical) -> None:
    theirs, ours = stored(name), own(name, x, d, y)
    assert str(theirs).splitlines()[3:] == str(ours).splitlines()[3:]
    if name == "formula":
        for part in ("predictors", "variables"):
            assert [e.label for e in getattr(theirs.terms, part)] == [e.label for e in getattr(ours.terms, part)]
    if name == "classes":
        for part in ("predicted", "err_rate", "confusion", "votes"):
            assert getattr(theirs.test, part).equals(getattr(ours.test, part))
    assert pickle.loads(pickle.dumps(theirs)) == theirs
    for fit in (theirs, ours):
        fit.terms = fit.test = None
    assert theirs == ours


def plain(obj: Any) -> Any:
    """An object of R as nested lists, numbers by their bits and with R's type."""
    if isinstance(obj.value, np.ndarray):
        # R has two NA, the one that it makes and the one that a sum leaves.
        value: Any = np.where(np.isnan(obj.value), np.nan, obj.value).tobytes()
    else:
        parts = obj.value if isinstance(obj.value, list) else [obj.value]
        value = [_plain_part(part) for part in parts]
    return obj.type, value, {name: plain(part) for name, part in obj.attributes.items()}


def _plain_part(part: Any) -> Any:
    if isinstance(part, tuple):
        return part[0], plain(part[1])
    return plain(part) if isinstance(part, RObject) else part


@pytest.mark.parametrize("name", ["classes", "numbers", "unsupervised", "combined"])
def test_a_file_of_r_is_written_as_it_was(name: str, tmp_path: Path) -> None:
    again = tmp_path / "again.rds"
    pyrrf.write_rds(stored(name), again)
    assert plain(parse(again.read_bytes())) == plain(parse((RECORDED / f"{name}.rds").read_bytes()))


def test_means_beyond_the_trees_are_read(x: np.ndarray, d: pd.DataFrame, y: pd.Categorical) -> None:
    theirs, ours = stored("combined").forest, own("combined", x, d, y).forest
    assert (theirs.nodepred == ours.nodepred).all()
    assert (theirs.nodepred[theirs.nodestatus == 0] != 0).any()
    assert equal_parts(theirs, ours)


def test_predictions_and_tables_of_a_read_fit(x: np.ndarray, d: pd.DataFrame, y: pd.Categorical) -> None:
    for name, new in (("classes", d), ("numbers", x), ("formula", d)):
        theirs, ours = stored(name), own(name, x, d, y)
        assert pyrrf.predict(theirs, new).equals(pyrrf.predict(ours, new))
        assert pyrrf.importance(theirs).equals(pyrrf.importance(ours))
        assert pyrrf.getTree(theirs, 2, labelVar=True).equals(pyrrf.getTree(ours, 2, labelVar=True))
    assert stored("classes").test.confusion.to_numpy()[:, :2].tolist() == [[4, 0], [1, 0]]


def test_the_call_is_that_of_r() -> None:
    assert stored("formula").call == "RRF(formula = log(n) ~ a + I(a^2) + b - c, data = d, ntree = 3, maxnodes = 4)"


def test_a_frame_keeps_levels_names_and_missing_values(d: pd.DataFrame) -> None:
    frame = stored("frame")
    pd.testing.assert_frame_equal(frame[list(d)], d)
    assert frame["i"].tolist()[:2] == [1, pd.NA]
    assert frame["t"].dtype == "boolean"
    assert frame["s"].iloc[0] == "ü"
    assert pd.isna(frame["s"].iloc[1])
    assert frame["day"].iloc[0] == 18262


def test_a_list() -> None:
    with pytest.warns(UserWarning, match=r'hold 2 of .*: fit\["f"\]; .*fit\["e"\]'):
        found = stored("list")
    assert np.isnan(found["v"][1:]).all()
    assert found["i"].tolist() == [1, pd.NA]
    assert found["l"].mask.tolist() == [False, True]
    assert found["s"].tolist() == ["a", None]
    assert found["none"] is None
    assert found["m"]["v"].tolist() == [3, 4]
    assert found["m"]["v"].dtype == np.int32
    assert found["k"][1, 0, 1] == 6
    assert found["f"] == UnsupportedObject("function")
    assert found["e"] == UnsupportedObject("environment")
    assert found["q"] == "-a[1, 2] %in% c(1, 2)"
    assert found["o"][1].tolist() == ["z"]


# ---- damage --------------------------------------------------------------------------------------


def whole() -> bytes:
    return gzip.decompress((RECORDED / "classes.rds").read_bytes())


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "it is empty"),
        (b"a,b\n1,2\n", "it cannot be read as .rds"),
        (b"\x1f\x8b\x08\x00garbage", "it cannot be read as .rds"),
        (b"RDX3\nX\n", "R's save.. wrote it"),
    ],
)
def test_files_of_other_kinds(tmp_path: Path, content: bytes, words: str) -> None:
    (tmp_path / "d.rds").write_bytes(content)
    with pytest.raises(ValueError, match=f"d.rds: {words}"):
        pyrrf.read_rds(tmp_path / "d.rds")


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
def test_a_file_that_is_cut_short(tmp_path: Path, share: float) -> None:
    content = whole()
    for cut in (0, 4, 8):
        (tmp_path / "d.rds").write_bytes(content[: int(len(content) * share) - cut])
        with pytest.raises(ValueError, match=r"d\.rds: "):
            pyrrf.read_rds(tmp_path / "d.rds")


def test_a_fit_without_a_part(tmp_path: Path) -> None:
    (tmp_path / "d.rds").write_bytes(whole().replace(b"err.rate", b"ERR.RATE").replace(b"votes", b"VOTES"))
    with pytest.raises(ValueError, match="the fit has no 'votes'"):
        pyrrf.read_rds(tmp_path / "d.rds")


def test_trees_that_do_not_go_together(tmp_path: Path) -> None:
    content = whole()
    at = content.index(b"ndbigtree")
    # Some number of three, each of which counts the nodes of a tree.
    first = content.index((3).to_bytes(4, "big") + (5).to_bytes(4, "big"), at - 3000)
    (tmp_path / "d.rds").write_bytes(content[: first + 4] + (99).to_bytes(4, "big") + content[first + 8 :])
    with pytest.raises(ValueError, match="the forest is damaged"):
        pyrrf.read_rds(tmp_path / "d.rds")


def test_functions_of_strangers_are_not_computed(tmp_path: Path, d: pd.DataFrame) -> None:
    content = gzip.decompress((RECORDED / "formula.rds").read_bytes())
    (tmp_path / "d.rds").write_bytes(content.replace(b"\x00\x00\x00\x03log", b"\x00\x00\x00\x03foo"))
    with pytest.warns(UserWarning, match=r"foo\(\) is not a function"):
        fit = pyrrf.read_rds(tmp_path / "d.rds")
    assert fit.terms is None


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        pyrrf.read_rds(tmp_path / "no.rds")


# ---- R's ways of storing -------------------------------------------------------------------------


def as_text(words: str) -> bytes:
    """A file that saveRDS(ascii = TRUE) wrote, whose lines stand here in one."""
    return f"A 3 262658 197888 5 UTF-8 {words} ".replace(" ", "\n").encode()


def read_bytes(content: bytes, folder: Path) -> Any:
    (folder / "d.rds").write_bytes(content)
    return pyrrf.read_rds(folder / "d.rds")


DOWN = "238 2 1 262153 14 compact_intseq 2 1 262153 4 base 2 13 1 13 254 14 3 {n} 10 -1 254"
FACTOR = "1026 1 262153 5 class 16 1 262153 6 factor 254"
DEFERRED = "238 2 1 262153 15 deferred_string 2 1 262153 4 base 2 13 1 16 254 2 {numbers} 13 1 0 254"


def test_vectors_that_r_stores_by_a_rule(tmp_path: Path) -> None:
    assert read_bytes(as_text(DOWN.format(n=10)), tmp_path).tolist() == [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]
    whole = as_text(DEFERRED.format(numbers="13 3 99999 100000 NA"))
    assert read_bytes(whole, tmp_path).tolist() == ["99999", "100000", None]
    doubles = as_text(DEFERRED.format(numbers="14 5 0.30000000000000004 100000 NaN NA -Inf"))
    assert read_bytes(doubles, tmp_path).tolist() == ["0.3", "1e+05", "NaN", None, "-Inf"]
    assert read_bytes(as_text("24 2 0f ff"), tmp_path).tolist() == [15, 255]


def test_nan_of_r_stays_apart_from_na(tmp_path: Path) -> None:
    """There and back in a column of pandas, where any other NaN is a missing value."""
    row_names = "1026 1 262153 9 row.names 13 2 NA -3"
    kinds = f"1026 1 262153 5 class 16 1 262153 10 data.frame {row_names} 254"
    frame = read_bytes(as_text(f"787 1 14 3 NaN NA 1 1026 1 262153 5 names 16 1 262153 1 a {kinds}"), tmp_path)
    assert frame["a"].isna().tolist() == [True, True, False]
    pyrrf.write_rds(frame.reindex([0, 1, 2, 3]), tmp_path / "back.rds")
    (column,) = parse((tmp_path / "back.rds").read_bytes()).value
    assert np.isnan(column.value).tolist() == [True, True, False, True]
    assert are_na(column.value).tolist() == [False, True, False, True]


BOMBS = {
    "a sequence": DOWN.format(n=2147483647),
    "texts of a sequence": DEFERRED.format(numbers=DOWN.format(n=2**17)),
    "sequences in a list": "19 20 " + " ".join([DOWN.format(n=2**17)] * 20),
    "parts of byte code": "21 2147483647 13 0 0",
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_short_file_does_not_fill_the_memory(name: str, tmp_path: Path) -> None:
    (tmp_path / "d.rds").write_bytes(as_text(BOMBS[name]))
    most = None if "2147483647" in BOMBS[name] else 10**7
    tracemalloc.start()
    try:
        with refused("max_bytes", "range"):
            pyrrf.read_rds(tmp_path / "d.rds", max_bytes=most)
        assert tracemalloc.get_traced_memory()[1] < 2 * 10**7
    finally:
        tracemalloc.stop()


def named(name: str) -> list[int | bytes]:
    """An attribute that follows, or a name in a call."""
    return [1026, 1, 262153, len(name), name.encode()]


def numbers_from(first: int, n: int, kind: str) -> list[int | bytes]:
    """The length and the values of a vector."""
    return [n, np.arange(first, first + n).astype(kind).tobytes()]


HOARDS: dict[str, Callable[[], bytes]] = {
    "a vector of zeros": lambda: as_bytes(14, 450_000, bytes(3_600_000)),
    "logicals": lambda: as_bytes(10, 900_000, b"\x80\0\0\0" * 900_000),
    "a sequence": lambda: as_text(DOWN.format(n=480_000)),
    "many that are masked": lambda: as_text(f"19 15000{' 10 1 NA' * 15_000}"),
    "letters of four bytes": lambda: as_text("16 1 32777 1600004 " + "a" * 1_600_000 + "\U0001f600"),
    "bytes that are no letters": lambda: as_text("16 1 16393 200001 " + "\\201" * 200_000 + "\\200"),
    "escapes": lambda: as_text("16 1 262153 400000 " + "a\\n" * 200_000),
    "dimensions": lambda: as_bytes(525, 1, 1, *named("dim"), 13, *numbers_from(1, 400_000, ">i4"), 254),
    "a call of a vector": lambda: as_bytes(6, *named("f")[1:], 2, 14, *numbers_from(10**6, 100_000, ">f8"), 254),
    "numbers of rows": lambda: as_bytes(
        *(787, 0, *named("class"), 16, 1, 262153, 10, b"data.frame", *named("names"), 16, 0),
        *(*named("row.names"), 13, *numbers_from(2, 200_000, ">i4"), 254),
    ),
}


# The least level of xz: others set megabytes aside, however short the file is.
@pytest.mark.parametrize("pack", [bytes, functools.partial(lzma.compress, preset=0)], ids=["plain", "xz"])
@pytest.mark.parametrize("name", HOARDS)
def test_memory_is_asked_for_before_it_is_taken(name: str, pack: Any, tmp_path: Path) -> None:
    (tmp_path / "d.rds").write_bytes(pack(HOARDS[name]()))
    tracemalloc.start()
    try:
        with contextlib.suppress(ValueError):  # what is read within the bound is as good as what is refused
            pyrrf.read_rds(tmp_path / "d.rds", max_bytes=4 * 10**6)
        assert tracemalloc.get_traced_memory()[1] < 7 * 10**6  # blocks that are unpacked are besides
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_unpacking_stops_at_the_bound(pack: Any, tmp_path: Path) -> None:
    (tmp_path / "d.rds").write_bytes(pack(b"X\n" + bytes(2**25)))
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="more than max_bytes=1000000 bytes"):
            pyrrf.read_rds(tmp_path / "d.rds", max_bytes=1_000_000)
        assert tracemalloc.get_traced_memory()[1] < 2**24
    finally:
        tracemalloc.stop()


def test_the_bound_counts_objects(tmp_path: Path) -> None:
    (tmp_path / "d.rds").write_bytes(as_text("19 1000" + " 19 0" * 1000))
    assert pyrrf.read_rds(tmp_path / "d.rds", max_bytes=600_000) == [[]] * 1000
    with pytest.raises(ValueError, match="more than max_bytes=100000 bytes"):
        pyrrf.read_rds(tmp_path / "d.rds", max_bytes=100_000)
    for wrong in (0, 1.5, -1):
        with refused("max_bytes", "range"):
            pyrrf.read_rds(tmp_path / "d.rds", max_bytes=wrong)  # type: ignore[arg-type]


def test_numbers_to_the_base_16(tmp_path: Path) -> None:
    assert read_bytes(as_text("14 3 0x1.999999999999ap-4 -0x1.8p+1 NA"), tmp_path)[:2].tolist() == [0.1, -3]
    assert read_bytes(as_text("16 1 262153 6 0x1p+0"), tmp_path).tolist() == ["0x1p+0"]


def test_texts_are_read_by_their_mark(tmp_path: Path) -> None:
    # A u with dots in Latin-1; two letters of it that would be one in UTF-8; bytes that are no letters.
    texts = [b"\xfc", b"\xc3\xbc", b"\x80\x81"]
    body = b"".join((4 << 12 | 9).to_bytes(4, "big") + len(t).to_bytes(4, "big") + t for t in texts)
    head = b"X\n" + b"".join(v.to_bytes(4, "big") for v in (2, 262658, 131840, 16, 3))
    assert read_bytes(head + body, tmp_path).tolist() == ["\u00fc", "\u00c3\u00bc", "\u20ac<81>"]


def as_bytes(*numbers: int | bytes, order: str = ">") -> bytes:
    """A file of format 2 in R's binary form, numbers of four bytes and texts."""
    head = (2, 262658, 131840)
    parts = [n if isinstance(n, bytes) else struct.pack(f"{order}i", n) for n in (*head, *numbers)]
    return (b"X\n" if order == ">" else b"B\n") + b"".join(parts)


@pytest.mark.parametrize("order", [">", "<"])
def test_texts_of_all_marks_in_one_vector(order: str, tmp_path: Path) -> None:
    """ASCII, NA, UTF-8, no mark, and bytes that are not what their mark says; the vector that comes again, too."""
    ascii_, utf8 = 64 << 12 | 9, 8 << 12 | 9
    letters = "\u00fc".encode()
    vector = [16, 6, ascii_, 1, b"a", 9, -1, utf8, 2, letters, 9, 1, b"b", ascii_, 1, b"\xfc", ascii_, 0]
    found = read_bytes(as_bytes(19, 2, *vector, *vector, order=order), tmp_path)
    assert [part.tolist() for part in found] == [["a", None, "\u00fc", "b", "\u00fc", ""]] * 2


def test_numbers_that_are_the_same_are_arrays_of_their_own(tmp_path: Path) -> None:
    zero = [14, 1, struct.pack(">d", 1.5)]
    found = read_bytes(as_bytes(19, 300, *(zero * 299), 14, 1, struct.pack(">d", 2.5)), tmp_path)
    found[0][0] = 7
    assert [part.tolist() for part in found] == [[7], *[[1.5]] * 298, [2.5]]


def test_gzip_of_several_streams(tmp_path: Path) -> None:
    content = whole()
    streams = gzip.compress(content[:99], mtime=0) + gzip.compress(content[99:], mtime=0)
    assert read_bytes(streams, tmp_path) == stored("classes")
    with pytest.raises(ValueError, match="compression is damaged"):
        read_bytes(streams + b"rubbish", tmp_path)


@pytest.mark.parametrize("numbers", [(19, 1), (2,), (3,), (4, 0), (22,), (238,), (525, 0)])
def test_what_is_nested_too_deeply(numbers: tuple[int, ...], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="nested too deeply"):
        read_bytes(as_bytes(*(numbers * 100_000)), tmp_path)


@pytest.mark.parametrize("n", [-1, 2**31 - 1])
@pytest.mark.parametrize("type_", [10, 13, 14, 15, 16, 19, 20, 24])
def test_a_length_that_the_file_cannot_hold(type_: int, n: int, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="it ends too early"):
        read_bytes(as_bytes(type_, n, 0, 0), tmp_path)


def test_byte_code_does_not_raise_the_bound(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="byte code with -9 parts"):
        read_bytes(as_bytes(19, 2, 21, -9, 13, 1, 0, 0, 254), tmp_path)


def test_a_table_of_one_dimension_has_labels(tmp_path: Path) -> None:
    about = "1026 1 262153 3 dim 13 1 2 1026 1 262153 8 dimnames 19 1 16 2 262153 1 a 262153 1 b 254"
    assert read_bytes(as_text(f"525 2 2 1 {about}"), tmp_path).to_dict() == {"a": 2, "b": 1}


def test_functions_in_byte_code_are_passed_over(tmp_path: Path) -> None:
    """A constant of byte code that is a list of byte code; the namespace of base; a package."""
    for part in ("21 1 13 1 0 1 19 19 1 21 1 13 1 0 0", "250", "248 0 1 262153 12 package:base"):
        with pytest.warns(UserWarning, match="cannot hold 1 of its parts"):
            assert read_bytes(as_text(f"19 2 {part} 14 1 7"), tmp_path)[1].tolist() == [7]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (gzip.compress(b"RDX3\nX\n", mtime=0), "R's save.. wrote it"),
        (b"\x28\xb5\x2f\xfd0", "zstd"),
        (gzip.compress(b"X\n", mtime=0)[:-3], "its compression is damaged, or cut short"),
        (as_text("3 262153 1 a"), "damaged or cut short"),
        (
            as_text("781 1 1 1026 1 262153 6 levels 16 1 9 -1 1026 1 262153 5 class 16 1 262153 6 factor 254"),
            "level NA",
        ),
        (as_text("526 1 1 1026 1 262153 3 dim 14 1 Inf 254"), r"it is damaged: \[inf\] are not the lengths of dim"),
        (as_text("526 1 1 1026 1 262153 3 dim 13 1 NA 254"), r"it is damaged: \[None\] are not the lengths"),
        (as_text("1 1 262153 1 a"), "it is damaged: a text was expected, not SYM"),
        (as_text("20 0"), "it holds an expression, which Python cannot hold"),
        (as_text(DOWN.format(n=3).replace("14 compact_int", "6 new")), "R stores a vector as 'newseq'"),
    ],
    ids=["saved", "zstd", "cut", "damaged", "level", "infinite", "missing", "symbol", "expression", "rule"],
)
def test_what_cannot_be_read_is_named(tmp_path: Path, content: bytes, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        read_bytes(content, tmp_path)


def test_threads_read_each_for_itself() -> None:
    """Neither warnings nor the depth of calls of a thread are those of another."""
    import sys
    import warnings
    from concurrent.futures import ThreadPoolExecutor

    before, switch, filters = sys.getrecursionlimit(), sys.getswitchinterval(), list(warnings.filters)
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(8) as pool:
            read = list(pool.map(stored, ["frame", "numbers"] * 8))
    finally:
        sys.setswitchinterval(switch)
    assert all(found.equals(read[0]) for found in read[::2])
    assert sys.getrecursionlimit() == before
    assert warnings.filters == filters


def test_a_file_in_two_parts_of_gzip(tmp_path: Path) -> None:
    """As R reads it, also where both parts are of one length; what stands behind them is damage."""
    pyrrf.write_rds(["x" * 100], tmp_path / "a.rds")
    plain = gzip.decompress((tmp_path / "a.rds").read_bytes())
    if len(plain) % 2:
        pyrrf.write_rds(["x" * 101], tmp_path / "a.rds")
        plain = gzip.decompress((tmp_path / "a.rds").read_bytes())
    half, value = len(plain) // 2, pyrrf.read_rds(tmp_path / "a.rds")
    (tmp_path / "b.rds").write_bytes(gzip.compress(plain[:half]) + gzip.compress(plain[half:]))
    assert pyrrf.read_rds(tmp_path / "b.rds") == value
    (tmp_path / "c.rds").write_bytes(gzip.compress(plain) + b"JUNKJUNK" + len(plain).to_bytes(4, "little"))
    with pytest.raises(ValueError, match=r"c\.rds"):
        pyrrf.read_rds(tmp_path / "c.rds")
