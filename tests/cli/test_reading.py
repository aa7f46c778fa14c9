"""Tables as people have them: separators, marks in numbers, encodings, workbooks; none is misread."""

from __future__ import annotations

import csv
import html
import io
import json
import os
import random
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pyrrf.cli.columns import names_of
from pyrrf.cli.messages import DataError
from pyrrf.cli.reading import read_table
from pyrrf.cli.text import Format
from tests.cli.command import GOOD, refused, run, run_on


def read(folder: Path, content: str | bytes, name: str = "d.csv", **form: Any) -> pd.DataFrame:
    """The table in a file of this content."""
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_table(str(folder / name), Format(**form)).frame


# ---- separators ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["d.csv", "d.tsv", "d.txt"])
@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_the_separator_is_found(tmp_path: Path, mark: str, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = read(tmp_path, GOOD.replace(",", mark), name)
    assert found.equals(pd.read_csv(io.StringIO(GOOD)))
    told = "values are separated by" in capsys.readouterr().err
    assert told == ({"d.tsv": "\t"}.get(name, ",") != mark)


def test_the_line_by_which_excel_knows_the_separator(tmp_path: Path) -> None:
    for line in ("sep=;\n", '"sep=;"\r\n', "\ufeffSEP=;\n"):
        assert read(tmp_path, line + GOOD.replace(",", ";")).shape == (40, 3)


@pytest.mark.parametrize(
    "content",
    [
        'a,b,y\n"1;2",3,u\n"4;5",6,v\n',  # semicolons in text alone
        '"a;b",c,y\n1,2,u\n3,4,v\n',  # and in a name alone
        "a|b,c,y\n1,2,u\n3,4,v\n",
        'a,b,y\n"x\n1;2;3",3,u\n"4;5;6",6,v\n',  # rows of two lines
        "a\n1;2;3\n4\n",  # one column
        "a\n'1\n2\n",
        "a b\n1\n2\n",
    ],
)
def test_sound_files_are_read_as_pandas_reads_them(
    tmp_path: Path, content: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert read(tmp_path, content).equals(pd.read_csv(io.StringIO(content)))
    assert capsys.readouterr().err == ""


def test_where_several_separators_part_all_lines_the_user_says_which(tmp_path: Path) -> None:
    content = "size, cm;y, class\n1,5;u\n2,5;v\n"
    with pytest.raises(DataError, match=r"by ',' \(3\) and by ';' \(2\); say by"):
        read(tmp_path, content.replace("5;", "5,;").replace("u", "u"))
    assert read(tmp_path, content, separator=";", decimal=",")["size, cm"].tolist() == [1.5, 2.5]


WORDS = ["x", "a;b", "a,b", "tab\tbed", "p|q", 'say "no"', "two\nlines", "1,5", "", "NA", "ü", "'", "sep=;"]


def random_table(rng: random.Random) -> tuple[list[str], list[list[str]]]:
    """Names and rows of text and numbers; the names hold separators, too."""
    width, n = rng.randint(2, 6), rng.randint(2, 9)
    names = [f"{rng.choice(WORDS)}{i}" for i in range(width)]
    kinds = [rng.random() < 0.5 for _ in range(width)]
    cells = [[str(rng.randint(-99, 99)) if kind else rng.choice(WORDS) for kind in kinds] for _ in range(n)]
    return names, cells


def read_or_ask(path: str, mark: str) -> Any:
    """The table; where the command asks for the separator, by this one."""
    try:
        return read_table(path, Format())
    except DataError as error:
        if "say by --sep which separates values" not in str(error):
            raise
        return read_table(path, Format(separator=mark))


def test_no_separator_is_mistaken(tmp_path: Path) -> None:
    """As csv writes tables with each separator: the values that were written, or a question for --sep."""
    for seed in range(int(os.environ.get("CLI_TABLES", "300"))):
        rng = random.Random(f"{os.environ.get('CLI_SEED', 1)} {seed}")
        names, rows = random_table(rng)
        mark, ending = rng.choice(",;\t|"), rng.choice(["\n", "\r\n"])
        written = io.StringIO()
        writer = csv.writer(written, delimiter=mark, quoting=rng.choice([0, csv.QUOTE_ALL]), lineterminator=ending)
        writer.writerows([names, *rows])
        (tmp_path / "d.csv").write_bytes(written.getvalue().encode(rng.choice(["utf-8", "utf-8-sig", "utf-16"])))
        table = read_or_ask(str(tmp_path / "d.csv"), mark)
        assert table.frame.columns.tolist() == names, seed
        assert table.columns(names).to_numpy().tolist() == rows, seed


# ---- numbers -------------------------------------------------------------------------------------


def test_decimal_commas_and_marks_of_thousands(tmp_path: Path) -> None:
    rows = ["1.234,5;12;31.12.2020;u", "-0,25;1.234.567;1.1.2021;v", "7;;;v"]
    found = read(tmp_path, "a;b;day;y\n" + "\n".join(rows), decimal=",", thousands=".")
    assert found["a"].tolist() == [1234.5, -0.25, 7]
    assert found["b"].tolist()[:2] == [12, 1234567]
    # A date is no number, as it would be without its points.
    assert found["day"].tolist()[:2] == ["31.12.2020", "1.1.2021"]
    assert read(tmp_path, "a;y\n1,5;u\n", decimal=",")["a"].tolist() == [1.5]
    blank = "a;y\n1 234,5;u\n12\u202f345;v\n"
    assert read(tmp_path, blank, decimal=",", thousands=" ")["a"].tolist() == ["1 234,5", "12\u202f345"]
    assert read(tmp_path, blank.replace("\u202f", " "), decimal=",", thousands=" ")["a"].tolist() == [1234.5, 12345]


@pytest.mark.parametrize(
    ("values", "more", "added"),
    [
        (["1,5", "2,25", "3"], [], "--decimal ,"),
        (["1.234,5", "2", "-3,5"], [], "--decimal , --thousands ."),
        (["1,234.5", "2", "3"], [], "--thousands ,"),
        (["1,234", "22,345", "333,456"], [], "--decimal ,"),  # behind a semicolon it is taken for a decimal comma
        (["1.234", "22.345", "3"], ["--decimal", ","], "--thousands ."),
        (["1 234", "2", "3 444 555"], [], "--thousands ' '"),
        (["1,5", "2,25", "k.A."], [], "--decimal , --na k.A."),
        (["1.5", "2,5", "3"], ["--decimal", ","], "--drop a"),
    ],
)
def test_numbers_of_other_countries_are_named_with_their_option(
    tmp_path: Path, values: list[str], more: list[str], added: str
) -> None:
    content = "a;b;y\n" + "".join(f"{values[i % 3]};{i};{'uv'[i % 3 > 1]}\n" for i in range(30))
    found = run_on(tmp_path, content, *more)
    assert (found.exit_code, found.stderr.splitlines()[-1]) == (3, f"to go on, correct the file, or add {added}")
    assert "column 'a' " in found.stderr
    again = run_on(tmp_path, content, *more, *_words(added))
    assert again.exit_code == 0, again.stderr


def _words(options: str) -> list[str]:
    import shlex

    return shlex.split(options)


def test_a_comma_between_thousands_is_told_from_one_before_decimals_by_the_reader(tmp_path: Path) -> None:
    content = "a,y\n" + "".join(f'"{i + 1},{i}00",{"uv"[i % 2]}\n' for i in range(1, 9))
    told = run_on(tmp_path, content).stderr
    assert "column 'a' has '2,100' in row 1, which --thousands , reads as 2100 (--decimal , as 2.1)" in told
    assert told.endswith("add --thousands ,\n")


@pytest.mark.parametrize("value", ["110 001", "12-34", "A1", "2020-W1", "12 %", "1.2.3"])
def test_codes_are_no_numbers(tmp_path: Path, value: str) -> None:
    content = "a;b;y\n" + "".join(f"{value[:-1]}{i % 4};{i % 9};{'uv'[i % 9 > 4]}\n" for i in range(40))
    assert run_on(tmp_path, content).exit_code == 0


def test_one_message_names_all_columns_and_one_line_what_to_add(tmp_path: Path) -> None:
    rows = [f"p{i};2024-05-{i % 28 + 1:02};{i},5;{i if i % 9 else '?'};{i % 7};{'uv'[i % 7 > 3]}" for i in range(40)]
    content = "\n".join(["id;the day;a;b;c;y", *rows, ""])
    found = run_on(tmp_path, content)
    lines = found.stderr.splitlines()[-7:]
    assert (found.exit_code, lines[0]) == (3, f"pyrrf: {tmp_path / 'd.csv'}: 4 columns cannot be used:")
    assert [line.split(" ", 1)[1][:12] for line in lines[1:5]] == [
        "'id' holds 4",
        "'the day' ho",
        "'a' has '0,5",
        "'b' is numer",
    ]
    assert lines[5] == "to leave them out, add --drop-unreadable"
    assert lines[6] == "to go on, correct the file, or add --decimal , --na '?' --drop 'id,the day'"
    again = run_on(tmp_path, content, *_words(lines[6].partition("add ")[2]), "--json")
    assert (again.exit_code, json.loads(again.stdout)["data"]["features"]) == (0, 3)


UNREADABLE: dict[str, tuple[list[Any], str]] = {
    "id": ([f"p{i}" for i in range(40)], "holds 40 words in 40 rows, 40 of them once, so it names rows"),
    "note": (
        [f"a text; number {i}" for i in range(40)],
        "holds 40 words in 40 rows, 40 of them once, so it names rows",
    ),
    "the day": ([f"2024-05-{i % 28 + 1:02}" for i in range(40)], "holds dates or times"),
    "price": ([f"{i},5" for i in range(40)], "has '0,5' in row 1, which --decimal , reads as 0.5"),
    "age": (
        ["k.A." if i == 6 else i for i in range(40)],
        "is numeric, but row 7 has 'k.A.' (1 of 40 rows are not numbers)",
    ),
    "size": (["inf" if i == 2 else i for i in range(40)], "is infinite, or above 1.8e+308, in row 3"),
}


def test_columns_that_cannot_be_read_are_left_out(tmp_path: Path) -> None:
    y = ["uv"[i % 7 > 3] for i in range(40)]
    good = {"a": [i % 7 for i in range(40)], "empty": [None] * 40, "y": y}
    pd.DataFrame(good | {name: values for name, (values, _) in UNREADABLE.items()}).to_csv(
        tmp_path / "d.csv", index=False
    )
    (tmp_path / "c.csv").write_text("feature,cost\nid,2\na,2\n")  # which may name what is left out
    told = (str(tmp_path / "d.csv"), "--target", "y", "--gamma", "0.5", "--cost", str(tmp_path / "c.csv"))
    refused(run(*told), 3, "6 columns cannot be used:", *UNREADABLE, "to leave them out, add --drop-unreadable\n")
    found = run(*told, "--drop-unreadable", "--json", "--report", str(tmp_path / "r.html"))
    reasons = {name: reason for name, (_, reason) in UNREADABLE.items()}
    assert found.exit_code == 0
    data = json.loads(found.stdout)["data"]
    assert (data["features"], data["dropped"], data["unreadable"]) == (2, [], reasons)
    listed = [f"  {name!r} {reason}" for name, reason in reasons.items()]
    assert found.stderr.splitlines()[:7] == ["note: 6 columns left out, because not readable:", *listed]
    page = html.unescape((tmp_path / "r.html").read_text())
    assert [name for name, reason in reasons.items() if name not in page or reason not in page] == []
    assert "Columns left out" in page
    assert (
        run(*told, "--drop", ",".join(UNREADABLE), "--json").stdout.partition('"settings"')[2]
        == (found.stdout.partition('"settings"')[2])
    )


def test_columns_of_types_that_are_not_read_are_left_out(tmp_path: Path) -> None:
    frame = pd.DataFrame({
        "a": [i % 7 for i in range(40)], "bytes": [b"a"] * 40, "moment": pd.date_range("2024-05-31", periods=40),
        "lists": [[i] for i in range(40)], "y": ["uv"[i % 7 > 3] for i in range(40)],
    })  # fmt: skip
    frame.to_parquet(tmp_path / "d.parquet")
    found = run(str(tmp_path / "d.parquet"), "--target", "y", "--gamma", "0", "--drop-unreadable", "--json")
    assert list(json.loads(found.stdout)["data"]["unreadable"]) == ["bytes", "moment", "lists"]


def test_what_is_needed_is_not_left_out(tmp_path: Path) -> None:
    days = [f"2024-05-{i % 28 + 1:02}" for i in range(40)]
    alone = "a,y\n" + "".join(f"{day},{'uv'[i % 7 > 3]}\n" for i, day in enumerate(days))
    lonely = run_on(tmp_path, alone, "--drop-unreadable")
    refused(lonely, 3, "column 'a' holds dates or times", "no other feature is left")
    assert "--drop" not in lonely.stderr  # it would leave none
    target = "a,y\n" + "".join(f"{i % 7},{day}\n" for i, day in enumerate(days))
    told = run_on(tmp_path, target, "--drop-unreadable")
    refused(told, 3, "target 'y' holds dates or times")
    assert "--drop-unreadable" not in told.stderr
    # Engine r reads no missing values.
    hole = GOOD.replace("a,b", "a,b,c").replace(",u", ",,u").replace(",v", ",1,v")
    assert json.loads(run_on(tmp_path, hole, "--drop-unreadable", "--json").stdout)["data"]["unreadable"] == {}
    by_r = run_on(tmp_path, hole, "--drop-unreadable", "--json", "--engine", "r")
    assert list(json.loads(by_r.stdout)["data"]["unreadable"]) == ["c"]


def test_names_to_drop(tmp_path: Path) -> None:
    names = ["a", "b", " c", "d,e", "f, g"]
    assert names_of(["a,b"], names) == ("a", "b")
    assert names_of(["a, b", " c", "a"], names) == ("a", "b", " c")
    assert names_of(["d,e", "f, g"], names) == ("d,e", "f, g")
    assert names_of(["x,a", ""], names) == ("x", "a", "")
    content = 'a,"b,1",id,y\n' + "".join(f"{i % 7},x{i},q{i},{'uv'[i % 7 > 3]}\n" for i in range(40))
    told = run_on(tmp_path, content).stderr
    assert told.endswith("add --drop id --drop b,1\n")
    assert run_on(tmp_path, content, "--drop", "id", "--drop", "b,1").exit_code == 0


# ---- encodings -----------------------------------------------------------------------------------

UMLAUT = GOOD.replace("a,b", "größe,b")


@pytest.mark.parametrize(
    "codec", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le", "cp1252", "latin-1", "mac-roman"]
)
def test_encodings(tmp_path: Path, codec: str) -> None:
    known = codec not in ("utf-16-le", "cp1252", "latin-1", "mac-roman")
    found = read(tmp_path, UMLAUT.encode(codec), encoding=None if known else codec)
    assert found.equals(pd.read_csv(io.StringIO(UMLAUT)))
    if not known:
        with pytest.raises(DataError, match="--encoding"):
            read(tmp_path, UMLAUT.encode(codec))


def test_costs_have_separators_and_marks_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_bytes("feature;cost\na;1,5\n".encode("utf-16"))
    found = run_on(tmp_path, GOOD, "--cost", str(tmp_path / "c.csv"), "--decimal", ",", "--json")
    assert json.loads(found.stdout)["kept"][0]["cost"] == 1.5


# ---- workbooks and JSON --------------------------------------------------------------------------


def test_workbooks(tmp_path: Path) -> None:
    pytest.importorskip("openpyxl")
    frame = pd.read_csv(io.StringIO(GOOD)).assign(c=[None, 0.5] * 20, d=["x", "n/a"] * 20)
    with pd.ExcelWriter(tmp_path / "d.xlsx") as book:
        frame.to_excel(book, sheet_name="data", index=False)
        frame[:3].to_excel(book, sheet_name="other")
    found = read_table(str(tmp_path / "d.xlsx"), Format()).frame
    assert found.equals(frame.assign(d=["x", None] * 20))
    told = run(str(tmp_path / "d.xlsx"), "--target", "y", "--drop", "d")
    assert "the first of 2 sheets is read, 'data'" in told.stderr
    assert told.exit_code == 0
    frame.to_excel(tmp_path / "d.xlsx")  # with the names of rows
    assert read_table(str(tmp_path / "d.xlsx"), Format()).frame.columns.tolist() == list(frame)
    frame.rename(columns={"b": "a"}).to_excel(tmp_path / "d.xlsx", index=False)
    refused(run(str(tmp_path / "d.xlsx"), "--target", "y"), 3, "columns 1 and 2 have the same name, 'a'")
    frame.assign(when=pd.Timestamp("2020-01-01")).to_excel(tmp_path / "d.xlsx", index=False)
    refused(run(str(tmp_path / "d.xlsx"), "--target", "y"), 3, "column 'when' holds dates or times", "add --drop when")


def test_a_small_workbook_does_not_fill_the_memory(tmp_path: Path) -> None:
    """Two cells, far from each other, stand for 17,000 million places."""
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active["A1"], book.active["XFD1"], book.active["A1048576"] = "a", "y", 1
    book.save(tmp_path / "d.xlsx")
    refused(run(str(tmp_path / "d.xlsx"), "--target", "y"), 3, "more than --max-bytes=")


def test_an_array_of_json(tmp_path: Path) -> None:
    frame = pd.read_csv(io.StringIO(GOOD)).assign(c=[None, 0.5] * 20)
    for name, lines in (("d.json", False), ("d.json", True), ("d.jsonl", True)):
        frame.to_json(tmp_path / name, orient="records", lines=lines)
        assert read_table(str(tmp_path / name), Format()).frame.equals(frame.assign(c=np.array([np.nan, 0.5] * 20)))
