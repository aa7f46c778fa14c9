"""Damaged files and wrong command lines: one line says what is wrong and where, and the exit code which of the two."""

from __future__ import annotations

import bz2
import gzip
import importlib
import lzma
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from tests.cli.command import GOOD, ROWS, refused, run, run_on

SHORT = GOOD + "1,2\n"
MANY = "a,y\n" + "".join(f"{i % 9},{i % 9 + 0.5}\n" for i in range(30))
LINE, OTHER = '{"a": 1, "y": "u"}\n', '{"a": 2, "y": "v"}\n'
TOO_LARGE = ["column 'a' is infinite", "in row 3"]
SEVEN = "needs 7 rows of the most frequent class and 3 of the next"
IDS = "\n".join(["name,a,b,y", *(f"p{i},{row}" for i, row in enumerate(ROWS))])


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", ["it is empty"]),
        ("\n\n", ["only empty lines"]),
        ("a,b,y\n", ["no rows"]),
        ("a,a,y\n1,2,u\n", ["columns 1 and 2", "'a'"]),
        ("a,,y\n1,2,u\n", ["column 2 has no name"]),
        (SHORT, ["row 41 has 2 values", "3 names"]),
        (GOOD + "1,2,u,3\n", ["row 41 has 4 values"]),
        (GOOD + "   \n", ["row 41 has 1 value"]),
        (GOOD.replace("u\n", "u,\n").replace("v\n", "v,\n"), ["row 1 has 4 values"]),
        (GOOD + '1,"2,u\n', ["row 41", "unexpected end"]),
        (GOOD.replace("u\n", "ü\n").encode("latin-1"), ["line 6 is not UTF-8", "0xfc", "--encoding cp1252", "ü'"]),
        (GOOD.encode("utf-16-le"), ["line 1 contains a null byte", "add --encoding utf-16-le"]),
        (GOOD.encode("utf-16")[:-1], ["is not UTF-16", "give --encoding the one"]),
        (GOOD + "\0,2,u\n", ["line 42", "a null byte", "export the file again"]),
        (b"PK\x03\x04", ["workbook"]),
        (GOOD + "three,2,u\n", ["column 'a'", "row 41", "'three'", "add --na three\n"]),
        (GOOD + "1,2,u\n?,2,u\nx,2,u\n", ["column 'a'", "row 42", "2 of 43", "add --na '?,x'\n"]),
        (GOOD + "three" * 99 + ",2,u\n", ["row 41", "'threethree", "and 435 characters more", "add --drop a\n"]),
        (GOOD + "inf,2,u\n", ["column 'a' is infinite", "in row 41"]),
        (GOOD + "1e999,2,u\n", ["column 'a' is infinite", "in row 41"]),
        (GOOD + "1" * 400 + ",2,u\n", ["column 'a' is infinite", "in row 41; correct the"]),
        (GOOD + "1" * 5000 + ",2,u\n", ["column 'a' is infinite", "in row 41"]),
        (MANY + "\n-" + "1" * 5000 + ",2\n,3\n", ["column 'a' is infinite", "in row 31"]),
        (
            "a,y\n" + '"1,5",u\n2,v\n' * 9,
            ["'a' has '1,5' in row 1, which --decimal , reads as 1.5", "add --decimal ,\n"],
        ),
        ("a,y\n" + '2,"-0,25"\n3,"1,5"\n' * 9, ["target 'y' has '-0,25' in row 1", "add --decimal ,\n"]),
        (IDS, ["column 'name'", "40 words in 40 rows", "--drop name"]),
        (IDS.replace("name", '"na\nme"'), ["column 'na\\nme'", r"--drop $'na\nme'"]),
        (GOOD.replace("u\n", "v\n"), ["target 'y'", "same value", "'v'"]),
        (GOOD + "1,2,\n1,3,NA\n", ["target 'y' is missing in 2 of 42 rows", "row 41"]),
        ("a,y\n1,u\n2,v\n", ["2 classes in 2 rows, all different; check --target"]),
        (MANY + "1,-inf\n", ["target 'y' is infinite", "in row 31"]),
        ("y\nu\nv\nv\n", ["no features are left besides the target"]),
        ("a, y\n1,u\n", ["no column 'y'", "did you mean ' y'?"]),
    ],
)
def test_damaged_csv(tmp_path: Path, content: str | bytes, words: list[str]) -> None:
    refused(run_on(tmp_path, content), 3, "d.csv: ", *words)


