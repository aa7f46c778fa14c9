"""What is published: the check that `make dist` makes of archives; metadata and the wheels to be built agree."""

from __future__ import annotations

import io
import os
import runpy
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from fnmatch import fnmatch
from importlib import import_module
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pytest

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
CHECK: dict[str, Any] = runpy.run_path(str(ROOT / "tools" / "dist_contents.py"))

COMMITTED = [
    "meson.build",
    "pyrrf/__init__.py",
    "pyrrf/_core/fit.pyx",
    "pyrrf/_core/fit.pyi",
    "src_c/rrf.h",
    "tests/t.py",
]
INFO = [f"pyrrf-1.0.dist-info/{name}" for name in CHECK["OF_A_WHEEL"]]
WHEEL = [
    "pyrrf/__init__.py",
    "pyrrf/_core/fit.cpython-313-x86_64-linux-gnu.so",
    "pyrrf/_core/fit.pyi",
    "pyrrf/CHANGELOG.md",
]
WHEEL += INFO


def wheel_complaints(names: list[str]) -> list[str]:
    wanted, found = CHECK["wanted_in_wheel"](COMMITTED), CHECK["found_in_wheel"](names)
    return CHECK["complaints"]("w", wanted, found)


def test_a_right_wheel_passes() -> None:
    assert wheel_complaints(WHEEL) == []


@pytest.mark.parametrize("module", ["fit.cp313-win_amd64.pyd", "fit.cpython-313-darwin.so", "fit.abi3.so", "fit.so"])
def test_a_module_of_any_system_is_known(module: str) -> None:
    assert wheel_complaints([WHEEL[0], f"pyrrf/_core/{module}", *WHEEL[2:]]) == []


@pytest.mark.parametrize("name", sorted(set(WHEEL)))
def test_what_a_wheel_lacks_is_named(name: str) -> None:
    (complaint,) = wheel_complaints([other for other in WHEEL if other != name])
    assert complaint.startswith("w lacks ")
    assert Path(name).name.split(".")[0] in complaint


@pytest.mark.parametrize(
    "name", ["tests/t.py", "src_c/rrf.h", "pyrrf/_core/fit.pyx", "benchmarks/b.py", "pyrrf/left.so"]
)
def test_what_a_wheel_should_not_hold_is_named(name: str) -> None:
    assert wheel_complaints([*WHEEL, name]) == [f"w should not hold {name.removesuffix('.so')}"]


def archives(folder: Path, in_sdist: list[str], in_wheel: list[str]) -> tuple[str, str]:
    """A source archive and a wheel of empty files."""
    sdist, wheel = folder / "pyrrf-1.0.tar.gz", folder / "pyrrf-1.0-py3-none-any.whl"
    with tarfile.open(sdist, "w:gz") as packed:
        for name in in_sdist:
            packed.addfile(tarfile.TarInfo(f"pyrrf-1.0/{name}"), io.BytesIO())
    with zipfile.ZipFile(wheel, "w") as zipped:
        for name in in_wheel:
            zipped.writestr(name, "")
    return str(sdist), str(wheel)


@pytest.mark.parametrize(
    ("in_sdist", "in_wheel", "complaint"),
    [
        ([*COMMITTED, "PKG-INFO"], WHEEL, ""),
        ([*COMMITTED[1:], "PKG-INFO"], WHEEL, "pyrrf-1.0.tar.gz lacks meson.build"),
        ([*COMMITTED, "PKG-INFO", "build/x.o"], WHEEL, "pyrrf-1.0.tar.gz should not hold build/x.o"),
        ([*COMMITTED, "PKG-INFO"], [*WHEEL, "tests/t.py"], "any.whl should not hold tests/t.py"),
    ],
    ids=["right", "a file lacks", "a file too many", "tests in the wheel"],
)
def test_archives_are_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], in_sdist: list[str], in_wheel: list[str], complaint: str
) -> None:
    paths = archives(tmp_path, in_sdist, in_wheel)
    main = CHECK["main"]
    main.__globals__["committed"] = lambda: COMMITTED
    assert main(*paths) == bool(complaint)
    assert capsys.readouterr().err.strip().endswith(complaint)


# ---- metadata ------------------------------------------------------------------------------------


def minors() -> list[int]:
    """The releases of Python 3 that the classifiers name."""
    start = "Programming Language :: Python :: 3."
    return [int(line.removeprefix(start)) for line in PROJECT["project"]["classifiers"] if line.startswith(start)]


