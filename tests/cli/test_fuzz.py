"""`pyrrf select` with odd options on odd files: an exit code and a message, no traceback, and no file that is left.

CLI_RUNS says how many command lines are drawn (60), CLI_SEED repeats others.
"""

from __future__ import annotations

import gzip
import io
import itertools
import os
import random
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from tests.cli.command import runner

RUNS, SEED = int(os.environ.get("CLI_RUNS", "60")), int(os.environ.get("CLI_SEED", "1"))
CODES = {0, 2, 3}
FRAME = pd.DataFrame(
    {"a": np.arange(40) % 7, "b c": np.arange(40) * 37 % 11 + 0.5, "w": list("pqrs") * 10, "y": ["u", "v"] * 20}
).assign(z=lambda d: d["a"] * 1.5, y=lambda d: np.where(d["a"] > 3, "u", "v"))
NUMBERS = ["-1", "0", "1", "2", "3", "1e3", "2.5", "nan", "-inf", "inf", "", " ", "x", "1" * 30, "-" + "9" * 25, "٣"]
TEXTS = [
    "",
    " ",
    ",",
    ";",
    "tab",
    "\\t",
    "|",
    "'",
    '"',
    "ab",
    "\n",
    "\x1b[31m",
    "é",
    "\udcff",
    "-",
    "a" * 300,
    "%s",
    "{}",
]
NAMES = ["a", "b c", "w", "y", "z", "A", "nope", "a,z", " a", *TEXTS]


def tables(rng: random.Random) -> dict[str, bytes]:
    """Files of each format by their names, sound ones."""
    frame = FRAME.copy()
    if rng.random() < 0.3:
        frame.loc[rng.randrange(40), "z"] = rng.choice([np.nan, 1e300])
    if rng.random() < 0.2:
        frame["id"] = [f"p{i}" for i in range(40)]
    written: dict[str, bytes] = {}
    for name in ("d.csv", "d.tsv", "d.txt", "semi.csv", "d.csv.gz", "wide.csv", "old.csv"):
        mark = ";" if name == "semi.csv" else "\t" if name == "d.tsv" else ","
        text = frame.to_csv(
            index=rng.random() < 0.2, sep=mark, decimal=rng.choice([".", "."] if mark != ";" else [".", ","])
        )
        codec = {"wide.csv": "utf-16", "old.csv": "cp1252"}.get(name, "utf-8")
        content = text.replace("b c", "größe" if name == "old.csv" else "b c").encode(codec)
        written[name] = gzip.compress(content) if name.endswith("gz") else content
    for name in ("d.json", "d.jsonl"):
        written[name] = frame.to_json(orient="records", lines=name == "d.jsonl").encode()
    for name, write in {
        "d.parquet": frame.to_parquet,
        "d.feather": frame.to_feather,
        "d.xlsx": excel_of(frame),
    }.items():
        stream = io.BytesIO()
        write(stream)
        written[name] = stream.getvalue()
    return written


def excel_of(frame: pd.DataFrame) -> Any:
    return lambda stream: frame.to_excel(stream, index=False)


def damaged(content: bytes, rng: random.Random) -> bytes:
    """The content, or, of every third file, what is left of it."""
    kind = rng.randrange(9)
    at = rng.randrange(len(content))
    if kind == 0:
        return content[:at]
    if kind == 1:
        return content[:at] + bytes(rng.randrange(256) for _ in range(rng.randint(1, 4))) + content[at + 1 :]
    return (
        rng.choice([b"", b"\xff\xfe", b"sep=;\n", b"\n\n"]) + (content if rng.random() < 0.5 else b"")
        if kind == 2
        else content
    )


def lay_out(folder: Path, rng: random.Random) -> list[str]:
    """Put files, folders and links of all kinds there; return the paths of tables, most of them sound."""
    for name, content in tables(rng).items():
        (folder / name).write_bytes(damaged(content, rng))
    pyrrf.write_rds(FRAME.astype({"w": "category", "y": "category"}), folder / "d.rds")
    (folder / "c.csv").write_text(
        rng.choice(["feature,cost\na,2\n", "feature;cost\na;2,5\n", "x\n", "feature,cost\ny,2\n"])
    )
    (folder / "g.csv").write_text(
        rng.choice(["feature,group\na,1\nz,1\n", "feature\tgroup\na\tg\n", "f,g\na,\n", "\n"])
    )
    (folder / "sub").mkdir()
    (folder / "full").write_bytes(b"as before")
    (folder / "real.gz").write_bytes(b"as before")
    links = {
        "dangling": "nothing.dat", "bare": "nothing", "deep": "none/nothing.csv", "other": "real.gz", "dir": "sub",
        "loop": "loop", "data": "d.csv", "null": os.devnull, "chain": "dangling.csv",
    }  # fmt: skip
    for name, target in links.items():
        for suffix in (".csv", ".png", ".svg", ".html", ".parquet"):
            (folder / f"{name}{suffix}").symlink_to(f"{name}{suffix}" if name == "loop" else target)
    found = [str(folder / name) for name in (*tables(rng), "d.rds", "data.csv")]
    odd = ["nope.csv", "sub", "dir.csv", "loop.csv", "null.csv", "full", "", "a\nb.csv", "x" * 300 + ".csv"]
    return found * 3 + [str(folder / name) if name else "" for name in odd]