@pytest.mark.parametrize(
    ("content", "more", "words"),
    [
        (GOOD, ["--drop", "A"], ["--drop", "'A'", "did you mean 'a'?"]),
        (GOOD, ["--drop", "zzz"], ["the columns are 'a', 'b', 'y'"]),
        (GOOD, ["--drop", "y"], ["'y' is the target"]),
        (GOOD, ["--drop", "a", "--drop", "b"], ["no features are left besides the target"]),
        (GOOD, ["--task", "regression"], ["target 'y' holds words", "--task regression"]),
        (MANY, ["--task", "classification"], ["0.5 in row 1; numeric classes must be", "omit --task classification"]),
        (GOOD + ",2,u\n", ["--engine", "r"], ["column 'a' is missing in row 41", "--engine parallel"]),
    ],
)
def test_data_that_do_not_go_with_an_option(tmp_path: Path, content: str, more: list[str], words: list[str]) -> None:
    refused(run_on(tmp_path, content, *more), 3, *words)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("a,y\n" + "1,0.5\n2,1.5\n" * 6, ["12 rows", "needs 13 rows", "give --gamma in place of --cv"]),
        ("a,y\n1,u\n2,u\n" + "3,v\n" * 38, ["38 rows of class 'v' and 2 rows of class 'u'", SEVEN]),
        ("a,y\n" + "1,u\n2,u\n3,w\n4,w\n" * 3, ["6 rows of class 'u'", SEVEN]),
    ],
)
def test_too_few_rows_for_folds(tmp_path: Path, content: str, words: list[str]) -> None:
    (tmp_path / "d.csv").write_text(content)
    refused(run(str(tmp_path / "d.csv"), "--target", "y", "--cv"), 3, "d.csv: ", *words)


def test_too_few_rows_to_choose_a_size(tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("a,y\n1,u\n2,u\n" + "3,v\n" * 4)
    told = (str(tmp_path / "d.csv"), "--target", "y", "--method", "elimination")
    needed = "needs 5 rows of the most frequent class and 2 of the next; give --features, without --cv"
    refused(run(*told), 3, "4 rows of class 'v' and 2 rows of class 'u'", needed)
    assert run(*told, "--features", "1").exit_code == 0
    refused(run(*told, "--features", "2"), 3, "--features must be at most 1")


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("d.jsonl", '{"a": 1, "y": "u"}\n{"a": 2', ["line 2 is not valid JSON"]),
        ("d.jsonl", '{"a": 1, "y": "u"}\n[1, 2]\n', ["line 2 must be one JSON object"]),
        ("d.jsonl", '{"a": [1], "y": "u"}\n', ["line 1 must be one JSON object"]),
        ("d.jsonl", "\n", ["it has no rows"]),
        ("d.jsonl", "", ["it is empty"]),
        ("d.jsonl", LINE + OTHER + LINE.replace("1", "1" * 400), TOO_LARGE),
        ("d.jsonl", LINE + OTHER + LINE.replace("1", "-" + "1" * 5000), TOO_LARGE),
        ("d.jsonl", LINE + "[" * 100_000, ["line 2 must be one JSON object"]),
        ("d.jsonl", LINE + r'"\ud800"', ["line 2 must be one JSON object"]),
        ("d.jsonl", LINE + LINE.replace("u", r"\ud800"), ["line 2 holds", "'\\ud800'", "UTF-8"]),
        ("d.jsonl", LINE + LINE.replace("a", r"\ud800"), ["line 2 holds", "'\\ud800'"]),
        ("d.csv", "a;y\n1;u\n2;v;3\n", ["row 2 has 3 values", "2 names"]),
        ("d.csv", "a,b;y\n1,5;u\n2,4;v\n", ["columns by ',' (2) and by ';' (2); say by --sep"]),
        ("d.json", "[" + LINE + ", 1]", ["object 2 must be one JSON object"]),
        ("d.json", "[" + LINE, ["is not valid JSON"]),
        ("d.json", "[]", ["it has no rows"]),
        ("d.json", "[" * 100_000, ["it holds JSON that is nested too deeply"]),
        ("d.csv.gz", GOOD, ["cannot be decompressed as .gz"]),
        ("d.csv.xz", b"\xfd7zXZ\x00garbage", ["cannot be decompressed as .xz"]),
        ("d.csv.bz2", b"BZh9garbage", ["cannot be decompressed as .bz2"]),
        ("d.csv.gz", gzip.compress(GOOD.encode(), mtime=0)[:-20], ["cannot be decompressed as .gz"]),
        ("d.csv.gz", gzip.compress(b"", mtime=0), ["it is empty"]),
    ],
)
def test_damaged_lines_and_compressed_files(tmp_path: Path, name: str, content: str | bytes, words: list[str]) -> None:
    refused(run_on(tmp_path, content, name=name), 3, name, *words)


