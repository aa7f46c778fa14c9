"""The folders of the package and of the core: arrows go one way, and no modules import each other in a circle."""

from __future__ import annotations

import ast
import re
from collections.abc import Container
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import pyrrf.r
from pyrrf.r.values import methods

PACKAGE = Path(__file__).parent.parent / "pyrrf"
# From below to above: a module imports from its own folder and from those before it. Modules that lie beside
# the folders stand in the list by their names, and rooms of pyrrf.r by theirs. All of R's emulation stands above the
# port: what a formula asks of it goes through pyrrf.formula, and what a lower room of pyrrf.r asks of a higher one
# through pyrrf.r.values.methods.
ORDER = [
    "datasets",
    "types", "errors", "checks", "checkout", "lazy", "threads", "files", "versions", "escapes", "unsupported_object",
    "_core",
    "random", "rbase", "rlang", "data",
    "formula", "result", "rds", "fit", "plots", "companions", "rules", "selectors", "sklearn",
    "reports",
    "__init__",
    "r.values", "r.formatting", "r.indexing", "r.arithmetic", "r.base",
    "r.stats", "r.printing", "r.files", "r.bridge", "r.tidyverse", "r.graphics", "r.forests", "r.caret", "r",
    "testing", "migrate", "cli", "__main__", "papers",
]  # fmt: skip


def module_name(file: Path) -> str:
    """The name that imports a file."""
    parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {module_name(file): file for suffix in ("py", "pyx") for file in PACKAGE.rglob(f"*.{suffix}")}

# The steps of pyrrf.migrate, in the order in which a script goes through them.
STAGES = ["parse", "scopes", "decide", "write", "translation", "check"]


def imported(file: Path) -> set[str]:
    """The modules of the package that a Python file imports, at the top, late or for types alone."""
    return {name for name in _names(file, FILES) if name.split(".")[0] == PACKAGE.name}


def _names(file: Path, modules: Container[str]) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            inner = {f"{node.module}.{name.name}" for name in node.names}
            found |= {name if name in modules else str(node.module) for name in inner}
    return found


@pytest.fixture(scope="module")
def imports() -> dict[str, set[str]]:
    """Imports of each module of the package."""
    return {name: imported(file) for name, file in FILES.items() if file.suffix == ".py"}


def place(module: str) -> tuple[int, int]:
    """Where in `ORDER` a module stands, and among the steps of pyrrf.migrate."""
    parts = module.split(".")[1:] or ["__init__"]
    step = STAGES.index(parts[1]) if parts[0] == "migrate" and len(parts) > 1 else len(STAGES)
    return ORDER.index(".".join(parts[:2]) if parts[0] == "r" else parts[0]), step


def test_no_circle(imports: dict[str, set[str]]) -> None:
    assert len(list(TopologicalSorter(imports).static_order())) >= len(imports)


@pytest.mark.parametrize("folder", ["benchmarks", "parity", "tests"])
def test_no_circle_outside_of_the_package(folder: str) -> None:
    files = {module_name(file): file for file in (PACKAGE.parent / folder).rglob("*.py")}
    uses = {name: _names(file, files) & files.keys() for name, file in files.items()}
    assert len(list(TopologicalSorter(uses).static_order())) == len(files)


def test_arrows_go_one_way(imports: dict[str, set[str]]) -> None:
    # An empty folder file imports nothing; that of the package gathers what is public.
    assert {(module, other) for module in imports for other in imports[module] if place(other) > place(module)} == set()


def test_every_import_is_of_a_module_that_exists(imports: dict[str, set[str]]) -> None:
    assert {other for others in imports.values() for other in others} <= FILES.keys()


CORE = PACKAGE.parent / "src_c"
# The folders that a folder of the core may include from; headers beside the folders are for all.
BELOW = {
    "threads": {"threads"},
    "data": {"data"},
    "random": {"random", "data"},
    "tree": {"tree", "random", "data", "threads"},
}


@pytest.mark.parametrize("folder", BELOW)
def test_core_arrows_go_one_way(folder: str) -> None:
    files = sorted((CORE / folder).glob("*.[ch]"))
    assert files
    found = {
        f"{file.name} includes {name}"
        for file in files
        for name in re.findall(r'#include "(\w+/\w+\.h)"', file.read_text())
        if name.split("/")[0] not in BELOW[folder]
    }
    assert found == set()


def test_each_method_in_the_table_is_there() -> None:
    assert len(methods._PLACES) >= len(pyrrf.r._METHODS)
    for name in methods._PLACES:
        assert callable(methods._load_method(name)), name
