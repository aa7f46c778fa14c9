"""The map in CONTRIBUTING.md names what is there, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "CONTRIBUTING.md").read_text()
# A line of the map: how deep, names, what for.
LINE = re.compile(r"^((?:  )*)((?:[\w.]+/?, )*[\w.]+/?) {2,}\S.*$")
# A file in the text: with a folder before it, or with its ending behind it.
NAME = re.compile(r"(?<![\w/.*-])(?:(?:\w[\w-]*/)+\w[\w.-]*|\w[\w-]*\.(?:py|pyx|c|h|md|toml|build|R)\b)")
# Each file of the package and of the core has a place in the map; of the other folders, the folder has.
WHOLE = ("pyrrf", "src_c")
CODE = (".py", ".pyx", ".c", ".h")
UNSEEN = re.compile(r"/\.|__pycache__|docs/_")
OTHERS = (".md", ".rst", ".pxd", ".R", ".sh", ".json", ".csv", ".yml", ".yaml", ".txt", ".zip", "")


def mapped() -> list[str]:
    """The paths that the map names, without endings where it has none; folders end in a slash."""
    (block,) = (part for part in TEXT.split("```")[1::2] if part.startswith("\nsrc_c/"))
    found, inside = [], [""]
    for line in block.strip("\n").splitlines():
        parts = LINE.match(line)
        assert parts, f"not a line of the map: {line}"
        inside[len(parts[1]) // 2 + 1 :] = []
        found += [inside[-1] + name for name in parts[2].split(", ")]
        inside.append(found[-1])
    return found


MAPPED = mapped()
TOPS = sorted({name.split("/")[0] for name in MAPPED})
FILES = {
    file.relative_to(ROOT)
    for top in TOPS
    for file in (ROOT / top).rglob("*")
    if file.is_file() and file.suffix in CODE + OTHERS and not UNSEEN.search(file.relative_to(ROOT).as_posix())
}
BARE = {file.as_posix().split(".")[0] if file.parts[0] in WHOLE else file.as_posix() for file in FILES}
FOLDERS = {f"{folder.as_posix()}/" for file in FILES for folder in file.parents} - {"./"}
# The tests of a folder of pyrrf are in the folder of its name.
ROOMS = {f"tests/{name.split('/')[1]}/" for name in MAPPED if re.fullmatch(r"pyrrf/\w+/", name)}


def test_nothing_stands_twice() -> None:
    assert sorted(MAPPED) == sorted(set(MAPPED))


def test_every_file_has_a_place() -> None:
    files = {file for file in FILES if file.parts[0] in WHOLE and file.suffix in CODE and file.stem != "__init__"}
    assert {file.as_posix().split(".")[0] for file in files} - {*MAPPED} == set()


def test_every_folder_has_a_place() -> None:
    assert FOLDERS - {*MAPPED} - ROOMS == set()


def test_what_the_map_names_is_there() -> None:
    assert {*MAPPED} - FOLDERS - BARE == set()


def test_what_the_text_names_is_there() -> None:
    known = [f"/{path}" for path in {file.as_posix() for file in FILES} | BARE | FOLDERS]
    named = [name for name in set(NAME.findall(TEXT)) if not (ROOT / name).exists()]
    assert [name for name in named if not any(path.endswith((f"/{name}", f"/{name}/")) for path in known)] == []