@pytest.mark.parametrize("pack", [gzip, bz2, lzma])
def test_a_short_file_does_not_fill_the_memory(tmp_path: Path, pack: Any) -> None:
    name = f"d.csv.{ {gzip: 'gz', bz2: 'bz2', lzma: 'xz'}[pack] }"
    # Parts that are packed each for itself are one file.
    (tmp_path / name).write_bytes(pack.compress(bytes(2**24)) * 2**6)
    tracemalloc.start()
    try:
        refused(run(str(tmp_path / name), "--target", "y"), 3, name, "more than --max-bytes=", "a larger --max-bytes")
        assert tracemalloc.get_traced_memory()[1] < 2**29
    finally:
        tracemalloc.stop()


def test_a_long_text_in_every_row_of_parquet_does_not_fill_the_memory(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    rows = arrow.table({"a": ["x" * 2**16] * 2**10, "y": np.arange(2**10) % 2})
    with importlib.import_module("pyarrow.parquet").ParquetWriter(tmp_path / "d.parquet", rows.schema) as writer:
        for _ in range(2**4):
            writer.write_table(rows)  # 2**30 bytes in all
    refused(run(str(tmp_path / "d.parquet"), "--target", "y"), 3, "more than --max-bytes=")
    assert arrow.default_memory_pool().max_memory() < 2**29


@pytest.mark.parametrize("name", ["d.csv", "d.csv.gz", "d.jsonl", "d.parquet", "d.arrow", "d.rds"])
def test_the_bound_is_raised_by_the_option(tmp_path: Path, name: str) -> None:
    table = pd.DataFrame({"a": np.arange(2000) % 9, "y": np.arange(2000) % 2})
    {
        "csv": lambda at: table.to_csv(at, index=False),
        "jsonl": lambda at: table.to_json(at, orient="records", lines=True),
        "parquet": table.to_parquet,
        "arrow": table.to_feather,
        "rds": lambda at: pyrrf.write_rds(table, at),
    }[name.split(".")[1]](tmp_path / name)
    told = (str(tmp_path / name), "--target", "y", "--gamma", "0.5", "--max-bytes")
    refused(run(*told, "5000"), 3, name, "more than --max-bytes=5000 bytes", "pass a larger --max-bytes")
    assert run(*told, "1000000").exit_code == 0


@pytest.mark.parametrize("option", ["--sep", "--decimal", "--thousands", "--encoding"])
def test_options_of_text(tmp_path: Path, option: str) -> None:
    value = "latin-1" if option == "--encoding" else ","
    refused(run_on(tmp_path, GOOD, option, value, name="d.parquet"), 2, option, "d.parquet is not; omit it")


@pytest.mark.parametrize("name", ["d.tsv", "d.parquet", "d.feather", "d.arrow", "d.rds", "d.xlsx"])
@pytest.mark.parametrize("content", ["", GOOD + "1\n", b"\x1f\x8b\x08\x00garbage", b"PAR1PAR1"])
def test_damaged_files_of_other_formats(tmp_path: Path, name: str, content: str | bytes) -> None:
    refused(run_on(tmp_path, content, name=name), 3, name)


@pytest.mark.parametrize("option", ["DATA", "--output", "--cost"])
def test_links_that_lead_in_a_circle(tmp_path: Path, option: str) -> None:
    (tmp_path / "a.csv").symlink_to(tmp_path / "b.csv")
    (tmp_path / "b.csv").symlink_to(tmp_path / "a.csv")
    at = str(tmp_path / "a.csv")
    found = run(at, "--target", "y") if option == "DATA" else run_on(tmp_path, GOOD, option, at)
    refused(found, 3, "a.csv: ", "Too many levels of symbolic links")


def test_a_file_that_is_not_there_a_folder_and_one_that_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused(run(str(tmp_path / "no.csv"), "--target", "y"), 3, "no.csv: No such file")
    (tmp_path / "folder.csv").mkdir()
    refused(run(str(tmp_path / "folder.csv"), "--target", "y"), 3, "folder.csv: Is a directory")

    def closed(path: Path, mode: str) -> Any:
        raise PermissionError(13, "Permission denied", str(path))

    # The superuser, who may run the tests, reads everything.
    monkeypatch.setattr(Path, "open", closed)
    refused(run(str(tmp_path / "mine.csv"), "--target", "y"), 3, "mine.csv: Permission denied")


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        (pd.to_datetime(["2020-01-01"] * 40), "dates or times"),
        ([[1.0]] * 40, "mixed"),
        ([b"x"] * 40, "bytes"),
    ],
    ids=["dates", "lists", "bytes"],
)
def test_columns_of_other_kinds_are_refused(tmp_path: Path, column: object, kind: str) -> None:
    table = pd.DataFrame({"a": np.arange(40.0), "y": ["u", "v"] * 20}).assign(z=column)
    table.to_parquet(tmp_path / "d.parquet")
    refused(run(str(tmp_path / "d.parquet"), "--target", "y"), 3, "column 'z'", kind, "--drop")


