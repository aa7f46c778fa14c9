"""The core's files, read as texts: who calls whom, the folders' order, and that nothing is left out of the build."""

from __future__ import annotations

import re
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CORE = ROOT / "src_c"
sys.path.insert(0, str(ROOT / "tools"))
import map as the_map  # noqa: E402
import reading_path  # noqa: E402

# From below to above: a file calls functions of its own folder and of those before it. The plain core asks the filters
# through the table of src_c/filters.h alone, and so nothing is above them.
ORDER = ["rrf", "threads", "data", "random", "tree", "answers", "engine_r", "engine_parallel", "filters"]
COMMENT_OR_TEXT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"', re.DOTALL)
# What a file asks the filters, by its name in their table.
HOOK = re.compile(r"\b(ASK|TELL)\(\w+")
# A function, or a table of functions, that other files can name.
SHARED = re.compile(r"^(?!static\b|typedef\b)[a-zA-Z_][\w \t\n*]*?\b(\w+)(?:\([^;{}]*\)\s*\{| = )", re.MULTILINE)


def stem(file: Path) -> str:
    """The name of a file within src_c, without its ending."""
    return file.relative_to(CORE).with_suffix("").as_posix()


def code_of(file: Path) -> str:
    """A file without comments and texts, and without the names of what it asks the filters."""
    return HOOK.sub(r"\1(", COMMENT_OR_TEXT.sub(" ", file.read_text()))


CODE = {stem(file): code_of(file) for file in CORE.rglob("*.c") if stem(file) != "example"}
HOME = {name: source for source, code in CODE.items() for name in SHARED.findall(code) if name != "filters"}


def calls(source: str) -> set[str]:
    """The other files whose functions or tables a file names."""
    named = set(re.findall(r"(?<![.>\w])[a-z_]\w*", CODE[source]))
    return {HOME[name] for name in named & HOME.keys()} - {source}


CALLS = {source: calls(source) for source in CODE}


def included(file: Path) -> set[str]:
    """The headers of src_c that a file includes."""
    return set(re.findall(r'^#include "([^"]+)"', file.read_text(), re.MULTILINE))


HEADERS = {file.relative_to(CORE).as_posix(): included(file) for file in CORE.rglob("*.h")}


def pairs() -> dict[str, set[str]]:
    """What each stage, a `.c` with its `.h`, includes of others."""
    graph: dict[str, set[str]] = {}
    for file in CORE.rglob("*.[ch]"):
        graph.setdefault(stem(file), set()).update(name.removesuffix(".h") for name in included(file))
    return {name: others - {name} for name, others in graph.items()}


def place(file: str) -> int:
    """Where the folder of a file stands in `ORDER`; what lies beside the folders is below them all."""
    return ORDER.index(file.split("/")[0]) if "/" in file else 0


def test_functions_are_found() -> None:
    assert HOME["rrf_predict"].startswith("answers/")
    assert set(CODE) - set(HOME.values()) == {"filters/table", "no_filters"}


def test_no_circle_of_calls() -> None:
    assert circles(CALLS) == []


def test_no_circle_of_headers() -> None:
    assert circles(HEADERS) == []


def test_no_circle_of_pairs() -> None:
    assert circles(pairs()) == []


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """One circle of a graph, or none."""
    try:
        list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        return [error.args[1]]
    return []


@pytest.mark.parametrize("uses", [CALLS, HEADERS], ids=["calls", "headers"])
def test_arrows_go_one_way(uses: dict[str, set[str]]) -> None:
    assert {(file, other) for file in uses for other in uses[file] if place(other) > place(file)} == set()


def test_reading_path_is_up_to_date() -> None:
    readme = (CORE / "README.md").read_text()
    assert reading_path.renew(readme) == readme, "make format renews the lines and what the files say"


def test_rows_of_the_reading_path_are_renewed() -> None:
    row = "| `tree/feature_set.h`, `.c` | 1 | an old sentence |\n"
    lines = sum(len((CORE / f"tree/feature_set.{ending}").read_text().splitlines()) for ending in "hc")
    said = the_map.first_sentence(CORE / "tree/feature_set.h")
    expected = f"These {lines} lines\n| `tree/feature_set.h`, `.c` | {lines} | {said} |\n"
    assert reading_path.renew(f"These 7 lines\n{row}") == expected


def test_functions_of_the_readme_are_where_it_says() -> None:
    named = re.findall(r"`(\w+)\(\)`(?: of|:) `([\w/]+\.c)`", (CORE / "README.md").read_text())
    assert len(named) > 10
    assert [(name, file) for name, file in named if f" {name}(" not in (CORE / file).read_text()] == []


def test_readme_names_every_filter() -> None:
    readme = (CORE / "README.md").read_text()
    switches = re.findall(r"^#define (FILTER_\w+) FILTERS$", (CORE / "filters/switches.h").read_text(), re.MULTILINE)
    assert switches
    assert sorted(set(re.findall(r"`(FILTER_\w+)`", readme))) == sorted(switches)


def test_every_file_is_built() -> None:
    built = set(re.findall(r"'src_c/(.+)\.c'", (ROOT / "meson.build").read_text()))
    assert built - {"example"} == set(CODE)