def test_classifiers_begin_where_the_requirement_does() -> None:
    assert PROJECT["project"]["requires-python"] == f">=3.{min(minors())}"
    assert minors() == list(range(min(minors()), max(minors()) + 1))


def test_a_wheel_is_built_for_each_release_named() -> None:
    built = PROJECT["tool"]["cibuildwheel"]["build"]
    assert [minor for minor in range(5, 40) if fnmatch(f"cp3{minor}-manylinux_x86_64", built)] == minors()


def test_licenses_are_there() -> None:
    assert PROJECT["project"]["license-files"] == list(CHECK["LICENSES"])
    assert [name for name in CHECK["LICENSES"] if not (ROOT / name).is_file()] == []


def test_what_wheels_are_tried_with_is_there() -> None:
    settings = PROJECT["tool"]["cibuildwheel"]
    assert [name for name in settings["test-sources"] if not (ROOT / name).exists()] == []
    assert set(settings["test-extras"]) <= set(PROJECT["project"]["optional-dependencies"])
    assert [
        word for word in settings["test-command"].split() if word.endswith(".py") and not (ROOT / word).exists()
    ] == []


# ---- Python in the checkout ----------------------------------------------------------------------


def run_in(checkout: Path, code: str, *path: Path) -> subprocess.CompletedProcess[str]:
    """What Python does in a checkout; without the site module, and so without an editable install and its packages."""
    packages = [str(Path(np.__file__).parents[1]), str(Path(joblib.__file__).parents[1])]
    asked = [sys.executable, "-S", "-W", "error", "-c", code]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([*map(str, path), *packages]), "PYTHONWARNINGS": "error"}
    return subprocess.run(asked, cwd=checkout, env=env, capture_output=True, text=True, check=False)


def test_python_started_in_the_checkout_says_what_to_do() -> None:
    run = run_in(ROOT, "import pyrrf")
    assert run.returncode == 1
    last = run.stderr.splitlines()[-1]
    assert last.startswith(f"ImportError: pyrrf was imported from its source folder {str(ROOT)!r}")
    assert "pip install ." in last
    assert "During handling" not in run.stderr


@pytest.fixture
def checkout(tmp_path: Path) -> tuple[Path, Path]:
    """A checkout that was installed, and where: sources, and a copy with the core that was compiled for these tests."""
    folders = tmp_path / "checkout", tmp_path / "site"
    for folder in folders:
        shutil.copytree(ROOT / "pyrrf", folder / "pyrrf", ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    for module in COMPILED:
        shutil.copy(Path(str(import_module(f"pyrrf._core.{module}").__file__)), tmp_path / "site" / "pyrrf" / "_core")
    return folders


COMPILED = [file.stem for file in (ROOT / "pyrrf" / "_core").glob("*.pyx")]
# What runs here, in processes that start anew, and in those of joblib.
AT_WORK = """
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
import pyrrf.rules as first
import joblib, pyrrf
from pyrrf import _core
from pyrrf.datasets import load_iris

if __name__ == "__main__":
    fit = pyrrf.RRF("Species ~ .", load_iris(), ntree=5, seed=1)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        apart = pool.submit(pyrrf.RRF, "Species ~ .", load_iris(), ntree=5, seed=1).result()
    (other,) = joblib.Parallel(2)([joblib.delayed(pyrrf.RRF)("Species ~ .", load_iris(), ntree=5, seed=1)])
    assert fit == apart == other
    modules = [pyrrf, _core, first, pyrrf.r, pyrrf._core]
    print(*{module.__file__.split("/pyrrf/")[0] for module in modules}, pyrrf.__path__[0], pyrrf._core is _core)
"""


def test_python_in_a_checkout_uses_the_installed_package(checkout: tuple[Path, Path]) -> None:
    source, site = checkout
    for code in (AT_WORK, "import runpy; runpy.run_path('work.py', run_name='__main__')"):
        (source / "work.py").write_text(AT_WORK)
        run = run_in(source, code, site)
        assert (run.stdout, run.stderr) == (f"{site} {site / 'pyrrf'} True\n", "")


def test_an_installed_package_of_other_sources_is_told(checkout: tuple[Path, Path]) -> None:
    source, site = checkout
    (source / "pyrrf" / "threads.py").write_text("# changed since\n")
    run = run_in(source, "import pyrrf", site)
    assert "UserWarning: pyrrf is imported as it was installed in" in run.stderr
    assert "1 files, threads.py among them" in run.stderr