def test_a_sign_among_the_numbers_of_json_may_mean_a_missing_value(tmp_path: Path) -> None:
    content = LINE * 20 + OTHER * 20 + LINE.replace("1", '"-"')
    words = ["column 'a' holds mixed-integer values", "words such as '-'", "add --na -\n"]
    refused(run_on(tmp_path, content, name="d.jsonl"), 3, *words)


def test_an_object_of_r_that_is_no_data_frame(tmp_path: Path) -> None:
    pyrrf.write_rds({"a": 1.0}, tmp_path / "d.rds")
    refused(run(str(tmp_path / "d.rds"), "--target", "y"), 3, "no data frame", "as.data.frame")


# ---- costs and groups ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("option", "content", "words"),
    [
        ("--cost", "", ["it is empty"]),
        ("--cost", "feature,cost\nA,2\n", ["row 1", "'A'", "did you mean 'a'?"]),
        ("--cost", "feature,cost\na,2\ny,2\n", ["row 2", "'y' is the target"]),
        ("--cost", "feature,cost\na,.5\n", ["row 1", "'a'", "at least 1", "'.5'"]),
        ("--cost", "feature,cost\na,2\nb,cheap\n", ["row 2", "'b'", "'cheap'"]),
        ("--cost", "feature,cost\na,\n", ["row 1", "''"]),
        ("--cost", "feature,cost\na,nan\n", ["'nan'"]),
        ("--cost", "feature,cost\na,inf\n", ["'inf'"]),
        ("--cost", "feature,cost\na,2\na,3\n", ["rows 1 and 2", "'a'"]),
        ("--cost", "feature,cost\n,3\n", ["the feature name in row 1 is empty"]),
        ("--cost", "a,2\nb,3\n", ["the header is missing", "feature 'a'"]),
        ("--cost", "feature,cost,unit\na,2,m\n", ["3 columns"]),
        ("--cost", "feature\na\n", ["1 column"]),
        ("--groups", "feature,group\nsensor,g\n", ["row 1", "'sensor'"]),
        ("--groups", "feature,group\n ,g\n", ["the feature name in row 1 is empty"]),
    ],
)
def test_damaged_costs_and_groups(tmp_path: Path, option: str, content: str, words: list[str]) -> None:
    (tmp_path / "c.csv").write_text(content)
    refused(run_on(tmp_path, GOOD, option, str(tmp_path / "c.csv")), 3, "c.csv: ", *words)


