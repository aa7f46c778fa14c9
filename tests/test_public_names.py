"""What `import pyrrf` loads and shows."""

from __future__ import annotations

import ast
import inspect
import pickle
import subprocess
import sys
from pathlib import Path
from typing import get_type_hints

import pytest

import pyrrf

SOURCE = ast.parse(Path(pyrrf.__file__).read_text())


def loaded(statement: str, package: str = "pyrrf") -> set[str]:
    """The modules of a package after a statement in a fresh interpreter."""
    program = f"import sys\n{statement}\nprint(*[name for name in sys.modules if name.split('.')[0] == {package!r}])"
    return set(
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    )


def test_import_loads_few_modules() -> None:
    assert len(loaded("import pyrrf")) <= 60


@pytest.mark.parametrize("statement", ["import pyrrf", "import pyrrf.cli.app"])
def test_neither_import_nor_the_command_s_help_waits_for_pandas(statement: str) -> None:
    assert not loaded(statement, "pandas")
    assert loaded("from pyrrf import RRF", "pandas")


def test_a_forest_needs_neither_plots_nor_reports_nor_files_of_r() -> None:
    rooms = {name.split(".")[1] for name in loaded("from pyrrf import RRF") if "." in name}
    assert rooms.isdisjoint({"companions", "plots", "reports", "rds", "datasets"})


def test_type_checkers_see_the_names_that_python_finds() -> None:
    block = next(node for node in SOURCE.body if isinstance(node, ast.If))
    seen = {
        name.name: node.module for node in ast.walk(block) if isinstance(node, ast.ImportFrom) for name in node.names
    }
    assert seen.pop("datasets") == "pyrrf"
    assert sorted(seen) == pyrrf.__all__
    for name, module in seen.items():
        value = getattr(pyrrf, name)
        assert inspect.unwrap(value) is inspect.unwrap(getattr(sys.modules[str(module)], name))
        assert not inspect.isfunction(value) or pickle.loads(pickle.dumps(value)) is value


def test_dir_shows_what_is_public() -> None:
    shown = [name for name in dir(pyrrf) if not name.startswith("_")]
    assert set(shown) == {*pyrrf.__all__, "datasets", "r", "random"}
    assert all(hasattr(pyrrf, name) for name in dir(pyrrf))
    assert isinstance(pyrrf.__version__, str)


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'pyrrf' has no attribute 'RFF'"):
        pyrrf.RFF  # type: ignore[attr-defined]  # noqa: B018


def test_type_hints_can_be_read() -> None:
    for name in pyrrf.__all__:
        get_type_hints(getattr(pyrrf, name))