def output(folder: Path, suffixes: list[str], rng: random.Random) -> str:
    """A path to write to."""
    names = [
        "new",
        "dangling",
        "bare",
        "deep",
        "other",
        "dir",
        "loop",
        "data",
        "null",
        "chain",
        "full",
        "none/x",
        "sub/x",
    ]
    name = rng.choice([*names, *names, "", "-", "x" * 260, "a\nb", "\x1b", "d"])
    return str(folder / f"{name}{rng.choice([*suffixes, *suffixes, '', '.xyz', suffixes[0].upper()])}") if name else ""


def command_line(folder: Path, rng: random.Random) -> list[str]:
    """A command line of `select`, most often one that may succeed."""
    words = ["select", rng.choice(lay_out(folder, rng)), "--target", rng.choice(["y"] * 9 + NAMES)]
    words += [
        "--trees",
        rng.choice(["1", "2", "3"] * 6 + NUMBERS),
        "--method",
        rng.choice(["grrf", "grrf", "elimination", "boruta", "stability", "x"]),
    ]
    chances = {
        "--features": ["1", "2", *NUMBERS], "--rule": ["best", "1se", "x"], "--gamma": ["0.5", *NUMBERS],
        "--pfer": ["1", "4", *NUMBERS], "--sep": [";", ",", *TEXTS], "--decimal": [",", ".", *TEXTS],
        "--thousands": [",", ".", " ", *TEXTS], "--encoding": ["cp1252", "utf-16", "utf-8", "rot13", "idna", *TEXTS],
        "--na": ["?", "u,v", "1", *TEXTS], "--max-bytes": ["100", "100000", *NUMBERS], "--drop": NAMES,
        "--task": ["classification", "regression", "x"], "--seed": NUMBERS, "--engine": ["r", "parallel", "x"],
        "--jobs": ["2", "-1", "100000", *NUMBERS], "--cost": [str(folder / "c.csv"), *TEXTS],
        "--groups": [str(folder / "g.csv"), *TEXTS],
    }  # fmt: skip
    for option, values in chances.items():
        if rng.random() < 0.08:
            words += [option, rng.choice(values)]
    words += [flag for flag in ("--cv", "--json", "--nope") if rng.random() < {"--nope": 0.01}.get(flag, 0.15)]
    words += ["--fast"]
    outputs = {"--output": [".csv", ".tsv", ".parquet", ".arrow"], "--plot": [".png", ".svg"], "--report": [".html"]}
    for option, suffixes in outputs.items():
        if rng.random() < {"--report": 0.1}.get(option, 0.3):
            words += [option, output(folder, suffixes, rng)]
    return words


def contents(folder: Path) -> dict[str, bytes | None]:
    """What stands in a folder: each name with its bytes, if it is a file."""
    return {
        str(file.relative_to(folder)): file.read_bytes() if file.is_file() and not file.is_symlink() else None
        for file in folder.rglob("*")
    }


@pytest.mark.parametrize("run", range(RUNS))
def test_odd_options_on_odd_files(run: int, tmp_path: Path) -> None:
    from pyrrf.cli.app import app

    rng = random.Random(1_000_000 * SEED + run)
    words = command_line(tmp_path, rng)
    before = contents(tmp_path)
    found = runner.invoke(app, words)
    after = contents(tmp_path)
    assert found.exit_code in CODES, (words, found.output)
    assert "Traceback" not in found.output, (words, found.output)
    given = itertools.pairwise(words)
    written = {os.path.realpath(path) for option, path in given if option in ("--output", "--plot", "--report")}
    changed = {name for name in before.keys() | after.keys() if before.get(name, b"-") != after.get(name, b"-")}
    assert {str(tmp_path / name) for name in changed} <= (written if found.exit_code == 0 else set()), words