# ---- the command line ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--cv"], ["--gamma and --cv cannot be combined"]),
        (["--jobs", "0"], ["--jobs"]),
        (["--plot", "p.pdf"], ["--plot", ".png, .svg"]),
        (["--report", "r.pdf"], ["--report", ".html"]),
        (["--output", "kept"], ["--output", ".parquet"]),
        (["--output", "{folder}/d.csv"], ["--output", "DATA"]),
        (["--plot", "{folder}/p.svg", "--output", "{folder}/../{base}/d.csv"], ["--output", "DATA"]),
        (["--cost", "c.xlsx"], ["c.xlsx", ".csv, .tsv"]),
        (["--gamma", "2"], ["--gamma"]),
        (["--seed", "2147483648"], ["--seed"]),
        (["--seed", "-1"], ["--seed must be at least 0", "--engine r"]),
        (["--trees", "0"], ["--trees"]),
        (["--engine", "fast"], ["--engine"]),
        (["--nothing"], ["--nothing"]),
        (["--features", "3"], ["--features does not apply", "--method grrf", "--method elimination"]),
        (
            ["--method", "elimination"],
            ["--gamma does not apply", "--method elimination", "--method grrf or --method stability"],
        ),
        (["--method", "stability", "--cv"], ["--cv does not apply", "--method stability"]),
        (["--method", "best"], ["--method"]),
        (["--sep", "ab"], ["--sep must be one character"]),
        (["--sep", "x"], ["--sep must be one character"]),
        (["--decimal", ";"], ["--decimal must be '.' or ','"]),
        (["--thousands", "."], ["--thousands must be"]),
        (["--decimal", ",", "--thousands", ","], ["--thousands must be", "not the decimal mark"]),
        (["--encoding", "morse"], ["no encoding 'morse'", "--encoding"]),
        (["--encoding", "base64"], ["no encoding 'base64'", "--encoding"]),
    ],
)
def test_wrong_command_lines(tmp_path: Path, more: list[str], words: list[str]) -> None:
    given = [word.format(folder=tmp_path, base=tmp_path.name) for word in more]
    refused(run_on(tmp_path, GOOD, *given), 2, *words)


def test_unknown_endings(tmp_path: Path) -> None:
    refused(
        run_on(tmp_path, GOOD, name="d.ods"),
        2,
        "d.ods",
        ".csv, .tsv, .txt, .jsonl, .ndjson, .json, .parquet, .arrow, .feather, .rds, .xlsx",
        "--sep",
    )
    refused(run_on(tmp_path, GOOD, name="d.parquet.gz"), 2, "d.parquet.gz", ".gz, .bz2, .xz")


@pytest.mark.parametrize("option", ["--cost", "--groups"])
def test_an_empty_name_is_not_left_out(tmp_path: Path, option: str) -> None:
    """As a variable of the shell that was not set."""
    refused(run_on(tmp_path, GOOD, option, ""), 2, f"{option}: the file name is empty")


def test_arrow_that_points_outside_of_itself(tmp_path: Path) -> None:
    """Where pyarrow would read it, and end the process."""
    feather = pytest.importorskip("pyarrow.feather")
    table = pd.DataFrame({"a": np.arange(40) % 7, "y": ["u", "v"] * 20})
    feather.write_feather(table, tmp_path / "d.arrow", compression="uncompressed")
    content = (tmp_path / "d.arrow").read_bytes()
    kinds = [np.arange(41, dtype=kind).tobytes() for kind in ("<i8", "<i4")]
    ends = next(written for written in kinds if written in content)
    damaged = content.replace(ends, ends[:-8] + b"\x7f" * 8)
    refused(run_on(tmp_path, damaged, name="d.arrow"), 3, "d.arrow: it cannot be read as .arrow: ", "export the file")


def test_arrow_that_asks_for_more_memory_than_there_is(tmp_path: Path) -> None:
    feather = pytest.importorskip("pyarrow.feather")
    table = pd.DataFrame({"a": np.arange(40) % 7, "y": np.arange(40) % 2})
    feather.write_feather(table, tmp_path / "d.arrow", compression="zstd")
    content = (tmp_path / "d.arrow").read_bytes()
    # Before each buffer that is packed stands its length, here of 40 numbers.
    length = (320).to_bytes(8, "little")
    assert length in content
    damaged = content.replace(length, (2**60).to_bytes(8, "little"))
    refused(run_on(tmp_path, damaged, name="d.arrow"), 3, "d.arrow: reading it needs more memory than there is; ")


def test_a_name_that_stands_twice_in_a_typed_file(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = importlib.import_module("pyarrow.parquet")
    table = arrow.table([[1.0, 2.0] * 20, [2.0, 3.0] * 20, ["u", "v"] * 20], names=["a", "a", "y"])
    parquet.write_table(table, tmp_path / "d.parquet")
    refused(run(str(tmp_path / "d.parquet"), "--target", "y"), 3, "columns 1 and 2 have the same name, 'a'; rename")


@pytest.mark.parametrize("path", ["no/kept.csv", "folder.csv", "a" * 300 + ".csv"])
def test_files_that_cannot_be_written_are_found_out_before_any_work(tmp_path: Path, path: str) -> None:
    (tmp_path / "folder.csv").mkdir()
    refused(run(str(tmp_path / "no data.csv"), "--target", "y", "--output", str(tmp_path / path)), 3, path)
